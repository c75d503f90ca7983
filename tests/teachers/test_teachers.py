"""Teachers that draw: what they promise of rows and labels, whatever the size of the blocks."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import littlestone as ls
from littlestone.core.block import Block
from littlestone.core.errors import InvalidData, InvalidLabel, InvalidParameter
from littlestone.learners import VolumetricCenter, command_name
from littlestone.teachers import (  # fmt: skip
    DNF,
    TEACHERS,
    AttributeNoise,
    DecisionList,
    Disjunction,
    LabelNoise,
    ModelM,
    Shifting,
    Threshold,
    XorFeatures,
    by_name,
)
from littlestone.teachers._drawn import bernoulli
from tests.learners.test_golden import FIGURES, reading_1


def rows(stream, size=8192):
    """All rows of a stream as a dense array, and their labels."""
    X, y = [], []
    for block in stream.blocks(size):
        assert 0 < len(block) <= size
        assert block.start == sum(map(len, y))
        dense = np.zeros((len(block), block.n_attributes), dtype=bool)
        for r in range(len(block)):
            dense[r, block.row(r)[0]] = True
        X.append(dense)
        y.append(block.outcomes)
    return np.vstack(X), np.concatenate(y).astype(bool)


STREAMS = [
    *(Disjunction(30, 3, trials=1203, reading=reading, noise=0.1, seed=4) for reading in ("R1", "R2", "R3", "R4")),
    Disjunction(30, 3, trials=700, reading="uniform"),
    Disjunction(30, 3, trials=700, density=0.2),
    Threshold(30, 5, 3, trials=1203),
    DNF(12, 3, 2, trials=1203, noise=0.05),
    DecisionList(6, passes=20),
    DecisionList(6, passes=20, order="random", seed=3),
    XorFeatures(40, trials=1203),
    Shifting(30, 3, 77, trials=1203, seed=1),
    ModelM(20, trials=1203),
    LabelNoise(Disjunction(30, 3, trials=1203), 0.2, seed=5),
    AttributeNoise(Disjunction(30, 3, trials=1203), 0.05, seed=5),
]


@pytest.mark.parametrize("stream", STREAMS, ids=repr)
def test_rows_depend_neither_on_the_size_of_the_blocks_nor_on_a_replay(stream):
    X, y = rows(stream)
    assert X.shape == (stream.trials, stream.n_attributes)
    for size in (77, 501):
        again = rows(stream, size)
        assert np.array_equal(again[0], X) and np.array_equal(again[1], y)


@pytest.mark.parametrize("stream", STREAMS[:13], ids=repr)
def test_a_repr_makes_the_stream_again(stream):
    again = eval(repr(stream), vars(ls.teachers))
    assert repr(again) == repr(stream)
    assert all(np.array_equal(a, b) for a, b in zip(rows(again), rows(stream), strict=True))


@pytest.mark.parametrize(
    "kind", [k for name, k in TEACHERS.items() if name not in ("decision-list", "kernel-trap", "hadamard", "greedy")]
)
def test_the_first_rows_depend_on_the_seed_alone(kind):
    X, y = rows(kind(trials=1100))
    short = rows(kind(trials=613))
    assert np.array_equal(short[0], X[:613]) and np.array_equal(short[1], y[:613])
    assert not np.array_equal(rows(kind(trials=613, seed=1))[0], short[0])


@pytest.mark.parametrize(("reading", "n", "k", "seed", "early", "later", "late"), FIGURES)
def test_the_figures_of_kivinen_and_warmuth(reading, n, k, seed, early, later, late):
    if reading is reading_1 and k == 20:
        stream = Disjunction.figure1(n, reading="R1", seed=seed)
    else:
        stream = Disjunction.figure2(n, seed=seed) if reading is reading_1 else Disjunction.figure1(n, seed=seed)
    assert stream.k == k
    curves = [run.curve() for run in ls.play_all(
        [ls.Perceptron(), ls.Winnow(alpha=1.5, theta=n / k), ls.Elimination()], stream
    )]  # fmt: skip
    positives = np.cumsum(np.concatenate([block.outcomes for block in stream.blocks()]))
    for trials, expected in ((500, early), (1000, later), (20_000, late)):
        assert [int(curve[trials - 1]) for curve in (*curves, positives)] == expected


def test_a_uniform_disjunction_of_twenty_costs_nothing():
    """The paper's own words about Figure 1: no mistakes before the first negative, which does not come."""
    stream = Disjunction(200, 20, reading="uniform", trials=20_000)
    runs = ls.play_all([ls.Perceptron(), ls.Winnow(alpha=1.5, theta=10)], stream)
    assert [run.mistakes for run in runs] == [0, 0]


