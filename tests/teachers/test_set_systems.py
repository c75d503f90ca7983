"""Sets of attributes of which no two share much."""

from math import exp, floor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from littlestone.core.errors import InvalidParameter, TooLarge
from littlestone.teachers import KernelTrap, lemma5, sparse_sets
from littlestone.teachers.set_systems import greedy, largest_size, most_sets


def overlaps(n, sets):
    X = np.zeros((len(sets), n))
    np.put_along_axis(X, sets, 1.0, axis=1)
    return (X @ X.T).astype(int)


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_sets_have_their_size_and_share_no_more_than_they_may(data):
    n = data.draw(st.integers(2, 120))
    construction = data.draw(st.sampled_from(["reed-solomon", "greedy", "disjoint"]))
    size = data.draw(st.integers(1, largest_size(n) if construction == "reed-solomon" else n))
    overlap = data.draw(st.integers(0, size - 1))
    count = most_sets(n, size, overlap, construction) or 20
    most = 200 if construction != "greedy" else len(greedy(n, size, overlap, 20, np.random.default_rng(0))[0])
    sets = sparse_sets(n, size, overlap, min(count, most), construction=construction)
    assert sets.shape == (min(count, most), size)
    assert sets.min() >= 0 and sets.max() < n
    assert (np.diff(sets, axis=1) > 0).all()
    shared = overlaps(n, sets)
    np.fill_diagonal(shared, 0)
    assert shared.max(initial=0) <= overlap


def polynomial_set(j, q, size, degree):
    """The j-th set as the construction is written down."""
    coefficients = [(j // q**i) % q for i in range(degree + 1)]
    return [a * q + sum(c * pow(a, i, q) for i, c in enumerate(coefficients)) % q for a in range(size)]


@pytest.mark.parametrize(
    ("n", "size", "overlap", "q"), [(320, 16, 4, 19), (240, 12, 3, 19), (49, 7, 2, 7), (30, 2, 1, 13)]
)
def test_reed_solomon_sets_are_graphs_of_polynomials(n, size, overlap, q):
    assert most_sets(n, size, overlap) == q ** (overlap + 1)
    count = min(2000, q ** (overlap + 1))
    expected = [polynomial_set(j, q, size, overlap) for j in range(count)]
    assert sparse_sets(n, size, overlap, count).tolist() == expected


def test_greedy_sets_are_drawn_one_after_another():
    sets, tries = greedy(80, 4, 1, 90, np.random.default_rng(7))
    assert len(sets) == 90 < tries
    assert np.array_equal(sparse_sets(80, 4, 1, 90, construction="greedy", seed=7), sets)
    rng = np.random.default_rng(7)
    drawn = [sorted(rng.choice(80, 4, replace=False).tolist()) for _ in range(tries)]
    assert sparse_sets(80, 4, None, tries, construction="random", seed=7).tolist() == drawn
    shared, kept = overlaps(80, np.array(drawn)), []
    for i in range(tries):
        if shared[i, kept].max(initial=0) <= 1:
            kept.append(i)
    assert sets.tolist() == [drawn[i] for i in kept]


def test_what_lemma_5_promises():
    assert [lemma5(n).sets for n in (20, 6654, 6655, 9600 * 10)] == [1, 1, 2, floor(exp(10))]
    for n in (240, 320, 380):
        size, overlap, sets = lemma5(n)
        trap = KernelTrap(n)
        assert (size, overlap) == (trap.size, trap.overlap) and sets < trap.sets


@pytest.mark.parametrize(("given", "words"), [
    ({"n": 400, "size": 20, "overlap": 5, "sets": 9}, "sizes to 19 are possible"),
    ({"n": 80, "size": 4, "overlap": 1, "sets": 362}, "361 reed-solomon sets of 4 of 80"),
    ({"n": 80, "size": 4, "overlap": 0, "sets": 21, "construction": "disjoint"}, "20 disjoint sets"),
    ({"n": 20, "size": 10, "overlap": 1, "sets": 50, "construction": "greedy"}, "greedy search found"),
    ({"n": 20, "size": 10, "overlap": 1, "sets": 5, "construction": "random"}, "left out"),
    ({"n": 20, "size": 10, "overlap": 10, "sets": 5}, "overlap"),
    ({"n": 20, "size": 21, "overlap": 1, "sets": 5}, "size"),
    ({"n": 20, "size": 2, "overlap": 1, "sets": -1}, "sets"),
    ({"n": 20, "size": 2, "overlap": 1, "sets": 5, "construction": "magic"}, "reed-solomon, greedy"),
    ({"n": 20, "size": 2, "overlap": 1, "sets": 5, "seed": 0.5}, "seed"),
])  # fmt: skip
def test_sets_that_cannot_be(given, words):
    with pytest.raises(InvalidParameter, match=words):
        sparse_sets(**given)


def test_sets_that_would_not_fit():
    with pytest.raises(TooLarge, match="fit in memory"):
        sparse_sets(320, 16, 15, 10**9)
