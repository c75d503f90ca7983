"""Theorems 6 and 8 of Khardon, Roth and Servedio, and Remark 7: the kernel Perceptron, trapped."""

from fractions import Fraction
from math import ceil

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import littlestone as ls
from littlestone.bounds import kernel_perceptron_lower
from littlestone.errors import InvalidData, InvalidParameter, TooLarge
from littlestone.teachers import KernelTrap, KernelTrapSample, disjunction_of
from littlestone.teachers.set_systems import largest_size
from tests.test_teachers import rows


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


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_the_value_before_each_set(data):
    """2^size - 1 - sum of 2^overlap, with as many 0^n as a threshold asks for, as long as all were mistakes."""
    n = data.draw(st.integers(2, 60))
    kernel = data.draw(st.sampled_from(["monotone", "all"]))
    size = data.draw(st.integers(1, n - 1))
    theta = 0 if kernel == "all" else data.draw(st.fractions(-9, 9, max_denominator=4))
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


STREAMS = [
    KernelTrap(80), KernelTrap(80, theta=-7.5), KernelTrap(80, theta=99), KernelTrap(64, kernel="all", sets=50, seed=3),
    KernelTrap(80, construction="greedy", sets=31, eta=2, seed=9), KernelTrap(80, construction="disjoint"),
    KernelTrap(200, kernel="all", construction="greedy", sets=20, size=160), KernelTrap(2), KernelTrap(40, sets=0),
    KernelTrapSample(80, trials=700), KernelTrapSample(80, trials=700, construction="greedy", sets_seed=4, seed=2),
    KernelTrapSample(80, trials=700, kernel="all", sets=9, noise=0.1),
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
    ({"size": 0}, "size must be"), ({"overlap": 16}, "overlap must be"), ({"kernel": "some"}, "'monotone' or 'all'"),
    ({"kernel": "all", "theta": 1}, "theta must be 0"), ({"kernel": "all", "construction": "disjoint"}, "greedy, r"),
    ({"construction": "magic"}, "reed-solomon, greedy"), ({"construction": "random", "overlap": 1}, "left out"),
    ({"theta": float("nan")}, "theta must be"), ({"theta": "1"}, "theta must be"), ({"eta": 0}, "eta must be"),
    ({"case": "either"}, "case must"), ({"case": "disjunction"}, "theta must be > 0"), ({"seed": -1}, "seed must be"),
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
