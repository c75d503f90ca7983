"""The tables behind whole exponents: which weights there are, their exact values, and where an update leads."""

from __future__ import annotations

from abc import ABC, abstractmethod
from copy import copy
from fractions import Fraction
from math import inf, ldexp, log, nan
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from littlestone.core.arrays import Ints
from littlestone.core.power_sums import PowerSums
from littlestone.core.rational import Number, Powers, digits_of, simplest_fraction, times
from littlestone.engine.learning import states as engine

__all__ = ["BalancedTable", "Table", "WinnowTable"]

MOST_STATES = 1 << 16
MOST_WEIGHT = 1e290
SMALL = 64  # exponents up to this size have weights that are computed exactly
DIGITS = 160  # binary digits that other weights are computed with
SURE = 120  # and those that a difference of two must have for its low part to be known
CANCELLED = 2.0**-42  # relatively: beyond it a difference of two floats is too rough, for near-ties are within 1e-12
REMEMBERED, SHORT = 4096, 256  # sums whose signs are remembered, and the most different weights in one

Pair = tuple[int, int]
Signs = dict[tuple[bytes, bytes, int, Fraction], int]  # of sums: the states, how often each is there, bias and theta
Moves = NDArray[np.int32] | NDArray[np.int64]
States = NDArray[np.uint8] | NDArray[np.uint16]
Digits = tuple[int, int]  # a mantissa and an exponent of two
Value = tuple[float, float, bool]  # a weight as a float, what it lacks as another (nan: not known), whether it is exact


