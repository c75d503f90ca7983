"""Theorems 6 and 8 of Khardon, Roth and Servedio, and Remark 7: the kernel Perceptron, trapped."""

from fractions import Fraction
from math import ceil

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import littlestone as ls
from littlestone.bounds import kernel_perceptron_lower
from littlestone.core.errors import InvalidData, InvalidParameter, TooLarge
from littlestone.learners import KernelPerceptron
from littlestone.parts.kernels import Conjunctions
from littlestone.teachers import KernelTrap, KernelTrapSample, disjunction_of
from littlestone.teachers.set_systems import largest_size
from tests.teachers.test_teachers import rows


def monotone(n, x, y):  # noqa: ARG001 - a kernel may depend on n
    return 1 << (x & y).bit_count()


def every(n, x, y):
    """2^same: all conjunctions that hold in both."""
    return 1 << (n - (x ^ y).bit_count())


class Twin:
    """The kernel Perceptron in whole numbers: rows are the digits of an integer, ties are predicted 1."""

    def __init__(self, n, kernel=monotone, theta=0, eta=1):
        self.n, self.kernel, self.ratio, self.stored = n, kernel, Fraction(theta) / Fraction(eta), []

    def value(self, x):
        return sum(sign * self.kernel(self.n, x, y) for y, sign in self.stored)

    def predict(self, x):
        return self.value(x) >= self.ratio

    def mistakes(self, stream):
        """Play a stream; return the trials that were mistakes."""
        wrong = []
        for trial, (x, label) in enumerate(examples(stream)):
            if self.predict(x) != label:
                self.stored.append((x, 1 if label else -1))
                wrong.append(trial)
        return wrong


def examples(stream):
    for block in stream.blocks():
        for r, label in enumerate(block.outcomes):
            yield sum(1 << int(i) for i in block.row(r)[0]), bool(label)


@pytest.mark.parametrize("construction", ["reed-solomon", "greedy", "disjoint"])
@pytest.mark.parametrize("n", [20, 60, 80, 100, 160])
def test_every_row_is_a_mistake_by_default(n, construction):
    trap = KernelTrap(n, construction=construction)
    assert trap.trials == trap.certain == trap.promises == trap.sets + 2
    assert Twin(n).mistakes(trap) == list(range(trap.trials))


def test_reed_solomon_sets_of_320_attributes():
    trap = KernelTrap(320)
    assert (trap.sets, trap.size, trap.overlap) == (3000, 16, 4)
    assert kernel_perceptron_lower(size=16, overlap=4, sets=3000).value == trap.certain == trap.promises == 3002
    assert len(Twin(320).mistakes(trap)) == 3002


def mistakes(trap, kernel="monotone", **settings):
    return ls.play(KernelPerceptron(kernel, **settings), trap).mistakes


