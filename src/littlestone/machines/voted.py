"""The machine of the voted Perceptron: all hypotheses so far, each with its votes."""

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from littlestone.core.arrays import Codes, Columns, Floats, Ints, State
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
        self._ranks = Ranks(np.zeros(0, dtype=np.uint32))  # entries go by the rank of their attribute
        self._begin(self._ranks.columns, np.zeros(0), np.zeros(1, dtype=np.int64), np.zeros(0), self._counts[:1].copy())

    def _begin(self, attributes: Columns, amounts: Floats, ends: Ints, coefficients: Floats, survived: Ints) -> None:
        """Begin from these rows and hypotheses; the spare attribute is in no row."""
        head, places = np.full(len(self._ranks) + 1, voted.NONE, dtype=np.int64), np.zeros(len(attributes), np.int32)
        entries = np.zeros(len(head) + 1, np.int64), places, np.zeros(len(places))
        lists = head, places.astype(np.int64), places.copy()
        self._mistakes = voted.Mistakes(*entries, *lists, attributes, amounts, ends, coefficients, survived)

    @property
    def _stored(self) -> int:
        return int(self._counts[voted.UPDATES])

    def _ranked(self, rows: Rows, *, new: bool) -> Rows:
        """Return rows with the ranks of their attributes; ``new``: make room for those that are new."""
        inside = slice(rows.indptr[0], rows.indptr[-1])
        ranks = self._ranks.add(rows.indices[inside]) if new else self._ranks.of(rows.indices[inside])
        if new:
            starts, head = self._mistakes.starts, _room(self._mistakes.head, len(self._ranks) + 1, voted.NONE)
            # A new attribute has no entries: it starts where the last one ends.
            self._mistakes = self._mistakes._replace(head=head, starts=_room(starts, len(head) + 1, int(starts[-1])))
        return Rows(rows.indptr - rows.indptr[0], ranks, rows.values[inside] if len(rows.values) else rows.values)

    def _reserve(self, mistakes: int, entries: int) -> None:
        own, stored = self._mistakes, self._stored
        mistakes, entries = mistakes + stored, entries + int(own.ends[stored])
        sizes = dict.fromkeys(("owners", "sizes", "following", "owner", "attributes", "amounts"), entries)
        sizes |= {"ends": mistakes + 1, "survived": mistakes + 1, "coefficients": mistakes}
        self._mistakes = own._replace(**{name: _room(getattr(own, name), size) for name, size in sizes.items()})

    def learn(self, rows: Rows, outcomes: Codes, importance: Floats) -> Codes:
        """Predict by the vote, then update the last hypothesis, row by row; return the predictions."""
        predictions = np.empty(len(outcomes), dtype=np.uint8)
        self._reserve(len(outcomes), int(rows.indptr[-1] - rows.indptr[0]))
        own = self._ranked(rows, new=True)
        voted.learn(*own, outcomes, importance, self._mistakes, self._counts, self._bias, predictions)
        return predictions

    def score(self, rows: Rows) -> tuple[Codes, Floats]:
        """Return the predictions, and the share of the votes for 1 less that for 0."""
        votes = np.empty(len(rows.indptr) - 1)
        voted.score(*self._ranked(rows, new=False), self._mistakes, self._stored, self._bias, votes)
        return (votes >= 0.0).astype(np.uint8), votes / max(1, int(self._mistakes.survived[: self._stored + 1].sum()))

    def weights(self, size: int) -> tuple[Floats, float]:
        """Return the weights of the last hypothesis."""
        own, stored = self._mistakes, self._stored
        entries = int(own.ends[stored])
        w = np.zeros(max(size, self._size))
        np.add.at(w, self._ranks.columns[own.attributes[:entries]], own.amounts[:entries])
        return w[:size], float(own.coefficients[:stored].sum()) if self._bias else 0.0

    def state(self) -> State:
        """Return all that has been learned, as arrays."""
        own, stored = self._mistakes, self._stored
        entries = int(own.ends[stored])
        return {
            "stored": own.ends[: stored + 1].copy(),
            "attributes": self._ranks.columns[own.attributes[:entries]],
            "values": own.amounts[:entries].copy(),
            "coefficients": own.coefficients[:stored].copy(),
            "survived": own.survived[: stored + 1].copy(),
            "size": np.array(self._size),
            "counts": self._counts.copy(),
        }

    def restore(self, state: Loaded) -> None:
        """Go on from what `state` gave."""
        self.grow(int(state["size"]))
        self._counts, self._ranks = state["counts"].copy(), Ranks(state["attributes"])
        kept = (state[name].copy() for name in ("values", "stored", "coefficients", "survived"))
        self._begin(self._ranks.of(state["attributes"]), *kept)
        voted.arrange(self._mistakes, self._stored)

    def check(self, state: Loaded) -> None:
        """Check a hypothesis for each update; all have survived no more trials than there were."""
        super().check(state)
        check_rows(state)
        check_counts(state, 4)
        number, survived, trials = len(state["coefficients"]), state["survived"], int(state["counts"][0])
        need(len(state["values"]) == len(state["attributes"]), "a value for each attribute")
        need(state["counts"][1] == number == len(survived) - 1, "a hypothesis for each update")
        need(within(survived, 0, trials) and survived.sum(dtype=np.float64) <= trials, "trials that were survived")