@pytest.mark.parametrize(("reading", "relevant", "irrelevant"), [
    ("R1", 1 - 2 ** (-1 / 5), 1 - 2 ** (-1 / 5)), ("R2", 1 - 2 ** (-1 / 5), 0.5), ("R3", 0.25, 0.5), ("R4", 0.1, 0.5),
])  # fmt: skip
def test_densities_of_the_readings(reading, relevant, irrelevant):
    X, y = rows(Disjunction(20, 5, reading=reading, trials=8000))
    assert np.array_equal(y, X[:, :5].any(axis=1))
    error = 5 * np.sqrt(0.25 / 8000)
    assert X[:, :5].mean() == pytest.approx(relevant, abs=error)
    assert X[:, 5:].mean() == pytest.approx(irrelevant, abs=error)
    assert y.mean() == pytest.approx(0.5 if reading != "R3" else 0.5 * (1 - 2**-5), abs=error)
    if reading == "R4":
        assert set(X[:, :5].sum(axis=1)) == {0, 1}


def test_a_density_means_reading_1():
    stream = Disjunction(30, 3, density=0.25, trials=100)
    assert (stream.reading, stream.density) == ("R1", 0.25)
    assert np.array_equal(rows(stream)[0], np.random.default_rng(0).random((100, 30)) < 0.25)


def test_wide_rows_are_drawn_piece_by_piece():
    whole = np.random.default_rng(2).random((7, 400_000)) < 0.5
    assert np.array_equal(bernoulli(np.random.default_rng(2), 7, 400_000, 0.5), whole)
    sizes = [len(block) for block in Disjunction(200_000, 5, trials=100, density=1e-4).blocks()]
    assert sum(sizes) == 100 and max(sizes) < 100


@pytest.mark.parametrize("stream", [
    Threshold(20, 7, 3, trials=4000), Threshold(20, 6, 6, trials=4000), Threshold(20, 1, 1, trials=4000),
    DNF(20, 4, 3, trials=4000), DNF(20, 1, 1, trials=4000), Shifting(20, 3, 100, trials=4000),
], ids=repr)  # fmt: skip
def test_half_of_the_rows_are_positive(stream):
    assert rows(stream)[1].mean() == pytest.approx(0.5, abs=5 * np.sqrt(0.25 / 4000))


def test_labels_are_those_of_the_targets():
    X, y = rows(Threshold(20, 7, 3, trials=500))
    assert np.array_equal(y, X[:, :7].sum(axis=1) >= 3)
    stream = DNF(20, 4, 3, trials=500)
    X, y = rows(stream)
    assert np.array_equal(y, np.any([X[:, list(term)].all(axis=1) for term in stream.target], axis=0))
    stream = Shifting(20, 2, 70, trials=501)
    X, y = rows(stream)
    assert len(stream.targets) == 8
    assert [X[t, stream.target_at(t)].any() for t in range(501)] == y.tolist()
    with pytest.raises(InvalidParameter, match="<= 500"):
        stream.target_at(501)


@pytest.mark.parametrize(("n", "passes", "mistakes"), [(8, 50, 284), (9, 90, 696), (10, 200, 1750), (11, 260, 3288)])
def test_a_decision_list_costs_the_perceptron_exponentially_many_mistakes(n, passes, mistakes):
    run = ls.play(ls.Perceptron(), DecisionList(n, passes=passes))
    assert run.mistakes == mistakes
    assert run.mistake_trials[-1] < (passes - 1) << n  # nothing is left to learn


@pytest.mark.parametrize("n", range(1, 9))
def test_a_decision_list_is_a_linear_threshold_function_over_all_points(n):
    X, y = rows(DecisionList(n))
    assert len(np.unique(X, axis=0)) == 2**n
    signs = 2 * DecisionList(n).target - 1
    assert np.array_equal(y, X @ (signs * 2.0 ** np.arange(n, 0, -1)) + 1 > 0)
    shuffled = rows(DecisionList(n, passes=3, order="random"))[0].reshape(3, -1, n)
    assert all(len(np.unique(part, axis=0)) == 2**n for part in shuffled)


