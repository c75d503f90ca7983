"""Two weights an attribute: w+ and w-, multiplied and divided by alpha^x; the hypothesis is their difference."""


class BalancedWinnow:
    def __init__(self, n, alpha, w1):
        self.plus, self.minus, self.alpha = [w1] * n, [w1] * n, alpha

    def weights(self):
        return [a - b for a, b in zip(self.plus, self.minus, strict=True)]

    def update(self, row, y, weight):
        for i, x in row.items():
            factor = self.alpha ** (x * weight if y else -x * weight)
            self.plus[i] *= factor
            self.minus[i] /= factor
