"""How every kernel is compiled: one constant, one decorator, and a cache that notices every change.

Numba keeps compiled code by the file of a kernel, and does not see that another one, which the kernel calls, has
changed. So what it compares is a pair: the digest of all files of the engine, and the stamp of the kernel's own file.
"""

from collections.abc import Callable
from functools import cache, cached_property
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import Any, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

from numba import config, njit, types
from numba.core.ccallback import CFunc

__all__ = ["OPTIONS", "Addressed", "Kept", "inlined", "kept", "native", "numbers", "passing", "reading", "reason"]

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


def kept(function: Callable[..., Any]) -> "Kept":
    """Compile a kernel that other objects hold on to."""
    return Kept(native(function), function)


class Kept:
    """Compiled code that copies and pickles have by its name: the one under which its module has it."""

    def __init__(self, code: Any, function: Callable[..., Any]) -> None:
        _CODE[self] = code
        self.__module__, self.__qualname__, self.__doc__ = function.__module__, function.__qualname__, function.__doc__

    @property
    def code(self) -> Any:
        """The compiled code; of what is called by its address, the function."""
        return _CODE[self]

    def __reduce__(self) -> Any:
        return self.__qualname__


class Addressed(Kept):
    """A function of floats that kernels call by its `address`: it is compiled when that is first asked for.

    It takes ``takes`` floats, and gives ``gives`` of them, one or two. No exception leaves it, and division by 0 is
    none. Without a compiler its address is a place in `PLAIN`.
    """

    def __init__(self, function: Callable[..., Any], takes: int, gives: int, *, cached: bool = True) -> None:
        super().__init__(function, function)
        self._takes, self._gives, self._cached = takes, gives, cached

    @cached_property
    def address(self) -> int:
        """Where the compiled function is, in this process."""
        with _LOCK:  # code that nobody holds is freed, whoever may be running it
            if getattr(config, "DISABLE_JIT", 0):
                PLAIN.append(self.code)
                return len(PLAIN) - 1
            shape = ((types.float64,) * self._takes, numbers(self._gives))
            made: Any = CFunc(self.code, shape, {}, {"error_model": OPTIONS["error_model"]})
            if self._cached and OPTIONS["cache"]:
                made.enable_caching()
                _stamp(made)
            made.compile()
            _COMPILED[self] = made
            return int(made.address)


def numbers(count: int) -> Any:
    """Return Numba's name of one float, or of a tuple of more."""
    tuples: Any = types.UniTuple
    return types.float64 if count == 1 else tuples(types.float64, count)


_LOCK = Lock()
# Held here, not by their owners: whoever measures a learner by all that it refers to would measure the compiler.
_CODE: WeakKeyDictionary[Kept, Any] = WeakKeyDictionary()
_COMPILED: WeakKeyDictionary[Kept, Any] = WeakKeyDictionary()
PLAIN: list[Callable[..., Any]] = []  # what `Addressed` calls, where compiling is switched off


def _compiled(function: Callable[P, R], **other: Any) -> Callable[P, R]:
    """Return the compiler's object for ``function``, whose cache is of no use once any file of the engine changes."""
    made: Any = njit(**{**OPTIONS, **other})(function)
    _stamp(made)
    return made  # type: ignore[no-any-return]


def _stamp(made: Any) -> None:
    """Let the cache of a compiled thing see changes in any file of the engine."""
    file = getattr(getattr(made, "_cache", None), "_cache_file", None)  # not there without a compiler or a cache
    if file is not None:
        file._source_stamp = (_digest(), file._source_stamp)  # noqa: SLF001 - Numba has no other way


@cache
def _digest() -> str:
    """Return the digest of the engine: of the names and texts of its files."""
    folder, found = Path(__file__).parent, blake2b(digest_size=16)
    for path in sorted(folder.rglob("*.py")):
        found.update(f"{path.relative_to(folder).as_posix()}\0".encode() + path.read_bytes() + b"\0")
    return found.hexdigest()


def reason(error: Exception) -> str:
    """Return the first line of Numba's message that says something."""
    lines = [line.strip() for line in str(error).splitlines()]
    return next((line for line in lines if line and not line.startswith(("Failed in", "During:", "File"))), "no reason")


def _can_cache() -> bool:
    """Tell whether Numba finds any folder to keep compiled code in."""
    try:
        njit(cache=True)(_can_cache)
    except RuntimeError:  # "no locator available": a read-only home and a read-only package
        return False
    return True


OPTIONS["cache"] = _can_cache()
