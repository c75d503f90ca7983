"""Inverse questions: the value that is given will do, and the next one will not."""

from fractions import Fraction
from math import inf, nextafter

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import littlestone as ls
from littlestone import bounds
from littlestone.bounds import STATEMENTS, THEOREMS
from littlestone.bounds.inverse import TUNING
from littlestone.core.errors import InvalidParameter
from tests.bounds.test_theorems import USUAL, usual

SAWTOOTH = {("bayes_beg_theorem3_sharper", "n"), ("bayes_beg_theorem4_sharper", "n"), ("vc_lower", "k"),
            ("normalized_winnow_disjunction", "k"), ("second_order_perceptron_disjunction", "a"), ("arow", "updates"),
            ("narow", "updates"), ("vaw_regret", "a"), ("ridge_regret", "a"), ("ridge_loss", "a")}  # fmt: skip
EXTREMES = [(name, parameter) for name, s in STATEMENTS.items() for parameter in (*s.required, *s.optional)
            if parameter not in TUNING and (name, parameter) not in SAWTOOTH]  # fmt: skip


def meets(name, target, numbers):
    """Does the theorem apply and meet the target?"""
    try:
        bound = THEOREMS[name](**numbers)
    except InvalidParameter:
        return False
    return bound.value >= target if bound.kind == "lower" else bound.value <= target


@pytest.mark.parametrize(("name", "parameter"), EXTREMES)
@given(st.floats(0.01, 1e4), st.integers(1, 12))
@settings(max_examples=15)
def test_the_value_will_do_and_the_next_one_will_not(name, parameter, target, k):
    numbers = {**usual(name), **({"k": k} if "k" in STATEMENTS[name].required else {})}
    numbers.pop(parameter, None)
    found = bounds.needed(name, parameter, target, **numbers)
    if found is None:
        some = (0, 1, 2, 3, 7, 30) if parameter in STATEMENTS[name].whole else (1e-9, 0.1, 1.0, 3.0, 1e9)
        assert not any(meets(name, target, {**numbers, parameter: value}) for value in some)
        return
    whole = parameter in STATEMENTS[name].whole
    assert type(found.value) is (int if whole else float)
    assert meets(name, target, {**numbers, parameter: found.value})
    assert found.bound == THEOREMS[name](**numbers, **{parameter: found.value})
    up = found.side == "at most"
    assert up or found.side == "at least"
    following = found.value + (1 if up else -1) if whole else nextafter(found.value, inf if up else -inf)
    assert found.value >= (2**62 if whole else 1e308) or not meets(name, target, {**numbers, parameter: following})
    if not whole:
        clear = found.value * (1 + 1e-6 if up else 1 - 1e-6)
        assert (
            clear in (0.0, found.value, inf) or clear > 1e308 or not meets(name, target, {**numbers, parameter: clear})
        )
    elif up and found.value < 500:
        assert all(meets(name, target, {**numbers, parameter: value})
                   for value in range(found.value) if applies(name, {**numbers, parameter: value}))  # fmt: skip


def applies(name, numbers):
    return meets(name, -inf if STATEMENTS[name].kind == "lower" else inf, numbers)


@pytest.mark.parametrize(("name", "parameter"), sorted(SAWTOOTH))
def test_what_is_not_monotone_is_met_all_the_same(name, parameter):
    numbers = {argument: value for argument, value in usual(name).items() if argument != parameter}
    for target in (5, 15, 20, 40, 60, 100):
        found = bounds.needed(name, parameter, target, **numbers)
        best = [meets(name, target, {**numbers, parameter: value}) for value in range(41)]
        assert (found is not None and meets(name, target, {**numbers, parameter: found.value})) or not any(best)


@pytest.mark.parametrize(("name", "parameter"), [
    (name, parameter) for name, s in STATEMENTS.items() for parameter in (*s.required, *s.optional)
    if parameter in TUNING])  # fmt: skip
def test_the_best_value_of_a_tuning_parameter(name, parameter):
    numbers = {argument: value for argument, value in usual(name).items() if argument != parameter}
    found = bounds.needed(name, parameter, 1e9, **numbers)
    assert found is not None and found.side == "best"
    steps = 1 if name == "winnow_disjunction" else 1e-9  # whole numbers jump; a jump's place is found nearly
    for value in [*np.geomspace(1e-3, 1e3, 300), *np.linspace(0, 5, 200)]:
        if applies(name, {**numbers, parameter: value}):
            assert found.bound.value <= THEOREMS[name](**numbers, **{parameter: value}).value * (1 + 1e-9) + steps
    assert bounds.needed(name, parameter, found.bound.value * 0.99, **numbers) is None


def test_known_optima():
    assert bounds.needed("thresholded_beg", "alpha", 1e6, n=100, k=3).value == pytest.approx(3.5911215, rel=1e-6)
    eta = bounds.needed("normalized_winnow_margin", "eta", 1e6, n=100, gamma=0.3).value
    assert eta == pytest.approx(bounds.optimal_eta(gamma=0.3), rel=1e-6)
    start = bounds.needed("winnow_attribute_errors", "w1", 1e6, n=100, k=5)
    assert start.value == pytest.approx(0.05, rel=1e-6)


def test_a_guarantee_is_asked_what_it_needs():
    guarantee = ls.Winnow().begin(1000).guarantee
    found = guarantee.needed("k", 100)
    assert str(found) == "k <= 3 (mistakes <= 91, Kivinen-Warmuth, Winnow, derived)"
    assert guarantee.at(k=found.value).value <= 100 < guarantee.at(k=found.value + 1).value
    assert str(bounds.vc_lower(n=1000, k=3).needed("n", 30)).startswith("n >= 3072 (mistakes >= 30")
    assert "alpha = 3.59" in str(bounds.thresholded_beg(n=100, k=1).needed("alpha", 100))
    assert bounds.elimination(n=10, k=3).needed("k", 2.5).value == 8


@given(st.integers(2, 500), st.integers(0, 400), st.fractions(Fraction(5, 4), 4))
def test_exact_rational_theorems_too(n, target, alpha):
    found = bounds.needed("winnow_disjunction", "k", target, n=n, alpha=alpha)
    assume(found is not None)
    assert found.bound.value <= target
    assert found.value == n or found.bound.at(k=found.value + 1).value > target


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: bounds.needed("winow_disjunction", "k", 5, n=10), "did you mean winnow_disjunction"),
        (lambda: bounds.needed("elimination", "gamma", 5, n=10), "unknown among n, k"),
        (lambda: bounds.needed("elimination", "k", 5, n=10, k=2), "unknown among n, k"),
        (lambda: bounds.needed("elimination", "k", 5), "got no n"),
        (lambda: bounds.needed("elimination", "k", 5, n=3, gamma=2), "got an unknown gamma"),
        (lambda: bounds.needed("elimination", "k", float("nan"), n=3), "finite number as target"),
        (lambda: bounds.needed("elimination", "k", True, n=3), "finite number as target"),
        (lambda: bounds.needed("elimination", "k", 5, n=-3), "n >= 1"),
        (lambda: bounds.needed("winnow_disjunction", "k", 5, n=3, alpha=1), "alpha > 1"),
    ],
)
def test_questions_that_make_no_sense(call, words):
    with pytest.raises(InvalidParameter, match=words):
        call()


def test_the_usual_numbers_serve_every_theorem():
    assert {argument for s in STATEMENTS.values() for argument in s.required} == set(USUAL)
    assert all(applies(name, usual(name)) for name in THEOREMS)
