"""The closure map: exact sums over exponentially many weights ``W(T) = product of a_t over the x_t above T``.

Since ``a^[T <= x] = 1 + (a - 1) [T <= x]``, W(T) is a sum of coefficients over elements above T: meets of the x_t. The
map keeps those that are not 0. Any meet-semilattice will do whose concepts below an element can be counted: sets under
intersection (`Subsets`: conjunctions, disjunctions by complements), points under hulls (boxes).
"""

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from math import comb, gcd, prod
from typing import Any, Generic, TypeVar

import numpy as np

from littlestone.core.arrays import Words
from littlestone.core.errors import TooLarge
from littlestone.core.rational import decoded
from littlestone.engine.sets import bits
from littlestone.machines.sets.extents import components, extent_counts
from littlestone.machines.sound import COUNTS, Kinds, Loaded, need

__all__ = ["MAP", "ClosureMap", "Lattice", "Sieve", "Subsets", "check_map", "check_sets", "extent_value", "local_value"]

E = TypeVar("E", bound=Hashable)
SIEVED = 100  # elements: fewer are summed as fast exactly
EXPONENT = 60  # of two: more closed sets than that are as good as infinitely many
WORD = 64
LARGEST_FLOAT = 1000  # bits of a number that floats are to hold
ROUNDING = 2.3e-16  # of one operation, a little more than 2^-52
MAP: Kinds = {"closed": ("|u1", 2), "coefficients": ("|u1", 2), "denominator": ("|u1", 2), **COUNTS}
MOST_BITS = 1 << 22  # of the exact weights of a map
LOOKS = 1 << 13  # at pairs of a map's sets


class Sieve:
    """Sums over a map of sets (bits), as `Subsets.weigh` gives them, but in floats.

    >>> Sieve({0b111: 4, 0b011: -1}, [0, 1, 3, 7]).value(0b110)[0]  # 4 * 3 - 1 * 1
    11.0
    """

    def __init__(self, coefficients: Mapping[int, int], counts: Sequence[int]) -> None:
        self.words = (len(counts) - 1 + WORD - 1) // WORD
        self.keys = self._bits(coefficients)
        self.coefficients = np.fromiter(map(float, coefficients.values()), np.float64, len(coefficients))
        self.counts = np.array(counts, dtype=np.float64)

    @staticmethod
    def fits(coefficients: Mapping[int, int], counts: Sequence[int]) -> bool:
        """Tell whether no number leaves the floats."""
        largest = max(map(abs, coefficients.values()))
        return sum(number.bit_length() for number in (largest, len(coefficients), counts[-1])) < LARGEST_FLOAT

    def _bits(self, sets: Mapping[int, int] | list[int]) -> Words:
        if self.words == 1:
            return np.fromiter(sets, np.uint64, len(sets)).reshape(-1, 1)
        data = b"".join(one.to_bytes(8 * self.words, "little") for one in sets)
        return np.frombuffer(data, dtype=np.uint64).reshape(len(sets), self.words)

    def value(self, z: int) -> tuple[float, float]:
        """Return the sum, and a bound on its error."""
        total, size = bits.weigh(self.keys, self.coefficients, self._bits([z])[0], self.counts)
        return total, ROUNDING * (len(self.keys) + 16) * size


class Lattice(ABC, Generic[E]):
    """What the map needs to know: a top, the meet of two elements, and how many concepts are below an element."""

    top: E

    @abstractmethod
    def meet(self, a: E, b: E) -> E:
        """Return the largest element below both."""

    @abstractmethod
    def count(self, element: E) -> int:
        """Return how many concepts are below an element; with none, there are none below anything under it."""

    def meets(self, elements: Iterable[E], other: E) -> list[E]:
        """Return the meet of each element with another."""
        return [self.meet(element, other) for element in elements]

    def weigh(self, coefficients: Mapping[E, int], z: E) -> int:
        """Return the sum of coefficients, each times the number of concepts below both its element and ``z``."""
        meets = self.meets(coefficients, z)
        return sum(c * self.count(J) for J, c in zip(meets, coefficients.values(), strict=True))

    def within(self, z: E, nets: Mapping[E, int]) -> dict[E, int]:
        """Return the nets of what elements have in common with ``z``: merged, without what nothing is below."""
        merged: dict[E, int] = defaultdict(int)
        for J, net in zip(self.meets(nets, z), nets.values(), strict=True):
            merged[J] += net
        return {J: net for J, net in merged.items() if net and self.count(J)}

    def sieve(self, coefficients: Mapping[E, int]) -> Callable[[E], tuple[float, float]] | None:
        """Return a function that weighs fast, in floats, and says how far it may be off; None where there is none."""
        del coefficients
        return None

    def inside(self, z: E, nets: Mapping[E, int], alpha: Fraction, cap: int | None = None) -> tuple[int, int]:
        """Return numerator and denominator of the sum below ``z`` of the weights alpha^(nets of the elements above)."""
        return _mapped(self, z, self.within(z, nets), alpha, cap)