@pytest.mark.parametrize(("n", "certain", "expected"), [(240, 514, 2274), (320, 3002, 3002), (380, 3002, 3002)])
def test_three_thousand_reed_solomon_sets(n, certain, expected):
    trap = KernelTrap(n, sets=3000)
    assert kernel_perceptron_lower(size=n // 20, overlap=n // 80, sets=3000).value == trap.certain == certain
    assert mistakes(trap) == trap.promises == expected


@pytest.mark.parametrize(("n", "sets", "expected"), [
    (160, 600, 192), (200, 481, 483), (240, 1500, 1502), (320, 3000, 3002), (400, 4000, 4002), (800, 4000, 4002),
    (2000, 2000, 2002),
])  # fmt: skip
def test_greedy_sets(n, sets, expected):
    trap = KernelTrap(n, sets=sets, construction="greedy", seed=7)
    assert (trap.size, trap.overlap) == (n // 20, n // 80)
    assert trap.certain <= mistakes(trap) == trap.promises == expected


@pytest.fixture(scope="module")
def contrast():
    """The sequence of 400 attributes and 3,000 greedy sets."""
    return KernelTrap(400, sets=3000, construction="greedy", seed=11)


def test_what_others_make_of_it(contrast):
    """Few conjunctions are no trap, and neither is the kernel over all conjunctions: 0^n is close to sparse rows."""
    plain = [ls.Perceptron(), ls.Perceptron(bias=False), ls.Winnow()]
    assert [run.mistakes for run in ls.play_all(plain, contrast)] == [18, 8, 0]
    kernels = [*(f"monotone:{k}" for k in (1, 2, 3, 4, 5, 6)), "monotone", "conjunctions"]
    assert [mistakes(contrast, kernel) for kernel in kernels] == [18, 108, 579, 2473, 3002, 3002, 3002, 2]


@pytest.mark.parametrize(("n", "sets", "expected"), [(128, 300, 288), (192, 1000, 1000), (256, 1500, 1502),
                                                     (512, 2000, 2002)])  # fmt: skip
def test_all_conjunctions_are_trapped_by_dense_rows(n, sets, expected):
    trap = KernelTrap(n, kernel="conjunctions", sets=sets, seed=3)
    assert trap.size == 3 * n // 4
    assert mistakes(trap, "conjunctions") == trap.promises == expected
    assert mistakes(trap) == trap.trials


def test_dense_rows_can_be_certain_too():
    trap = KernelTrap(256, kernel="conjunctions", construction="greedy", sets=1500)
    assert mistakes(trap, "conjunctions") == trap.certain == trap.trials == 1502


@pytest.mark.parametrize(("theta", "eta", "expected"), [
    (Fraction(1, 3), 1, 3000), (2**18, 1, 3000), (2**20 - 10**4, 1, 3000), (2**20 - 1, 1, 2), (2**20, 1, 1),
    (2**20 + 1, 1, 0), (2**20 * Fraction(3, 7), Fraction(3, 7), 1), (2**20 - 10**4 - 0.5, 0.5, 0),
])  # fmt: skip
def test_positive_thresholds(contrast, theta, eta, expected):
    """Remark 7: 0^n is right, 1^n is a mistake, and so are the sets while what is left of 2^20 is not below theta."""
    told = {"theta": theta, "eta": eta}
    trap = KernelTrap(400, sets=3000, construction="greedy", seed=11, case="conjunction", **told)
    assert np.array_equal(trap.members, contrast.members)
    assert trap.certain <= mistakes(trap, **told) == trap.promises == 1 + expected


@pytest.mark.parametrize(("theta", "zeros"), [(-1, 2), (-3, 4), (Fraction(-7, 2), 4), (-1000, 1001), (-0.25, 1)])
def test_negative_thresholds(theta, zeros):
    """Remark 7: one mistake more on 0^n than the paper has where -theta is whole; then everything is a mistake."""
    trap = KernelTrap(400, sets=1500, theta=theta)
    assert trap.opening == zeros
    assert mistakes(trap, theta=theta) == trap.certain == trap.trials == zeros + 1 + 1500


@pytest.mark.parametrize("theta", [10, 11, 1001])
def test_large_thresholds_on_a_disjunction(theta):
    trap = KernelTrap(60, theta=theta, case="disjunction")
    assert mistakes(trap, theta=theta) == trap.promises == (theta + 1) // 2


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_the_value_before_each_set(data):
    """2^size - 1 - sum of 2^overlap, with as many 0^n as a threshold asks for, as long as all were mistakes."""
    n = data.draw(st.integers(2, 60))
    kernel = data.draw(st.sampled_from(["monotone", "conjunctions"]))
    size = data.draw(st.integers(1, n - 1))
    theta = 0 if kernel == "conjunctions" else data.draw(st.fractions(-9, 9, max_denominator=4))
    trap = KernelTrap(
        n, sets=data.draw(st.integers(1, 12)), construction="random", size=size, kernel=kernel, theta=theta,
        eta=data.draw(st.sampled_from([1, Fraction(2, 3), 3])), case="conjunction", seed=data.draw(st.integers(0, 99)),
    )  # fmt: skip
    twin = Twin(n, monotone if kernel == "monotone" else every, theta, trap.eta)
    rows = list(examples(trap))
    assert rows[: trap.opening] == [(0, False)] * trap.opening
    assert rows[trap.opening] == ((1 << n) - 1, True)
    wrong = twin.mistakes(trap)
    assert trap.certain <= trap.promises == len(wrong)
    sets = [trial for trial in wrong if trial > trap.opening]
    for i in range(trap.sets):
        before = Twin(n, twin.kernel)
        before.stored = [(x, 1 if label else -1) for x, label in rows[trap.opening : trap.opening + 1 + i]]
        before.stored += [(0, -1)] * (trap.opening if trap.theta <= 0 else 0)
        assert trap.value(i) == before.value(rows[trap.opening + 1 + i][0])
        if sets[:i] == list(range(trap.opening + 1, trap.opening + 1 + i)):
            assert (trap.value(i) >= twin.ratio) == (trap.opening + 1 + i in sets)


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_what_is_certain_is_certain(data):
    n = data.draw(st.integers(4, 90))
    construction = data.draw(st.sampled_from(["reed-solomon", "greedy", "disjoint"]))
    theta = data.draw(st.one_of(st.integers(-6, 40), st.fractions(-6, 40, max_denominator=3)))
    trap = KernelTrap(n, construction=construction, size=data.draw(st.integers(1, largest_size(n))), theta=theta)
    wrong = len(Twin(n, theta=theta).mistakes(trap))
    assert trap.certain <= trap.promises == wrong
    assert theta > 0 or wrong == trap.trials


@pytest.mark.parametrize(("size", "mistakes"), [(1, 4), (2, 6), (3, 10), (4, 18), (5, 34), (6, 42)])
def test_forty_disjoint_sets(size, mistakes):
    trap = KernelTrap(40 * size, size=size, sets=40, construction="disjoint")
    assert trap.certain == trap.promises == len(Twin(40 * size).mistakes(trap)) == mistakes


@pytest.mark.parametrize("theta", [10, 11, 1001, 1, Fraction(1, 3), Fraction(7, 2)])
def test_a_disjunction_for_large_thresholds(theta):
    trap = KernelTrap(60, theta=theta, case="disjunction")
    assert trap.trials == trap.promises == trap.certain == ceil(Fraction(theta) / 2)
    assert list(examples(trap)) == [(1, True)] * trap.trials
    assert Twin(60, theta=theta).mistakes(trap) == list(range(trap.trials))
    assert disjunction_of(trap) == list(range(60)) and trap.target == [(i,) for i in range(60)]


def test_the_case_is_the_one_with_certain_mistakes():
    room = 2**16 - 2999 * 2**4
    assert [KernelTrap(320, theta=theta).case for theta in (-1, 0, 1, room, room + 1)] == [
        "conjunction", "conjunction", "conjunction", "conjunction", "disjunction",
    ]  # fmt: skip
    assert KernelTrap(320, theta=2 * room, eta=2).promises == 3001
    assert disjunction_of(KernelTrap(20)) is None
    assert KernelTrap(20).target == [tuple(range(20))]


SAMPLES = [(10, 0.484), (30, 0.498), (100, 0.492)]


@pytest.mark.parametrize(("trials", "expected"), SAMPLES)
def test_few_examples_teach_nothing(trials, expected):
    """Theorem 8: certain if 0^n comes first and 1^n next, and hardly less likely otherwise."""
    errors, certain = [], 0
    for seed in range(60):
        stream = KernelTrapSample(320, trials=trials, seed=seed)
        learner = KernelPerceptron("monotone")
        ls.play(learner, stream)
        errors.append(stream.error(learner))
        if [x for x, _ in examples(stream)][:2] == [0, (1 << 320) - 1]:
            certain += 1
            assert errors[-1] >= (1 - Fraction(trials, 3000)) / 2
    assert certain > 0
    assert float(np.mean(errors)) == pytest.approx(expected, abs=0.02)


def test_the_error_is_that_of_many_examples():
    stream = KernelTrapSample(80, trials=50, seed=4)
    learner = KernelPerceptron("monotone")
    ls.play(learner, stream)
    X, y = rows(KernelTrapSample(80, trials=20_000, seed=5))
    error = float(stream.error(learner))
    assert np.mean(learner.predict(X) != y) == pytest.approx(error, abs=5 * np.sqrt(0.25 / 20_000))
    assert stream.error(lambda X: 1 - X.all(axis=1)) == 1
    assert stream.error(ls.Perceptron().begin(80, labels=("no", "yes"))) == Fraction(3, 4)
    frequencies = np.bincount(X.sum(axis=1), minlength=81)[[0, 4, 80]] / len(X)
    assert frequencies == pytest.approx([0.25, 0.5, 0.25], abs=5 * np.sqrt(0.25 / 20_000))


@pytest.mark.parametrize("trials", [trials for trials, _ in SAMPLES])
def test_the_maximum_margin_escapes(trials):
    """Its threshold lies between 1^n and the rest: with two negative examples beside 1^n it errs nowhere."""
    svm = pytest.importorskip("sklearn.svm")
    kernel, played = Conjunctions(monotone=True), 0
    for seed in range(10):
        stream = KernelTrapSample(320, trials=trials, seed=seed)
        X, y = rows(stream)
        if y.any() and len(np.unique(X[~y], axis=0)) > 1:
            played += 1
            machine = svm.SVC(kernel="precomputed", C=1e10).fit(kernel.gram(X, normalized=True), y)
            assert stream.error(lambda Z: machine.predict(kernel.gram(Z, X, normalized=True))) == 0  # noqa: B023
    assert played > 5


STREAMS = [
    KernelTrap(80), KernelTrap(80, theta=-7.5), KernelTrap(80, theta=99), KernelTrap(2), KernelTrap(40, sets=0),
    KernelTrap(64, kernel="conjunctions", sets=50, seed=3), KernelTrap(80, construction="disjoint"),
    KernelTrap(80, construction="greedy", sets=31, eta=2, seed=9),
    KernelTrap(200, kernel="conjunctions", construction="greedy", sets=20, size=160),
    KernelTrapSample(80, trials=700), KernelTrapSample(80, trials=700, construction="greedy", sets_seed=4, seed=2),
    KernelTrapSample(80, trials=700, kernel="conjunctions", sets=9, noise=0.1),
]  # fmt: skip


@pytest.mark.parametrize("stream", STREAMS, ids=repr)
def test_streams_can_be_made_and_read_again(stream):
    X, y = rows(stream)
    assert X.shape == (stream.trials, stream.n_attributes)
    for again in (rows(stream, 7), rows(eval(repr(stream), vars(ls.teachers)))):
        assert np.array_equal(again[0], X) and np.array_equal(again[1], y)
    if not getattr(stream, "noise", 0):
        assert np.array_equal(y, np.any([X[:, list(term)].all(axis=1) for term in stream.target], axis=0))


@pytest.mark.parametrize(("given", "words"), [
    ({"n": 1}, "n must be"), ({"n": 3.0}, "n must be"), ({"sets": -1}, "sets must be"), ({"size": 320}, "size must be"),
    ({"size": 0}, "size must be"), ({"overlap": 16}, "overlap must be"), ({"seed": -1}, "seed must be"),
    ({"kernel": "linear"}, "'monotone' or 'conjunctions'"), ({"kernel": "conjunctions", "theta": 1}, "theta must be 0"),
    ({"kernel": "conjunctions", "construction": "disjoint"}, "one of greedy, random"),
    ({"construction": "magic"}, "reed-solomon, greedy"), ({"construction": "random", "overlap": 1}, "left out"),
    ({"theta": float("nan")}, "theta must be"), ({"theta": "1"}, "theta must be"), ({"eta": 0}, "eta must be"),
    ({"case": "either"}, "case must be"), ({"case": "disjunction"}, "theta must be > 0"),
    ({"n": 80, "sets": 362}, "361 reed-solomon sets"), ({"n": 400, "size": 20}, "sizes to 19"),
])  # fmt: skip
def test_bad_values(given, words):
    with pytest.raises(InvalidParameter, match=words):
        KernelTrap(**given)


def test_too_many_rows():
    with pytest.raises(TooLarge, match="1,000,000,000,001 mistakes"):
        KernelTrap(theta=-(10**12))
    with pytest.raises(InvalidParameter, match="at least 1"):
        KernelTrapSample(80, sets=0)
    with pytest.raises(InvalidData, match="one a row"):
        KernelTrapSample(80).error(lambda X: X)
    with pytest.raises(InvalidParameter, match="<= 7"):
        KernelTrap(80).value(8)
