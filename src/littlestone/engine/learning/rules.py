"""When a rule of learning is asked what to do, and how: by its address, since every learner has its own.

With y in {-1, +1} and m = y (w.x), a rule of the first order says tau, of a row's square, its weight and the number of
the trial: ``w += tau y x``. One of the second order says alpha and c, of v = x' Sigma x, the weight and two parameters:
``mean += alpha y Sigma x`` and ``Sigma^-1 += c x x'``; an alpha that is no number is no update.
"""

import math

from littlestone.engine.compiling import inlined, native
from littlestone.engine.intrinsics import asking

__all__ = ["ALWAYS", "LARGEST", "MARGIN", "MISTAKE", "first_order", "is_asked", "second_order", "step"]

MISTAKE, MARGIN, ALWAYS = range(3)  # when: on a mistake, where m is less than the margin, on every trial

LARGEST = 1e200  # where a step is held

first_order, second_order = asking(4, 1), asking(5, 2)


@inlined
def is_asked(when: int, m: float, right: bool, margin: float) -> bool:
    """Tell whether a rule has to be asked after a trial."""
    return not (when == MISTAKE and right) and not (when != ALWAYS and m >= margin)


@native
def step(address: int, a: float, b: float, m: float, v: float, weight: float) -> tuple[bool, float, float]:
    """Ask a rule of the second order: return whether the row is learned, alpha and c, held where floats end.

    ``weight`` multiplies what the row's loss costs, or what it adds to theta and to A, which is the same.
    """
    if not v > 0.0:
        return False, 0.0, 0.0
    alpha, c = second_order(address, m, v, weight, a, b)
    return not math.isnan(alpha), min(max(alpha, -LARGEST), LARGEST), min(c, LARGEST)
