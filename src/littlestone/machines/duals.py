"""The machine of the quasi-additive family: cached weights, duals and, if averaged, corrections."""

from __future__ import annotations

from collections.abc import Mapping
from math import exp, inf
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from littlestone.core.arrays import Codes, Floats, Ints, State
from littlestone.core.rows import Rows
from littlestone.engine import dicts
from littlestone.engine.dicts import USABLE
from littlestone.engine.learning import duals
from littlestone.machines.columns import ROUNDING, Columns, pieces, widened
from littlestone.machines.machine import Alone, Names
from littlestone.machines.sound import COUNTS, Kinds, Loaded, check_columns, check_counts, need
from littlestone.parts.links import Link, Rule, in_weights

__all__ = ["Duals", "check_duals"]

States = NDArray[np.uint8] | NDArray[np.uint16]
WHOLE = {"float64": 2.0**53, "float32": 2.0**24}  # sums of whole numbers below this are exact in floats


class Duals(Columns, Alone):
    """The machine of the family: cached weights, duals and, if averaged, corrections, a column an attribute."""

    rule: Rule
    quick = USABLE
    takes_every_row = True
    kinds: ClassVar[Kinds] = {"weights": ("<f8 <f4", 2), "scalars": ("<f8", 1), **COUNTS}
    infinite = frozenset({"weights", "scalars"})  # the dual of an attribute that is eliminated is -inf

    def __init__(self, rule: Rule, n: int | None) -> None:
        self.rule, self.theta = rule, in_weights(rule.theta, rule.unit)
        numbers, whole = rule.arrays()
        self._numbers = np.concatenate((numbers, np.zeros(duals.SHIFT + 1), (inf, -inf)))
        self._whole = np.append(whole, np.zeros(4, dtype=np.int64))
        self._state[duals.SHIFT] = 1.0 if rule.link.scale == duals.NORM else 0.0
        each = np.ndim(rule.start) == 1
        usual = 0.0 if each else float(rule.start)  # where each attribute has its own, the constant one has 0
        layers = 1 + int(self._kind[duals.DUAL]) + int(rule.averaged)
        self._weights: NDArray[Any] = np.zeros((layers, 1), dtype=rule.dtype)
        self._weights[self._kind[duals.DUAL], 0] = usual
        self._weights[0, 0] = rule.link(usual)
        if rule.bias:
            self._state[duals.BIAS_Z], self._state[duals.BIAS_V] = usual, rule.link(usual)
        if rule.link.scale != duals.UNSCALED:
            duals.rescale(self._weights, self._rule, self._kind, self._state)
        if each:
            self._begin_at(np.asarray(rule.start, dtype=np.float64), rule.link)
        elif n is not None and self._share():
            self.grow(n)  # the scale is a sum over all attributes, seen or not

    def _begin_at(self, start: Floats, link: Link) -> None:
        """Give each attribute a start of its own."""
        self.grow(len(start))
        self._weights[self._kind[duals.DUAL], : len(start)] = start
        self._weights[0, : len(start)] = link(start)
        if link.scale != duals.UNSCALED:
            duals.rescale(self._weights, self._rule, self._kind, self._state)

    # What the engine is given, in two arrays: one row costs what is handed over with it.

    @property
    def _rule(self) -> Floats:
        return self._numbers[: dicts.STATE]

    @property
    def _state(self) -> Floats:
        return self._numbers[dicts.STATE : dicts.LIMITS]

    @property
    def _kind(self) -> NDArray[np.int64]:
        return self._whole[: dicts.COUNTS]

    @property
    def _counts(self) -> Ints:  # type: ignore[override]
        return self._whole[dicts.COUNTS :]

    @property
    def size(self) -> int:
        """How many attributes have weights of their own."""
        return int(self._kind[duals.SIZE])

    def _widen(self, old: int, size: int) -> None:
        self._weights = widened(self._weights, old, size)
        if self._share():
            self._state[duals.PEAK] = self._grown(duals.PEAK, size)  # as if they had been there all the time
            self._state[duals.TOTAL] = self._grown(duals.TOTAL, size)
        self._kind[duals.SIZE] = size

    def _share(self) -> float:
        """Return what an attribute that nobody has seen adds to the total behind the scale."""
        v, z = float(self._weights[0, self.size]), float(self._weights[self._kind[duals.DUAL], self.size])
        if self._kind[duals.SCALE] == duals.NORM:
            return abs(v) * (abs(z) / float(self._state[duals.SHIFT]))
        if self._kind[duals.SCALE] == duals.BOTH:
            return exp(z - float(self._state[duals.SHIFT])) + exp(-z - float(self._state[duals.SHIFT]))
        return v if self._kind[duals.SCALE] == duals.SUM else 0.0

    def _grown(self, which: int, size: int) -> float:
        """Return the total of ``size`` attributes, or its peak: newcomers add their share."""
        # While there were none, the spare one stood for them.
        before = 0.0 if self.size == 0 and not self._rule[duals.BIAS] else float(self._state[which])
        return before + (size - self.size) * self._share()

    def learn(self, rows: Rows, outcomes: Codes, importance: Floats) -> Codes:
        """Predict, then update, row by row; return the predictions."""
        predictions = np.empty(len(outcomes), np.uint8)
        duals.learn(
            *rows, outcomes, importance, self._weights, self._rule, self._kind, self._state, self._counts, predictions
        )
        return predictions

    def limit(self, least: float, largest: float) -> None:
        """Say which values a dict may be read with."""
        self._numbers[dicts.LIMITS :] = least, largest

    def learn_one(self, x: Names, columns: Names, outcome: int) -> int:
        """Predict one example, then update."""
        return dicts.learn(x, columns, outcome, self._weights, self._numbers, self._whole)

    def predict_one(self, x: Names, columns: Names) -> int:
        """Predict one example."""
        return dicts.predict(x, columns, self._weights, self._numbers, self._whole)

    def score(self, rows: Rows) -> tuple[Codes, Floats]:
        """Return the predictions and w.x - theta of each row."""
        count = len(rows.indptr) - 1
        predictions, activations = np.empty(count, np.uint8), np.empty(count)
        duals.score(*rows, self._weights, self._rule, self._kind, self._state, self._counts, predictions, activations)
        if self.rule.unit != 1.0:
            activations *= self.rule.unit
        return predictions, activations

    def weights(self, size: int) -> tuple[Floats, float]:
        """Return the hypothesis that predicts: the current one, or the mean of all so far."""
        state = self._state.copy()
        if self._share() and size > self.size > 0:
            state[duals.TOTAL] = self._grown(duals.TOTAL, size)  # what is not seen yet has its share
        scale = duals.scale_of(self._kind, self._rule, state)
        clock, unit = 1.0 / scale if scale > 0.0 else 0.0, self.rule.unit
        columns = np.minimum(np.arange(size), self.size)
        w, bias = self._weights[0, columns].astype(np.float64), float(self._state[duals.BIAS_V])
        if not self._kind[duals.AVERAGED]:
            return w * clock * unit, bias * clock * unit
        clock += self._state[duals.CLOCK]
        trials = float(self._counts[duals.TRIALS]) + 1.0
        trials /= unit
        return (clock * w - self._weights[-1, columns]) / trials, (clock * bias - self._state[duals.BIAS_U]) / trials

    def take_over(self, z: Floats, states: States, bias: int, counts: Ints) -> None:
        """Go on with the counts of another machine that played by the same rule, and its duals: z[state] of each."""
        self.grow(len(states))
        v, dual = np.empty_like(z), int(self._kind[duals.DUAL])
        duals.transform(self._kind, self._rule, self._state[duals.SHIFT], z, v)
        for at in pieces(len(states)):
            self._weights[0, at] = v[states[at]]
            self._weights[dual, at] = z[states[at]]
        if self._rule[duals.BIAS]:
            self._state[duals.BIAS_Z], self._state[duals.BIAS_V] = z[bias], v[bias]
        self._counts[:] = counts

    def _rounding(self, weights: Floats, constant: float) -> float:
        rule = self.rule
        if rule.averaged or rule.certain:
            return inf
        numbers, kind = np.append(weights, [constant, self.theta]), str(rule.dtype)
        small = np.abs(numbers).sum() < WHOLE[kind] and bool((numbers == np.floor(numbers)).all())
        return 0.0 if small and rule.link.scale == duals.UNSCALED else ROUNDING[kind]

    def alone(self) -> Alone | None:
        """Return the machine if no scale depends on all weights."""
        return self if self.rule.link.scale == duals.UNSCALED else None

    def distances(self) -> Floats:
        """Return how far the dual of each attribute is from where it began; not 0 where anything has moved."""
        z, size = self._weights[self._kind[duals.DUAL]], self.size
        moved = (self._weights[:, :size] != self._weights[:, size : size + 1]).any(axis=0)
        return np.where(moved, np.maximum(np.abs(z[:size] - z[size]), np.finfo(np.float64).tiny), 0.0)

    def reset(self, columns: Ints) -> None:
        """Give attributes their initial weights again."""
        self._weights[:, columns] = self._weights[:, self.size : self.size + 1]

    def select(self, columns: Ints) -> State:
        """Return the state of these attributes alone."""
        return self.state() | {"weights": self._weights[:, np.append(columns, self.size)]}

    def state(self) -> State:
        """Return all that has been learned, as arrays."""
        return {
            "weights": self._weights[:, : self.size + 1].copy(),
            "scalars": self._state.copy(),
            "counts": self._counts.copy(),
        }

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what `state` gave."""
        if self._weights.shape == state["weights"].shape:
            self._weights[:] = state["weights"]
        else:
            self._weights = np.array(state["weights"], dtype=self._weights.dtype, order="C")
        self._kind[duals.SIZE] = self._weights.shape[1] - 1
        self._state[:], self._counts[:] = state["scalars"], state["counts"]

    def check(self, state: Loaded) -> None:
        """Check a layer for each kind of weight, and what moves."""
        super().check(state)
        check_duals(self.rule, state)


def check_duals(rule: Rule, state: Loaded) -> None:
    """Check the duals of a rule: a layer for each kind of weight."""
    check_columns(state["weights"], 1 + int(rule.link.code != 0) + int(rule.averaged))
    need(state["weights"].dtype == rule.dtype, f"weights of {rule.dtype}")
    need(state["scalars"].shape == (7,), "seven numbers that move")
    shift = state["scalars"][duals.SHIFT]
    need(rule.link.scale != duals.NORM or 0.0 < shift < inf, "a unit that weights are kept in")
    check_counts(state, 4)
