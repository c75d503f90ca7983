"""Kernels against the definition, features counted one by one; Gram matrices of any size; refusals."""

from functools import partial
from itertools import product
from math import inf, log

import numpy as np
import pytest
from scipy import sparse

from littlestone.core.block import Block
from littlestone.core.errors import InvalidData, InvalidParameter, TooLarge
from littlestone.parts import kernels
from littlestone.parts.kernels import Conjunctions, Gaussian, Linear, Polynomial, wrapped
from tests.naive import kernel_perceptron as naive

SETTINGS = [
    (n, {"monotone": monotone, "max_size": k, "include_empty": empty})
    for n in range(1, 6)
    for monotone, k, empty in product((True, False), (None, *range(n + 1)), (True, False))
]


@pytest.mark.parametrize(("n", "which"), SETTINGS)
def test_conjunctions_are_counted_right(n, which):
    """All pairs of rows, all sizes, all four kernels, with and without the empty conjunction."""
    kernel, X = Conjunctions(**which), np.array(list(product((0, 1), repeat=n)))
    listed = naive.conjunctions(n, **which)
    features = np.array([[naive.holds(c, row) for c in listed] for row in X.tolist()], dtype=int).reshape(2**n, -1)
    expected = features @ features.T
    assert kernel.features(n) == len(listed)
    assert [[kernel(x, y) for y in X] for x in X] == expected.tolist()
    assert kernel.gram(X, exact=True).tolist() == kernel.gram(X).tolist() == expected.tolist()
    columns = kernel.expand(X)
    assert sorted(map(tuple, columns.T.tolist())) == sorted(map(tuple, features.T.tolist()))
    with np.errstate(divide="ignore", invalid="ignore"):
        assert np.array_equal(np.isneginf(kernel.gram(X, log=True)), expected == 0)
        own = np.sqrt(np.diag(expected).astype(float))
        normalized = np.nan_to_num(expected / np.outer(own, own))
    np.testing.assert_allclose(kernel.gram(X, normalized=True), normalized, rtol=1e-13)
    assert [kernel.value(s) for s in range(n + 1)] == kernel.values(n)
    np.testing.assert_allclose(np.exp(kernel.logs(n)), kernel.values(n), rtol=1e-14)
    for first in range(2 * n + 1):
        assert kernel.values(2 * n, first) == kernel.values(2 * n)[first:]
        assert kernel.logs(2 * n, first).tolist() == kernel.logs(2 * n)[first:].tolist()


@pytest.mark.parametrize("monotone", [True, False])
@pytest.mark.parametrize("max_size", [None, 3, 400])
def test_wide_rows_have_exact_kernels_of_any_size(monotone, max_size):
    n, rng = 3000, np.random.default_rng(0)
    X = rng.random((6, n)) < 0.6
    kernel = Conjunctions(monotone=monotone, max_size=max_size)
    exact = kernel.gram(X, X[:4], exact=True)
    assert all(exact[i, j] == kernel(X[i], X[j]) for i in range(6) for j in range(4))
    logs = [[log(number) for number in row] for row in exact]
    np.testing.assert_allclose(kernel.gram(X, X[:4], log=True), logs, rtol=1e-13)
    normalized = kernel.gram(X, normalized=True)
    assert np.diag(normalized).tolist() == [1.0] * 6
    assert ((normalized >= 0) & (normalized <= 1)).all()
    if max_size == 3:
        assert kernel.gram(X, X[:4]).tolist() == exact.astype(float).tolist()
    else:
        with pytest.raises(TooLarge, match="exact=True, log=True or normalized=True"):
            kernel.gram(X)


def test_rows_come_in_any_form():
    X = np.random.default_rng(1).random((7, 70)) < 0.4
    block = Block.from_arrays(np.vstack((X, X)))[5:12]
    X = np.vstack((X, X))[5:12]
    for kernel in (Conjunctions(monotone=True), Linear(), Polynomial(degree=3), Gaussian(gamma=0.1)):
        expected = kernel.gram(X, X[:3])
        for rows in (block, sparse.csr_matrix(X), X.astype(float)):
            assert np.array_equal(kernel.gram(rows, X[:3]), expected)
    assert Conjunctions(monotone=True).gram(Block.from_csr([0, 1], [3]), X[:2]).shape == (1, 2)  # any width


def test_the_usual_kernels_are_those_of_scikit_learn():
    pairwise = pytest.importorskip("sklearn.metrics.pairwise")
    rng = np.random.default_rng(2)
    X, Y = rng.normal(size=(9, 5)), rng.normal(size=(4, 5))
    for kernel, function in (
        (Linear(), pairwise.linear_kernel),
        (Polynomial(degree=3, gamma=0.5, coef0=2.0), partial(pairwise.polynomial_kernel, degree=3, gamma=0.5, coef0=2)),
        (Polynomial(coef0=0), partial(pairwise.polynomial_kernel, degree=2, gamma=1, coef0=0)),
        (Gaussian(gamma=0.3), partial(pairwise.rbf_kernel, gamma=0.3)),
    ):
        expected = function(X, Y)
        np.testing.assert_allclose(kernel.gram(X, Y), expected, rtol=1e-12)
        np.testing.assert_allclose([[kernel(x, y) for y in Y] for x in X], expected, rtol=1e-12)
        if not isinstance(kernel, Gaussian):
            assert kernel.expand(X).shape == (9, kernel.features(5))
            np.testing.assert_allclose(kernel.expand(X) @ kernel.expand(Y).T, expected, rtol=1e-12, atol=1e-12)


