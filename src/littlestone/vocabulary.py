"""Names of attributes and their columns, a list that only grows."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
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

    def state(self) -> NDArray[np.generic]:
        """Return the names as one array of strings or of integers, as a model file keeps them."""
        names: list[Any] = [name.item() if isinstance(name, np.generic) else name for name in self._names]
        kinds = {type(name) for name in names}
        if kinds <= {str} and not any(name.endswith("\0") for name in names):
            return np.array(names, dtype=np.str_)
        if kinds == {int} and max(map(abs, names)) < 2**63:
            return np.array(names, dtype=np.int64)
        raise InvalidData(
            "vocabulary: names must be all str (not ending in a zero byte) or all int (of 64 bits) to be written down, "
            f"got {', '.join(sorted(kind.__name__ for kind in kinds))}; rename the attributes, or use copy()"
        )

    @classmethod
    def from_state(cls, names: NDArray[np.generic]) -> Vocabulary:
        """Return the vocabulary that `state` wrote down."""
        return cls(names.tolist())

    def __contains__(self, name: object) -> bool:
        return name in self._columns

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return f"Vocabulary({len(self)} names)"
