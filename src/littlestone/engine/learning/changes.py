"""The engine of `parts.changes`: stretches of trials, older ones joined, and which cuts between them may show a change.

``kept`` has a row a stretch, the oldest first: its length and its mistakes.
"""

import math

from littlestone.engine.arrays import Grid, Ints
from littlestone.engine.compiling import native

ALIKE = 5  # stretches of one length that are kept apart


@native
def joined(kept: Grid[Ints], number: int, mistakes: int) -> int:
    """Add a stretch of length 1 behind so many; join the two oldest of a length of which there are too many."""
    kept[number, 0], kept[number, 1] = 1, mistakes
    number += 1
    last = number
    while True:
        first = last
        while first > 0 and kept[first - 1, 0] == kept[last - 1, 0]:
            first -= 1
        if last - first <= ALIKE:
            return number
        kept[first, 0] += kept[first + 1, 0]
        kept[first, 1] += kept[first + 1, 1]
        for i in range(first + 1, number - 1):
            kept[i, 0], kept[i, 1] = kept[i + 1, 0], kept[i + 1, 1]
        number -= 1
        last = first + 1


@native
def _far(x: float, q: float) -> float:
    """Return kl(x, q) for 0 <= q < x."""
    if q <= 0.0:
        return math.inf
    return x * math.log(x / q) + ((1.0 - x) * math.log((1.0 - x) / (1.0 - q)) if x < 1.0 else 0.0)


@native
def may_show(kept: Grid[Ints], number: int, every: int, needed: float) -> bool:
    """Tell whether behind some cut mistakes are frequent enough, by the share before it, to show a change."""
    total = trials = 0
    for i in range(number):
        trials += every * kept[i, 0]
        total += kept[i, 1]
    m = s = 0
    for i in range(number - 1, 0, -1):
        m += every * kept[i, 0]
        s += kept[i, 1]
        before, after = (total - s) / (trials - m), s / m
        if after > before and m * _far(after, before) >= needed:
            return True
    return False
