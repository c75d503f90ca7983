"""w_i <- w_i beta_y^x_i / Z: normalised anew after every update."""


class NormalizedWinnow:
    def __init__(self, n, beta1, beta0):
        self.w, self.betas = [1.0 / n] * n, (beta0, beta1)

    def weights(self):
        return list(self.w)

    def update(self, row, y, weight):
        for i, x in row.items():
            self.w[i] *= self.betas[y] ** (x * weight)
        total = sum(self.w)
        if total > 0.0:
            self.w = [w / total for w in self.w]
