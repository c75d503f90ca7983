"""The tables behind whole exponents: which weights there are, their exact values, and where an update leads."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from copy import copy
from fractions import Fraction
from math import inf, log
from typing import Self

import numpy as np

from littlestone.core.power_sums import PowerSums
from littlestone.core.rational import Number, simplest_fraction, times_powers

__all__ = ["BalancedTable", "Table", "WinnowTable"]

MOST_STATES = 1 << 16
MOST_WEIGHT = 1e290
SMALL = 64  # exponents up to this size have weights that are computed exactly

Pair = tuple[int, int]


class Table(ABC):
    """The weights that have occurred: each pair of exponents a state, and where each goes on an update.

    The arrays have their full size from the start (pages that nobody touches cost nothing), so that whoever reads a
    row while another thread learns finds every state.
    """

    ahead = 16  # how many states are added beyond the one that is needed
    demotion: Fraction | None = None  # where a demotion is not the reverse of a promotion: its factor

    @property
    def factors(self) -> tuple[Fraction, Fraction] | None:
        """The factors of a promotion and of a demotion; None where a weight is no product of their powers."""
        return None

    def __init__(self) -> None:
        self.powers, self.exact = np.zeros(MOST_STATES), np.zeros(MOST_STATES, dtype=np.uint8)
        self.moves = np.zeros((2, MOST_STATES), dtype=np.int32)  # the next state plus one; 0: not known yet
        self.exponents: list[Pair] = []
        self.largest = 0.0
        self._states: dict[Pair, int] = {}
        self._sums = PowerSums(self.bases)
        self.add({(0, 0): self.value((0, 0))})

    @abstractmethod
    def weight(self, p: int, q: int) -> Fraction:
        """Return the weight of the exponents (p, q)."""

    @property
    @abstractmethod
    def bases(self) -> tuple[Fraction, ...]:
        """What weights are powers of."""

    @abstractmethod
    def terms(self, p: int, q: int) -> list[tuple[tuple[int, ...], Fraction]]:
        """Return the weight of the exponents (p, q) as powers of `bases`, each with its coefficient."""

    @abstractmethod
    def nearly(self, p: int, q: int) -> float:
        """Return the weight of large exponents as a float, right to its last digits."""

    @abstractmethod
    def after(self, pair: Pair, way: int) -> Pair:
        """Return the exponents after a promotion (way 1) or a demotion (way 0)."""

    @abstractmethod
    def before(self, pair: Pair, way: int) -> list[Pair]:
        """Return the exponents that go to ``pair`` on a promotion (way 1) or a demotion (way 0)."""

    @abstractmethod
    def dual(self, p: int, q: int) -> float:
        """Return the dual that stands for the same weight."""

    def value(self, pair: Pair) -> tuple[float, bool]:
        """Return a weight as a float, held where sums of many are finite, and whether it is exact."""
        if max(map(abs, pair)) > SMALL:
            return min(max(self.nearly(*pair), -MOST_WEIGHT), MOST_WEIGHT), False
        weight = self.weight(*pair)
        try:
            value = float(weight)
        except OverflowError:
            value = inf if weight > 0 else -inf
        value = min(max(value, -MOST_WEIGHT), MOST_WEIGHT)
        return value, Fraction(value) == weight

    def fresh(self) -> Self:
        """Return a table of the same kind with nothing but the start in it."""
        table = copy(self)
        Table.__init__(table)
        return table

    def state(self, pair: Pair) -> int:
        """Return the state of exponents that are in the table."""
        return self._states[pair]

    def sign(self, states: Iterable[tuple[int, int]], theta: Fraction) -> int:
        """Return the sign of a sum of weights less ``theta``: states, and how often each is in the sum.

        Exact, and no slower where exponents are large.
        """
        terms: dict[tuple[int, ...], Fraction] = {(0,) * len(self.bases): -theta}
        for state, times in states:
            for powers, coefficient in self.terms(*self.exponents[state]):
                terms[powers] = terms.get(powers, Fraction(0)) + times * coefficient
        return self._sums.sign(terms)

    def add(self, new: dict[Pair, tuple[float, bool]]) -> None:
        """Add states that are not there yet: exponents with their values."""
        for pair, (value, exact) in new.items():
            state = len(self.exponents)
            self._states[pair] = state
            self.exponents.append(pair)
            self.powers[state], self.exact[state] = value, exact
            self.largest = max(self.largest, abs(value))
        for pair in new:
            state = self._states[pair]
            for way in (0, 1):
                self.moves[way, state] = self._states.get(self.after(pair, way), -1) + 1
                for origin in self.before(pair, way):
                    if origin in self._states:
                        self.moves[way, self._states[origin]] = state + 1

    def extend(self, states: set[int], way: int) -> bool:
        """Add what follows these states, and some more, so that this is asked seldom; False: there is no room.

        Not too much more: the largest weight in the table decides how many rows are looked at for near-ties.
        """
        new: dict[Pair, tuple[float, bool]] = {}
        for state in states:
            pair = self.after(self.exponents[state], way)
            most = abs(float(self.powers[state]))
            for step in range(self.ahead):
                if pair in self._states or pair in new:
                    break
                value = self.value(pair)
                most = 4096.0 * max(most, abs(value[0])) if step == 0 else most
                if abs(value[0]) > most:
                    break
                new[pair] = value
                pair = self.after(pair, way)
        if len(self.exponents) + len(new) > MOST_STATES:
            return False
        self.add(new)
        return True


class WinnowTable(Table):
    """Weights ``w1 alpha^p demotion^q``; with the demotion factor 1/alpha (None), p alone."""

    def __init__(self, alpha: Number, demotion: Number | None, w1: Number) -> None:
        self._alpha, self._w1 = simplest_fraction(alpha), simplest_fraction(w1)
        self.demotion = None if demotion is None else simplest_fraction(demotion)
        self.ahead = 16 if not self.demotion else 1  # with two factors there are many ways to go
        super().__init__()

    @property
    def bases(self) -> tuple[Fraction, ...]:
        """What weights are powers of: alpha, and the demotion factor where it is another."""
        return (self._alpha, self.demotion) if self.demotion else (self._alpha,)

    @property
    def factors(self) -> tuple[Fraction, Fraction]:
        """The factors of a promotion and of a demotion."""
        return self._alpha, 1 / self._alpha if self.demotion is None else self.demotion

    def weight(self, p: int, q: int) -> Fraction:
        """Return w1 alpha^p demotion^q."""
        grown = self._w1 * self._alpha**p
        return grown if self.demotion is None or not q else grown * self.demotion**q

    def terms(self, p: int, q: int) -> list[tuple[tuple[int, ...], Fraction]]:
        """Return w1 alpha^p demotion^q as one term, and nothing where it is eliminated."""
        if self.demotion:
            return [((p, q), self._w1)]
        return [] if q else [((p,), self._w1)]

    def nearly(self, p: int, q: int) -> float:
        """Return w1 alpha^p demotion^q as a float."""
        if self.demotion is None or not q:
            return times_powers(self._w1, (self._alpha, p))
        return times_powers(self._w1, (self._alpha, p), (self.demotion, q)) if self.demotion else 0.0

    def after(self, pair: Pair, way: int) -> Pair:
        """Return one promotion or one demotion more; what is eliminated stays so."""
        p, q = pair
        if way == 1:
            return (p, q) if q and self.demotion == 0 else (p + 1, q)
        if self.demotion is None:
            return p - 1, q
        return (0, 1) if self.demotion == 0 else (p, q + 1)

    def before(self, pair: Pair, way: int) -> list[Pair]:
        """Return one promotion or one demotion less; whatever there is can be eliminated."""
        p, q = pair
        if self.demotion == 0 and q:
            return [pair] if way == 1 else list(self.exponents) if pair == (0, 1) else []
        if way == 1:
            return [(p - 1, q)]
        return [(p + 1, q)] if self.demotion is None else [(p, q - 1)]

    def dual(self, p: int, q: int) -> float:
        """Return the exponent of alpha."""
        if self.demotion is None or not q:
            return float(p)
        return p + q * log(self.demotion) / log(self._alpha) if self.demotion else -inf


class BalancedTable(Table):
    """Weights ``w1 (alpha^p - alpha^-p)``; q stays 0."""

    def __init__(self, alpha: Number, w1: Number) -> None:
        self._alpha, self._w1 = simplest_fraction(alpha), simplest_fraction(w1)
        super().__init__()

    @property
    def bases(self) -> tuple[Fraction, ...]:
        """What weights are differences of powers of: alpha."""
        return (self._alpha,)

    def terms(self, p: int, _q: int) -> list[tuple[tuple[int, ...], Fraction]]:
        """Return w1 alpha^p and -w1 alpha^-p."""
        return [((p,), self._w1), ((-p,), -self._w1)]

    def weight(self, p: int, _q: int) -> Fraction:
        """Return w1 (alpha^p - alpha^-p)."""
        return self._w1 * (self._alpha**p - self._alpha**-p)

    def nearly(self, p: int, _q: int) -> float:
        """Return w1 (alpha^p - alpha^-p) as a float."""
        return times_powers(self._w1, (self._alpha, p)) - times_powers(self._w1, (self._alpha, -p))

    def after(self, pair: Pair, way: int) -> Pair:
        """Return one promotion or one demotion more."""
        return (pair[0] + (1 if way else -1), 0)

    def before(self, pair: Pair, way: int) -> list[Pair]:
        """Return one promotion or one demotion less."""
        return [self.after(pair, 1 - way)]

    def dual(self, p: int, _q: int) -> float:
        """Return the exponent of alpha."""
        return float(p)
