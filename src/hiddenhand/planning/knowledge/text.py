"""Knowledge as text: a `precalculated (depth,granularity) {...}` section of the language, as the original has it.

The section stands alone, or in the knowledge of a whole Svarog file. Numbers have six digits (6.00000, 198.967,
4.29497e+09).
"""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from hiddenhand.core.errors import UserError
from hiddenhand.planning.belief_graph import Floats
from hiddenhand.planning.knowledge.blocks import Block, Knowledge, grid_size, stored_beliefs
from hiddenhand.planning.language import printing, read_text, syntax
from hiddenhand.planning.world import Axis, Names, World

DIGITS = 6
REGULAR = 1e-5
"""Beliefs that were written with six digits may differ so much from what was meant."""
SECTION_ALONE = re.compile(r"(?:\s|#[^\n]*\n)*precalculated\b")


def section_text(world: World, knowledge: Knowledge) -> str:
    """The section alone, as `precalculate` of the original prints it."""
    return "\n".join(printing.precalculated(to_tree(world, knowledge), DIGITS)) + "\n"


def whole_text(world: World, knowledge: Knowledge) -> str:
    """The world's specification with this knowledge in it; it replaces a section of equal depth and granularity."""
    section = to_tree(world, knowledge)
    kept = [
        item
        for item in world.specification.knowledge
        if not isinstance(item, syntax.Precalculated)
        or (item.depth, item.granularity) != (section.depth, section.granularity)
    ]
    return printing.to_text(replace(world.specification, knowledge=(*kept, section)), DIGITS)


def from_text(world: World, text: str, file: str = "<text>") -> list[Knowledge]:
    """The knowledge sections of a text: a whole file, or one section alone."""
    if SECTION_ALONE.match(text):
        text = f"{declarations(world)} knowledge {{ {text} }}"  # all on the first line: the others keep their numbers
    return [from_tree(world, item, file) for item in read_text(text, file).precalculated]


def declarations(world: World) -> str:
    specification = world.specification
    return " ".join([*printing.values(specification.values), *printing.variables(specification.variables)])


def to_tree(world: World, knowledge: Knowledge) -> syntax.Precalculated:
    """The knowledge in the language."""
    actions = [query(world.outputs, names) for names in world.actions]
    states = []
    for block in knowledge:
        hidden = [query(world.hidden, world.states[state][1]) for state in world.states_of(block.visible)]
        beliefs = tuple(
            syntax.StoredBelief(
                tuple(syntax.BeliefCase(hidden[i], float(belief[i])) for i in np.flatnonzero(belief > 0.0)),
                actions[action],
                float(value),
            )
            for belief, action, value in zip(block.beliefs, block.actions, block.values)
        )
        size = grid_size(block.size, knowledge.granularity)
        visible = query(world.inputs, world.visible_states[block.visible])
        states.append(syntax.StoredState(visible, float(block.size), size, block.too_complex, beliefs))
    return syntax.Precalculated(knowledge.depth, knowledge.granularity, tuple(states))


def query(axes: tuple[Axis, ...], names: Names) -> syntax.Query:
    return syntax.Query(tuple(syntax.Assignment(axis.name, name) for axis, name in zip(axes, names)))


def from_tree(world: World, section: syntax.Precalculated, file: str | None = None) -> Knowledge:
    """A section of the language as knowledge about this world. A clear error where it does not fit the world."""
    reader = SectionReader(world, section, file or world.specification.file)
    blocks = [reader.block(state) for state in section.states]
    blocks.sort(key=lambda block: block.visible)
    return Knowledge(section.depth, section.granularity, {block.visible: block for block in blocks})


class SectionReader:
    """Reads the blocks of one section. The same queries return thousands of times: each is looked up once."""

    def __init__(self, world: World, section: syntax.Precalculated, file: str) -> None:
        self.world = world
        self.granularity = section.granularity
        self.file = file
        self.actions: dict[int, int] = {}  # by id of the query, which the section keeps alive

    def fault(self, place: syntax.Place, message: str) -> UserError:
        return UserError(f"{self.file}:{place.line}:{place.column}: {message}")

    def block(self, state: syntax.StoredState) -> Block:
        world = self.world
        visible = world.visible(state.query.as_dict())
        inside = world.states_of(visible)
        if state.amount_of_possible_states != len(inside):
            raise self.fault(
                state.place,
                f"this visible state has {state.amount_of_possible_states:g} possible states here, "
                f"but {len(inside)} in {world.name}; the knowledge was made for another world",
            )
        if not inside or not state.beliefs:
            raise self.fault(state.place, "nothing is known here: this visible state has no beliefs")
        places: dict[int, int] = {}
        beliefs = np.zeros((len(state.beliefs), len(inside)))
        for row, stored in zip(beliefs, state.beliefs):
            for case in stored.cases:
                row[self.place(places, visible, case)] += case.probability
        beliefs /= beliefs.sum(axis=1, keepdims=True)
        actions = np.array([self.action(stored.action) for stored in state.beliefs])
        values = np.array([stored.value for stored in state.beliefs])
        return Block(visible, state.too_complex, self.as_meant(beliefs, state.too_complex), actions, values)

    def place(self, places: dict[int, int], visible: int, case: syntax.BeliefCase) -> int:
        known = places.get(id(case.query))
        if known is None:
            try:
                state = self.world.state(visible, case.query.as_dict())
            except UserError as error:
                raise self.fault(case.place, str(error)) from None
            known = places[id(case.query)] = state - self.world.states_of(visible).start
        return known

    def action(self, query: syntax.Query) -> int:
        if id(query) not in self.actions:
            self.actions[id(query)] = self.world.action(query.as_dict())
        return self.actions[id(query)]

    def as_meant(self, beliefs: Floats, too_complex: bool) -> Floats:
        """The beliefs without the rounding of six digits, if they are those that the granularity asks for."""
        size = beliefs.shape[1]
        if len(beliefs) != (size if too_complex else grid_size(size, self.granularity)):
            return beliefs
        meant = stored_beliefs(size, self.granularity, too_complex)
        return meant if np.allclose(beliefs, meant, rtol=0.0, atol=REGULAR) else beliefs
