"""What learners with a covariance share: its kind, and how far each attribute may still move."""

from __future__ import annotations

from abc import abstractmethod
from statistics import NormalDist

from littlestone.core.errors import InvalidParameter
from littlestone.core.parameters import check_flag, check_number
from littlestone.learners.base import Learner
from littlestone.machines.machine import Machine
from littlestone.machines.moments import Diagonal, Full, check_full
from littlestone.parts.updates import Update

__all__ = ["SecondOrder", "deviations"]


def deviations(owner: str, eta: float) -> float:
    """Return phi, the number of standard deviations within which a Gaussian is with probability eta.

    >>> round(deviations("SCW", 0.9), 4)
    1.2816
    """
    check_number(owner, "eta", eta, above=0.5, below=1.0)
    return NormalDist().inv_cdf(float(eta))


class SecondOrder(Learner):
    """A learner that keeps a Gaussian over hypotheses: it moves the less, the surer it is."""

    def __init__(self, *, bias: bool, covariance: str) -> None:
        super().__init__()
        check_flag(self._owner, "bias", bias)
        if covariance not in ("diagonal", "full"):
            raise InvalidParameter(f"{self._owner}: covariance must be 'diagonal' or 'full', got {covariance!r}")
        self.bias, self.covariance = bias, covariance

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
