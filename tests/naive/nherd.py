"""Where m < 1: mu += y (1 - m)+/(v + 1/C) Sigma x; Sigma^-1 += (2C + C^2 v) x x'."""

import numpy as np

from tests.naive.gaussian import Gaussian


class NHERD(Gaussian):
    def __init__(self, n, *, C, diagonal):
        super().__init__(n, diagonal=diagonal)
        self.C = C

    def learn(self, x, y):
        m, v = y * self.mu @ x, x @ self.Sigma @ x
        if m < 1:
            self.mu = self.mu + y * (1 - m) / (v + 1 / self.C) * self.Sigma @ x
            self.shrink(np.linalg.inv(self.Sigma) + (2 * self.C + self.C**2 * v) * np.outer(x, x))
        return 1 - m
