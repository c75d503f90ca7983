"""The machine of Winnow and Balanced Winnow on Boolean rows: whole exponents, ties decided exactly."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import inf, isfinite, nan
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from littlestone.core.arrays import Codes, Floats, Ints, State
from littlestone.core.rational import Number, simplest_fraction
from littlestone.core.rows import MOST_ATTRIBUTES, NOTHING, Rows, check_size
from littlestone.engine import dicts
from littlestone.engine.dicts import USABLE
from littlestone.engine.learning import exponents as engine
from littlestone.engine.learning import states as new_states
from littlestone.engine.learning.duals import UNSCALED
from littlestone.machines.duals import Duals, check_duals
from littlestone.machines.machine import Alone, Exactly, Names
from littlestone.machines.power_table import MOST_STATES, Table
from littlestone.machines.sound import COUNTS, ENOUGH, Kinds, Loaded, need, within
from littlestone.parts.links import Rule

__all__ = ["Exponents"]

States = NDArray[np.uint8] | NDArray[np.uint16]

TINY = float(np.finfo(np.float64).tiny)
LARGE = 4096  # exponents beyond which a weight is taken as its float
AHEAD = 64  # states that a table may have beyond those that a game has reached


def _real(rows: Rows) -> NDArray[np.bool_]:
    """Tell for each row whether it has a value other than 1."""
    real = np.zeros(len(rows.indptr) - 1, dtype=np.bool_)
    if len(rows.values):
        odd = np.flatnonzero(rows.values[rows.indptr[0] : rows.indptr[-1]] != 1.0) + rows.indptr[0]
        real[np.searchsorted(rows.indptr, odd, side="right") - 1] = True
    return real


def _first_real(rows: Rows) -> int:
    """Return the first row that has a value other than 1, or the number of rows."""
    return int(np.argmax(np.append(_real(rows), True))) if len(rows.values) else len(rows.indptr) - 1


def _part(rows: Rows, start: int, stop: int, *, boolean: bool = False) -> Rows:
    return Rows(rows.indptr[start : stop + 1], rows.indices, NOTHING if boolean else rows.values)


def _terms(rows: Rows) -> int:
    """Return the largest number of terms in a row's sum."""
    if len(rows.indptr) == 2:
        return int(rows.indptr[1] - rows.indptr[0]) + 1
    return int(np.subtract(rows.indptr[1:], rows.indptr[:-1]).max(initial=0)) + 1


def _split(value: Fraction) -> tuple[float, float]:
    """Return a number as a float, and what the float lacks as another (nan: not known)."""
    try:
        near = float(value)
    except OverflowError:
        return inf, nan
    return near, float(value - Fraction(near))


