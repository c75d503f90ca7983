"""The greedy adversary: every trial a mistake, never more of them than a theorem allows, and none left at the end."""

from math import e

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import littlestone as ls
from littlestone.core.errors import InvalidParameter
from littlestone.teachers import Greedy

LEARNERS = {
    "winnow": lambda n, k: ls.Winnow(),
    "winnow 3/2": lambda n, k: ls.Winnow(alpha=1.5, theta=max(1.0, n / 2)),
    "winnow, ties 0": lambda n, k: ls.Winnow(tie=0),
    "elimination": lambda n, k: ls.Elimination(),
    "normalized winnow": lambda n, k: ls.NormalizedWinnow.for_disjunctions(n, k),
    "thresholded-beg": lambda n, k: ls.ThresholdedBEG(),
    "corollary 1": lambda n, k: ls.ThresholdedBEG.noise_free(n),
    "theorem 3": lambda n, k: ls.BayesBEG.theorem3(n),
    "theorem 4": lambda n, k: ls.BayesBEG.theorem4(n),
    "perceptron": lambda n, k: ls.Perceptron(),
}


def transcript(run, n):
    rows = np.array([[i in block.row(0)[0] for i in range(n)] for block in run.transcript.blocks], dtype=bool)
    return rows.reshape(-1, n), run.transcript.outcomes.astype(bool)


@settings(max_examples=150, deadline=None)
@given(
    name=st.sampled_from(sorted(LEARNERS)),
    n=st.integers(3, 10),
    first=st.sampled_from(["heavy", "light"]),
    data=st.data(),
)
def test_every_trial_is_a_mistake_and_in_the_end_there_is_none_left(name, n, first, data):
    target = data.draw(st.sets(st.integers(0, n - 1), min_size=1, max_size=n))
    learner = LEARNERS[name](n, len(target))
    run = ls.play(learner, Greedy(target, n, first=first, trials=2000), record=True)
    assert run.mistakes == run.trials <= learner.guarantee.at(k=len(target)).value
    X, y = transcript(run, n)
    assert np.array_equal(y, X[:, sorted(target)].any(axis=1))
    cube = (np.arange(2**n)[:, np.newaxis] >> np.arange(n) & 1).astype(bool)
    assert np.array_equal(learner.predict(cube).astype(bool), cube[:, sorted(target)].any(axis=1))


@pytest.mark.parametrize(("make", "n", "k", "first", "share"), [
    (lambda: ls.Winnow(alpha=1.5, theta=256), 256, 4, "heavy", 0.88),
    (lambda: ls.Winnow(alpha=1.5, theta=256), 256, 4, "light", 0.87),
    (lambda: ls.Winnow(), 1024, 1, "heavy", 0.9),
    (lambda: ls.ThresholdedBEG(), 1024, 4, "light", 0.86),
    (lambda: ls.BayesBEG.theorem3(1024), 1024, 2, "light", 0.62),
    (lambda: ls.BayesBEG.theorem4(1024), 1024, 2, "heavy", 0.3),
    (lambda: ls.ThresholdedBEG.noise_free(1024), 1024, 2, "light", 0.7),
    (lambda: ls.NormalizedWinnow.for_disjunctions(256, 2), 256, 2, "heavy", 0.9),
    (lambda: ls.Elimination(), 64, 2, "heavy", 1.0),
])  # fmt: skip
def test_bounds_are_nearly_attained(make, n, k, first, share):
    learner = make()
    run = ls.play(learner, Greedy(range(k), n, first=first))
    bound = learner.guarantee.at(k=k).value
    assert share * bound <= run.mistakes <= bound


# The longest game that any teacher can play, found by search over all games (alpha 2, theta n): k = 1, 2, 3, ...
LONGEST = {
    2: [1, 2],
    3: [3, 4, 6],
    4: [4, 7, 8, 8],
    5: [6, 10, 14, 12, 15],
    6: [6, 12, 16],
    7: [7, 13, 18],
    8: [7, 14, 20],
}


@pytest.mark.parametrize("n", LONGEST)
def test_no_game_is_longer_than_the_longest(n):
    for k, longest in enumerate(LONGEST[n], start=1):
        for first in ("heavy", "light"):
            assert longest / 2 <= ls.play(ls.Winnow(), Greedy(range(k), n, first=first)).mistakes <= longest


# The same for Thresholded-BEG (alpha 2, w1 1/n) with 0, 1, 2, 3 attribute errors.
WITH_ERRORS = {
    (2, 1): [1, 3, 5, 7], (2, 2): [0, 2, 4, 6], (3, 1): [2, 5, 7, 9], (3, 2): [2, 4, 6, 8], (4, 1): [4, 7, 9, 12],
    (4, 2): [6, 8, 11, 13], (5, 1): [5, 8, 10, 13], (5, 2): [7, 10, 12, 15],
}  # fmt: skip


