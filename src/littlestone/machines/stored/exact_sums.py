"""The machine of the kernel Perceptron on Boolean rows: sums of whole numbers of any size, decided exactly."""

from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import ceil
from typing import Any, ClassVar

import numpy as np

from littlestone.core.arrays import Codes, Columns, Floats, Ints, State
from littlestone.core.coins import coin
from littlestone.core.rational import quotient, whole_times
from littlestone.core.rows import Rows
from littlestone.core.threads import in_threads
from littlestone.engine.sets import bits
from littlestone.machines.machine import Machine
from littlestone.machines.sound import ROWS, Kinds, Loaded, check_counts, check_rows, need, within
from littlestone.machines.stored.mistakes import NO_ROWS, Chunk, Listed, Packed, Store, prefers_lists
from littlestone.parts.kernels import Conjunctions

__all__ = ["ExactSums", "Rules", "Sums"]

MOST_IMPORTANT = 1 << 31
CELLS = 1 << 17  # of the histograms that are kept at a time
MOST_ROWS = 64  # scored at a time
LARGEST = float(np.finfo(np.float64).max)
LONGEST, FEW = 1 << 16, 64  # of a table of the kernel's values; of literals whose choices are quickly counted
MOST_AGREEING = 1 << 24  # attributes, where numbers have as many bits
NOBODY: Codes = np.zeros(0, dtype=np.uint8)
NO_TABLE: Ints = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True)
class Rules:
    """Everything that does not change during a game."""

    owner: str
    theta: Fraction
    eta: Fraction
    budget: int | None = None
    forget: str = "oldest"
    seed: int = 0

    def scaled(self, total: int) -> int | Fraction:
        """Return eta times a sum."""
        value = self.eta * total
        return value.numerator if value.denominator == 1 else value


@dataclass
class _Scores:
    """Where the rows of a chunk are scored: the sum of a row is ``sum 2^shift``."""

    hist: Ints
    predictions: Codes
    outcomes: Codes

    def __post_init__(self) -> None:
        self.sums: Ints = np.zeros(len(self.hist), dtype=np.int64)
        self.shifts: Ints = np.zeros(len(self.hist), dtype=np.int64)


class Sums(Machine):
    """Stored mistakes; the value of a row is eta times the sum of their kernels, each with its coefficient."""

    @property
    @abstractmethod
    def stored(self) -> int:
        """How many mistakes are stored."""

    @abstractmethod
    def values(self, rows: Rows) -> list[Any]:
        """Return the value of each row, which is compared with theta."""

    def shrink(self, size: int) -> None:
        """Have heard of ``size`` attributes only."""
        self._size = size


