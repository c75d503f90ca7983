"""What the twins of second-order learners share: Sigma as a dense matrix, and what is left of it on the diagonal.

A twin's ``learn(x, y)`` (y is -1 or 1) returns the number whose sign decides: it updates where that is positive.
"""

import numpy as np


class Gaussian:
    def __init__(self, n, *, diagonal):
        self.mu, self.Sigma, self.diagonal = np.zeros(n), np.eye(n), diagonal

    def score(self, x):
        return float(self.mu @ x)

    def weights(self):
        return self.mu

    def shrink(self, inverse):
        """Take a new inverse of Sigma, or the diagonal of it."""
        self.Sigma = np.diag(1.0 / np.diag(inverse)) if self.diagonal else np.linalg.inv(inverse)
