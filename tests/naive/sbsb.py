"""Singly variant Bayes as its authors write it, in rationals; and the Bayes integral that it stands for."""

from fractions import Fraction
from math import comb


class SBSB:
    def __init__(self, n, *, always=True):
        self.n, self.always = n, always
        self.t = self.M = 0
        self.s = [0] * n

    def scores(self, x):
        """The two sides of the rule, that of label 0 first."""
        one = zero = Fraction(0)
        for xi, s in zip(x, self.s, strict=True):
            one += Fraction(xi * (s + 1) + (1 - xi) * (self.t - s + 1), comb(self.t, s))
            zero += Fraction((1 - xi) * (s + 1) + xi * (self.t - s + 1), comb(self.t, s))
        return (self.t - self.M + 1) * zero, (self.M + 1) * one

    def predict(self, x):
        zero, one = self.scores(x)
        return int(one > zero)

    def trial(self, x, y):
        predicted = self.predict(x)
        if self.always or predicted != y:
            self.t, self.M = self.t + 1, self.M + y
            self.s = [s + (xi == y) for s, xi in zip(self.s, x, strict=True)]
        return predicted


def monomial(a, b):
    """The integral of p^a (1-p)^b from 0 to 1, term by term."""
    return sum(Fraction((-1) ** j * comb(b, j), a + j + 1) for j in range(b + 1))


def probability(examples, n):
    """The probability of the examples: a label's rate and one attribute's agreement, both unknown; the rest coins."""
    positives = sum(y for _, y in examples)
    labels = monomial(positives, len(examples) - positives)
    total = Fraction(0)
    for i in range(n):
        agreed = sum(x[i] == y for x, y in examples)
        total += Fraction(1, n) * monomial(agreed, len(examples) - agreed)
    return labels * total * Fraction(1, 2) ** ((n - 1) * len(examples))
