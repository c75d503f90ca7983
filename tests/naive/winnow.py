"""w_i <- w_i alpha^x_i on a positive, w_i demotion^x_i on a negative; exact where alpha and x are."""


class Winnow:
    def __init__(self, n, alpha, demotion, w1):
        self.w, self.alpha, self.demotion = [w1] * n, alpha, demotion

    def weights(self):
        return list(self.w)

    def update(self, row, y, weight):
        for i, x in row.items():
            self.w[i] *= (self.alpha if y else self.demotion) ** (x * weight)
