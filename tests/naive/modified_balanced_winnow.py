"""Two models, u and v, from 2 and 1; x' = x / sum(x); the score (u - v).x' - theta."""


class ModifiedBalancedWinnow:
    def __init__(self, n, alpha, beta, theta, margin):
        self.u, self.v = [2.0] * n, [1.0] * n
        self.alpha, self.beta, self.theta, self.margin = alpha, beta, theta, margin

    def weights(self):
        return [u - v - self.theta for u, v in zip(self.u, self.v, strict=True)]

    def trial(self, row, y):
        total = sum(row.values())
        x = {i: value / total for i, value in row.items()}
        score = sum((self.u[i] - self.v[i]) * value for i, value in row.items()) / total - self.theta
        if not row or (1 if y else -1) * score > self.margin:
            return score, False
        for i, value in x.items():
            up, down = self.alpha * (1 + value), self.beta * (1 - value)
            self.u[i] *= up if y else down
            self.v[i] *= down if y else up
        return score, True
