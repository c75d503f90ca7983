"""ALMA as in its box: the link and its inverse written out, over all attributes on every trial."""

from math import copysign, sqrt


def norm(vector, p):
    largest = max((abs(x) for x in vector), default=0.0)
    return largest * sum((abs(x) / largest) ** p for x in vector) ** (1.0 / p) if largest else 0.0


def link(w, q):
    """f_i(w) = sign(w_i) |w_i|^(q-1) / |w|_q^(q-2)."""
    size = norm(w, q)
    return [copysign((abs(x) / size) ** (q - 1.0), x) * size if x else 0.0 for x in w]


class ALMA:
    def __init__(self, n, p, alpha, B, C):
        self.w, self.p, self.q, self.alpha, self.B, self.C, self.k = [0.0] * n, p, p / (p - 1), alpha, B, C, 1

    def weights(self):
        return self.w

    def trial(self, row, y):
        score = sum(self.w[i] * x for i, x in row.items())
        sign = 1 if y else -1
        length = norm(row.values(), self.p)
        gamma = self.B * sqrt(self.p - 1) / sqrt(self.k)
        if length == 0.0 or sign * score / length > (1 - self.alpha) * gamma:
            return score, False
        eta = self.C / (sqrt(self.p - 1) * sqrt(self.k))
        dual = link(self.w, self.q)
        for i, x in row.items():
            dual[i] += eta * sign * x / length
        moved = link(dual, self.p)
        size = max(1.0, norm(moved, self.q))
        self.w = [w / size for w in moved]
        self.k += 1
        return score, True
