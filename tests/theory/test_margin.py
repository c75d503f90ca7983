"""The largest margins of a stream: brute force in the plane, the theorems as properties, support vector machines."""

from importlib import import_module
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.svm import SVC

import littlestone as ls
from littlestone.streams import ArrayStream
from littlestone.theory.hindsight import margin
from tests.strategies import ANY, BOOLEAN, NON_NEGATIVE, streams


def signed(X, y, bias):
    """The rows times their labels in {-1, +1}."""
    rows = np.hstack((X, np.ones((len(X), 1)))) if bias else np.asarray(X, dtype=float)
    return rows * np.where(np.asarray(y) == 1, 1.0, -1.0)[:, np.newaxis]


def brute_force(Z, norm, non_negative=False):
    """The largest margin in the plane: it is at a corner, at a row, or where two rows are equally far."""
    candidates = [*np.eye(2), *-np.eye(2), *Z]
    candidates += [turn * np.array([-d[1], d[0]]) for a, b in combinations(Z, 2) for d in (a - b,) for turn in (1, -1)]
    sizes = [np.linalg.norm(u, norm) for u in candidates]
    return max((Z @ (u / size)).min() for u, size in zip(candidates, sizes, strict=True)
               if size > 0 and (not non_negative or u.min() >= 0))  # fmt: skip


SIGNS = st.sampled_from(["any", "non-negative"])


@given(streams(values=ANY, min_n=1, max_n=1) | streams(values=ANY, min_n=2, max_n=2), SIGNS)
def test_it_is_brute_force_in_the_plane(drawn, sign):
    bias = drawn.n == 1
    Z = signed(drawn.X, drawn.y, bias)
    found = margin(ls.from_arrays(drawn.X, drawn.y), bias=bias, sign=sign)
    two, one = brute_force(Z, 2), brute_force(Z, 1, sign == "non-negative")
    assert found.separable == (two > 1e-9)
    assert (found.gamma1 is None) == (one < 1e-9)
    if found.separable:
        assert found.gamma2 == pytest.approx(two, rel=1e-7)
    if found.gamma1 is not None:
        assert found.gamma1 == pytest.approx(one, rel=1e-6)
    assert found.radius2 == pytest.approx(np.linalg.norm(Z, axis=1).max())
    assert found.radius_inf == np.abs(Z).max()


@given(streams(values=ANY, max_n=5), st.booleans())
@settings(max_examples=60)
def test_the_perceptron_keeps_to_its_theorem(drawn, bias):
    found = margin(ls.from_arrays(drawn.X, drawn.y), bias=bias)
    if not found.separable:
        assert found.perceptron is None and found.u2 is None and found.gamma1 is None
        return
    Z = signed(drawn.X, drawn.y, bias)
    for u, gamma, norm in ((found.u2, found.gamma2, 2), (found.u1, found.gamma1, 1)):
        assert np.linalg.norm(u, norm) == pytest.approx(1.0)
        assert (Z @ u).min() == pytest.approx(gamma, rel=1e-9)
    learner = ls.Perceptron(bias=bias).begin(drawn.n, labels=(0, 1))
    while learner.learn(drawn.X, drawn.y).tolist() != drawn.y.tolist():
        assert learner.mistakes <= found.perceptron.value * (1 + 1e-9)
    assert learner.mistakes <= found.perceptron.value * (1 + 1e-9)


@given(streams(values=ANY, max_n=4) | streams(values=NON_NEGATIVE), st.booleans())
@settings(max_examples=60)
def test_normalized_winnow_keeps_to_its_theorem(drawn, bias):
    found = margin(ls.from_arrays(drawn.X, drawn.y), bias=bias, sign="non-negative")
    bound = found.normalized_winnow
    assert (bound is None) == (found.gamma1 is None)
    if bound is not None:
        assert found.u1.min() >= 0
        learner = ls.NormalizedWinnow(eta=bound.arguments["eta"], bias=bias).begin(drawn.n, labels=(0, 1))
        for _ in range(10):
            learner.learn(drawn.X, drawn.y)
        assert learner.mistakes <= bound.value * (1 + 1e-9) + 1e-9


@given(streams(values=BOOLEAN, disjunction=True))
def test_a_disjunction_has_the_margin_of_its_theorem(drawn):
    """u = (1 on the k attributes, -1/2) has margin 1/2, so the largest one is no smaller, for either norm."""
    found = margin(ls.from_arrays(drawn.X, drawn.y, labels=(0, 1)))
    assert found.separable
    assert found.gamma2 >= 0.5 / np.sqrt(drawn.k + 0.25) * (1 - 1e-8)
    assert found.gamma1 >= 0.5 / (drawn.k + 0.5) * (1 - 1e-6)


@pytest.mark.parametrize("seed", range(3))
def test_it_is_what_a_support_vector_machine_finds(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(200, 8))
    activation = X @ rng.normal(size=8) + 0.5
    X, y = X[np.abs(activation) > 0.2], activation[np.abs(activation) > 0.2] > 0
    assert margin(ls.from_arrays(X, y)).gamma2 == pytest.approx(support_vectors(X, y), rel=1e-3)


def support_vectors(X, y):
    """The Euclidean margin that a support vector machine finds; mirror images leave no use for its own intercept."""
    rows = np.hstack((X, np.ones((len(X), 1))))
    machine = SVC(kernel="linear", C=1e6, tol=1e-6).fit(np.vstack((rows, -rows)), np.append(y, ~y))
    return 1.0 / np.linalg.norm(machine.coef_)


