"""Soft confidence-weighted learning: confidence-weighted with another alpha."""

from math import sqrt

from tests.naive.confidence_weighted import ConfidenceWeighted


class SCW(ConfidenceWeighted):
    def __init__(self, n, *, C, eta, variant, diagonal):
        super().__init__(n, eta=eta, variant=variant, diagonal=diagonal)
        self.C = C

    def alpha(self, m, v):
        if self.variant == "I":
            return min(self.C, super().alpha(m, v))
        phi, n = self.phi, v + 1 / (2 * self.C)
        gamma = phi * sqrt(phi**2 * m**2 * v**2 + 4 * n * v * (n + v * phi**2))
        return max(0.0, (-(2 * m * n + phi**2 * m * v) + gamma) / (2 * (n**2 + n * v * phi**2)))
