"""What the annotations of a kernel say of its arguments, as Numba's types."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import product
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import numpy as np
from numba import types as _types

from littlestone.engine.arrays import READ

__all__ = ["Signature", "Unclear", "signatures"]

types: Any = _types

SCALARS = {int: types.int64, float: types.float64, bool: types.boolean}


class Unclear(Exception):
    """An annotation that does not name one type."""


@dataclass(frozen=True)
class Signature:
    """The types of a kernel's arguments, and which arrays, in order, are only read."""

    arguments: tuple[Any, ...]
    read: tuple[bool, ...] = field(compare=False)


@dataclass
class _Choice:
    """One way to read all unions of a signature: the same union is the same type everywhere."""

    chosen: dict[Any, Any]
    read: list[bool]

    def typed(self, hint: Any, dimensions: int = 1, *, read: bool = False) -> Any:
        """Return Numba's type of an annotation."""
        if get_origin(hint) is Annotated:
            inner, *marks = get_args(hint)
            for mark in marks:
                dimensions = mark if isinstance(mark, int) else dimensions
                read = read or mark == READ
            return self.typed(inner, dimensions, read=read)
        if get_origin(hint) in {Union, UnionType}:
            return self.typed(self.chosen[hint], dimensions, read=read)
        if get_origin(hint) is np.ndarray:
            self.read.append(read)
            return types.Array(_of_numpy(_item(hint)), dimensions, "C")
        if get_origin(hint) is tuple:
            return types.Tuple([self.typed(part) for part in get_args(hint)])
        if isinstance(hint, type) and issubclass(hint, tuple):
            parts = [self.typed(part) for part in get_type_hints(hint, include_extras=True).values()]
            alike = all(part == parts[0] for part in parts)
            return types.NamedUniTuple(parts[0], len(parts), hint) if alike else types.NamedTuple(parts, hint)
        if hint in SCALARS:
            return SCALARS[hint]
        if isinstance(hint, type) and issubclass(hint, np.generic):
            return _of_numpy(hint)
        raise Unclear(str(hint))


def _item(hint: Any) -> Any:
    """Return what an array has, of ``np.ndarray[shape, np.dtype[item]]``."""
    return get_args(get_args(hint)[1])[0]


def _of_numpy(item: Any) -> Any:
    return getattr(types, "boolean" if item is np.bool_ else np.dtype(item).name)


def _unions(hint: Any) -> Iterator[Any]:
    """Yield the unions in an annotation."""
    if get_origin(hint) in {Union, UnionType}:
        yield hint
    elif isinstance(hint, type) and issubclass(hint, tuple) and hint is not tuple:
        for part in get_type_hints(hint, include_extras=True).values():
            yield from _unions(part)
    else:
        for part in get_args(hint):
            if not isinstance(part, int | str):
                yield from _unions(part)


def signatures(function: Callable[..., Any]) -> list[Signature]:
    """Return all that the annotations of a function allow."""
    hints = get_type_hints(function, include_extras=True)
    if hints.pop("return", NoneType) is Any:
        raise Unclear("what it returns")
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    wanting = [name for name in names if name not in hints]
    if wanting:
        raise Unclear(", ".join(wanting))
    unions = list(dict.fromkeys(union for name in names for union in _unions(hints[name])))
    found: list[Signature] = []
    for members in product(*(get_args(union) for union in unions)):
        choice = _Choice(dict(zip(unions, members, strict=True)), [])
        found.append(Signature(tuple(choice.typed(hints[name]) for name in names), tuple(choice.read)))
    return found
