"""w_i <- w_i beta_y^x_i / (1 - w_i + w_i beta_y^x_i), update (6) of Helmbold, Panizza and Warmuth, in w-space."""


class ThresholdedBEG:
    def __init__(self, n, beta1, beta0, w1):
        self.w, self.betas = [w1] * n, (beta0, beta1)

    def weights(self):
        return list(self.w)

    def update(self, row, y, weight):
        for i, x in row.items():
            factor = self.betas[y] ** (x * weight)
            self.w[i] = self.w[i] * factor / (1.0 - self.w[i] + self.w[i] * factor)
