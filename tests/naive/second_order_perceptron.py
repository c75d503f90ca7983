"""sign(v'(aI + S S' + x x')^-1 x), S the rows of the mistakes and v the sum of y x over them."""

import numpy as np


class SecondOrderPerceptron:
    def __init__(self, n, *, a, diagonal):
        self.v, self.A, self.diagonal = np.zeros(n), a * np.eye(n), diagonal

    def outer(self, x):
        return np.diag(x**2) if self.diagonal else np.outer(x, x)

    def score(self, x):
        return float(self.v @ np.linalg.solve(self.A + self.outer(x), x))

    def weights(self):
        """On the diagonal those of Boolean rows."""
        return np.linalg.solve(self.A + self.diagonal * np.eye(len(self.v)), self.v)

    def learn(self, x, y):
        mistake = (self.score(x) >= 0) != (y > 0)
        if mistake and x.any():
            self.v = self.v + y * x
            self.A = self.A + self.outer(x)
        return 1.0 if mistake else -1.0
