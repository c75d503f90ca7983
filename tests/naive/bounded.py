"""Bounded learning in plain Python: a dict of the attributes that are kept, and the rule by which half of them go."""

from fractions import Fraction

__all__ = ["BoundedPerceptron", "BoundedWinnow"]


class _Bounded:
    def __init__(self, most, eligible):
        self.most, self.eligible = most, eligible
        self.z, self.seen, self.last = {}, {}, {}  # promotions less demotions; examples; the number of the last row
        self.slot = {}
        self.clock = self.dropped = self.lost = 0

    def trial(self, row, outcome):
        """Predict one row, a list of attributes, then learn; return the prediction."""
        self.make_room(row)
        for name in row:
            if name not in self.z:
                self.z[name] = 0
                self.slot[name] = min(set(range(len(self.slot) + 1)) - set(self.slot.values()))
            self.seen[name] = self.seen.get(name, 0) + 1
            self.last[name] = self.clock
        self.clock += 1
        counting = [name for name in row if self.seen[name] >= self.eligible]
        said = self.predicts(counting)
        if said != outcome:
            for name in counting:
                self.z[name] += 1 if outcome else -1
            self.updated(outcome)
        return said

    def make_room(self, row):
        new = [name for name in row if name not in self.z]
        if self.most is None or len(self.z) + len(new) <= self.most:
            return
        others = [name for name in self.z if name not in row]
        others.sort(key=lambda name: (-abs(self.z[name]), -self.last[name], self.slot[name]))
        stay = max(min(self.most // 2, self.most - len(new)) - (len(row) - len(new)), 0)
        for name in others[stay:]:
            self.dropped += 1
            self.lost += self.z[name] != 0
            del self.z[name], self.seen[name], self.last[name], self.slot[name]

    def updated(self, outcome):
        pass


class BoundedWinnow(_Bounded):
    """Weights alpha^z; predict 1 iff they sum to theta or more."""

    def __init__(self, alpha, theta, most, eligible):
        super().__init__(most, eligible)
        self.alpha, self.theta = Fraction(alpha), theta

    def predicts(self, row):
        return sum(self.alpha ** self.z[name] for name in row) >= self.theta


class BoundedPerceptron(_Bounded):
    """Weights z and a constant; predict 1 iff they sum to 0 or more."""

    def __init__(self, most, eligible):
        super().__init__(most, eligible)
        self.constant = 0

    def predicts(self, row):
        return sum(self.z[name] for name in row) + self.constant >= 0

    def updated(self, outcome):
        self.constant += 1 if outcome else -1
