"""Dorban hunts a vampire through five towns.

He sees only who is in the town where he stands. Pregor, a companion, is good to have at one's side in a fight, but
he has to be found and asked first, and a lost fight may cost him his life. A fight won is worth 100, a fight lost
-100; an episode has 50 steps.

The world is that of Paweł Biernacki's Svarog; the rules stand in `dorban.svarog`, in our own words.
"""

from pathlib import Path

from hiddenhand.core.text import Text
from hiddenhand.games.dorban.texts import screen_of
from hiddenhand.planning.model.world_building import read_world
from hiddenhand.planning.play.world_game import world_game

WORLD = read_world(Path(__file__).with_name("dorban.svarog"))

GAME = world_game("dorban", WORLD, title=Text("Dorban and the vampire"), about=__doc__, people=screen_of(WORLD))
