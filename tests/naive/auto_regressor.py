"""A weighted mean of experts by AdaHedge: means, least squares, normalised gradient descents, a combination."""

from copy import deepcopy

import numpy as np
from numpy.linalg import cholesky, inv


def factors(P):
    """Return U and D of P = U D U', U upper with ones on its diagonal."""
    root = cholesky(P[::-1, ::-1])[::-1, ::-1]
    size = np.diag(root)
    return root / size, size**2


class LeastSquares:
    """Weights A^-1 b; a coordinate begins with A_ii = a x_i^2 for its first value that is not 0."""

    def __init__(self, a, memory, foresees, lagged):
        self.a, self.memory, self.foresees, self.lagged = a, memory, foresees, lagged
        self.order, self.start = [], []
        self.P, self.w = np.zeros((0, 0)), np.zeros(0)

    def row(self, x):
        """Return the values of the coordinates that have been seen, new ones among them, in their places."""
        for k in np.flatnonzero(x):
            if k not in self.order:
                at = sum(one < k for one in self.order)
                self.order.insert(at, k)
                self.start.insert(at, 1 / (self.a * x[k] ** 2))
                self.P = np.insert(np.insert(self.P, at, 0.0, axis=0), at, 0.0, axis=1)
                self.P[at, at] = self.start[at]
                self.w = np.insert(self.w, at, 0.0)
        return x[self.order]

    def say(self, x):
        x = self.row(x)
        v = x @ self.P @ x
        return self.w @ x / (1 + v) if self.foresees else self.w @ x

    def learn(self, x, y, weight):
        x = self.row(x)
        error, v = y - self.w @ x, x @ self.P @ x
        self.w = self.w + self.P @ x * error / (1 / weight + v)
        self.P = inv(inv(self.P) + weight * np.outer(x, x))
        if self.memory < 1:
            U, D = factors(self.P)
            self.P = U @ np.diag(np.minimum(D / self.memory, self.start)) @ U.T


class AutoRegressor:
    """All count from the first outcome; weights exp(-eta loss), eta = ln N/gap or given."""

    def __init__(self, n, Y=None, few=100):
        self.full = [LeastSquares(*one) for one in ((1, 1, True, False), (0.01, 1, False, False),
                                                    (0.1, 1, False, True), (0.1, 0.98, False, True))]  # fmt: skip
        self.n, self.few, self.there = n, few, True
        self.eta = None if Y is None else 1 / (8 * Y * Y)
        self.losses, self.gap = np.zeros(12), 0.0
        self.trials = self.norms = self.mean = self.last = self.before = self.slow = self.first = 0.0
        self.low = self.high = 0.0
        self.scale, self.norm = np.zeros(n + 1), 0.0
        self.descents, self.squares, self.steps = np.zeros((2, n + 1)), np.zeros((2, n + 1)), np.zeros((2, n + 1))
        self.P, self.w = np.eye(11), np.full(11, 1 / 11)

    def coordinates(self, x, lagged):
        lags = [self.last, self.before] if lagged else [0.0, 0.0]
        return np.concatenate(([1.0], lags, (x - self.x1) if self.trials else 0 * x))

    def say(self, x):
        """Return what each says, before it is held in the range of the outcomes; the combination's comes later."""
        there = self.there and not x[self.few :].any()
        full = [e.say(self.coordinates(x, e.lagged)) if there else 0.0 for e in self.full]
        one = np.append(x, 1.0)
        size = np.maximum(self.scale, np.abs(one))
        share = np.divide(one, size, out=np.zeros(self.n + 1), where=size > 0)
        linear = [*(self.descents @ share), *(self.steps @ share)]
        return np.array([self.mean, self.last, self.slow, *full, *linear]), share, there

    def predict(self, x):
        said, share, there = self.say(x)
        heard = np.clip(said, self.low, self.high)
        heard = np.append(heard, np.clip(self.w @ heard, self.low, self.high))
        eta = self.eta or (np.log(12) / self.gap if self.gap else np.inf)
        losses = self.losses.copy()
        if not there:
            losses[3:7] = np.inf
        behind = losses - losses.min()
        weights = np.where(behind == 0, 1.0, 0.0) if eta == np.inf else np.exp(-eta * behind)
        weights /= weights.sum()
        return weights @ heard, said, share, there, heard, weights, eta

    def trial(self, x, y, weight=1.0):
        x = np.asarray(x, dtype=float)
        if weight == 0:
            return self.first + deepcopy(self).predict(x)[0]
        p, said, share, there, heard, weights, eta = self.predict(x)
        told = self.first + p
        if not self.trials:
            self.first, self.x1 = y, x
            self.paid_by_all = weight * y * y
        r = y - self.first
        if self.trials:
            cost = weight * (heard - r) ** 2
            if eta == np.inf:
                mix = cost[weights > 0].min()
            else:
                least = cost[weights > 0].min()
                mix = least - np.log(weights @ np.exp(-eta * (cost - least))) / eta
            self.gap += max(weight * (p - r) ** 2 - mix, 0.0)
            self.losses += cost
            self.low, self.high = min(self.low, r), max(self.high, r)
            if self.high > self.low:
                z, noise = heard[:11], (self.high - self.low) ** 2 / weight
                self.w = self.w + self.P @ z * (r - self.w @ z) / (noise + z @ self.P @ z)
                self.P = inv(inv(self.P) + np.outer(z, z) / noise)
        self.there = there
        for e in self.full if there else []:
            e.learn(self.coordinates(x, e.lagged), r, weight)
        self.learn(x, r, weight, said, share)
        return told

    def learn(self, x, r, weight, said, share):
        self.trials += weight
        self.norms += weight * share @ share
        self.mean += (r - self.mean) * weight / self.trials
        self.before, self.last = self.last, r
        self.slow += (r - self.slow) * (1 - 0.9**weight)
        self.scale = np.maximum(self.scale, np.abs(np.append(x, 1.0)))
        for k, eta in enumerate((0.05, 0.2)):
            g = 2 * weight * (said[7 + k] - r) * share
            self.squares[k] += g * g
            move = np.divide(g, np.sqrt(self.squares[k]), out=0 * g, where=self.squares[k] > 0)
            self.descents[k] -= eta * (self.high - self.low) * np.sqrt(self.trials / self.norms) * move
        for k, eta in enumerate((0.05, 0.5)):
            self.steps[k] += (1 - (1 - eta) ** weight) * (r - said[9 + k]) * share / (share @ share)
