"""The machine of Winnow and Balanced Winnow on Boolean rows: whole exponents, ties decided in rationals."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import inf, isfinite, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from littlestone.engine import powers as engine
from littlestone.learners._edge import Rows
from littlestone.learners.quasi_additive import Duals, Rule, check_size
from littlestone.rational import Number, simplest_fraction

__all__ = ["BalancedTable", "Exponents", "WinnowTable"]

Floats = NDArray[np.float64]
Codes = NDArray[np.uint8]
Ints = NDArray[np.int64]

MOST_STATES = 1 << 16
MOST_WEIGHT = 1e290


class Table:
    """The weights that have occurred: each pair of exponents a state, and where each goes on an update."""

    def __init__(self) -> None:
        self.exponents: list[tuple[int, int]] = []
        self.rationals: list[Fraction] = []
        self._states: dict[tuple[int, int], int] = {}
        self.powers, self.exact, self.largest = np.zeros(0), np.zeros(0, dtype=np.uint8), 0.0
        self.moves = np.zeros((2, 0), dtype=np.int32)
        self.add({(0, 0): self.weight(0, 0)})

    def weight(self, p: int, q: int) -> Fraction:
        """Return the weight of the exponents (p, q)."""
        raise NotImplementedError

    def after(self, pair: tuple[int, int], way: int) -> tuple[int, int]:
        """Return the exponents after a promotion (way 1) or a demotion (way 0)."""
        raise NotImplementedError

    def dual(self, p: int, q: int) -> float:
        """Return the dual that stands for the same weight."""
        raise NotImplementedError

    def add(self, weights: Mapping[tuple[int, int], Fraction]) -> None:
        """Add states that are not there yet: exponents and their weights."""
        self._states |= {pair: len(self.exponents) + i for i, pair in enumerate(weights)}
        self.exponents += weights
        values = [_nearest(weight) for weight in weights.values()]
        exact = [Fraction(v) == w for v, w in zip(values, weights.values(), strict=True)]
        self.rationals += weights.values()
        self.powers = np.append(self.powers, values)
        self.largest = float(abs(self.powers).max())
        self.exact = np.append(self.exact, np.array(exact, dtype=np.uint8))
        ways = ([self._states.get(self.after(pair, way), -1) for pair in self.exponents] for way in (0, 1))
        self.moves = np.array(list(ways), dtype=np.int32)

    def extend(self, states: set[int], way: int) -> bool:
        """Add what follows these states, and some more, so that this is asked seldom; False: there is no room.

        Not too much more: the largest weight in the table decides how many rows are looked at for near-ties.
        """
        new: dict[tuple[int, int], Fraction] = {}
        for state in states:
            pair = self.after(self.exponents[state], way)
            most = 4096.0 * max(abs(_nearest(self.weight(*pair))), abs(float(self.powers[state])))
            for _ in range(max(16, len(self.exponents) // 8)):
                if pair in self._states or pair in new:
                    break
                weight = self.weight(*pair)
                if abs(_nearest(weight)) > most:
                    break
                new[pair] = weight
                pair = self.after(pair, way)
        if len(self.exponents) + len(new) > MOST_STATES:
            return False
        self.add(new)
        return True


class WinnowTable(Table):
    """Weights ``w1 alpha^p demotion^q``; with the demotion factor 1/alpha (None), p alone."""

    def __init__(self, alpha: Number, demotion: Number | None, w1: Number) -> None:
        self._alpha, self._w1 = simplest_fraction(alpha), simplest_fraction(w1)
        self._demotion = None if demotion is None else simplest_fraction(demotion)
        super().__init__()

    def weight(self, p: int, q: int) -> Fraction:
        """Return w1 alpha^p demotion^q."""
        grown = self._w1 * self._alpha**p
        return grown if self._demotion is None or not q else grown * self._demotion**q

    def after(self, pair: tuple[int, int], way: int) -> tuple[int, int]:
        """Return one promotion or one demotion more; what is eliminated stays so."""
        p, q = pair
        if way == 1:
            return (p, q) if q and self._demotion == 0 else (p + 1, q)
        if self._demotion is None:
            return p - 1, q
        return (0, 1) if self._demotion == 0 else (p, q + 1)

    def dual(self, p: int, q: int) -> float:
        """Return the exponent of alpha."""
        if self._demotion is None or not q:
            return float(p)
        return p + q * log(self._demotion) / log(self._alpha) if self._demotion else -inf


class BalancedTable(Table):
    """Weights ``w1 (alpha^p - alpha^-p)``."""

    def __init__(self, alpha: Number, w1: Number) -> None:
        self._alpha, self._w1 = simplest_fraction(alpha), simplest_fraction(w1)
        super().__init__()

    def weight(self, p: int, q: int) -> Fraction:
        """Return w1 (alpha^p - alpha^-p); q stays 0."""
        del q
        return self._w1 * (self._alpha**p - self._alpha**-p)

    def after(self, pair: tuple[int, int], way: int) -> tuple[int, int]:
        """Return one promotion or one demotion more."""
        return (pair[0] + (1 if way else -1), 0)

    def dual(self, p: int, q: int) -> float:
        """Return the exponent of alpha."""
        del q
        return float(p)


def _terms(rows: Rows) -> int:
    """Return the largest number of terms in a row's sum."""
    return int(np.subtract(rows.indptr[1:], rows.indptr[:-1]).max(initial=0)) + 1


