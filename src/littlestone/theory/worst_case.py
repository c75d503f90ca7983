"""worst_case: the longest sequence of mistakes that any teacher can force, by searching the whole game.

A learner that treats all attributes alike is in the same position whenever its attributes have the same weights, in
whatever order. So a position is two sorted lists of states, of the relevant and of the irrelevant attributes, and what
is left of the budget of attribute errors; a move is an example on which the learner errs. The answer is the length of
the longest path from the start.
"""

from __future__ import annotations

from fractions import Fraction
from math import inf

import numpy as np
from numpy.typing import NDArray

from littlestone.core.errors import InvalidParameter, TooLarge
from littlestone.core.parameters import check_whole
from littlestone.engine.learning import duals as engine
from littlestone.learners import Learner
from littlestone.learners.knowledge import refuse_numbers
from littlestone.machines.machine import Machine

__all__ = ["worst_case"]

Keys = NDArray[np.uint64]
Pair = tuple[int, int]

MOST_ATTRIBUTES = 12
AT_ONCE = 1 << 22  # pairs of a position and an example that are looked at together
NEAR = 1e-9


def worst_case(
    learner: Learner, n: int, k: int, attribute_errors: int = 0, *, most_positions: int = 1_000_000
) -> float:
    """Return the longest sequence of mistakes on the disjunction of ``k`` of ``n`` attributes; inf if there is no end.

    The teacher may present any Boolean examples in any order, and spend ``attribute_errors``: a negative example with j
    relevant attributes on costs j, a positive one with none on costs 1. Exact: Winnow's ties are decided in rationals.

    >>> import littlestone as ls
    >>> [ls.worst_case(ls.Winnow(), n=n, k=1) for n in (2, 3, 4, 5, 6)]
    [1, 3, 4, 6, 6]
    >>> ls.worst_case(ls.ThresholdedBEG(), n=3, k=1, attribute_errors=2)
    7
    >>> ls.worst_case(ls.Elimination(), n=3, k=1, attribute_errors=1)  # one wrong elimination is for ever
    inf

    Reference: the tables of exact worst cases were first computed for this package.
    """
    n, k = check_whole("worst_case", "n", n), check_whole("worst_case", "k", k, least=0)
    budget = check_whole("worst_case", "attribute_errors", attribute_errors, least=0, most=250)
    most_positions = check_whole("worst_case", "most_positions", most_positions)
    if k > n:
        raise InvalidParameter(f"worst_case: k must be a whole number <= n={n}, got {k}")
    if n > MOST_ATTRIBUTES:
        raise TooLarge(
            f"worst_case: every position has 2^{n} examples; expected n <= {MOST_ATTRIBUTES}; for larger n play "
            "teachers.Greedy, which forces many mistakes, and ask learner.guarantee, which no teacher exceeds"
        )
    game = _Game(_machine(learner, n), n, k)
    return _height(*game.explore(budget, most_positions))


def _machine(learner: Learner, n: int) -> Machine:
    """Return what a learner plays by over n attributes, if all that matters is how often each was updated."""
    if not isinstance(learner, Learner):
        raise InvalidParameter(f"worst_case: expected a learner, such as Winnow(), got {learner!r}")
    refuse_numbers("worst_case", learner)
    owner = type(learner).__name__
    if not learner.exchangeable or learner.negations:
        raise InvalidParameter(f"worst_case: expected a learner that treats all attributes alike, got {learner!r}")
    if learner.trials:
        raise InvalidParameter(f"worst_case: expected a learner at its start, and this {owner} has learned already")
    machine = learner.copy().begin(n).machine
    rule = None if machine is None else machine.rule
    if machine is None or rule is None or rule.averaged or rule.margin > -inf or rule.certain:
        raise InvalidParameter(
            f"worst_case: expected a quasi-additive learner that updates on its mistakes alone, got {learner!r}"
        )
    return machine


