"""The kernel Perceptron in floats: real kernels, functions of one's own, the Forgetron."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone.core.errors import InvalidData, InvalidParameter
from littlestone.learners import KernelPerceptron
from littlestone.machines.stored.float_sums import shrinking
from littlestone.parts.kernels import Conjunctions, Gaussian, Linear, Polynomial
from tests import strategies
from tests.learners.test_kernel_perceptron import data, same

# The Forgetron


@pytest.mark.parametrize("kernel", [Conjunctions(), Conjunctions(monotone=True, max_size=2), Linear(), Gaussian(),
                                    Conjunctions(monotone=True, include_empty=False)])  # fmt: skip
def test_the_forgetron_shrinks_before_it_forgets(kernel):
    X, y = data(6, 12, 400)
    conjunctions = isinstance(kernel, Conjunctions)
    gram = kernel.gram(X, normalized=True) if conjunctions else kernel.gram(X)
    own = np.sqrt(np.diag(gram))
    own[own == 0.0] = 1.0
    gram = gram / np.outer(own, own)
    stored, coefficients, said, spent, mistakes = [], np.zeros(0), [], 0.0, 0
    for t, outcome in enumerate(y.tolist()):
        value = float(coefficients @ gram[stored, t])
        assert abs(value) > 1e-12 or not stored or value == 0.0
        said.append(int(value >= 0))
        if said[-1] == outcome:
            continue
        mistakes += 1
        stored, coefficients = [*stored, t], np.append(coefficients, 1 if outcome else -1)
        if len(stored) > 20:
            mu = np.sign(coefficients[0]) * (coefficients @ gram[stored, stored[0]])
            phi, spent = shrinking(abs(coefficients[0]), mu, spent, mistakes)
            stored, coefficients = stored[1:], phi * coefficients[1:]
    learner = KernelPerceptron(kernel, budget=20, forget="forgetron").begin(12)
    assert learner.learn(X, y).tolist() == said
    assert (learner.stored, learner.guarantee, learner.hypothesis()) == (20, None, None)
    np.testing.assert_allclose(learner.state()["coefficients"], coefficients, rtol=1e-9)
    with pytest.raises(InvalidParameter, match="heaviest: expected a kernel of conjunctions with whole"):
        learner.heaviest()


@given(st.floats(1e-3, 3), st.floats(-5, 5), st.floats(0, 1), st.integers(1, 100))
def test_the_forgetron_shrinks_no_more_than_it_must(sigma, mu, share, mistakes):
    allowed = 15 / 32 * mistakes
    before = share * (allowed - 15 / 32)
    phi, spent = shrinking(sigma, mu, before, mistakes)
    psi = lambda p: (p * sigma) ** 2 + 2 * p * sigma - 2 * p * sigma * p * mu  # noqa: E731
    assert 0 < phi <= 1
    assert spent <= allowed * (1 + 1e-12)
    assert spent == pytest.approx(before + psi(phi), rel=1e-9, abs=1e-9)
    assert phi == 1 or all(before + psi(p) > allowed - 1e-9 for p in np.linspace(phi, 1, 50)[1:])


# Real kernels


@given(strategies.streams(strategies.ANY), st.sampled_from([0, 0.5]), st.sampled_from([1, 2, 0.5]))
def test_the_linear_kernel_is_the_perceptron(stream, theta, eta):
    kernel = KernelPerceptron("linear", theta=theta, eta=eta).begin(labels=(0, 1))
    plain = ls.Perceptron(theta=theta, eta=eta, bias=False).begin(labels=(0, 1))
    for X, y in stream.blocks():
        assert kernel.learn(X, y).tolist() == plain.learn(X, y).tolist()
    assert kernel.weights() == plain.weights()
    assert kernel.hypothesis().w.tolist() == plain.hypothesis().w.tolist()


@given(strategies.streams(strategies.ANY), st.sampled_from([Polynomial(), Polynomial(degree=3, gamma=0.5), Linear()]))
def test_a_function_is_the_kernel_that_it_computes(stream, kernel):
    one, other = (KernelPerceptron(k).begin(stream.n, labels=(0, 1)) for k in (kernel, lambda x, y: kernel(x, y)))
    weight = np.arange(len(stream.y)) % 3 / 2
    assert (
        one.learn(stream.X, stream.y, weight=weight).tolist() == other.learn(stream.X, stream.y, weight=weight).tolist()
    )
    assert one.value(stream.X) == other.value(stream.X)


# Functions that fail


def test_a_function_that_fails_is_refused_and_nothing_changes():
    X, y = data(7, 6, 60)
    calls = []

    def fails(a, b):
        calls.append(1)
        return a @ b if len(calls) < 200 else {200: np.nan, 201: "4", 202: np.inf}.get(len(calls))

    learner = KernelPerceptron(fails, budget=20).begin(6, labels=(0, 1))
    learner.learn(X[:20], y[:20])
    assert len(calls) < 199
    before = learner.copy()
    for _ in range(4):
        with pytest.raises(InvalidData, match=r"row \d+, mistake \d+: expected a finite number, got"):
            learner.learn(X, y)
        assert same(learner, before)
    big = KernelPerceptron(Polynomial(degree=9)).begin(2)
    big.learn(np.array([[1.0, 0.0]]), [0])
    before = big.copy()
    with pytest.raises(InvalidData, match="row 1, mistake 0: expected Polynomial.* in the range of floats"):
        big.learn(np.array([[1.0, 1.0], [1e99, 0.0]]), [1, 1])
    assert same(big, before)


@pytest.mark.parametrize(("budget", "forget"), [(None, "oldest"), (4, "oldest"), (4, "random"), (4, "forgetron")])
@pytest.mark.parametrize("error", [ZeroDivisionError, KeyboardInterrupt])
def test_whatever_a_function_raises_nothing_changes(budget, forget, error):
    X, y = data(7, 6, 200)
    failing = False

    def kernel(a, b):
        if failing and (a[0], b[0]) == (1, 1):
            raise error
        return a @ b + 1.0

    X[:100, 0] = 0
    X[100:, 0] = 1
    learner = KernelPerceptron(kernel, budget=budget, forget=forget).begin(6, labels=(0, 1))
    learner.learn(X[:20], y[:20])
    before, failing = learner.copy(), True
    with pytest.raises(error):
        learner.learn(X, y)
    failing = False
    assert same(learner, before)
    assert learner.updates == before.updates
    assert learner.learn(X, y).tolist() == before.learn(X, y).tolist()


@pytest.mark.parametrize("budget", [None, 3])
def test_a_refusal_names_the_row_of_the_block_and_the_mistake_that_is_kept(budget):
    X, y = np.ones((200, 2)), np.arange(200) % 2
    X[150] = 1e50
    for kernel, says in ((Polynomial(degree=20), "Poly"), (lambda _, x: np.nan if x[0] > 1 else 1.0, "a finite")):
        learner = KernelPerceptron(kernel, budget=budget).begin(2, labels=(0, 1))
        with pytest.raises(InvalidData, match=f"row 150, mistake 0: expected {says}"):
            learner.learn(X, y)


def test_sums_beyond_the_floats_are_refused_and_large_ones_taken():
    low = KernelPerceptron(lambda _x, _y: -1e308).begin(2, labels=(0, 1))
    with pytest.raises(InvalidData, match="row 2, mistake 1: expected a sum in the range of floats"):
        low.learn(np.ones((5, 2)), [0] * 5)
    assert low.stored == 0
    large = KernelPerceptron("polynomial", eta=1e100)
    assert large.learn(np.full((3, 3), 1e75), [0, 1, 1]).tolist() == [1, 0, 1]


@pytest.mark.parametrize("given", [lambda x: x, ls.links.identity(), 3, int])
def test_what_is_no_function_of_two_rows_is_no_kernel(given):
    with pytest.raises(ls.InvalidParameter, match=r"a function k\(x, y\) or None, got"):
        ls.KernelPerceptron(given).begin(3)
    ls.KernelPerceptron(max).begin(3)  # of whose signature nothing is known
