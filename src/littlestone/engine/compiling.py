"""How every kernel is compiled: ahead of time or at its first call, with one constant and one decorator.

A kernel whose arguments are those that its annotations name is in the module of `ahead`, if that is there: then Numba
is not even imported. Anything else (other types, a user's own function, no such module) Numba compiles, and keeps.

Numba keeps compiled code by the file of a kernel, and does not see that another one, which the kernel calls, has
changed. So what it compares is a pair: the digest of all files of the engine, and the stamp of the kernel's own file.
"""

from collections.abc import Callable
from functools import cache, cached_property, update_wrapper
from threading import RLock
from time import perf_counter
from typing import Any, Generic, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

from littlestone.engine.ahead import ENGINE, address_of, digest, function_of, is_plain

__all__ = [
    "OPTIONS",
    "PLAIN",
    "WORK",
    "Addressed",
    "Kept",
    "Kernel",
    "clock",
    "compiler",
    "inlined",
    "kept",
    "native",
    "numbers",
    "of_dict",
    "passing",
    "reason",
]

P = ParamSpec("P")
R = TypeVar("R")

# No fastmath: a reordered sum can flip a tie, and with it the count of mistakes.
OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "cache": True}


class Kernel(Generic[P, R]):
    """A function that is compiled ahead of time or, where that cannot serve, by Numba at its first call.

    Other kernels may call it, and inline it: Numba takes it for its own `dispatcher`.
    """

    def __init__(self, function: Callable[P, R], options: dict[str, Any]) -> None:
        update_wrapper(self, function)
        self.py_func, self.options = function, options
        self.ahead: Any = function_of(function.__module__, function.__qualname__)

    def __call__(self, *given: P.args, **named: P.kwargs) -> R:
        """Call the code that was compiled ahead of time; Numba's, where it was not, or not for such arguments."""
        if self.ahead is not None and not named:
            found = self.ahead(*given)
            if found is not NotImplemented:  # these are not the types that it was compiled for
                return found  # type: ignore[no-any-return]
        return self.dispatcher(*given, **named)  # type: ignore[no-any-return]

    @cached_property
    def dispatcher(self) -> Any:
        """Numba's object for this function."""
        with _LOCK:
            found = vars(self).get("dispatcher")  # another thread may have made it in the meantime
            return _dispatcher(self.py_func, self.options) if found is None else found

    @property
    def signatures(self) -> list[Any]:
        """What Numba has compiled it for."""
        made = vars(self).get("dispatcher")
        return [] if made is None else list(made.signatures)

    @property
    def targetoptions(self) -> dict[str, Any]:
        """What Numba asks for, to know whether it is to be inlined."""
        return self.dispatcher.targetoptions  # type: ignore[no-any-return]

    @property
    def _numba_type_(self) -> Any:
        return self.dispatcher._numba_type_

    def __reduce__(self) -> Any:
        return self.py_func.__qualname__


def native(function: Callable[P, R]) -> Callable[P, R]:
    """Compile ``function`` with `OPTIONS`."""
    return _compiled(function)


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """Compile ``function`` into its callers: for what is called once a row, where handing arrays over would cost."""
    return _compiled(function, inline="always")


