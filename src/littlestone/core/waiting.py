"""Waiting: examples that have been predicted and wait for their labels, under the names by which these come."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from copy import copy
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from littlestone.core.arrays import Floats, Ints, State
from littlestone.core.errors import InvalidData, InvalidModel
from littlestone.core.vocabulary import Vocabulary

__all__ = ["Asked", "Waiting"]

ON, VALUED, BY_POSITION = range(3)  # how an example was given: names that are on, a dict, an array
MOST_NUMBERS = 1 << 28  # in arrays that wait and are written down


class Asked(NamedTuple):
    """An example, and what was predicted: a position among the labels; -1: nothing, for no class was known.

    Of a regressor it is the number, a float. ``weight`` is how much the example counts.
    """

    x: Any
    said: Any
    weight: float = 1.0


class Waiting:
    """Examples by their ids, at most ``limit`` of them: beyond it the oldest is dropped, and counted.

    >>> waiting = Waiting("a service", limit=2)
    >>> for name in ("monday", "tuesday", "wednesday"):
    ...     waiting.add(name, {"rain": 0.5}, 1)
    >>> len(waiting), waiting.dropped, "monday" in waiting, waiting.find("tuesday")
    (2, 1, False, Asked(x={'rain': 0.5}, said=1, weight=1.0))
    """

    def __init__(self, owner: str, limit: int) -> None:
        self.owner, self.limit, self.dropped = owner, limit, 0
        self._by_id: dict[Hashable, Asked] = {}

    def __len__(self) -> int:
        return len(self._by_id)

    def __contains__(self, id: Hashable) -> bool:  # noqa: A002 - the word for it
        try:
            return id in self._by_id
        except TypeError:
            raise InvalidData(f"{self.owner}: id: expected one that can be looked up (str, int), got {id!r}") from None

    def add(self, id: Hashable, x: Any, said: float, weight: float = 1.0) -> None:  # noqa: A002
        """Remember an example, as a copy: names that are on, a dict of values or an array by position."""
        self._by_id[id] = Asked(_kept(x), said, weight)
        while len(self._by_id) > self.limit:
            del self._by_id[next(iter(self._by_id))]
            self.dropped += 1

    @property
    def examples(self) -> Iterable[Asked]:
        """All that wait, the oldest first."""
        return self._by_id.values()

    def check_new(self, id: Hashable) -> None:  # noqa: A002
        """Refuse an id that waits already."""
        if id in self:
            raise InvalidData(f"{self.owner}: id {id!r}: it waits for its label already; give each example its own")

    def find(self, id: Hashable) -> Asked:  # noqa: A002
        """Return the example of an id; refuse one that does not wait."""
        try:
            found = self._by_id.get(id)
        except TypeError:
            found = None
        if found is None:
            raise InvalidData(
                f"{self.owner}: id {id!r}: expected one that waits for its label, got one that was never asked, has "
                f"been learned, or was dropped ({self.dropped} were, beyond limit={self.limit})"
            )
        return found

    def forget(self, id: Hashable) -> None:  # noqa: A002
        """Wait for the label of an example no more."""
        self.find(id)
        del self._by_id[id]

    # Written down

    def state(self) -> State:
        """Return the examples as arrays: their ids, how they were given, and what is in them, one after the other."""
        asked, words = self._by_id, Vocabulary()
        columns, values, kinds, sizes = list[int](), list[float](), list[int](), list[tuple[int, int]]()
        for x, *_ in asked.values():
            before = len(columns)
            if isinstance(x, np.ndarray):
                on = np.flatnonzero(x)
                columns += on.tolist()
                values += x[on].astype(np.float64).tolist()
            else:
                words.add(x)
                columns += [words.columns[name] for name in x]
                values += [float(value) for value in x.values()] if isinstance(x, Mapping) else [1.0] * len(x)
            kinds.append(BY_POSITION if isinstance(x, np.ndarray) else VALUED if isinstance(x, Mapping) else ON)
            sizes.append((len(columns) - before, len(x)))
        self._check_numbers(kinds, sizes)
        try:
            ids = Vocabulary(asked).state()
        except InvalidData as error:
            raise InvalidData(f"{self.owner}: the ids of examples that wait: {error}") from error
        weights = np.array([one.weight for one in asked.values()], dtype=np.float64)
        said = [one.said for one in asked.values()]
        return ({"waiting_weights": weights} if (weights != 1.0).any() else {}) | {
            "dropped": np.array([self.dropped]),
            "waiting_ids": ids,
            "waiting_names": words.state(),
            "waiting_said": np.array(said, dtype=np.float64 if any(type(one) is float for one in said) else np.int64),
            "waiting_kinds": np.array(kinds, dtype=np.uint8),
            "waiting_sizes": np.array(sizes, dtype=np.int64).reshape(-1, 2),
            "waiting_columns": np.array(columns, dtype=np.int64),
            "waiting_values": np.array(values, dtype=np.float64),
        }

    def _check_numbers(self, kinds: list[int], sizes: list[tuple[int, int]]) -> None:
        numbers = sum(size for kind, (_, size) in zip(kinds, sizes, strict=True) if kind == BY_POSITION)
        if numbers > MOST_NUMBERS:
            raise InvalidData(
                f"{self.owner}: expected at most {MOST_NUMBERS:,} numbers in the arrays that wait, to be written down, "
                f"got {numbers:,}; give examples as dicts, or a smaller limit"
            )

    @classmethod
    def from_state(cls, owner: str, limit: int, state: Mapping[str, NDArray[Any]], classes: int | None) -> Self:
        """Go on from what `state` gave, with so many labels known; refuse what it could not have given.

        None: numbers are predicted.
        """
        made = cls(owner, limit)
        (made.dropped,) = state["dropped"].tolist()
        made._by_id = _read(owner, state, numbers=classes is None)
        most = max((one.said for one in made._by_id.values()), default=-1)
        if made.dropped < 0 or len(made) > limit or (classes is not None and most >= classes):
            raise InvalidModel(f"{owner}: expected at most {limit} examples that wait, with labels, got others")
        return made


def _kept(x: Any) -> Any:
    """Return a copy, for a caller may use the same dict or array again, or an array among the values."""
    if isinstance(x, Mapping):
        return {name: value.copy() if isinstance(value, np.ndarray) else value for name, value in x.items()}
    if isinstance(x, set | frozenset):
        return Vocabulary().unseen(x)  # a copy of a set may have another order
    return x.copy() if isinstance(x, np.ndarray) else copy(x)


def _read(owner: str, state: Mapping[str, NDArray[Any]], *, numbers: bool) -> dict[Hashable, Asked]:
    """Return the examples that were written down."""
    ids, words = (list(Vocabulary.from_state(state[f"waiting_{key}"])) for key in ("ids", "names"))
    said, kinds, sizes, columns, values = (
        state[f"waiting_{key}"] for key in ("said", "kinds", "sizes", "columns", "values")
    )
    weights = state.get("waiting_weights", np.ones(len(said)))
    if not len(ids) == len(said) == len(kinds) == len(sizes) == len(weights) or sizes.ndim != 2:
        raise InvalidModel(f"{owner}: expected an id, a prediction and a size for each example that waits, got others")
    whole = all(part.dtype.kind in "iu" for part in (kinds, sizes, columns))
    sound = bool(np.isfinite(said).all()) if numbers else said.dtype.kind in "iu" and bool((said >= -1).all())
    whole = whole and sound and (not numbers or said.dtype == np.float64 or not len(said))
    if not whole or (sizes < 0).any() or (kinds > BY_POSITION).any():
        raise InvalidModel(f"{owner}: expected the sizes and predictions of examples that wait, got others")
    if not ((weights >= 0.0) & (weights < np.inf)).all():
        raise InvalidModel(f"{owner}: expected the weights of examples that wait, got others")
    if not len(columns) == len(values) == sizes[:, 0].sum() or sizes[kinds == BY_POSITION, 1].sum() > MOST_NUMBERS:
        raise InvalidModel(f"{owner}: expected what is in the examples that wait, got more or less")
    ends = np.append(0, np.cumsum(sizes[:, 0]))
    found: dict[Hashable, Asked] = {}
    for i, name in enumerate(ids):
        at = slice(ends[i], ends[i + 1])
        x = _example(owner, int(kinds[i]), int(sizes[i, 1]), columns[at], values[at], words)
        found[name] = Asked(x, said[i].item(), float(weights[i]))
    return found


def _example(owner: str, kind: int, size: int, columns: Ints, values: Floats, words: list[Hashable]) -> Any:
    """Return one example as it was given, but for its type: names that are on come as a list."""
    if len(columns) and not 0 <= columns.min() <= columns.max() < (size if kind == BY_POSITION else len(words)):
        raise InvalidModel(f"{owner}: expected columns of examples that wait, got others")
    if kind == BY_POSITION:
        x = np.zeros(size)
        x[columns] = values
        return x
    names = [words[column] for column in columns.tolist()]
    return names if kind == ON else dict(zip(names, values.tolist(), strict=True))
