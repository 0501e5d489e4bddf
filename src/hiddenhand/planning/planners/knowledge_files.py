"""Knowledge files: precalculated knowledge written and read, as text or in a compact form.

As text it is a `precalculated (depth,granularity) {...}` section of the language, as the original has it. The section
stands alone, or in the knowledge of a whole Svarog file. Numbers have six digits (6.00000, 198.967, 4.29497e+09).

In the compact form what follows from the granularity is left out, and so are all names. Actions and values remain,
compressed; beliefs only where they are not the regular ones. The file says which world it was made for, and is
refused for any other, or for one whose numbers have changed.
"""

from __future__ import annotations

import hashlib
import io
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from hiddenhand.core.errors import UserError
from hiddenhand.core.text import Value
from hiddenhand.planning.language import printing, read_text, syntax
from hiddenhand.planning.language.parsing import decoded
from hiddenhand.planning.model.pomdp import Floats
from hiddenhand.planning.model.world import Axis, Names, World
from hiddenhand.planning.planners.knowledge import Block, Knowledge, grid_size, stored_beliefs

DIGITS = 6
REGULAR = 1e-5
"""Beliefs that were written with six digits may differ so much from what was meant."""
SECTION_ALONE = re.compile(r"(?:\s|#[^\n]*\n)*precalculated\b")
COMPACT_VERSION = 1


def write(path: str | Path, world: World, knowledge: Knowledge, compact: bool = False) -> None:
    """Write a file: compact, or the whole specification as text with the knowledge in it."""
    content = to_bytes(world, knowledge) if compact else whole_text(world, to_tree(world, knowledge)).encode()
    try:
        Path(path).expanduser().write_bytes(content)
    except OSError as error:
        raise UserError("{path} cannot be written: {error}", path=path, error=error.strerror or error) from None


def read(path: str | Path, world: World) -> list[Knowledge]:
    """All knowledge sections of a file of either form; a compact file has one."""
    try:
        content = Path(path).expanduser().read_bytes()
    except OSError as error:
        raise UserError("{path} cannot be read: {why}", path=path, why=error.strerror or error) from None
    if content[:2] == b"PK":
        return [from_bytes(world, content, str(path))]
    return from_text(world, decoded(content, str(path)), str(path))


# --- as text ---


def whole_text(world: World, section: syntax.Precalculated, commands: bool = True) -> str:
    """The world's specification with this section in it; it replaces a section of equal depth and granularity."""
    kept = [
        item
        for item in world.specification.knowledge
        if not isinstance(item, syntax.Precalculated)
        or (item.depth, item.granularity) != (section.depth, section.granularity)
    ]
    whole = replace(world.specification, knowledge=(*kept, section))
    return printing.to_text(whole if commands else replace(whole, commands=()), DIGITS)


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
    """A section of the language as knowledge about this world. A clear error where it does not fit the world.

    A visible state without beliefs, such as those of an estimate, stores nothing.
    """
    reader = SectionReader(world, section, file or world.specification.file)
    blocks = [reader.block(state) for state in section.states if state.beliefs]
    blocks.sort(key=lambda block: block.visible)
    return Knowledge(section.depth, section.granularity, {block.visible: block for block in blocks})


class SectionReader:
    """Reads the blocks of one section. The same queries return thousands of times: each is looked up once."""

    def __init__(self, world: World, section: syntax.Precalculated, file: str) -> None:
        self.world = world
        self.granularity = section.granularity
        self.file = file
        self.actions: dict[int, int] = {}  # by id of the query, which the section keeps alive

    def fault(self, place: syntax.SourcePosition, message: str, /, **values: Value) -> syntax.Fault:
        return syntax.Fault(self.file, place, message, **values)

    def block(self, state: syntax.StoredState) -> Block:
        world = self.world
        visible = world.visible(state.query.as_dict())
        inside = world.states_of(visible)
        amount = state.amount_of_possible_states
        if amount is not None and amount != len(inside):
            raise self.fault(
                state.place,
                "this visible state has {stored:g} possible states here, but {n} in {world}; the knowledge was "
                "made for another world",
                stored=amount,
                n=len(inside),
                world=world.name,
            )
        if not inside:
            raise self.fault(state.place, "this visible state is impossible in {world}", world=world.name)
        places: dict[int, int] = {}
        beliefs = np.zeros((len(state.beliefs), len(inside)))
        for row, stored in zip(beliefs, state.beliefs):
            for case in stored.cases:
                row[self.place(places, visible, case)] += case.probability
        beliefs /= beliefs.sum(axis=1, keepdims=True)
        actions = np.array([self.action(stored.action) for stored in state.beliefs])
        values = np.array([stored.value for stored in state.beliefs], dtype=np.float64)
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


