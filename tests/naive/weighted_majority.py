"""Weighted Majority over experts that are functions, or over all disjunctions; exact where beta is a fraction."""

from fractions import Fraction
from itertools import combinations


def play(experts, rows, outcomes, beta):
    """Return the probability of a mistake by weight, trial by trial, and the errors of each expert."""
    weights, errors, wrong = [1] * len(experts), [0] * len(experts), []
    for row, y in zip(rows, outcomes, strict=True):
        votes = [expert(row) for expert in experts]
        wrong.append(sum(w for w, vote in zip(weights, votes, strict=True) if vote != y) / sum(weights))
        for i, vote in enumerate(votes):
            if vote != y:
                weights[i] *= beta
                errors[i] += 1
    return wrong, errors


def disjunctions(n, max_size=None):
    """Return every set of at most max_size of n attributes, by size, then by positions."""
    return [
        d for size in range((n if max_size is None else min(max_size, n)) + 1) for d in combinations(range(n), size)
    ]


class WeightedMajority:
    """A weight for each disjunction, written down."""

    def __init__(self, n, beta, *, max_size=None, policy="always", tie=1):
        self.beta, self.policy, self.tie = Fraction(beta), policy, tie
        self.w = dict.fromkeys(disjunctions(n, max_size), Fraction(1))

    def share(self, row):
        """Return the share of the weight that says 1."""
        return sum(w for d, w in self.w.items() if any(row[i] for i in d)) / sum(self.w.values())

    def predict(self, row):
        share = self.share(row)
        return int(share > Fraction(1, 2) or (share == Fraction(1, 2) and self.tie == 1))

    def update(self, row, y):
        for d in self.w:
            if any(row[i] for i in d) != bool(y):
                self.w[d] *= self.beta

    def learn(self, rows, outcomes):
        said = []
        for row, y in zip(rows, outcomes, strict=True):
            said.append(self.predict(row))
            if self.policy == "always" or said[-1] != y:
                self.update(row, y)
        return said

    def posterior(self):
        total = sum(self.w.values())
        return {d: w / total for d, w in self.w.items()}

    def most_probable(self):
        return max(self.w, key=self.w.get)  # the first of equals: they are listed by size, then by positions
