"""KernelTrap: the examples on which the kernel Perceptron over all monotone conjunctions errs every time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import ceil, floor
from typing import Any

import numpy as np

from littlestone.core.arrays import Words
from littlestone.core.block import Block
from littlestone.core.errors import InvalidParameter, TooLarge
from littlestone.core.parameters import check_number, check_whole
from littlestone.core.rational import Number, simplest_fraction
from littlestone.streams import Stream
from littlestone.teachers._drawn import check_size, shown
from littlestone.teachers.set_systems import CONSTRUCTIONS, Members, greedy, largest_size, most_sets, packed, sets_for

__all__ = ["KernelTrap"]

USUAL = 3000  # sets, where there are as many
MOST_REPEATS = 10_000_000
EXACT = 20_000  # sets: of more, what is certain is all that is promised


@dataclass(frozen=True)
class Values:
    """The kernel Perceptron's value on sparse rows after 0^n and 1^n: the arithmetic of Theorem 6 and Remark 7.

    Rows with ``size`` of n attributes on, and the kernel 2^|x & y| or, not ``monotone``, 2^same(x, y).

    ``ratio`` is the learner's theta/eta: it predicts 1 where the sum of kernels, with signs, is at least that.

    >>> values = Values(320, 16, True, Fraction(0))
    >>> values.zeros, values.first, values.sets(overlap=4)
    (1, 65535, 4096)
    """

    n: int
    size: int
    monotone: bool
    ratio: Fraction

    @property
    def zeros(self) -> int:
        """The number of times 0^n is a mistake before anything else."""
        return floor(-self.ratio) + 1 if self.ratio <= 0 else 0

    @property
    def first(self) -> int:
        """The value at a set after the mistakes on 0^n and the one on 1^n."""
        return (1 << self.size) - self.zeros * (1 if self.monotone else 1 << (self.n - self.size))

    def exponent(self, shared: int) -> int:
        """Return the logarithm to the base 2 of the kernel at two sets with so many attributes in common."""
        return shared if self.monotone else max(0, self.n - 2 * self.size + 2 * shared)

    def sets(self, overlap: int) -> int:
        """Return how many sets are certainly mistakes, if no two share more than ``overlap``."""
        room = floor(self.first - self.ratio)
        return 0 if room < 0 else 1 + (room >> self.exponent(overlap))

    def overlap(self, sets: int) -> int:
        """Return the largest overlap with which so many sets are certainly mistakes; 0 if there is none.

        >>> Values(320, 16, True, Fraction(0)).overlap(3000), Values(256, 192, False, Fraction(0)).overlap(1500)
        (4, 154)
        """
        each = max(0, floor(self.first - self.ratio)) // max(1, sets - 1)
        exponent = max(0, each.bit_length() - 1)
        shared = exponent if self.monotone else (exponent - self.n + 2 * self.size) // 2
        return min(max(shared, 0), self.size - 1)

    def before(self, words: Words, row: Words) -> int:
        """Return the value at ``row`` after mistakes on the sets ``words``, as bits; it is exact."""
        counts = np.bincount(np.bitwise_count(words & row).sum(axis=1, dtype=np.int64))
        return self.first - sum(int(counts[s]) << self.exponent(int(s)) for s in np.flatnonzero(counts))

    def mistakes(self, words: Words) -> int:
        """Return on how many of the sets, one after another, the kernel Perceptron errs."""
        wrong, found = np.empty_like(words), 0
        for row in words:
            wrong[found] = row
            found += self.before(wrong[:found], row) >= self.ratio
        return found


class KernelTrap(Stream):
    """The examples of Khardon, Roth and Servedio's Theorem 6, and of Remark 7 for other thresholds.

    The target is the conjunction of all n attributes. The rows are 0^n (negative), 1^n (positive), then t rows x^i
    (negative) with ``size`` attributes on, of which no two share more than ``overlap``. With the kernel 2^|x & y|,
    over all monotone conjunctions, the value before x^i is

        2^size - 1 - sum over j < i of 2^|x^i & x^j|

    as long as all were mistakes; it is predicted 1, and wrong, while that is not negative: certainly for the first
    2^(size - overlap) of them, see `bounds.kernel_perceptron_lower`. Nothing depends on the learner, so the stream can
    be played by several at once.

    Parameters
    ----------
    n : int
        The number of attributes.
    sets : int, or None
        The number t of rows x^i; None: as many as are certainly mistakes at theta 0, at most 3000.
    construction : "reed-solomon", "greedy", "disjoint" or "random", or None
        Where they come from, see `sparse_sets`; None: "reed-solomon", and "random" for ``kernel="conjunctions"``.
    size, overlap : int, or None
        None: n/20 as in Lemma 5, or what Reed-Solomon sets can have, if that is less; and a quarter of the size, n/80.
    kernel : "monotone" or "conjunctions"
        The kernel that is trapped. 2^same(x, y), over all conjunctions, makes two mistakes on the sequence above, as
        sparse rows look like 0^n; rows with 3n/4 attributes on trap it (and the monotone kernel all the more).
    theta, eta : int, float or Fraction
        The learner's threshold and rate; only theta/eta matters. Where it is negative, 0^n comes floor(-theta/eta) + 1
        times (the paper has one less where that is a whole number).
    case : "conjunction" or "disjunction", or None
        The target. With the disjunction of all attributes, for theta > 0, the row with nothing but the first attribute
        on is repeated ceil(theta / 2 eta) times; it is worth 2 each time. None: the conjunction while all sets are
        certainly mistakes, otherwise the disjunction.
    seed : int
        Of greedy and random sets.

    ``target`` is the list of the target's terms, ``members`` has the attributes of each x^i in a row. ``certain`` is
    the number of mistakes that follows from size and overlap alone; ``promises`` is the number of mistakes that the
    kernel Perceptron makes, computed from the sets (of more than 20,000 sets: what is certain).

    Example
    -------
    >>> import littlestone as ls
    >>> from littlestone.learners import KernelPerceptron
    >>> trap = KernelTrap(320)
    >>> trap.trials, trap.certain, trap.promises
    (3002, 3002, 3002)
    >>> learners = [KernelPerceptron("monotone"), KernelPerceptron("monotone:2"), ls.Perceptron()]
    >>> [run.mistakes for run in ls.play_all(learners, trap)]
    [3002, 78, 19]

    Reference
    ---------
    Khardon, Roth and Servedio, "Efficiency versus convergence of Boolean kernels for on-line learning algorithms",
    JAIR 24, 2005, Section 3.
    """

    n_attributes: int

    def __init__(
        self, n: int = 320, *, sets: int | None = None, construction: str | None = None, size: int | None = None,
        overlap: int | None = None, kernel: str = "monotone", theta: Number = 0, eta: Number = 1,
        case: str | None = None, seed: int = 0,
    ) -> None:  # fmt: skip
        self.n_attributes = n = check_size("KernelTrap", check_whole("KernelTrap", "n", n, least=2))
        self.kernel, self.theta, self.eta, self.case = kernel, theta, eta, case
        self.construction = construction or ("reed-solomon" if kernel == "monotone" else "random")
        self._check()
        self.seed = check_whole("KernelTrap", "seed", seed, least=0)
        self.size = self._size() if size is None else check_whole("KernelTrap", "size", size, most=n - 1)
        ratio = simplest_fraction(theta) / simplest_fraction(eta)
        self._values = Values(n, self.size, kernel == "monotone", ratio)
        planned = USUAL if sets is None else check_whole("KernelTrap", "sets", sets, least=0)
        self.overlap = self._overlap(planned, overlap)
        if sets is None:
            planned = self._usual()
        if case is None:
            self.case = "conjunction" if ratio <= 0 or self._certain_sets() >= planned else "disjunction"
        self.members = self._members(planned, exactly=sets is not None)
        self.sets = len(self.members)
        self.opening = self._opening()
        terms = [range(n)] if self.case == "conjunction" else [[i] for i in range(n)]
        self.target = self.terms = [tuple(term) for term in terms]
        self.trials = self.opening + (1 + self.sets if self.case == "conjunction" else 0)

    def _check(self) -> None:
        if self.kernel not in ("monotone", "conjunctions"):
            raise InvalidParameter(f"KernelTrap: kernel must be 'monotone' or 'conjunctions', got {self.kernel!r}")
        possible = CONSTRUCTIONS if self.kernel == "monotone" else ("greedy", "random")
        if self.construction not in possible:
            raise InvalidParameter(
                f"KernelTrap: construction must be one of {', '.join(possible)} with kernel={self.kernel!r}, "
                f"got {self.construction!r}"
            )
        check_number("KernelTrap", "theta", self.theta)
        check_number("KernelTrap", "eta", self.eta, above=0.0)
        if self.kernel == "conjunctions" and self.theta:
            raise InvalidParameter(f"KernelTrap: theta must be 0 with kernel='conjunctions', got {self.theta!r}")
        if self.case not in (None, "conjunction", "disjunction"):
            raise InvalidParameter(f"KernelTrap: case must be 'conjunction' or 'disjunction', got {self.case!r}")
        if self.case == "disjunction" and self.theta <= 0:
            raise InvalidParameter(f"KernelTrap: theta must be > 0 with case='disjunction', got {self.theta!r}")

    def _size(self) -> int:
        if self.kernel == "conjunctions":
            return 3 * self.n_attributes // 4
        size = max(1, self.n_attributes // 20)
        return min(size, largest_size(self.n_attributes)) if self.construction == "reed-solomon" else size

    def _overlap(self, sets: int, given: int | None) -> int | None:
        if self.construction == "random":
            if given is not None:
                raise InvalidParameter(f"KernelTrap: overlap must be left out with random sets, got {given!r}")
            return None
        if given is not None:
            return check_whole("KernelTrap", "overlap", given, least=0, most=self.size - 1)
        if self.construction == "disjoint":
            return 0
        return self.size // 4 if self.kernel == "monotone" else self._values.overlap(sets)

    def _usual(self) -> int:
        """Return the number of sets that are all mistakes at theta 0, but not more than there are, or than usual."""
        if self.overlap is None:
            return USUAL
        most = most_sets(self.n_attributes, self.size, self.overlap, self.construction)
        plain = replace(self._values, ratio=Fraction(0))
        return min(USUAL, plain.sets(self.overlap), USUAL if most is None else most)

    def _members(self, sets: int, *, exactly: bool) -> Members:
        n, size, overlap = self.n_attributes, self.size, self.overlap
        if self.case == "disjunction":
            return np.empty((0, size), dtype=np.int64)
        if self.construction == "greedy" and not exactly and overlap is not None:
            return greedy(n, size, overlap, sets, np.random.default_rng(self.seed))[0]
        return sets_for("KernelTrap", n, size, overlap, sets, self.construction, self.seed)

    def _opening(self) -> int:
        """Return the number of rows before 1^n, or of all rows if the target is the disjunction."""
        rows = max(1, self._values.zeros) if self.case == "conjunction" else ceil(self._values.ratio / 2)
        if rows > MOST_REPEATS:
            raise TooLarge(
                f"KernelTrap: theta/eta={self.theta}/{self.eta} asks for {rows:,} mistakes on one row, one after "
                f"another; expected at most {MOST_REPEATS:,}"
            )
        return rows

    def _certain_sets(self) -> int:
        return self._values.sets(self.size if self.overlap is None else self.overlap)

    @property
    def _opening_mistakes(self) -> int:
        return self.opening if self.case == "disjunction" else self._values.zeros + 1

    @property
    def certain(self) -> int:
        """The number of mistakes that the size and the overlap of the sets make certain (Theorem 6, Remark 7)."""
        return self._opening_mistakes + min(self.sets, self._certain_sets())

    @cached_property
    def promises(self) -> int:
        """The number of mistakes that the kernel Perceptron makes; of more than 20,000 sets, what is certain.

        >>> trap = KernelTrap(240, sets=3000)
        >>> trap.certain, trap.promises
        (514, 2274)
        """
        if self.certain == self._opening_mistakes + self.sets or self.sets > EXACT:
            return self.certain
        return self._opening_mistakes + self._values.mistakes(packed(self.n_attributes, self.members))

    def value(self, i: int) -> int:
        """Return the kernel Perceptron's value before set i, counted from 0, if all before it were mistakes; eta is 1.

        >>> KernelTrap(n=80, construction="disjoint", sets=20).value(15)
        0
        """
        i = check_whole("KernelTrap", "i", i, least=0, most=self.sets - 1)
        words = packed(self.n_attributes, self.members[: i + 1])
        return self._values.before(words[:i], words[i])

    def blocks(self, rows: int = 8192) -> Iterator[Block]:
        """Yield the rows in order, at most ``rows`` at a time."""
        rows = check_whole("KernelTrap", "rows", rows)
        for start in range(0, self.trials, rows):
            yield self._block(start, min(start + rows, self.trials))

    def _block(self, start: int, stop: int) -> Block:
        """Return the trials from ``start`` to ``stop``: some of the opening, 1^n, some of the sets."""
        disjunction = self.case == "disjunction"
        repeats = max(0, min(stop, self.opening) - start)
        full = int(start <= self.opening < stop)
        sets = self.members[max(0, start - self.opening - 1) : max(0, stop - self.opening - 1)]
        lengths = np.repeat([int(disjunction), self.n_attributes, self.size], [repeats, full, len(sets)])
        indices = [np.zeros(repeats * disjunction), *[np.arange(self.n_attributes)] * full, sets.ravel()]
        indptr = np.concatenate(([0], np.cumsum(lengths)))
        outcomes = np.repeat([int(disjunction), 1, 0], [repeats, full, len(sets)])
        block = Block.from_csr(indptr, np.concatenate(indices).astype(np.uint32), n_attributes=self.n_attributes)
        return replace(block.labelled(outcomes, self.labels), start=start)

    def __repr__(self) -> str:
        given: dict[str, Any] = {"n": self.n_attributes}
        if self.case == "conjunction":
            given |= {name: getattr(self, name) for name in ("sets", "construction", "size", "overlap")}
        given |= {"kernel": None if self.kernel == "monotone" else self.kernel, "theta": self.theta or None}
        given |= {"eta": None if self.eta == 1 else self.eta, "case": self.case if self.theta > 0 else None}
        return shown(self, given | {"seed": self.seed if self.construction in ("greedy", "random") else None})
