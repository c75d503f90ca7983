"""w += sign(y - w.x) tau x, tau the loss over |x|^2, capped or softened by C."""

from tests.naive.numbers import product


class PassiveAggressiveRegression:
    def __init__(self, n, *, epsilon, variant, C, zero=0):
        self.w, self.epsilon, self.variant, self.C = [zero] * n, epsilon, variant, C
        self.loss = ("insensitive", epsilon)

    def weights(self):
        return self.w

    def predict(self, x):
        return product(self.w, x)

    def learn(self, x, y, p, weight):
        loss, square = max(0, abs(p - y) - self.epsilon), sum(v * v for v in x.values())
        if not loss or not square or not weight:
            return
        tau = loss / square
        if self.variant == "PA-I":
            tau = min(tau, self.C * weight)
        if self.variant == "PA-II":
            tau = loss / (square + 1 / (2 * self.C * weight))
        for i, v in x.items():
            self.w[i] += (tau if y > p else -tau) * v
