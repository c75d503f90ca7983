"""AutoRegressor: the regressor to reach for when one does not want to choose."""

from __future__ import annotations

from typing import Any, NamedTuple

from littlestone import bounds
from littlestone.bounds import Bound
from littlestone.core.arrays import Floats
from littlestone.core.hypothesis import Hypothesis
from littlestone.core.parameters import number
from littlestone.core.rows import rows_of
from littlestone.learners.regressors.base import Regressor
from littlestone.machines.averaging import NAMES, Averaging
from littlestone.machines.machine import Machine, of_kind

__all__ = ["AutoRegressor", "Forecaster"]


class Forecaster(NamedTuple):
    """One expert of the pool: who it is, what it has lost, and its share in the next prediction."""

    name: str
    loss: float
    share: float


class AutoRegressor(Regressor):
    """A weighted mean of experts that are good at different things; there is nothing to set.

    Twelve experts learn every row, in one pass. Three look at outcomes only: their mean, the last one, and a mean that
    moves by a tenth. Four are least squares with a full covariance, while there are at most 100 attributes: one
    foresees the present row (Vovk, Azoury and Warmuth), two have the last two outcomes as attributes, and one of these
    forgets 2 % a trial. Two are normalised adaptive gradient descents, two normalised least mean squares, for any
    number of attributes. The last one learns, by least squares, how to weigh what the others say. No unit matters, that
    of an attribute or that of the outcomes, and no outcome need be near 0: all count from the first one.

    Expert i predicts p_i, held in the range of the outcomes so far. Predict the mean of p_i, weighted by w_i (0 in the
    first trial), and then

        w_i <- w_i exp(-eta (p_i - y)^2).

    ``eta = 1/(8 Y^2)`` where all outcomes are in [-Y, Y]. Without Y it follows the game: ln N over the *gap* so far,
    what the mean has lost more than -ln(sum of w_i exp(-eta (p_i - y)^2))/eta, where it did (AdaHedge).

    Values may be of any size and sign. A row's weight multiplies losses and updates. A trial costs the attributes that
    are on, some four times what one gradient descent costs; least squares the square of their number.

    Bound
    -----
    On any sequence, whatever the outcomes, with L the loss of the best of the N = 12 experts: with Y

        loss <= L + 8 Y^2 ln N,

    see `bounds.averaging`, and without it loss <= L + 4 B^2 ln N + 2 B^2, where all outcomes after the first one are in
    an interval of width B with it: `bounds.averaging_adaptive`. (Who leaves, because there are more attributes, takes
    his weight with him; the best one is of those that are left.) ``guarantee`` has the L, and the B, so far, so that it
    is the bound that every game had to keep. None, if some example had a weight; void, if an outcome was beyond Y.

    Example
    -------
    >>> import numpy as np
    >>> import littlestone as ls
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(500, 5))
    >>> y = 100 + X @ [3.0, 0.0, 0.0, 0.0, -2.0] + 0.1 * rng.normal(size=500)
    >>> learner = ls.AutoRegressor()
    >>> p = learner.learn(X, y)
    >>> float(np.sqrt(np.mean((p - y)[100:] ** 2)).round(2)), learner.best.name
    (0.12, 'least squares(a=0.01, memory=1.0, foresees=False, lags=0)')
    >>> learner.loss <= learner.guarantee.value
    True

    Reference
    ---------
    Kivinen and Warmuth, "Averaging expert predictions", EuroCOLT 1999; de Rooij, van Erven, Grunwald and Koolen,
    "Follow the leader if you can, hedge if you must", JMLR 15 (2014); Ross, Mineiro and Langford, "Normalized online
    learning", UAI 2013.
    """

    Y: float | None = number(default=None, above=0, says="The largest outcome, by its size; None: it follows the game.")

    finds_units = True

    bias = True

    def _build(self, n: int | None) -> Machine:
        del n
        if self.Y is None:
            return Averaging()
        return Averaging(eta=1.0 / (8.0 * float(self.Y) ** 2), Y=float(self.Y))

    @property
    def experts(self) -> tuple[Forecaster, ...]:
        """All experts, each with what it has lost so far; infinite, if it has left."""
        pool = self._pool
        found = zip(NAMES, pool.losses.tolist(), pool.shares.tolist(), strict=True)
        return tuple(Forecaster(*one) for one in found)

    @property
    def best(self) -> Forecaster:
        """The expert that has lost least."""
        return self.experts[self._pool.best]

    def hypothesis(self) -> Hypothesis | None:
        """Return None: the mean is no linear function of a row; `weights` has those of the best expert with weights."""
        return None

    # Inside

    def _theorem(self) -> Bound | None:
        if not self._trials:
            return None
        loss, experts = self.best.loss, len(NAMES)
        if self.Y is not None:
            return bounds.averaging(experts=experts, Y=float(self.Y), loss=loss)
        return bounds.averaging_adaptive(experts=experts, width=self._pool.width, loss=loss)

    @property
    def _pool(self) -> Averaging:
        return of_kind(self._started(None, fix=False)[0], Averaging)

    def _scored(self, X: Any) -> tuple[Any, Floats]:
        block, machine, _ = self._asked(X)
        return machine.score(rows_of(block))  # it knows what to do with attributes that nobody has seen

    def _scored_one(self, x: Any) -> tuple[Any, Floats]:
        machine, n = self._started(None, fix=False)
        return machine.score(self._named(x, n)[1])
