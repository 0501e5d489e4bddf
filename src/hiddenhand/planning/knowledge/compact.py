"""Knowledge in a compact form: what follows from the granularity is left out, and so are all names.

Actions and values remain, compressed; beliefs only where they are not the regular ones. The file says which world it
was made for, and is refused for any other, or for one whose numbers have changed.
"""

from __future__ import annotations

import hashlib
import io
from typing import Any

import numpy as np

from hiddenhand.core.errors import UserError
from hiddenhand.planning.belief_graph import Floats
from hiddenhand.planning.knowledge.blocks import Block, Knowledge, grid_size, stored_beliefs
from hiddenhand.planning.world import World

COMPACT_VERSION = 1


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
        raise UserError(f"{file} is damaged, or is no compact knowledge") from None


def from_fields(world: World, fields: dict[str, Any], file: str) -> Knowledge:
    if int(fields["version"]) != COMPACT_VERSION:
        raise UserError(f"{file} was written by another version of hiddenhand (form {int(fields['version'])})")
    if fields["world"].tobytes() != fingerprint(world):
        raise UserError(f"{file} was made for another world than {world.name}, or before its specification changed")
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


def parts(table: Any) -> Floats:
    """A sparse array as one row of numbers."""
    return np.concatenate((table.indptr, table.indices, table.data))