def test_xor_features():
    """Perceptron 281, 459, 714, 1266 at n = 100 to 800, Winnow 32 to 42: means of two seeds."""
    found = []
    for n in (100, 200, 400, 800):
        runs = [ls.play_all([ls.Perceptron(), ls.Winnow()], XorFeatures(n, seed=seed)) for seed in (0, 1)]
        found.append(np.mean([[run.mistakes for run in pair] for pair in runs], axis=0).tolist())
    assert found == [[281.0, 32.0], [458.5, 36.5], [714.0, 39.0], [1266.0, 42.0]]
    stream = XorFeatures(50, bits=6, trials=400)
    assert len(np.unique(rows(stream)[0], axis=0)) <= 2**6
    assert [len(set(part)) for part in stream.parts.tolist()] == [3] * 50


@pytest.mark.parametrize(
    "absent", [(ls.BoxWinnow, ls.KernelWinnow, VolumetricCenter), pytest.param((ls.BoxWinnow,), marks=pytest.mark.slow)]
)  # boxes of 20 dimensions: hours
def test_always_updating_bayes_beg_is_the_best_where_its_model_is_true(absent):
    found = []
    for seed in range(60):  # short games: what was known before the first trial must count
        stream = ModelM(20, w1=0.2, trials=200, seed=seed)
        players = [
            ls.BayesBEG(w1=0.2, policy="always"), ls.BayesBEG(w1=0.2), ls.BayesBEG(w1=0.2, averaged=True),
            ls.Perceptron(averaged=True), ls.learners.NaiveBayes(policy="mistakes"),
            *(kind() for kind in ls.learners.LEARNERS.values() if kind not in absent),
        ]  # fmt: skip
        found.append([run.mistakes for run in ls.play_all(players, stream)])
    best, *others = np.mean(found, axis=0)
    assert best < min(others)


def vector_mistakes(X, Y, w1, beta1, beta0, gamma, policy):
    """Theorem 2's rule on vector-labels, in plain numpy: a mistake unless all labels are the one predicted."""
    n = X.shape[1]
    odds, wrong = np.full(n, w1 / (1 - w1)), 0
    for x, y in zip(X, Y, strict=True):
        w = odds / (1 + odds)
        one = np.where(x, (1 - beta0) / (beta1 - beta0) * (1 + w * (beta1 - 1)), 1 - gamma)
        mistake = not np.all(y == (np.log(one).sum() > np.log1p(-one).sum()))
        wrong += mistake
        if policy == "always" or (mistake and policy == "mistakes"):
            odds *= np.where(x, np.where(y, beta1, beta0), 1.0)
    return wrong


def test_vector_labels_are_drawn_from_the_model():
    model = ModelM(4, w1=0.4, density=0.6, seed=1)
    X, Y = model.vectors(20_000)
    share = (X & Y).sum(axis=0) / X.sum(axis=0)
    assert share == pytest.approx(model.probabilities(np.ones((1, 4), dtype=bool))[0], abs=0.025)
    assert Y[~X].mean() == pytest.approx(1 - model.gamma, abs=0.025)


def test_on_vector_labels_the_posterior_is_worth_keeping():
    noise = {"w1": 0.3, "beta1": 3.0, "beta0": 0.1, "gamma": 0.6}
    drawn = [ModelM(2, **noise, seed=seed).vectors(30) for seed in range(300)]
    always, mistakes, never = (
        sum(vector_mistakes(X, Y, **noise, policy=policy) for X, Y in drawn)
        for policy in ("always", "mistakes", "never")
    )
    assert always < mistakes < never


def test_model_m_can_be_sure():
    """With beta0 = 0 a row with a relevant attribute is never negative."""
    stream = ModelM(10, beta0=0.0, w1=0.3, trials=500, seed=3)
    X, y = rows(stream)
    assert len(stream.target) and y[X[:, stream.target].any(axis=1)].all()
    assert not y.all()


