"""worst_case: the exact tables of the specification, its agreement with plain search, and what it refuses."""

from fractions import Fraction
from functools import cache
from itertools import product
from math import inf, log

import numpy as np
import pytest

import littlestone as ls
from littlestone.core.errors import InvalidParameter, TooLarge


@pytest.mark.parametrize(
    ("alpha", "n", "expected"),
    [
        (2, 2, [1, 2]), (2, 3, [3, 4, 6]), (2, 4, [4, 7, 8, 8]), (2, 5, [6, 10, 14, 12, 15]), (2, 6, [6, 12, 16]),
        (2, 7, [7, 13, 18]), (2, 8, [7, 14, 20]), (2, 9, [9]),
        (1.5, 2, [2, 4]), (1.5, 3, [4, 6, 9]), (1.5, 4, [6, 10, 12, 16]), (1.5, 5, [7, 13, 19, 22, 20]),
        (3, 3, [2, 4, 3]), (3, 4, [4, 6, 6, 8]), (3, 5, [5, 9, 10, 11, 10]),
    ],
)  # fmt: skip
def test_winnow_with_theta_n(alpha, n, expected):
    for k, most in enumerate(expected, start=1):
        learner = ls.Winnow(alpha=alpha)
        assert ls.worst_case(learner, n, k) == most
        assert most <= learner.begin(n).guarantee.at(k=k).value


THEOREM3 = {2: [2, 1, 0], 3: [1, 2, 2, 3], 4: [2, 2, 3, 3, 4], 5: [2, 3, 3, 4, 4], 6: [2, 4, 6, 7, 9],
            7: [2, 4, 6, 8, 9], 8: [2, 4, 7, 9, 11], 9: [None, 5, 9, 12, 14]}  # fmt: skip
COROLLARY1 = {2: [2, 1, 0], 3: [1, 2, 2, 3], 4: [2, 2, 3, 3, 4], 5: [2, 3, 3, 4, 4], 6: [2, 4, 6, 7, 9],
              7: [2, 4, 6, 8, 9], 8: [2, 4, 6, 8, 10], 9: [2, 4, 7, 9, 12]}  # fmt: skip
THEOREM4 = {2: [1, 2], 3: [2, 2, 3], 4: [4, 5, 6], 5: [5, 6, 7], 6: [6, 7, 9], 7: [7, 10, 13]}


@pytest.mark.parametrize("n", range(2, 10))
def test_helmbold_et_al_without_noise(n):
    for k, most in enumerate(THEOREM3[n]):
        assert most is None or ls.worst_case(ls.BayesBEG.theorem3(n), n, k) == most
    for k, most in enumerate(COROLLARY1[n]):
        assert ls.worst_case(ls.ThresholdedBEG.noise_free(n), n, k) == most
    for k, most in enumerate(THEOREM4.get(n, []), start=1):
        assert ls.worst_case(ls.BayesBEG.theorem4(n), n, k) == most


@pytest.mark.parametrize(
    ("n", "k", "expected"),
    [
        (2, 1, [1, 3, 5, 7]), (2, 2, [0, 2, 4, 6]), (3, 1, [2, 5, 7, 9]), (3, 2, [2, 4, 6, 8]), (4, 1, [4, 7, 9, 12]),
        (4, 2, [6, 8, 11, 13]), (5, 1, [5, 8, 10, 13]), (5, 2, [7, 10, 12, 15]),
    ],
)  # fmt: skip
def test_theorem_5_with_attribute_errors(n, k, expected):
    learner = ls.ThresholdedBEG()
    assert [ls.worst_case(learner, n, k, errors) for errors in range(4)] == expected
    bound = learner.begin(n).guarantee
    assert all(most <= bound.at(k=k, attribute_errors=a).value for a, most in enumerate(expected))


@pytest.mark.parametrize(("n", "k", "expected"), [(3, 1, [2, 7]), (4, 1, [3, 9]), (4, 2, [4, 9]), (5, 1, [5, 10]),
                                                  (5, 2, [7, 13])])  # fmt: skip
def test_winnow_of_auer_and_warmuth(n, k, expected):
    learner = ls.Winnow(theta=2 * log(2) / 3, w1=1 / n, tie=0)
    assert [ls.worst_case(learner, n, k, errors) for errors in (0, 2)] == expected


@pytest.mark.parametrize(("n", "k", "expected"), [(2, 1, [1, 3, 6, 8, 11, 14, 16]), (3, 1, [2, 5, 9, 12, 15]),
                                                  (4, 1, [4, 8, 11, 15]), (4, 2, [5, 9, 12])])  # fmt: skip
def test_what_noise_costs_bayes_beg(n, k, expected):
    assert [ls.worst_case(ls.BayesBEG.theorem4(n), n, k, errors) for errors in range(len(expected))] == expected


