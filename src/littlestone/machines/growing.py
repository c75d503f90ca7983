"""The machine of growing Winnow: weights of the conjunctions that mistakes have called for."""

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from littlestone.core.arrays import Codes, Floats, State
from littlestone.core.rational import whole_times
from littlestone.core.rows import MOST_ATTRIBUTES, Rows, check_size
from littlestone.engine.learning import growing as engine
from littlestone.machines.machine import Machine
from littlestone.machines.sound import COUNTS, Kinds, Loaded, check_counts, need, within

__all__ = ["BAND", "MOST_CONJUNCTIONS", "Growing"]

BAND = 1e-12  # relative: a sum this near to theta is equal to it
MOST_CONJUNCTIONS = 1 << 20
# the arrays of a state that are fields of the conjunctions, in the order in which a file has them
FIELDS = ("members", "sizes", "exponents", "listed", "following")
LISTS = {"conjunctions" if field == "exponents" else field: field for field in FIELDS}


class Growing(Machine):
    """The machine: exponents of attributes and conjunctions, and the remembered mistakes."""

    kinds: ClassVar[Kinds] = {
        **dict.fromkeys(("exponents", "sizes", "conjunctions", "listed", "following"), ("<i4", 1)),
        "members": ("<i4", 2),
        "history": ("<u8", 2),
        "signs": ("<u8", 2),
        **COUNTS,
    }
    _updates = 0

    def __init__(
        self, owner: str, theta: float, limits: engine.Limits, budget: int, max_size: int, memory: int
    ) -> None:
        self.owner, self.theta, self.limits = owner, theta, limits
        self._attributes = engine.Attributes(
            np.zeros(1, dtype=np.int32), np.ones(1), np.full(1, engine.NONE, dtype=np.int32)
        )
        self._conjunctions = engine.Conjunctions(
            members=np.zeros((budget, max_size), dtype=np.int32),
            weights=np.zeros(budget),
            following=np.full(budget, engine.NONE, dtype=np.int32),
            **{name: np.zeros(budget, dtype=np.int32) for name in ("sizes", "exponents", "listed")},
        )
        words = memory // 64
        self._memory = engine.Memory(np.zeros((words, 1), dtype=np.uint64), np.zeros((2, words), dtype=np.uint64))
        self._counts = np.zeros(engine.INTRODUCED + 1, dtype=np.int64)

    @property
    def used(self) -> int:
        """How many conjunctions there are."""
        return int(self._counts[engine.USED])

    @property
    def introduced(self) -> int:
        """How many conjunctions have been added."""
        return int(self._counts[engine.INTRODUCED])

    def grow(self, size: int) -> None:
        """Give weights of their own to ``size`` attributes; one more, of weight 1, stands for any other."""
        if size <= self._size:
            return
        check_size(size)
        if size >= len(self._attributes.weights):
            length = size + 1 + self._size // 2  # room for half as many again
            exponents, weights, heads = self._attributes
            self._attributes = engine.Attributes(
                _longer(exponents, length, 0), _longer(weights, length, 1.0), _longer(heads, length, engine.NONE)
            )
            self._memory = self._memory._replace(history=_longer(self._memory.history, length, 0))
        self._size = size

    def learn(self, rows: Rows, outcomes: Codes, importance: Floats) -> Codes:
        """Predict, then update, row by row; return the predictions."""
        times = whole_times(self.owner, importance, len(outcomes)) if len(importance) else []
        predictions, often = np.empty(len(outcomes), dtype=np.uint8), np.array(times, dtype=np.int64)
        own = engine.Own(self.limits, self._attributes, self._conjunctions, self._memory)
        engine.learn(rows.indptr, rows.indices, outcomes, often, own, self._counts, predictions)
        return predictions

    def score(self, rows: Rows) -> tuple[Codes, Floats]:
        """Return the predictions and w.x - theta of each row."""
        sums = np.empty(len(rows.indptr) - 1)
        engine.score(rows.indptr, rows.indices, self._attributes, self._conjunctions, sums)
        gaps = sums - self.theta
        gaps[(sums >= self.limits.theta) & (gaps < 0.0)] = 0.0  # near enough to be equal
        return (sums >= self.limits.theta).astype(np.uint8), gaps

    def weights(self, size: int) -> tuple[Floats, float]:
        """Return the weights of the attributes."""
        w = np.ones(size)
        w[: self._size] = self._attributes.weights[: min(size, self._size)]
        return w, 0.0

    def features(self, size: int) -> Iterator[tuple[tuple[int, ...], float]]:
        """Yield each of ``size`` attributes and each conjunction, with its weight."""
        for i, w in enumerate(self.weights(size)[0].tolist()):
            yield (i,), w
        found = self._conjunctions
        for members, number, w in zip(found.members[: self.used], found.sizes, found.weights, strict=False):
            yield tuple(members[:number].tolist()), float(w)

    def state(self) -> State:
        """Return all that has been learned, as arrays."""
        found, used = self._conjunctions, self.used
        return {
            "exponents": self._attributes.exponents[: self._size].copy(),
            **{name: getattr(found, field)[:used].copy() for name, field in LISTS.items()},
            "history": self._memory.history[:, : self._size].copy(),
            "signs": self._memory.signs.copy(),
            "counts": self._counts.copy(),
        }

    def restore(self, state: Loaded) -> None:
        """Go on from what `state` gave."""
        self._counts = state["counts"].copy()
        self.grow(len(state["exponents"]))
        found, used, size = self._conjunctions, self.used, self._size
        self._attributes.exponents[:size] = state["exponents"]
        self._memory.history[:, :size], self._memory.signs[:] = state["history"], state["signs"]
        for name, field in LISTS.items():
            getattr(found, field)[:used] = state[name]
        first = np.setdiff1d(np.arange(used, dtype=np.int32), found.following[:used])  # those that follow no other
        self._attributes.heads[found.listed[first]] = first
        for end, of in ((size, self._attributes), (used, found)):
            engine.move(np.arange(end, dtype=np.int32), of.exponents, of.weights, 0, self.limits)

    def check(self, state: Loaded) -> None:
        """Check conjunctions of attributes, each in the list of one of them: a list has one beginning and an end."""
        super().check(state)
        budget, most = self._conjunctions.members.shape
        words = self._memory.signs.shape[1]
        size, used = len(state["exponents"]), len(state["sizes"])
        lists = [state[name] for name in ("members", "conjunctions", "listed", "following")]
        need(size <= MOST_ATTRIBUTES and state["history"].shape == (words, size), "a history of attributes")
        need(state["signs"].shape == (2, words), "signs of mistakes")
        check_counts(state, 5)
        same = all(len(array) == used for array in lists) and state["counts"][engine.USED] == used
        need(same, "as many of each as conjunctions")
        members, exponents, listed, following = lists
        need(used <= budget and members.shape[1] == most, "conjunctions within the budget")
        for numbers in (exponents, state["exponents"]):
            need(within(numbers, self.limits.lowest, self.limits.highest), "exponents within the limits")
        sizes = state["sizes"]
        need(within(sizes, 2, most) and within(members, 0, size - 1), "attributes")
        there = np.arange(most) < sizes[:, np.newaxis]
        need((members[:, 1:] > members[:, :-1])[there[:, 1:]].all(), "ascending attributes")
        need(((members == listed[:, np.newaxis]) & there).any(axis=1).all(), "lists of attributes that are in them")
        _check_lists(listed, following)


def _longer(array: NDArray[Any], length: int, start: float) -> NDArray[Any]:
    """Return an array with so many columns, the new ones at their start: zeros cost nothing before they are touched."""
    longer = np.zeros((*array.shape[:-1], length), dtype=array.dtype)
    old = array.shape[-1]
    longer[..., :old] = array
    if start:
        longer[..., old:] = start
    return longer


def _check_lists(listed: NDArray[Any], following: NDArray[Any]) -> None:
    """Check that there is one list of each attribute, and that it is no ring: all are reached from a first one."""
    used = len(listed)
    need(within(following, -1, used - 1), "the next conjunction in a list")
    later = following[following >= 0]
    need(len(np.unique(later)) == len(later) and (listed[following >= 0] == listed[later]).all(), "lists that end")
    at, reached = np.setdiff1d(np.arange(used), following), 0
    need(len(np.unique(listed[at])) == len(at), "one list of each attribute")
    while len(at):
        reached += len(at)
        at = following[at]
        at = at[at >= 0]
    need(reached == used, "lists that end")