@settings(max_examples=20, deadline=None)
@given(rate=st.sampled_from([0.0, 0.02, 0.5, 1.0]), seed=st.integers(0, 5))
def test_noise_changes_what_it_says_and_nothing_else(rate, seed):
    clean = Disjunction(40, 3, trials=300, seed=seed)
    X, y = rows(clean)
    noisy_X, same_y = rows(AttributeNoise(clean, rate, seed=seed))
    same_X, noisy_y = rows(LabelNoise(clean, rate, seed=seed))
    assert np.array_equal(same_X, X) and np.array_equal(same_y, y)
    assert (noisy_X ^ X).mean() == pytest.approx(rate, abs=5 * np.sqrt(0.25 / X.size))
    assert (noisy_y ^ y).mean() == pytest.approx(rate, abs=5 * np.sqrt(0.25 / len(y)))


def test_noise_keeps_names_labels_and_target():
    stream = Disjunction(3, 1, trials=5)
    stream.names, stream.labels = ("a", "b", "c"), ("no", "yes")
    for noisy in (LabelNoise(stream, 0.5), AttributeNoise(stream, 0.5)):
        assert (noisy.names, noisy.labels, noisy.n_attributes) == (("a", "b", "c"), ("no", "yes"), 3)
        assert noisy.target is stream.target
        assert "Disjunction" in repr(noisy)
        assert ls.play(ls.Perceptron(), noisy).trials == 5


class Bare(ls.Stream):
    """Rows without outcomes, of an unknown width."""

    def blocks(self, rows=8192):  # noqa: ARG002
        yield Block.from_arrays([[0, 1]])


def test_noise_refuses_what_it_cannot_change():
    three = ls.from_arrays(np.eye(3), [0, 1, 2])
    with pytest.raises(InvalidParameter, match="two labels"):
        LabelNoise(three, 0.1)
    with pytest.raises(InvalidData, match="Boolean"):
        next(AttributeNoise(ls.from_arrays([[0.5, 1.0]], [1], labels=(0, 1)), 0.1).blocks())
    with pytest.raises(InvalidParameter, match="from_arrays"):
        LabelNoise([[0, 1]], 0.1)
    with pytest.raises(InvalidLabel, match="outcomes"):
        next(LabelNoise(Bare(), 0.1).blocks())
    with pytest.raises(InvalidParameter, match="number of attributes"):
        AttributeNoise(Bare(), 0.1)
    with pytest.raises(InvalidParameter, match="rate"):
        LabelNoise(three, 1.5)


@pytest.mark.parametrize(("make", "words"), [
    (lambda: Disjunction(reading="R5"), "R1, R2, R3, R4, uniform"),
    (lambda: Disjunction(reading="R2", density=0.1), "only R1"),
    (lambda: Threshold(10, 3, 4), "r must"),
    (lambda: Threshold(10, 3, 2, density=2), "density"),
    (lambda: DNF(5, 3, 2), "at most n=5"),
    (lambda: DNF(6, 3, 2, density=-1), "density"),
    (lambda: DecisionList(25), "n must"),
    (lambda: DecisionList(5, order="gray"), "order"),
    (lambda: XorFeatures(10, bits=2), "each"),
    (lambda: Shifting(10, 2, 0), "every"),
    (lambda: Shifting(10, 2, 5, density=3), "density"),
    (lambda: ModelM(1), "n must"),
    (lambda: ModelM(5, beta1=1.0), "beta1"),
    (lambda: ModelM(5, gamma=1.0), "gamma"),
    (lambda: by_name("nobody"), "disjunction, threshold"),
])  # fmt: skip
def test_bad_parameters(make, words):
    with pytest.raises(InvalidParameter, match=words):
        make()


def test_every_teacher_goes_by_a_name():
    assert {command_name(kind): kind for kind in TEACHERS.values()} == TEACHERS
    assert all(by_name(name) is kind for name, kind in TEACHERS.items())


def test_blocks_have_rows():
    with pytest.raises(InvalidParameter, match="rows must"):
        next(Disjunction(5, 2).blocks(0))


@pytest.mark.parametrize("answer", [-1, 5, 0.7, "yes"])
def test_a_teacher_answers_zero_or_one(answer):
    class Odd(ls.Teacher):
        n_attributes = 3

        def trial(self, view):  # noqa: ARG002
            return np.array([1, 0, 0]), answer

    with pytest.raises(InvalidLabel, match="Odd: trial 0: expected 0 or 1"):
        ls.play(ls.Perceptron(), Odd())
