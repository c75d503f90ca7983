"""The tables behind whole exponents: which weights there are, their exact values, and where an update leads."""

from __future__ import annotations

from fractions import Fraction
from math import exp, inf, log

import numpy as np

from littlestone.rational import Number, simplest_fraction

__all__ = ["BalancedTable", "Table", "WinnowTable"]

MOST_STATES = 1 << 16
MOST_WEIGHT = 1e290


class Table:
    """The weights that have occurred: each pair of exponents a state, and where each goes on an update."""

    ahead = 16  # how many states are added beyond the one that is needed

    def __init__(self) -> None:
        self.exponents: list[tuple[int, int]] = []
        self._states: dict[tuple[int, int], int] = {}
        self._rationals: dict[int, Fraction] = {}
        self.powers, self.exact, self.largest = np.zeros(0), np.zeros(0, dtype=np.uint8), 0.0
        self.moves = np.zeros((2, 0), dtype=np.int32)
        self.add([(0, 0)])

    def weight(self, p: int, q: int) -> Fraction:
        """Return the weight of the exponents (p, q)."""
        raise NotImplementedError

    def after(self, pair: tuple[int, int], way: int) -> tuple[int, int]:
        """Return the exponents after a promotion (way 1) or a demotion (way 0)."""
        raise NotImplementedError

    def before(self, pair: tuple[int, int], way: int) -> list[tuple[int, int]]:
        """Return the exponents that go to ``pair`` on a promotion (way 1) or a demotion (way 0)."""
        raise NotImplementedError

    def dual(self, p: int, q: int) -> float:
        """Return the dual that stands for the same weight."""
        raise NotImplementedError

    def values(self, exponents: list[tuple[int, int]]) -> tuple[list[float], list[bool]]:
        """Return the weights as floats, and whether each is exact."""
        weights = [self.weight(*pair) for pair in exponents]
        values = [_nearest(weight) for weight in weights]
        return values, [Fraction(v) == w for v, w in zip(values, weights, strict=True)]

    def rational(self, state: int) -> Fraction:
        """Return the weight of a state, exactly."""
        if state not in self._rationals:
            self._rationals[state] = self.weight(*self.exponents[state])
        return self._rationals[state]

    def add(self, new: list[tuple[int, int]]) -> None:
        """Add states that are not there yet."""
        if not new:
            return
        first = len(self.exponents)
        self._states |= {pair: first + i for i, pair in enumerate(new)}
        self.exponents += new
        values, exact = self.values(new)
        self.powers = np.append(self.powers, values)
        self.exact = np.append(self.exact, np.array(exact, dtype=np.uint8))
        self.largest = max(self.largest, *map(abs, values))
        self.moves = np.append(self.moves, np.full((2, len(new)), -1, dtype=np.int32), axis=1)
        for way in (0, 1):
            for state, pair in enumerate(new, first):
                self.moves[way, state] = self._states.get(self.after(pair, way), -1)
                for origin in self.before(pair, way):
                    if origin in self._states:
                        self.moves[way, self._states[origin]] = state

    def extend(self, states: set[int], way: int) -> bool:
        """Add what follows these states, and some more, so that this is asked seldom; False: there is no room.

        Not too much more: the largest weight in the table decides how many rows are looked at for near-ties.
        """
        new: dict[tuple[int, int], None] = {}
        for state in states:
            pair = self.after(self.exponents[state], way)
            most = 4096.0 * max(abs(self.values([pair])[0][0]), abs(float(self.powers[state])))
            for _ in range(self.ahead):
                if pair in self._states or pair in new or abs(self.values([pair])[0][0]) > most:
                    break
                new[pair] = None
                pair = self.after(pair, way)
        if len(self.exponents) + len(new) > MOST_STATES:
            return False
        self.add(list(new))
        return True


class WinnowTable(Table):
    """Weights ``w1 alpha^p demotion^q``; with the demotion factor 1/alpha (None), p alone."""

    def __init__(self, alpha: Number, demotion: Number | None, w1: Number) -> None:
        self._alpha, self._w1 = simplest_fraction(alpha), simplest_fraction(w1)
        self._demotion = None if demotion is None else simplest_fraction(demotion)
        self.ahead = 16 if not self._demotion else 1  # with two factors there are many ways to go
        super().__init__()

    def weight(self, p: int, q: int) -> Fraction:
        """Return w1 alpha^p demotion^q."""
        grown = self._w1 * self._alpha**p
        return grown if self._demotion is None or not q else grown * self._demotion**q

    def values(self, exponents: list[tuple[int, int]]) -> tuple[list[float], list[bool]]:
        """Return the weights as floats, and whether each is exact; with two factors they are too many to tell."""
        if not self._demotion:
            return super().values(exponents)
        alpha, demotion, w1 = float(self._alpha), float(self._demotion), float(self._w1)
        logs = [p * log(alpha) + q * log(demotion) for p, q in exponents]
        return [min(w1 * exp(min(x, 700.0)), MOST_WEIGHT) for x in logs], [False] * len(exponents)

    def after(self, pair: tuple[int, int], way: int) -> tuple[int, int]:
        """Return one promotion or one demotion more; what is eliminated stays so."""
        p, q = pair
        if way == 1:
            return (p, q) if q and self._demotion == 0 else (p + 1, q)
        if self._demotion is None:
            return p - 1, q
        return (0, 1) if self._demotion == 0 else (p, q + 1)

    def before(self, pair: tuple[int, int], way: int) -> list[tuple[int, int]]:
        """Return one promotion or one demotion less; whatever there is can be eliminated."""
        p, q = pair
        if self._demotion == 0 and q:
            return [pair] if way == 1 else list(self.exponents)
        if way == 1:
            return [(p - 1, q)]
        return [(p + 1, q)] if self._demotion is None else [(p, q - 1)]

    def dual(self, p: int, q: int) -> float:
        """Return the exponent of alpha."""
        if self._demotion is None or not q:
            return float(p)
        return p + q * log(self._demotion) / log(self._alpha) if self._demotion else -inf


class BalancedTable(Table):
    """Weights ``w1 (alpha^p - alpha^-p)``; q stays 0."""

    def __init__(self, alpha: Number, w1: Number) -> None:
        self._alpha, self._w1 = simplest_fraction(alpha), simplest_fraction(w1)
        super().__init__()

    def weight(self, p: int, _q: int) -> Fraction:
        """Return w1 (alpha^p - alpha^-p)."""
        return self._w1 * (self._alpha**p - self._alpha**-p)

    def after(self, pair: tuple[int, int], way: int) -> tuple[int, int]:
        """Return one promotion or one demotion more."""
        return (pair[0] + (1 if way else -1), 0)

    def before(self, pair: tuple[int, int], way: int) -> list[tuple[int, int]]:
        """Return one promotion or one demotion less."""
        return [self.after(pair, 1 - way)]

    def dual(self, p: int, _q: int) -> float:
        """Return the exponent of alpha."""
        return float(p)


def _nearest(weight: Fraction) -> float:
    """Return the nearest float, held where sums of many are finite."""
    try:
        value = float(weight)
    except OverflowError:
        value = inf if weight > 0 else -inf
    return min(max(value, -MOST_WEIGHT), MOST_WEIGHT)
