"""beta = 1/(v + r), alpha = (1 - m)+ beta; mu += alpha Sigma y x; Sigma^-1 += x x'/r."""

import numpy as np

from tests.naive.gaussian import Gaussian


class AROW(Gaussian):
    def __init__(self, n, *, r, diagonal):
        super().__init__(n, diagonal=diagonal)
        self.r = r

    def learn(self, x, y):
        m, v = y * self.mu @ x, x @ self.Sigma @ x
        if m < 1:
            self.mu = self.mu + (1 - m) / (v + self.r) * y * self.Sigma @ x
            self.shrink(np.linalg.inv(self.Sigma) + np.outer(x, x) / self.r)
        return 1 - m
