"""What regressors by least squares share: how far each weight may still move, of all pairs or one by one."""

from __future__ import annotations

from abc import abstractmethod

from littlestone.core.parameters import choice, flag, number
from littlestone.engine.compiling import Kept
from littlestone.learners.regressors.base import Regressor
from littlestone.machines import least_squares
from littlestone.machines.adaptive import Adaptive
from littlestone.machines.machine import Machine
from littlestone.machines.moments import check_full

__all__ = ["LeastSquares"]


class LeastSquares(Regressor):
    """A regressor that keeps what the rows so far say of the best weights, and how sure that is."""

    a: float = number(
        default=1.0, above=0, says="What the square of the weights' length costs: the larger, the slower."
    )
    covariance: str = choice(
        default="full",
        among=("diagonal", "full"),
        says='"full" takes time at an update and room at all times in proportion to the square of the number of '
        'attributes, at most 8192. "diagonal" adds the diagonal of x x\' only, and a trial costs the attributes that '
        "are on.",
    )
    bias: bool = flag(default=True, says="Add a constant coordinate, learned like any other.")

    @property
    def exchangeable(self) -> bool:  # type: ignore[override]
        """Whether permuting the attributes permutes the weights: with a full covariance up to rounding only."""
        return self.covariance == "diagonal"

    @abstractmethod
    def _diagonal(self) -> tuple[Kept, Kept | None]:
        """Return the kernels of a diagonal covariance: the one that learns and the one that predicts (None: w.x)."""

    def _foresees(self) -> bool:
        """Tell whether a prediction is made with the present row in A."""
        return False

    def _build(self, n: int | None) -> Machine:
        if self.covariance == "diagonal":
            return Adaptive(self.measure, *self._diagonal(), (), (0.0, float(self.a)), bias=self.bias)
        check_full(self._owner, n or 0, bias=self.bias)
        return least_squares.LeastSquares(self._owner, float(self.a), foresees=self._foresees(), bias=self.bias)
