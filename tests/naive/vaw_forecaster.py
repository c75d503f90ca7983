"""b'A^-1 x with A of all rows, the present one among them (VAW) or not (ridge): equations are solved each time anew."""

from fractions import Fraction

import numpy as np


class LeastSquares:
    loss = ("square", None)

    def __init__(self, n, *, a, foresees):
        self.n, self.A, self.b, self.foresees = n, a * np.eye(n), np.zeros(n), foresees

    def weights(self):
        return np.linalg.solve(self.A, self.b)

    def dense(self, x):
        return np.array([float(x.get(i, 0)) for i in range(self.n)])

    def predict(self, x):
        x = self.dense(x)
        return float(self.b @ np.linalg.solve(self.A + np.outer(x, x) if self.foresees else self.A, x))

    def learn(self, x, y, p, weight):
        del p
        x = self.dense(x)
        self.A += weight * np.outer(x, x)
        self.b += weight * y * x


class Exact:
    """The same in rationals, by Gauss."""

    loss = ("square", None)

    def __init__(self, n, *, a, foresees):
        self.n, self.foresees = n, foresees
        self.A = [[Fraction(a) * (i == j) for j in range(n)] for i in range(n)]
        self.b = [Fraction(0)] * n

    def weights(self):
        return solved(self.A, self.b)

    def predict(self, x):
        A = self.added(x, 1) if self.foresees else self.A
        return sum(w * x.get(i, 0) for i, w in enumerate(solved(A, self.b)))

    def learn(self, x, y, p, weight):
        del p
        self.A = self.added(x, weight)
        self.b = [b + weight * y * x.get(i, 0) for i, b in enumerate(self.b)]

    def added(self, x, weight):
        return [[a + weight * x.get(i, 0) * x.get(j, 0) for j, a in enumerate(row)] for i, row in enumerate(self.A)]


def solved(A, b):
    rows = [[*row, one] for row, one in zip(A, b, strict=True)]
    for k in range(len(rows)):
        for i in range(len(rows)):
            if i != k:
                share = rows[i][k] / rows[k][k]
                rows[i] = [u - share * v for u, v in zip(rows[i], rows[k], strict=True)]
    return [row[-1] / row[k] for k, row in enumerate(rows)]


class Diagonal:
    """With the diagonal of x x' only, the weights moved along A^-1 x."""

    loss = ("square", None)

    def __init__(self, n, *, a, foresees):
        self.w, self.A, self.foresees = [0.0] * n, [float(a)] * n, foresees

    def weights(self):
        return self.w

    def variance(self, x):
        return sum(v * v / self.A[i] for i, v in x.items())

    def predict(self, x):
        s = sum(self.w[i] * v for i, v in x.items())
        return s / (1 + self.variance(x)) if self.foresees else s

    def learn(self, x, y, p, weight):
        del p
        if weight == 0:
            return
        way = (y - sum(self.w[i] * v for i, v in x.items())) / (1 / weight + self.variance(x))
        for i, v in x.items():
            self.w[i] += way * v / self.A[i]
            self.A[i] += weight * v * v
