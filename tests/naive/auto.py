"""A vote of experts, more or less sure: w_i <- w_i beta^(1 - p_i(y)); each class has a target in each expert."""

from copy import deepcopy

import numpy as np

from tests.naive.adagrad import Adagrad
from tests.naive.arow import AROW
from tests.naive.changes import changes
from tests.naive.confidence_weighted import ConfidenceWeighted
from tests.naive.nherd import NHERD

BETA = 0.5


class Winnow:
    """Modified balanced Winnow with theta and margin 1, for values of either sign."""

    def __init__(self, n, *, alpha, beta):
        self.u, self.v, self.alpha, self.beta = np.full(n, 2.0), np.full(n, 1.0), alpha, beta

    def score(self, x):
        return float((self.u - self.v) @ x / np.abs(x).sum() - 1)

    def learn(self, x, y):
        slack = 1 - y * self.score(x)
        if slack >= 0:
            share = np.abs(x) / np.abs(x).sum()
            up, down = self.alpha * (1 + share), self.beta * (1 - share)
            self.u[x * y > 0] *= up[x * y > 0]
            self.v[x * y > 0] *= down[x * y > 0]
            self.u[x * y < 0] *= down[x * y < 0]
            self.v[x * y < 0] *= up[x * y < 0]
        return slack


def pool(n):
    gaussians = [AROW(n, r=r, diagonal=True) for r in (0.1, 1.0, 10.0)]
    gaussians += [ConfidenceWeighted(n, eta=eta, variant="stdev", diagonal=True) for eta in (0.7, 0.9)]
    gaussians += [NHERD(n, C=0.1, diagonal=True)]
    rates = [Adagrad(n, eta=eta, delta=0.0, loss=loss) for loss in ("hinge", "logistic") for eta in (0.1, 0.3)]
    return [*gaussians, *rates, Winnow(n, alpha=1.5, beta=0.5), Winnow(n, alpha=1.2, beta=0.8)]


def mirrored(expert):
    """The expert that has learned the same rows with the other label."""
    other = deepcopy(expert)
    if isinstance(expert, Winnow):
        other.u, other.v = 2 * expert.v, expert.u / 2
    elif isinstance(expert, Adagrad):
        other.w = -expert.w
    else:
        other.mu = -expert.mu
    return other


class Full:
    """AROW with a full covariance; of more than two classes a mean and a covariance for each.

    Then it learns that the true class is before the best other one: x/2 for the one, -x/2 for the other.
    """

    def __init__(self, n, *, r):
        self.n, self.r, self.two, self.classes = n, r, AROW(n, r=r, diagonal=False), []

    def scores(self, x):
        if self.classes:
            return np.array([one.score(x) for one in self.classes])
        return np.array([-1, 1]) * self.two.score(x)

    def welcome(self):
        if not self.classes:
            self.classes = [mirrored(self.two), self.two]
        self.classes.append(AROW(self.n, r=self.r, diagonal=False))

    def learned(self):
        """The last coordinate but one of which anything is known."""
        known = [
            np.flatnonzero((one.Sigma[:-1] != np.eye(self.n)[:-1]).any(axis=1)) for one in (self.two, *self.classes)
        ]
        return max([-1, *np.concatenate(known).tolist()])

    def learn(self, x, y):
        if not self.classes:
            return self.two.learn(x, 1 if y == 1 else -1)
        s = self.scores(x)
        true, other = self.classes[y], self.classes[int(np.argmax(np.where(np.arange(len(s)) == y, -np.inf, s)))]
        m, d = (true.score(x) - other.score(x)) / 2, x / 2
        if m < 1:
            alpha = (1 - m) / (d @ true.Sigma @ d + d @ other.Sigma @ d + self.r)
            for one, sign in ((true, 1), (other, -1)):
                one.mu = one.mu + sign * alpha * one.Sigma @ d
                one.shrink(np.linalg.inv(one.Sigma) + np.outer(d, d) / self.r)
        return 1 - m


