"""Whatever a game says to people is a Text: nothing is a finished English sentence that nobody could render."""

import contextlib
import re
from collections.abc import Iterator

import pytest

from hiddenhand.core import resolver
from hiddenhand.core.agent_pool import AgentPool
from hiddenhand.core.errors import UserError
from hiddenhand.core.game import nameable_actions, summary_of
from hiddenhand.core.session import Deal, Session
from hiddenhand.core.text import Text
from hiddenhand.core.view import own_view
from hiddenhand.search import watch

WORDS = ("title", "words", "text", "what", "amount", "label", "note", "status", "question", "kind", "value")
"""Fields of pictures whose texts a screen shows."""
WHERE_SEARCHES_SPEAK = ("tictactoe", "kuhn", "tiger", "dorban")
"""Searches say the same in every game: it is enough to ask them in some small ones."""
MOMENTS = 12
"""This many moments at the beginning are looked at, and of the later ones every fifth."""
SENTENCE = re.compile(r"[A-Za-z]{2,} [A-Za-z]{2,}")
"""Two words in a row: neither a notation, such as `bar/20`, nor a name."""


@pytest.mark.parametrize("name", resolver.games())
def test_all_that_a_game_says_is_a_text(name):
    options = {"steps": 8} if "steps" in resolver.game(name).settings else {}
    said = [*texts_of_the_lobby(name), *texts_of_a_game(name, **options)]
    if "planner" in resolver.agents(resolver.game(name)):
        said += texts_of_plans(name)
    assert len(said) > 20
    assert {text for text in said if SENTENCE.search(text) and not isinstance(text, Text)} <= actions_of_world(name)


def actions_of_world(name):
    """What a world calls its actions: they are the same in all languages."""
    table = resolver.game(name).deal(seed=1)
    if "planner" not in resolver.agents(table.game):
        return set()
    return {table.action_name(action).replace("_", " ") for action in nameable_actions(table.game)}


def test_all_that_a_watched_search_says_is_a_text():
    said = list(texts_of_watched_searches())
    assert len(said) > 50
    assert {text for text in said if not isinstance(text, Text)} == set()


def texts_of_the_lobby(name: str) -> Iterator[str]:
    """What the lobby says of a game."""
    game = resolver.game(name)
    yield game.title
    yield summary_of(game)
    for opponent in resolver.opponents(game):
        yield opponent.name
        yield opponent.about
    for kind in resolver.agents(game).values():
        yield kind.summary
        yield from texts_of_settings(resolver.EVERYTHING.settings_of(kind, game))
    yield from texts_of_settings(game.settings)


def texts_of_settings(settings) -> Iterator[str]:
    for setting in settings.values():
        yield setting.help


def texts_of_a_game(name: str, seed: int = 1, asked: int = 4, **options) -> Iterator[str]:
    """What is said in a game of its opponents: moves, news, pictures, refusals, reasons, the end."""
    game = resolver.game(name, **options)
    opponents = [each.agent for each in resolver.opponents(game)]
    quick = [text for text in opponents if resolver.EVERYTHING.character(game, text).policy]
    advisers = opponents if name in WHERE_SEARCHES_SPEAK else quick
    seats = [(quick or ["random"])[(seat + seed) % len(quick or ["random"])] for seat in range(game.players)]
    session = Session(Deal(game, seed), seats)
    pool = AgentPool()
    for ply in range(game.longest):
        if session.over:
            break
        seat = session.table.turn
        if ply < MOMENTS or ply % 5 == 0:
            yield from texts_of_a_moment(session, seat)
        if ply % 7 == seed % 7 and asked > 0 and advisers:
            asked -= 1
            with pool.lend(game, advisers[asked % len(advisers)]) as adviser:
                yield from texts_of_a_decision(session.table.ask(adviser, explain=True))
        with pool.lend(game, seats[seat]) as agent:
            session.play(session.decide(session.table, agent))
    for ear in range(-1, game.players):
        for entry in session.log(ear):
            yield entry.text
            yield from entry.news
            yield entry.verb
    yield session.reason()
    yield from texts_of_a_picture(game.people.open_picture(session.table.state, 0))


def texts_of_plans(name: str, deals: int = 4, steps: int = 2) -> Iterator[str]:
    """What the planner of a world says of its decisions."""
    for seed in range(deals):
        table = resolver.game(name).deal(seed)
        agent = resolver.agent(table.game, "planner:depth=3")
        for _ in range(steps):
            decision = table.ask(agent, explain=True)
            yield from texts_of_a_decision(decision)
            table.play(decision.action)


def texts_of_a_moment(session: Session, seat: int) -> Iterator[str]:
    game, view = session.game, own_view(session.game, session.table.state, seat)
    for move in view.legal_moves():
        yield move.text
        yield move.verb
    yield from texts_of_a_picture(view.picture())
    if game.people.refusal is not None:
        known = nameable_actions(game)
        for action in known[:: max(1, len(known) // 25)]:
            with contextlib.suppress(UserError):
                yield game.people.refusal(view.imagine(), action)


def texts_of_a_picture(picture, name: str = "") -> Iterator[str]:
    """The texts in it that a screen shows."""
    if isinstance(picture, str):
        if name in WORDS:
            yield picture
    elif isinstance(picture, dict):
        if picture.get("kind") == "text":
            return
        for key, value in picture.items():
            yield from texts_of_a_picture(value, key)
    elif isinstance(picture, list | tuple):
        for value in picture:
            yield from texts_of_a_picture(value, name)


def texts_of_a_decision(decision) -> Iterator[str]:
    yield from decision.reasons
    yield from (what for what, _ in decision.belief)
    yield from decision.counts
    yield decision.text
    for other in decision.alternatives:
        yield other.note


def texts_of_watched_searches() -> Iterator[str]:
    """What the teaching bench says, step by step."""
    chance = "(max A1: (chance 0.5 (min 2 4) 0.5 (min 7 4)) A2: (chance 0.5 (min 6 0) 0.5 (min 5 -2)))"
    watched = [
        ("tree", {"text": "(max A1: (min 3 (max 1 9 2)) A2: (min 2 4) A3: (min (max 5 8 2) 7))"}, "alphabeta"),
        ("tree", {"text": chance}, "minimax"),
        ("tree", {"text": chance}, "expectiminimax:pruning=star1"),
        ("tree", {"text": chance}, "expectiminimax:pruning=star2"),
        ("tree", {"text": chance}, "uct:simulations=6"),
        ("kuhn", {}, "pimc:worlds=3"),
        ("kuhn", {}, "cfr:iterations=2"),
        ("tictactoe", {}, "alphabeta:depth=1"),
    ]
    for name, options, agent in watched:
        game = resolver.game(name, options)
        for step in watch(resolver.agent(game, agent), game.deal(seed=1).view()).steps:
            yield step["says"]