class _States:
    """The states that an attribute can be in: how often it was promoted and demoted, as far as that matters."""

    def __init__(self, machine: Machine) -> None:
        assert machine.rule is not None
        self.rule, self.table = machine.rule, machine.table
        self.pairs: list[Pair] = [(0, 0)]
        self._places: dict[Pair, int] = {(0, 0): 0}
        self.next = np.zeros((2, 0), dtype=np.int64)

    def _after(self, pair: Pair, way: int) -> Pair:
        if self.table is not None:
            return self.table.after(pair, way)
        (p, q), rule = pair, self.rule
        if rule.down == -inf:
            return ((0, 1) if way == 0 else pair) if q or way == 0 else (p + 1 if rule.up else p, 0)
        if rule.up == -rule.down:
            return p + (1 if way else -1), 0
        return (p + 1, q) if way else (p, q + 1)

    def extend(self) -> None:
        """Find what follows each state that is known by now."""
        known = len(self.pairs)
        found = []
        for pair in self.pairs[self.next.shape[1] : known]:
            row = []
            for way in (0, 1):
                after = self._after(pair, way)
                if after not in self._places:
                    self._places[after] = len(self.pairs)
                    self.pairs.append(after)
                row.append(self._places[after])
            found.append(row)
        self.next = np.hstack([self.next, np.array(found, dtype=np.int64).reshape(-1, 2).T])

    def duals(self) -> NDArray[np.float64]:
        """Return the dual of each state."""
        rule = self.rule
        start = float(rule.start)
        if self.table is not None:
            return np.array([self.table.dual(p, q) for p, q in self.pairs])
        return np.array([start + p * rule.up + (q * rule.down if q else 0.0) for p, q in self.pairs])

    def weights(self) -> NDArray[np.float64]:
        """Return the weight of each state, before any scaling."""
        if self.table is not None:
            return np.array([float(self.table.weight(p, q)) for p, q in self.pairs])
        return self.rule.link(self.duals())

    def exact(self, states: NDArray[np.int64]) -> Fraction:
        """Return the sum of some states' weights in rationals."""
        assert self.table is not None
        return sum((self.table.weight(*self.pairs[state]) for state in states.tolist()), Fraction(0))


