"""G_i += g_i^2; w_i -= eta g_i/(delta + sqrt(G_i)), g the gradient of the loss."""

from math import sqrt

from tests.naive import losses
from tests.naive.numbers import product


class AdagradRegression:
    def __init__(self, n, *, eta, delta, loss=("square", None)):
        self.w, self.G, self.eta, self.delta, self.loss = [0.0] * n, [0.0] * n, eta, delta, loss

    def weights(self):
        return self.w

    def predict(self, x):
        return losses.predicted(self.loss, product(self.w, x))

    def learn(self, x, y, p, weight):
        for i, v in x.items():
            g = weight * losses.slope(self.loss, p, y) * v
            self.G[i] += g**2
            if g:
                self.w[i] -= self.eta * g / (self.delta + sqrt(self.G[i]))
