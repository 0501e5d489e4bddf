"""Devices beside the CPU. What works on one is loaded by name: nothing else in the package knows of it."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from hiddenhand.core.errors import UserError, one_of

CPU = "cpu"
DEVICES = {"cuda": "hiddenhand.gpu"}
"""By name, the package that works there."""


def from_device(device: str, name: str) -> Any:
    """What the package of a device calls by this name."""
    if device not in DEVICES:
        raise UserError(
            "unknown device {device}; devices: {devices}", device=repr(device), devices=one_of([CPU, *DEVICES])
        )
    return getattr(import_module(DEVICES[device]), name)
