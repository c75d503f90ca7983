"""G_i += g_i^2; w_i -= eta g_i/(delta + sqrt(G_i)), g the gradient of the hinge loss, or of the logistic one."""

import numpy as np


class Adagrad:
    def __init__(self, n, *, eta, delta, loss):
        self.w, self.G, self.eta, self.delta, self.loss = np.zeros(n), np.zeros(n), eta, delta, loss

    def score(self, x):
        return float(self.w @ x)

    def weights(self):
        return self.w

    def learn(self, x, y):
        m = y * self.score(x)
        slack = 1 - m if self.loss == "hinge" else 1.0
        if slack > 0:
            g = -y * x if self.loss == "hinge" else -y * x / (1 + np.exp(m))
            self.G = self.G + g**2
            on = x != 0
            self.w[on] -= self.eta * g[on] / (self.delta + np.sqrt(self.G[on]))
        return slack
