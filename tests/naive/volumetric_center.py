"""Vaidya's cutting planes over lists: the same steps, the same stopping rules, no library for the algebra."""

from math import log, sqrt


def dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


def weighted(rows, weights):
    """Return the sum of weights_i a_i a_i'."""
    m = len(rows[0])
    return [[sum(w * a[i] * a[j] for a, w in zip(rows, weights, strict=True)) for j in range(m)] for i in range(m)]


def inverse(H):
    """Return H^-1 and ln det H by Gauss and Jordan's elimination; H is positive definite."""
    m = len(H)
    rows = [list(line) + [float(i == j) for j in range(m)] for i, line in enumerate(H)]
    determinant = 0.0
    for i in range(m):
        pivot = rows[i][i]
        determinant += log(pivot)
        rows[i] = [x / pivot for x in rows[i]]
        for j in range(m):
            if j != i:
                rows[j] = [x - rows[j][i] * y for x, y in zip(rows[j], rows[i], strict=True)]
    return [line[m:] for line in rows], determinant


def times(M, v):
    return [dot(line, v) for line in M]


class VolumetricCenter:
    def __init__(self, m, drop=0.02, shallow=None):
        self.m, self.drop, self.shallow = m, drop, shallow
        self.c = [0.0] * m
        unit = [[float(i == j) for j in range(m)] for i in range(m)]
        self.rows = [(a, -1.0) for a in unit] + [([-x for x in a], -1.0) for a in unit]

    def weights(self):
        return list(self.c)

    def update(self, row, y, weight):
        g = [float(row.get(i, 0)) * (1 if y else -1) for i in range(self.m)]
        if not any(g) or not weight:
            return
        g = [x / sqrt(dot(g, g)) for x in g]
        H_inverse = self.about(self.c, self.rows)[1]
        direction = times(H_inverse, g)
        width = sqrt(dot(g, direction))
        level = dot(g, self.c) - (0.0 if self.shallow is None else width / sqrt(self.shallow))
        rows = [*self.rows, (g, level)]
        c = [v + 0.5 * d / width for v, d in zip(self.c, direction, strict=True)]
        if self.about(c, rows) is None:
            return
        c = self.centre(c, rows)
        while len(rows) > 2 * self.m:
            leverages = self.about(c, rows)[2]
            least = min(range(len(rows)), key=leverages.__getitem__)
            if leverages[least] >= self.drop:
                break
            rows = rows[:least] + rows[least + 1 :]
            c = self.centre(c, rows)
        self.c, self.rows = c, rows

    def about(self, v, rows):
        """Return F, H^-1, the leverages and the slacks at v; None where v is not well inside."""
        slacks = [dot(a, v) - b for a, b in rows]
        if min(slacks) <= 1e-7 * max(slacks):
            return None
        H_inverse, determinant = inverse(weighted([a for a, _ in rows], [1 / s**2 for s in slacks]))
        leverages = [dot(a, times(H_inverse, a)) / s**2 for (a, _), s in zip(rows, slacks, strict=True)]
        return determinant / 2, H_inverse, leverages, slacks

    def centre(self, v, rows):
        for _ in range(60):
            F, _, leverages, slacks = self.about(v, rows)
            A = [a for a, _ in rows]
            down = [sum(q * a[i] / s for a, q, s in zip(A, leverages, slacks, strict=True)) for i in range(self.m)]
            Q = weighted(A, [q / s**2 for q, s in zip(leverages, slacks, strict=True)])
            step = times(inverse(Q)[0], down)
            decrement = dot(down, step)
            if decrement < 1e-5:
                return v
            size = 1.0
            while size > 1e-9:
                tried = [x + size * d for x, d in zip(v, step, strict=True)]
                found = self.about(tried, rows)
                if found is not None and found[0] <= F - 0.1 * size * decrement:
                    break
                size /= 2
            else:
                return v
            v = tried
        return v
