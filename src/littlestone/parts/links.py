"""Links, the functions ``w = f(z)`` that turn a dual vector into weights, and rules: a link with steps and a threshold.

Convention: `link(z)` is the weight of a dual, `link.inverse(w)` the dual of a weight; both work on arrays. A link is
the gradient of a potential, and the divergence of that potential is what the algorithm's proof counts. One with a
``scale`` gives weights up to a factor: the engine keeps what they are divided by. `LINKS` has the links by name.
Numbers are counted in steps where they are at most `FAR` times a step.

>>> from littlestone.parts.links import FAR, LINKS
>>> sorted(LINKS), FAR
(['bayes', 'exponential', 'identity', 'p_norm', 'power', 'sigmoid', 'two_exponentials', 'two_sinh'], 1000000000000)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import inf, isfinite, log
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from littlestone.core.arrays import Floats
from littlestone.core.errors import InvalidParameter
from littlestone.core.rational import simplest_fraction
from littlestone.engine.learning import duals as engine
from littlestone.parts.potentials import compiled, solver

__all__ = [
    "FAR",
    "LINKS",
    "Link",
    "Rule",
    "bayes",
    "conservative",
    "exponential",
    "from_potential",
    "identity",
    "in_weights",
    "link",
    "options_of",
    "p_norm",
    "power",
    "sigmoid",
    "two_exponentials",
    "two_sinh",
]


@dataclass(frozen=True)
class Link:
    """A link: its name, its code and parameters in the engine, and the potential of its proof.

    >>> import littlestone as ls
    >>> ls.links.power(2.0, 1.0)([0.0, 1.0, 3.0]).tolist()
    [1.0, 2.0, 8.0]
    >>> ls.links.identity()([0.5, -2.0]).tolist()
    [0.5, -2.0]
    """

    name: str
    code: int
    potential: str
    a: float = 0.0
    b: float = 0.0
    c: float = 0.0
    scale: int = engine.UNSCALED
    address: int = 0
    solve: Callable[[Floats], Floats] | None = field(default=None, repr=False, compare=False)  # a user's inverse
    compiled: Any = field(default=None, repr=False, compare=False)  # keeps a user's function alive
    function: Callable[[Any], Any] | None = field(default=None, repr=False, compare=False)  # a user's potential F(w)

    def __call__(self, z: ArrayLike) -> Floats:
        """Return the weights of the duals ``z`` (before any scaling)."""
        duals = np.atleast_1d(np.asarray(z, dtype=np.float64))
        weights = np.empty_like(duals)
        unit = 1.0 if self.scale == engine.NORM else 0.0
        engine.transform(self.kind(), self.rule(), unit, duals.ravel(), weights.ravel())
        return weights.reshape(np.shape(z))

    def inverse(self, w: ArrayLike) -> Floats:
        """Return the duals of the weights ``w``."""
        weights: Floats = np.asarray(w, dtype=np.float64)
        solve = INVERSES.get(self.code)
        with np.errstate(divide="ignore"):
            if solve is not None:
                return np.asarray(solve(weights, self), dtype=np.float64)
            if self.solve is not None:
                return np.asarray(self.solve(weights), dtype=np.float64)
        raise InvalidParameter(f"link {self.name}: no inverse is known; give one to link(), or the dual at the start")

    def rule(self) -> Floats:
        """Return the engine's array of parameters, only the link's filled in."""
        rule = np.zeros(engine.CERTAIN + 1)
        most = inf if self.code == engine.USER else 1e150
        rule[[engine.A, engine.B, engine.C, engine.MOST]] = self.a, self.b, self.c, most
        return rule

    def kind(self) -> NDArray[np.int64]:
        """Return the engine's array of codes, only the link's filled in."""
        kind = np.zeros(engine.SEED + 1, dtype=np.int64)
        kind[[engine.LINK, engine.SCALE, engine.ADDRESS, engine.SEED]] = self.code, self.scale, self.address, -1
        return kind

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self


def identity() -> Link:
    """``w = z``: the Perceptron. Squared Euclidean distance.

    >>> identity()([-2.0, 3.0])
    array([-2.,  3.])
    """
    return Link("identity", engine.IDENTITY, "squared Euclidean distance")


def power(alpha: float, w1: float = 1.0) -> Link:
    """``w = w1 alpha^z``: Winnow, z counting promotions less demotions. Unnormalised relative entropy.

    >>> power(2.0)([0.0, 3.0, -1.0])
    array([1. , 8. , 0.5])
    """
    return Link("power", engine.POWER, "unnormalised relative entropy", a=alpha, c=w1)


def two_sinh(alpha: float, w1: float = 1.0) -> Link:
    """``w = w1 (alpha^z - alpha^-z)``: Balanced Winnow. Unnormalised relative entropy on (x, -x).

    >>> two_sinh(2.0)([0.0, 1.0])
    array([0. , 1.5])
    """
    return Link("two_sinh", engine.SINH, "unnormalised relative entropy on (x, -x)", a=alpha, c=w1)


def exponential() -> Link:
    """``w = exp(z) / sum exp(z)``: Normalized Winnow. Relative entropy.

    >>> exponential()([0.0])  # before it is scaled
    array([1.])
    """
    return Link("exponential", engine.EXP, "relative entropy", scale=engine.SUM)


def two_exponentials(total: float = 1.0) -> Link:
    """``w = U (e^z - e^-z) / sum (e^z + e^-z)``: EG+-, weights of any sign whose sizes sum to U at most.

    >>> two_exponentials(2.0)([0.0, 1.0]).round(6)  # before it is scaled
    array([0.      , 4.700805])
    """
    return Link("two_exponentials", engine.TWO_EXPS, "relative entropy on (x, -x)", c=total, scale=engine.BOTH)


def sigmoid() -> Link:
    """``w = 1 / (1 + exp(-z))``: Thresholded-BEG. Binary relative entropy.

    >>> sigmoid()([0.0])
    array([0.5])
    """
    return Link("sigmoid", engine.SIGMOID, "binary relative entropy")


def bayes(beta1: float, beta0: float, gamma: float) -> Link:
    """``w = kappa + softplus(z + ln beta1) - softplus(z + ln beta0)``: Bayes-BEG, on the same dual as Thresholded-BEG.

    ``kappa = ln[gamma (1 - beta0) / ((1 - gamma)(beta1 - 1))]``.

    >>> link = bayes(2.0, 0.0, 0.25)
    >>> link.inverse(link([0.5, 1.0])).round(9)
    array([0.5, 1. ])
    """
    kappa = log(gamma) - log(1.0 - gamma) + log(1.0 - beta0) - log(beta1 - 1.0)
    low = log(beta0) if beta0 > 0.0 else -inf
    return Link("bayes", engine.BAYES, "binary relative entropy", a=log(beta1), b=low, c=kappa)


def p_norm(p: float) -> Link:
    """``w = sign(z) |z|^(p-1) / ||z||_p^(p-2)``: the p-norm algorithms, from Perceptron (2) towards Winnow (2 ln n).

    >>> p_norm(3.0)([-2.0, 3.0])  # before it is scaled
    array([-4.,  9.])
    """
    return Link("p_norm", engine.P_NORM, f"half the squared norm, q = {p / (p - 1.0):.4g}", a=p, scale=engine.NORM)


def _bayes_inverse(w: Floats, link: Link) -> Floats:
    ratio = np.exp(w - link.c)  # (1 + beta1 odds) / (1 + beta0 odds)
    return np.asarray(np.log((ratio - 1.0) / (np.exp(link.a) - ratio * np.exp(link.b))))


INVERSES: dict[int, Callable[[Floats, Link], Floats]] = {
    engine.IDENTITY: lambda w, _: w,
    engine.POWER: lambda w, link: np.log(w / link.c) / log(link.a),
    engine.SINH: lambda w, link: np.arcsinh(w / (2.0 * link.c)) / log(link.a),
    engine.EXP: lambda w, _: np.log(w),
    engine.SIGMOID: lambda w, _: np.log(w) - np.log1p(-w),
    engine.BAYES: _bayes_inverse,
    engine.TWO_EXPS: lambda w, link: np.arcsinh(w / (2.0 * link.c)),
    engine.P_NORM: lambda w, link: np.sign(w) * np.abs(w) ** (1.0 / (link.a - 1.0)),
}

LINKS: dict[str, Link] = {
    made.name: made
    for made in (
        identity(), power(2.0), two_sinh(1.5), exponential(), sigmoid(), bayes(2.0, 0.5, 0.75), p_norm(4.0),
        two_exponentials(),
    )
}  # fmt: skip


def link(function: Callable[[float], float], *, inverse: Callable[[Floats], Floats] | None = None) -> Link:
    """Turn a plain Python function z -> w into a link that runs inside the engine at the speed of a built-in one.

    The function takes and returns one number, does not decrease, and uses what Numba can compile (``math`` and
    arithmetic will do). It is compiled here, once: about a fifth of a second.

    >>> import math, littlestone as ls
    >>> arctan = ls.link(lambda z: math.atan(z), inverse=np.tan)
    >>> arctan([0.0, 1.0]).round(4).tolist()
    [0.0, 0.7854]
    >>> learner = ls.QuasiAdditive(link=arctan, eta=0.5)
    >>> learner.learn([[1, 0], [0, 1]], [1, 0]).tolist()
    [1, 1]
    >>> learner.hypothesis().w.round(4).tolist()
    [0.0, -0.4636]
    """
    name, own = compiled(function)
    probe = np.array([own.ctypes(z) for z in (-2.0, -1.0, 0.0, 1.0, 2.0)])
    if not np.all(np.diff(probe) >= 0.0):
        raise InvalidParameter(
            f"link {name}: expected a function that does not decrease, got {probe.tolist()} at -2, -1, 0, 1, 2"
        )
    return _own(name, "the integral of the link", own, inverse)


def from_potential(
    potential: Callable[[Any], Any],
    *,
    domain: tuple[float, float] = (-inf, inf),
    gradient: Callable[[float], float] | None = None,
) -> Link:
    """Turn a convex potential F(w) of one weight into its link, ``w = (F')^-1(z)``.

    Sums of F over the weights are what the proof measures: the divergence ``D(u, w) = F(u) - F(w) - F'(w) (u - w)`` of
    a comparator u from the hypothesis. `QuasiAdditive` plays with the link, and its runs have certificates by that
    divergence. ``domain`` is where F is strictly convex; a dual beyond its slopes stands for its end. F is evaluated
    beside the real axis, which gives its derivative without a difference: so write it with NumPy's functions
    (``np.log``, ``np.exp``) and products (``w * w``, for ``w**2`` loses digits there), or give its ``gradient``.

    >>> import littlestone as ls
    >>> entropy = ls.from_potential(lambda w: w * np.log(w) - w, domain=(0.0, np.inf))
    >>> entropy([0.0, 1.0]).round(6).tolist()  # the link of Winnow: exp
    [1.0, 2.718282]
    >>> learner = ls.QuasiAdditive(link=entropy, theta=2.0, bias=False)
    >>> learner.learn([[1, 1, 0], [1, 0, 0], [0, 1, 1]], [1, 1, 0]).tolist()
    [1, 0, 1]
    >>> learner.hypothesis().w.round(4).tolist()
    [2.7183, 0.3679, 0.3679]
    """
    solve, slope = solver(potential, domain, gradient)
    _, function = compiled(solve)
    inverse = np.vectorize(slope, otypes=[np.float64])
    return _own("from_potential", "a user's own", function, inverse, potential)


def _own(name: str, potential: str, function: Any, solve: Any, given: Any = None) -> Link:
    address = int(function.address or 0)
    return Link(name, engine.USER, potential, address=address, solve=solve, compiled=function, function=given)


# What an algorithm of the quasi-additive family is: its link, its two steps, its start, threshold and tie

FAR = 10**12  # how many times a step a number may be that is counted in steps, or how small a part of one


@dataclass(frozen=True)
class Rule:
    """An algorithm of the family: everything that does not change during a game.

    >>> import littlestone as ls
    >>> rule = ls.links.Rule(link=ls.links.power(2.0, 1.0), up=1.0, down=-1.0, start=0.0, theta=8.0)
    >>> rule.theta, rule.tie, rule.bias
    (8.0, 1, False)
    """

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
    unit: float = 1.0  # what weights, theta and margin are counted in, where a factor of the duals is one of weights

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
        rule[[engine.UP, engine.DOWN, engine.THETA, engine.MARGIN, engine.TIE, engine.BIAS, engine.DROP]] = own
        if self.certain:
            rule[engine.CERTAIN], kind[engine.SEED] = self.certain, self.seed
        rule[engine.MOST] = 1e150 if self.dtype == "float64" else 1e18
        identical = self.link.code == engine.IDENTITY
        kind[[engine.DUAL, engine.AVERAGED]] = 0 if identical else 1, self.averaged
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
    """Return a number of units as the number that it is.

    >>> in_weights(3.0, 0.1)
    0.3
    """
    if unit == 1.0 or number == 0.0 or not isfinite(number):
        return number
    return float(simplest_fraction(number) * simplest_fraction(unit))


def conservative(margin: float) -> float:
    """Return the margin as the engine has it: with none, a tie that comes out right is no reason to update.

    >>> conservative(0.5), conservative(0.0)
    (0.5, -inf)
    """
    return float(margin) if margin > 0 else -inf


def options_of(learner: Any) -> dict[str, Any]:
    """Return what every rule takes from the parameters of its learner, one of the quasi-additive family.

    >>> import littlestone as ls
    >>> options_of(ls.Perceptron(margin=0.5))
    {'tie': 1, 'bias': True, 'averaged': False, 'dtype': 'float64', 'margin': 0.5}
    """
    taken = {name: getattr(learner, name) for name in ("tie", "bias", "averaged", "dtype")}
    return {**taken, "margin": conservative(learner.margin)}
