"""ROMMA: the relaxed on-line maximum margin algorithm."""

from __future__ import annotations

from littlestone import bounds
from littlestone.bounds import Bound
from littlestone.core.arrays import Floats
from littlestone.core.parameters import check_flag
from littlestone.core.rational import check_counted
from littlestone.engine.learning import steps
from littlestone.learners.base import Learner
from littlestone.machines.machine import Machine
from littlestone.machines.stepping import Stepping

__all__ = ["ROMMA"]


class ROMMA(Learner):
    """The shortest w in two half-spaces: that of the last example, and one that stands for all before it.

    Update on a mistake: to the shortest u with ``y (u.x) >= 1`` and ``u.w >= |w|^2``. From 0 that is ``y x / |x|^2``;
    else, with y in {-1, +1}, ``w <- c w + d x`` with

    ``c = (|x|^2 |w|^2 - y (w.x)) / (|x|^2 |w|^2 - (w.x)^2)``, ``d = |w|^2 (y - w.x) / (|x|^2 |w|^2 - (w.x)^2)``.

    Predict 1 iff ``w.x >= 0``. Where x and w point in opposite directions (sin^2 of the angle below 1e-12) no u is in
    both half-spaces, and w stays. On rows that no hyperplane separates |w| grows without end: beyond 1e150 `hypothesis`
    and `activation` give it in a unit of its own.

    Parameters
    ----------
    aggressive : bool
        Update also where ``y (w.x) < 1``. Then ``y x / |x|^2`` may be in both half-spaces, and is taken.
    bias : bool
        Add a constant coordinate, learned like any other.

    An example's weight is 0 or 1: to repeat a row changes nothing.

    Bound
    -----
    |u|^2 R^2 mistakes, aggressive or not, where y (u.x) >= 1 on every trial and |x| <= R: the Perceptron's.

    Example
    -------
    >>> import numpy as np
    >>> from littlestone.learners import ROMMA
    >>> rng = np.random.default_rng(0)
    >>> X = rng.random((500, 20)) < 0.3
    >>> y = X[:, :3].any(axis=1)
    >>> learner = ROMMA(aggressive=True)
    >>> _ = learner.learn(X, y)
    >>> learner.mistakes, learner.updates, learner.guarantee.at(k=3).value
    (16, 276, 273)

    Reference
    ---------
    Li and Long, "The relaxed online maximum margin algorithm", Machine Learning 46 (2002).
    """

    def __init__(self, *, aggressive: bool = False, bias: bool = True) -> None:
        super().__init__()
        check_flag("ROMMA", "aggressive", aggressive)
        check_flag("ROMMA", "bias", bias)
        self.aggressive, self.bias = aggressive, bias

    def _check_weights(self, importance: Floats) -> None:
        check_counted(self._owner, importance, "its step is a projection")

    def _build(self, n: int | None) -> Machine:
        del n
        return Stepping(steps.AGGRESSIVE if self.aggressive else steps.ROMMA, bias=self.bias)

    def _bound(self, n: int, k: int, attribute_errors: int) -> Bound | None:
        if attribute_errors or not self.bias:
            return None
        return bounds.romma_disjunction(k=k, X=n - 1)
