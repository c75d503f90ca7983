"""The closure map: equal to weights written down, on sets and on boxes, in all three forms."""

from fractions import Fraction
from itertools import combinations, product
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from littlestone.core.errors import TooLarge
from littlestone.machines.sets.closures import ClosureMap, Lattice, Sieve, Subsets, extent_value, local_value
from littlestone.machines.sets.extents import extent_counts, largest_sums, smallest_sum

FACTORS = [Fraction(1, 3), Fraction(1, 2), Fraction(2), Fraction(3), Fraction(5, 2), Fraction(0)]
MASKS = st.integers(0, 2**6 - 1)
PAIRS = st.lists(st.tuples(MASKS, st.sampled_from(FACTORS)), max_size=7)


def explicit(n, z, pairs, smallest, largest):
    """The sum over all subsets of z, one by one."""
    members = [i for i in range(n) if z >> i & 1]
    total = Fraction(0)
    for size in range(smallest, (n if largest is None else largest) + 1):
        for chosen in combinations(members, size):
            T = sum(1 << i for i in chosen)
            total += prod((a for x, a in pairs if T & x == T), start=Fraction(1))
    return total


@given(pairs=PAIRS, z=MASKS, smallest=st.integers(0, 2), largest=st.none() | st.integers(2, 4))
def test_global_local_and_extent_form_equal_the_sum_written_out(pairs, z, smallest, largest):
    lattice = Subsets(6, smallest=smallest, largest=largest)
    weights = ClosureMap(lattice)
    for x, a in pairs:
        weights.add(x, a)
    expected = explicit(6, z, pairs, smallest, largest)
    assert weights.value(z) == expected
    assert weights.total() == explicit(6, lattice.top, pairs, smallest, largest)
    assert local_value(lattice, z, pairs) == expected
    assert extent_value(lattice, z, pairs) == expected
    floats = [(x, float(a)) for x, a in pairs]
    assert extent_value(lattice, z, floats) == pytest.approx(float(expected), rel=1e-12)


NETS = st.dictionaries(MASKS, st.integers(-4, 4).filter(bool), max_size=9)
ALPHAS = st.sampled_from([Fraction(2), Fraction(3, 2), Fraction(7, 3)])


@given(nets=NETS, z=MASKS, alpha=ALPHAS, smallest=st.integers(0, 2), largest=st.none() | st.integers(2, 4))
def test_the_sum_inside_an_element_by_components_extents_or_maps(nets, z, alpha, smallest, largest):
    lattice = Subsets(6, smallest=smallest, largest=largest)
    numerator, denominator = lattice.inside(z, nets, alpha)
    expected = explicit(6, z, [(x, alpha**net) for x, net in nets.items()], smallest, largest)
    assert Fraction(numerator, denominator) == expected
    if smallest == 1:  # both ways, whichever would have been chosen
        inside = lattice.within(z, nets)
        counts = extent_counts(inside, largest)
        others = lattice.count(z) - sum(counts.values())
        assert sum(number * alpha**net for net, number in counts.items()) + others == expected


@given(nets=NETS, z=MASKS, alpha=ALPHAS, largest=st.none() | st.integers(1, 4))
def test_floats_know_how_far_they_are_off(nets, z, alpha, largest):
    lattice = Subsets(6, smallest=1, largest=largest)
    weights = ClosureMap(lattice)
    for x, net in nets.items():
        weights.add(x, alpha ** (9 * net))
    value, error = Sieve(weights.coefficients, lattice.counts).value(z)
    exact = weights.numerator(z)
    assert abs(Fraction(value) - exact) <= Fraction(error)
    coefficients, denominator = weights.reduced()
    assert lattice.weigh(coefficients, z) * weights.denominator == exact * denominator


def test_floats_are_not_tried_on_numbers_beyond_them():
    counts = Subsets(400, smallest=1).counts
    assert Sieve.fits({1: 2**500}, counts)
    assert not Sieve.fits({1: -(2**700)}, counts)


@given(pairs=st.lists(st.tuples(MASKS, st.sampled_from(FACTORS[:-1])), max_size=6))
def test_what_is_undone_leaves_the_map(pairs):
    weights = ClosureMap(Subsets(6))
    for x, a in pairs:
        weights.add(x, a)
    assert 0 not in weights.coefficients.values()
    for x, a in pairs:
        weights.add(x, 1 / a)
    assert list(weights.coefficients) == [weights.top]
    assert weights.total() == 2**6


@pytest.mark.parametrize("m", [8, 12])
def test_sets_of_all_but_one_thing_close_to_all_nonempty_sets(m):
    lattice = Subsets(m, smallest=1)
    weights = ClosureMap(lattice)
    for i in range(m):
        weights.add(lattice.top ^ 1 << i, 2)
    assert len(weights) == 2**m - 1