class ExactSums(Sums):
    """The mistakes, and the sums of their kernels: by carries, in 64 bits, or in whole numbers of any size."""

    kinds: ClassVar[Kinds] = {**ROWS, "coefficients": ("<i8", 1)}

    def __init__(self, rules: Rules, kernel: Conjunctions, n: int | None) -> None:
        self.rules, self.kernel = rules, kernel
        self.theta, self._eta = quotient(*rules.theta.as_integer_ratio()), quotient(*rules.eta.as_integer_ratio())
        self.least = ceil(rules.theta / rules.eta)  # the smallest sum that is predicted 1
        self.negated = not kernel.monotone
        self._size = n or 0
        self._fixed, self._looked = n is not None, 1
        self._store: Store = Packed(*NO_ROWS, np.zeros(0, dtype=np.int64), 1)
        self._counts = np.zeros(4, dtype=np.int64)  # trials, updates, promotions, demotions
        self._values: list[int] = []
        self._single: dict[int, int] = {}
        self._table = NO_TABLE
        self._carries = kernel.max_size is None and kernel.include_empty and self.least == 0

    @property
    def stored(self) -> int:
        """How many examples are stored."""
        return self._store.live

    # The game

    def learn(self, rows: Rows, outcomes: Codes, importance: Floats) -> Codes:
        """Predict, then update, row by row; return the predictions."""
        times = whole_times(self.rules.owner, importance, len(outcomes), MOST_IMPORTANT) if len(importance) else []
        if not self._carries and len(outcomes):  # what would be refused is refused now
            self._bits(self._size if self.negated else int(np.diff(rows.indptr).max()))
        predictions = np.zeros(len(outcomes), dtype=np.uint8)
        start = 0
        while start < len(outcomes):
            self._settle(rows, start)
            chunk, hist = self._counted(rows, start)
            stop = start + len(hist)
            scores = _Scores(hist, predictions[start:stop], outcomes[start:stop])
            way = self._way(hist.shape[1], sum(times[start:stop]) if times else len(hist))
            row = self._decide(scores, 0, way)
            while row < len(hist):
                self._update(chunk, row, bool(outcomes[start + row]), times[start + row] if times else 1, hist)
                row = self._decide(scores, row + 1, way)
            start = stop
        self._counts[0] += len(outcomes)
        return predictions

    def score(self, rows: Rows) -> tuple[Codes, Floats]:
        """Return the predictions and eta times the sum, less theta, of each row."""
        number = len(rows.indptr) - 1
        predictions, activations = np.zeros(number, dtype=np.uint8), np.zeros(number)
        start = 0
        while start < number:
            _, hist = self._counted(rows, start)
            at = slice(start, start + len(hist))
            scores = _Scores(hist, predictions[at], NOBODY)
            way = self._way(hist.shape[1], 0)
            self._decide(scores, 0, way)
            if way is None or self.rules.theta or not 1e-100 <= self._eta <= 1e100:
                activations[at] = [
                    quotient(*(self.rules.eta * self._total(h) - self.rules.theta).as_integer_ratio()) for h in hist
                ]
            else:
                lowest = self._size - hist.shape[1] + 1 if self._carries and self.negated else 0
                with np.errstate(over="ignore"):
                    found = np.ldexp(self._eta * scores.sums, (scores.shifts + lowest).astype(np.int32))
                activations[at] = np.clip(found, -LARGEST, LARGEST)
            start = at.stop
        return predictions, activations

    def values(self, rows: Rows) -> list[int | Fraction]:
        """Return eta times the sum of each row, exactly."""
        found: list[int | Fraction] = []
        while len(found) < len(rows.indptr) - 1:
            found += [self.rules.scaled(self._total(counts)) for counts in self._counted(rows, len(found))[1]]
        return found

    def _counted(self, rows: Rows, start: int) -> tuple[Chunk, Ints]:
        """Return some rows from ``start`` on, and their histograms over all that is stored."""
        store = self._store
        ends = rows.indptr[start : start + MOST_ROWS + 1]
        on = ends[1:] - ends[:-1]
        longest = int(on[0]) if len(on) == 1 else int(on.max())
        levels = 1 + longest
        if self.negated:
            levels = 1 + min(self._size, longest + max(longest, store.largest))
        chunk = Chunk.of(rows, start, on[: max(1, CELLS // levels)], store.words)
        hist: Ints = np.zeros((len(chunk.on), levels), dtype=np.int64)
        task = partial(store.count, chunk, store.number, self.negated, hist)
        in_threads(task, len(hist), store.number * (store.words + 8))
        return chunk, hist

    def _way(self, levels: int, more: int) -> tuple[int, Ints] | None:
        """Return how sums are found: by carries, or with a table in 64 bits; None: in numbers of any size.

        ``more``: by how much the coefficients may grow meanwhile.
        """
        if self._carries:
            return bits.CARRY, NO_TABLE
        needed = self._bits(self._size if self.negated else levels - 1) + (self._store.total + more).bit_length()
        if max(needed, self.least.bit_length()) > 60:
            return None
        table = self._table  # by name: another thread that asks may have set a shorter one by now
        if levels > len(table):
            table = self._table = np.array([self._value(level) for level in range(levels)], dtype=np.int64)
        return bits.TABLE, table

    def _decide(self, scores: _Scores, row: int, way: tuple[int, Ints] | None) -> int:
        """Predict from ``row`` on until one is wrong; return which, or the number of rows."""
        hist, predictions, outcomes = scores.hist, scores.predictions, scores.outcomes
        if way is not None:
            sums, shifts, negated = scores.sums, scores.shifts, self.negated
            return bits.decide(hist, row, *way, negated, self.least, outcomes, predictions, sums, shifts)
        for r in range(row, len(hist)):
            predictions[r] = self._total(hist[r]) >= self.least
            if len(outcomes) and predictions[r] != outcomes[r]:
                return r
        return len(hist)

    def _bits(self, s: int) -> int:
        """Return how many bits the kernel's value has for s literals."""
        k = self.kernel.max_size
        return s + 1 if k is None or s <= k else self._of_literals(s).bit_length()

    def _of_literals(self, s: int) -> int:
        """Return the kernel's value for s literals, from a table of them."""
        k = self.kernel.max_size
        if k is None or s <= k:
            return self.kernel.value(s)
        if self.negated and self._size > LONGEST and k < FEW:  # few of them are ever asked for
            if s not in self._single:
                self._single[s] = self.kernel.value(s)
            return self._single[s]
        values = self._values  # by name, as above
        if s >= len(values):
            top = self._size if self.negated else max(s, 2 * len(values))
            values = self._values = self.kernel.values(top)
        return values[s]

    def _value(self, level: int) -> int:
        """Return the kernel's value at a level of the histograms."""
        return self._of_literals(self._size - level if self.negated else level)

    def _total(self, counts: Ints) -> int:
        """Return the sum that a histogram stands for."""
        levels = np.flatnonzero(counts)
        return sum(c * self._value(s) for s, c in zip(levels.tolist(), counts[levels].tolist(), strict=True))

    # What is stored

    def _update(self, chunk: Chunk, row: int, positive: bool, times: int, hist: Ints) -> None:
        """Store a mistake, and perhaps forget another."""
        if times == 0:
            return
        store, rules = self._store, self.rules
        coefficient = times if positive else -times
        if rules.budget is not None and store.live >= rules.budget:
            places = store.places()
            chosen = coin(rules.seed, int(self._counts[1])) % len(places) if rules.forget == "random" else 0
            place = int(places[chosen])
            store.correct(chunk, store.row(place), row + 1, -int(store.coefficients[place]), self.negated, hist)
            store.forget(place)
        equal = store.find(chunk, row) if rules.budget is None else None  # with a budget, each has its own age
        if equal is not None:
            store.strengthen(equal, coefficient)
        else:
            store.append(chunk, row, coefficient)
        store.correct(chunk, row, row + 1, coefficient, self.negated, hist)
        self._counts[1] += 1
        self._counts[2 if positive else 3] += 1

    def _settle(self, rows: Rows, start: int) -> None:
        """Keep the store in the form that suits it: wide enough, without what is forgotten, as bits or as lists."""
        store = self._store
        words = bits.words_for(self._size)
        on, number = (store.on, store.live) if store.number else (int(rows.indptr[start + 1] - rows.indptr[start]), 1)
        listed = store.words == 0
        unsuited = prefers_lists(words, on, number) != listed and (
            store.number == 0 or store.number >= 2 * self._looked
        )
        if unsuited or store.cluttered() or (not listed and store.words < words):
            self._restore(*store.rows(), lists=prefers_lists(words, on, number))
        if store.number >= 2 * self._looked:
            self._looked = store.number

    def _restore(self, indptr: Ints, indices: Columns, coefficients: Ints, *, lists: bool) -> None:
        if lists:
            self._store = Listed(indptr, indices, coefficients)
        else:
            room = 0 if self._fixed else self._size // 8  # for attributes to come
            self._store = Packed(indptr, indices, coefficients, bits.words_for(self._size + room))

    def weights(self, size: int) -> tuple[Floats, float]:
        """Return for each attribute eta times the sum of the coefficients of the rows that have it, and of all rows."""
        indptr, indices, coefficients = self._store.rows()
        on = np.bincount(indices, weights=np.repeat(coefficients, np.diff(indptr)), minlength=size)[:size]
        empty = float(coefficients.sum()) if self.kernel.include_empty else 0.0
        with np.errstate(over="ignore"):
            found: Floats = np.clip(self._eta * np.append(on, empty), -LARGEST, LARGEST)
        return found[:-1], float(found[-1])

    def rows(self) -> tuple[Ints, Columns, Ints]:
        """Return the mistakes, as CSR, and their coefficients."""
        return self._store.rows()

    def state(self) -> State:
        """Return all that has been learned, as arrays: the mistakes as CSR rows, the oldest first."""
        indptr, indices, coefficients = self._store.rows()
        return {
            "stored": indptr,
            "attributes": indices,
            "coefficients": coefficients,
            "size": np.array(self._size),
            "counts": self._counts.copy(),
        }

    def restore(self, state: Loaded) -> None:
        """Go on from what `state` gave."""
        self._size, self._counts = int(state["size"]), state["counts"].copy()
        stored, on = len(state["coefficients"]), len(state["attributes"])
        lists = prefers_lists(bits.words_for(self._size), on, stored)
        self._restore(state["stored"], state["attributes"], state["coefficients"], lists=lists)
        self._looked = stored

    def check(self, state: Loaded) -> None:
        """Check coefficients that are not 0, and whose sums stay numbers of 64 bits; off counts only among n."""
        super().check(state)
        check_rows(state)
        size, coefficients = int(state["size"]), state["coefficients"]
        need(not self.negated or size == self.size, "all n attributes, for those that are off count")
        check_counts(state, 4)
        need(within(coefficients, -(1 << 60), 1 << 60) and coefficients.all(), "coefficients")
        need(np.abs(coefficients).sum(dtype=np.float64) < 1 << 60, "coefficients that can be summed")
        long = self.negated and not self._carries and self.kernel.max_size is None
        need(not long or size <= MOST_AGREEING, f"at most {MOST_AGREEING:,} attributes")
