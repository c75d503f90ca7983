"""Names of attributes and their columns, a list that only grows."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Iterator
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from littlestone.errors import InvalidData

__all__ = ["Vocabulary"]


class Vocabulary:
    """Names <-> columns: the first name gets column 0, a name never loses its column.

    >>> vocabulary = Vocabulary(["sun", "rain"])
    >>> vocabulary.add(["snow", "rain"])
    >>> len(vocabulary), vocabulary.column("snow"), vocabulary.name(1)
    (3, 2, 'rain')
    """

    __slots__ = ("_columns", "_names")

    def __init__(self, names: Iterable[Hashable] = ()) -> None:
        self._names: list[Hashable] = []
        self._columns: dict[Hashable, int] = {}
        self.add(names)

    def add(self, names: Iterable[Hashable]) -> None:
        """Give each new name the next column, in the order in which they come."""
        for name in names:
            if name not in self._columns:
                self._columns[name] = len(self._names)
                self._names.append(name)

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
        return self._columns

    def column(self, name: Hashable) -> int | None:
        """Return the column of ``name``, or None if it has none."""
        return self._columns.get(name)

    def name(self, column: int) -> Hashable:
        """Return the name of ``column``."""
        return self._names[column]

    def copy(self) -> Vocabulary:
        """Return an independent copy."""
        made = Vocabulary.__new__(Vocabulary)
        made._names, made._columns = self._names.copy(), self._columns.copy()
        return made

    def __deepcopy__(self, memo: dict[int, Any]) -> Vocabulary:
        return self.copy()  # names never change: to copy each of a million takes a second

    def state(self) -> NDArray[np.uint8]:
        """Return the names as bytes, as a model file keeps them: a JSON list, in which types are told apart.

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
        made, told = cls(), json.loads(names.tobytes().decode("utf-8", "surrogatepass"))
        made._names = told if set(map(type, told)) <= {str} else [_read(name) for name in told]
        made._columns = dict(zip(made._names, range(len(made._names)), strict=True))
        if len(made._columns) < len(made._names):
            raise InvalidData("vocabulary: expected each name once, got one of them twice")
        return made

    def __contains__(self, name: object) -> bool:
        return name in self._columns

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return f"Vocabulary({len(self)} names)"


def _written(name: Hashable) -> Any:
    """Return a name as JSON has it."""
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
    """Return the name that `_written` wrote down."""
    if not isinstance(name, dict):
        return name  # type: ignore[no-any-return]
    ((kind, value),) = name.items()
    if kind == "tuple":
        return tuple(map(_read, value))
    return bytes.fromhex(value) if kind == "bytes" else int(value, 16)
