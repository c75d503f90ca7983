"""Rules: by what a learner played, in the numbers of its paper, so that anybody can play it again."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import inf, isclose, isfinite, log
from typing import Any

from littlestone.certificates.potentials import (
    BinaryEntropy,
    Entropy,
    OwnPotential,
    PNorm,
    Potential,
    RelativeEntropy,
    Squared,
    TwoSided,
    Votes,
    logit,
)
from littlestone.errors import InvalidCertificate, InvalidParameter
from littlestone.rational import simplest_fraction

__all__ = ["ADDITIVE", "MEASURED", "Rules"]

ADDITIVE = ("perceptron", "p-norm", "own-potential")  # their steps are etas, the others' factors
MOST = 1 << 30  # coordinates
MEASURED = ("own-potential", "two-sided")  # no theorem bounds their remainders


@dataclass(frozen=True)
class Rules:
    """An algorithm with all its numbers.

    ``promotion`` and ``demotion`` are the factors of an update (the two etas, for an additive algorithm), ``w1`` the
    weight of every coordinate at the start (the dual, for the additive ones), ``n`` the number of coordinates without
    the constant one.
    """

    algorithm: str
    n: int
    promotion: float
    demotion: float
    theta: float
    tie: int = 1
    w1: float = 0.0
    bias: bool = False
    negations: bool = False
    p: float = 2.0
    gamma: float = 0.5

    def __post_init__(self) -> None:
        numbers = (self.promotion, self.demotion, self.theta, self.w1, self.p, self.gamma)
        sound = (
            isinstance(self.n, int)
            and 1 <= self.n <= MOST
            and self.tie in (0, 1)
            and all(isinstance(number, int | float) and isfinite(number) for number in numbers)
            and self.p > 1.0
            and 0.0 < self.gamma < 1.0
        )
        if sound and self.algorithm in ADDITIVE:
            sound = self.promotion > 0.0
        elif sound:
            sound = self.promotion >= 1.0 > self.demotion >= 0.0 < self.w1
            sound = sound and (self.w1 < 1.0 or self.algorithm not in ("thresholded-beg", "bayes-beg"))
        if not sound or (self.algorithm == "bayes-beg" and self.promotion == 1.0):
            raise InvalidCertificate(f"certificate: expected the rules of a quasi-additive learner, got {self}")

    @property
    def steps(self) -> tuple[float, float]:
        """How far a dual moves in a demotion and in a promotion."""
        if self.algorithm in ADDITIVE:
            return -self.demotion, self.promotion
        return log(self.demotion) if self.demotion > 0.0 else -inf, log(self.promotion)

    @property
    def start(self) -> float:
        """The dual of every coordinate before the first trial."""
        if self.algorithm in ("thresholded-beg", "bayes-beg"):
            return logit(self.w1)
        return log(self.w1) if self.algorithm == "winnow" else self.w1 if self.algorithm in ADDITIVE else 0.0

    def exact(self, promotions: int, demotions: int) -> Fraction:
        """Return the weight of a coordinate of Winnow's in rationals, floats standing for the simplest fractions."""
        up = simplest_fraction(self.promotion)
        down = (
            1 / up if isclose(self.promotion * self.demotion, 1.0, rel_tol=1e-15) else simplest_fraction(self.demotion)
        )
        return simplest_fraction(self.w1) * up**promotions * down**demotions

    def potential(self, own: Any = None) -> Potential:
        """Return the potential of this algorithm's proof; ``own`` is a user's link."""
        if self.algorithm == "own-potential":
            if getattr(own, "function", None) is None:
                raise InvalidParameter("certificate: the potential is a user's own; give the link of from_potential")
            return OwnPotential(own.function, own)
        made: dict[str, Potential] = {
            "perceptron": Squared(),
            "p-norm": PNorm(self.p),
            "winnow": Entropy(),
            "normalized-winnow": RelativeEntropy(),
            "thresholded-beg": BinaryEntropy(),
            "two-sided": TwoSided(self.w1),
        }
        if self.algorithm == "bayes-beg":
            return Votes(self.promotion, self.demotion, self.gamma)
        if self.algorithm not in made:
            raise InvalidParameter(f"certificate: expected one of {', '.join(made)}, got {self.algorithm!r}")
        return made[self.algorithm]
