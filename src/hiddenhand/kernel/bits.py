"""Sets as the bits of a number: counting and finding takes one instruction of the processor each."""

from typing import Any

import numpy as np

from hiddenhand.kernel.rule import instruction, rule


@instruction
def count_bits(mask):
    """How many bits of a 64-bit number are set."""
    return int(mask).bit_count()


@count_bits.generates
def population_count(typing_context, mask):
    from numba import types

    return types.int64(types.int64), lambda context, builder, signature, arguments: builder.ctpop(arguments[0])


@instruction
def lowest_bit(mask):
    """The place of the lowest bit of a number that is not 0."""
    return (int(mask) & -int(mask)).bit_length() - 1


@lowest_bit.generates
def zeros_below(typing_context, mask):
    from llvmlite import ir
    from numba import types

    def generate(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


@instruction
def zeros_above(mask):
    """How many of the 64 bits above the highest bit set are 0; the number is not 0."""
    return 64 - int(mask).bit_length()


@zeros_above.generates
def leading_zeros(typing_context, mask):
    from llvmlite import ir
    from numba import types

    def generate(context, builder, signature, arguments):
        return builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


@rule
def highest_of(mask):
    """The highest bit of a number that is not 0, by itself."""
    return np.int64(1) << (63 - zeros_above(mask))


@instruction
def write_bits(mask, n, out, at):
    """Write the lowest n bits of a number, one after the other from out[at] on."""
    for i in range(n):
        out[at + i] = int(mask) >> i & 1


@write_bits.generates
def spread_bits(typing_context, mask, n, out, at):
    """Where a number is a byte and they lie side by side, eight bits are spread at once."""
    from llvmlite import ir

    from hiddenhand.kernel.numba_compat import cgutils, types

    def generate(context, builder, signature, arguments):
        bits, count, array, start = arguments
        kind = signature.args[2]
        target = context.make_array(kind)(context, builder, value=array)
        whole, eight = context.get_constant(types.int64, 0), context.get_constant(types.int64, 8)

        def place(index: Any) -> Any:
            return cgutils.get_item_pointer(context, builder, kind, target, [builder.add(start, index)])

        if kind.layout == "C" and kind.dtype.bitwidth == 8:
            whole = builder.and_(count, context.get_constant(types.int64, -8))
            with cgutils.for_range_slice(builder, eight.type(0), whole, eight) as (index, _):
                byte = builder.trunc(builder.lshr(bits, index), ir.IntType(8))
                lanes = builder.zext(
                    builder.bitcast(byte, ir.VectorType(ir.IntType(1), 8)), ir.VectorType(ir.IntType(8), 8)
                )
                builder.store(lanes, builder.bitcast(place(index), lanes.type.as_pointer()), align=1)
        with cgutils.for_range_slice(builder, whole, count, eight.type(1)) as (index, _):
            bit = builder.and_(builder.lshr(bits, index), eight.type(1))
            builder.store(context.cast(builder, bit, types.int64, kind.dtype), place(index))
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, out, types.int64), generate
