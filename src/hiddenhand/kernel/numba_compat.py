"""Every private name of Numba and numba-cuda that this project uses, in one place.

Numba promises nothing about these names. `compiler.py` is built on them: it compiles in less time than plain Numba,
and finds on disk what another process has compiled. Where one of them is missing, or where a version that was never
tested here cannot compile a small first rule with them, `compiler()` gives `plain_compiler.py` instead:
`numba.njit(cache=True)` for every rule, which is slower and gives the same results. `make canary` tries the newest
releases; the upper bounds in `pyproject.toml` are what has been seen to work.
"""

import importlib
import os
import warnings
from collections.abc import Callable
from functools import cache
from types import FunctionType, ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

os.environ.setdefault("NUMBA_DISABLE_PERFORMANCE_WARNINGS", "1")
os.environ.setdefault("NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING", "1")  # nobody sees these colours

import numba
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from hiddenhand.kernel.fingerprint import fingerprint
from hiddenhand.kernel.rule import Rule

if TYPE_CHECKING:  # what annotations name
    from numba.core.base import BaseContext as BaseContext
    from numba.core.compiler import CompileResult as CompileResult
    from numba.core.compiler import StateDict as StateDict
    from numba.core.typing import Context as Context
    from numba.core.typing import Signature as Signature
    from numba.cuda.cudadrv.devicearray import DeviceNDArray as DeviceNDArray
    from numba.cuda.dispatcher import CUDADispatcher as CUDADispatcher
    from numba.extending import _Intrinsic

    Intrinsic = _Intrinsic

NEWEST_TESTED = (0, 68)
"""The newest release of Numba with which the whole test suite has passed."""
PLAIN = "HIDDENHAND_PLAIN_NUMBA"
"""The environment variable that asks for `plain_compiler.py`."""
MISSING = ""
"""Which private name this Numba lacks; empty if it has them all."""

try:
    from numba.core import codegen, serialize, sigutils
    from numba.core import compiler as numba_compiler
    from numba.core.compiler_lock import global_compiler_lock
    from numba.core.compiler_machinery import register_pass
    from numba.core.environment import lookup_environment
    from numba.core.lowering import Environment
    from numba.core.registry import CPUDispatcher, cpu_target
    from numba.core.runtime import rtsys
    from numba.core.typed_passes import NativeLowering
    from numba.core.types.misc import unliteral

    for owner, name in (
        (codegen.JITCodeLibrary, "_optimize_final_module"),
        (codegen.CPUCodegen, "_function_pass_manager"),
        (numba_compiler.CompilerBase, "define_pipelines"),
        (numba_compiler.DefaultPassBuilder, "define_nopython_pipeline"),
        (numba_compiler, "_make_subtarget"),
        (numba_compiler.CompileResult, "_find_referenced_environments"),
        (CPUDispatcher, "get_call_template"),
    ):
        getattr(owner, name)
except (ImportError, AttributeError) as error:
    MISSING = str(error)

__all__ = [
    "CPUDispatcher",
    "Environment",
    "NativeLowering",
    "cgutils",
    "codegen",
    "compare_flags_quickly",
    "compiler",
    "cpu_target",
    "cuda_private",
    "global_compiler_lock",
    "instruction_type",
    "lookup_environment",
    "named",
    "numba_compiler",
    "register_pass",
    "rtsys",
    "serialize",
    "sigutils",
    "simplify_functions",
    "types",
    "unliteral",
    "widened",
]


@cache
def compiler() -> ModuleType:
    """The module that compiles rules: `compiler.py` where this Numba has what it needs, else `plain_compiler.py`."""
    reason = MISSING or ("" if os.environ.get(PLAIN, "0") in ("", "0") else f"{PLAIN} is set")
    version = tuple(int(part) for part in numba.__version__.split(".")[:2] if part.isdigit())
    if not reason and version > NEWEST_TESTED:
        reason = fault_of_first_rule()
    if not reason:
        return importlib.import_module("hiddenhand.kernel.compiler")
    warnings.warn(
        f"rules are compiled by plain Numba {numba.__version__}, which takes longer ({reason})",
        RuntimeWarning,
        stacklevel=2,
    )
    return importlib.import_module("hiddenhand.kernel.plain_compiler")


def fault_of_first_rule() -> str:
    """What goes wrong when `compiler.py` compiles a small rule that calls another; empty if nothing does."""

    def inner(number: Any) -> Any:
        return number + 1

    called = Rule(inner)

    def outer(number: Any) -> Any:
        return called(number) * 2

    try:
        ours = importlib.import_module("hiddenhand.kernel.compiler")
        called._part = ours.Part(called)
        found = ours.RuleDispatcher(Rule(outer))(20)
    except Exception as error:  # whatever a future release may raise
        return f"{type(error).__name__}: {error}"
    return "" if found == 42 else f"a small rule gave {found} instead of 42"


def named(of: Rule) -> FunctionType:
    """The function of a rule under a name that no other text has: compiled code of two files cannot be confused."""
    function = of.function
    assert isinstance(function, FunctionType)
    renamed = FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    renamed.__module__ = function.__module__
    renamed.__doc__ = function.__doc__
    renamed.__qualname__ = f"{function.__name__}_{fingerprint(of)}"
    return renamed


@cache
def instruction_type(generator: Callable[..., Any]) -> Any:
    """How Numba sees an instruction of ours."""
    made = intrinsic(generator)
    cpu_target.typing_context.refresh()
    return cpu_target.typing_context.resolve_value_type(made)


def widened(kind: Any) -> Any:
    """The type as which an argument of this type is passed to another rule: whole numbers are passed as int64."""
    plain = unliteral(kind)
    return types.int64 if isinstance(plain, types.Integer) and plain != types.uint64 else plain


@cache
def compare_flags_quickly() -> None:
    """Let Numba compare its flags in one step, which it does hundreds of times for each function that it compiles.

    By itself it compares some forty options one by one each time, and takes a tenth of the whole with it.
    """
    flags_class = numba_compiler.Flags
    usual = flags_class().values()

    def same_flags(flags: Any, other: Any) -> Any:
        if isinstance(other, flags_class):
            return usual | flags._values == usual | other._values
        return NotImplemented

    flags_class.__eq__ = same_flags
    flags_class.__hash__ = lambda flags: 0  # Numba's own is always the same too: it is that of the options' names


def simplify_functions(codegen: Any, module: Any) -> None:
    """Let LLVM simplify each function of a module by itself; its former pass manager leaves them as they are."""
    if hasattr(codegen, "_pass_manager_builder"):
        return
    passes, builder = codegen._function_pass_manager(opt=1, loop_vectorize=False, slp_vectorize=False)
    for function in module.functions:
        if not function.is_declaration:
            passes.run(function, builder)


# ---- numba-cuda


@cache
def cuda_private() -> SimpleNamespace:
    """The private names of numba-cuda; an ImportError or AttributeError where a version lacks one."""
    load = importlib.import_module
    dispatcher, extending = load("numba.cuda.dispatcher"), load("numba.cuda.extending")
    return SimpleNamespace(
        dispatcher=dispatcher,
        CUDADispatcher=dispatcher.CUDADispatcher,
        intrinsic=extending.intrinsic,
        intrinsic_of=extending._intrinsic,
        overload=extending.overload,
        nvvm=load("numba.cuda.cudadrv.nvvm"),
        nvrtc=load("numba.cuda.cudadrv.nvrtc"),
        cuda_paths=load("numba.cuda.cuda_paths"),
        generic_array=load("numba.cuda.cudaimpl")._generic_array,
        parse_dtype=load("numba.core.typing.npydecl").parse_dtype,
    )
