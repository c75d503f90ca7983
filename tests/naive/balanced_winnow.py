"""c_i moves by x_i, up on a positive, down on a negative; w = w1 (alpha^c - alpha^-c): 0 wherever c is back at 0."""


class BalancedWinnow:
    def __init__(self, n, alpha, w1):
        self.c, self.alpha, self.w1 = [0] * n, alpha, w1

    def weights(self):
        return [self.w1 * (self.alpha**c - self.alpha**-c) for c in self.c]

    def update(self, row, y, weight):
        for i, x in row.items():
            self.c[i] += x * weight if y else -x * weight