class Table(ABC):
    """The weights that have occurred: each pair of exponents a state, and where each goes on an update.

    The arrays have their full size from the start (pages that nobody touches cost nothing), so that whoever reads a
    row while another thread learns finds every state.
    """

    ahead = 16  # how many states are added beyond the one that is needed
    demotion: Fraction | None = None  # where a demotion is not the reverse of a promotion: its factor
    made: engine.Made | None = None  # where the engine makes states by itself: with two factors there are many

    @property
    def factors(self) -> tuple[Fraction, Fraction] | None:
        """The factors of a promotion and of a demotion; None where a weight is no product of their powers."""
        return None

    def __init__(self) -> None:
        self.powers = np.zeros((2, MOST_STATES))  # the weights, and what is left of each beyond its float
        self.exact = np.zeros(MOST_STATES, dtype=np.uint8)
        self.moves = np.zeros((2, MOST_STATES), dtype=np.int32)  # the next state plus one; 0: not known yet
        self.pairs = np.zeros((MOST_STATES, 2), dtype=np.int64)
        self._count, self._largest = 0, 0.0
        self._states: dict[Pair, int] = {}  # by their pairs; the engine has a table of its own
        if self.demotion:
            self.made = engine.blank(self.pairs)
        self._sums: PowerSums | None = None  # made when it is needed
        self._signs: Signs = {}
        self._digits = [Powers(base, DIGITS) for base in self.bases]
        self.add({(0, 0): self.value((0, 0))})

    @property
    def count(self) -> int:
        """How many states there are."""
        return self._count if self.made is None else int(self.made.taken[0])

    @property
    def exponents(self) -> Ints:
        """The pair of each state."""
        return self.pairs[: self.count]

    def pair(self, state: int) -> Pair:
        """Return the exponents of a state."""
        p, q = self.pairs[state].tolist()
        return p, q

    @property
    def largest(self) -> float:
        """The largest weight there is."""
        return self._largest if self.made is None else float(self.made.largest[0])

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Return a table that grows by itself; what never changes is shared."""
        all_of_it = slice(self.count)
        moves, signs, states = self.moves[:, all_of_it], self._signs.copy(), self._states.copy()
        memo[id(self)] = table = self._with(all_of_it, moves, signs, states)
        return table

    def reduced(self, kept: Ints) -> tuple[Self, Ints]:
        """Return a table with some of the states alone, the start first, and the place of each of them in it."""
        places = np.zeros(MOST_STATES + 1, dtype=np.int64)
        places[kept + 1] = np.arange(1, len(kept) + 1)  # of a state plus one; 0 stays 0: not known yet
        return self._with(kept, places[self.moves[:, kept]], {}), places[1:] - 1

    def _with(self, kept: slice | Ints, moves: Moves, signs: Signs, states: dict[Pair, int] | None = None) -> Self:
        """Return a table of some of the states with arrays of its own; ``states`` are they, if they are known."""
        pairs, own = np.zeros((MOST_STATES, 2), dtype=np.int64), dict[str, Any]()
        count = len(self.pairs[kept])
        pairs[:count] = self.pairs[kept]
        for name, values in (("powers", self.powers[:, kept]), ("exact", self.exact[kept]), ("moves", moves)):
            own[name] = np.zeros((*values.shape[:-1], MOST_STATES), dtype=getattr(self, name).dtype)
            own[name][..., :count] = values
        largest = float(np.abs(self.powers[0, kept]).max())
        if self.made is None:
            own["_states"] = states or {(p, q): state for state, (p, q) in enumerate(pairs[:count].tolist())}
        else:
            own["made"] = made = engine.blank(pairs)
            made.powers[:], made.notes[:] = self.made.powers, self.made.notes  # or Python would be asked for each again
            _enter(made, 0, count, largest, own["moves"])
        table = copy(self)
        vars(table).update(own, pairs=pairs, _count=count, _largest=largest, _signs=signs)
        return table

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
    def nearly(self, p: int, q: int) -> tuple[float, float]:
        """Return the weight of large exponents as a float, right to its last digits, and what the float lacks."""

    @abstractmethod
    def after(self, pair: Pair, way: int) -> Pair:
        """Return the exponents after a promotion (way 1) or a demotion (way 0)."""

    @abstractmethod
    def before(self, pair: Pair, way: int) -> list[Pair]:
        """Return the exponents that go to ``pair`` on a promotion (way 1) or a demotion (way 0)."""

    @abstractmethod
    def dual(self, p: int, q: int) -> float:
        """Return the dual that stands for the same weight."""

    def value(self, pair: Pair) -> Value:
        """Return a weight as a float, held where sums of many are finite; what it lacks; whether it is exact."""
        if max(map(abs, pair)) > SMALL:
            value, rest = self.nearly(*pair)
            return (value, rest, False) if abs(value) <= MOST_WEIGHT else (_held(value), nan, False)
        weight = self.weight(*pair)
        try:
            value = float(weight)
        except OverflowError:
            value = inf if weight > 0 else -inf
        if abs(value) > MOST_WEIGHT:
            return _held(value), nan, Fraction(_held(value)) == weight
        lacking = weight - Fraction(value)
        return value, float(lacking), not lacking

    def sign(self, states: States, bias: int, theta: Fraction) -> int:
        """Return the sign of the sum of some states' weights, and of the state ``bias`` (-1: none), less ``theta``.

        Exact, and no slower where exponents are large. Sums that come again and again are remembered.
        """
        different, times = np.unique(states, return_counts=True)
        key = (different.tobytes(), times.tobytes(), bias, theta)
        known = self._signs.get(key)  # one look: another thread may forget it the next moment
        if known is not None:
            return known
        terms: dict[tuple[int, ...], Fraction] = {(0,) * len(self.bases): -theta}
        found = [*zip(different.tolist(), times.tolist(), strict=True), *([(bias, 1)] if bias >= 0 else [])]
        for state, count in found:
            for powers, coefficient in self.terms(*self.pair(state)):
                terms[powers] = terms.get(powers, Fraction(0)) + count * coefficient
        if self._sums is None:
            self._sums = PowerSums(self.bases)
        sign = self._sums.sign(terms)
        if len(different) <= SHORT:
            if len(self._signs) >= REMEMBERED:
                self._signs.clear()
            self._signs[key] = sign
        return sign

    def add(self, new: dict[Pair, Value]) -> None:
        """Add states that are not there yet: exponents with their values."""
        if not new:
            return
        first = self.count
        values, rests, exact = zip(*new.values(), strict=True)
        at = slice(first, first + len(new))
        self.powers[0, at], self.powers[1, at], self.exact[at] = values, rests, exact
        self._largest = max(self.largest, *values, -min(values))
        self.pairs[at], self._count = list(new), at.stop
        if self.made is not None:
            _enter(self.made, first, at.stop, self._largest, self.moves)
            return
        self._states.update(zip(new, range(first, at.stop), strict=True))
        find, moves = self._states.get, self.moves
        for state, pair in enumerate(new, first):
            for way in (0, 1):
                follower = find(self.after(pair, way))
                if follower is not None:
                    moves[way, state] = follower + 1
                for origin in self.before(pair, way):
                    known = find(origin)
                    if known is not None:
                        moves[way, known] = state + 1

    def extend(self, states: set[int], way: int) -> bool:
        """Add what follows these states, and some more, so that this is asked seldom; False: there is no room.

        Not too much more: the largest weight in the table decides how many rows are looked at for near-ties.
        """
        new: dict[Pair, Value] = {}
        known = self.moves[way]
        for state in states:
            if known[state]:
                continue
            pair = self.after(self.pair(state), way)
            most = 0.0
            for _ in range(self.ahead):
                if pair in self._states or pair in new:
                    break
                value = self.value(pair)
                most = most or 4096.0 * max(abs(float(self.powers[0, state])), abs(value[0]))
                if abs(value[0]) > most:
                    break
                new[pair] = value
                pair = self.after(pair, way)
        if self.count + len(new) > MOST_STATES:
            return False
        self.add(new)
        return True


class WinnowTable(Table):
    """Weights ``w1 alpha^p demotion^q``; with the demotion factor 1/alpha (None), p alone."""

    def __init__(self, alpha: Number, demotion: Number | None, w1: Number) -> None:
        self._alpha, self._w1 = simplest_fraction(alpha), simplest_fraction(w1)
        self.demotion = None if demotion is None else simplest_fraction(demotion)
        self._eliminates = self.demotion == 0
        self.ahead = 16 if not self.demotion else 1  # with two factors there are many ways to go
        self._start = digits_of([(self._w1, 1)], DIGITS)
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

    def nearly(self, p: int, q: int) -> tuple[float, float]:
        """Return w1 alpha^p demotion^q."""
        if q and self._eliminates:
            return 0.0, 0.0
        if self.made is not None:
            self._hand_over(self.made, 0, p)
            self._hand_over(self.made, 1, q)
        digits = times(self._start, self._digits[0].digits(p), DIGITS)
        return _split(times(digits, self._digits[1].digits(q), DIGITS) if q else digits)

    def _hand_over(self, made: engine.Made, base: int, exponent: int) -> None:
        """Give the engine what a power is made of, so that it can make the states around it."""
        low, first = exponent % engine.FINE, base * engine.POWERS
        high = engine.FINE + exponent // engine.FINE % (engine.POWERS - engine.FINE)
        if made.notes[first + high, 0] == exponent - low + 1 and made.notes[first + low, 0]:
            return
        parts = (first + low, low), (first + high, exponent - low)
        for (row, power), digits in zip(parts, self._digits[base].factors(exponent), strict=True):
            _write_down(made, row, power, digits)
        _write_down(made, engine.START, 0, self._start)

    def after(self, pair: Pair, way: int) -> Pair:
        """Return one promotion or one demotion more; what is eliminated stays so."""
        p, q = pair
        if self._eliminates and (q or not way):
            return 0, 1
        if way:
            return p + 1, q
        return (p - 1, q) if self.demotion is None else (p, q + 1)

    def before(self, pair: Pair, way: int) -> list[Pair]:
        """Return one promotion or one demotion less; whatever there is can be eliminated."""
        p, q = pair
        if self._eliminates and q:
            return [pair] if way == 1 else list(self._states) if pair == (0, 1) else []
        if way:
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
        self._start = digits_of([(self._w1, 1)], DIGITS)
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

    def nearly(self, p: int, _q: int) -> tuple[float, float]:
        """Return w1 (alpha^p - alpha^-p)."""
        plus, minus = (times(self._start, self._digits[0].digits(power), DIGITS) for power in (p, -p))
        value = _float(plus) - _float(minus)
        if not abs(value) <= MOST_WEIGHT:
            return value, nan
        top = max(plus[1], minus[1])
        unit = max(min(plus[1], minus[1]), top - 2 * DIGITS)  # what is smaller does not count
        difference = _moved(plus, unit) - _moved(minus, unit)
        rest = _float((difference - int(ldexp(value, -unit)), unit))
        if abs(rest) > CANCELLED * abs(value):
            value, rest = _split((difference, unit))
        return value, rest if (difference >> (top - unit)).bit_length() >= SURE else nan

    def after(self, pair: Pair, way: int) -> Pair:
        """Return one promotion or one demotion more."""
        return (pair[0] + (1 if way else -1), 0)

    def before(self, pair: Pair, way: int) -> list[Pair]:
        """Return one promotion or one demotion less."""
        return [self.after(pair, 1 - way)]

    def dual(self, p: int, _q: int) -> float:
        """Return the exponent of alpha."""
        return float(p)


def _enter(made: engine.Made, first: int, last: int, largest: float, moves: NDArray[np.int32]) -> None:
    """Let the engine know new states, and the largest weight there is."""
    made.taken[0], made.largest[0] = last, largest
    engine.enter(first, last, moves, made)


def _write_down(made: engine.Made, row: int, power: int, digits: Digits) -> None:
    """Write a power to a row of the engine's; one that is too long for it is not known there."""
    mantissa, twos = digits
    if mantissa.bit_length() <= 64 * engine.WORDS:
        made.powers[row] = [mantissa >> 64 * i & (1 << 64) - 1 for i in range(engine.WORDS + 1)]
        made.notes[row] = power + 1, twos


def _held(value: float) -> float:
    """Return a weight that is not so large that sums of many are infinite."""
    return min(max(value, -MOST_WEIGHT), MOST_WEIGHT)


def _float(digits: Digits) -> float:
    try:
        return ldexp(*digits)
    except OverflowError:
        return inf if digits[0] > 0 else -inf


def _moved(digits: Digits, unit: int) -> int:
    """Return a number in units of 2^unit, cut to a whole one."""
    shift = digits[1] - unit
    return digits[0] << shift if shift >= 0 else digits[0] >> -shift


def _split(digits: Digits) -> tuple[float, float]:
    """Return a number as a float, and what the float lacks as another."""
    mantissa, exponent = digits
    return _float(digits), _float((mantissa - int(float(mantissa)), exponent))
