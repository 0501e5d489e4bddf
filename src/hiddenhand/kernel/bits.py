"""Sets as the bits of a number: counting and finding takes one instruction of the processor each."""

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


@rule
def write_bits(mask, count, out, at):
    """The lowest bits of a number one after the other, as numbers, from out[at] on."""
    for i in range(count):
        out[at + i] = np.uint64(mask) >> np.uint64(i) & np.uint64(1)
