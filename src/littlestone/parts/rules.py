"""What an algorithm of the quasi-additive family is: its link, its two steps, its start, threshold and tie."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf, isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from littlestone.core.arrays import Floats
from littlestone.core.rational import simplest_fraction
from littlestone.engine.learning import duals
from littlestone.parts.links import Link

__all__ = ["FAR", "Rule", "conservative", "in_weights"]

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
        numbers = np.append(start, (theta, margin)).astype(np.float64)
        counted = _all_in_units(numbers, eta) if 1 / FAR < eta < FAR else None
        if counted is None:
            return cls(link=link, up=eta, down=-eta, start=start, theta=theta, margin=margin, **more)
        theta, margin = counted[-2:].tolist()
        start = counted[:-2] if np.ndim(start) else float(counted[0])
        return cls(link=link, up=1.0, down=-1.0, start=start, theta=theta, margin=margin, unit=eta, **more)

    def in_weights(self) -> Rule:
        """Return the same rule, counted in weights."""
        return replace(
            self, up=self.up * self.unit, down=self.down * self.unit, start=self.start * self.unit,
            theta=in_weights(self.theta, self.unit), margin=in_weights(self.margin, self.unit), unit=1.0,
        )  # fmt: skip

    def arrays(self) -> tuple[Floats, NDArray[np.int64]]:
        """Return the rule as the engine takes it."""
        rule, kind = self.link.rule(), self.link.kind()
        # The total behind the scale must be precise only where the scale decides anything.
        precise = self.theta != 0.0 or self.averaged or (np.isfinite(self.margin) and self.margin != 0.0)
        own = (self.up, self.down, self.theta, self.margin, self.tie, self.bias, 2.0**-10 if precise else 2.0**-40)
        rule[[duals.UP, duals.DOWN, duals.THETA, duals.MARGIN, duals.TIE, duals.BIAS, duals.DROP]] = own
        if self.certain:
            rule[duals.CERTAIN], kind[duals.SEED] = self.certain, self.seed
        rule[duals.MOST] = 1e150 if self.dtype == "float64" else 1e18
        identical = self.link.code == duals.IDENTITY
        kind[[duals.DUAL, duals.AVERAGED]] = 0 if identical else 1, self.averaged
        return rule, kind


def _all_in_units(numbers: Floats, unit: float) -> Floats | None:
    """Return numbers counted in a unit, None if one has no float; a million of them soon, for each is looked at once.

    A fraction ``m/d`` that a float ``x`` is the rounding of is the simplest one if ``d^2 |x| < 2^52``: any other of so
    small a denominator is farther away than ``x`` is exact. Those are seen all at a time.
    """
    distinct, at = np.unique(numbers, return_inverse=True)
    found, one = np.full(len(distinct), np.nan), simplest_fraction(unit)
    p, q = one.numerator, one.denominator
    if p < 1 << 20 and q < 1 << 20:
        with np.errstate(over="ignore", invalid="ignore"):
            for parts in (1.0, 2.0**10):  # counts of whole units, then of parts of one
                times = np.rint(distinct / float(unit) * parts)  # a rate may be a fraction
                seen = (distinct == times * p / (parts * q)) & (np.abs(times) * p < 2.0**52)
                seen &= (np.abs(distinct) * (parts * q) ** 2 < 2.0**52) & (np.abs(times) < FAR)
                found = np.where(np.isnan(found) & seen, times / parts, found)
    for i in np.flatnonzero(np.isnan(found)).tolist():
        number = _in_units(float(distinct[i]), unit)
        if number is None:
            return None
        found[i] = number
    return np.where(numbers == 0.0, numbers, found[at])  # a negative zero stays one


def _in_units(number: float, unit: float) -> float | None:
    """Return a number counted in a unit, both being the fractions that the floats stand for; None: no float is it."""
    if number == 0.0 or not isfinite(number):
        return number
    ratio = simplest_fraction(number) / simplest_fraction(unit)
    return float(ratio) if FAR**-1 < abs(ratio) < FAR and Fraction(float(ratio)) == ratio else None


def in_weights(number: float, unit: float) -> float:
    """Return a number of units as the number that it is."""
    if unit == 1.0 or number == 0.0 or not isfinite(number):
        return number
    return float(simplest_fraction(number) * simplest_fraction(unit))


def conservative(margin: float) -> float:
    """Return the margin as the engine has it: with none, a tie that comes out right is no reason to update."""
    return float(margin) if margin > 0 else -inf
