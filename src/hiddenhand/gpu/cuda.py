"""numba-cuda (extra `gpu`), imported and prepared: the rest of the package imports `cuda` from here."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from hiddenhand.core.errors import UserError
from hiddenhand.core.text import Text
from hiddenhand.kernel.numba_compat import cuda_private

if TYPE_CHECKING:
    from hiddenhand.kernel.numba_compat import CUDADispatcher as Kernel

PAINT = re.compile(r"\x1b\[\d*m")
TELLING = ("not constant", "returning of array", "nknown attribute", "nsupported")
"""Words of the lines that say what the matter is, among many."""


def load() -> ModuleType:
    """numba-cuda's `numba.cuda`."""
    if importlib.util.find_spec("numba_cuda") is None:
        raise UserError("device cuda needs numba-cuda: pip install 'hiddenhand[gpu]'")
    if not any(type(finder).__name__ == "NumbaCudaFinder" for finder in sys.meta_path):
        importlib.import_module("_numba_cuda_redirector")  # where Python did not read its .pth file
    if not hasattr(np, "row_stack"):  # numba-cuda 0.30 asks for a name that NumPy 2.5 has dropped
        np.row_stack = np.vstack
    found = importlib.import_module("numba.cuda")
    found.config.CUDA_LOW_OCCUPANCY_WARNINGS = 0  # few games are few games
    return found


def load_private() -> SimpleNamespace:
    """What we use of numba-cuda that it does not promise to keep."""
    try:
        return cuda_private()
    except (ImportError, AttributeError) as error:
        raise UserError(
            "this version of numba-cuda cannot be used: {error}; another one can", error=str(error)
        ) from error


cuda = load()
private = load_private()
CUDADispatcher: Any = private.CUDADispatcher


def require_gpu() -> None:
    """Refuse where there is no graphics card."""
    if not cuda.is_available():
        raise UserError("device cuda needs an NVIDIA graphics card and its driver: there is none here")


def torch() -> ModuleType:
    """PyTorch, whose tensors hold everything on a card."""
    try:
        return importlib.import_module("torch")
    except ImportError:
        raise UserError("device cuda needs PyTorch, built for CUDA: pip install 'hiddenhand[learn]'") from None


def compiled(kernel: Kernel, arguments: tuple[Any, ...]) -> Kernel:
    """A kernel (of `cuda.jit`) for arguments like these, made once; refused with the compiler's reason."""
    try:
        with exact_sums():
            return kernel.specialize(*arguments)
    except Exception as error:  # Numba has many, of two packages
        raise UserError(reason(error)) from error


@contextmanager
def exact_sums() -> Iterator[None]:
    """Let a * b + c be rounded twice, as on the CPU, so that numbers are the same to the last bit."""
    nvvm = private.nvvm
    former = nvvm.compile_ir
    nvvm.compile_ir = lambda code, **options: former(code, **{**options, "fma": False})
    try:
        yield
    finally:
        nvvm.compile_ir = former


def reason(error: Exception) -> str:
    """Why something did not compile, in a line."""
    if "PTX_COMPILE" in str(error):
        return Text("its tables do not fit into the constant memory of a card")
    lines = [PAINT.sub("", line).strip() for line in str(error).splitlines()]
    telling = [line for line in lines if any(word in line for word in TELLING)]
    return (telling or [line for line in lines if line] or [type(error).__name__])[0]
