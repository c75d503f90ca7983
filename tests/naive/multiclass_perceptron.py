"""M_y <- M_y + x, M_r <- M_r - tau_r x for r in the error set, in rationals; the mean by adding up all hypotheses."""

from fractions import Fraction


class MulticlassPerceptron:
    def __init__(self, n, *, policy="uniform", margin=0, averaged=False):
        self.n, self.policy, self.margin, self.averaged = n, policy, Fraction(margin), averaged
        self.M, self.sums = {}, {}

    def learn(self, x, y):
        """Return the prediction (None: no class is known), then learn that it is y."""
        for r, w in self.M.items():
            self.sums[r] = [a + b for a, b in zip(self.sums[r], w, strict=True)]
        shown = {r: dot(w, x) for r, w in (self.sums if self.averaged else self.M).items()}
        predicted = max(shown, key=shown.get) if shown else None
        self.M.setdefault(y, [Fraction(0)] * self.n)
        self.sums.setdefault(y, [Fraction(0)] * self.n)
        own = dot(self.M[y], x)
        over = {r: dot(w, x) - own + self.margin for r, w in self.M.items() if r != y}
        over = {r: excess for r, excess in over.items() if excess >= 0}
        if over:
            self.add(y, x, Fraction(1))
            for r, tau in self.shares(over).items():
                self.add(r, x, -tau)
        return predicted

    def shares(self, over):
        if self.policy == "top":
            return {max(over, key=over.get): Fraction(1)}
        total = sum(over.values())
        if self.policy == "uniform" or total == 0:
            return {r: Fraction(1, len(over)) for r in over}
        return {r: excess / total for r, excess in over.items()}

    def add(self, r, x, tau):
        self.M[r] = [w + tau * Fraction(value) for w, value in zip(self.M[r], x, strict=True)]


def dot(w, x):
    return sum((a * Fraction(b) for a, b in zip(w, x, strict=True)), Fraction(0))
