"""The potentials that proofs count, in plain NumPy: nothing here is shared with the learners or their engine.

A potential turns duals into weights, ``w = grad G(z)``, and measures how far a hypothesis is from a comparator u:
``D(u, w) = F(u) - u.z + G(z)``, F the conjugate of G. An update ``z <- z + dz`` lowers it by
``u.dz - (G(z + dz) - G(z))``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from math import inf, log

import numpy as np

from littlestone.core.arrays import Floats, Ints

__all__ = [
    "BinaryEntropy",
    "Entropy",
    "OwnPotential",
    "PNorm",
    "Potential",
    "RelativeEntropy",
    "Squared",
    "Summed",
    "TwoSided",
    "Votes",
]


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

    def total(self, z: Floats) -> float:
        """Return the total weight, where `rise` is its growth."""
        raise NotImplementedError(f"{type(self).__name__} has no total weight that its proof counts")

    def stale(self) -> bool:
        """Tell whether the last rise changed the unit, so that the weights of all coordinates must be computed anew."""
        return False


class Squared(Potential):
    """Half the squared Euclidean distance: the Perceptron."""

    def weight(self, z: Floats) -> Floats:
        """Return z."""
        return z

    def rise(self, z: Floats, columns: Ints, dz: Floats) -> float:
        """Return the growth of |z|^2 / 2."""
        return float(np.sum(z[columns] * dz + 0.5 * dz * dz))

    def divergence(self, u: Floats, z: Floats) -> float:
        """Return |u - w|^2 / 2."""
        return float(0.5 * np.sum((u - z) ** 2))


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


class Entropy(Potential):
    """Unnormalised relative entropy: Winnow."""

    def weight(self, z: Floats) -> Floats:
        """Return exp(z)."""
        return np.exp(z)

    def total(self, z: Floats) -> float:
        """Return the sum of all weights."""
        return float(np.sum(np.exp(z)))

    def rise(self, z: Floats, columns: Ints, dz: Floats) -> float:
        """Return the growth of the total weight."""
        return float(np.sum(np.exp(z[columns]) * np.expm1(dz)))

    def divergence(self, u: Floats, z: Floats) -> float:
        """Return the sum of u ln(u/w) + w - u."""
        on = u > 0.0
        return float(np.sum(u[on] * (np.log(u[on]) - z[on]) - u[on]) + np.sum(np.exp(z)))


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


class BinaryEntropy(Potential):
    """The sum of binary relative entropies: Thresholded-BEG."""

    def weight(self, z: Floats) -> Floats:
        """Return 1 / (1 + exp(-z))."""
        return np.asarray(np.exp(-np.logaddexp(0.0, -z)))

    def rise(self, z: Floats, columns: Ints, dz: Floats) -> float:
        """Return the growth of the sum of ln(1 + exp(z))."""
        before = z[columns]
        return float(np.sum(np.logaddexp(0.0, before + dz) - np.logaddexp(0.0, before)))

    def divergence(self, u: Floats, z: Floats) -> float:
        """Return the sum of u ln(u/w) + (1-u) ln((1-u)/(1-w))."""
        inner = u[(u > 0.0) & (u < 1.0)]
        negative = float(np.sum(inner * np.log(inner) + (1.0 - inner) * np.log1p(-inner)))
        return negative - float(u[u > 0.0] @ z[u > 0.0]) + float(np.sum(np.logaddexp(0.0, z)))


class TwoSided(Potential):
    """Unnormalised relative entropy on (x, -x), ``w = 2 w1 sinh(z)``: Balanced Winnow."""

    def __init__(self, w1: float) -> None:
        self.w1 = w1

    def weight(self, z: Floats) -> Floats:
        """Return w1 (exp(z) - exp(-z))."""
        return 2.0 * self.w1 * np.sinh(z)

    def rise(self, z: Floats, columns: Ints, dz: Floats) -> float:
        """Return the growth of the total of both sides."""
        return float(2.0 * self.w1 * np.sum(np.cosh(z[columns] + dz) - np.cosh(z[columns])))

    def divergence(self, u: Floats, z: Floats) -> float:
        """Return F(u) - u.z + G(z)."""
        half = u / (2.0 * self.w1)
        return float(
            np.sum(u * (np.arcsinh(half) - z)) + 2.0 * self.w1 * np.sum(np.cosh(z) - np.sqrt(1.0 + half * half))
        )


class Votes(Potential):
    """Bayes-BEG's votes; what its proof counts is their sum without the constant kappa. No divergence."""

    def __init__(self, beta1: float, beta0: float, gamma: float) -> None:
        self._high, self._low = log(beta1), log(beta0) if beta0 > 0.0 else -inf
        self._kappa = log(gamma * (1.0 - beta0) / ((1.0 - gamma) * (beta1 - 1.0)))

    def total(self, z: Floats) -> float:
        """Return the sum of ln((1 + beta1 odds) / (1 + beta0 odds))."""
        return float(np.sum(np.logaddexp(0.0, z + self._high) - np.logaddexp(0.0, z + self._low)))

    def weight(self, z: Floats) -> Floats:
        """Return the votes."""
        return np.asarray(self._kappa + np.logaddexp(0.0, z + self._high) - np.logaddexp(0.0, z + self._low))

    def rise(self, z: Floats, columns: Ints, dz: Floats) -> float:
        """Return the growth of the sum of votes."""
        return self.total(z[columns] + dz) - self.total(z[columns])

    def divergence(self, u: Floats, z: Floats) -> float:
        """Refuse: the proof is by total weight."""
        raise NotImplementedError("Bayes-BEG has no proof by divergence")


class OwnPotential(Potential):
    """The potential of a link made by `from_potential`: F and its gradient's inverse, a coordinate at a time."""

    def __init__(self, potential: Callable[[float], float], link: Callable[[Floats], Floats]) -> None:
        self._potential, self._link = np.vectorize(potential, otypes=[np.float64]), link

    def weight(self, z: Floats) -> Floats:
        """Return link(z)."""
        return self._link(z)

    def _conjugate(self, z: Floats) -> float:
        """Return G(z) = sup w z - F(w), which the link attains."""
        w = self._link(z)
        return float(np.sum(w * z - self._potential(w))) if len(z) else 0.0

    def rise(self, z: Floats, columns: Ints, dz: Floats) -> float:
        """Return the growth of G."""
        return self._conjugate(z[columns] + dz) - self._conjugate(z[columns])

    def divergence(self, u: Floats, z: Floats) -> float:
        """Return F(u) - u.z + G(z)."""
        return float(np.sum(self._potential(u)) - u @ z) + self._conjugate(z)
