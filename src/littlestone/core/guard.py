"""Who uses a learner: one thread that learns with it, or any number that only ask it; other calls raise `InUse`."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from functools import wraps
from threading import get_ident
from types import FunctionType
from typing import Any, Self, TypeVar, cast

from littlestone.core.errors import InUse

__all__ = ["NOBODY", "SOMEBODY", "Guarded", "Users", "asks", "guarded_by_hand", "learns"]

F = TypeVar("F", bound=Callable[..., Any])

LEARN = frozenset(  # public methods that change what was learned
    {"become", "begin", "learn", "learn_heard", "learn_looked_at", "learn_one", "learn_one_heard"}
)
NOBODY, SOMEBODY = 0, -1  # numbers of no thread; who learns by the quick way needs none of its own
FREE = frozenset({"params"})  # those that anybody may call at any time; all others ask


class Users:
    """Which thread learns, by its number, and how many ask; a copy has no users.

    Whoever comes looks, and then writes down that they are there, with no call in between: there CPython goes on to no
    other thread, and takes no interrupt. Nor does it from there to the ``try`` whose end crosses it out again. What a
    thread calls in the middle of its own call is a part of that.
    """

    __slots__ = ("askers", "learner")

    def __init__(self) -> None:
        self.learner = NOBODY
        self.askers = 0

    def __reduce__(self) -> tuple[Any, ...]:
        return Users, ()


def learns(method: F) -> F:
    """Let a method run while no other thread uses its object."""

    @wraps(method)
    def guarded(self: Any, *args: Any, **kwargs: Any) -> Any:
        users, me = self._users, get_ident()
        if users.learner == me:
            return method(self, *args, **kwargs)
        if users.learner or users.askers:
            raise _refusal(self)
        users.learner = me
        try:
            return method(self, *args, **kwargs)
        finally:
            users.learner = NOBODY

    return cast("F", guarded)


def asks(method: F) -> F:
    """Let a method run while no other thread learns with its object."""

    @wraps(method)
    def guarded(self: Any, *args: Any, **kwargs: Any) -> Any:
        users, me = self._users, get_ident()
        if users.learner and users.learner != me:
            raise _refusal(self)
        users.askers += 1
        try:
            return method(self, *args, **kwargs)
        finally:
            users.askers -= 1

    return cast("F", guarded)


def guarded_by_hand(method: F) -> F:
    """Mark a public method that does itself what `learns` or `asks` would do for it."""
    method.__dict__["guarded"] = True
    return method


def _refusal(owner: object) -> InUse:
    return InUse(
        f"{type(owner).__name__}: expected no other thread to use it while one learns, got calls from two at once; "
        "give each thread a copy() of it, or let them ask what freeze() makes of a learner"
    )


class Guarded:
    """What threads may share: a call that would disturb another thread's raises `InUse`, and changes nothing.

    Every public method of a subclass is guarded by itself, and so are copies and pickles. A subclass with a
    `_guarded` of its own guards with it what it inherits, too.
    """

    _users: Users

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        kinds = reversed(cls.__mro__) if "_guarded" in vars(cls) else (cls,)
        for name, method in {name: part for kind in kinds for name, part in vars(kind).items()}.items():
            public = not name.startswith("_") and name not in FREE
            if public and isinstance(method, FunctionType) and "guarded" not in vars(method):
                setattr(cls, name, cls._guarded(name, method))

    @classmethod
    def _guarded(cls, name: str, method: Any) -> Any:
        return learns(method) if name in LEARN else asks(method)

    def copy(self) -> Self:
        """Return an independent copy: what one learns, the other does not."""
        return deepcopy(self)

    __copy__ = copy

    @asks
    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        made = memo[id(self)] = type(self).__new__(type(self))
        vars(made).update(deepcopy(vars(self), memo))
        return made

    @asks
    def __getstate__(self) -> dict[str, Any]:
        return deepcopy(vars(self))  # a pickle is written later, when another thread may learn
