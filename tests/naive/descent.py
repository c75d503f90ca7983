"""What all that go down the slope of a loss in the dual of a link do alike: z -= eta slope x, w = link(z)."""

from tests.naive import losses
from tests.naive.numbers import product


class Descent:
    """``eta``, or ``share`` over the square of X, or over that of the largest row so far."""

    def __init__(self, n, *, loss=("square", None), eta=None, share=None, X=None, tie=1, start=0):
        self.n, self.loss, self.eta, self.share, self.X, self.tie = n, loss, eta, share, X, tie
        self.largest, self.z = 0, dict.fromkeys(range(n), start)

    def weights(self):
        return [self.link(self.z)[i] for i in range(self.n)]

    def link(self, z):
        raise NotImplementedError

    def size(self, x):
        """The square of how large a row is."""
        return sum(v * v for v in x.values())

    def predict(self, x):
        return losses.predicted(self.loss, product(self.link(self.z), x))

    def learn(self, x, y, p, weight):
        self.largest = max(self.largest, self.size(x))
        if self.eta is not None:
            eta = self.eta
        elif self.X is not None:
            eta = self.share / self.X**2
        elif self.largest == 0:
            return
        else:
            eta = self.share / self.largest
        for i, v in x.items():
            self.z[i] -= eta * weight * losses.slope(self.loss, p, y, self.tie) * v
