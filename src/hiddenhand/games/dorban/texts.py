"""What Dorban knows, as a person reads it: where he stands, whom he sees, and a map with his belief."""

from collections.abc import Callable
from typing import Any

import numpy as np

from hiddenhand.core.picture import Picture, Place, amounts, map_mark, map_place, note, places
from hiddenhand.core.text import Text
from hiddenhand.planning.model.world import World
from hiddenhand.planning.play.world_game import paid, so_far
from hiddenhand.planning.play.world_rules import belief_in

TOWNS = {
    "Warszawa": Text("Warszawa"),
    "Krakow": Text("Krakow"),
    "Wroclaw": Text("Wroclaw"),
    "Gdansk": Text("Gdansk"),
    "Poznan": Text("Poznan"),
}
"""What the towns are called in a sentence."""
MAP = """\
{Gdansk}--- {Warszawa}--- {Krakow}
{Gdansk_v}    {Warszawa_v}    {Krakow_v}
{Gdansk_p}    {Warszawa_p}    {Krakow_p}
{nothing}     |                  |
{nothing}    {Poznan}--- {Wroclaw}
{nothing}    {Poznan_v}    {Wroclaw_v}
{nothing}    {Poznan_p}    {Wroclaw_p}"""
WIDTH = 15
AT = {
    "Gdansk": (0.12, 0.18),
    "Warszawa": (0.5, 0.3),
    "Krakow": (0.86, 0.62),
    "Poznan": (0.2, 0.6),
    "Wroclaw": (0.48, 0.84),
}
ROADS = (
    ("Warszawa", "Krakow"),
    ("Warszawa", "Gdansk"),
    ("Warszawa", "Poznan"),
    ("Krakow", "Wroclaw"),
    ("Wroclaw", "Poznan"),
)
GOTO = "goto_"


def screen_of(world: World) -> tuple[Callable[..., Any], ...]:
    """What a person sees and hears of the game."""

    def show(view: np.record, seat: int) -> str:
        visible, belief = named(world, view), belief_in(world, view)
        return Text.joined(
            "\n", [so_far(view), sentence(visible), "", drawn_map(world, visible, belief), *pregor(world, belief)]
        )

    def news(before: np.record, after: np.record, seat: int) -> list[str]:
        return [Text.joined("", [happened(named(world, before), named(world, after)), paid(before, after)])]

    def picture(view: np.record, seat: int) -> Picture:
        visible, belief = named(world, view), belief_in(world, view)
        alive = chance(world, belief, "is_pregor_alive", "true")
        return {
            "sentence": note(sentence(visible)),
            "map": places(Text("the five towns"), (pictured(world, visible, belief, name) for name in TOWNS), ROADS),
            "episode": amounts(
                "",
                {
                    Text("step"): Text("{ply} of {last}", ply=view.step, last=view.steps),
                    Text("payoff"): Text("{payoff:+g}", payoff=view.gained),
                    Text("Pregor lives"): Text("{chance:.0%}", chance=alive),
                },
            ),
        }

    def open_picture(s: np.record, seat: int) -> Picture:
        """The towns where everybody truly is."""
        certain = [float(state == int(s.truth)) for state in range(len(world.states))]
        visible = named(world, s)
        return {
            "sentence": note(sentence(visible)),
            "map": places(Text("the five towns"), (pictured(world, visible, certain, name) for name in TOWNS), ROADS),
            "episode": amounts(
                "",
                {
                    Text("step"): Text("{ply} of {last}", ply=s.step, last=s.steps),
                    Text("payoff"): Text("{payoff:+g}", payoff=s.gained),
                },
            ),
        }

    def verb_and_objects(s: np.record, action: int, seat: int) -> tuple[str, list[str]]:
        name = " ".join(world.actions[action])
        return (Text("go to"), [name.removeprefix(GOTO)]) if name.startswith(GOTO) else (name.replace("_", " "), [])

    return show, news, picture, open_picture, verb_and_objects


def pictured(world: World, visible: dict[str, str], belief: Any, name: str) -> Place:
    """A town with those who are, or may be, there; the likelier the vampire, the darker it is."""
    vampire = chance(world, belief, "where_is_vampire", f"place_{name}")
    pregor = chance(world, belief, "where_is_pregor", f"place_{name}")
    marks = [map_mark("hero", Text("Dorban"))] if town(visible["where_is_dorban"]) == name else []
    marks += [map_mark("vampire", Text("the vampire {chance:.0%}", chance=vampire), vampire)] if vampire > 0.0 else []
    marks += [map_mark("shield", Text("Pregor {chance:.0%}", chance=pregor), pregor)] if pregor > 0.0 else []
    place = map_place(name, AT[name], marks, vampire)
    place["words"] = Text.joined(", ", [TOWNS[name], *(mark["words"] for mark in marks)])
    return place