def _nearest(weight: Fraction) -> float:
    """Return the nearest float, held where sums of many are finite."""
    try:
        value = float(weight)
    except OverflowError:
        value = inf if weight > 0 else -inf
    return min(max(value, -MOST_WEIGHT), MOST_WEIGHT)


class Exponents:
    """States of attributes by column, the spare one last; becomes `Duals` when a row has values that are not 1."""

    def __init__(self, rule: Rule, table: Table, *, theta: Number, margin: Number) -> None:
        self.theta = rule.theta
        self._as_duals = rule
        self._duals: Duals | None = None
        self._table = table
        self._exact_theta, self._exact_margin = simplest_fraction(theta), simplest_fraction(margin)
        exact = Fraction(rule.theta) == self._exact_theta and Fraction(float(margin)) == self._exact_margin
        self._rule = np.array([rule.theta, rule.margin, rule.tie, exact, 0.0])
        self._states = np.zeros(1, dtype=np.uint16)
        self._counts = np.zeros(engine.REASON + 1, dtype=np.int64)
        self._counts[engine.BIAS] = 0 if rule.bias else -1
        self._counts[engine.RULING] = -1
        self._size = 0

    @property
    def size(self) -> int:
        """How many attributes have weights of their own."""
        return self._size if self._duals is None else self._duals.size

    def grow(self, size: int) -> None:
        """Give weights of their own to ``size`` attributes."""
        if self._duals is not None:
            self._duals.grow(size)
        elif size > self._size:
            check_size(size)
            if size >= len(self._states):
                more = np.zeros(size + 1 + self._size // 2, dtype=np.uint16)
                more[: self._size] = self._states[: self._size]
                self._states = more
            self._size = size

    def learn(self, rows: Rows, outcomes: Codes, importance: Floats) -> Codes:
        """Predict, then update, row by row; return the predictions."""
        if self._duals is None and (len(rows.values) or len(importance)):
            self._leave()
        if self._duals is not None:
            return self._duals.learn(rows, outcomes, importance)
        predictions = np.empty(len(outcomes), dtype=np.uint8)
        table, row, terms = self._table, 0, _terms(rows)
        self._rule[engine.NEAR] = self._near(terms)
        while (row := self._run(row, rows, outcomes, predictions)) < len(outcomes):
            active = rows.indices[rows.indptr[row] : rows.indptr[row + 1]]
            if self._counts[engine.REASON] == engine.NEAR_TIE:
                self._counts[engine.RULING] = self._ruling(active, bool(outcomes[row]))
                continue
            states = {*self._states[active].tolist(), max(int(self._counts[engine.BIAS]), 0)}
            if not table.extend(states, int(outcomes[row])):
                rest = Rows(rows.indptr[row:], rows.indices, rows.values)
                predictions[row:] = self._leave().learn(rest, outcomes[row:], importance)
                break
            self._rule[engine.NEAR] = self._near(terms)
        return predictions

    def _near(self, terms: int) -> float:
        """Return a distance from a threshold beyond which no row of so many terms can be a near-tie."""
        size = abs(self.theta) + terms * self._table.largest
        return (engine.BAND + engine.ROUNDING * terms) * size

    def _run(self, row: int, rows: Rows, outcomes: Codes, predictions: Codes) -> int:
        table = self._table
        return engine.learn(
            row, rows.indptr, rows.indices, outcomes, self._states,
            table.powers, table.exact, table.moves, self._rule, self._counts, predictions,
        )  # fmt: skip

    def score(self, rows: Rows) -> tuple[Codes, Floats]:
        """Return the predictions and w.x - theta of each row."""
        if self._duals is None and len(rows.values):
            return self._to_duals().score(rows)
        if self._duals is not None:
            return self._duals.score(rows)
        gaps = np.empty(len(rows.indptr) - 1)
        near = np.empty(len(gaps), dtype=np.uint8)
        table = self._table
        rule = self._rule.copy()
        rule[engine.NEAR] = self._near(_terms(rows))
        engine.score(rows.indptr, rows.indices, self._states, table.powers, table.exact, rule, self._counts, gaps, near)
        for row in np.flatnonzero(near):
            gap = self._exact_gap(rows.indices[rows.indptr[row] : rows.indptr[row + 1]])
            gaps[row] = 0.0 if gap == 0 else max(abs(float(gap)), np.finfo(float).tiny) * (1 if gap > 0 else -1)
        tie = self._rule[engine.TIE] != 0
        return ((gaps > 0.0) | (tie & (gaps == 0.0))).astype(np.uint8), gaps

    def _exact_gap(self, active: NDArray[np.uint32]) -> Fraction:
        """Return w.x - theta in rationals."""
        states, times = np.unique(self._states[active], return_counts=True)
        weights = self._table.rationals
        total = sum((weights[s] * t for s, t in zip(states.tolist(), times.tolist(), strict=True)), Fraction(0))
        if self._counts[engine.BIAS] >= 0:
            total += weights[int(self._counts[engine.BIAS])]
        return total - self._exact_theta

    def _ruling(self, active: NDArray[np.uint32], positive: bool) -> int:
        """Return the prediction, plus 2 if an update is due, in rationals."""
        gap = self._exact_gap(active)
        predicted = gap > 0 or (gap == 0 and self._rule[engine.TIE] != 0)
        thick = isfinite(self._rule[engine.MARGIN]) and (gap if positive else -gap) <= self._exact_margin
        return int(predicted) + 2 * int(predicted != positive or thick)

    def weights(self, size: int) -> tuple[Floats, float]:
        """Return the weights of ``size`` attributes, and of the constant coordinate."""
        if self._duals is not None:
            return self._duals.weights(size)
        w = np.full(size, self._table.powers[0])
        known = min(size, self._size)
        w[:known] = self._table.powers[self._states[:known]]
        bias = int(self._counts[engine.BIAS])
        return w, float(self._table.powers[bias]) if bias >= 0 else 0.0

    def counts(self) -> tuple[int, int, int]:
        """Return the numbers of updates, promotions and demotions."""
        if self._duals is not None:
            return self._duals.counts()
        updates, promotions, demotions = self._counts[engine.UPDATES : engine.DEMOTIONS + 1].tolist()
        return updates, promotions, demotions

    def _to_duals(self) -> Duals:
        """Return the same hypothesis as duals: the number of promotions less that of demotions, in steps of alpha."""
        z = np.array([self._table.dual(p, q) for p, q in self._table.exponents])
        duals = Duals(self._as_duals, None)
        bias = int(self._counts[engine.BIAS])
        duals.take_over(z[self._states[: self._size]], z[max(bias, 0)], self._counts[: engine.DEMOTIONS + 1])
        return duals

    def _leave(self) -> Duals:
        """Go on as duals."""
        self._duals = self._to_duals()
        self._states = np.zeros(0, dtype=np.uint16)
        return self._duals

    def state(self) -> dict[str, NDArray[Any]]:
        """Return all that has been learned, as arrays."""
        if self._duals is not None:
            return self._duals.state()
        return {
            "states": self._states[: self._size].copy(),
            "exponents": np.array(self._table.exponents, dtype=np.int64),
            "counts": self._counts.copy(),
        }

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what `state` gave."""
        if "weights" in state:
            self._duals = Duals(self._as_duals, None)
            self._duals.restore(state)
            return
        table = self._table
        table.add({(p, q): table.weight(p, q) for p, q in state["exponents"][1:].tolist()})
        self._size = len(state["states"])
        self._states = np.append(state["states"], np.uint16(0))
        self._counts = state["counts"].copy()
