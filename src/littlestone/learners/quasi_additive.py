"""The quasi-additive family, written once: ``z += step x`` on a mistake, ``w = link(z)``.

`Rule` says what an algorithm is: its link, its two steps, where the duals start, the threshold and the tie. `Duals` is
the machine that plays by a rule. `QuasiAdditive` is the family as a learner, for links of one's own; the named
learners are short compositions over the same two.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf, isfinite
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from littlestone import links
from littlestone.engine import csr, singles
from littlestone.engine.singles import PYTHON
from littlestone.errors import InvalidParameter
from littlestone.learners._edge import Rows, check_size
from littlestone.learners._parameters import Options, check_flag, check_number, check_options
from littlestone.learners.base import Learner
from littlestone.learners.machine import Machine, Names, Single
from littlestone.links import Link
from littlestone.rational import simplest_fraction

__all__ = ["Duals", "QuasiAdditive", "Rule", "take_options"]

Floats = NDArray[np.float64]
Codes = NDArray[np.uint8]

FAR = 10**12  # how many times a step a number may be that is counted in steps, or how small a part of one


@dataclass(frozen=True)
class Rule:
    """An algorithm of the family: everything that does not change during a game."""

    link: Link
    up: float
    down: float  # -inf eliminates
    start: float | Floats  # the dual before the first trial: one for all, or one an attribute
    theta: float
    tie: int = 1
    bias: bool = False
    margin: float = -inf  # update also where y (w.x - theta) <= margin; -inf: on mistakes only, inf: always
    averaged: bool = False
    dtype: str = "float64"
    certain: float = 0.0  # randomised: the score from which on the prediction is certainly 1; 0: not randomised
    seed: int = 0
    unit: float = (
        1.0  # what weights, theta and margin are counted in, where a factor of the duals is one of the weights
    )

    @classmethod
    def counted(
        cls, eta: float, *, start: float | Floats, theta: float, margin: float = -inf, link: Link, **more: Any
    ) -> Rule:
        """Return a rule with steps of ``eta``, counted in units of it: steps of 1, so that no rate rounds a sum.

        The link is one for which ``link(eta z) = eta link(z)``, such as the identity. Where a number has no exact float
        in such units, or is far from it in size, they are those of the numbers themselves.
        """
        numbers = [_in_units(number, eta) for number in (*np.atleast_1d(start).tolist(), theta, margin)]
        if None in numbers or not 1 / FAR < eta < FAR:
            return cls(link=link, up=eta, down=-eta, start=start, theta=theta, margin=margin, **more)
        *starts, theta, margin = numbers  # type: ignore[assignment]
        start = np.array(starts) if np.ndim(start) else float(starts[0])  # type: ignore[arg-type]
        return cls(link=link, up=1.0, down=-1.0, start=start, theta=theta, margin=margin, unit=eta, **more)

    def in_weights(self) -> Rule:
        """Return the same rule, counted in weights."""
        return replace(
            self, up=self.up * self.unit, down=self.down * self.unit, start=self.start * self.unit,
            theta=_in_weights(self.theta, self.unit), margin=_in_weights(self.margin, self.unit), unit=1.0,
        )  # fmt: skip

    def arrays(self) -> tuple[Floats, NDArray[np.int64]]:
        """Return the rule as the engine takes it."""
        rule, kind = self.link.rule(), self.link.kind()
        # The total behind the scale must be precise only where the scale decides anything.
        precise = self.theta != 0.0 or self.averaged or (np.isfinite(self.margin) and self.margin != 0.0)
        own = (self.up, self.down, self.theta, self.margin, self.tie, self.bias, 2.0**-10 if precise else 2.0**-40)
        rule[[csr.UP, csr.DOWN, csr.THETA, csr.MARGIN, csr.TIE, csr.BIAS, csr.DROP]] = own
        if self.certain:
            rule[csr.CERTAIN], kind[csr.SEED] = self.certain, self.seed
        rule[csr.MOST] = 1e150 if self.dtype == "float64" else 1e18
        identical = self.link.code == csr.IDENTITY
        kind[[csr.DUAL, csr.AVERAGED]] = 0 if identical else 1, self.averaged
        return rule, kind


class Duals(Single):
    """The machine of the family: cached weights, duals and, if averaged, corrections, a column an attribute."""

    def __init__(self, rule: Rule, n: int | None) -> None:
        self.rule, self.theta = rule, _in_weights(rule.theta, rule.unit)
        numbers, whole = rule.arrays()
        self._numbers = np.concatenate((numbers, np.zeros(csr.SHIFT + 1), (inf, -inf)))
        self._whole = np.append(whole, np.zeros(4, dtype=np.int64))
        self._state[csr.SHIFT] = 1.0 if rule.link.scale == csr.NORM else 0.0
        each = np.ndim(rule.start) == 1
        usual = 0.0 if each else float(rule.start)  # where each attribute has its own, the constant one has 0
        layers = 1 + int(self._kind[csr.DUAL]) + int(rule.averaged)
        self._weights: NDArray[Any] = np.zeros((layers, 1), dtype=rule.dtype)
        self._weights[self._kind[csr.DUAL], 0] = usual
        self._weights[0, 0] = rule.link(usual)
        if rule.bias:
            self._state[csr.BIAS_Z], self._state[csr.BIAS_V] = usual, rule.link(usual)
        if rule.link.scale != csr.UNSCALED:
            csr.rescale(self._weights, self._rule, self._kind, self._state)
        if each:
            self._begin_at(np.asarray(rule.start, dtype=np.float64), rule.link)
        elif n is not None and self._share():
            self.grow(n)  # the scale is a sum over all attributes, seen or not

    def _begin_at(self, start: Floats, link: Link) -> None:
        """Give each attribute a start of its own."""
        self.grow(len(start))
        self._weights[self._kind[csr.DUAL], : len(start)] = start
        self._weights[0, : len(start)] = link(start)
        if link.scale != csr.UNSCALED:
            csr.rescale(self._weights, self._rule, self._kind, self._state)

    # What the engine is given, in two arrays: one row costs what is handed over with it.

    @property
    def _rule(self) -> Floats:
        return self._numbers[: singles.STATE]

    @property
    def _state(self) -> Floats:
        return self._numbers[singles.STATE : singles.LIMITS]

    @property
    def _kind(self) -> NDArray[np.int64]:
        return self._whole[: singles.COUNTS]

    @property
    def _counts(self) -> NDArray[np.int64]:
        return self._whole[singles.COUNTS :]

    @property
    def size(self) -> int:
        """How many attributes have weights of their own."""
        return int(self._kind[csr.SIZE])

    def grow(self, size: int) -> None:
        """Give weights of their own to ``size`` attributes: copies of the spare column, which stays the last."""
        old = self.size
        if size <= old:
            return
        check_size(size)
        if size >= self._weights.shape[1]:
            # Room for half as many again, so that growing costs a constant an attribute.
            wider = np.empty((self._weights.shape[0], size + 1 + old // 2), dtype=self._weights.dtype)
            wider[:, : old + 1] = self._weights[:, : old + 1]
            self._weights = wider
        self._weights[:, old + 1 : size + 1] = self._weights[:, old : old + 1].copy()  # or NumPy copies it for each
        if self._share():
            self._state[csr.TOTAL] = self._total(size)
            self._state[csr.PEAK] = max(self._state[csr.PEAK], self._state[csr.TOTAL])
        self._kind[csr.SIZE] = size

    def _share(self) -> float:
        """Return what an attribute that nobody has seen adds to the total behind the scale."""
        v, z = float(self._weights[0, self.size]), float(self._weights[self._kind[csr.DUAL], self.size])
        if self._kind[csr.SCALE] == csr.NORM:
            return abs(v) * (abs(z) / float(self._state[csr.SHIFT]))
        return v if self._kind[csr.SCALE] == csr.SUM else 0.0

    def _total(self, size: int) -> float:
        """Return the total of ``size`` attributes: newcomers add their share."""
        # While there were none, the spare one stood for them.
        before = 0.0 if self.size == 0 and not self._rule[csr.BIAS] else float(self._state[csr.TOTAL])
        return before + (size - self.size) * self._share()

    def learn(self, rows: Rows, outcomes: Codes, importance: Floats) -> Codes:
        """Predict, then update, row by row; return the predictions."""
        predictions = np.empty(len(outcomes), np.uint8)
        csr.learn(
            *rows, outcomes, importance, self._weights, self._rule, self._kind, self._state, self._counts, predictions
        )
        return predictions

    def limit(self, least: float, largest: float) -> None:
        """Say which values a dict may be read with."""
        self._numbers[singles.LIMITS :] = least, largest

    def learn_one(self, x: Names, columns: Names, outcome: int) -> int:
        """Predict one example, then update."""
        return singles.learn(PYTHON, id(x), id(columns), outcome, self._weights, self._numbers, self._whole)

    def predict_one(self, x: Names, columns: Names) -> int:
        """Predict one example."""
        return singles.predict(PYTHON, id(x), id(columns), self._weights, self._numbers, self._whole)

    def score(self, rows: Rows) -> tuple[Codes, Floats]:
        """Return the predictions and w.x - theta of each row."""
        count = len(rows.indptr) - 1
        predictions, activations = np.empty(count, np.uint8), np.empty(count)
        csr.score(*rows, self._weights, self._rule, self._kind, self._state, self._counts, predictions, activations)
        if self.rule.unit != 1.0:
            activations *= self.rule.unit
        return predictions, activations

    def weights(self, size: int) -> tuple[Floats, float]:
        """Return the hypothesis that predicts: the current one, or the mean of all so far."""
        state = self._state.copy()
        if self._share() and size > self.size > 0:
            state[csr.TOTAL] = self._total(size)  # what is not seen yet has its share
        scale = csr.scale_of(self._kind, self._rule, state)
        clock, unit = 1.0 / scale if scale > 0.0 else 0.0, self.rule.unit
        columns = np.minimum(np.arange(size), self.size)
        w, bias = self._weights[0, columns].astype(np.float64), float(self._state[csr.BIAS_V])
        if not self._kind[csr.AVERAGED]:
            return w * clock * unit, bias * clock * unit
        clock += self._state[csr.CLOCK]
        trials = float(self._counts[csr.TRIALS]) + 1.0
        trials /= unit
        return (clock * w - self._weights[-1, columns]) / trials, (clock * bias - self._state[csr.BIAS_U]) / trials

    def take_over(self, z: Floats, bias: float, counts: NDArray[np.int64]) -> None:
        """Go on with the duals and counts of another machine that played by the same rule."""
        self.grow(len(z))
        both = np.append(z, bias)
        v = np.empty_like(both)
        csr.transform(self._kind, self._rule, self._state[csr.SHIFT], both, v)
        self._weights[self._kind[csr.DUAL], : len(z)], self._weights[0, : len(z)] = z, v[:-1]
        if self._rule[csr.BIAS]:
            self._state[csr.BIAS_Z], self._state[csr.BIAS_V] = bias, v[-1]
        self._counts[:] = counts

    def distances(self) -> Floats:
        """Return how far the dual of each attribute is from where it began; not 0 where anything has moved."""
        z, size = self._weights[self._kind[csr.DUAL]], self.size
        moved = (self._weights[:, :size] != self._weights[:, size : size + 1]).any(axis=0)
        return np.where(moved, np.maximum(np.abs(z[:size] - z[size]), np.finfo(np.float64).tiny), 0.0)

    def reset(self, columns: NDArray[np.int64]) -> None:
        """Give attributes their initial weights again, where no scale depends on all of them."""
        self._weights[:, columns] = self._weights[:, self.size : self.size + 1]

    def counts(self) -> tuple[int, int, int]:
        """Return the numbers of updates, promotions and demotions."""
        updates, promotions, demotions = self._counts[csr.UPDATES :].tolist()
        return updates, promotions, demotions

    def state(self) -> dict[str, NDArray[Any]]:
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
        self._kind[csr.SIZE] = self._weights.shape[1] - 1
        self._state[:], self._counts[:] = state["scalars"], state["counts"]


def _in_units(number: float, unit: float) -> float | None:
    """Return a number counted in a unit, both being the fractions that the floats stand for; None: no float is it."""
    if number == 0.0 or not isfinite(number):
        return number
    ratio = simplest_fraction(number) / simplest_fraction(unit)
    return float(ratio) if FAR**-1 < abs(ratio) < FAR and Fraction(float(ratio)) == ratio else None


def _in_weights(number: float, unit: float) -> float:
    if unit == 1.0 or number == 0.0 or not isfinite(number):
        return number
    return float(simplest_fraction(number) * simplest_fraction(unit))


def take_options(learner: Learner, options: Options) -> None:
    """Check the family's options and keep them as attributes of the learner."""
    for name, value in check_options(type(learner).__name__, options, learner.parameter_names()[:-4]).items():
        setattr(learner, name, value)
    if learner.dtype == "float32":
        for name, value in learner.params().items():
            numbers = np.atleast_1d(np.asarray(value, dtype=object))
            for number in numbers.tolist():
                real = isinstance(number, int | float | Fraction | np.number) and not isinstance(number, bool)
                if real and name != "seed" and number and not 1e-30 <= abs(number) <= 1e30:
                    raise InvalidParameter(
                        f"{type(learner).__name__}: {name} must be 0 or of a size from 1e-30 to 1e30 with float32 "
                        f"weights, got {number!r}"
                    )