@pytest.mark.parametrize(("n", "expected"), [(4, [2, 2, 1]), (6, [3, 4, 3]), (7, [3, 4, 4])])
def test_normalized_winnow(n, expected):
    assert [ls.worst_case(ls.NormalizedWinnow.for_disjunctions(n, k), n, k) for k in (1, 2, 3)] == expected


@pytest.mark.parametrize(("n", "k"), [(3, 1), (5, 2), (6, 6), (4, 0)])
def test_elimination_attains_its_bound(n, k):
    assert ls.worst_case(ls.Elimination(), n, k) == n - k


def plain(learner, n, k, budget):
    """The longest path by recursion over the real learner's weights, played trial by trial."""
    rows = [np.array(row, dtype=bool) for row in product((0, 1), repeat=n)]

    @cache
    def longest(history, left):
        player = learner.copy().begin(n, labels=(0, 1))
        for row, y in history:
            player.learn(rows[row][np.newaxis], [y])
        best = 0
        for row, x in enumerate(rows):
            y = 1 - int(player.predict(x[np.newaxis])[0])
            price = (0 if x[:k].any() else 1) if y else int(x[:k].sum())
            if price <= left:
                best = max(best, 1 + longest((*history, (row, y)), left - price))
        return best

    return longest((), budget)


@pytest.mark.parametrize(
    ("learner", "n", "k", "budget"),
    [
        (ls.Winnow(), 2, 1, 0), (ls.Winnow(demotion=0), 3, 1, 0), (ls.ThresholdedBEG(), 2, 1, 1),
        (ls.Winnow(theta=1.5, bias=True), 2, 1, 0), (ls.NormalizedWinnow.for_disjunctions(3, 1), 3, 1, 0),
        (ls.BayesBEG.theorem3(3), 3, 2, 0), (ls.Winnow(alpha=Fraction(5, 2), demotion=Fraction(1, 3)), 2, 1, 1),
    ],
)  # fmt: skip
def test_it_agrees_with_playing_every_game(learner, n, k, budget):
    assert ls.worst_case(learner, n, k, budget) == plain(learner, n, k, budget)


def test_the_perceptron_has_worst_cases_too():
    found = [ls.worst_case(ls.Perceptron(), n, 1) for n in (1, 2, 3)]
    assert found == sorted(found)
    assert all(most <= 5 * (n + 1) for n, most in zip((1, 2, 3), found, strict=True))
    assert ls.worst_case(ls.Perceptron(bias=False), 2, 1) == inf  # it errs on the empty row for ever


def test_no_end_where_there_is_none():
    """beta0 = 0 under noise: one wrong elimination costs for ever."""
    for learner in (ls.Elimination(), ls.ThresholdedBEG.noise_free(3), ls.BayesBEG.theorem3(3), ls.Winnow(demotion=0)):
        assert ls.worst_case(learner, 3, 1, 1) == inf


def test_the_learner_is_left_as_it_was():
    learner = ls.Winnow()
    ls.worst_case(learner, 3, 1)
    assert learner.n is None and learner.trials == 0


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: ls.worst_case(ls.Winnow(), 40, 2), TooLarge, "Greedy.*guarantee"),
        (lambda: ls.worst_case(ls.Perceptron(), 8, 2, most_positions=1000), TooLarge, "1,000 positions"),
        (lambda: ls.worst_case(ls.Winnow(), 3, 4), InvalidParameter, "k must be"),
        (lambda: ls.worst_case(ls.Winnow(), 3, -1), InvalidParameter, "k must be"),
        (lambda: ls.worst_case(ls.Winnow(), 0, 0), InvalidParameter, "n must be"),
        (lambda: ls.worst_case(ls.Winnow(), 3, 1, -1), InvalidParameter, "attribute_errors must be"),
        (lambda: ls.worst_case("winnow", 3, 1), InvalidParameter, "expected a learner"),
        (lambda: ls.worst_case(ls.Perceptron(w1=[0.0, 1.0]), 2, 1), InvalidParameter, "alike"),
        (lambda: ls.worst_case(ls.Winnow(negations=True), 2, 1), InvalidParameter, "alike"),
        (lambda: ls.worst_case(ls.Winnow(averaged=True), 2, 1), InvalidParameter, "mistakes alone"),
        (lambda: ls.worst_case(ls.BayesBEG(policy="always"), 2, 1), InvalidParameter, "mistakes alone"),
        (lambda: ls.worst_case(ls.Winnow(randomized=True), 2, 1), InvalidParameter, "mistakes alone"),
        (lambda: ls.worst_case(ls.Winnow.for_disjunctions(5, 1), 3, 1), InvalidParameter, "n is fixed"),
    ],
)  # fmt: skip
def test_refusals(call, error, words):
    with pytest.raises(error, match=words):
        call()


def test_a_learner_that_has_learned_is_refused():
    learner = ls.Winnow().begin(2, labels=(0, 1))
    learner.learn([[1, 0]], [1])
    with pytest.raises(InvalidParameter, match="learned already"):
        ls.worst_case(learner, 2, 1)
