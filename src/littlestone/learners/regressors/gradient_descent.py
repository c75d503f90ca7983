"""Gradient descent: the rule of Widrow and Hoff."""

from __future__ import annotations

from littlestone.learners.regressors.mirror_descent import DescentRegressor
from littlestone.parts import links
from littlestone.parts.links import Link

__all__ = ["GradientDescent"]


class GradientDescent(DescentRegressor):
    """Widrow and Hoff's rule: a step down the slope of each trial's loss.

    Predict ``w.x``, at first w = 0. For the square loss, ``w <- w - 2 eta (w.x - y) x``; for others, with their slope
    in the place of 2 (w.x - y). ``eta = c/(2 X^2 (1 + c))`` where all rows have ``|x| <= X``, the constant coordinate
    counted; without X, the longest row so far takes its place, and no step goes beyond the outcome.

    On the linear hinge it is the `Perceptron`, trial for trial.

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

    def _share(self) -> float:
        return self.c / (2.0 * (1.0 + self.c))

    def _link(self, n: int | None) -> Link:
        del n
        return links.identity()
