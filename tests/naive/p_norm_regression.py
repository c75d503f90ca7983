"""w_i = sign(z_i) |z_i|^(p-1)/||z||_p^(p-2)."""

from math import copysign

from tests.naive.descent import Descent


class PNormRegression(Descent):
    def __init__(self, n, *, p, **more):
        super().__init__(n, **more)
        self.p = p

    def link(self, z):
        most = max(map(abs, z.values()))
        if most == 0:
            return z
        norm = most * sum((abs(v) / most) ** self.p for v in z.values()) ** (1 / self.p)
        return {i: copysign(1, v) * norm * (abs(v) / norm) ** (self.p - 1) for i, v in z.items()}

    def size(self, x):
        return (self.p - 1) * sum(abs(v) ** self.p for v in x.values()) ** (2 / self.p)
