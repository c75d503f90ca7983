"""Delayed: labels that come later, by the name under which a prediction was asked."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from copy import copy, deepcopy
from functools import partial, wraps
from threading import RLock
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from littlestone.core.arrays import Floats, Ints, State
from littlestone.core.errors import InvalidData, InvalidModel, InvalidParameter
from littlestone.core.hypothesis import Hypothesis
from littlestone.core.parameters import anything, whole
from littlestone.core.vocabulary import Vocabulary
from littlestone.learners.base import Learner
from littlestone.learners.composite import Composite

__all__ = ["Delayed"]

NO_ID: Any = object()
ON, VALUED, BY_POSITION = range(3)  # how an example was given: names that are on, a dict, an array
MOST_NUMBERS = 1 << 28  # in arrays that wait and are written down
# What only some learners have: the learner inside is asked for it
FORWARDED = frozenset({"class_counts", "classes", "predict_proba", "predict_proba_one", "tested_rows"})


class _Asked(NamedTuple):
    x: Any
    said: int  # a position among the labels; -1: nothing, for no class was known


def _learner(owner: str, _name: str, value: Any) -> Learner:
    if not isinstance(value, Learner):
        raise InvalidParameter(f"{owner}: expected a learner, such as Winnow(), got {value!r}")
    return value


class Delayed(Composite):
    """A learner whose labels come later: predict with an id now, learn by that id when the truth is known.

    ``mistakes`` counts the predictions that were *made* and turned out wrong, among ``trials`` whose labels have come.
    The learner's own count is of what it would have predicted when the label came; its bound, if it has one, is about
    that count. Mistakes that are made while labels are on their way come on top of it. One thread at a time is let in.

    Where labels come at once it is a learner as any other: `learn`, and `learn_one` with an example (a dict, a set, a
    list or an array; a tuple or a frozenset is taken for an id). What waits is a part of its state, and of its file.

    Example
    -------
    >>> import littlestone as ls
    >>> service = Delayed(ls.Winnow(theta=2), limit=1000)
    >>> service.predict_one({"rain", "wind"}, id="monday"), service.predict_one({"sun"}, id="tuesday")
    (1, 0)
    >>> service.learn_one("tuesday", 1)  # the prediction that was made
    0
    >>> service.learn_one("monday", 1), service.trials, service.mistakes, service.waiting
    (1, 2, 1, 0)
    """

    learner: Learner = anything(
        takes="Learner",
        kw_only=False,
        check=_learner,
        says="It learns from each example when its label comes, with the attributes that were given then.",
    )
    limit: int = whole(
        default=100_000, says="How many examples are remembered; beyond it the oldest is dropped, and counted."
    )

    def _prepare(self) -> None:
        super()._prepare()
        self._pending: dict[Hashable, _Asked] = {}
        self._dropped = 0
        self._turns = RLock()

    @property
    def inner(self) -> dict[str, Learner]:
        """The learner."""
        return {"learner": self.learner}

    @property
    def many_classes(self) -> bool:  # type: ignore[override]
        """Whether the learner's labels are classes, any number of them."""
        return self.learner.many_classes

    def begin(self, n: int | None = None, labels: Any = None, names: Iterable[Hashable] | None = None) -> Self:
        """Tell the learner how many attributes there are, the labels and the names."""
        self.learner.begin(n, labels, names)
        return self

    def predict_one(self, x: Any, *, id: Hashable = NO_ID) -> Any:  # noqa: A002 - the word for it
        """Return the prediction of one example; with an ``id``, remember the example under it."""
        if id is NO_ID:
            return self.learner.predict_one(x)
        try:
            known = id in self._pending
        except TypeError:
            raise InvalidData(f"Delayed: id: expected one that can be looked up (str, int), got {id!r}") from None
        if known:
            raise InvalidData(f"Delayed: id {id!r}: it waits for its label already; give each example its own")
        said = self.learner.predict_one(x)
        labels = self.learner.labels or (0, 1)
        self._pending[id] = _Asked(_kept(x), labels.index(said) if said in labels else -1)
        while len(self._pending) > self.limit:
            del self._pending[next(iter(self._pending))]
            self._dropped += 1
        return said

    def learn_one(self, x: Any, y: Any) -> Any:
        """Learn that the example of this id is ``y``; return the prediction that was made. A refusal forgets nothing.

        An example in the place of an id, as `predict_one` takes it, is predicted and learned at once.
        """
        if isinstance(x, Mapping | set | list | np.ndarray):
            before = self.learner.mistakes
            said = self.learner.learn_one(x, y)
            self._trials += 1
            self._mistakes += self.learner.mistakes - before
            return said
        asked = self._find(x)
        self.learner.learn_one(asked.x, y)
        del self._pending[x]
        labels = self.learner.labels
        assert labels is not None
        self._trials += 1
        said = None if asked.said < 0 else labels[asked.said]
        self._mistakes += bool(said != y)  # NumPy labels compare to NumPy Booleans
        return said

    def learn(self, X: Any, y: ArrayLike | None = None, *, weight: ArrayLike | None = None) -> NDArray[Any]:
        """Play rows whose labels come at once, as `Learner.learn` does; what waits goes on waiting."""
        trials, mistakes = self.learner.trials, self.learner.mistakes
        said = self.learner.learn(X, y, weight=weight)
        self._trials += self.learner.trials - trials
        self._mistakes += self.learner.mistakes - mistakes
        return said

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the learner's predictions of the rows of ``X``; nothing changes."""
        return self.learner.predict(X)

    def activation(self, X: Any) -> Floats:
        """Return the learner's activations of the rows of ``X``; nothing changes."""
        return self.learner.activation(X)

    def activation_one(self, x: Any) -> float:
        """Return the learner's activation of one example; nothing changes."""
        return self.learner.activation_one(x)

    def forget(self, id: Hashable) -> None:  # noqa: A002
        """Forget an example whose label will not come."""
        self._find(id)
        del self._pending[id]

    def _find(self, name: Hashable) -> _Asked:
        try:
            found = self._pending.get(name)
        except TypeError:
            found = None
        if found is None:
            raise InvalidData(
                f"Delayed: id {name!r}: expected one that waits for its label, got one that was never asked, has been "
                f"learned, or was dropped ({self._dropped} were, beyond limit={self.limit})"
            )
        return found

    @property
    def waiting(self) -> int:
        """How many examples wait for their labels."""
        return len(self._pending)

    @property
    def dropped(self) -> int:
        """How many examples were dropped because more than ``limit`` waited."""
        return self._dropped

    # What it has come to

    @property
    def tie(self) -> int:
        """The prediction where the activation is 0."""
        return self.learner.tie

    @property
    def guarantee(self) -> None:
        """None: no theorem is about labels that come later; the learner has its own."""
        return

    def hypothesis(self) -> Hypothesis | None:
        """Return the learner's weights and threshold."""
        return self.learner.hypothesis()

    def __getattr__(self, name: str) -> Any:
        if name not in FORWARDED:
            raise AttributeError(f"'Delayed' object has no attribute {name!r}")
        with self._turns:
            found = getattr(self.learner, name)
        return partial(self._in_turn, found) if callable(found) else found

    # Written down

    def own_state(self) -> State:
        """Return the examples that wait, and how many were dropped."""
        return {"dropped": np.array([self._dropped]), **_written(self._pending)}

    @classmethod
    def of(cls, params: Mapping[str, Any], state: Mapping[str, NDArray[Any]], inner: Mapping[str, Learner]) -> Self:
        """Return what goes on with these examples waiting."""
        made = cls(**{**params, **inner})
        made._trials, made._mistakes = state["game"][:2].tolist()
        (made._dropped,) = state["dropped"].tolist()
        made._pending = _read(state)
        classes = max((one.said for one in made._pending.values()), default=-1)
        if made._dropped < 0 or made.waiting > made.limit or classes >= len(made.labels or (0, 1)):
            raise InvalidModel(f"Delayed: expected at most {made.limit} examples that wait, with labels, got others")
        return made

    # One thread after the other; copies and pickles have a lock of their own

    @classmethod
    def _guarded(cls, name: str, method: Any) -> Any:
        del name

        @wraps(method)
        def guarded(self: Any, *args: Any, **kwargs: Any) -> Any:
            return self._in_turn(method, self, *args, **kwargs)

        return guarded

    def _in_turn(self, function: Any, *args: Any, **kwargs: Any) -> Any:
        with self._turns:
            return function(*args, **kwargs)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        made = memo[id(self)] = type(self).__new__(type(self))
        with self._turns:
            made.__setstate__(deepcopy(self._parts(), memo))
        return made

    def __copy__(self) -> Self:
        return deepcopy(self)  # the learner is not to be shared

    def __getstate__(self) -> dict[str, Any]:
        with self._turns:
            return deepcopy(self._parts())

    def __setstate__(self, parts: dict[str, Any]) -> None:
        vars(self).update(parts, _turns=RLock())

    def _parts(self) -> dict[str, Any]:
        return {name: part for name, part in vars(self).items() if name != "_turns"}

    def __repr__(self) -> str:
        return f"Delayed({self.learner!r}, {self.waiting} waiting, {self._trials} learned, {self._dropped} dropped)"