def test_a_map_that_outgrows_its_cap_is_as_it_was():
    weights = ClosureMap(Subsets(4), cap=4)
    weights.add(0b0111, 2)
    weights.add(0b1011, Fraction(1, 3))
    before = dict(weights.coefficients), weights.denominator
    with pytest.raises(TooLarge, match="cap=4"):
        weights.add(0b1101, Fraction(1, 2))
    assert (weights.coefficients, weights.denominator) == before
    weights.add(0b0111, Fraction(1, 2))  # what makes it smaller is welcome
    assert len(weights) == 2


class Boxes(Lattice):
    """Boxes of a grid by hull: an element is the box of all points so far, a concept a box around it."""

    top = None  # no point yet: every box is around it

    def __init__(self, *sides):
        self.sides = sides

    def meet(self, a, b):
        if a is None or b is None:
            return b if a is None else a
        return tuple((min(lo, low), max(hi, high)) for (lo, hi), (low, high) in zip(a, b, strict=True))

    def count(self, element):
        if element is None:
            return prod(m * (m + 1) // 2 for m in self.sides)
        return prod(lo * (m - hi + 1) for m, (lo, hi) in zip(self.sides, element, strict=True))


@pytest.mark.parametrize(("sides", "number"), [((6,), 21), ((4, 4), 100), ((3, 3, 3), 216)])
@given(data=st.data())
def test_boxes_need_nothing_but_a_hull_and_a_count(sides, number, data):
    point = st.tuples(*(st.tuples(st.integers(1, m)).map(lambda at: at * 2) for m in sides))
    pairs = data.draw(st.lists(st.tuples(point, st.sampled_from(FACTORS)), max_size=8))
    z = data.draw(point)
    intervals = [[(lo, hi) for lo in range(1, m + 1) for hi in range(lo, m + 1)] for m in sides]
    boxes = {box: Fraction(1) for box in product(*intervals)}
    assert len(boxes) == number

    def around(box, x):
        return all(low <= lo and hi <= high for (low, high), (lo, hi) in zip(box, x, strict=True))

    lattice = Boxes(*sides)
    weights = ClosureMap(lattice)
    for x, a in pairs:
        weights.add(x, a)
        boxes = {box: w * a if around(box, x) else w for box, w in boxes.items()}
    assert weights.total() == sum(boxes.values())
    assert weights.value(z) == local_value(lattice, z, pairs) == sum(w for box, w in boxes.items() if around(box, z))


@given(rows=st.dictionaries(MASKS, st.integers(-3, 3).filter(bool), max_size=8), largest=st.none() | st.integers(0, 3))
def test_the_smallest_sum_is_that_of_the_first_best_set(rows, largest):
    sets = [sum(1 << i for i in d) for size in range(7 if largest is None else largest + 1)
            for d in combinations(range(6), size)]  # fmt: skip
    sums = {d: sum(number for row, number in rows.items() if row & d == d) for d in sets}
    best = min(sets, key=sums.get)  # the first of equals: by size, then by positions
    assert smallest_sum(rows, 6, largest=largest) == (best, sums[best])


def test_a_search_of_too_many_extents_is_refused():
    rows = {(1 << 12) - 1 ^ 1 << i: 1 for i in range(12)}
    with pytest.raises(TooLarge, match="100 extents"):
        smallest_sum(rows, 12, most=100)


@given(rows=NETS, count=st.integers(1, 70), largest=st.integers(1, 6), negations=st.booleans(),
       exactly=st.none() | st.integers(1, 6))  # fmt: skip
def test_the_largest_sums_are_those_of_all_sets_compared(rows, count, largest, negations, exactly):
    def total(d):
        return sum(number for row, number in rows.items() if all(row >> i & 1 for i in d))

    sizes = range(1, largest + 1) if exactly is None else [exactly]
    sets = [d for size in sizes for d in combinations(range(6), size)
            if not (negations and any(i + 3 in d for i in d))]  # fmt: skip
    if exactly is None:
        parts = {d: [part for size in range(1, len(d)) for part in combinations(d, size)] for d in sets}
        sets = [d for d in sets if all(total(part) < total(d) for part in parts[d])]
    expected = sorted(sets, key=lambda d: (-total(d), len(d), d))[:count]
    found = largest_sums(rows, 6, count, largest=largest, negations=negations, exactly=exactly)
    assert found == [(d, total(d)) for d in expected]


def test_a_search_for_too_many_sets_is_refused():
    rows = {(1 << 12) - 1 ^ 1 << i: 1 for i in range(12)}
    with pytest.raises(TooLarge, match="50 steps"):
        largest_sums(rows, 12, 60, largest=12, exactly=6, most=50)
    many = {(1 << 60) - 1 ^ 1 << i: 1 for i in range(60)}
    with pytest.raises(TooLarge, match="900 steps"):  # 60 sets of one, of which the first 20 are made longer
        largest_sums(many, 60, 1, largest=60, exactly=2, most=900)
