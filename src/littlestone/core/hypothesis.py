"""What a linear learner predicts with."""

from __future__ import annotations

from typing import NamedTuple

from littlestone.core.arrays import Floats

__all__ = ["Hypothesis"]


class Hypothesis(NamedTuple):
    """A linear threshold function: predict positive iff ``w.x`` exceeds ``theta`` (on equality: the learner's tie)."""

    w: Floats
    theta: float
