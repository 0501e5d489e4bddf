"""`bind` for CUDA: rules as functions of the graphics card, by numba-cuda (extra `gpu`).

A rule is compiled there from the same text: its function and everything that it calls are made anew, by the names in
their code, as device functions. Instructions keep their generators of code, or have twins here. NumPy's name means
the little of NumPy that device code can do: arrays of constant shape live in the memory of a thread.
"""

from __future__ import annotations

import ast
import dis
import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from textwrap import dedent
from types import CellType, CodeType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from hiddenhand.gpu.cuda import CUDADispatcher, cuda, private
from hiddenhand.gpu.records import TWINS
from hiddenhand.kernel.numba_compat import widened
from hiddenhand.kernel.records import unowned
from hiddenhand.kernel.rule import Instruction, Rule

if TYPE_CHECKING:
    from llvmlite import ir
    from numba import types

    from hiddenhand.kernel.numba_compat import BaseContext, Context, Intrinsic, Signature

ALIGNMENT = 8
MAKERS = ("empty", "zeros", "ones", "full")
"""What makes arrays in device code."""


class DeviceFunction(CUDADispatcher):
    """A rule as compiled code on the card calls it."""

    def get_call_template(self, args: Sequence[types.Type], kws: Mapping[str, types.Type]) -> Any:
        """Whole numbers are passed as int64, as on the CPU."""
        return super().get_call_template(tuple(map(widened, args)), {name: widened(of) for name, of in kws.items()})


class Binder:
    """Device functions of rules, each made once."""

    def __init__(self, twins: Mapping[Rule, Any] | None = None) -> None:
        self.made: dict[Rule, Any] = {unowned: same, **TWINS, **(twins or {})}

    def function(self, rule: Rule) -> DeviceFunction | Intrinsic:
        """The device function of a rule."""
        if rule not in self.made:
            if isinstance(rule, Instruction):
                self.made[rule] = private.intrinsic(rule.function)
            else:
                inline = "always" if gives_away(rule) else "never"
                options = cuda.jit(same.py_func, device=True, inline=inline, forceinline=rule.inline).targetoptions
                self.made[rule] = DeviceFunction(self.rebuilt(rule.function), targetoptions=options)
        return self.made[rule]

    def rebuilt(self, function: Callable[..., Any]) -> FunctionType:
        """A function in which every rule that it names is its device function."""
        assert isinstance(function, FunctionType)
        known = function.__globals__
        names = {name: self.meaning(known[name]) for name in globals_in(function.__code__) if name in known}
        cells = tuple(CellType(self.meaning(cell.cell_contents)) for cell in function.__closure__ or ())
        made = FunctionType(
            function.__code__, {**known, **names}, function.__name__, function.__defaults__, cells or None
        )
        made.__module__ = function.__module__
        return made

    def meaning(self, value: object) -> object:
        """What a name stands for on the device."""
        if isinstance(value, Rule):
            return self.function(value)
        return NUMPY if value is np else value


def globals_in(code: CodeType) -> set[str]:
    """The global names that a piece of code reads. (`co_names` has the attributes too, which may be called alike.)"""
    found = {each.argval for each in dis.get_instructions(code) if each.opname == "LOAD_GLOBAL"}
    return found.union(*(globals_in(inner) for inner in code.co_consts if isinstance(inner, CodeType)))


@cache
def gives_away(rule: Rule) -> bool:
    """Whether a rule returns an array that it made, alone or in a tuple.

    The memory of a device function ends with it, so such a rule is written out in its callers instead.
    """
    try:
        tree = ast.parse(dedent(inspect.getsource(rule.function)))
    except (OSError, SyntaxError):
        return False
    known = {**rule.function.__globals__, **inspect.getclosurevars(rule.function).nonlocals}

    def makes(value: ast.expr | None, arrays: set[str]) -> bool:
        if isinstance(value, ast.Name):
            return value.id in arrays
        if isinstance(value, ast.Tuple):
            return any(makes(each, arrays) for each in value.elts)
        if not isinstance(value, ast.Call):
            return False
        if isinstance(value.func, ast.Attribute):
            return value.func.attr in MAKERS
        called = known.get(value.func.id) if isinstance(value.func, ast.Name) else None
        if isinstance(called, type) and issubclass(called, tuple):
            return any(makes(each, arrays) for each in value.args)
        return (
            isinstance(called, Rule)
            and not isinstance(called, Instruction)
            and called is not rule
            and gives_away(called)
        )

    arrays: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                names = target.elts if isinstance(target, ast.Tuple) else [target]
                values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value] * len(names)
                arrays |= {
                    name.id
                    for name, value in zip(names, values, strict=False)
                    if isinstance(name, ast.Name) and makes(value, arrays)
                }
    return any(makes(node.value, arrays) for node in ast.walk(tree) if isinstance(node, ast.Return))


