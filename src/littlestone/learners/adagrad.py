"""Adagrad: gradient descent with a rate of its own for each attribute."""

from __future__ import annotations

from littlestone.core.declared import choice, flag, number
from littlestone.engine.learning import rates
from littlestone.learners.base import Learner
from littlestone.machines.machine import Machine
from littlestone.machines.moments import Rates

__all__ = ["Adagrad"]


class Adagrad(Learner):
    """Adaptive subgradients: attributes that are rarely on move far, frequent ones little.

    Predict 1 iff ``w.x >= 0``, at first w = 0. With y in {-1, +1} and ``m = y w.x``, for each attribute of the row

        G_i <- G_i + (q x_i)^2,   w_i <- w_i + eta q y x_i/(delta + sqrt(G_i)),

    where q is 1 if m < 1, else 0, for the hinge loss ``(1 - m)+``, and 1/(1 + e^m) for the logistic ``ln(1 + e^-m)``.

    A row's weight multiplies the gradient. A trial costs the attributes that are on.

    Bound
    -----
    The losses, and so the mistakes, are at most those of any u and its regret: `bounds.adagrad` and
    `bounds.adagrad_logistic`. How far the weights were from u is known after a game; `guarantee` is None.

    Example
    -------
    >>> import numpy as np
    >>> from littlestone.learners import Adagrad
    >>> rng = np.random.default_rng(0)
    >>> X = rng.random((500, 20)) < 0.3
    >>> learner = Adagrad()
    >>> _ = learner.learn(X, X[:, :3].any(axis=1))
    >>> learner.mistakes
    25

    Reference
    ---------
    Duchi, Hazan and Singer, "Adaptive subgradient methods for online learning and stochastic optimization", JMLR 12
    (2011): composite mirror descent with a diagonal matrix, Theorem 5.
    """

    eta: float = number(default=0.3, above=0, says="The rate.")
    delta: float = number(
        default=0.0,
        above=0,
        ends="[)",
        says="What keeps the first steps small; with 0 the first step of every attribute is eta.",
    )
    loss: str = choice(
        default="hinge", among=("hinge", "logistic"), says='The loss; with "logistic" every trial is an update.'
    )
    bias: bool = flag(
        default=True,
        says="Add a constant coordinate, learned like any other. Without it x=0 is always taken for positive.",
    )

    def _build(self, n: int | None) -> Machine:
        del n
        code = rates.HINGE if self.loss == "hinge" else rates.LOGISTIC
        return Rates(code, (float(self.eta), float(self.delta)), (0.0, 0.0), bias=self.bias)