def named(world: World, view: np.record) -> dict[str, str]:
    """The visible state as a dict."""
    return dict(zip((axis.name for axis in world.inputs), world.visible_states[int(view.visible)]))


def town(value: str) -> str:
    """`place_Krakow` is Krakow."""
    return TOWNS[value.removeprefix("place_")]


def sentence(visible: dict[str, str]) -> str:
    """Where Dorban is and whom he sees."""
    company = met(visible)
    if visible["is_pregor_following_dorban"] == "true":
        company.append(Text("Pregor, who follows him"))
    return Text(
        "Dorban is in {town} and sees {company}.", town=town(visible["where_is_dorban"]), company=together(company)
    )


def together(company: list[str]) -> Text:
    """Everybody of a company."""
    if not company:
        return Text("nobody")
    return Text("{a} and {b}", a=company[0], b=company[1]) if len(company) == 2 else Text.joined("", company)


def met(visible: dict[str, str]) -> list[str]:
    """Whom Dorban sees, besides a Pregor who came along."""
    company: list[str] = [Text("the vampire")] if visible["can_dorban_see_vampire"] == "true" else []
    if visible["is_pregor_following_dorban"] == "true":
        return company
    pregor: dict[str, list[str]] = {
        "true": [Text("Pregor, who goes his own way")],
        "false": [Text("Pregor, who is dead")],
    }
    return company + pregor.get(visible["can_dorban_see_pregor_is_alive"], [])


def drawn_map(world: World, visible: dict[str, str], belief: Any) -> str:
    """The five towns, and how likely the vampire and Pregor are in each."""
    cells = {"nothing": " " * WIDTH}
    for name in TOWNS:
        here = town(visible["where_is_dorban"]) == name
        title = f"[{TOWNS[name].upper()}]" if here else name
        cells[name] = f"{title} ".ljust(WIDTH, "-") if name not in ("Krakow", "Wroclaw") else title
        cells[f"{name}_v"] = cell("vampire", chance(world, belief, "where_is_vampire", f"place_{name}"))
        cells[f"{name}_p"] = cell("Pregor", chance(world, belief, "where_is_pregor", f"place_{name}"))
    return "\n".join(line.rstrip() for line in MAP.format(**cells).splitlines())


def cell(who: str, probability: float) -> str:
    return f"{who} {probability:.0%}".ljust(WIDTH) if probability > 0.0 else " " * WIDTH


def chance(world: World, belief: Any, variable: str, value: str) -> float:
    """How likely a hidden variable has a value."""
    place = [axis.name for axis in world.hidden].index(variable)
    return float(sum(p for p, (_, hidden) in zip(belief, world.states) if hidden[place] == value))


def pregor(world: World, belief: Any) -> list[str]:
    """How likely it is that Pregor is alive; nothing if that is certain."""
    alive = chance(world, belief, "is_pregor_alive", "true")
    return [] if alive in (0.0, 1.0) else [Text("Pregor is alive with a chance of {chance:.0%}.", chance=alive)]


def happened(before: dict[str, str], after: dict[str, str]) -> str:
    """What the last step did."""
    if after["has_dorban_won_a_fight"] != "none":
        won = Text("The fight is won") if after["has_dorban_won_a_fight"] == "true" else Text("The fight is lost")
        if before["can_dorban_see_pregor_is_alive"] == "true" and after["can_dorban_see_pregor_is_alive"] == "false":
            return Text("{won}, and Pregor is dead", won=won)
        stopped = before["is_pregor_following_dorban"] == "true" and after["is_pregor_following_dorban"] == "false"
        return Text("{won}, and Pregor has had enough", won=won) if stopped else won
    if before["where_is_dorban"] != after["where_is_dorban"]:
        there, company = town(after["where_is_dorban"]), together(met(after))
        if after["is_pregor_following_dorban"] == "true":
            return Text("Dorban and Pregor go to {town} and see {company}", town=there, company=company)
        return Text("Dorban goes to {town} and sees {company}", town=there, company=company)
    return (
        Text("Pregor comes along")
        if after["is_pregor_following_dorban"] == "true"
        else Text("Pregor would rather not")
    )
