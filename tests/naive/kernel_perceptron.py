"""The Perceptron over all features of a kernel, each feature written down: a conjunction is a tuple of literals."""

from itertools import combinations, product


def conjunctions(n, *, monotone=False, max_size=None, include_empty=True):
    """List the conjunctions: sets of attributes, each with the value it must have."""
    found = []
    for size in range(0 if include_empty else 1, (n if max_size is None else min(n, max_size)) + 1):
        for chosen in combinations(range(n), size):
            every = [(1,) * size] if monotone else product((1, 0), repeat=size)
            found += [tuple(zip(chosen, signs, strict=True)) for signs in every]
    return found


def holds(conjunction, row):
    return all(row[i] == sign for i, sign in conjunction)


def kernel(x, y, **which):
    """Count the conjunctions that hold in both rows."""
    return sum(holds(c, x) and holds(c, y) for c in conjunctions(len(x), **which))


class KernelPerceptron:
    """A weight for every conjunction; predict 1 iff eta times the sum of those that hold is at least theta."""

    def __init__(self, n, *, theta=0, eta=1, **which):
        self.theta, self.eta = theta, eta
        self.w = dict.fromkeys(conjunctions(n, **which), 0)

    def value(self, row):
        return self.eta * sum(w for c, w in self.w.items() if w and holds(c, row))

    def learn(self, rows, outcomes, weight=None):
        said = []
        for t, (row, y) in enumerate(zip(rows, outcomes, strict=True)):
            said.append(int(self.value(row) >= self.theta))
            if said[-1] != y:
                step = (1 if y else -1) * (1 if weight is None else weight[t])
                for c in self.w:
                    if holds(c, row):
                        self.w[c] += step
        return said