TIES = """
    00000000 11001101 00110100 00010100 01101000 00100000 00101101 00010000 00010101 10001010
    11010000 01011110 10110100 00110100 01010100 01011100 01000001 00001010 00000111 00001011
"""


def test_many_ties_do_not_mislead_the_least_squares():
    """Non-negative least squares of SciPy 1.17 end on these rows, in this order, where they should not."""
    X = np.array([[int(bit) for bit in row] for row in TIES.split()])
    y = np.arange(len(X)) == 18
    assert margin(ls.from_arrays(X, y)).gamma2 == pytest.approx(support_vectors(X, y), rel=1e-3)


def test_many_rows_need_few_in_the_working_set():
    rng = np.random.default_rng(0)
    X = rng.random((5000, 30)) < 0.15
    y = X[:, :4].any(axis=1)
    found = margin(ls.from_arrays(X, y))
    assert found.gamma2 == pytest.approx(0.5 / np.sqrt(4.25), rel=1e-8)
    assert found.gamma1 == pytest.approx(0.5 / 4.5, rel=1e-8)
    flipped = y.copy()
    flipped[17] = ~flipped[17]
    assert not margin(ls.from_arrays(np.vstack((X, X[17])), np.append(y, flipped[17]))).separable


CASES = {
    "xor": ([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0], {}, False),
    "or": ([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 1], {}, True),
    "or without the constant": ([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 1], {"bias": False}, False),
    "contradiction": ([[1, 2], [1, 2]], [0, 1], {}, False),
    "one class": ([[1, 0], [-1, 0]], [1, 1], {}, True),
    "one class without the constant": ([[1, 0], [-1, 0]], [1, 1], {"bias": False}, False),
    "negative class": ([[1, 0], [-1, 0]], [0, 0], {}, True),
    "three on a line": ([[1.0], [2.0], [3.0]], [0, 1, 0], {}, False),
    "only with a negative weight": ([[1.0], [2.0]], [1, 0], {"sign": "non-negative"}, True),
    "rows of very different sizes": ([[1e-3, 0], [0, 1e3]], [1, 1], {"bias": False}, True),
    "large values": ([[1e90, 0], [0, 1e90]], [1, 0], {"bias": False}, True),
}


@pytest.mark.parametrize(("X", "y", "options", "separable"), CASES.values(), ids=CASES)
def test_separable_or_not(X, y, options, separable):
    found = margin(ls.from_arrays(X, y, labels=(0, 1)), **options)
    assert found.separable == separable
    assert (found.gamma2 is None) == (not separable)
    assert (found.gamma1 is None) == (not separable or "sign" in options)
    twice = margin(ls.from_arrays([*X, *X], [*y, *y], labels=(0, 1)), **options)
    assert (twice.gamma2, twice.gamma1, twice.trials) == (found.gamma2, found.gamma1, 2 * len(X))


def test_a_stream_without_rows_is_separable():
    found = margin(ls.from_arrays(np.zeros((0, 3)), np.zeros(0, dtype=int)))
    assert found.separable and found.trials == 0 and found.n == 3
    assert found.gamma2 is found.gamma1 is found.perceptron is found.normalized_winnow is None


def test_attributes_that_never_occur_get_no_weight():
    X = np.zeros((2, 1000))
    X[0, 7], X[1, 900] = 1, 1
    found = margin(ls.from_arrays(X, [1, 0]))
    assert len(found.u2) == len(found.u1) == 1001
    assert np.flatnonzero(np.abs(found.u2) > 1e-12).tolist() == [7, 900]
    assert margin(ls.from_arrays(X, [1, 0]), bias=False).u2.shape == (1000,)


@pytest.mark.parametrize("size", [1, 3])
def test_blocks_change_nothing(size):
    rng = np.random.default_rng(1)
    X = rng.integers(-2, 3, (40, 3)).astype(float)
    whole = ls.from_arrays(X, X.sum(axis=1) > 0)

    class Cut(ArrayStream):
        def blocks(self, rows=8192):  # noqa: ARG002 - it has a size of its own
            return super().blocks(size)

    one, other = margin(whole), margin(Cut(whole.block))
    assert one.gamma2 == other.gamma2 and one.gamma1 == other.gamma1 and (one.u2 == other.u2).all()


@pytest.mark.parametrize(("call", "message"), [
    (lambda: margin(ls.from_arrays(np.eye(3), [0, 1, 2])), "expected .negative, positive."),
    (lambda: margin(ls.from_arrays([[1]], [1]), sign="none"), "'any' or 'non-negative'"),
    (lambda: margin(ls.from_arrays([[1]], [1]), bias=3), "bias must be True or False"),
    (lambda: margin([[1]]), "expected a Stream"),
    (lambda: margin(ls.from_arrays([[1e-30, 0], [0, 1]], [1, 0]), bias=False), "scale the attributes"),
])  # fmt: skip
def test_bad_input_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_too_much_is_refused(monkeypatch):
    monkeypatch.setattr(import_module("littlestone.theory.hindsight.margin"), "LARGEST", 10)
    with pytest.raises(ls.TooLarge, match="at most 10 numbers"):
        margin(ls.from_arrays(np.eye(4), [1, 0, 1, 0]))


def test_what_cannot_be_certified_is_not_returned(monkeypatch):
    """A solver that weights the rows wrongly is found out."""
    monkeypatch.setattr(
        import_module("littlestone.theory.hindsight.margin"), "_least_squares", lambda G, h: np.ones(len(G))
    )
    with pytest.raises(ls.InvalidData, match="no closer"):
        margin(ls.from_arrays([[0.0], [1.0], [3.0]], [0, 1, 1]))
