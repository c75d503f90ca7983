"""What the results on the trap share: games against it, and the sequence of 400 attributes."""

from __future__ import annotations

from functools import cache
from typing import Any

import littlestone as ls
from littlestone.learners import KernelPerceptron
from littlestone.teachers import KernelTrap

__all__ = ["SETS", "mistakes", "sequence"]

SETS = 3000


def mistakes(trap: KernelTrap, kernel: str = "monotone", **settings: Any) -> int:
    """Return the mistakes of the kernel Perceptron."""
    return ls.play(KernelPerceptron(kernel, **settings), trap).mistakes


@cache
def sequence() -> KernelTrap:
    """Return the trap with 400 attributes and 3,000 random sets, whose reference numbers are known."""
    return KernelTrap(400, sets=SETS, construction="greedy", seed=11)