class _Game:
    """The positions of a game, packed into 64 bits each: the states of the attributes, and the budget that is left."""

    def __init__(self, machine: Machine, n: int, k: int) -> None:
        self.states, self.theta = _States(machine), machine.exact_theta
        self.n, self.k, self.bias = n, k, int(self.states.rule.bias)
        self.bits = 56 // (n + self.bias)
        self.examples = (np.arange(1 << n)[:, np.newaxis] >> np.arange(n)) & 1  # (examples, attributes)
        self.relevant = self.examples[:, :k].sum(axis=1)

    def explore(self, budget: int, most: int) -> tuple[Keys, Keys, Keys, np.uint64]:
        """Return all positions, and the moves between them (from, to); the start is the last value."""
        start = self._packed(np.zeros((1, self.n + self.bias), dtype=np.int64), np.array([budget]))
        known, frontier = start, start
        sources: list[Keys] = []
        targets: list[Keys] = []
        while len(frontier):
            self.states.extend()
            if len(self.states.pairs) > 1 << self.bits:
                raise TooLarge(f"worst_case: more than {1 << self.bits} weights occur in the game; {self._instead()}")
            found = []
            step = max(1, AT_ONCE >> self.n)
            for first in range(0, len(frontier), step):
                source, target = self._moves(frontier[first : first + step])
                sources.append(source)
                targets.append(target)
                found.append(np.unique(target))
            after = np.unique(np.concatenate(found))
            frontier = after[~np.isin(after, known, assume_unique=True)]
            known = np.union1d(known, frontier)
            if len(known) > most:
                raise TooLarge(f"worst_case: more than {most:,} positions; raise most_positions, or {self._instead()}")
        return known, np.concatenate(sources), np.concatenate(targets), start[0]

    def _instead(self) -> str:
        return "take a smaller n, play teachers.Greedy, or ask learner.guarantee"

    def _packed(self, states: NDArray[np.int64], budget: NDArray[np.int64]) -> Keys:
        key = budget.astype(np.uint64)
        for column in states.T:
            key = (key << np.uint64(self.bits)) | column.astype(np.uint64)
        return key

    def _unpacked(self, keys: Keys) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        size, mask = self.n + self.bias, np.uint64((1 << self.bits) - 1)
        shifts = np.array([self.bits * (size - 1 - i) for i in range(size)], dtype=np.uint64)
        states = ((keys[:, np.newaxis] >> shifts) & mask).astype(np.int64)
        return states, (keys >> np.uint64(self.bits * size)).astype(np.int64)

    def _moves(self, keys: Keys) -> tuple[Keys, Keys]:
        """Return every move from some positions: where it starts and where it leads, once each."""
        states, budget = self._unpacked(keys)
        predicted = self._predicted(states)
        # A mistake: the outcome is the other label; its price is what the target thinks of that.
        price = np.where(predicted, self.relevant, (self.relevant == 0).astype(np.int64))
        position, example = np.nonzero((price <= budget[:, np.newaxis]) & self._first_of_its_kind(states))
        way = 1 - predicted[position, example].astype(np.int64)
        before = states[position]
        on = np.ones(before.shape, dtype=bool)
        on[:, : self.n] = self.examples[example] == 1
        after = np.where(on, self.states.next[way[:, np.newaxis], before], before)
        after[:, : self.k].sort(axis=1)
        after[:, self.k : self.n].sort(axis=1)
        target = self._packed(after, budget[position] - price[position, example])
        order = np.lexsort((target, position))
        new = np.ones(len(order), dtype=bool)
        new[1:] = (np.diff(position[order]) != 0) | (target[order][1:] != target[order][:-1])
        return keys[position[order][new]], target[order][new]

    def _first_of_its_kind(self, states: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Tell which examples take the first of equal attributes first: the others lead to the same positions."""
        equal = np.zeros(len(states), dtype=np.int64)
        for i in range(self.n - 1):
            if i + 1 != self.k:
                equal |= (states[:, i] == states[:, i + 1]).astype(np.int64) << i
        masks = np.arange(1 << self.n)
        return np.asarray((~masks & (masks >> 1) & equal[:, np.newaxis]) == 0)

    def _predicted(self, states: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return the prediction of every example in every position."""
        rule = self.states.rule
        w = self.states.weights()[states]
        score = w[:, : self.n] @ self.examples.T.astype(np.float64) + w[:, self.n :].sum(axis=1, keepdims=True)
        scale = np.ones((len(states), 1))
        if rule.link.scale == engine.SUM:
            scale = w.sum(axis=1, keepdims=True)
        elif rule.link.scale == engine.NORM:
            power = (np.abs(self.states.duals()[states]) ** rule.link.a).sum(axis=1, keepdims=True)
            scale = np.where(power > 0.0, power ** ((rule.link.a - 2.0) / rule.link.a), 1.0)
        gap = score - rule.theta * scale
        gap[scale[:, 0] <= 0.0] = -rule.theta  # all eliminated: w is 0
        if self.states.table is not None:
            for row, example in zip(*np.nonzero(np.abs(gap) <= NEAR * (abs(rule.theta) + np.abs(score))), strict=True):
                on = np.append(states[row, : self.n][self.examples[example] == 1], states[row, self.n :])
                gap[row, example] = float(np.sign(float(self.states.exact(on) - self.theta)))
        return np.asarray((gap > 0.0) | ((gap == 0.0) & (rule.tie == 1)))


def _height(known: Keys, sources: Keys, targets: Keys, start: np.uint64) -> float:
    """Return the length of the longest path from the start; inf where paths come back to where they were."""
    source, target = np.searchsorted(known, sources), np.searchsorted(known, targets)
    order = np.argsort(target, kind="stable")
    source, first = source[order], np.searchsorted(target[order], np.arange(len(known) + 1))
    left = np.bincount(source, minlength=len(known))
    begin = int(np.searchsorted(known, start))
    ended = np.flatnonzero(left == 0)
    height = removed = 0
    while len(ended):
        removed += len(ended)
        if left[begin] == 0 and np.any(ended == begin):
            return height
        counts = first[ended + 1] - first[ended]
        skipped = np.repeat(first[ended] - np.cumsum(counts) + counts, counts)
        spans = skipped + np.arange(len(skipped))
        before = source[spans]
        np.subtract.at(left, before, 1)
        ended = np.unique(before[left[before] == 0])
        height += 1
    return inf
