"""Winnow with a weight written down for every box of a small grid."""

from fractions import Fraction
from itertools import product


class BoxWinnow:
    def __init__(self, sides, alpha, theta=None):
        intervals = [[(lo, hi) for lo in range(m) for hi in range(lo, m)] for m in sides]
        self.w = dict.fromkeys(product(*intervals), Fraction(1))
        self.alpha, self.theta = alpha, len(self.w) if theta is None else theta

    def around(self, x):
        return [box for box in self.w if all(lo <= at <= hi for (lo, hi), at in zip(box, x, strict=True))]

    def value(self, x):
        return sum(self.w[box] for box in self.around(x))

    def play(self, x, y, times=1):
        said = int(self.value(x) >= self.theta)
        if said != y:
            for box in self.around(x):
                self.w[box] *= self.alpha ** (times if y else -times)
        return said
