"""The potentials that proofs count, in plain NumPy: nothing here is shared with the learners or their engine.

A potential turns duals into weights, ``w = grad G(z)``, and measures how far a hypothesis is from a comparator u:
``D(u, w) = F(u) - u.z + G(z)``, F the conjugate of G. An update ``z <- z + dz`` lowers it by
``u.dz - (G(z + dz) - G(z))``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from math import inf, log
from typing import Any

import numpy as np

from littlestone.core.arrays import Floats, Ints
from littlestone.core.errors import InvalidParameter

__all__ = ["BINARY_ENTROPY", "ENTROPY", "SQUARED", "PNorm", "Potential", "RelativeEntropy", "own", "two_sided", "votes"]

DROP, GROWN = 2.0**-10, 2.0**20  # how far a running sum may fall from its peak, or grow, before it is made anew


class Potential(ABC):
    """How a proof measures; ``z`` are the duals of the coordinates in question."""

    def begin(self, z: Floats) -> None:  # noqa: B027 - most potentials are sums and keep no total
        """Take notice of all duals before the first trial."""

    @abstractmethod
    def weight(self, z: Floats) -> Floats:
        """Return the weights, before they are divided by `scale`."""

    def scale(self) -> float:
        """Return by what the weights are divided."""
        return 1.0

    @abstractmethod
    def rise(self, z: Floats, columns: Ints, dz: Floats) -> float:
        """Return what G gains when ``dz`` is added to some columns of all the duals ``z``; remember the totals."""

    @abstractmethod
    def divergence(self, u: Floats, z: Floats) -> float:
        """Return D(u, w(z)), computed from all coordinates."""

    def total(self, z: Floats) -> float:  # noqa: ARG002 - of most there is none
        """Return the total weight, where `rise` is its growth."""
        raise InvalidParameter("certificate: this learner has no proof by promotions and total weight")

    def stale(self) -> bool:
        """Tell whether the last rise changed the unit, so that the weights of all coordinates must be computed anew."""
        return False


@dataclass(frozen=True)
class Separable(Potential):
    """A sum over the coordinates: the weights, the growth of G at some z, D and the total weight, each as a formula."""

    weights: Callable[[Floats], Any]
    growth: Callable[[Floats, Floats], Any]  # of z and dz
    distance: Callable[[Floats, Floats], Any] | None  # of u and z
    total_weight: Callable[[Floats], Any] | None = None

    def weight(self, z: Floats) -> Floats:
        """Return the weights."""
        return np.asarray(self.weights(z))

    def rise(self, z: Floats, columns: Ints, dz: Floats) -> float:
        """Return the growth of G."""
        return float(self.growth(z[columns], dz))

    def divergence(self, u: Floats, z: Floats) -> float:
        """Return D(u, w(z))."""
        if self.distance is None:
            raise InvalidParameter("certificate: this learner has no proof by divergence; ask for kind='weight'")
        return float(self.distance(u, z))

    def total(self, z: Floats) -> float:
        """Return the total weight."""
        return super().total(z) if self.total_weight is None else float(self.total_weight(z))


def _entropy(u: Floats, z: Floats) -> Any:
    """Return the sum of u ln(u/w) + w - u."""
    on = u > 0.0
    return np.sum(u[on] * (np.log(u[on]) - z[on]) - u[on]) + np.sum(np.exp(z))


def _binary_entropy(u: Floats, z: Floats) -> Any:
    """Return the sum of u ln(u/w) + (1-u) ln((1-u)/(1-w))."""
    inner = u[(u > 0.0) & (u < 1.0)]
    negative = np.sum(inner * np.log(inner) + (1.0 - inner) * np.log1p(-inner))
    return negative - u[u > 0.0] @ z[u > 0.0] + np.sum(np.logaddexp(0.0, z))


SQUARED = Separable(  # half the squared Euclidean distance: the Perceptron
    weights=lambda z: z,
    growth=lambda z, dz: np.sum(z * dz + 0.5 * dz * dz),
    distance=lambda u, z: 0.5 * np.sum((u - z) ** 2),
)
ENTROPY = Separable(  # unnormalised relative entropy: Winnow
    weights=np.exp,
    growth=lambda z, dz: np.sum(np.exp(z) * np.expm1(dz)),
    distance=_entropy,
    total_weight=lambda z: np.sum(np.exp(z)),
)
BINARY_ENTROPY = Separable(  # the sum of binary relative entropies: Thresholded-BEG
    weights=lambda z: np.exp(-np.logaddexp(0.0, -z)),
    growth=lambda z, dz: np.sum(np.logaddexp(0.0, z + dz) - np.logaddexp(0.0, z)),
    distance=_binary_entropy,
)


def two_sided(w1: float) -> Separable:
    """Return the unnormalised relative entropy on (x, -x), ``w = 2 w1 sinh(z)``: Balanced Winnow."""

    def distance(u: Floats, z: Floats) -> Any:
        half = u / (2.0 * w1)
        return np.sum(u * (np.arcsinh(half) - z)) + 2.0 * w1 * np.sum(np.cosh(z) - np.sqrt(1.0 + half * half))

    return Separable(
        weights=lambda z: 2.0 * w1 * np.sinh(z),
        growth=lambda z, dz: 2.0 * w1 * np.sum(np.cosh(z + dz) - np.cosh(z)),
        distance=distance,
    )


def votes(beta1: float, beta0: float, gamma: float) -> Separable:
    """Return Bayes-BEG's votes; what its proof counts is their sum without the constant kappa. No divergence."""
    high, low = log(beta1), log(beta0) if beta0 > 0.0 else -inf
    kappa = log(gamma * (1.0 - beta0) / ((1.0 - gamma) * (beta1 - 1.0)))

    def total(z: Floats) -> Any:
        """Return the sum of ln((1 + beta1 odds) / (1 + beta0 odds))."""
        return np.sum(np.logaddexp(0.0, z + high) - np.logaddexp(0.0, z + low))

    return Separable(
        weights=lambda z: kappa + np.logaddexp(0.0, z + high) - np.logaddexp(0.0, z + low),
        growth=lambda z, dz: total(z + dz) - total(z),
        distance=None,
        total_weight=total,
    )


