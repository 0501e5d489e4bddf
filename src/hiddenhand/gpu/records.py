"""Records in the memory of a thread: copied by words of 8 bytes, to which they are aligned there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hiddenhand.gpu.cuda import private
from hiddenhand.kernel.records import WORD, copy, copy_shared, shared_size, word_at
from hiddenhand.kernel.rule import Rule

if TYPE_CHECKING:
    from llvmlite import ir

    from hiddenhand.kernel.numba_compat import BaseContext, Intrinsic


def words_in(builder: ir.IRBuilder, pointer: ir.Value) -> ir.Value:
    from llvmlite import ir

    return builder.bitcast(pointer, ir.IntType(64).as_pointer())


def move_bytes(context: BaseContext, builder: ir.IRBuilder, target: ir.Value, source: ir.Value, size: int) -> None:
    """Copy `size` bytes, by whole words as far as possible."""
    from llvmlite import ir

    from hiddenhand.kernel.numba_compat import cgutils, types

    mine, others = words_in(builder, target), words_in(builder, source)
    with cgutils.for_range(builder, context.get_constant(types.intp, size // WORD)) as loop:
        builder.store(builder.load(builder.gep(others, [loop.index])), builder.gep(mine, [loop.index]))
    plain = ir.IntType(8).as_pointer()
    mine, others = builder.bitcast(target, plain), builder.bitcast(source, plain)
    for place in range(size - size % WORD, size):
        at = context.get_constant(types.intp, place)
        builder.store(builder.load(builder.gep(others, [at])), builder.gep(mine, [at]))


@private.intrinsic
def copy_words(typing_context, target, source):
    from numba import types

    def generate(context, builder, signature, arguments):
        target, source = arguments
        move_bytes(context, builder, target, source, signature.args[0].size)
        return context.get_dummy_value()

    return types.void(target, source), generate


@private.intrinsic
def copy_shared_words(typing_context, target, source):
    from numba import types

    def generate(context, builder, signature, arguments):
        target, source = arguments
        size = shared_size(*(record.dtype for record in signature.args))
        move_bytes(context, builder, target, source, size)
        return context.get_dummy_value()

    return types.void(target, source), generate


@private.intrinsic
def get_word(typing_context, record, index):
    """The word at a place of a record."""
    from numba import types

    def generate(context, builder, signature, arguments):
        return builder.load(builder.gep(words_in(builder, arguments[0]), [arguments[1]]))

    return types.uint64(record, types.int64), generate


@private.intrinsic
def set_word(typing_context, record, index, word):
    """Write the word at a place of a record."""
    from numba import types

    def generate(context, builder, signature, arguments):
        builder.store(arguments[2], builder.gep(words_in(builder, arguments[0]), [arguments[1]]))
        return context.get_dummy_value()

    return types.void(record, types.int64, types.int64), generate


def reader(dtype: np.dtype[Any]) -> Intrinsic:
    """What takes the bytes or words of an array for a record of this type."""

    @private.intrinsic
    def as_record(typing_context, array):
        from numba import from_dtype

        record = from_dtype(dtype)

        def generate(context, builder, signature, arguments):
            data = context.make_array(signature.args[0])(context, builder, value=arguments[0]).data
            return builder.bitcast(data, context.get_value_type(record))

        return record(array), generate

    return as_record


TWINS: dict[Rule, Any] = {copy: copy_words, copy_shared: copy_shared_words, word_at: get_word}
"""Instructions whose code would go byte by byte on a card."""
