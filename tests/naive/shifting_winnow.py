"""Winnow with a floor: w_i <- w_i alpha^x_i, or max(w_i demotion^x_i, floor); in whatever numbers it is given."""


class ShiftingWinnow:
    def __init__(self, n, alpha, demotion, theta, w1, floor):
        self.w, self.alpha, self.demotion, self.theta, self.floor = [w1] * n, alpha, demotion, theta, floor

    def weights(self):
        return self.w

    def trial(self, row, y):
        score = sum(self.w[i] * x for i, x in row.items()) - self.theta
        if (score >= 0) == bool(y):
            return score, False
        for i, x in row.items():
            self.w[i] = max(self.w[i] * (self.alpha if y else self.demotion) ** x, self.floor)
        return score, True
