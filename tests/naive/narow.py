"""chi = x'A^-1 x; r = chi/(b chi - 1) where chi > 1/b, else infinite; theta += y x, A += x x'/r, w = A^-1 theta.

On the diagonal, for which there is no paper, w moves as it does in the full algorithm.
"""

from math import inf

import numpy as np

from tests.naive.gaussian import Gaussian


class NAROW(Gaussian):
    def __init__(self, n, *, b, diagonal):
        super().__init__(n, diagonal=diagonal)
        self.b, self.theta = b, np.zeros(n)

    def learn(self, x, y):
        chi = x @ self.Sigma @ x
        r = chi / (self.b * chi - 1) if chi > 1 / self.b else inf
        margin = y * self.mu @ x / (1 + chi / r)
        if margin < 1 and x.any():
            step = (1 - y * self.mu @ x / r) / (1 + chi / r)
            self.mu = self.mu + step * y * self.Sigma @ x
            self.theta = self.theta + y * x
            self.shrink(np.linalg.inv(self.Sigma) + np.outer(x, x) / r)
            if not self.diagonal:
                self.mu = self.Sigma @ self.theta
        return 1 - margin
