"""Bounded learning of many classes in plain Python: half of the attributes go, each with its links in all classes."""

from tests.naive.winner_takes_all import WinnerTakesAll

__all__ = ["BoundedClasses"]


class BoundedClasses:
    def __init__(self, most, eligible, **told):
        self.most, self.eligible, self.twin = most, eligible, WinnerTakesAll(**told)
        self.seen, self.last, self.slot = {}, {}, {}  # examples; the number of the last row; the slot
        self.clock = self.dropped = self.lost = 0

    def trial(self, row, y):
        """Predict one row, a list of attributes, then learn that it is y; return the prediction."""
        self.make_room(row)
        for name in row:
            if name not in self.slot:
                self.slot[name] = min(set(range(len(self.slot) + 1)) - set(self.slot.values()))
            self.seen[name] = self.seen.get(name, 0) + 1
            self.last[name] = self.clock
        self.clock += 1
        return self.twin.learn({name: 1.0 for name in row if self.seen[name] >= self.eligible}, y)

    def make_room(self, row):
        new = [name for name in row if name not in self.slot]
        if self.most is None or len(self.slot) + len(new) <= self.most:
            return
        others = [name for name in self.slot if name not in row]
        others.sort(key=lambda name: (*(-part for part in self.matters(name)), -self.last[name], self.slot[name]))
        stay = max(min(self.most // 2, self.most - len(new)) - (len(row) - len(new)), 0)
        for name in others[stay:]:
            self.dropped += 1
            self.lost += self.matters(name)[1]
            self.twin.links.pop(name, None)
            del self.seen[name], self.last[name], self.slot[name]

    def matters(self, name):
        """Return how far an attribute is from its start in any class, and whether anything would be lost with it."""
        links = self.twin.links.get(name, {}).values()
        far = max((abs(link.z - self.twin.start) for link in links), default=0)
        back = any(link.sum(self.twin.trial) != 0 for link in links) and self.twin.averaged
        return far, bool(links) and (self.twin.linked or far > 0 or back)

    def weights(self):
        """Return the weights that predict, of each attribute that is kept, by class."""
        found = self.twin.weights()
        return {name: found.get(name, {}) for name in self.slot}

    def links(self):
        """Return how many links each class has."""
        numbers = dict.fromkeys(self.twin.counts, 0)
        for by_class in self.twin.links.values():
            for c in by_class:
                numbers[c] += 1
        return numbers
