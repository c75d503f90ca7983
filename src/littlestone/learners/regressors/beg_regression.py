"""BEG for numbers: weights between 0 and 1, each moved by a factor of its odds."""

from __future__ import annotations

from math import log, sqrt
from typing import Self

from littlestone import bounds
from littlestone.bounds import Bound
from littlestone.core.parameters import check_number, number
from littlestone.learners.regressors.mirror_descent import DescentRegressor, best_c
from littlestone.parts import links
from littlestone.parts.links import Link

__all__ = ["BEGRegression"]


class BEGRegression(DescentRegressor):
    """BEG, the binary exponentiated gradient: every weight stays between 0 and 1.

    Predict ``w.x``. For the square loss each weight's odds ``w_i/(1 - w_i)`` are multiplied by
    ``exp(-2 eta (w.x - y) x_i)``:

        w_i <- w_i b/(1 - w_i + w_i b)   with   b = exp(-2 eta (w.x - y) x_i);

    for others, with their slope in the place of 2 (w.x - y). ``eta = 2c/(X^2 (2 + c))`` where all rows have
    ``|x| <= X``, the constant coordinate counted; without X, the longest row so far takes its place.

    On the linear hinge with tie=0 it is `ThresholdedBEG` (its update (6)) with beta1 = e^eta and beta0 = e^-eta.

    Bound
    -----
    With X, for the square loss and every u in the box: loss <= (1 + c/2) L(u) + (1/2 + 1/c) X^2 d(u), d the binary
    relative entropy of u and the start, see `bounds.beg_regression`.

    Example
    -------
    >>> import littlestone as ls
    >>> learner = ls.BEGRegression(eta=0.5, w1=0.5, bias=False)
    >>> learner.learn([[1, 0, 1], [1, 1, 0], [1, 0, 0]], [0.0, 2.0, 1.0]).round(3).tolist()
    [1.0, 0.769, 0.558]
    >>> learner.hypothesis().w.round(3).tolist()
    [0.662, 0.774, 0.269]
    >>> from math import log
    >>> X, y = [[1, 0], [0, 1], [1, 1]], [0, 1, 0]
    >>> hinge = ls.losses.linear_hinge(0.4, tie=0)
    >>> learner = ls.BEGRegression(eta=log(2.0), w1=0.5, loss_function=hinge, bias=False)
    >>> classifier = ls.ThresholdedBEG(beta1=2.0, beta0=0.5, theta=0.4, w1=0.5)
    >>> (learner.learn(X, y) > 0.4).astype(int).tolist() == classifier.learn(X, y).tolist()
    True
    >>> learner.weights() == classifier.weights(), learner.updates == classifier.mistakes
    (True, True)

    Reference
    ---------
    Bylander, "The binary exponentiated gradient algorithm for learning linear functions", COLT 1997; Helmbold, Panizza
    and Warmuth, "Direct and indirect algorithms for on-line learning of disjunctions", TCS 284 (2002).
    """

    w1: float | None = number(
        default=None, above=0, below=1, says="Every weight before the first trial; None: 1/n, so that n must be known."
    )

    def _needs_n(self) -> bool:
        return self.w1 is None

    def _link(self, n: int | None) -> Link:
        del n
        return links.sigmoid()

    def _on_squares(self, X: float, c: float, n: int) -> Bound | None:
        del n
        return bounds.beg_regression(X=X, c=c, **self._described("loss", "divergence"))

    def _start(self, n: int | None) -> float:
        w1 = self._first(n)
        return log(w1) - log(1.0 - w1)

    def _first(self, n: int | None) -> float:
        """Return every weight before the first trial."""
        return float(self.w1) if self.w1 is not None else min(1.0 / (n or 1), 0.5)

    @classmethod
    def tuned(
        cls, *, X: float, divergence: float, loss: float = 0.0, w1: float | None = None, bias: bool = True
    ) -> Self:
        """Return BEG with the best c for a u in the box that loses so much on the square loss.

        All rows have |x| <= X; ``divergence`` is that of u from the start, see `bounds.beg_regression`.

        >>> learner = BEGRegression.tuned(X=2.0, divergence=2.0, loss=4.0, w1=0.5)
        >>> learner.c, learner.guarantee.value
        (2.0, 16.0)
        """
        check_number("BEGRegression", "X", X, above=0.0)
        check_number("BEGRegression", "loss", loss, above=0.0, ends="[)")
        check_number("BEGRegression", "divergence", divergence, above=0.0, ends="[)")
        learner = cls(c=best_c(X * sqrt(2.0 * divergence), loss), X=X, w1=w1, bias=bias)
        learner._promise = {"loss": float(loss), "divergence": float(divergence)}
        return learner
