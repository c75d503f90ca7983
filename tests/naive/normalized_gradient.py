"""NAG, Algorithm 2 of Ross, Mineiro and Langford (2013), line by line."""

from math import sqrt

from tests.naive import losses
from tests.naive.numbers import product


class NormalizedGradient:
    def __init__(self, n, *, eta, loss=("square", None)):
        self.n, self.eta, self.loss = n, eta, loss
        self.w, self.s, self.G = [0.0] * n, [0.0] * n, [0.0] * n
        self.t = self.N = 0.0

    def weights(self):
        return self.w

    def rescaled(self, x):
        """The weights and scales after a row has been seen."""
        w, s = list(self.w), list(self.s)
        for i, v in x.items():
            if abs(v) > s[i]:
                w[i] *= s[i] / abs(v)
                s[i] = abs(v)
        return w, s

    def predict(self, x):
        return losses.predicted(self.loss, product(self.rescaled(x)[0], x))

    def learn(self, x, y, p, weight):
        if weight == 0:
            return
        self.w, self.s = self.rescaled(x)
        self.t += weight
        self.N += weight * sum((v / self.s[i]) ** 2 for i, v in x.items() if v)
        for i, v in x.items():
            g = weight * losses.slope(self.loss, p, y) * v
            self.G[i] += g**2
            if self.G[i] > 0:
                self.w[i] -= self.eta * sqrt(self.t / self.N) * g / (self.s[i] * sqrt(self.G[i]))
