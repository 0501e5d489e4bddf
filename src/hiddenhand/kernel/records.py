"""Records: the NumPy structures that hold states and views, copied and fingerprinted as a whole."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from hiddenhand.kernel.rng import FIRST, MASK, STEP, mix
from hiddenhand.kernel.rule import instruction, rule

WORD = 8


def record_type(fields: Sequence[tuple[Any, ...]]) -> np.dtype[Any]:
    """The type of a record with these fields, its size a whole number of 8-byte words.

    A field is (name, type) or (name, type, shape), as NumPy writes them: ("hands", "i1", (4, 6)).
    """
    for name, *_ in fields:
        if hasattr(np.record, name):
            raise TypeError(f"a field cannot be called {name!r}: every NumPy record has an attribute of that name")
    plain = np.dtype(list(fields), align=True)
    padding = -plain.itemsize % WORD
    if padding == 0:
        return plain
    return np.dtype([*fields, ("padding", "u1", (padding,))], align=True)


def new_records(dtype: np.dtype[Any], count: int) -> np.recarray[Any, Any]:
    """An array of `count` empty records whose fields can be read as attributes."""
    return np.zeros(count, dtype).view(np.recarray)


def shared_size(target: np.dtype[Any], source: np.dtype[Any]) -> int:
    """How many bytes two records have in common at their start: whole fields of the same name, type and place."""
    size = 0
    for name, other in zip(target.names or (), source.names or (), strict=False):
        mine = target.fields[name]  # type: ignore[index]
        if name != other or mine[:2] != source.fields[name][:2]:  # type: ignore[index]
            break
        size = mine[1] + mine[0].itemsize
    return size


def numbers_in(dtype: np.dtype[Any]) -> int:
    """How many numbers a record holds, its padding left out."""
    return sum(int(np.prod(dtype[name].shape)) for name in dtype.names or () if name != "padding")


def record_to_json(record: np.record) -> dict[str, Any]:
    """The fields of a record as plain lists and numbers."""
    return {name: np.asarray(record[name]).tolist() for name in record.dtype.names or () if name != "padding"}


@instruction
def flatten(record, out):
    """Write the numbers of a record one after the other, its padding left out; `out` holds floating-point numbers."""
    n = 0
    for name in record.dtype.names:
        if name != "padding":
            numbers = np.ravel(record[name])
            out[n : n + len(numbers)] = numbers
            n += len(numbers)


@flatten.generates
def flatten_fields(typing_context, record, out):
    """One short loop a field, written for the compiler itself: as Python it would take seconds for a large record."""
    from llvmlite import ir

    from hiddenhand.kernel.numba_compat import cgutils, types

    def generate(context, builder, signature, arguments):
        kind_of_out = signature.args[1]
        target = context.make_array(kind_of_out)(context, builder, value=arguments[1])
        wanted = context.get_value_type(kind_of_out.dtype)
        start = builder.bitcast(arguments[0], ir.IntType(8).as_pointer())
        n = 0
        for name in record.dtype.names:
            if name == "padding":
                continue
            field, offset = record.dtype.fields[name][:2]
            kind, bits = field.base.kind, 8 * field.base.itemsize
            number = {32: ir.FloatType(), 64: ir.DoubleType()}[bits] if kind == "f" else ir.IntType(bits)
            place = builder.gep(start, [context.get_constant(types.intp, offset)])
            source = builder.bitcast(place, number.as_pointer())
            count = int(np.prod(field.shape))
            with cgutils.for_range(builder, context.get_constant(types.intp, count)) as loop:
                value = builder.load(builder.gep(source, [loop.index]), align=1)
                if kind == "i":
                    value = builder.sitofp(value, wanted)
                elif kind in "ub":
                    value = builder.uitofp(value, wanted)
                elif number != wanted:
                    value = (builder.fpext if bits == 32 else builder.fptrunc)(value, wanted)
                to = builder.add(loop.index, context.get_constant(types.intp, n))
                builder.store(value, cgutils.get_item_pointer(context, builder, kind_of_out, target, [to]))
            n += count
        return context.get_dummy_value()

    return types.void(record, out), generate


@instruction
def copy(target, source):
    """Copy one record over another of the same type."""
    for name in target.dtype.names:
        target[name] = source[name]


@copy.generates
def copy_bytes(typing_context, target, source):
    from hiddenhand.kernel.numba_compat import cgutils, types

    def generate(context, builder, signature, arguments):
        size = context.get_constant(types.intp, signature.args[0].size)
        cgutils.raw_memcpy(builder, arguments[0], arguments[1], size, 1)
        return context.get_dummy_value()

    return types.void(target, source), generate


@instruction
def copy_shared(target, source):
    """Copy the fields with which both records begin, up to the first in which their types differ."""
    size = shared_size(target.dtype, source.dtype)
    for name in target.dtype.names:
        if target.dtype.fields[name][1] < size:
            target[name] = source[name]


@copy_shared.generates
def copy_shared_bytes(typing_context, target, source):
    from hiddenhand.kernel.numba_compat import cgutils, types

    def generate(context, builder, signature, arguments):
        size = context.get_constant(types.intp, shared_size(*(record.dtype for record in signature.args)))
        cgutils.raw_memcpy(builder, arguments[0], arguments[1], size, 1)
        return context.get_dummy_value()

    return types.void(target, source), generate


@instruction
def unowned(array):
    """The same array, or tuple of arrays, without a count of its users, which costs time at every turn.

    The owner must outlive it.
    """
    return array


@unowned.generates
def bare_array(typing_context, array):
    from hiddenhand.kernel.numba_compat import cgutils, types

    def bare(context: Any, builder: Any, kind: Any, value: Any) -> Any:
        if isinstance(kind, types.BaseTuple):
            parts = cgutils.unpack_tuple(builder, value)
            return context.make_tuple(
                builder, kind, [bare(context, builder, of, part) for of, part in zip(kind, parts, strict=True)]
            )
        if not isinstance(kind, types.Array):
            return value
        found = context.make_array(kind)(context, builder, value=value)
        found.meminfo = cgutils.get_null_value(found.meminfo.type)
        found.parent = cgutils.get_null_value(found.parent.type)
        return found._getvalue()

    def generate(context, builder, signature, arguments):
        return bare(context, builder, signature.args[0], arguments[0])

    return array(array), generate


@rule
def allocate(dtype, count):
    """An array of `count` records for compiled code to fill. It must outlive its elements: they do not keep it."""
    return np.empty(count, dtype)


@allocate.plainly
def allocate_plainly(dtype, count):
    return new_records(dtype, count)


@instruction
def word_at(record, index):
    """The 64 bits at a place of a record."""
    return np.frombuffer(record.tobytes(), np.uint64)[index]


@word_at.generates
def load_word(typing_context, record, index):
    from llvmlite import ir
    from numba import types

    def generate(context, builder, signature, arguments):
        words = builder.bitcast(arguments[0], ir.IntType(64).as_pointer())
        return builder.load(builder.gep(words, [arguments[1]]), align=1)

    return types.uint64(record, types.int64), generate


@instruction
def words_of(record):
    """How many times 64 bits a record has."""
    return record.dtype.itemsize // WORD


@words_of.generates
def count_words(typing_context, record):
    from numba import types

    def generate(context, builder, signature, arguments):
        return context.get_constant(types.int64, signature.args[0].size // WORD)

    return types.int64(record), generate


@rule
def digest(record, salt):
    """A 64-bit fingerprint of a record; another salt, another fingerprint."""
    code = mix(np.uint64(salt) + np.uint64(STEP))
    for i in range(words_of(record)):
        code = (code ^ word_at(record, i)) * np.uint64(FIRST)
        code ^= code >> np.uint64(32)
    return mix(code)


@digest.plainly
def digest_plainly(record, salt):
    code = int(mix.plain((int(salt) + STEP) & MASK))
    for word in np.frombuffer(record.tobytes(), np.uint64):
        code = ((code ^ int(word)) * FIRST) & MASK
        code ^= code >> 32
    return mix.plain(code)


@rule
def slot_of(keys, key):
    """Where a fingerprint stands in a table with a power of two of slots, or the free slot (0) where it belongs."""
    slot = key & np.uint64(len(keys) - 1)
    while keys[slot] != key and keys[slot] != np.uint64(0):
        slot = (slot + np.uint64(1)) & np.uint64(len(keys) - 1)
    return np.int64(slot)


@rule
def assign(target, source):
    """`copy`, for use from Python."""
    copy(target, source)
