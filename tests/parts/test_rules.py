"""Rules of the quasi-additive family: counted in steps where all of it can be."""

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from littlestone.core.rational import simplest_fraction
from littlestone.parts.links import FAR, Rule, identity


def counted(number, unit):
    """Return a number counted in a unit, None where that is no float, or far from 1: as it is defined."""
    ratio = simplest_fraction(number) / simplest_fraction(unit)
    near = number == 0.0 or 1 / FAR < abs(ratio) < FAR
    return float(ratio) if near and Fraction(float(ratio)) == ratio else None


UNITS = st.sampled_from([1.0, 0.5, 0.1, 0.3, 1 / 3, 0.01, 1e-5, 7.0, 1e6, 1e11, 1e-11, 0.123456789])
COUNTS = st.integers(-(10**13), 10**13) | st.integers(-2000, 2000)


@given(UNITS, st.lists(st.tuples(COUNTS, st.sampled_from([1, 2, 3, 10, 1000, 1024, 2**24])), min_size=1), st.booleans())
def test_a_rule_is_counted_in_units_where_all_of_it_can_be(unit, pairs, times):
    start = np.array([count / parts * (unit if times else 1.0) for count, parts in pairs])
    rule = Rule.counted(unit, start=start, theta=0.0, link=identity())
    wanted = [counted(number, unit) for number in start.tolist()]
    assert rule.unit == (1.0 if None in wanted else unit)
    assert rule.start.tolist() == (start.tolist() if None in wanted else wanted)
