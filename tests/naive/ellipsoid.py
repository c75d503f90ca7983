"""The smallest ellipsoid around what a cut leaves; rows hold Decimals, so that P stays definite."""

from decimal import Decimal


class Ellipsoid:
    def __init__(self, m, theta=0, deep=False):
        self.m, self.theta, self.deep = m, Decimal(theta), deep
        self.c = [Decimal(0)] * m
        self.P = [[Decimal(int(i == j)) for j in range(m)] for i in range(m)]

    def weights(self):
        return list(self.c)

    def update(self, row, y, weight):
        m, sign = Decimal(self.m), 1 if y else -1
        g = [sign * Decimal(row.get(i, 0)) for i in range(self.m)]
        if not any(g) or not weight:
            return
        Pg = [sum(p * x for p, x in zip(line, g, strict=True)) for line in self.P]
        length = sum(p * x for p, x in zip(Pg, g, strict=True)).sqrt()
        b = [p / length for p in Pg]
        a = Decimal(0)
        if self.deep:
            a = (sign * self.theta - sum(x * c for x, c in zip(g, self.c, strict=True))) / length
            if a > 1 - Decimal("1e-6"):
                a = Decimal(0)  # nothing is left: a central cut instead
        step = (1 + m * a) / (m + 1)
        factor = m * m * (1 - a * a) / (m * m - 1)
        d = 2 * (1 + m * a) / ((m + 1) * (1 + a))
        self.c = [c + step * x for c, x in zip(self.c, b, strict=True)]
        self.P = [[factor * (p - d * b[i] * b[j]) for j, p in enumerate(line)] for i, line in enumerate(self.P)]
