"""z <- z + eta y x; w_i = sign(z_i) |z_i|^(p-1) / ||z||_p^(p-2)."""

from math import copysign


class PNorm:
    def __init__(self, n, p, eta):
        self.z, self.p, self.eta = [0.0] * n, p, eta

    def weights(self):
        norm = sum(abs(z) ** self.p for z in self.z) ** (1.0 / self.p)
        if norm == 0.0:
            return [0.0] * len(self.z)
        return [copysign(abs(z) ** (self.p - 1.0), z) / norm ** (self.p - 2.0) for z in self.z]

    def update(self, row, y, weight):
        for i, x in row.items():
            self.z[i] += weight * self.eta * x * (1.0 if y else -1.0)
