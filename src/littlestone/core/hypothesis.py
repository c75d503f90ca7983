"""What a linear learner predicts with."""

from __future__ import annotations

from typing import NamedTuple

from littlestone.core.arrays import Floats

__all__ = ["Hypothesis"]


class Hypothesis(NamedTuple):
    """A linear threshold function: predict positive iff ``w.x`` exceeds ``theta`` (on equality: the learner's tie).

    >>> import littlestone as ls
    >>> learner = ls.Perceptron(bias=False)
    >>> _ = learner.learn([[1, 0, 1], [0, 1, 1]], [0, 1])
    >>> found = learner.hypothesis()
    >>> found.w.tolist(), found.theta
    ([-1.0, 1.0, 0.0], 0.0)
    """

    w: Floats
    theta: float
