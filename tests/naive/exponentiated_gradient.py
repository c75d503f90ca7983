"""w_i proportional to exp(z_i): every weight is multiplied by exp(-eta slope x_i), then divided by the sum."""

from math import exp

from tests.naive.descent import Descent


class ExponentiatedGradient(Descent):
    def link(self, z):
        most = max(z.values())
        each = {i: exp(v - most) for i, v in z.items()}
        total = sum(each.values())
        return {i: v / total for i, v in each.items()}

    def size(self, x):
        every = [x.get(i, 0) for i in range(self.n)]
        return (max(every) - min(every)) ** 2


class EGPlusMinus(Descent):
    """EG on the rows (U x, -U x); eta is the rate of that EG."""

    def __init__(self, n, *, U, **more):
        super().__init__(n, **more)
        self.U = U
        self.z = {(i, sign): 0.0 for i in range(n) for sign in (1, -1)}

    def link(self, z):
        most = max(z.values())
        each = {key: exp(v - most) for key, v in z.items()}
        total = sum(each.values())
        return {i: self.U * (each[i, 1] - each[i, -1]) / total for i in range(self.n)}

    def size(self, x):
        return max((v * v for v in x.values()), default=0)

    def learn(self, x, y, p, weight):
        both = {(i, sign): sign * self.U * v for i, v in x.items() for sign in (1, -1)}
        size, self.size = self.size(x), lambda _: size
        super().learn(both, y, p, weight)
        del self.size