def passing(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a user's ``function`` for this process alone: it has no file that a cache could watch."""
    return _compiled(function, cache=False)


def of_dict(function: Callable[..., R]) -> Callable[..., R]:
    """Compile a kernel of one row, which Python calls with a dict and the columns of its names in the row's place.

    The extension module reads the dict; without it the kernel is of no use.
    """
    return _compiled(function)


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
        self.takes, self.gives, self._cached = takes, gives, cached

    @cached_property
    def address(self) -> int:
        """Where the compiled function is, in this process."""
        with _LOCK:  # code that nobody holds is freed, whoever may be running it
            if is_plain():
                PLAIN.append(self.code)
                return len(PLAIN) - 1
            ready = address_of(self.__module__, self.__qualname__) if self._cached else None
            return self._compile() if ready is None else ready

    def _compile(self) -> int:
        types = compiler(self.code).types
        from numba.core.ccallback import CFunc

        shape = ((types.float64,) * self.takes, numbers(self.gives))
        made: Any = CFunc(self.code, shape, {}, {"error_model": OPTIONS["error_model"]})
        if self._cached and _can_cache():
            made.enable_caching()
            _stamp(made)
        WORK.begin(self.code)
        try:
            made.compile()
        finally:
            WORK.end()
        _COMPILED[self] = made
        return int(made.address)


def numbers(count: int) -> Any:
    """Return Numba's name of one float, or of a tuple of more."""
    from numba import types

    tuples: Any = types.UniTuple
    return types.float64 if count == 1 else tuples(types.float64, count)


_LOCK = RLock()
# Held here, not by their owners: whoever measures a learner by all that it refers to would measure the compiler.
_CODE: WeakKeyDictionary[Kept, Any] = WeakKeyDictionary()
_COMPILED: WeakKeyDictionary[Kept, Any] = WeakKeyDictionary()
PLAIN: list[Callable[..., Any]] = []  # what `Addressed` calls, where compiling is switched off


def _compiled(function: Callable[P, R], **other: Any) -> Callable[P, R]:
    """Return what Python, and other kernels, call for ``function``."""
    return function if is_plain() else Kernel(function, {**OPTIONS, **other})


def compiler(function: Callable[..., Any]) -> Any:
    """Return Numba, which has to compile ``function``; where it is not installed, say so."""
    try:
        import numba
    except ModuleNotFoundError as error:
        what = f"{function.__module__}.{function.__qualname__}"
        raise ModuleNotFoundError(
            f"{what} is not compiled, and there is no Numba to compile it ({error}): pip install numba", name="numba"
        ) from error
    return numba


def _dispatcher(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    """Return the compiler's object, whose cache is of no use once any file of the engine changes."""
    njit = compiler(function).njit
    _watch()
    made: Any = njit(**{**options, "cache": options["cache"] and _can_cache()})(function)
    _stamp(made)
    return made


@cache
def _watch() -> None:
    """Let `WORK` know whenever Numba compiles; what it finds in its cache it does not compile."""
    from numba.core import event as _event

    events: Any = _event

    class Watch(_event.Listener):
        def on_start(self, event: Any) -> None:
            WORK.begin(event.data["dispatcher"].py_func)

        def on_end(self, event: Any) -> None:
            del event
            WORK.end()

    events.register("numba:compile", Watch())


class Work:
    """How long compiling has taken in this process, and who wants to know that it begins."""

    def __init__(self) -> None:
        self.seconds, self._depth, self._started = 0.0, 0, 0.0
        self.announce: Callable[[str], None] = lambda _name: None

    def begin(self, function: Callable[..., Any]) -> None:
        """Say what is compiled, and look at the clock, unless it is a part of something else."""
        if self._depth == 0:
            self._started = perf_counter()
            self.announce(f"{function.__module__.removeprefix('littlestone.')}.{function.__qualname__}")
        self._depth += 1

    def end(self) -> None:
        """Add up."""
        self._depth -= 1
        if self._depth == 0:
            self.seconds += perf_counter() - self._started


WORK = Work()


def clock() -> float:
    """Return the time in seconds, like `time.perf_counter`, that of compiling left out."""
    return perf_counter() - WORK.seconds


def _stamp(made: Any) -> None:
    """Let the cache of a compiled thing see changes in any file of the engine."""
    file = getattr(getattr(made, "_cache", None), "_cache_file", None)  # not there without a compiler or a cache
    if file is not None:
        file._source_stamp = (_digest(), file._source_stamp)  # noqa: SLF001 - Numba has no other way


@cache
def _digest() -> str:
    return digest(ENGINE)


def reason(error: Exception) -> str:
    """Return the first line of Numba's message that says something."""
    lines = [line.strip() for line in str(error).splitlines()]
    return next((line for line in lines if line and not line.startswith(("Failed in", "During:", "File"))), "no reason")


@cache
def _can_cache() -> bool:
    """Tell whether Numba finds any folder to keep compiled code in."""
    from numba import njit

    try:
        njit(cache=True)(_can_cache.__wrapped__)
    except RuntimeError:  # "no locator available": a read-only home and a read-only package
        return False
    return OPTIONS["cache"] is True
