"""The same rules by the hundred thousand on a graphics card: NVIDIA's, by numba-cuda and PyTorch (extra `gpu`).

Nothing else in the package imports this one: whoever says device="cuda" finds it by name (`core/devices.py`).
"""

from typing import TYPE_CHECKING

from hiddenhand.facade import facade

if TYPE_CHECKING:
    from hiddenhand.gpu.match import match_runner_for
    from hiddenhand.gpu.vector_env import CudaBackend

__all__ = ["CudaBackend", "match_runner_for"]

facade(__name__)
