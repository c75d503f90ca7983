"""How every kernel is compiled: one constant, one decorator, and a cache that notices every change.

Numba keeps compiled code by the file of a kernel, and does not see that another one, which the kernel calls, has
changed. So what it compares is a pair: the digest of all files of the engine, and the stamp of the kernel's own file.
"""

from collections.abc import Callable
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from numba import njit

__all__ = ["OPTIONS", "inlined", "native", "passing", "reading"]

P = ParamSpec("P")
R = TypeVar("R")

# No fastmath: a reordered sum can flip a tie, and with it the count of mistakes.
OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "cache": True}


def native(function: Callable[P, R]) -> Callable[P, R]:
    """Compile ``function`` with `OPTIONS` at its first call."""
    return _compiled(function)


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """Compile ``function`` into its callers: for what is called once a row, where handing arrays over would cost."""
    return _compiled(function, inline="always")


def passing(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a user's ``function`` for this process alone: it has no file that a cache could watch."""
    return _compiled(function, cache=False)


def reading(function: Callable[P, R]) -> Callable[P, R]:
    """Compile ``function`` with Python's lock held: for what reads Python's objects."""
    return _compiled(function, nogil=False)


def _compiled(function: Callable[P, R], **other: Any) -> Callable[P, R]:
    """Return the compiler's object for ``function``, whose cache is of no use once any file of the engine changes."""
    made: Any = njit(**{**OPTIONS, **other})(function)
    kept = getattr(getattr(made, "_cache", None), "_cache_file", None)  # not there without a compiler or a cache
    if kept is not None:
        kept._source_stamp = (_digest(), kept._source_stamp)
    return made  # type: ignore[no-any-return]


@cache
def _digest() -> str:
    """Return the digest of the engine: of the names and texts of its files."""
    folder, found = Path(__file__).parent, blake2b(digest_size=16)
    for path in sorted(folder.rglob("*.py")):
        found.update(f"{path.relative_to(folder).as_posix()}\0".encode() + path.read_bytes() + b"\0")
    return found.hexdigest()


def _can_cache() -> bool:
    """Tell whether Numba finds any folder to keep compiled code in."""
    try:
        njit(cache=True)(_can_cache)
    except RuntimeError:  # "no locator available": a read-only home and a read-only package
        return False
    return True


OPTIONS["cache"] = _can_cache()
