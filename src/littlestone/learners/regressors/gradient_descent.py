"""Gradient descent: the rule of Widrow and Hoff."""

from __future__ import annotations

from typing import Self

from littlestone import bounds
from littlestone.bounds import Bound
from littlestone.core.parameters import check_number
from littlestone.learners.regressors.mirror_descent import DescentRegressor, best_c
from littlestone.parts import links
from littlestone.parts.links import Link

__all__ = ["GradientDescent"]


class GradientDescent(DescentRegressor):
    """Widrow and Hoff's rule: a step down the slope of each trial's loss.

    Predict ``w.x``, at first w = 0. For the square loss, ``w <- w - 2 eta (w.x - y) x``; for others, with their slope
    in the place of 2 (w.x - y). ``eta = c/(2 X^2 (1 + c))`` where all rows have ``|x| <= X``, the constant coordinate
    counted; without X, the longest row so far takes its place, and no step goes beyond the outcome.

    On the linear hinge it is the `Perceptron`, trial for trial.

    Bound
    -----
    With X, for the square loss and every u: loss <= (1 + c) L(u) + (1 + 1/c) X^2 |u|^2, see `bounds.gradient_descent`.
    For losses of bounded slope see `bounds.gd_regret`, for the logistic one `bounds.gd_logistic`.

    Example
    -------
    >>> import littlestone as ls
    >>> learner = ls.GradientDescent(eta=0.1, bias=False)
    >>> learner.learn([[1, 0], [1, 1], [0, 2]], [1.0, 2.0, 0.0]).round(3).tolist()
    [0.0, 0.2, 0.72]
    >>> {name: round(weight, 3) for name, weight in learner.weights().items()}, round(learner.loss, 4)
    ({0: 0.56, 1: 0.072}, 4.7584)
    >>> X, y = [[1, 0], [0, 1], [1, 1]], [0, 1, 0]
    >>> hinge, perceptron = ls.GradientDescent(eta=1.0, loss_function="linear-hinge:0"), ls.Perceptron(eta=1.0)
    >>> (hinge.learn(X, y) >= 0.0).tolist() == perceptron.learn(X, y).astype(bool).tolist()
    True
    >>> hinge.weights() == perceptron.weights(), hinge.updates == perceptron.mistakes
    (True, True)

    Reference
    ---------
    Widrow and Hoff, "Adaptive switching circuits", WESCON 1960; Cesa-Bianchi, Long and Warmuth, "Worst-case quadratic
    loss bounds for prediction using linear functions and gradient descent", IEEE Trans. Neural Networks 7 (1996).
    """

    half = 1.0

    def _share(self) -> float:
        return self.c / (2.0 * (1.0 + self.c))

    def _link(self, n: int | None) -> Link:
        del n
        return links.identity()

    def _on_squares(self, X: float, c: float, n: int) -> Bound | None:
        del n
        return bounds.gradient_descent(X=X, c=c, **self._described("loss", "norm"))

    def _on_slopes(self, X: float, eta: float, slope: float, n: int) -> Bound | None:
        del n
        return bounds.gd_regret(trials=self._trials, X=X, slope=slope, eta=eta, **self._described("norm"))

    def _on_logistic(self, X: float, eta: float, n: int) -> Bound | None:
        del n
        if eta * X * X >= 4.0:
            return None
        return bounds.gd_logistic(X=X, eta=eta, **self._described("loss", "norm"))

    @classmethod
    def tuned(cls, *, X: float, norm: float, loss: float = 0.0, bias: bool = True) -> Self:
        """Return gradient descent with the best c for a target u of this length that loses so much on the square loss.

        All rows have |x| <= X; where there is a constant coordinate, it counts in rows and in u.

        >>> learner = GradientDescent.tuned(X=2.0, norm=3.0, loss=4.0)
        >>> learner.c, learner.guarantee.value
        (3.0, 64.0)
        """
        check_number("GradientDescent", "X", X, above=0.0)
        check_number("GradientDescent", "norm", norm, above=0.0, ends="[)")
        check_number("GradientDescent", "loss", loss, above=0.0, ends="[)")
        learner = cls(c=best_c(X * norm, loss), X=X, bias=bias)
        learner._promise = {"loss": float(loss), "norm": float(norm)}
        return learner
