"""The machine of the voted Perceptron: all hypotheses so far, each with its votes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from littlestone.core.arrays import Codes, Floats, State
from littlestone.core.rows import Rows
from littlestone.engine.learning import voted
from littlestone.machines.machine import Machine
from littlestone.machines.sound import REAL_ROWS, Kinds, Loaded, check_counts, check_rows, need, within
from littlestone.machines.stored.ranks import Ranks

__all__ = ["Voted"]


def _room(array: NDArray[Any], size: int, fill: int = 0) -> NDArray[Any]:
    """Return the array with room for ``size`` entries, and half as many again if it must be made larger."""
    if size <= len(array):
        return array
    wider = np.full(size + size // 2, fill, dtype=array.dtype)
    wider[: len(array)] = array
    return wider


class Voted(Machine):
    """The stored mistakes, the lists of their entries by attribute, and how long each hypothesis survived."""

    kinds: ClassVar[Kinds] = {**REAL_ROWS, "survived": ("<i8", 1)}
    takes_every_row = True

    def __init__(self, *, bias: bool) -> None:
        self._bias = bias
        self._counts = np.zeros(4, dtype=np.int64)
        # Entries by the rank of their attribute, as the engine has them; the spare one is in no row.
        self._ranks = Ranks(np.zeros(0, dtype=np.uint32))
        self._starts, self._head = np.zeros(2, dtype=np.int64), np.full(1, voted.NONE, dtype=np.int64)
        self._owners, self._sizes = np.zeros(0, dtype=np.int32), np.zeros(0)
        self._following, self._owner = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int32)
        self._attributes, self._amounts = np.zeros(0, dtype=np.uint32), np.zeros(0)
        self._ends, self._survived = np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)
        self._coefficients = np.zeros(0)

    @property
    def _found(self) -> tuple[voted.Sorted, voted.Lists]:
        """Return the entries of each attribute: the sorted ones, and the lists of the latest."""
        return (self._starts, self._owners, self._sizes), (self._head, self._following, self._owner)

    @property
    def _stored(self) -> int:
        return int(self._counts[voted.UPDATES])

    def _ranked(self, rows: Rows, *, new: bool) -> Rows:
        """Return rows with the ranks of their attributes; ``new``: make room for those that are new."""
        inside = slice(rows.indptr[0], rows.indptr[-1])
        ranks = self._ranks.add(rows.indices[inside]) if new else self._ranks.of(rows.indices[inside])
        if new:
            self._head = _room(self._head, len(self._ranks) + 1, voted.NONE)
            # A new attribute has no entries: it starts where the last one ends.
            self._starts = _room(self._starts, len(self._head) + 1, int(self._starts[-1]))
        return Rows(rows.indptr - rows.indptr[0], ranks, rows.values[inside] if len(rows.values) else rows.values)

    def _reserve(self, mistakes: int, entries: int) -> None:
        stored = self._stored
        mistakes, entries = mistakes + stored, entries + int(self._ends[stored])
        self._ends, self._survived = _room(self._ends, mistakes + 1), _room(self._survived, mistakes + 1)
        self._coefficients = _room(self._coefficients, mistakes)
        self._following, self._owner = _room(self._following, entries), _room(self._owner, entries)
        self._owners, self._sizes = _room(self._owners, entries), _room(self._sizes, entries)
        self._attributes, self._amounts = _room(self._attributes, entries), _room(self._amounts, entries)

    def learn(self, rows: Rows, outcomes: Codes, importance: Floats) -> Codes:
        """Predict by the vote, then update the last hypothesis, row by row; return the predictions."""
        predictions = np.empty(len(outcomes), dtype=np.uint8)
        self._reserve(len(outcomes), int(rows.indptr[-1] - rows.indptr[0]))
        own = self._ranked(rows, new=True)
        voted.learn(
            *own, outcomes, importance, *self._found, (self._attributes, self._amounts, self._ends),
            (self._coefficients, self._survived), self._counts, self._bias, predictions,
        )  # fmt: skip
        return predictions

    def score(self, rows: Rows) -> tuple[Codes, Floats]:
        """Return the predictions, and the share of the votes for 1 less that for 0."""
        votes = np.empty(len(rows.indptr) - 1)
        voted.score(
            *self._ranked(rows, new=False), *self._found, self._amounts, (self._coefficients, self._survived),
            self._stored, self._bias, votes,
        )  # fmt: skip
        return (votes >= 0.0).astype(np.uint8), votes / max(1, int(self._survived[: self._stored + 1].sum()))

    def weights(self, size: int) -> tuple[Floats, float]:
        """Return the weights of the last hypothesis."""
        stored = self._stored
        entries = int(self._ends[stored])
        w = np.zeros(max(size, self._size))
        np.add.at(w, self._ranks.columns[self._attributes[:entries]], self._amounts[:entries])
        return w[:size], float(self._coefficients[:stored].sum()) if self._bias else 0.0

    def state(self) -> State:
        """Return all that has been learned, as arrays."""
        stored = self._stored
        entries = int(self._ends[stored])
        return {
            "stored": self._ends[: stored + 1].copy(),
            "attributes": self._ranks.columns[self._attributes[:entries]],
            "values": self._amounts[:entries].copy(),
            "coefficients": self._coefficients[:stored].copy(),
            "survived": self._survived[: stored + 1].copy(),
            "size": np.array(self._size),
            "counts": self._counts.copy(),
        }

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what `state` gave."""
        self.grow(int(state["size"]))
        self._counts = state["counts"].copy()
        self._ends, self._survived = state["stored"].copy(), state["survived"].copy()
        self._ranks = Ranks(state["attributes"])
        self._attributes, self._amounts = self._ranks.of(state["attributes"]), state["values"].copy()
        self._head = _room(self._head, len(self._ranks) + 1, voted.NONE)
        self._starts = _room(self._starts, len(self._head) + 1)
        self._coefficients = state["coefficients"].copy()
        entries = len(self._attributes)
        self._owners, self._sizes = np.zeros(entries, dtype=np.int32), np.zeros(entries)
        self._following, self._owner = np.zeros(entries, dtype=np.int64), np.zeros(entries, dtype=np.int32)
        voted.arrange(
            self._attributes, self._amounts, self._ends, self._stored, self._starts, self._owners, self._sizes,
            self._head,
        )  # fmt: skip

    def check(self, state: Loaded) -> None:
        """Check a hypothesis for each update; all have survived no more trials than there were."""
        super().check(state)
        check_rows(state)
        check_counts(state, 4)
        number, survived, trials = len(state["coefficients"]), state["survived"], int(state["counts"][0])
        need(len(state["values"]) == len(state["attributes"]), "a value for each attribute")
        need(state["counts"][1] == number == len(survived) - 1, "a hypothesis for each update")
        need(within(survived, 0, trials) and survived.sum(dtype=np.float64) <= trials, "trials that were survived")
