"""One target a class: each has a weight for the attributes it is linked to, and the highest score wins."""

from math import exp, sqrt


def sinh(alpha, w1):
    return lambda z: w1 * (alpha**z - 1 / alpha**z)


def power(alpha, w1):
    return lambda z: w1 * alpha**z


def identity(z):
    return z


class Link:
    """A weight, its dual, the sum of the weights it has had, and the trial up to which that sum goes."""

    def __init__(self, z, v, trial):
        self.z, self.v, self.total, self.since = z, v, 0, trial

    def sum(self, trial):
        return self.total + self.v * (trial - self.since)

    def move(self, step, weight_of, trial):
        self.total, self.since = self.sum(trial), trial
        self.z += step
        self.v = weight_of(self.z)


class WinnerTakesAll:
    def __init__(
        self, weight_of=identity, *, start=0, up=1, down=-1, theta=0, margin=None, tie=1, bias=False, policy="each",
        linked=True, averaged=False, class_weights=None,
    ):  # fmt: skip
        self.weight_of, self.start, self.up, self.down, self.theta = weight_of, start, up, down, theta
        self.margin, self.tie, self.bias, self.policy = margin, tie, bias, policy
        self.linked, self.averaged, self.class_weights = linked, averaged, class_weights
        self.links = {}  # by attribute, then by class
        self.constants = {}  # by class
        self.counts = {}  # by class: examples, mistakes, promotions, demotions
        self.updates = self.trial = 0
        self.log_scale, self.squares, self.spreads, self.moved = 0.0, 0.0, 0.0, 0

    def scores(self, row):
        now, mean = dict.fromkeys(self.counts, 0.0), dict.fromkeys(self.counts, 0.0)
        for i in sorted(row):
            for c, link in self.links.get(i, {}).items():
                now[c] += link.v * row[i]
                mean[c] += link.sum(self.trial) * row[i]
        for c, link in self.constants.items():
            now[c] += link.v
            mean[c] += link.sum(self.trial)
        return now, mean

    def learn(self, row, y, importance=1.0):
        """Return the prediction (None: no class is known), then learn that it is y."""
        self.trial += 1
        now, mean = self.scores(row)
        shown = mean if self.averaged else now
        predicted = max(shown, key=shown.get) if shown else None  # the first of equal ones
        if y in shown and len(shown) > 1:
            self.calibrate([shown[c] / self.trial if self.averaged else shown[c] for c in shown], list(shown).index(y))
        if y not in self.counts:
            self.counts[y] = [0, 0, 0, 0]
            now[y] = 0.0
            if self.bias:
                self.constants[y] = Link(self.start, self.weight_of(self.start), self.trial)
                now[y] += self.constants[y].v
        self.counts[y][0] += 1
        self.counts[y][1] += predicted != y
        if self.class_weights == "balanced":
            present = sum(count[0] > 0 for count in self.counts.values())
            importance *= self.trial / (present * self.counts[y][0])
        elif self.class_weights is not None:
            importance *= self.class_weights.get(y, 1.0)
        importance = min(importance, 1e100)
        if importance == 0:
            return predicted
        if self.linked:
            for i in sorted(row):
                if y not in self.links.setdefault(i, {}):
                    self.links[i][y] = Link(self.start, self.weight_of(self.start), self.trial)
                    now[y] += self.links[i][y].v * row[i]
        steps = self.decide(now, y)
        self.updates += bool(steps)
        for c, step in steps.items():
            self.counts[c][2 if c == y else 3] += 1
            for i, x in row.items():
                if not self.linked:
                    self.links.setdefault(i, {}).setdefault(c, Link(self.start, 0, self.trial))
                if c in self.links[i]:
                    self.links[i][c].move(importance * step * x, self.weight_of, self.trial)
            if self.bias:
                self.constants[c].move(importance * step, self.weight_of, self.trial)
        return predicted

    def decide(self, now, y):
        if self.policy == "each":
            steps = {}
            for c, score in now.items():
                gap = score - self.theta
                says_yes = gap > 0 or (gap == 0 and self.tie == 1)
                right_by = gap if c == y else -gap
                if says_yes != (c == y) or (self.margin is not None and right_by <= self.margin):
                    steps[c] = self.up if c == y else self.down
            return steps
        level = now[y] - (self.margin or 0)
        excess = {c: score - level for c, score in now.items() if c != y and score >= level}
        if not excess:
            return {}
        if self.policy == "top":
            demoted = {max(excess, key=lambda c: now[c]): 1.0}
        elif self.policy == "uniform" or not any(excess.values()):
            demoted = dict.fromkeys(excess, 1.0 / len(excess))
        else:
            total = sum(excess.values())
            demoted = {c: over / total for c, over in excess.items() if over > 0}
        return {y: self.up} | {c: self.down * share for c, share in demoted.items()}

    def calibrate(self, activations, y):
        if self.spreads > 0:
            scale, most = self.scale(), max(activations)
            shares = [exp(scale * (a - most)) for a in activations]
            mean = sum(p * (a - most) for p, a in zip(shares, activations, strict=True)) / sum(shares)
            slope = min(max(scale * (mean - (activations[y] - most)), -1e100), 1e100)
            if abs(slope) > 1e-150:
                self.squares += slope**2
                self.log_scale = min(max(self.log_scale - slope / sqrt(self.squares), -100), 100)
        self.spreads += min(max(activations) - min(activations), 1e200)
        self.moved += 1

    def scale(self):
        return min(exp(self.log_scale) * self.moved / self.spreads, 1e200) if self.spreads else 1.0

    def weights(self):
        """Return the weights that predict, by attribute and class."""
        t = self.trial + 1
        return {
            i: {c: link.sum(t) / t if self.averaged else link.v for c, link in by_class.items()}
            for i, by_class in self.links.items()
        }
