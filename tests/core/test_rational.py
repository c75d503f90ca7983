"""Fractions behind floats."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from littlestone.core.rational import simplest_fraction


@given(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e12, max_value=1e12))
def test_the_simplest_fraction_rounds_back(value):
    assert float(simplest_fraction(value)) == value


@given(st.integers(-1000, 1000), st.integers(1, 1000))
def test_a_small_fraction_is_found_again(numerator, denominator):
    assert simplest_fraction(numerator / denominator) == Fraction(numerator, denominator)


def test_exact_numbers_stay_what_they_are():
    assert simplest_fraction(Fraction(1, 3)) == Fraction(1, 3)
    assert simplest_fraction(7) == 7
    assert float(simplest_fraction(2.0**-1070)) == 2.0**-1070