def _kept(x: Any) -> Any:
    """Return a copy, for a caller may use the same dict or array again, or an array among the values."""
    if isinstance(x, Mapping):
        return {name: value.copy() if isinstance(value, np.ndarray) else value for name, value in x.items()}
    if isinstance(x, set | frozenset):
        return Vocabulary().unseen(x)  # a copy of a set may have another order
    return x.copy() if isinstance(x, np.ndarray) else copy(x)


def _written(asked: Mapping[Hashable, _Asked]) -> State:
    """Return examples that wait as arrays: their ids, how they were given, and what is in them, one after the other."""
    words, columns, values, kinds, sizes = (
        Vocabulary(),
        list[int](),
        list[float](),
        list[int](),
        list[tuple[int, int]](),
    )
    for x, _ in asked.values():
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
    numbers = sum(size for kind, (_, size) in zip(kinds, sizes, strict=True) if kind == BY_POSITION)
    if numbers > MOST_NUMBERS:
        raise InvalidData(
            f"Delayed: expected at most {MOST_NUMBERS:,} numbers in the arrays that wait, to be written down, got "
            f"{numbers:,}; give examples as dicts, or a smaller limit"
        )
    try:
        ids = Vocabulary(asked).state()
    except InvalidData as error:
        raise InvalidData(f"Delayed: the ids of examples that wait: {error}") from error
    return {
        "waiting_ids": ids,
        "waiting_names": words.state(),
        "waiting_said": np.array([one.said for one in asked.values()], dtype=np.int64),
        "waiting_kinds": np.array(kinds, dtype=np.uint8),
        "waiting_sizes": np.array(sizes, dtype=np.int64).reshape(-1, 2),
        "waiting_columns": np.array(columns, dtype=np.int64),
        "waiting_values": np.array(values, dtype=np.float64),
    }