class Exponents(Alone):
    """States of attributes by column, the spare one last; becomes `Duals` when a row has values that are not 1."""

    rule: Rule
    table: Table
    quick = USABLE
    takes_every_row = True
    kinds: ClassVar[Kinds] = {"states": ("|u1 <u2", 1), "exponents": ("<i8", 2), **COUNTS}
    infinite = Duals.infinite

    def __init__(self, rule: Rule, table: Table, *, theta: Number, margin: Number) -> None:
        self.rule, self.theta = rule, rule.theta
        self._duals: Duals | None = None
        self.table = table
        self._exact_theta, self._exact_margin = simplest_fraction(theta), simplest_fraction(margin)
        exact = Fraction(rule.theta) == self._exact_theta and Fraction(float(margin)) == self._exact_margin
        above, below = self._exact_theta + self._exact_margin, self._exact_theta - self._exact_margin
        lows = (float(self._exact_theta - Fraction(rule.theta)), *_split(above), *_split(below))
        self._rule = np.array([rule.theta, rule.margin, rule.tie, exact, 0.0, *lows, inf, -inf])
        self._states: States = np.zeros(1, dtype=np.uint8)  # a byte an attribute while 256 states will do
        self._counts = np.zeros(engine.REASON + 1, dtype=np.int64)
        self._counts[engine.BIAS] = 0 if rule.bias else -1
        self._counts[engine.RULING] = -1

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
                more = np.zeros(size + 1 + self._size // 2, dtype=self._states.dtype)
                more[: self._size] = self._states[: self._size]
                self._states = more
            self._size = size

    def learn(self, rows: Rows, outcomes: Codes, importance: Floats) -> Codes:
        """Predict, then update, row by row; return the predictions."""
        if self._duals is not None:
            return self._duals.learn(rows, outcomes, importance)
        whole = 0 if len(importance) else _first_real(rows)
        if whole < len(outcomes):
            # The exponents stay whole up to here, whatever the size of the blocks.
            before = self.learn(_part(rows, 0, whole, boolean=True), outcomes[:whole], NOTHING)
            after = _part(rows, whole, len(outcomes))
            return np.concatenate((before, self._leave().learn(after, outcomes[whole:], importance[whole:])))
        predictions = np.empty(len(outcomes), dtype=np.uint8)
        table, row, terms, largest = self.table, 0, _terms(rows), self.table.largest
        self._rule[engine.NEAR] = self._near(terms)
        while (row := self._run(row, rows, outcomes, predictions)) < len(outcomes):
            active = rows.indices[rows.indptr[row] : rows.indptr[row + 1]]
            if self._counts[engine.REASON] == engine.NEAR_TIE:
                self._counts[engine.RULING] = self._ruling(active, bool(outcomes[row]))
                continue
            states = {*self._states[active].tolist(), max(int(self._counts[engine.BIAS]), 0)}
            if not table.extend(states, int(outcomes[row])) and not self._forget(states, int(outcomes[row])):
                rest = _part(rows, row, len(outcomes), boolean=True)
                predictions[row:] = self._leave().learn(rest, outcomes[row:], importance)
                break
            table = self.table
            if table.count > 256 and self._states.dtype == np.uint8:
                self._states = self._states.astype(np.uint16)
            if table.largest != largest:
                largest, self._rule[engine.NEAR] = table.largest, self._near(terms)
        return predictions

    def limit(self, least: float, largest: float) -> None:
        """Say which values a dict may be read with."""
        self._rule[dicts.LIMITS :] = least, largest

    def learn_one(self, x: Names, columns: Names, outcome: int) -> int:
        """Predict one example, then update."""
        if self._duals is not None:
            return self._duals.learn_one(x, columns, outcome)
        table = self.table
        return dicts.learn_powers(
            x, columns, outcome, table.largest, self._states, table.powers,
            table.exact, table.moves, self._rule, self._counts,
        )  # fmt: skip

    def predict_one(self, x: Names, columns: Names) -> int:
        """Predict one example."""
        if self._duals is not None:
            return self._duals.predict_one(x, columns)
        table = self.table
        return dicts.predict_powers(
            x, columns, table.largest, self._states, table.powers, table.exact,
            self._rule, self._counts,
        )  # fmt: skip

    def _forget(self, states: set[int], way: int) -> bool:
        """Rebuild a full table from the states that are in use; False: they are too many themselves."""
        bias = int(self._counts[engine.BIAS])
        live = np.unique(np.append(self._states[: self._size], [0, max(bias, 0)])).astype(np.int64)
        if len(live) > MOST_STATES // 2:
            return False
        self.table, places = self.table.reduced(live)
        self._states = places[self._states].astype(np.uint16)
        if bias >= 0:
            self._counts[engine.BIAS] = places[bias]
        return self.table.extend({int(places[state]) for state in states}, way)

    def _near(self, terms: int) -> float:
        """Return a distance from a threshold beyond which no row of so many terms can be a near-tie."""
        return engine.nearness(terms, self.theta, self.table.largest)

    def _run(self, row: int, rows: Rows, outcomes: Codes, predictions: Codes) -> int:
        table = self.table
        given = (row, rows.indptr, rows.indices, outcomes, self._states, table.powers, table.exact, table.moves,
                 self._rule, self._counts, predictions)  # fmt: skip
        return engine.learn(*given) if table.made is None else new_states.learn(*given, table.made)

    def score(self, rows: Rows) -> tuple[Codes, Floats]:
        """Return the predictions and w.x - theta of each row."""
        if self._duals is not None:
            return self._duals.score(rows)
        if _first_real(rows) < len(rows.indptr) - 1:
            return self._score_mixed(rows)
        count, table = len(rows.indptr) - 1, self.table
        gaps, near = np.empty(count), np.empty(count, np.uint8)
        rule = self._rule.copy()
        rule[engine.NEAR] = self._near(_terms(rows))
        engine.score(rows.indptr, rows.indices, self._states, table.powers, table.exact, rule, self._counts, gaps, near)
        for row in np.flatnonzero(near) if 1 in near.tobytes() else ():  # which is faster than any() on one row
            sign = self._sign(rows.indices[rows.indptr[row] : rows.indptr[row + 1]], self._exact_theta)
            gaps[row] = sign * max(abs(gaps[row]), TINY)
        return (gaps >= 0.0 if self.rule.tie else gaps > 0.0).view(np.uint8), gaps

    def _score_mixed(self, rows: Rows) -> tuple[Codes, Floats]:
        """Score rows of which some have values: those by floats, on the columns they use, the others exactly."""
        first, last = rows.indptr[0], rows.indptr[-1]
        columns, places = np.unique(rows.indices[first:last], return_inverse=True)
        narrow = Rows(rows.indptr - first, places.astype(np.uint32), rows.values[first:last])
        predictions, gaps = self._to_duals(columns).score(narrow)
        for row in np.flatnonzero(~_real(rows)).tolist():
            predictions[row : row + 1], gaps[row : row + 1] = self.score(_part(rows, row, row + 1, boolean=True))
        return predictions, gaps

    def _sign(self, active: NDArray[np.uint32], theta: Fraction) -> int:
        """Return the sign of w.x - ``theta``, exactly."""
        return self.table.sign(self._states[active], int(self._counts[engine.BIAS]), theta)

    def _ruling(self, active: NDArray[np.uint32], positive: bool) -> int:
        """Return the prediction, plus 2 if an update is due, exactly."""
        theta, margin = self._exact_theta, self._exact_margin
        sign = self._sign(active, theta)
        predicted = sign > 0 or (sign == 0 and self._rule[engine.TIE] != 0)
        thick = False
        if isfinite(self._rule[engine.MARGIN]):  # whether y (w.x - theta) <= margin
            thick = self._sign(active, theta + margin) <= 0 if positive else self._sign(active, theta - margin) >= 0
        return int(predicted) + 2 * int(predicted != positive or thick)

    def weights(self, size: int) -> tuple[Floats, float]:
        """Return the weights of ``size`` attributes, and of the constant coordinate."""
        if self._duals is not None:
            return self._duals.weights(size)
        w = np.full(size, self.table.powers[0, 0])
        known = min(size, self._size)
        w[:known] = self.table.powers[0, self._states[:known]]
        bias = int(self._counts[engine.BIAS])
        return w, float(self.table.powers[0, bias]) if bias >= 0 else 0.0

    @property
    def exact_theta(self) -> Fraction:
        """The threshold that ties are decided by."""
        return self._exact_theta if self._duals is None else self._duals.exact_theta

    def unseen(self) -> float:
        """Return the initial weight."""
        return float(self.weights(self.size + 1)[0][-1])

    def exactly(self, columns: Ints, weights: Floats, constant: float) -> Exactly:
        """Return the exact weights of some attributes, and their exponents."""
        if self._duals is not None:
            return self._duals.exactly(columns, weights, constant)
        states = np.zeros(len(columns), dtype=np.int64)
        known = columns < self._size
        states[known] = self._states[columns[known]]
        pairs = self.table.exponents[states].reshape(-1, 2)
        bias, demotion = int(self._counts[engine.BIAS]), self.table.demotion
        whole = np.abs(pairs).max(initial=0) <= LARGE and not self.rule.certain  # it decides in rationals
        return Exactly(
            lambda i: self._written_out(int(states[i]), float(weights[i])),
            self._written_out(bias, constant) if bias >= 0 else Fraction(0),
            self._exact_theta, 0.0 if whole else inf, pairs, demotion is not None and demotion > 0,
        )  # fmt: skip

    def _written_out(self, state: int, weight: float) -> Fraction:
        """Return the weight of a state as a fraction; the float that it nearly is where the fraction is too long."""
        p, q = self.table.pair(state)
        return self.table.weight(p, q) if max(abs(p), abs(q)) <= LARGE else Fraction(weight)

    def alone(self) -> Alone | None:
        """Return the machine if no scale depends on all weights."""
        return self if self.rule.link.scale == UNSCALED else None

    def distances(self) -> Floats:
        """Return how far the dual of each attribute is from where it began."""
        if self._duals is not None:
            return self._duals.distances()
        live, places = np.unique(self._states[: self._size], return_inverse=True)
        return np.abs([self.table.dual(*self.table.pair(state)) for state in live.tolist()])[places]

    def reset(self, columns: Ints) -> None:
        """Give attributes their initial weights again."""
        if self._duals is not None:
            self._duals.reset(columns)
        else:
            self._states[columns] = 0

    def counts(self) -> tuple[int, int, int]:
        """Return the numbers of updates, promotions and demotions."""
        return super().counts() if self._duals is None else self._duals.counts()

    def _to_duals(self, columns: NDArray[np.uint32] | None = None) -> Duals:
        """Return the same hypothesis as duals, over all columns or some."""
        z = np.array([self.table.dual(p, q) for p, q in self.table.exponents.tolist()])
        states = self._states[: self._size] if columns is None else self._states[columns]
        duals = Duals(self.rule, None)
        bias = int(self._counts[engine.BIAS])
        duals.take_over(z, states, max(bias, 0), self._counts[: engine.DEMOTIONS + 1])
        return duals

    def _leave(self) -> Duals:
        """Go on as duals."""
        self._duals = self._to_duals()
        self._duals.limit(*self._rule[dicts.LIMITS :])
        return self._duals

    def select(self, columns: Ints) -> State:
        """Return the state of these attributes alone."""
        if self._duals is not None:
            return self._duals.select(columns)
        return self.state() | {"states": self._states[columns]}

    def state(self) -> State:
        """Return all that has been learned, as arrays."""
        if self._duals is not None:
            return self._duals.state()
        return {
            "states": self._states[: self._size].copy(),
            "exponents": self.table.exponents.copy(),
            "counts": self._counts.copy(),
        }

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what `state` gave."""
        if "weights" in state:
            self._duals = Duals(self.rule, None)
            self._duals.limit(*self._rule[dicts.LIMITS :])
            self._duals.restore(state)
            return
        table = self.table
        table.add({(p, q): table.value((p, q)) for p, q in state["exponents"][1:].tolist()})
        self._size = len(state["states"])
        self._states = np.append(state["states"], state["states"].dtype.type(0))
        self._counts = state["counts"].copy()

    def kinds_of(self, state: Loaded) -> Kinds:
        """Return the arrays of exponents, or of the duals that they have become."""
        return Duals.kinds if "weights" in state else self.kinds

    def check(self, state: Loaded) -> None:
        """Check that states are places in the table of exponents, of which the first is the start."""
        super().check(state)
        if "weights" in state:
            check_duals(self.rule, state)
            return
        table, states, counts = state["exponents"], state["states"], state["counts"]
        need(counts.shape == (7,) and within(counts[:4], 0, ENOUGH), "counts of a game")
        need(
            table.shape[1] == 2 and 1 <= len(table) <= MOST_STATES and not table[0].any(), "exponents, first the start"
        )
        need(len({*map(tuple, table.tolist())}) == len(table), "each pair of exponents once")
        # Each update takes a state one step on; the table is made a few steps ahead.
        updates = int(counts[engine.UPDATES])
        need(within(table, -updates - AHEAD, updates + AHEAD), "exponents that so many updates can reach")
        self._check_ways(table[:, 0], table[:, 1])
        need(len(states) <= MOST_ATTRIBUTES and within(states, 0, len(table) - 1), "states that are in the table")
        need(states.dtype.itemsize == 2 or len(table) <= 256, "states of two bytes where there are more than 256")
        bias, ruling, reason = counts[engine.BIAS :].tolist()
        need(0 <= bias < len(table) if self.rule.bias else bias == -1, "a state of the constant coordinate")
        need(-1 <= ruling <= 3 and 0 <= reason <= 2, "a ruling")

    def _check_ways(self, p: Ints, q: Ints) -> None:
        """Check that exponents are among those to which promotions and demotions lead."""
        demotion = self.table.demotion
        if demotion is None:
            need(not q.any(), "one exponent where a demotion is the reverse of a promotion")
            return
        need(within(p, 0, inf) and within(q, 0, inf), "exponents of two factors that only grow")
        need(demotion != 0 or not ((q > 1).any() or p[q == 1].any()), "one state of all that is eliminated")
