"""The kernel Perceptron: exact for any n, equal to the Perceptron over features written down."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from littlestone.kernels import Conjunctions
from littlestone.learners import KernelPerceptron
from tests import strategies
from tests.naive import kernel_perceptron as naive

FOUR = [Conjunctions(), Conjunctions(monotone=True), Conjunctions(monotone=True, max_size=2), Conjunctions(max_size=2)]
kernels = st.builds(
    Conjunctions, monotone=st.booleans(), max_size=st.sampled_from([None, 0, 1, 2, 4]), include_empty=st.booleans()
)


def fields(kernel):
    return {name: getattr(kernel, name) for name in ("monotone", "max_size", "include_empty")}


@given(strategies.streams(max_n=5), kernels, st.sampled_from([0, 1, -2, Fraction(5, 2), 8]),
       st.sampled_from([1, Fraction(1, 3), 2]), st.data())  # fmt: skip
def test_it_is_the_perceptron_over_features_written_down(stream, kernel, theta, eta, data):
    weight = data.draw(st.none() | st.lists(st.integers(0, 3), min_size=len(stream.y), max_size=len(stream.y)))
    twin = naive.KernelPerceptron(stream.n, theta=theta, eta=eta, **fields(kernel))
    learner = KernelPerceptron(kernel, theta=theta, eta=eta).begin(stream.n, labels=(0, 1))
    said, at = [], 0
    for X, y in stream.blocks():
        part = None if weight is None else weight[at : at + len(y)]
        said += learner.learn(X, y, weight=part).tolist()
        at += len(y)
    assert said == twin.learn(stream.X.tolist(), stream.y.tolist(), weight)
    expected = [twin.value(row) for row in stream.X.tolist()]
    assert learner.value(stream.X) == expected
    assert np.sign(learner.activation(stream.X)).tolist() == [(v > theta) - (v < theta) for v in expected]


@pytest.mark.parametrize(("kernel", "mistakes"), [*zip(FOUR, (46, 52, 64, 56), strict=True)])
def test_golden_counts(kernel, mistakes):
    X = np.random.default_rng(0).random((300, 12)) < 0.5
    learner = KernelPerceptron(kernel)
    learner.learn(X, X[:, 0] & X[:, 1] | X[:, 2] & X[:, 3])
    assert learner.mistakes == learner.stored == learner.updates == mistakes