# --- in the compact form ---


def to_bytes(world: World, knowledge: Knowledge) -> bytes:
    """The compact form: a compressed NumPy archive."""
    blocks = list(knowledge)
    irregular: dict[str, Any] = {
        f"beliefs_{block.visible}": block.beliefs for block in blocks if not is_regular(block, knowledge.granularity)
    }
    nothing = [np.zeros(0)]
    kind = np.min_scalar_type(len(world.actions))
    # equal bytes of neighbouring values stand together, which is what makes them compress well
    values = np.concatenate([block.values for block in blocks] or nothing).astype("<f8").view(np.uint8)
    content = io.BytesIO()
    np.savez_compressed(
        content,
        version=np.array(COMPACT_VERSION),
        world=np.frombuffer(fingerprint(world), dtype=np.uint8),
        depth=np.array(knowledge.depth),
        granularity=np.array(knowledge.granularity),
        visible=np.array([block.visible for block in blocks], dtype=np.int64),
        entries=np.array([len(block) for block in blocks], dtype=np.int64),
        too_complex=np.array([block.too_complex for block in blocks], dtype=np.bool_),
        actions=np.concatenate([block.actions for block in blocks] or nothing).astype(kind),
        values=np.ascontiguousarray(values.reshape(-1, 8).T),
        **irregular,
    )
    return content.getvalue()


def from_bytes(world: World, content: bytes, file: str = "<knowledge>") -> Knowledge:
    """Knowledge from its compact form."""
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as archive:
            fields = dict(archive)
        return from_fields(world, fields, file)
    except UserError:
        raise
    except Exception:  # there is no end to the ways in which an archive can be broken
        raise UserError("{file} is damaged, or is no compact knowledge", file=file) from None


def from_fields(world: World, fields: dict[str, Any], file: str) -> Knowledge:
    if int(fields["version"]) != COMPACT_VERSION:
        raise UserError(
            "{file} was written by another version of hiddenhand (form {version})",
            file=file,
            version=int(fields["version"]),
        )
    if fields["world"].tobytes() != fingerprint(world):
        raise UserError(
            "{file} was made for another world than {name}, or before its specification changed",
            file=file,
            name=world.name,
        )
    granularity = int(fields["granularity"])
    values = np.ascontiguousarray(fields["values"].T).view("<f8").ravel().astype(np.float64)
    actions = fields["actions"].astype(np.intp)
    ends = np.cumsum(fields["entries"])
    if (
        not len(values) == len(actions) == (int(ends[-1]) if len(ends) else 0)
        or (actions >= len(world.actions)).any()
    ):
        raise ValueError("the parts do not fit together")
    blocks = {}
    for visible, count, end, too_complex in zip(
        fields["visible"].tolist(), fields["entries"].tolist(), ends.tolist(), fields["too_complex"].tolist()
    ):
        beliefs = fields.get(f"beliefs_{visible}")
        if beliefs is None:
            beliefs = stored_beliefs(len(world.states_of(visible)), granularity, too_complex)
        if len(beliefs) != count:
            raise ValueError("the parts do not fit together")
        part = slice(end - count, end)
        blocks[visible] = Block(visible, too_complex, beliefs, actions[part], values[part])
    return Knowledge(int(fields["depth"]), granularity, blocks)


def is_regular(block: Block, granularity: int) -> bool:
    """Whether the beliefs are those that the granularity asks for."""
    wanted = block.size if block.too_complex else grid_size(block.size, granularity)
    return len(block) == wanted and np.array_equal(
        block.beliefs, stored_beliefs(block.size, granularity, block.too_complex)
    )


def fingerprint(world: World) -> bytes:
    """A digest of everything that plans in this world depend on."""
    digest = hashlib.sha256()
    names = (world.inputs, world.hidden, world.outputs, [state[1] for state in world.states])
    digest.update(repr(names).encode())
    for array in (world.visible_of, world.payoffs, world.legal, *map(parts, world.transitions)):
        digest.update(np.ascontiguousarray(array, dtype="<f8").tobytes())
    return digest.digest()


def parts(table: csr_array) -> Floats:
    """A sparse array as one row of numbers."""
    return np.concatenate((table.indptr, table.indices, table.data))
