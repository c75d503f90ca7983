"""Flip a random coordinate that disagrees, or what a batch of rows votes for; rows and w are lists of +1 and -1."""

from itertools import product
from math import prod

WORD = (1 << 64) - 1
STEP = 0x9E3779B97F4A7C15


def mixed(x):
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 & WORD
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB & WORD
    return x ^ (x >> 31)


class Words:
    """The random words of a run, one after another."""

    def __init__(self, seed, run=0):
        self.key, self.used = mixed((mixed(seed + STEP & WORD) + (run + 1) * STEP) & WORD), 0

    def next(self):
        self.used += 1
        return mixed((self.key + self.used * STEP) & WORD)

    def below(self, k):
        """A whole number below k, without bias: the low half of a product tells whether to draw again."""
        while True:
            product = (self.next() >> 32) * k
            if product % 2**32 >= 2**32 % k:
                return product >> 32


def signs(words, n):
    """Bits of words, the lowest first, as +1 and -1."""
    return [1 if words[k // 64] >> (k % 64) & 1 else -1 for k in range(n)]


class DirectedDrift:
    def __init__(self, n, mode="single", batch=1, seed=0):
        self.n, self.mode, self.batch, self.words = n, mode, batch, Words(seed)
        self.w = signs([self.words.next() for _ in range(-(-n // 64))], n)
        self.votes, self.tested, self.mistakes, self.updates = [], 0, 0, 0

    def product(self, row):
        return sum(a * b for a, b in zip(self.w, row, strict=True))

    def learn(self, row, y):
        """Predict, then learn; return the prediction."""
        product = self.product(row)
        said = int(product >= 0)
        if not self.votes:
            self.tested += 1
            if (product if y else -product) >= 0:  # of the row, or of its reflection
                return said
            self.mistakes += 1
        self.votes.append(row if y else [-x for x in row])
        if len(self.votes) == self.batch:
            self.update()
        return said

    def update(self):
        against = [sum(u[k] != self.w[k] for u in self.votes) for k in range(self.n)]
        if self.mode == "synchronous":
            chosen = [k for k in range(self.n) if 2 * against[k] >= self.batch]
        else:
            most = [k for k in range(self.n) if against[k] == max(against)]
            chosen = [most[self.words.below(len(most))]]
        for k in chosen:
            self.w[k] = -self.w[k]
        self.votes, self.updates = [], self.updates + 1


def moves(n, d, mode, batch, way):
    """The probabilities of being at each distance after a mistake at distance d, from all batches there are."""
    w, found = [-1] * d + [1] * (n - d), [0.0] * (n + 1)
    if d == 0:
        return [1.0, *found[1:]]
    rows = {u: 1 if way == "reflected" and sum(u) == 0 else 2 for u in product((-1, 1), repeat=n) if sum(u) >= 0}
    for votes in product(rows, repeat=batch):
        if sum(a * b for a, b in zip(w, votes[0], strict=True)) >= 0:
            continue
        against = [sum(u[k] != w[k] for u in votes) for k in range(n)]
        if mode == "synchronous":
            choices = [[k for k in range(n) if 2 * against[k] >= batch]]
        else:
            choices = [[k] for k in range(n) if against[k] == max(against)]
        for chosen in choices:
            wrong = sum((w[k] < 0) != (k in chosen) for k in range(n))
            found[wrong] += prod(rows[u] for u in votes) / len(choices)
    return [one / sum(found) for one in found]
