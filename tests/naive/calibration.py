"""Calibrated probabilities in plain Python: a logistic model of scores, a step of Newton's after each row."""

from math import exp

WIDEST, LARGEST = 64.0, 1e6


def solved(P, g):
    """Return P^-1 g, by Gauss's elimination."""
    size = len(g)
    rows = [[*P[i], g[i]] for i in range(size)]
    for i in range(size):
        pivot = max(range(i, size), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(size):
            if r != i:
                factor = rows[r][i] / rows[i][i]
                rows[r] = [a - factor * b for a, b in zip(rows[r], rows[i], strict=True)]
    return [rows[i][size] / rows[i][i] for i in range(size)]


class Naive:
    """theta and its precision P; `row` gives the probabilities of one row, and learns its outcome, if there is one."""

    def __init__(self, theta, precisions):
        self.theta = list(theta)
        self.P = [[precisions[i] if i == j else 0.0 for j in range(len(theta))] for i in range(len(theta))]

    def row(self, scores, outcome=None, weight=1.0):
        """``scores[k][c]``: what k says of class c."""
        classes, size = len(scores[0]), len(self.theta)
        phi = [
            [0.5 * min(max(said[c], -WIDEST), WIDEST) for said in scores] + [float(classes == 2 and c == 1)]
            for c in range(classes)
        ]
        a = [sum(t * f for t, f in zip(self.theta, phi[c], strict=True)) for c in range(classes)]
        shares = [exp(one - max(a)) for one in a]
        p = [one / sum(shares) for one in shares]
        if outcome is None or outcome >= classes or classes < 2 or weight == 0.0:
            return p
        m = [sum(p[c] * phi[c][k] for c in range(classes)) for k in range(size)]
        g = [phi[outcome][k] - m[k] for k in range(size)]
        squares = [[g[k] * g[i] for i in range(size)] for k in range(size)]
        covariance = [
            [sum(p[c] * (phi[c][k] - m[k]) * (phi[c][i] - m[i]) for c in range(classes)) for i in range(size)]
            for k in range(size)
        ]
        larger = max((covariance, squares), key=lambda matrix: sum(matrix[k][k] for k in range(size)))
        self.P = [[self.P[k][i] + weight * larger[k][i] for i in range(size)] for k in range(size)]
        step = solved(self.P, [weight * one for one in g])
        self.theta = [min(max(t + s, -LARGEST), LARGEST) for t, s in zip(self.theta, step, strict=True)]
        return p


class NaiveOfActivations(Naive):
    """The same for a learner's scores of classes, looked at at the first 128 trials and 64 of each doubling."""

    def __init__(self):
        super().__init__((2.0, 0.3, 0.0), (0.3, 2.0, 1.0))
        self.size, self.seen = 0.0, 0

    def units(self, scores):
        """Return what is within the usual size, and what is beyond it."""
        second, best = sorted(scores)[-2:]
        usual = self.size / max(self.seen, 1)
        middle = 0.5 * (second + best)
        units = [min(max((s - middle) / usual, -8.0), 8.0) if usual else 0.0 for s in scores]
        within = [min(max(u, -1.0), 1.0) for u in units]
        return [within, [u - w for u, w in zip(units, within, strict=True)]]

    def look(self, scores, outcome, weight=1.0):
        parts = self.units(scores)
        second, best = sorted(scores)[-2:]
        self.size, self.seen = self.size + 0.5 * (best - second), self.seen + 1
        self.row(parts, outcome, weight)

    def asked(self, scores):
        """Return the probabilities of a row that is not learned: they rise with the scores."""
        theta = self.theta
        self.theta = [max(theta[0], 0.0), max(theta[1], 0.0), theta[2]]
        p = self.row(self.units(scores))
        self.theta = theta
        return p


def looked_at(trial):
    """Tell whether a trial is looked at."""
    step, doubling = 1, 128
    while trial >= doubling:
        step, doubling = step * 2, doubling * 2
    return trial % step == 0