@pytest.mark.parametrize(("n", "k"), WITH_ERRORS)
def test_attribute_errors_cost_no_more_than_they_may(n, k):
    for errors, longest in enumerate(WITH_ERRORS[n, k]):
        run = ls.play(ls.ThresholdedBEG(), Greedy(range(k), n, attribute_errors=errors))
        assert longest / 2 <= run.mistakes <= longest


@settings(max_examples=60, deadline=None)
@given(
    n=st.integers(2, 40), errors=st.integers(0, 8), alpha=st.sampled_from([1.5, 2.0, 3.0]),
    first=st.sampled_from(["heavy", "light"]), data=st.data(),
)  # fmt: skip
def test_attribute_errors_are_counted(n, errors, alpha, first, data):
    k = data.draw(st.integers(1, min(n, 5)))
    learner = ls.ThresholdedBEG(beta1=alpha, beta0=1 / alpha)
    teacher = Greedy(range(k), n, attribute_errors=errors, first=first)
    run = ls.play(learner, teacher, record=True)
    assert run.mistakes == run.trials <= learner.guarantee.at(k=k, attribute_errors=errors).value
    X, y = transcript(run, n)
    relevant = X[:, :k].sum(axis=1)
    assert np.where(y, relevant == 0, relevant).sum() == errors - teacher.attribute_errors_left
    assert teacher.attribute_errors_left == 0


def test_an_attribute_error_is_worth_alpha_plus_one_mistakes_or_so():
    """Theorem 5 charges 3 mistakes an error at alpha 2; on average over 50 at least 2 are had."""
    clean, noisy = (ls.play(ls.ThresholdedBEG(), Greedy(range(4), 256, attribute_errors=a)).mistakes for a in (0, 50))
    assert 2 <= (noisy - clean) / 50 <= 3


@settings(max_examples=40, deadline=None)
@given(name=st.sampled_from(["winnow", "thresholded-beg", "perceptron"]), n=st.integers(3, 9), errors=st.integers(0, 4))
def test_label_errors_are_counted(name, n, errors):
    teacher = Greedy([0, 1], n, label_errors=errors, trials=2000)
    run = ls.play(LEARNERS[name](n, 2), teacher, record=True)
    X, y = transcript(run, n)
    assert run.mistakes == run.trials
    assert (y != X[:, :2].any(axis=1)).sum() == errors
    assert teacher.label_errors_left == 0


def test_a_label_error_costs_more_with_more_relevant_attributes():
    """A wrong label demotes all k relevant attributes at once: about k + 1 mistakes, not one."""

    def cost(k):
        clean, noisy = (ls.play(ls.ThresholdedBEG(), Greedy(range(k), 64, label_errors=m)).mistakes for m in (0, 20))
        return (noisy - clean) / 20

    assert cost(1) < cost(4) < cost(8)
    assert cost(8) > 8


def test_what_bears_no_noise():
    """With beta0 = 0 one wrong label makes the game endless: what was eliminated never comes back."""
    teacher = Greedy([0], 10, label_errors=1, trials=500)
    run = ls.play(ls.ThresholdedBEG(beta1=e, beta0=0.0), teacher)
    assert run.trials == run.mistakes == 500


def test_a_learner_that_errs_for_ever_is_stopped():
    run = ls.play(ls.Perceptron(bias=False), Greedy([0], 4, trials=300))
    assert run.mistakes == run.trials == 300


def test_a_game_begins_anew():
    teacher = Greedy([2, 5], 32, attribute_errors=2, label_errors=1)
    first, second = (ls.play(ls.Winnow(), teacher).mistakes for _ in range(2))
    assert first == second
    assert repr(eval(repr(teacher), {"Greedy": Greedy})) == repr(teacher)


def test_a_learner_without_weights_is_refused():
    class Blind:
        trials = 0

        def hypothesis(self):
            return None

    with pytest.raises(InvalidParameter, match="weights"):
        Greedy([0], 4).begin(Blind())


@pytest.mark.parametrize(("arguments", "words"), [
    (([], 5), "different"), (([1, 1], 5), "different"), (([5], 5), "target must"), (([0], 0), "n must"),
    (([0.5], 5), "target must"),
])  # fmt: skip
def test_bad_parameters(arguments, words):
    with pytest.raises(InvalidParameter, match=words):
        Greedy(*arguments)
    with pytest.raises(InvalidParameter, match="heavy"):
        Greedy([0], 5, first="last")