def test_a_maximum_margin_machine_takes_the_gram_matrix():
    svm = pytest.importorskip("sklearn.svm")
    X = np.random.default_rng(0).random((120, 300)) < 0.5
    y = X[:, 0] & X[:, 1] | X[:, 2]
    kernel = Conjunctions(max_size=2)
    machine = svm.SVC(kernel="precomputed", C=1e3).fit(kernel.gram(X, normalized=True), y)
    assert (machine.predict(kernel.gram(X, normalized=True)) == y).all()


def test_any_function_is_a_kernel():
    X = np.array([[1.0, 2.0], [0.0, 1.0], [3.0, 0.0]])
    kernel = wrapped(np.dot)
    assert np.array_equal(kernel.gram(X, X[:2]), Linear().gram(X, X[:2]))
    assert kernel.features(2) is None
    assert kernel == wrapped(np.dot)
    assert repr(kernel) == "wrapped(dot)"
    for wrong in (lambda x, y: np.nan, lambda x, y: "3", lambda x, y: None, lambda x, y: inf, lambda x, y: x):
        with pytest.raises(InvalidData, match="row 0 of X, row 0 of Y: expected a finite number, got"):
            wrapped(wrong).gram(X)


def test_kernels_are_values_with_names():
    assert Conjunctions(max_size=np.int64(2)) == Conjunctions(max_size=2) != Conjunctions()
    assert len({Gaussian(), Gaussian(gamma=1.0), Gaussian(gamma=2.0)}) == 2
    names = ("conjunctions", "monotone:3", "linear", "polynomial:4", "polynomial", "gaussian:0.25")
    assert list(map(kernels.named, names)) == [
        Conjunctions(), Conjunctions(monotone=True, max_size=3), Linear(), Polynomial(degree=4), Polynomial(),
        Gaussian(gamma=0.25),
    ]  # fmt: skip
    for kernel in map(kernels.named, names):
        assert eval(repr(kernel)) == kernel
    for wrong in ("Monotone", "linear:2", "monotone:x", "gaussian:", ""):
        with pytest.raises(InvalidParameter, match="kernel: expected"):
            kernels.named(wrong)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Conjunctions(max_size=-1), lambda: Conjunctions(max_size=1.5), lambda: Conjunctions(monotone=1),
        lambda: Conjunctions(include_empty=None), lambda: Polynomial(degree=0), lambda: Polynomial(degree=2.0),
        lambda: Polynomial(coef0=-1), lambda: Polynomial(gamma=0), lambda: Gaussian(gamma=inf),
        lambda: Gaussian(gamma="1"), lambda: Gaussian(gamma=10**400), lambda: Conjunctions().value(-1),
        lambda: Conjunctions().features(1.5), lambda: Polynomial().features(-1), lambda: Conjunctions().logs(-1),
        lambda: wrapped(3), lambda: Conjunctions().gram([[1]], exact=True, log=True),
    ],
)  # fmt: skip
def test_wrong_parameters_are_refused(make):
    with pytest.raises(InvalidParameter, match="must be|expected|choose one"):
        make()


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: Conjunctions()([0, 2], [0, 1]), "x: attribute 1: expected a Boolean value .* got 2; make Boolean"),
        (lambda: Conjunctions().gram([[0, 1]], [[0.5, 0]]), "Y: row 0, attribute 0: expected a Boolean value"),
        (lambda: Conjunctions().expand([[0, -1]]), "X: row 0, attribute 1: expected a Boolean value"),
        (lambda: Conjunctions()([0, 1], [0, 1, 1]), "rows of one width, got 2 and 3"),
        (lambda: Linear().gram([[0, 1]], [[0, 1, 1]]), "X of 2 and Y of 3 attributes; give rows of the same"),
        (lambda: Linear()([[0, 1]], [0, 1]), "expected a 1-D array, got 2 dimensions; for many rows ask gram"),
        (lambda: Linear()(["a"], [1]), "expected a 1-D array of numbers"),
        (lambda: Linear()([10**400], [1]), "expected a 1-D array of numbers"),
        (lambda: Gaussian()([np.nan], [1]), "expected finite numbers"),
        (lambda: Polynomial(degree=9).gram([[1e90]]), "in the range of floats"),
        (lambda: Polynomial(degree=9)([1e90], [1e90]), "in the range of floats"),
    ],
)
def test_wrong_rows_are_refused(call, says):
    with pytest.raises(InvalidData, match=says):
        call()


def test_what_cannot_be_written_out_is_refused():
    for kernel, n in ((Conjunctions(), 30), (Polynomial(degree=20), 40), (Gaussian(), 2), (wrapped(np.dot), 2)):
        with pytest.raises(TooLarge, match="ask gram"):
            kernel.expand(np.ones((2, n)))
    with pytest.raises(TooLarge, match="a table of its values"):
        Conjunctions(max_size=50_000).values(200_000)
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": [1, 0], "b": [1, 1]})
    with pytest.raises(InvalidData, match="the same columns, got other names"):
        Linear().gram(frame, frame[["b", "a"]])