def _read(state: Mapping[str, NDArray[Any]]) -> dict[Hashable, _Asked]:
    """Return the examples that `_written` wrote down; what it could not have written is refused."""
    ids, words = (list(Vocabulary.from_state(state[f"waiting_{key}"])) for key in ("ids", "names"))
    said, kinds, sizes, columns, values = (
        state[f"waiting_{key}"] for key in ("said", "kinds", "sizes", "columns", "values")
    )
    if not len(ids) == len(said) == len(kinds) == len(sizes) or sizes.ndim != 2:
        raise InvalidModel("Delayed: expected an id, a prediction and a size for each example that waits, got others")
    if (sizes < 0).any() or (said < -1).any() or (kinds > BY_POSITION).any():
        raise InvalidModel("Delayed: expected the sizes and predictions of examples that wait, got others")
    if not len(columns) == len(values) == sizes[:, 0].sum() or sizes[kinds == BY_POSITION, 1].sum() > MOST_NUMBERS:
        raise InvalidModel("Delayed: expected what is in the examples that wait, got more or less")
    ends = np.append(0, np.cumsum(sizes[:, 0]))
    found: dict[Hashable, _Asked] = {}
    for i, name in enumerate(ids):
        at = slice(ends[i], ends[i + 1])
        found[name] = _Asked(_example(int(kinds[i]), int(sizes[i, 1]), columns[at], values[at], words), int(said[i]))
    return found


def _example(kind: int, size: int, columns: Ints, values: Floats, words: list[Hashable]) -> Any:
    """Return one example as it was given, but for its type: names that are on come as a list."""
    if len(columns) and not 0 <= columns.min() <= columns.max() < (size if kind == BY_POSITION else len(words)):
        raise InvalidModel("Delayed: expected columns of examples that wait, got others")
    if kind == BY_POSITION:
        x = np.zeros(size)
        x[columns] = values
        return x
    names = [words[column] for column in columns.tolist()]
    return names if kind == ON else dict(zip(names, values.tolist(), strict=True))
