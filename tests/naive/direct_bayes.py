"""Bayes over all disjunctions, from the definition: P(y) compared for both labels."""

from fractions import Fraction

from tests.naive.weighted_majority import disjunctions


class DirectBayes:
    """The probability of each disjunction, written down; a label is the disjunction's with probability 1 - nu."""

    def __init__(self, n, nu, *, max_size=None, policy="always", tie=1):
        self.nu, self.policy, self.tie = Fraction(nu), policy, tie
        listed = disjunctions(n, max_size)
        self.p = dict.fromkeys(listed, Fraction(1, len(listed)))

    def chance(self, row, y):
        """Return the probability that the label is y."""
        return sum(p * self.likelihood(d, row, y) for d, p in self.p.items())

    def likelihood(self, d, row, y):
        return 1 - self.nu if any(row[i] for i in d) == bool(y) else self.nu

    def learn(self, rows, outcomes):
        said = []
        for row, y in zip(rows, outcomes, strict=True):
            one, zero = self.chance(row, 1), self.chance(row, 0)
            said.append(int(one > zero or (one == zero and self.tie == 1)))
            if self.policy == "always" or said[-1] != y:
                happened = one if y else zero
                self.p = {d: p * self.likelihood(d, row, y) / happened for d, p in self.p.items()}
        return said
