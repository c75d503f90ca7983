"""The teacher of numbers: its rows and outcomes are what it says, whatever the blocks, and it is small and fast."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import littlestone as ls
from littlestone.core.block import Block
from littlestone.core.errors import InvalidParameter, TooLarge
from littlestone.teachers import NUMBERED, LabelNoise, Linear


def rows(stream, size=8192):
    """All rows of a stream as a dense array, and their outcomes."""
    X, y = [np.zeros((0, stream.n_attributes))], [np.zeros(0)]
    for block in stream.blocks(size):
        assert 0 < len(block) <= size and block.is_numbered and block.n_attributes == stream.n_attributes
        assert block.start == sum(map(len, y))
        clean = Block.from_csr(block.indptr, block.indices, block.values, n_attributes=block.n_attributes)
        assert np.array_equal(clean.indices, block.indices)  # in the one form
        dense = np.zeros((len(block), stream.n_attributes))
        for r in range(len(block)):
            at, values = block.row(r)
            dense[r, at] = 1.0 if values is None else values
        X.append(dense)
        y.append(block.outcomes)
    return np.vstack(X), np.concatenate(y)


STREAMS = [
    Linear(30, 3, trials=1203, seed=4),
    Linear(30, weights="mixture", rows="gaussian", trials=1203, noise=0.5),
    Linear(30, 4, weights="ones", rows="sparse", active=3, trials=1203, shift_every=77, noise=0.25, seed=1),
    Linear(30, rows="sparse", active=20, trials=1203, shift_every=500),
    Linear(1, trials=700),
    Linear.sparse(40, trials=700, shift_every=1),
    Linear.dense(200, trials=700),
]


@pytest.mark.parametrize("stream", STREAMS, ids=repr)
def test_rows_depend_neither_on_the_size_of_the_blocks_nor_on_a_replay(stream):
    X, y = rows(stream)
    assert X.shape == (stream.trials, stream.n_attributes)
    for size in (1, 77, 501):
        again = rows(stream, size)
        assert np.array_equal(again[0], X) and np.array_equal(again[1], y)
    assert ls.play(ls.GradientDescent(), stream).loss == ls.play(ls.GradientDescent(), stream).loss
    same = eval(repr(stream), vars(ls.teachers))
    assert repr(same) == repr(stream)
    assert all(np.array_equal(a, b) for a, b in zip(rows(same), (X, y), strict=True))


@pytest.mark.parametrize("stream", STREAMS, ids=repr)
def test_outcomes_are_those_of_the_target_and_rows_are_as_large_as_it_says(stream):
    X, y = rows(stream)
    clean = np.array([x @ stream.target_at(t) for t, x in enumerate(X)])
    assert np.array_equal(stream.target, stream.target_at(0))
    noise = y - clean
    assert np.abs(noise).max() <= 1e-9 if stream.noise == 0 else 0.9 < noise.std() / stream.noise < 1.1
    weighed = np.count_nonzero(stream.target)
    assert weighed == (stream.n_attributes if stream.k is None else stream.k)
    if stream.weights == "mixture":
        assert stream.target.min() >= 0.0 and stream.target.sum() == pytest.approx(1.0)
    for bias in (False, True):
        sizes = stream.sizes(bias=bias)
        whole = np.hstack((X, np.ones((len(X), int(bias)))))
        if stream.rows == "gaussian":
            assert sizes is None
            continue
        found = np.sqrt((whole**2).sum(axis=1)).max(), np.ptp(whole, axis=1).max(), np.abs(whole).max()
        assert found[0] == pytest.approx(sizes.length) and found[1] <= sizes.spread and found[2] == sizes.largest
    if stream.rows == "sparse":
        assert set(np.unique(X)) == {0.0, 1.0} and (X.sum(axis=1) == stream.active).all()


@pytest.mark.parametrize("make", [Linear, *NUMBERED.values()])
def test_the_first_rows_depend_on_the_seed_alone(make):
    (X, y), short = rows(make(n=20, trials=1100)), rows(make(n=20, trials=613))
    assert np.array_equal(X[:613], short[0]) and np.array_equal(y[:613], short[1])
    assert not np.array_equal(rows(make(n=20, trials=613, seed=1))[0], short[0])
    noisy = rows(make(n=20, trials=613, noise=2.0))
    assert np.array_equal(noisy[0], short[0]) and not np.array_equal(noisy[1], short[1])


def test_a_hundred_thousand_attributes_are_small_and_fast_where_rows_are_sparse():
    stream = Linear.dense(100_000, trials=50_000)
    tracemalloc.start()
    assert sum(len(block) for block in stream.blocks()) == 50_000
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20_000_000
    wide = Linear.sparse(100_000, trials=50)
    tracemalloc.start()
    assert sum(len(block) for block in wide.blocks()) == 50
    assert tracemalloc.get_traced_memory()[1] < 400_000_000
    tracemalloc.stop()


@settings(max_examples=50)
@given(
    st.integers(1, 12), st.data(), st.sampled_from(["dense", "gaussian", "sparse"]), st.integers(0, 40),
    st.integers(1, 50), st.none() | st.integers(1, 9),
)  # fmt: skip
def test_any_parameters(n, data, kind, trials, size, every):
    active = data.draw(st.none() | st.integers(1, n)) if kind == "sparse" else None
    k = data.draw(st.none() | st.integers(1, n))
    stream = Linear(n, k, rows=kind, active=active, trials=trials, shift_every=every)
    X, y = rows(stream, size)
    assert len(X) == len(y) == trials
    assert all(np.isclose(y[t], X[t] @ stream.target_at(t)) for t in range(trials))


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"n": 0}, "n must be a whole number >= 1, got 0"),
        ({"k": 11}, "k must be a whole number >= 1 and <= 10, got 11"),
        ({"rows": "fat"}, "rows must be one of dense, gaussian, sparse, got 'fat'"),
        ({"weights": 3}, "weights must be one of signs, mixture, ones, got 3"),
        ({"active": 3}, "active must be left out with rows='dense', got 3"),
        ({"active": 11, "rows": "sparse"}, "active must be a whole number >= 1 and <= 10, got 11"),
        ({"noise": -1}, "noise must be a number >= 0, got -1"),
        ({"noise": float("nan")}, "noise must be"),
        ({"shift_every": 0}, "shift_every must be a whole number >= 1, got 0"),
        ({"trials": -1}, "trials must be a whole number >= 0, got -1"),
    ],
)
def test_wrong_parameters_are_refused(given, told):
    with pytest.raises(InvalidParameter, match=f"Linear: {told}"):
        Linear(**{"n": 10, **given})


def test_what_it_is_not_for():
    with pytest.raises(TooLarge):
        Linear(1 << 30)
    with pytest.raises(InvalidParameter, match="stream of two labels"):
        LabelNoise(Linear(10), 0.1)
    with pytest.raises(ls.errors.LittlestoneError):
        ls.play(ls.Winnow(), Linear(10))


def test_each_kind_of_learner_wins_its_stream():
    losses = {}
    for name, stream in (("sparse", Linear.sparse()), ("dense", Linear.dense())):
        total = float(np.abs(stream.target).sum())
        runs = ls.play_all([ls.GradientDescent(bias=False), ls.EGPlusMinus(U=total, bias=False)], stream)
        losses[name] = [run.loss for run in runs]
        assert min(run.regret(stream.target) for run in runs) == min(losses[name])
    assert 10 * losses["sparse"][1] < losses["sparse"][0] and 5 * losses["dense"][0] < losses["dense"][1]
