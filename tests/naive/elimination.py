"""A set of live attributes; a false positive kills those that are on."""


class Elimination:
    def __init__(self, n):
        self.live = set(range(n))
        self.n = n

    def weights(self):
        return [1 if i in self.live else 0 for i in range(self.n)]

    def update(self, row, y, weight):
        if not y and weight:
            self.live -= {i for i, x in row.items() if x}
