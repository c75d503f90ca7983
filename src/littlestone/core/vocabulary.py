"""Names of attributes and their columns, a list that only grows."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Iterator, Sequence
from math import isfinite
from threading import Lock
from typing import Any, Protocol, overload

import numpy as np
from numpy.typing import NDArray

from littlestone.core.errors import InvalidData

__all__ = ["LaterNames", "NameSource", "Vocabulary", "continued"]

_settling = Lock()


class NameSource(Protocol):
    """A list of names that only grows, and can make them when they are asked for."""

    def some(self, start: int, stop: int) -> list[Hashable]:
        """Return the names of these columns."""


class LaterNames(Sequence[Hashable]):
    """The names from ``start`` to ``stop`` of a source, made when they are asked for: a million of them cost a second.

    >>> class Numbers:
    ...     def some(self, start, stop):
    ...         return [f"x{i}" for i in range(start, stop)]
    >>> names = LaterNames(Numbers(), 0, 10**9)
    >>> names[7], names[2:4], len(names), names[:2] == ("x0", "x1")
    ('x7', ('x2', 'x3'), 1000000000, True)
    """

    __slots__ = ("source", "start", "stop")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, source: NameSource, start: int, stop: int) -> None:
        self.source, self.start, self.stop = source, start, stop

    def after(self, count: int) -> LaterNames:
        """Return all but the first names."""
        return LaterNames(self.source, self.start + count, self.stop)

    def __len__(self) -> int:
        return self.stop - self.start

    @overload
    def __getitem__(self, at: int) -> Hashable: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Hashable, ...]: ...
    def __getitem__(self, at: int | slice) -> Hashable | tuple[Hashable, ...]:
        if isinstance(at, slice):
            first, last, step = at.indices(len(self))
            return tuple(self.source.some(self.start + first, self.start + max(first, last)))[::step]
        column = range(self.start, self.stop)[at]
        return self.source.some(column, column + 1)[0]

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self.source.some(self.start, self.stop))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, LaterNames) and other.source is self.source:
            return (self.start, self.stop) == (other.start, other.stop)
        if not isinstance(other, tuple | list | LaterNames):
            return NotImplemented
        return len(self) == len(other) and tuple(self) == tuple(other)

    def __repr__(self) -> str:
        return repr(tuple(self)) if len(self) <= 1000 else f"LaterNames({len(self)} names)"

    def __reduce__(self) -> tuple[Any, ...]:
        return tuple, (list(self),)


class Vocabulary:
    """Names <-> columns: the first name gets column 0, a name never loses its column.

    >>> vocabulary = Vocabulary(["sun", "rain"])
    >>> vocabulary.add(["snow", "rain"])
    >>> len(vocabulary), vocabulary.column("snow"), vocabulary.name(1)
    (3, 2, 'rain')
    """

    __slots__ = ("_known", "_later", "_made", "_placed")

    def __init__(self, names: Iterable[Hashable] = ()) -> None:
        self._made: list[Hashable] = []
        self._known: dict[Hashable, int] = {}
        self._later: LaterNames | None = None  # all names, if nobody has asked for them yet
        self._placed: tuple[NameSource | None, NDArray[np.uint32]] = (None, np.zeros(0, dtype=np.uint32))
        self.add(names)

    def add(self, names: Iterable[Hashable]) -> None:
        """Give each new name the next column, in the order in which they come."""
        if isinstance(names, LaterNames) and names.start == len(self) and (not self or self._from(names.source)):
            self._later = LaterNames(names.source, 0, names.stop)
            return
        self._settle()
        self._later = None
        for name in names:
            if name not in self._known:
                self._known[name] = len(self._made)
                self._made.append(name)

    def shares(self, names: LaterNames) -> bool:
        """Tell whether names that are made later have these columns, or will have; none is made for it."""
        return names.start == 0 and (not self or self._from(names.source))

    def places(self, names: LaterNames) -> tuple[NDArray[np.uint32], list[Hashable]]:
        """Return the columns of names, and those that are new, which are to have the next; what is known is kept."""
        source, before = self._placed
        if source is not names.source:
            source, before = names.source, before[:0]
        more, column = names[len(before) :], self.columns.get
        found = np.array([column(name, -1) for name in more], dtype=np.int64)
        new = [more[at] for at in np.flatnonzero(found < 0).tolist()]
        found[found < 0] = np.arange(len(self), len(self) + len(new))
        columns = np.append(before[: len(names)], found.astype(np.uint32))
        if more and not new:  # a new name may yet be refused
            self._placed = source, columns
        return columns, new

    def _from(self, source: NameSource) -> bool:
        return self._later is not None and self._later.source is source

    def _settle(self) -> None:
        """Make the names that have not been asked for yet."""
        if self._later is not None and len(self._made) < self._later.stop:
            with _settling:
                start = len(self._made)
                more = self._later.source.some(start, self._later.stop)
                self._known.update(zip(more, range(start, start + len(more)), strict=True))
                self._made += more
                if len(self._known) < len(self._made):
                    raise InvalidData("vocabulary: expected each name once, got two attributes of one name; rename one")

    @property
    def _names(self) -> list[Hashable]:
        self._settle()
        return self._made

    @property
    def _columns(self) -> dict[Hashable, int]:
        self._settle()
        return self._known

    def unseen(self, names: Iterable[Hashable]) -> list[Hashable]:
        """Return the names that have no column yet, in an order of their own.

        The order does not depend on the order in which the names come, so that a learner's columns do not depend
        on how a dict or a set happened to be arranged.
        """
        new = list(dict.fromkeys(name for name in names if name not in self._columns))
        try:
            return sorted(new)  # type: ignore[type-var]
        except TypeError:
            return sorted(new, key=lambda name: (type(name).__name__, repr(name)))

    @property
    def columns(self) -> dict[Hashable, int]:
        """The dictionary from name to column (not to be changed)."""
        return self._known if self._later is None else self._columns

    @property
    def all(self) -> LaterNames:
        """All names, in the order of their columns; none is copied."""
        return LaterNames(self, 0, len(self))

    def some(self, start: int, stop: int) -> list[Hashable]:
        """Return the names of these columns."""
        return self._names[start:stop]

    def column(self, name: Hashable) -> int | None:
        """Return the column of ``name``, or None if it has none."""
        return self._columns.get(name)

    def name(self, column: int) -> Hashable:
        """Return the name of ``column``."""
        return self._made[column] if self._later is None else self._later[column]

    def copy(self) -> Vocabulary:
        """Return an independent copy."""
        made = Vocabulary()
        made._made, made._known, made._later = self._made.copy(), self._known.copy(), self._later
        made._placed = self._placed
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return Vocabulary, (self._names,)

    def __deepcopy__(self, memo: dict[int, Any]) -> Vocabulary:
        return self.copy()  # names never change: to copy each of a million takes a second

    def state(self) -> NDArray[np.uint8]:
        """Return the names as bytes, as a model file keeps them: a JSON list that keeps their types.

        >>> names = Vocabulary(["sun", 7, ("colour", "red")])
        >>> names.state().tobytes()
        b'["sun",7,{"tuple":["colour","red"]}]'
        >>> list(Vocabulary.from_state(names.state()))
        ['sun', 7, ('colour', 'red')]
        """
        names = self._names if set(map(type, self._names)) <= {str} else [_written(name) for name in self._names]
        written = json.dumps(names, separators=(",", ":"), ensure_ascii=False)
        return np.frombuffer(written.encode("utf-8", "surrogatepass"), dtype=np.uint8)

    @classmethod
    def from_state(cls, names: NDArray[np.uint8]) -> Vocabulary:
        """Return the vocabulary that `state` wrote down."""
        made, found = cls(), json.loads(names.tobytes().decode("utf-8", "surrogatepass"))
        made._made = found if set(map(type, found)) <= {str} else [_read(name) for name in found]
        made._known = dict(zip(made._made, range(len(made._made)), strict=True))
        if len(made._known) < len(made._made):
            raise InvalidData("vocabulary: expected each name once, got one of them twice")
        return made

    def __contains__(self, name: object) -> bool:
        return name in self._columns

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._made) if self._later is None else self._later.stop

    def __repr__(self) -> str:
        return f"Vocabulary({len(self)} names)"


def continued(names: Sequence[Hashable] | None, longer: Sequence[Hashable]) -> bool:
    """Tell whether a list of names begins with another one; of one source, none is made for it.

    >>> continued(("a",), ("a", "b")), continued(("b",), ("a", "b"))
    (True, False)
    """
    if names is None or len(names) > len(longer):
        return False
    if isinstance(names, LaterNames) and isinstance(longer, LaterNames) and names.source is longer.source:
        return names.start == longer.start
    return tuple(longer[: len(names)]) == tuple(names)


def _written(name: Hashable) -> Any:
    plain: Any = name.item() if isinstance(name, np.generic) else name
    kind = type(plain)
    if kind in (str, bool) or plain is None or (kind is float and isfinite(plain)):
        return plain
    if kind is int:
        return plain if abs(plain) < 1 << 63 else {"int": hex(plain)}
    if kind is bytes:
        return {"bytes": plain.hex()}
    if kind is tuple:
        return {"tuple": [_written(part) for part in plain]}
    raise InvalidData(
        "vocabulary: to be written down, a name must be a str, int, finite float, bool, None, bytes or a tuple of "
        f"these, got {kind.__name__}: {repr(name)[:80]}; rename the attribute, or use copy()"
    )


def _read(name: Any) -> Hashable:
    if not isinstance(name, dict):
        return name  # type: ignore[no-any-return]
    ((kind, value),) = name.items()
    if kind == "tuple":
        return tuple(map(_read, value))
    return bytes.fromhex(value) if kind == "bytes" else int(value, 16)