class Subsets(Lattice[int]):
    """Sets of n things, as bit masks; concepts are the subsets of ``smallest`` to ``largest`` things.

    >>> triples = Subsets(5, smallest=1, largest=3)
    >>> triples.count(triples.top), bin(triples.meet(0b11100, 0b00111)), triples.count(0b00100)
    (25, '0b100', 1)
    """

    def __init__(self, n: int, *, smallest: int = 0, largest: int | None = None) -> None:
        self.n, self.smallest, self.largest = n, smallest, largest
        self.top = (1 << n) - 1
        below = _choices(n, smallest - 1)
        upper = [1 << j for j in range(n + 1)] if largest is None or largest >= n else _choices(n, largest)
        self.counts = [all_of - few for all_of, few in zip(upper, below, strict=True)]

    def meet(self, a: int, b: int) -> int:
        """Return the intersection."""
        return a & b

    def count(self, element: int) -> int:
        """Return the number of subsets of the sizes that count."""
        return self.counts[element.bit_count()]

    def meets(self, elements: Iterable[int], other: int) -> list[int]:
        """Return the intersection of each set with another."""
        return [element & other for element in elements]

    def weigh(self, coefficients: Mapping[int, int], z: int) -> int:
        """Return the weighted sum: big numbers are added up size by size, and multiplied once a size."""
        sizes = [0] * (self.n + 1)
        for element, c in coefficients.items():
            sizes[(element & z).bit_count()] += c
        return sum(c * g for c, g in zip(sizes, self.counts, strict=True) if c)

    def sieve(self, coefficients: Mapping[int, int]) -> Callable[[int], tuple[float, float]] | None:
        """Return a function that weighs in floats, where they are large enough."""
        if len(coefficients) < SIEVED or not Sieve.fits(coefficients, self.counts):
            return None
        return Sieve(coefficients, self.counts).value

    def inside(self, z: int, nets: Mapping[int, int], alpha: Fraction, cap: int | None = None) -> tuple[int, int]:
        """Return numerator and denominator of the sum, component by component: sets that share nothing just add up.

        In a component the sum goes set by set (a map) or thing by thing (extents), whichever is less at worst.
        """
        if self.smallest != 1:
            return super().inside(z, nets, alpha, cap)
        merged = self.within(z, nets)
        everywhere = merged.pop(z, 0)
        p, q = alpha.numerator, alpha.denominator
        numbers: dict[int, int] = defaultdict(int)  # of subsets, by their exponent of alpha
        numbers[0] = self.count(z)
        above, below = 0, 1
        for union, sets in components(merged):
            if self._by_sets(union.bit_count(), len(sets)):
                numerator, denominator = _mapped(self, union, sets, alpha, cap)
                above, below = above * denominator + numerator * below, below * denominator
                numbers[0] -= self.count(union)
            else:
                for exponent, number in extent_counts(sets, self.largest, cap).items():
                    numbers[exponent] += number
                    numbers[0] -= number
        least, most = min(0, *numbers), max(0, *numbers)
        total = sum(number * p ** (e - least) * q ** (most - e) for e, number in numbers.items())
        scale = p**-least * q**most
        up, down = (p, q) if everywhere >= 0 else (q, p)
        return (above * scale + total * below) * up ** abs(everywhere), below * scale * down ** abs(everywhere)

    def _by_sets(self, things: int, sets: int) -> bool:
        """Tell whether a map of the sets is less work, at worst, than the extents of the things."""
        closed = 1 << min(sets, things, EXPONENT)
        if self.largest is None or self.largest >= things:
            return sets <= things
        few = sum(comb(things, size) for size in range(1, min(self.largest, EXPONENT) + 1))
        return sets * closed <= things * min(few, closed * self.largest)


