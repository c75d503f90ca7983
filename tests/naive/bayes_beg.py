"""Thresholded-BEG's probabilities, each attribute voting by Theorem 2 of Helmbold, Panizza and Warmuth."""

from math import log

from tests.naive.thresholded_beg import ThresholdedBEG


class BayesBEG:
    def __init__(self, n, beta1, beta0, gamma, w1):
        self.beg, self.beta1, self.beta0, self.gamma = ThresholdedBEG(n, beta1, beta0, w1), beta1, beta0, gamma

    def weights(self):
        ratio = self.gamma * (1.0 - self.beta0) / ((1.0 - self.gamma) * (self.beta1 - 1.0))
        return [
            log(ratio * (1.0 + w * (self.beta1 - 1.0)) / (1.0 + w * (self.beta0 - 1.0))) for w in self.beg.weights()
        ]

    def update(self, row, y, weight):
        self.beg.update(row, y, weight)
