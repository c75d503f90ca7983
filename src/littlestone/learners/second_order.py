"""What learners with a covariance share: its kind, and how far each attribute may still move."""

from __future__ import annotations

from abc import abstractmethod
from statistics import NormalDist
from typing import Any

from littlestone.core.parameters import check_number, choice, flag
from littlestone.learners.base import Learner
from littlestone.machines.machine import Machine
from littlestone.machines.moments import Diagonal, Full, check_full
from littlestone.parts.updates import Update

__all__ = ["SecondOrder", "covariances", "deviations"]


def deviations(owner: str, eta: float) -> float:
    """Return phi, the number of standard deviations within which a Gaussian is with probability eta.

    >>> round(deviations("SCW", 0.9), 4)
    1.2816
    """
    check_number(owner, "eta", eta, above=0.5, below=1.0)
    return NormalDist().inv_cdf(float(eta))


def covariances(more: str = "") -> Any:
    """Declare the kind of covariance; ``more`` is what a learner has to add to its meaning."""
    return choice(
        default="diagonal",
        among=("diagonal", "full"),
        says='"diagonal" adds the diagonal of x x\' only, and a trial costs the attributes that are on. "full" '
        "takes time at an update and room at all times in proportion to the square of the number of attributes, "
        f"at most 8192. {more}".rstrip(),
    )


class SecondOrder(Learner):
    """A learner that keeps a Gaussian over hypotheses: it moves the less, the surer it is."""

    bias: bool = flag(
        default=True,
        says="Add a constant coordinate, learned like any other. Without it x=0 is always taken for positive.",
    )
    covariance: str = covariances()

    @property
    def exchangeable(self) -> bool:  # type: ignore[override]
        """Whether permuting the attributes permutes the weights: with a full covariance up to rounding only."""
        return self.covariance == "diagonal"

    @abstractmethod
    def _update(self) -> tuple[Update, tuple[float, ...]]:
        """Return the rule, and its parameters, two at most."""

    def _build(self, n: int | None) -> Machine:
        update, rule = self._update()
        if self.covariance == "diagonal":
            return Diagonal(update, rule, bias=self.bias)
        check_full(self._owner, n or 0, bias=self.bias)
        return Full(self._owner, update, rule, bias=self.bias)
