"""G_i += g_i^2; w_i -= eta g_i/(delta + sqrt(G_i)), g the gradient of the hinge loss."""

import numpy as np


class Adagrad:
    def __init__(self, n, *, eta, delta):
        self.w, self.G, self.eta, self.delta = np.zeros(n), np.zeros(n), eta, delta

    def score(self, x):
        return float(self.w @ x)

    def weights(self):
        return self.w

    def learn(self, x, y):
        slack = 1 - y * self.score(x)
        if slack > 0:
            g = -y * x
            self.G = self.G + g**2
            on = x != 0
            self.w[on] -= self.eta * g[on] / (self.delta + np.sqrt(self.G[on]))
        return slack