@cuda.jit(device=True, forceinline=True)
def same(array):
    return array


# --- arrays of a thread ------------------------------------------------------------------------------


def shape_of(shape: types.Type) -> tuple[int, ...] | None:
    """A shape as the compiler sees it, if it is constant."""
    parts = getattr(shape, "types", (shape,))
    if not all(hasattr(part, "literal_value") for part in parts):
        return None
    return tuple(part.literal_value for part in parts)


def thread_array(context: BaseContext, builder: ir.IRBuilder, array: types.Array, shape: tuple[int, ...]) -> ir.Value:
    """Memory of the thread for an array of this type and shape."""
    return private.generic_array(
        context,
        builder,
        shape=shape,
        dtype=array.dtype,
        symbol_name="_thread_array",
        addrspace=private.nvvm.ADDRSPACE_LOCAL,
        can_dynsized=False,
        alignment=ALIGNMENT,
    )


def typed_array(name: str, shape: types.Type, kind: types.Type) -> tuple[Any, tuple[int, ...]]:
    """The type and the shape of an array that device code makes; refused if its shape is not constant."""
    from numba import types
    from numba.core.errors import TypingError

    constant = shape_of(shape)
    if constant is None:
        raise TypingError(f"the shape of an array made by {name} is not constant")
    if math.prod(constant) < 1:
        raise TypingError(f"an array made by {name} has no elements")
    return types.Array(kind, len(constant), "C"), constant


def fill(context: BaseContext, builder: ir.IRBuilder, array: types.Array, value: ir.Value, number: ir.Value) -> None:
    """Write a number into every place of an array."""
    from hiddenhand.kernel.numba_compat import cgutils

    made = context.make_array(array)(context, builder, value=value)
    with cgutils.for_range(builder, made.nitems) as loop:
        place = builder.gep(made.data, [loop.index])
        builder.store(context.get_value_as_data(builder, array.dtype, number), place)


def maker(name: str, filling: float | None) -> Intrinsic:
    """numpy.empty, zeros or ones for device code."""

    def made(
        typing_context: Context, shape: types.Type, dtype: types.Type | None = None
    ) -> tuple[Signature, Callable[..., ir.Value]]:
        from numba import types

        array, constant = typed_array(name, shape, types.float64 if dtype is None else private.parse_dtype(dtype))

        def generate(
            context: BaseContext, builder: ir.IRBuilder, signature: Signature, arguments: Sequence[ir.Value]
        ) -> ir.Value:
            value = thread_array(context, builder, array, constant)
            if filling is not None:
                whole = context.get_constant(types.int64, int(filling))
                fill(context, builder, array, value, context.cast(builder, whole, types.int64, array.dtype))
            return value

        return array(shape, types.Omitted(None) if dtype is None else dtype), generate

    made.__name__ = name
    return private.intrinsic_of(prefer_literal=True, target="cuda")(made)


def full(
    typing_context: Context, shape: types.Type, number: types.Type, dtype: types.Type | None = None
) -> tuple[Signature, Callable[..., ir.Value]]:
    """numpy.full for device code."""
    from numba import types

    plain = types.unliteral(number)
    array, constant = typed_array("full", shape, plain if dtype is None else private.parse_dtype(dtype))

    def generate(
        context: BaseContext, builder: ir.IRBuilder, signature: Signature, arguments: Sequence[ir.Value]
    ) -> ir.Value:
        value = thread_array(context, builder, array, constant)
        fill(context, builder, array, value, context.cast(builder, arguments[1], signature.args[1], array.dtype))
        return value

    return array(shape, plain, types.Omitted(None) if dtype is None else dtype), generate


NUMPY = ModuleType("numpy_on_gpu")
"""What `np` means in device code."""
NUMPY.__dict__.update({name: value for name, value in vars(np).items() if not name.startswith("_")})
NUMPY.__dict__.update(empty=maker("empty", None), zeros=maker("zeros", 0.0), ones=maker("ones", 1.0))
NUMPY.__dict__.update(full=private.intrinsic_of(prefer_literal=True, target="cuda")(full))
NUMPY.__dict__.update({name: getattr(math, name) for name in ("exp", "log", "log2", "sqrt", "floor")})
