"""Links: the functions ``w = f(z)`` that turn a dual vector into weights, one a learning algorithm.

Convention: `link(z)` is the weight of a dual, `link.inverse(w)` the dual of a weight; both work on arrays. A link is
the gradient of a potential, and the divergence of that potential is what the algorithm's proof counts.

A link with a ``scale`` gives weights up to one common factor: the engine keeps the running sum ("sum") or norm
("norm") by which they are divided.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from math import inf, isfinite, log
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from littlestone.core.arrays import Floats
from littlestone.core.errors import InvalidParameter
from littlestone.engine.compiling import passing, reason
from littlestone.engine.learning import duals as engine

__all__ = [
    "LINKS",
    "Link",
    "bayes",
    "exponential",
    "from_potential",
    "identity",
    "link",
    "p_norm",
    "power",
    "sigmoid",
    "two_sinh",
]


@dataclass(frozen=True)
class Link:
    """A link: its name, its code and parameters in the engine, and the potential of its proof."""

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
    engine.P_NORM: lambda w, link: np.sign(w) * np.abs(w) ** (1.0 / (link.a - 1.0)),
}

# One of each, with the parameters of the papers' examples: what the tests run over.
LINKS: dict[str, Link] = {
    made.name: made
    for made in (
        identity(), power(2.0), two_sinh(1.5), exponential(), sigmoid(), bayes(2.0, 0.5, 0.75), p_norm(4.0),
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
    name, compiled = _compiled(function)
    probe = np.array([compiled.ctypes(z) for z in (-2.0, -1.0, 0.0, 1.0, 2.0)])
    if not np.all(np.diff(probe) >= 0.0):
        raise InvalidParameter(
            f"link {name}: expected a function that does not decrease, got {probe.tolist()} at -2, -1, 0, 1, 2"
        )
    return Link(
        name,
        engine.USER,
        "the integral of the link",
        address=int(compiled.address or 0),
        solve=inverse,
        compiled=compiled,
    )


def _compiled(function: Callable[[float], float]) -> tuple[str, Any]:
    """Compile a user's function of one float for the engine."""
    from numba import cfunc
    from numba.core.errors import NumbaError

    name = getattr(function, "__name__", "link")
    if not callable(function):
        raise InvalidParameter(f"link: expected a function z -> w, got {type(function).__name__}")
    plain = function if hasattr(function, "__code__") else lambda z: function(z)  # noqa: PLW0108 - math.tanh has no bytecode
    try:
        return name, cfunc("float64(float64)")(plain)
    except (NumbaError, TypeError) as error:
        raise InvalidParameter(
            f"link {name}: Numba cannot compile it ({reason(error)}); use arithmetic and the math module on one float"
        ) from error


SMALL = 1e-30  # the imaginary step of a derivative, relatively: nothing is subtracted, so it can be very small


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
    low, high, inside = _domain(domain)
    for name, function in (("potential", potential), ("gradient", gradient)):
        if not hasattr(function, "__code__") and (function is not None or name == "potential"):
            raise InvalidParameter(f"from_potential: {name} must be a Python function of one number, got {function!r}")
    slope = _slope(potential, gradient, low, high)
    _check_potential(potential, slope, _spread(low, high, inside), domain)

    def solve(z: float) -> float:
        # The bracket grows by doubling from the middle, or halves its way to an end: 60 bisections settle the rest.
        a = b = inside
        step = 1.0
        for _ in range(1070):
            if slope(a) <= z:
                break
            b = a
            a = low + 0.5 * (a - low) if low > -inf else inside - step
            step *= 2.0
        step = 1.0
        for _ in range(1070):
            if slope(b) >= z:
                break
            a = b
            b = high - 0.5 * (high - b) if high < inf else inside + step
            step *= 2.0
        for _ in range(1200):
            middle = 0.5 * (a + b)
            if middle in (a, b):
                break
            if slope(middle) <= z:
                a = middle
            else:
                b = middle
        return a if abs(slope(a) - z) <= abs(slope(b) - z) else b

    _, compiled = _compiled(solve)
    inverse = np.vectorize(slope, otypes=[np.float64])
    return Link(
        "from_potential", engine.USER, "a user's own", address=int(compiled.address or 0), solve=inverse,
        compiled=compiled, function=potential,
    )  # fmt: skip


def _domain(domain: Any) -> tuple[float, float, float]:
    """Return the ends of a domain and a point well inside."""
    try:
        low, high = (float(end) for end in domain)
    except (TypeError, ValueError):
        low = high = 0.0
    if not low < high:
        raise InvalidParameter(f"from_potential: expected a domain (low, high) with low < high, got {domain!r}")
    if isfinite(low) and isfinite(high):
        return low, high, 0.5 * (low + high)
    return low, high, low + 1.0 if isfinite(low) else high - 1.0 if isfinite(high) else 0.0


def _slope(potential: Any, gradient: Any, low: float, high: float) -> Any:
    """Return the derivative of a potential, compiled: its gradient, or by a step beside the real axis."""
    if gradient is not None:
        return passing(gradient)
    value: Any = passing(potential)

    def beside(w: float) -> Any:
        size = abs(w)
        if low > -inf:
            size = w - low
        if high < inf:
            size = min(size, high - w) if low > -inf else high - w
        step = SMALL * (size if size > 0.0 else 1.0)
        return value(complex(w, step)).imag / step

    return passing(beside)


def _check_potential(potential: Any, slope: Any, points: list[float], domain: Any) -> None:
    """Refuse what is not a strictly convex function whose derivative is the slope."""
    from numba.core.errors import NumbaError

    try:
        slopes = np.array([slope(w) for w in points], dtype=np.float64)
        h = 1e-5 * min(b - a for a, b in pairwise(points))
        plain = np.array([(potential(w + h) - potential(w - h)) / (2.0 * h) for w in points])
    except (NumbaError, TypeError, ValueError, ArithmeticError) as error:
        raise InvalidParameter(
            f"from_potential: it cannot be evaluated on its domain, or at a complex number ({reason(error)}); "
            "use NumPy's functions (np.log, not math.log), or give gradient="
        ) from error
    if not np.all(np.isfinite(slopes)) or not np.all(np.diff(slopes) > 0.0):
        raise InvalidParameter(
            f"from_potential: expected a strictly convex function on {domain}, got slopes {slopes.round(6).tolist()}"
        )
    if not np.allclose(slopes, plain, rtol=1e-3, atol=1e-6 * float(np.ptp(slopes))):
        raise InvalidParameter(
            f"from_potential: the slopes {slopes.round(6).tolist()} are not those of the function, "
            f"{plain.round(6).tolist()}; write powers as products (w * w), or give gradient= (or another one)"
        )


def _spread(low: float, high: float, inside: float) -> list[float]:
    """Return some points of a domain, in order."""
    left = [inside - (inside - low) * share if isfinite(low) else inside - 3.0 * share for share in (0.9, 0.5)]
    right = [inside + (high - inside) * share if isfinite(high) else inside + 3.0 * share for share in (0.5, 0.9)]
    return [*left, inside, *right]
