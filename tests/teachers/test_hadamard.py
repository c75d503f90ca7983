"""Theorems 8 and 13 of Kivinen and Warmuth, played."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import littlestone as ls
from littlestone.core.errors import InvalidParameter
from littlestone.learners import Hypothesis
from littlestone.teachers import Hadamard, hadamard_matrix

ORDERS = (1, 2, 4, 8, 12, 16, 20, 24, 32, 40, 44, 48, 60, 64, 80)


class Additive:
    """Any additive learner as its teacher sees it: earlier rows with whatever coefficients, whatever threshold."""

    trials = 0

    def __init__(self, n, rng):
        self.rows, self.rng, self.n = [], rng, n
        self.renew()

    def renew(self):
        """Coefficients for all rows seen, new at every trial: chosen in hindsight, if you like."""
        coefficients = self.rng.integers(-9, 10, size=len(self.rows))
        self.w = coefficients @ np.array(self.rows, dtype=np.int64).reshape(-1, self.n)
        self.theta = self.rng.integers(-20, 20) / 2

    def hypothesis(self):
        return Hypothesis(self.w.astype(float), self.theta)

    def activation(self, row):
        return self.w @ np.asarray(row) - self.theta

    def predict(self, row):
        return int(self.activation(row) >= 0)


@pytest.mark.parametrize("order", ORDERS)
def test_hadamard_matrices(order):
    H = hadamard_matrix(order)
    assert set(np.unique(H)) <= {-1, 1}
    assert np.array_equal(H @ H.T, order * np.eye(order))
    assert (H[0] == 1).all() and (H[:, 0] == 1).all()


def test_sylvester():
    i = np.arange(64)
    assert np.array_equal(hadamard_matrix(64), 1 - 2 * (np.bitwise_count(i[:, np.newaxis] & i) % 2).astype(int))


@pytest.mark.parametrize(("order", "nearest"), [(3, "2, 4"), (10, "8, 12"), (28, "24, 32"), (36, "32, 40")])
def test_orders_without_a_matrix(order, nearest):
    with pytest.raises(InvalidParameter, match=nearest):
        hadamard_matrix(order)


ADDITIVE = [
    {}, {"theta": 0, "bias": False}, {"theta": 1.3, "eta": 0.37, "bias": False}, {"theta": -2, "bias": False},
]  # fmt: skip


@pytest.mark.parametrize("settings", ADDITIVE, ids=repr)
@pytest.mark.parametrize("k", [1, 2, 3, 5])
@pytest.mark.parametrize("d", range(1, 8))
def test_an_additive_learner_errs_in_every_trial(settings, k, d):
    teacher = Hadamard(d, k)
    run = ls.play(ls.Perceptron(**settings), teacher, record=True)
    assert run.trials == run.mistakes == teacher.promises == teacher.n_attributes - k + 1 == 2**d
    assert teacher.target.sum() == k
    X = np.array([[i in block.row(0)[0] for i in range(teacher.n_attributes)] for block in run.transcript.blocks])
    assert np.array_equal(run.transcript.outcomes, X @ teacher.target >= 0.5)


@pytest.mark.parametrize("order", [12, 20, 24])
@pytest.mark.parametrize("k", [1, 4])
def test_paley_matrices_do_as_well(order, k):
    teacher = Hadamard(order=order, k=k)
    assert teacher.n_attributes == order + k - 1
    for told in ADDITIVE:
        assert ls.play(ls.Perceptron(**told), teacher).mistakes == order


@pytest.mark.parametrize("seed", range(20))
def test_random_coefficients_and_thresholds_err_in_every_trial_too(seed):
    rng = np.random.default_rng(seed)
    teacher = Hadamard(d=int(rng.integers(1, 7)), k=int(rng.integers(1, 5)))
    learner = Additive(teacher.n_attributes, rng)
    teacher.begin(learner)
    mistakes = 0
    while (answer := teacher.trial(learner)) is not None:
        row, label = answer
        assert label == (row @ teacher.target > 0)
        mistakes += learner.predict(row) != label
        learner.rows.append(row)
        learner.renew()
    assert mistakes == teacher.order


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_no_coefficients_tell_the_next_two_instances_apart(data):
    """Theorem 8 holds for coefficients chosen in hindsight, for any choice of the earlier instances."""
    teacher = Hadamard(order=data.draw(st.sampled_from([2, 4, 8, 12, 16, 20])), k=data.draw(st.integers(1, 3)))
    t = data.draw(st.integers(1, teacher.order - 1))
    choices = data.draw(st.lists(st.sampled_from([0, 1]), min_size=t, max_size=t))
    coefficients = data.draw(st.lists(st.integers(-1000, 1000), min_size=t, max_size=t))
    w = sum(
        c * teacher.instances(i)[choice].astype(int)
        for i, (choice, c) in enumerate(zip(choices, coefficients, strict=True))
    )
    first, second = teacher.instances(t)
    assert w @ first == w @ second


@settings(max_examples=80, deadline=None)
@given(data=st.data())
def test_any_start_errs_in_half_of_the_trials_at_least(data):
    teacher = Hadamard(d=data.draw(st.integers(1, 5)), k=data.draw(st.integers(1, 3)))
    n = teacher.n_attributes
    w1 = data.draw(st.lists(st.integers(-20, 20).map(lambda i: i / 4), min_size=n, max_size=n))
    theta, eta = data.draw(st.sampled_from([0.0, 0.5, -1.25, 3.0])), data.draw(st.sampled_from([0.25, 1.0]))
    run = ls.play(ls.Perceptron(w1=w1, theta=theta, eta=eta, bias=data.draw(st.booleans())), teacher)
    assert run.trials == teacher.order
    assert run.mistakes >= teacher.differing >= teacher.order / 2
    assert teacher.target.sum() == teacher.k


@pytest.mark.parametrize("d", range(1, 8))
def test_half_of_the_trials_is_attained(d):
    w1 = np.zeros(2**d)
    w1[1] = 1.0
    assert ls.play(ls.Perceptron(w1=w1, theta=0.5, eta=1e-9, bias=False), Hadamard(d)).mistakes == 2**d // 2


@pytest.mark.parametrize("d", range(1, 8))
def test_a_start_of_ones(d):
    teacher = Hadamard(d)
    assert ls.play(ls.Perceptron(w1=1.0, bias=False), teacher).mistakes == 2**d
    assert teacher.differing == 2**d - 1


SEQUENCES = [
    (1, 1, "00/0 10/1"),
    (2, 1, "0000/0 1010/1 0011/0 1001/1"),
    (2, 2, "00000/0 10100/1 00110/0 10010/1"),
    (3, 1, "00000000/0 10101010/1 00110011/0 10011001/1 00001111/0 10100101/1 00111100/0 10010110/1"),
]


def played(run, n):
    rows = ("".join("01"[i in block.row(0)[0]] for i in range(n)) for block in run.transcript.blocks)
    return " ".join(f"{row}/{y}" for row, y in zip(rows, run.transcript.outcomes, strict=True))


@pytest.mark.parametrize(("d", "k", "expected"), SEQUENCES)
def test_the_perceptron_is_shown(d, k, expected):
    teacher = Hadamard(d, k)
    assert played(ls.play(ls.Perceptron(), teacher, record=True), teacher.n_attributes) == expected


def test_the_perceptron_without_bias_is_shown():
    learner = ls.Perceptron(theta=1, bias=False)
    run = ls.play(learner, Hadamard(2), record=True)
    assert played(run, 4) == "1111/1 0101/0 0011/0 1001/1"
    assert learner.hypothesis().w.tolist() == [2, 0, 0, 0]


@pytest.mark.parametrize("d", range(1, 9))
def test_what_the_perceptron_comes_to(d):
    learner = ls.Perceptron()
    ls.play(learner, Hadamard(d))
    w, theta = learner.hypothesis()
    assert w.tolist() == [2 ** (d - 1)] + [0] * (2**d - 1)
    assert theta == 0


def test_learners_that_are_not_additive_escape():
    def mistakes(make):
        return [ls.play(make(2**d), Hadamard(d)).mistakes for d in range(1, 10)]

    assert mistakes(lambda n: ls.Winnow(theta=n)) == [1, 3, 5, 8, 10, 13, 16, 19, 21]
    assert mistakes(lambda n: ls.Winnow(alpha=1.5, theta=n)) == [1, 3, 5, 8, 10, 12, 17, 22, 24]
    assert mistakes(lambda n: ls.Elimination()) == list(range(1, 10))


def distances(order):
    """For each sign vector, its distance from the farthest column."""
    bits = np.arange(2**order)[:, np.newaxis] >> np.arange(order) & 1
    vectors = (2 * bits - 1).astype(np.int8)
    return (order - (vectors @ hadamard_matrix(order).astype(np.int8)).min(axis=1)) // 2, vectors


@pytest.mark.parametrize(("order", "histogram"), [
    (2, None), (4, None), (8, {4: 8, 5: 64, 6: 112, 7: 64, 8: 8}),
    (16, {8: 16, 9: 704, 10: 9536, 11: 22848, 12: 21280, 13: 8960, 14: 1920, 15: 256, 16: 16}),
])  # fmt: skip
def test_lemma_5_exhaustively(order, histogram):
    """Every sign vector differs from some column in half of the places; only the columns themselves in no more."""
    farthest, vectors = distances(order)
    assert farthest.min() == order // 2
    nearest = {tuple(vector) for vector in vectors[farthest == order // 2].tolist()}
    assert nearest == {tuple(column) for column in hadamard_matrix(order).T.tolist()}
    if histogram:
        assert Counter(farthest.tolist()) == histogram


def test_lemma_5_for_an_order_that_is_no_power_of_two():
    assert distances(12)[0].min() == 6


@pytest.mark.parametrize("settings", ADDITIVE[:2], ids=repr)
@pytest.mark.parametrize("d", range(2, 8))
def test_trained_on_some_rows_an_additive_learner_guesses_the_others(settings, d):
    """The batch remark: of z' and z'' of an unseen row exactly one is misclassified, whatever the training."""
    rng = np.random.default_rng(d)
    teacher = Hadamard(d)
    order = 1 + rng.permutation(teacher.order - 1)
    seen, unseen = np.append(order[: len(order) // 2], 0), order[len(order) // 2 :]
    column = int(rng.integers(teacher.order))
    X = np.array([row for t in seen for row in teacher.instances(t)])
    learner = ls.Perceptron(**settings)
    for _ in range(3):
        shuffled = rng.permutation(len(X))
        learner.learn(X[shuffled], X[shuffled, column])
    for t in unseen:
        pair = np.array(teacher.instances(t))
        assert (learner.predict(pair) != pair[:, column]).sum() == 1


@pytest.mark.parametrize(("arguments", "words"), [
    ({}, "one of d and order"), ({"d": 2, "order": 4}, "one of d and order"), ({"d": 0}, "d must"),
    ({"d": 3, "k": 0}, "k must"), ({"order": 1}, "order must"), ({"order": 6}, "nearest are 4, 8"),
])  # fmt: skip
def test_bad_parameters(arguments, words):
    with pytest.raises(InvalidParameter, match=words):
        Hadamard(**arguments)


def test_a_teacher_can_play_again():
    teacher = Hadamard(3, 2)
    assert [ls.play(ls.Perceptron(), teacher).mistakes for _ in range(2)] == [8, 8]
    assert repr(eval(repr(teacher), {"Hadamard": Hadamard})) == repr(teacher)