class Combination:
    """AROW on what the others say: the true class is to be before the best other one."""

    def __init__(self, n, *, r):
        self.mu, self.precision, self.r, self.of = np.full(n, 1 / n), np.eye(n), r, np.arange(n)

    def score(self, z):
        return self.mu @ z[self.of]

    def learn(self, z, y):
        s, z = self.score(z), z[self.of]
        others = np.where(np.arange(len(s)) == y, -np.inf, s)
        d = (z[:, y] - z[:, int(np.argmax(others))]) / 2
        m, Sigma = self.mu @ d, np.linalg.inv(self.precision)
        if m < 1:
            self.mu = self.mu + (1 - m) / (d @ Sigma @ d + self.r) * Sigma @ d
            self.precision = self.precision + np.outer(d, d) / self.r
        return 1 - m

    def forget(self, those):
        """Go on without experts of whom nothing more is heard."""
        left = ~np.isin(self.of, those)
        Sigma = np.linalg.inv(self.precision)[np.ix_(left, left)]
        self.mu, self.precision, self.of = self.mu[left], np.linalg.inv(Sigma), self.of[left]

    def drop(self, expert):
        """Go on with the Gaussian in which the weight of one is 0: its precision is the others' block."""
        left = self.of != expert
        inner, across = self.precision[np.ix_(left, left)], self.precision[left][:, ~left]
        self.mu = self.mu[left] + np.linalg.solve(inner, across @ self.mu[~left])
        self.precision, self.of = inner, self.of[left]

    def deviations(self):
        """How many deviations the weight of each is from 0, squared."""
        return dict(zip(self.of.tolist(), self.mu**2 / np.diag(np.linalg.inv(self.precision)), strict=True))


def projected(t):
    """The distribution nearest to t."""
    for k in range(len(t), 0, -1):
        top = np.sort(t)[::-1][:k]
        level = (top.sum() - 1) / k
        if top[-1] > level or k == 1:
            return np.maximum(t - level, 0)
    raise AssertionError


