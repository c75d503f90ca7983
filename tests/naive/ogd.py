"""w <- w - eta/sqrt(t) times the gradient of the loss, then the nearest point of the ball."""

from math import exp, sqrt


class OGD:
    def __init__(self, n, loss, eta, radius):
        self.w, self.loss, self.eta, self.radius, self.t = [0.0] * n, loss, eta, radius, 0

    def weights(self):
        return self.w

    def trial(self, row, y):
        self.t += 1
        score = sum(self.w[i] * x for i, x in row.items())
        sign = 1 if y else -1
        slope = (1.0 if sign * score < 1 else 0.0) if self.loss == "hinge" else 1 / (1 + exp(sign * score))
        if slope == 0.0:
            return score, False
        for i, x in row.items():
            self.w[i] += self.eta / sqrt(self.t) * slope * sign * x
        norm = sqrt(sum(w * w for w in self.w))
        if self.radius is not None and norm > self.radius:
            self.w = [w * self.radius / norm for w in self.w]
        return score, True