def conservative(margin: float) -> float:
    """Return the margin as the engine has it: with none, a tie that comes out right is no reason to update."""
    return float(margin) if margin > 0 else -inf


class QuasiAdditive(Learner):
    """The family with a link of one's own.

    Update on a mistake: ``z <- z + eta y x`` with y in {-1, +1}; weights ``w = link(z)``; predict 1 iff w.x >= theta.

    Parameters
    ----------
    link : Link
        From `littlestone.link` or `littlestone.links`; None: the identity, which is the Perceptron.
    eta : float > 0
        How far a mistake moves the duals.
    theta : float
        The threshold.
    bias : bool
        Add a constant coordinate, learned like any other.
    start : float
        The dual of every attribute before the first trial. Where weights that are not 0 are divided by a sum of all
        (`exponential`, or `p_norm` with another start than 0), n is needed, unless the scale decides nothing.

    Duals are held between -1e150 and 1e150 (float32: 1e25), and so are weights by a link of one's own (float32: 1e18).
    Where such a link has no number, as e^z / (1 + e^z) for z = 1000, half of the step is made, or half of that, ...
    averaged, margin, negations, dtype
        As on every learner of the family: predict with the mean of all hypotheses so far; update also where
        y (w.x - theta) <= margin; learn from (x, 1 - x); "float64" or "float32" weights.

    Bound
    -----
    That of the link's potential, if its owner can prove one; none is claimed here.

    Example
    -------
    >>> import littlestone as ls
    >>> cubic = ls.link(lambda z: z * z * z)
    >>> learner = ls.QuasiAdditive(link=cubic, bias=False, theta=1.0)
    >>> learner.learn([[1, 1, 0], [1, 0, 0], [0, 0, 1]], [1, 1, 0]).tolist()
    [0, 1, 0]
    >>> learner.hypothesis().w.tolist()
    [1.0, 1.0, 0.0]

    Reference
    ---------
    Grove, Littlestone and Schuurmans, "General convergence results for linear discriminant updates", Machine
    Learning 43 (2001).
    """

    link: Link | None
    averaged: bool
    dtype: str

    def __init__(
        self,
        *,
        link: Link | None = None,
        eta: float = 1.0,
        theta: float = 0.0,
        bias: bool = True,
        start: float = 0.0,
        **options: Unpack[Options],
    ) -> None:
        super().__init__()
        if link is not None and not isinstance(link, Link):
            raise InvalidParameter(
                f"QuasiAdditive: link must be a Link, got {type(link).__name__}; make one with littlestone.link"
            )
        check_number("QuasiAdditive", "eta", eta, above=0.0)
        check_number("QuasiAdditive", "theta", theta)
        check_number("QuasiAdditive", "start", start)
        check_flag("QuasiAdditive", "bias", bias)
        if link is not None and np.isnan(link(start)):
            raise InvalidParameter(f"QuasiAdditive: start: link {link.name} has no number at {start!r}, got nan")
        self.link, self.eta, self.theta, self.bias, self.start = link, eta, theta, bias, start
        take_options(self, options)

    @property
    def _counts_all(self) -> bool:  # type: ignore[override]
        """Whether attributes that are never on count too: where weights that are not 0 are divided by a sum of all."""
        scale = csr.UNSCALED if self.link is None else self.link.scale
        return scale == csr.SUM or (scale == csr.NORM and self.start != 0.0)

    def _needs_n(self) -> bool:
        # Where the scale decides nothing, what is not seen yet does not matter.
        return self._counts_all and (self.theta != 0.0 or self.averaged or self.margin > 0.0)

    def _build(self, n: int | None) -> Machine:
        told: dict[str, Any] = {
            "link": links.identity() if self.link is None else self.link,
            "start": self.start, "theta": self.theta, "margin": conservative(self.margin),
            "bias": self.bias, "averaged": self.averaged, "dtype": self.dtype,
        }  # fmt: skip
        if told["link"].code in (csr.IDENTITY, csr.P_NORM):
            rule = Rule.counted(self.eta, **told)
        else:
            rule = Rule(up=self.eta, down=-self.eta, **told)
        return Duals(rule, n)
