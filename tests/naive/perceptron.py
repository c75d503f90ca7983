"""w <- w + eta y x."""


class Perceptron:
    def __init__(self, n, eta=1, w1=0):
        self.w, self.eta = [w1] * n, eta

    def weights(self):
        return list(self.w)

    def update(self, row, y, weight):
        for i, x in row.items():
            self.w[i] += weight * self.eta * x * (1 if y else -1)
