"""Duels: decided when their formula says so, seldom wrongly, and never expensive."""

from itertools import product
from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from littlestone import bounds
from littlestone.parts.duel import Duel, decided

trials = st.lists(st.sampled_from([(0, 0), (1, 1), (1, 0), (1, 0), (1, 0), (0, 1)]), max_size=120)


@given(trials, st.sampled_from([0.9, 0.1, 0.001]), st.integers(0, 120))
def test_it_ends_where_its_formula_says(told, delta, cut):
    """In one block or in two; only trials in which one erred alone count."""
    wrong = np.array(told, dtype=bool).reshape(-1, 2).T
    duel, cut = Duel(delta=delta), min(cut, len(told))
    first, second, expected = 0, 0, None
    for t, (one, other) in enumerate(told):
        first, second = first + (one > other), second + (other > one)
        m = first + second
        if m and abs(first - second) >= sqrt(2 * m * log(m * (m + 1) / delta)):
            expected = t + 1
            break
    assert duel.end(wrong) == expected
    assert duel.errors == (0, 0, 0)
    if expected is None or expected > cut:
        assert duel.end(wrong[:, :cut]) is None
        duel.count(wrong[:, :cut])
        assert duel.errors == (*wrong[:, :cut].sum(axis=1), (wrong[0] & wrong[1])[:cut].sum())
        assert duel.end(wrong[:, cut:]) == (None if expected is None else expected - cut)


@pytest.mark.parametrize("delta", [0.5, 0.1, 0.01])
def test_who_is_not_better_seldom_wins(delta):
    """The probability that a fair walk is ever so far on one side, exactly; it may be on either."""
    walk, won = np.zeros(2 * 600 + 1), 0.0
    walk[600] = 1.0
    for m in range(1, 600):
        walk = (np.roll(walk, 1) + np.roll(walk, -1)) / 2
        ended = np.array([decided(lead, m, delta) for lead in range(-600, 601)])
        won += walk[601:][ended[601:]].sum()
        walk[ended] = 0.0
    assert 0.0 < won <= delta


def play(told):
    """Follow the one with fewer mistakes, trial by trial; return the mistakes of both, and those that were made."""
    mistakes = [0, 0]
    made = 0
    for wrong in told:
        made += wrong[mistakes[1] < mistakes[0]]
        mistakes = [m + w for m, w in zip(mistakes, wrong, strict=True)]
    return mistakes, made


def test_the_bound_holds_on_all_short_sequences_and_is_attained():
    attained = set()
    for told in product(product((0, 1), repeat=2), repeat=7):
        mistakes, made = play(told)
        assert made <= bounds.duels(errors=min(mistakes)).value
        if made == 2 * min(mistakes) + 1:
            attained.add(min(mistakes))
        if mistakes[0] <= mistakes[1]:  # the first is better: it is followed at equal numbers
            assert made <= 2 * mistakes[0]
    assert attained == {0, 1, 2, 3}


@given(trials)
def test_who_leads(told):
    wrong = np.array(told, dtype=bool).reshape(-1, 2).T
    duel = Duel(delta=0.5)
    leads = duel.leads(wrong)
    assert np.where(leads, wrong[1], wrong[0]).sum() == play(told)[1]
    duel.count(wrong)
    assert duel.fewer == min(play(told)[0])


@given(st.integers(0, 10**6), st.floats(0.001, 0.999))
def test_no_weighted_majority_of_two_has_a_smaller_bound(errors, beta):
    assert bounds.duels(errors=errors).value <= bounds.weighted_majority(experts=2, beta=beta, errors=errors).value