class Auto:
    """``near`` is how close the closest decision so far was."""

    def __init__(self, n, few=300, cut=8192, delta=0.01):
        self.n, self.few, self.cut, self.delta, self.classes, self.near = n, few, cut, delta, 0, np.inf
        self.wrong, self.over, self.lost = [], 0, 0.0
        self.begin()

    def begin(self):
        """All begin, with the classes that there are; if there are more than two, as if these had come at once."""
        n, known, self.classes, self.counted = self.n, self.classes, 0, 0
        self.lanes, self.full_lanes = [*range(12)], [12, 13, 14]
        self.targets = [pool(n + 1)]
        self.full = [Full(n + 1, r=r) for r in (0.1, 1.0, 10.0)]
        self.combinations = [Combination(15, r=r) for r in (3.0, 30.0)]
        self.losses, self.sizes, self.mistakes = np.zeros(17), np.zeros(17), np.zeros(17, dtype=int)
        if known:
            self.welcome(known - 1)

    def scores(self, x):
        """A row an expert, a column a class, of which there are at least two."""
        if self.classes <= 2:
            s = np.array([expert.score(x) for expert in self.targets[0]])
            s = np.stack((-s, s), axis=1)
        else:
            s = np.array([[expert.score(x) for expert in target] for target in self.targets[:-1]]).T
        return np.vstack([s, *(expert.scores(x) for expert in self.full)])

    def most(self):
        """How many attributes those with full covariances may have."""
        return int(np.sqrt((self.few + 1) ** 2 / (1 if self.classes <= 2 else self.classes))) - 1

    def ask(self, row):
        x = np.zeros(self.n + 1)
        x[list(row)] = list(row.values())
        x[self.n] = 1.0
        if any(i >= self.most() for i in row):
            self.full = []
        self.here = np.array([*self.lanes, *(self.full_lanes if self.full else ()), 15, 16])
        s, usual = self.scores(x), self.sizes / max(self.counted, 1)
        best = np.sort(s, axis=1)[:, -2:]
        units = usual[self.here[:-2], np.newaxis]
        middle = best.mean(axis=1, keepdims=True)
        z = np.zeros((15, s.shape[1]))
        z[self.here[:-2]] = np.where(units > 0, np.clip((s - middle) / np.where(units > 0, units, 1), -1, 1), 0.0)
        s = np.vstack((s, [one.score(z) for one in self.combinations]))
        best = np.sort(s, axis=1)[:, -2:]
        return x, s, z, (best[:, 1] - best[:, 0]) / 2

    def shares(self, s):
        known = s[:, : self.classes]
        units = (self.sizes / max(self.counted, 1))[self.here]
        first = np.argmax(known, axis=1)
        return np.array([
            projected(row / unit) if unit > 0 else np.eye(self.classes)[c]
            for row, unit, c in zip(known, units, first, strict=True)
        ])  # fmt: skip

    def learn(self, row, y):
        """Return the prediction (None: no class is known), then learn that it is y."""
        x, s, z, halves = self.ask(row)
        self.near = min([self.near, *halves[(halves > 0) & (self.counted > 0)]])  # who would say what
        predicted, lost = None, np.ones(len(s))
        if self.classes:
            shares = self.shares(s)
            losses = self.losses[self.here]
            votes = BETA ** (losses - losses.min()) @ shares
            predicted = int(np.argmax(votes))
            order = np.sort(votes)[::-1]
            if len(order) > 1 and not np.array_equal(s[:, 0], s[:, 1]):
                self.near = min(self.near, order[0] - order[1])
            if y < self.classes:
                lost = 1 - shares[:, y]
        self.losses[self.here] += lost
        wrong = np.argmax(s[:, : self.classes], axis=1) != y if self.classes else True
        self.mistakes[self.here] += wrong
        self.sizes[self.here] += halves
        self.counted += 1
        slacks = [one.learn(z, y) for one in self.combinations] if y < s.shape[1] else []
        slacks += self.learn_targets(x, y)
        self.near = min([self.near, *np.abs(slacks)])
        if self.counted == self.cut:
            self.keep_few()
        self.watch(predicted != y)
        return predicted

    def watch(self, wrong):
        """Begin anew when mistakes have become more frequent."""
        self.wrong.append(bool(wrong))
        if len(self.wrong) % 32 == 0 and changes(self.wrong, delta=self.delta):
            self.over, self.lost = self.over + 1, self.lost + self.losses[self.here].min()
            self.wrong = []
            self.begin()

    def keep_few(self):
        """The best stays, and of the diagonal ones those whose weights in the first combination are far from 0."""
        there = [*self.lanes, *(self.full_lanes if self.full else ())]
        for one in self.combinations:
            one.forget([e for e in range(15) if e not in there])
        losses = np.sort(self.losses[there])
        self.near = min(self.near, losses[1] - losses[0])
        best = there[int(np.argmin(self.losses[there]))]
        while True:
            few = sum(e < 12 for e in there) <= 4
            far = self.combinations[0].deviations()
            crowd = sorted((far[e], e) for e in there if e != best and (e >= 12 or not few))
            if not crowd:
                break
            self.near = min([self.near, *(1 - crowd[0][0] / other for other, _ in crowd[1:2] if other)])
            for one in self.combinations:
                one.drop(crowd[0][1])
            there.remove(crowd[0][1])
        self.full = [one for e, one in zip(self.full_lanes, self.full, strict=False) if e in there]
        self.targets = [[one for e, one in zip(self.lanes, target, strict=True) if e in there]
                        for target in self.targets]  # fmt: skip
        self.lanes, self.full_lanes = [e for e in there if e < 12], [e for e in there if e >= 12]

    def new_target(self):
        everybody = pool(self.n + 1)
        return [everybody[e] for e in self.lanes]

    def welcome(self, y):
        while self.classes <= y:
            if self.classes == 2:
                one = self.targets[0]
                self.targets = [[mirrored(expert) for expert in one], one, self.new_target(), self.new_target()]
            elif self.classes > 2:
                self.targets.append(deepcopy(self.targets[-1]))
            self.classes += 1
            if self.classes > 2 and any(one.learned() >= self.most() for one in self.full):
                self.full = []
            for one in self.full if self.classes > 2 else ():
                one.welcome()

    def learn_targets(self, x, y):
        self.welcome(y)
        if x[min(self.most(), self.n) : -1].any():
            self.full = []
        slacks = []
        for t, target in enumerate(self.targets):
            sign = 1 if y == (t if self.classes > 2 else 1) else -1
            slacks += [expert.learn(x, sign) for expert in target]
        return slacks + [expert.learn(x, y) for expert in self.full]
