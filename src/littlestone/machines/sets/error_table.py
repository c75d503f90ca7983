"""Votes counted from a table of errors, a count for each disjunction."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from math import comb, inf, log2
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from littlestone.core.arrays import Bools, Ints, State
from littlestone.core.errors import TooLarge
from littlestone.core.rational import MOST_TIMES
from littlestone.engine.sets import tables
from littlestone.machines.sets.votes import Vote, Voters, Voting
from littlestone.machines.sound import COUNTS, Kinds, Loaded, check_counts, need, within

__all__ = ["LARGEST_TABLE", "ErrorTable", "table_size"]

LARGEST_TABLE = 1 << 22  # numbers: all disjunctions of 22 attributes
LARGEST_HISTOGRAM = 1 << 17  # unless the table is larger
MANY_BITS, MOST_BITS = 1 << 20, 1 << 25  # of whole numbers: beyond the first they are avoided


def table_size(n: int, max_size: int | None) -> int | None:
    """Return how many numbers the table takes: 2^n; with a bound on the size, words for each disjunction within it.

    None where they are too many.

    >>> table_size(22, None), table_size(23, None), table_size(400, 2), table_size(400, 3)
    (4194304, None, 561407, None)
    """
    if max_size is None or max_size >= n:
        return 1 << n if n < LARGEST_TABLE.bit_length() else None
    words, number = -(-n // 64), 0
    for size in range(max_size + 1):
        number += comb(n, size)
        if words * number > LARGEST_TABLE:
            return None
    return words * number


class ErrorTable(Voters):
    """Errors of every disjunction, less the errors of one that always says 1: only those that say 0 need a change."""

    kinds: ClassVar[Kinds] = {"errors": ("<i2 <i4", 1), **COUNTS}

    def __init__(self, voting: Voting, n: int) -> None:
        super().__init__(voting, n)
        largest = n if voting.max_size is None else min(voting.max_size, n)
        self._sets = None if largest == n else tables.listed_sets(n, largest)
        number = 1 << n if self._sets is None else len(self._sets)
        self._errors: NDArray[Any] = np.zeros(number, dtype=np.int16)
        self._origin = 64  # the place of 0 in the histogram
        self._histogram: Ints = np.zeros(2 * self._origin + 1, dtype=np.int64)
        self._histogram[self._origin] = number

    def vote(self, free: int) -> Vote:
        """Count the votes by histograms of the errors."""
        missing = self._missing(free)
        silent: Ints | None = None
        if self._few():
            live, places = np.unique(self._errors, return_inverse=True)
            live, total = live.astype(np.int64), np.bincount(places)
            quiet = np.bincount(places[missing], minlength=len(live))
        else:
            silent = self._silent(free, missing)
            live = np.flatnonzero(self._histogram)
            total, quiet = self._histogram[live], silent[live]
        ones, powers = total - quiet, float(self.voting.beta) ** (live - live[0])
        share = float(ones @ powers) / float(total @ powers)
        return Vote(share, lambda p, q: self._less(live, ones, total, p, q), (silent, missing))

    def _few(self) -> bool:
        """Tell whether there are far fewer disjunctions than numbers of errors between the best and the worst.

        They are then sorted; a histogram, which grows with the game, would be mostly zeros.
        """
        number = len(self._errors)
        return 2 * self._origin + 1 > max(number, min(16 * number, LARGEST_HISTOGRAM))

    def _less(self, errors: Ints, part: Ints, total: Ints, numerator: int, denominator: int) -> tuple[int, int]:
        """Return two whole numbers of which the quotient is the share of a part of the weight, less a fraction.

        Errors that are so many more than the fewest that they decide nothing are left out, unless the others are equal.
        """
        digits = self.voting.beta.denominator.bit_length()
        if int(errors[-1] - errors[0]) * digits > MANY_BITS:
            for some in self._deciding(errors):
                a, b = self._exact(errors[some], part[some], total[some])
                difference = a * denominator - b * numerator
                if difference:  # of all the weight it is less than any float, unless these have the fewest errors
                    return difference, b * denominator << (0 if some.start == 0 else 2000)
            return 0, 1
        a, b = self._exact(errors, part, total)
        return a * denominator - b * numerator, b * denominator

    def _deciding(self, errors: Ints) -> Iterator[slice]:
        """Yield errors from the fewest on, as far as they can decide against all that are more."""
        beta, start = self.voting.beta, 0
        less = log2(beta.denominator) - log2(beta.numerator)  # bits that an error takes from a weight
        digits, slack = beta.denominator.bit_length(), 120 + len(self._errors).bit_length()
        for at, (one, next_one) in enumerate(pairwise([*errors.tolist(), inf]), start=1):
            width = one - int(errors[start])
            if less * (next_one - int(errors[start])) > width * digits + slack:
                if width * digits > MOST_BITS:
                    break
                yield slice(start, at)
                start = at
        if start < len(errors):
            raise TooLarge(
                f"{self.voting.owner}: trial {int(self._counts[0])}: the vote is so near to a tie that numbers of more "
                f"than {MOST_BITS:,} digits would decide it; take another beta"
            )

    def _exact(self, errors: Ints, part: Ints, total: Ints) -> tuple[int, int]:
        """Return the weights of some disjunctions and of all, counted by their errors, over one denominator."""
        p, q = self.voting.beta.numerator, self.voting.beta.denominator
        a, b, power, before = 0, 0, 1, int(errors[-1])
        for e, some, everyone in zip(*(numbers[::-1].tolist() for numbers in (errors, part, total)), strict=True):
            # From many errors to few: beta^e = p^e / q^e, times the q of the most errors.
            fewer, power, before = p ** (before - e), power * q ** (before - e), e
            a, b = a * fewer + some * power, b * fewer + everyone * power
        return a, b

    def _missing(self, free: int) -> Bools | None:
        """Tell which disjunctions say 0; None: all of them are in the table, and too many to be told."""
        if self._sets is None:
            return np.arange(len(self._errors)) & ~free == 0 if self._few() else None
        row = np.frombuffer((self._top ^ free).to_bytes(8 * self._sets.shape[1], "little"), dtype="<u8")
        missing = np.empty(len(self._sets), dtype=np.bool_)
        tables.listed_missing(self._sets, row.astype(np.uint64), missing)
        return missing

    def _silent(self, free: int, missing: Bools | None) -> Ints:
        """Return the histogram of those that say 0."""
        silent: Ints = np.zeros(len(self._histogram), dtype=np.int64)
        if missing is None:
            tables.tally(self._errors, free, self._origin, silent)
            return silent
        return np.bincount(self._errors[missing].astype(np.int64) + self._origin, minlength=len(silent))

    def shift(self, free: int, by: int, vote: Vote) -> None:
        """Give ``by`` more errors to those that say 0."""
        silent, missing = vote.found
        if silent is None:
            moved = self._errors[missing].astype(np.int64) + by
            if np.abs(moved).max() > np.iinfo(self._errors.dtype).max:
                self._errors = self._errors.astype(np.int32)
            self._errors[missing] = moved
            return
        live = np.flatnonzero(silent)
        reach = max(abs(int(live[0]) - self._origin + by), abs(int(live[-1]) - self._origin + by))
        if reach > self._origin:
            more = max(reach, 2 * self._origin) - self._origin
            self._histogram, silent = (np.pad(numbers, more) for numbers in (self._histogram, silent))
            self._origin, live = self._origin + more, live + more
        if reach > np.iinfo(self._errors.dtype).max:
            self._errors = self._errors.astype(np.int32)
        if missing is None:
            tables.shift(self._errors, free, by)
        else:
            self._errors[missing] += by
        self._histogram[live] -= silent[live]
        self._histogram[live + by] += silent[live]

    def weight(self, disjunction: int) -> Fraction:
        """Return the share of the weight that one disjunction has."""
        place = self._place(disjunction)
        if place is None:
            return Fraction(0)
        live, total = np.unique(self._errors, return_counts=True)
        one = (live == self._errors[place]).astype(np.int64)
        return Fraction(*self._exact(live.astype(np.int64), one, total))

    def _place(self, disjunction: int) -> int | None:
        if self._sets is None:
            return disjunction
        row = np.frombuffer(disjunction.to_bytes(8 * self._sets.shape[1], "little"), dtype="<u8")
        found = np.flatnonzero((self._sets == row).all(axis=1))
        return int(found[0]) if len(found) else None

    def heaviest(self) -> int:
        """Return the disjunction of the fewest errors."""
        best = np.flatnonzero(self._errors == self._errors.min())
        if self._sets is not None:  # listed by size, then by positions
            return int.from_bytes(self._sets[best[0]].astype("<u8").tobytes(), "little")
        sizes = np.bitwise_count(best)
        best = best[sizes == sizes.min()]
        for i in range(self.size):  # those with the smallest position go on, if there are any
            on = best >> i & 1 == 1
            best = best[on] if on.any() else best
        return int(best[0])

    def kept(self) -> tuple[NDArray[Any], Ints, int]:
        """Return copies of all that an update changes."""
        return self._errors.copy(), self._histogram.copy(), self._origin

    def back(self, kept: tuple[NDArray[Any], Ints, int]) -> None:
        """Return to what was kept."""
        self._errors, self._histogram, self._origin = kept

    def state(self) -> State:
        """Return all that has been learned, as arrays."""
        return {"errors": self._errors.copy(), "counts": self._counts.copy()}

    def restore(self, state: Loaded) -> None:
        """Go on from what `state` gave."""
        self._errors, self._counts = state["errors"].copy(), state["counts"].copy()
        errors = self._errors.astype(np.int64)
        self._origin = max(64, int(errors.max()), -int(errors.min()))
        if not self._few():
            self._histogram = np.bincount(errors + self._origin, minlength=2 * self._origin + 1)

    def check(self, state: Loaded) -> None:
        """Check the errors of trials, a number for each disjunction."""
        super().check(state)
        errors, most = state["errors"], MOST_TIMES * int(state["counts"][0])
        need(errors.shape == self._errors.shape, "errors of each disjunction")
        need(within(errors, -most, most), "errors of trials")
        check_counts(state, 4)
