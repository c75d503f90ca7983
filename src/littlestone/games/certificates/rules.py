"""Rules: by what a learner played, in the numbers of its paper, so that anybody can play it again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from fractions import Fraction
from math import inf, isclose, isfinite, log
from typing import Any

from littlestone.core.errors import InvalidCertificate, InvalidParameter
from littlestone.core.rational import simplest_fraction
from littlestone.games.certificates import potentials

__all__ = ["ADDITIVE", "MEASURED", "Rules", "whole"]

ADDITIVE = ("perceptron", "p-norm", "own-potential")  # their steps are etas, the others' factors
MOST = 1 << 30  # coordinates
MEASURED = ("own-potential", "two-sided")  # no theorem bounds their remainders


def whole(value: Any) -> bool:
    """Tell whether something is a whole number of usual size."""
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1 << 62


@dataclass(frozen=True)
class Rules:
    """An algorithm with all its numbers.

    ``promotion`` and ``demotion`` are the factors of an update (the two etas, for an additive algorithm), ``start`` the
    weight of every coordinate before the first trial (its odds, for BEG; its dual, for an additive algorithm), ``n``
    the number of coordinates without the constant one.

    >>> import littlestone as ls
    >>> stream = ls.teachers.Disjunction(n=50, k=2, trials=1000)
    >>> rules = ls.play(ls.Winnow(), stream).certificate({0, 1}).rules
    >>> rules.algorithm, rules.n, rules.promotion, rules.demotion, rules.theta
    ('winnow', 50, 2.0, 0.5, 50.0)
    """

    algorithm: str
    n: int
    promotion: float
    demotion: float
    theta: float
    tie: int = 1
    start: float = 0.0
    bias: bool = False
    negations: bool = False
    p: float = 2.0
    gamma: float = 0.5

    def __post_init__(self) -> None:
        if not self._sound():
            raise InvalidCertificate(f"certificate: expected the rules of a quasi-additive learner, got {self}")

    def _sound(self) -> bool:
        """Tell whether these are numbers that an algorithm can have; what it has no use for is as by default."""
        numbers = (self.promotion, self.demotion, self.theta, self.start, self.p, self.gamma)
        if not isinstance(self.algorithm, str) or not whole(self.n) or not 1 <= self.n <= MOST:
            return False
        if not all(isinstance(number, float) and isfinite(number) for number in numbers) or not whole(self.tie):
            return False
        if self.tie not in (0, 1) or not isinstance(self.bias, bool) or not isinstance(self.negations, bool):
            return False
        if (self.negations and self.n % 2) or (self.algorithm != "p-norm" and self.p != 2.0) or self.p < 2.0:
            return False
        if not 0.0 < self.gamma < 1.0 or (self.algorithm != "bayes-beg" and self.gamma != 0.5):
            return False
        if self.algorithm in ADDITIVE:
            return 0.0 < self.promotion == self.demotion and (self.start == 0.0 or self.algorithm == "own-potential")
        steps = self.promotion > 1.0 > self.demotion >= 0.0
        if self.algorithm == "winnow":
            steps = (steps or (self.promotion, self.demotion) == (1.0, 0.0)) and self.theta > 0.0
        return steps and self.start > 0.0 and (self.algorithm != "normalized-winnow" or self.start == 1.0)

    @property
    def steps(self) -> tuple[float, float]:
        """How far a dual moves in a demotion and in a promotion."""
        if self.algorithm in ADDITIVE:
            return -self.demotion, self.promotion
        return log(self.demotion) if self.demotion > 0.0 else -inf, log(self.promotion)

    @property
    def dual(self) -> float:
        """The dual of every coordinate before the first trial."""
        if self.algorithm in ADDITIVE:
            return self.start
        return log(self.start) if self.algorithm in ("winnow", "thresholded-beg", "bayes-beg") else 0.0

    @property
    def factors(self) -> tuple[Fraction, Fraction]:
        """The factors of a promotion and of a demotion as fractions: those that the floats stand for."""
        up = simplest_fraction(self.promotion)
        inverse = isclose(self.promotion * self.demotion, 1.0, rel_tol=1e-15)
        return up, 1 / up if inverse else simplest_fraction(self.demotion)

    def __str__(self) -> str:
        _, *others = fields(self)
        values = {one.name: getattr(self, one.name) for one in others if getattr(self, one.name) != one.default}
        return f"{self.algorithm}({', '.join(f'{name}={value!r}' for name, value in values.items())})"

    def potential(self, link: Any = None) -> potentials.Potential:
        """Return the potential of this algorithm's proof; ``link`` is a user's own."""
        if self.algorithm == "own-potential":
            if getattr(link, "function", None) is None:
                raise InvalidParameter("certificate: the potential is a user's own; give the link of from_potential")
            return potentials.own(link.function, link)
        makers: dict[str, Callable[[], potentials.Potential]] = {
            "perceptron": lambda: potentials.SQUARED,
            "p-norm": lambda: potentials.PNorm(self.p),
            "winnow": lambda: potentials.ENTROPY,
            "normalized-winnow": potentials.RelativeEntropy,
            "thresholded-beg": lambda: potentials.BINARY_ENTROPY,
            "two-sided": lambda: potentials.two_sided(self.start),
            "bayes-beg": lambda: potentials.votes(self.promotion, self.demotion, self.gamma),
        }
        if self.algorithm not in makers:
            raise InvalidParameter(f"certificate: expected one of {', '.join(makers)}, got {self.algorithm!r}")
        return makers[self.algorithm]()
