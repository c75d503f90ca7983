"""A champion, a challenger when mistakes become more frequent, and the better one of the two: one trial at a time."""

from math import log, sqrt

from tests.naive.changes import changes


class Restarting:
    """``make(known)`` returns a learner that has learned nothing but knows these labels."""

    def __init__(self, make, delta):
        self.make, self.delta, self.known = make, delta, []
        self.champion, self.challenger = make([]), None
        self.watched = []  # whether predictions were wrong, since the detector began
        self.duels = self.restarts = self.decisions = 0

    def learn(self, x, y):
        said = self.champion.learn(x, y)
        if self.challenger is not None:
            leads = self.b < self.a
            other = self.challenger.learn(x, y)
            self.a += said != y
            self.b += other != y
            self.alone += (said != y) != (other != y)
            said = other if leads else said
        if y not in self.known:
            self.known.append(y)
        self.watched.append(int(said != y))
        if self.challenger is not None and self.decided():
            self.end()
            self.decisions += 1
            self.watched = []
        elif self.noticed():
            if self.challenger is not None:
                self.end()
            self.challenger, self.a, self.b, self.alone = self.make(self.known), 0, 0, 0
            self.duels += 1
        return said

    def decided(self):
        m = self.alone
        return m > 0 and abs(self.a - self.b) >= sqrt(2 * m * log(m * (m + 1) / self.delta))

    def noticed(self):
        return len(self.watched) % 32 == 0 and len(self.watched) - 1 in changes(self.watched, delta=self.delta)

    def end(self):
        if self.b < self.a:
            self.champion = self.challenger
            self.restarts += 1
        self.challenger = None