def _choices(n: int, k: int) -> list[int]:
    """Return C(j,0) + ... + C(j,k) for j = 0..n, each from the one before."""
    if k < 0:
        return [0] * (n + 1)
    sums, choose = [1], 0  # choose: C(j,k)
    for j in range(n):
        choose = choose * j // (j - k) if j > k else int(j == k)
        sums.append(2 * sums[-1] - choose)
    return sums


class ClosureMap(Generic[E]):
    """Weights of all concepts below ``top``, 1 each at first, under `add`; exact.

    Coefficients are whole numbers over one common denominator. A map of more than ``cap`` elements is refused.

    >>> weights = ClosureMap(Subsets(3))
    >>> weights.add(0b110, Fraction(1, 2))
    >>> weights.add(0b011, 3)
    >>> weights.value(0b010), weights.total(), len(weights)  # {}: 3/2, {1}: 3/2; with {0}: 3, {2}: 1/2, ...
    (Fraction(3, 1), Fraction(12, 1), 4)
    >>> weights.add(0b110, 2), weights.add(0b011, Fraction(1, 3)), len(weights)
    (None, None, 1)
    """

    def __init__(self, lattice: Lattice[E], *, top: E | None = None, cap: int | None = None) -> None:
        self.lattice, self.cap = lattice, cap
        self.top = lattice.top if top is None else top
        self.coefficients: dict[E, int] = {self.top: 1}
        self.denominator = 1

    def __len__(self) -> int:
        return len(self.coefficients)

    def sums(self, element: E) -> dict[E, int]:
        """Return the sum of coefficients by their meet with ``element``: what `add` needs, and `numerator` too."""
        sums: dict[E, int] = defaultdict(int)
        for J, c in zip(self.lattice.meets(self.coefficients, element), self.coefficients.values(), strict=True):
            sums[J] += c
        return sums

    def add(self, element: E, factor: Fraction | int, sums: Mapping[E, int] | None = None) -> None:
        """Multiply the weight of every concept below ``element``; a refusal (TooLarge) changes nothing.

        ``sums`` saves work for whoever has asked for the element's `sums` already.
        """
        p, q = factor.numerator, factor.denominator
        if p == q:
            return
        coefficients, lattice = self.coefficients, self.lattice
        changed: dict[E, int] = {}
        size = len(coefficients)  # with what becomes 0, so that as many small steps need as much room as a large one
        for J, s in (self.sums(element) if sums is None else sums).items():
            old = coefficients.get(J)
            if old is not None:
                changed[J] = old * q + s * (p - q)
            elif s and lattice.count(J):
                changed[J] = s * (p - q)
                size += 1
        if self.cap is not None and size > self.cap:
            raise TooLarge(f"closure map: expected at most cap={self.cap:,} elements, got {size:,}; raise the cap")
        if q != 1:
            self.coefficients = coefficients = {J: c * q for J, c in coefficients.items()}
            self.denominator *= q
        for J, c in changed.items():
            if c:
                coefficients[J] = c
            else:
                del coefficients[J]

    def reduced(self) -> tuple[dict[E, int], int]:
        """Return the coefficients and their denominator without common factors."""
        divisor = gcd(self.denominator, *self.coefficients.values())
        return {J: c // divisor for J, c in self.coefficients.items()}, self.denominator // divisor

    def numerator(self, z: E, sums: Mapping[E, int] | None = None) -> int:
        """Return `value` times the common denominator; ``sums`` as in `add`."""
        return self.lattice.weigh(self.coefficients if sums is None else sums, z)

    def value(self, z: E) -> Fraction:
        """Return the sum of the weights of all concepts below ``z``."""
        return Fraction(self.numerator(z), self.denominator)

    def total(self) -> Fraction:
        """Return the sum of all weights."""
        return self.value(self.top)


def local_value(lattice: Lattice[E], z: E, pairs: Iterable[tuple[E, Fraction | int]]) -> Fraction:
    """Return the sum of the weights below ``z`` from the (element, factor) pairs themselves, by a map inside z.

    What meets z alike is merged first: where the map of all pairs explodes, that inside z may stay small.

    >>> local_value(Subsets(3), 0b010, [(0b110, Fraction(1, 2)), (0b011, 3)])
    Fraction(3, 1)
    """
    merged: dict[E, Fraction] = {}
    for element, factor in pairs:
        J = lattice.meet(element, z)
        if lattice.count(J):
            merged[J] = merged.get(J, Fraction(1)) * factor
    inside = ClosureMap(lattice, top=z)
    for element, factor in merged.items():
        inside.add(element, factor)
    return inside.total()


def _mapped(lattice: Lattice[E], top: E, nets: Mapping[E, int], alpha: Fraction, cap: int | None) -> tuple[int, int]:
    """Return numerator and denominator of the sum below ``top``, by a map of elements below it."""
    inside = ClosureMap(lattice, top=top, cap=cap)
    powers = {net: alpha**net for net in set(nets.values())}
    for element, net in nets.items():
        inside.add(element, powers[net])
    return inside.numerator(top), inside.denominator


def extent_value(lattice: Subsets, z: int, pairs: Iterable[tuple[int, Any]]) -> Any:
    """Return the same sum by extents, the sets {t: T within x_t}: all terms are positive, so that floats will do.

    Things that are in the same elements are taken together: 2^g - 1 ways to choose some of g of them.

    >>> extent_value(Subsets(3), 0b010, [(0b110, 0.5), (0b011, 3.0)])
    3.0
    """
    merged: dict[int, Any] = {}
    for element, factor in pairs:
        merged[element & z] = merged.get(element & z, 1) * factor
    elements = list(merged)
    columns: dict[int, int] = defaultdict(int)
    for i in range(lattice.n):
        if z >> i & 1:
            columns[sum((x >> i & 1) << t for t, x in enumerate(elements))] += 1
    bounded = lattice.smallest > 1 or (lattice.largest is not None and lattice.largest < lattice.n)
    most = lattice.n if lattice.largest is None else lattice.largest
    ways: dict[tuple[int, int], int] = {((1 << len(elements)) - 1, 0): 1}  # by extent and, if it matters, size
    for column, g in columns.items():
        choices = [(size, comb(g, size)) for size in range(1, min(g, most) + 1)] if bounded else [(1, 2**g - 1)]
        for (extent, size), number in list(ways.items()):
            for more, times in choices:
                key = extent & column, size + more if bounded else 1
                if key[1] <= most:
                    ways[key] = ways.get(key, 0) + number * times
    return sum(
        number * prod(factor for t, factor in enumerate(merged.values()) if extent >> t & 1)
        for (extent, size), number in ways.items()
        if size >= lattice.smallest
    )


# What machines over sets check of a state


def check_sets(name: str, size: int, state: Loaded) -> list[int]:
    """Return sets of attributes, checked."""
    found = decoded(state[name])
    need(all(0 <= number >> size < 1 for number in found), f"{name} that are sets")
    need(len(set(found)) == len(found), f"each of {name} once")
    return found


def check_map(grid: Lattice[E], nets: Mapping[E, int], base: Fraction, closed: list[E] | None, state: Loaded) -> None:
    """Check weights, powers of ``base``, and a closure map, if there is one.

    The coefficients above an element sum to its weight; of many elements some are looked at.
    """
    bits = sum(map(abs, nets.values())) * max(base.numerator, base.denominator).bit_length()
    need(bits <= MOST_BITS, "numbers that can be computed with")
    if closed is None:
        return
    coefficients, denominator = decoded(state["coefficients"]), decoded(state["denominator"])
    need(len(closed) == len(coefficients) and all(coefficients), "a coefficient for each set")
    need(len(denominator) == 1 and denominator[0] > 0, "one denominator")
    step = 1 + len(closed) * (len(closed) + len(nets)) // LOOKS
    for at in closed[::step]:
        exponent = sum(net for row, net in nets.items() if grid.meet(at, row) == at)
        above = sum(c for J, c in zip(closed, coefficients, strict=True) if grid.meet(at, J) == at)
        need(above == denominator[0] * base**exponent, "coefficients that sum to the weights of sets")
