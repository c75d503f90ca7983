"""Growing Winnow in plain Python: features are frozensets of attributes; weights are exact."""

from fractions import Fraction
from itertools import combinations

BAND = Fraction(1, 10**12)


def largest_exponent(alpha, bound):
    c = 0
    while alpha**c > bound:
        c -= 1
    while alpha ** (c + 1) <= bound:
        c += 1
    return c


class GrowingWinnow:
    def __init__(self, n, alpha, theta, budget, max_size, candidates, memory):
        self.alpha, self.theta, self.budget, self.max_size = alpha, theta, budget, max_size
        self.candidates, self.memory = candidates, memory
        self.attributes = dict.fromkeys(range(n), 0)  # exponents
        self.conjunctions = {}  # in the order of their places
        self.mistakes = []  # (row, +1 or -1)
        self.count = 0

    def play(self, row, y, times=1):
        on = [i for i in self.attributes if row[i]]
        true = [c for c in self.conjunctions if all(row[i] for i in c)]
        total = sum(self.alpha ** self.attributes[i] for i in on) + sum(
            self.alpha ** self.conjunctions[c] for c in true
        )
        said = int(total >= self.theta * (1 - BAND))
        if said != y and times:
            way = 1 if y else -1
            self.remember(set(on), way)
            for i in on:
                self.attributes[i] += way * times
            for c in true:
                self.conjunctions[c] += way * times
            if y:
                self.grow(on)
        return said

    def remember(self, row, way):
        if self.count % 64 == 0 and self.count >= self.memory:
            del self.mistakes[:64]
        self.mistakes.append((row, way))
        self.count += 1

    def net(self, conjunction):
        return sum(way for row, way in self.mistakes if conjunction <= row)

    def grow(self, on):
        chosen = sorted(on, key=lambda i: -self.attributes[i])[: self.candidates]  # of equals the first
        pairs = [
            frozenset((chosen[u], chosen[v]))
            for v, u in sorted(combinations(range(len(chosen)), 2), key=lambda p: p[::-1])
        ]
        best = max(pairs, key=self.net, default=None)
        if best is None or self.net(best) <= 0:
            return
        while len(best) < self.max_size:
            longer = max((best | {i} for i in chosen), key=self.net)
            if self.net(longer) <= self.net(best):
                break
            best = longer
        if best in self.conjunctions:
            return
        most = largest_exponent(self.alpha, self.theta)
        exponent = min(largest_exponent(self.alpha, self.theta / self.budget) + self.net(best), most)
        if len(self.conjunctions) == self.budget:
            out = min(self.conjunctions, key=self.conjunctions.get)
            if self.conjunctions[out] >= exponent:
                return
            # the newcomer takes its place
            self.conjunctions = {
                (best if c == out else c): (exponent if c == out else e) for c, e in self.conjunctions.items()
            }
        else:
            self.conjunctions[best] = exponent
