"""The machine of Directed Drift: a hypothesis of n bits, the votes of a batch, and what the algorithm counts."""

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from littlestone.core.arrays import Bools, Codes, Floats, Ints, State, Words
from littlestone.core.errors import InvalidData
from littlestone.core.rows import Rows
from littlestone.engine import splitmix
from littlestone.engine.learning import drift as engine
from littlestone.engine.sets.bits import packed, words_for
from littlestone.machines.machine import Machine
from littlestone.machines.sound import COUNTS, Kinds, Loaded, check_counts, need, within

__all__ = ["MODES", "Drifting"]

MODES = {"single": engine.SINGLE, "asynchronous": engine.ASYNCHRONOUS, "synchronous": engine.SYNCHRONOUS}
TESTED, MISTAKES, UPDATES, TO_COME, ENDED = 1, 2, 3, 7, 9  # places among the engine's counts


class Drifting(Machine):
    """Directed Drift over ``n`` coordinates; ``patience`` right predictions in a row end it (0: nothing does)."""

    kinds: ClassVar[Kinds] = {"w": ("<u8", 1), "votes": ("<u8", 2), "signs": ("|b1", 0), **COUNTS}
    _updates = UPDATES

    def __init__(self, owner: str, n: int, mode: int, batch: int, patience: int, seed: int) -> None:
        self.owner, self._size, self.mode, self.batch, self.patience = owner, n, mode, batch, patience
        words = words_for(n)
        self._last = np.uint64((1 << (n - 1) % 64 + 1) - 1)
        self._key = np.uint64(splitmix.key_of(np.uint64(seed), np.uint64(0)))
        self._w: Words = np.array([splitmix.word_of(self._key, np.uint64(j)) for j in range(words)], dtype=np.uint64)
        self._w[-1] &= self._last
        self._planes: Words = np.zeros((batch.bit_length(), words), dtype=np.uint64)
        self._counts = np.zeros(10, dtype=np.int64)
        self._counts[0] = words
        self.tested_rows: Bools = np.zeros(0, dtype=bool)
        self._compare()

    @property
    def w(self) -> NDArray[np.int8]:
        """The hypothesis: +1 and -1."""
        on = np.unpackbits(self._w.astype("<u8").view(np.uint8), bitorder="little", count=self.size)
        return 2 * on.astype(np.int8) - np.int8(1)

    def _compare(self) -> None:
        """Set theta, with which w.x is compared: 0 for rows of signs; for Boolean ones half of the sum of w."""
        self.theta = 0.0 if self.signed else float(self.w.sum()) / 2.0

    def grow(self, size: int) -> None:
        """Do nothing: n is fixed, and the edge refuses what lies beyond it."""
        assert size <= self.size

    def learn(self, rows: Rows, outcomes: Codes, importance: Floats) -> Codes:
        """Predict, then learn, row by row; return the predictions."""
        words, signed = self._packed(rows)
        predictions = np.empty(len(words), dtype=np.uint8)
        self.tested_rows = np.zeros(len(words), dtype=bool)
        skipped = importance == 0.0 if len(importance) else np.zeros(len(words), dtype=bool)
        kind = self.size, self.mode, self.batch, self.patience
        state = self._key, self._w, self._planes, self._counts
        engine.learn(words, outcomes, skipped, kind, state, predictions, self.tested_rows)
        self.signed = self.signed or bool(signed.any())
        self._compare()
        return predictions

    def score(self, rows: Rows) -> tuple[Codes, Floats]:
        """Return the predictions and w.x - theta of each row."""
        words, signed = self._packed(rows)
        products: Ints = np.empty(len(words), dtype=np.int64)
        engine.products(words, self._w, self.size, products)
        scale = np.where(signed | self.signed, 1.0, 0.5)
        return (products >= 0).astype(np.uint8), products.astype(np.float64) * scale

    def _packed(self, rows: Rows) -> tuple[Words, Bools]:
        """Return rows as bits, on for +1, and whether each was given by signs: then it must give all of them."""
        signed = np.zeros(len(rows.indptr) - 1, dtype=bool)
        indptr, indices = rows.indptr, rows.indices
        if len(rows.values):
            inside = slice(indptr[0], indptr[-1])
            values, at = rows.values[inside], np.repeat(np.arange(len(signed)), np.diff(indptr))
            signed = np.bincount(at[values < 0.0], minlength=len(signed)) > 0
            given = np.bincount(at[values != 0.0], minlength=len(signed))
            bad = np.flatnonzero(signed & (given < self.size))
            if len(bad):
                raise InvalidData(
                    f"{self.owner}: row {bad[0]}: expected +1 or -1 in each of n={self.size} places, got "
                    f"{given[bad[0]]} of them; give all signs, or 0 and 1"
                )
            ones = values > 0.0
            indptr = np.concatenate(([0], np.cumsum(np.bincount(at[ones], minlength=len(signed)))))
            indices = indices[inside][ones]
        words = packed(indptr, indices, len(self._w))
        words[:, -1] &= self._last  # a name that nobody has seen looks like the place after the last
        return words, signed

    def weights(self, size: int) -> tuple[Floats, float]:
        """Return the hypothesis; there is no constant coordinate."""
        return self.w[:size].astype(np.float64), 0.0

    @property
    def tested(self) -> int:
        """How many rows were tested."""
        return int(self._counts[TESTED])

    @property
    def mistakes(self) -> int:
        """How many of them were predicted wrongly."""
        return int(self._counts[MISTAKES])

    @property
    def ended(self) -> bool:
        """Whether enough predictions in a row were right."""
        return bool(self._counts[ENDED])

    def state(self) -> State:
        """Return all that has been learned, as arrays."""
        return {
            "w": self._w.copy(),
            "votes": self._planes.copy(),
            "counts": self._counts.copy(),
            "signs": np.array(self.signed),
        }

    def restore(self, state: Loaded) -> None:
        """Go on from what `state` gave; what is of another size was another learner's, and would break the engine."""
        for name, mine in (("w", self._w), ("votes", self._planes), ("counts", self._counts)):
            given = np.asarray(state[name])
            if (given.shape, given.dtype) != (mine.shape, mine.dtype):
                raise InvalidData(
                    f"{self.owner}: state: expected {name} of shape {mine.shape} and {mine.dtype} (n={self.size}, "
                    f"batch={self.batch}), got {given.shape} and {given.dtype}; restore with the parameters it had"
                )
        self._w, self._planes, self._counts = state["w"].copy(), state["votes"].copy(), state["counts"].copy()
        self.signed = bool(state["signs"])
        self._compare()

    def check(self, state: Loaded) -> None:
        """Check bits of n coordinates; while a batch votes, none has more votes than were cast, and some has one."""
        super().check(state)
        w, votes, counts, last = state["w"], state["votes"], state["counts"], self._last
        check_counts(state, 10)
        need(w.shape == self._w.shape and votes.shape == self._planes.shape, "bits of n coordinates")
        need(not (w[-1] & ~last) and not (votes[:, -1] & ~last).any(), "bits of n coordinates")
        to_come = int(counts[TO_COME])
        need(
            to_come < self.batch and within(counts[TO_COME + 1 :], 0, 1),
            "votes to come, and an outcome that they answer",
        )
        need(votes.any() == (to_come > 0), "votes while a batch votes, and then alone")
        cast = self.batch - to_come if to_come else 0
        more, equal = np.zeros_like(w), ~np.zeros_like(w)  # where there are more votes than were cast; as many so far
        for plane in range(len(votes) - 1, -1, -1):
            if cast >> plane & 1:
                equal &= votes[plane]
            else:
                more |= equal & votes[plane]
                equal &= ~votes[plane]
        need(not more.any(), "at most one vote of each row")