def own(potential: Callable[[float], float], link: Callable[[Floats], Floats]) -> Separable:
    """Return the potential of a link made by `from_potential`: F and its gradient's inverse, a coordinate at a time."""
    F = np.vectorize(potential, otypes=[np.float64])

    def conjugate(z: Floats) -> Any:
        """Return G(z) = sup w z - F(w), which the link attains."""
        w = link(z)
        return np.sum(w * z - F(w)) if len(z) else 0.0

    return Separable(
        weights=link,
        growth=lambda z, dz: conjugate(z + dz) - conjugate(z),
        distance=lambda u, z: (np.sum(F(u)) - u @ z) + conjugate(z),
    )


class Summed(Potential):
    """A potential with a running sum over all coordinates, in a unit; both are computed anew before they go stale."""

    def __init__(self) -> None:
        self._unit, self._total, self._peak, self._renewed = 1.0, 0.0, 0.0, False

    @abstractmethod
    def unit(self, z: Floats) -> float:
        """Return a unit in which the shares of all coordinates are at most about 1."""

    @abstractmethod
    def share(self, z: Floats) -> Floats:
        """Return what each coordinate adds to the sum."""

    @abstractmethod
    def value(self) -> float:
        """Return G, from the unit and the sum."""

    def begin(self, z: Floats) -> None:
        """Choose the unit and sum all shares."""
        self._unit = self.unit(z)
        self._total = self._peak = float(np.sum(self.share(z)))

    def rise(self, z: Floats, columns: Ints, dz: Floats) -> float:
        """Return the growth of G; a sum that has fallen far, or grown out of its unit, is made anew."""
        before = self.value()
        with np.errstate(over="ignore", invalid="ignore"):
            total = self._total + float(np.sum(self.share(z[columns] + dz) - self.share(z[columns])))
        self._renewed = not self._peak * DROP <= total <= GROWN * self._peak
        if self._renewed:
            after = z.copy()
            after[columns] += dz
            self.begin(after)
        else:
            self._total, self._peak = total, max(self._peak, total)
        return self.value() - before

    def stale(self) -> bool:
        """Tell whether the unit has changed."""
        return self._renewed


class PNorm(Summed):
    """Half the squared p-norm of the duals."""

    def __init__(self, p: float) -> None:
        super().__init__()
        self.p = p

    def unit(self, z: Floats) -> float:
        """Return the largest dual's size."""
        return float(np.max(np.abs(z), initial=0.0)) or 1.0

    def share(self, z: Floats) -> Floats:
        """Return |z|^p in the unit."""
        return np.asarray((np.abs(z) / self._unit) ** self.p)

    def value(self) -> float:
        """Return ||z||^2 / 2."""
        return float(0.5 * self._unit**2 * self._total ** (2.0 / self.p))

    def weight(self, z: Floats) -> Floats:
        """Return sign(z) |z|^(p-1), in the unit."""
        return np.asarray(np.sign(z) * (np.abs(z) / self._unit) ** (self.p - 1.0))

    def scale(self) -> float:
        """Return ||z||^(p-2), in the unit."""
        return float(self._total ** ((self.p - 2.0) / self.p)) / self._unit if self._total > 0.0 else 1.0

    def divergence(self, u: Floats, z: Floats) -> float:
        """Return ||u||_q^2 / 2 - u.z + ||z||_p^2 / 2."""
        q, unit = self.p / (self.p - 1.0), self.unit(z)
        norm = unit * np.sum((np.abs(z) / unit) ** self.p) ** (1.0 / self.p)
        return float(0.5 * np.sum(np.abs(u) ** q) ** (2.0 / q) - u @ z + 0.5 * norm**2)


class RelativeEntropy(Summed):
    """Relative entropy to weights that sum to 1: Normalized Winnow."""

    def unit(self, z: Floats) -> float:
        """Return the largest dual."""
        most = float(np.max(z, initial=-inf))
        return most if most > -inf else 0.0

    def share(self, z: Floats) -> Floats:
        """Return exp(z) in the unit."""
        return np.exp(z - self._unit)

    def value(self) -> float:
        """Return ln sum exp(z)."""
        return self._unit + log(self._total) if self._total > 0.0 else -inf

    def weight(self, z: Floats) -> Floats:
        """Return exp(z) in the unit."""
        return self.share(z)

    def scale(self) -> float:
        """Return the sum of all weights."""
        return self._total

    def divergence(self, u: Floats, z: Floats) -> float:
        """Return the sum of u ln(u/w)."""
        on, unit = u > 0.0, self.unit(z)
        return float(np.sum(u[on] * (np.log(u[on]) - z[on])) + unit + np.log(np.sum(np.exp(z - unit))))
