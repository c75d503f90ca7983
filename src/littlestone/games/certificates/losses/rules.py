"""Rules of a regressor: by what it played, in the numbers of its paper, so that anybody can play it again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from math import isclose, isfinite, log
from typing import Any

import numpy as np

from littlestone.core.arrays import Floats
from littlestone.core.errors import InvalidCertificate, InvalidParameter
from littlestone.games.certificates import potentials
from littlestone.games.certificates.rules import whole

__all__ = ["ALGORITHMS", "LossRules"]

MOST = 1 << 30  # coordinates
EXACT = 1e-12  # how near to its class a comparator must be: the sum of a mixture to 1
ALGORITHMS = {  # and the theorem that each has
    "gradient-descent": "Cesa-Bianchi-Long-Warmuth, gradient descent",
    "exponentiated-gradient": "Kivinen-Warmuth, exponentiated gradient",
    "eg-plus-minus": "Kivinen-Warmuth, EG+-",
    "beg-regression": "Bylander, BEG, derived",
}


@dataclass(frozen=True)
class LossRules:
    """A regressor with all its numbers; ``n`` is the number of coordinates without the constant one.

    >>> import littlestone as ls
    >>> stream = ls.from_arrays([[1, 0], [1, 1]], [1.0, 2.0], task="regression")
    >>> ls.play(ls.GradientDescent(X=2.0), stream).certificate([1.0, 1.0]).rules
    LossRules(algorithm='gradient-descent', n=2, eta=0.0625, c=1.0, X=2.0, U=1.0, start=0.0, bias=True)
    """

    algorithm: str
    n: int
    eta: float
    c: float
    X: float
    U: float = 1.0
    start: float = 0.0
    """The weight of every coordinate before the first trial; 0 where the algorithm leaves no choice."""
    bias: bool = True

    def __post_init__(self) -> None:
        if not self._sound():
            raise InvalidCertificate(f"certificate: expected the rules of a regressor with a ledger, got {self}")

    def _sound(self) -> bool:
        numbers = (self.eta, self.c, self.X, self.U, self.start)
        if self.algorithm not in ALGORITHMS or not whole(self.n) or not 1 <= self.n <= MOST:
            return False
        if not isinstance(self.bias, bool) or not all(isinstance(one, float) and isfinite(one) for one in numbers):
            return False
        if min(self.eta, self.c, self.X, self.U) <= 0.0 or (self.algorithm != "eg-plus-minus" and self.U != 1.0):
            return False
        if not (0.0 < self.start < 1.0 if self.algorithm == "beg-regression" else self.start == 0.0):
            return False
        half = 1.0 if self.algorithm == "gradient-descent" else 2.0
        most = 0.5 if self.algorithm == "gradient-descent" else 2.0
        return isclose(self.eta * self.radius**2, most * self.c / (half + self.c), rel_tol=1e-12)

    @property
    def radius(self) -> float:
        """What bounds a row in the proof: X, or 2 U X."""
        return 2.0 * self.U * self.X if self.algorithm == "eg-plus-minus" else self.X

    @property
    def share(self) -> float:
        """What a loss of the comparator counts in the bound: 1 + c, or 1 + c/2."""
        return 1.0 + (self.c if self.algorithm == "gradient-descent" else 0.5 * self.c)

    @property
    def price(self) -> float:
        """What the potential counts in the bound: (1/2 + 1/c) R^2; of half the squared distance (2 + 2/c) X^2."""
        half = 2.0 + 2.0 / self.c if self.algorithm == "gradient-descent" else 0.5 + 1.0 / self.c
        return half * self.radius**2

    @property
    def coordinates(self) -> int:
        """How many duals there are: one a weight, two where weights have any sign by twins."""
        return (self.n + int(self.bias)) * (2 if self.algorithm == "eg-plus-minus" else 1)

    @property
    def dual(self) -> float:
        """The dual of every coordinate before the first trial."""
        return log(self.start) - log(1.0 - self.start) if self.algorithm == "beg-regression" else 0.0

    @property
    def theorem(self) -> str:
        """The theorem whose proof the ledger is."""
        return ALGORITHMS[self.algorithm]

    def potential(self) -> potentials.Potential:
        """Return the potential of the proof."""
        makers: dict[str, Callable[[], potentials.Potential]] = {
            "gradient-descent": lambda: potentials.SQUARED,
            "beg-regression": lambda: potentials.BINARY_ENTROPY,
        }
        return makers.get(self.algorithm, potentials.RelativeEntropy)()

    def size(self, values: Floats) -> float:
        """Return how large a row is, without the constant coordinate, by the measure of the theorem."""
        one = 1.0 if self.bias else 0.0
        if self.algorithm in ("gradient-descent", "beg-regression"):
            return float(np.sqrt(values @ values + one))
        if self.algorithm == "eg-plus-minus":
            return float(np.max(np.abs(values), initial=one))
        ends = [1.0] * self.bias + [0.0] * (len(values) < self.n)
        every = np.append(values, ends)
        return float(every.max() - every.min())

    def comparator(self, u: Floats) -> Floats:
        """Return a comparator as the proof has it, coordinate by coordinate; refuse one that is not in the class."""
        if self.algorithm == "gradient-descent":
            return u
        if self.algorithm == "eg-plus-minus":
            spare = self.U - float(np.abs(u).sum())
            _check(spare >= -EXACT * self.U, f"sizes that sum to U = {self.U:g} at most", float(np.abs(u).sum()))
            halves = np.concatenate((np.maximum(u, 0.0), np.maximum(-u, 0.0))) + max(spare, 0.0) / self.coordinates
            return np.asarray(halves / halves.sum())
        _check(bool((u >= 0.0).all()), "weights that are not negative", float(u.min(initial=0.0)))
        if self.algorithm == "beg-regression":
            _check(bool((u <= 1.0).all()), "weights of at most 1", float(u.max(initial=0.0)))
            return u
        _check(abs(float(u.sum()) - 1.0) <= EXACT, "weights that sum to 1", float(u.sum()))
        return u

    def __str__(self) -> str:
        _, *others = fields(self)
        values = {one.name: getattr(self, one.name) for one in others if getattr(self, one.name) != one.default}
        return f"{self.algorithm}({', '.join(f'{name}={value!r}' for name, value in values.items())})"


def _check(sound: bool, expected: str, got: Any) -> None:
    if not sound:
        raise InvalidParameter(f"comparator: the theorem is about {expected}, got {got:g}")
