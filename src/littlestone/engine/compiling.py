"""How every kernel is compiled: one constant, one decorator."""

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from numba import njit

__all__ = ["OPTIONS", "inlined", "kernel", "passing", "reading"]

P = ParamSpec("P")
R = TypeVar("R")

# No fastmath: a reordered sum can flip a tie, and with it the count of mistakes.
OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "cache": True}


def _can_cache() -> bool:
    """Tell whether Numba finds any folder to keep compiled code in."""
    try:
        njit(cache=True)(_can_cache)
    except RuntimeError:  # "no locator available": a read-only home and a read-only package
        return False
    return True


OPTIONS["cache"] = _can_cache()


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile ``function`` with `OPTIONS` at its first call."""
    compiled: Callable[P, R] = njit(**OPTIONS)(function)
    return compiled


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """Compile ``function`` into its callers: for what is called once a row, where handing arrays over would cost."""
    compiled: Callable[P, R] = njit(**OPTIONS, inline="always")(function)
    return compiled


def passing(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a user's ``function`` for this process alone: it has no file that a cache could watch."""
    compiled: Callable[P, R] = njit(**{**OPTIONS, "cache": False})(function)
    return compiled


def reading(function: Callable[P, R]) -> Callable[P, R]:
    """Compile ``function`` with Python's lock held: for what reads Python's objects."""
    compiled: Callable[P, R] = njit(**{**OPTIONS, "nogil": False})(function)
    return compiled
