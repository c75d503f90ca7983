"""Winnow over all conjunctions, each weight written down: never importing littlestone."""

from fractions import Fraction
from itertools import combinations, product


class KernelWinnow:
    """A conjunction is a tuple of (attribute, the value that it must have)."""

    def __init__(self, n, alpha=2, theta=None, *, monotone=True, max_size=None):
        self.alpha = Fraction(alpha)
        values = (1,) if monotone else (1, 0)
        self.w = {
            tuple(zip(chosen, signs, strict=True)): Fraction(1)
            for size in range(1, (n if max_size is None else min(n, max_size)) + 1)
            for chosen in combinations(range(n), size)
            for signs in product(values, repeat=size)
        }
        self.theta = Fraction(len(self.w)) if theta is None else Fraction(theta)

    def true_of(self, row):
        return [T for T in self.w if all(bool(row[i]) == bool(value) for i, value in T)]

    def value(self, row):
        return sum((self.w[T] for T in self.true_of(row)), start=Fraction(0))

    def learn(self, rows, outcomes, times=None):
        said = []
        for row, y, many in zip(rows, outcomes, times or [1] * len(rows), strict=True):
            said.append(int(self.value(row) >= self.theta))
            if said[-1] != y:
                for T in self.true_of(row):
                    self.w[T] *= self.alpha ** (many if y else -many)
        return said
