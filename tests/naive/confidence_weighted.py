"""The nearest Gaussian with P(y w.x >= 0) >= eta: by standard deviation, or by variance."""

from math import sqrt
from statistics import NormalDist

import numpy as np

from tests.naive.gaussian import Gaussian


class ConfidenceWeighted(Gaussian):
    def __init__(self, n, *, eta, variant, diagonal):
        super().__init__(n, diagonal=diagonal)
        self.phi, self.variant = NormalDist().inv_cdf(eta), variant

    def learn(self, x, y):
        phi, m, v = self.phi, y * self.mu @ x, x @ self.Sigma @ x
        if v == 0:
            return -1.0
        if self.variant == "variance":
            slack = phi * v - m
            alpha = (-(1 + 2 * phi * m) + sqrt((1 + 2 * phi * m) ** 2 - 8 * phi * (m - phi * v))) / (4 * phi * v)
            shrunk = 2 * alpha * phi
        else:
            slack = phi * sqrt(v) - m
            alpha = self.alpha(m, v)
            root_u = (-alpha * v * phi + sqrt(alpha**2 * v**2 * phi**2 + 4 * v)) / 2
            shrunk = alpha * phi / root_u
        if slack > 0:
            self.mu = self.mu + alpha * y * self.Sigma @ x
            self.shrink(np.linalg.inv(self.Sigma) + shrunk * np.outer(x, x))
        return slack

    def alpha(self, m, v):
        phi = self.phi
        psi, xi = 1 + phi**2 / 2, 1 + phi**2
        return max(0.0, (-m * psi + sqrt(m**2 * phi**4 / 4 + v * phi**2 * xi)) / (v * xi))
