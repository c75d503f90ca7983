"""Data at the edge: every form becomes the one form, or is refused with its place."""

import tracemalloc

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

import littlestone as ls
from littlestone.core.block import LARGEST_INDEX, Block
from littlestone.core.errors import InvalidData

DENSE = np.array([[0, 1, 0, 1], [0, 0, 0, 0], [1, 0, 0, 1]])


def dense(block):
    X = np.zeros((len(block), block.n_attributes))
    for r in range(len(block)):
        indices, values = block.row(r)
        X[r, indices] = 1.0 if values is None else values
    return X


@pytest.mark.parametrize(
    "X",
    [
        DENSE, DENSE.astype(bool), DENSE.astype(float), DENSE.astype(np.uint8), DENSE.tolist(),
        np.asfortranarray(DENSE),
        sparse.csr_matrix(DENSE), sparse.csc_matrix(DENSE.astype(bool)), sparse.coo_array(DENSE.astype(np.float32)),
        sparse.csr_array(DENSE.astype(np.int64)), pd.DataFrame(DENSE), pd.DataFrame(DENSE.astype(object)),
    ],
)  # fmt: skip
def test_every_form_of_boolean_data(X):
    block = Block.from_arrays(X)
    assert block.values is None
    assert block.names is None
    assert block.indices.dtype == np.uint32
    assert block.indptr.dtype == np.int64
    assert (dense(block) == DENSE).all()
    assert block.width == 4


@given(st.lists(st.lists(st.sampled_from([0, 1, -2.5, 0.1]), min_size=5, max_size=5), max_size=8), st.randoms())
def test_unsorted_rows_with_stored_zeros(rows, random):
    X = np.array(rows, dtype=float).reshape(-1, 5)
    indptr, indices, values = [0], [], []
    for row in X:
        order = random.sample(range(5), random.randint(int((row != 0).sum()), 5))
        order = [*dict.fromkeys([*order, *np.flatnonzero(row).tolist()])]
        random.shuffle(order)
        indices += order
        values += row[order].tolist()
        indptr.append(len(indices))
    block = Block.from_csr(indptr, np.array(indices, dtype=np.int64), np.array(values, dtype=float), n_attributes=5)
    assert (dense(block) == X).all()
    for r in range(len(block)):
        assert (np.diff(block.row(r)[0].astype(int)) > 0).all()


def test_slices_share_the_data():
    block = ls.from_arrays(DENSE, [0, 1, 0]).block
    part = block[1:]
    assert np.shares_memory(part.indices, block.indices)
    assert [len(b) for b in block.split(2)] == [2, 1]
    assert (dense(part) == DENSE[1:]).all()
    assert part.outcomes.tolist() == [1, 0]
    with pytest.raises(InvalidData, match="consecutive"):
        block[::2]


def test_int32_indices_are_not_copied():
    X = sparse.csr_matrix(DENSE.astype(float))
    assert np.shares_memory(Block.from_arrays(X).indices, X.indices)


@pytest.mark.parametrize(
    ("X", "words"),
    [
        ([[0, np.nan]], "row 0, attribute 1: expected a finite value, got nan"),
        (sparse.csr_matrix([[0, 0], [np.inf, 0]]), "row 1, attribute 0: expected a finite value, got inf"),
        ([1, 0, 1], "2-D array of rows, got 1 dimension.*learn_one"),
        (np.zeros((2, 2, 2)), "got 3 dimension"),
        ("row", "got str"),
        ({"a": 1}, "got dict.*learn_one"),
        ([["a", "b"]], "expected numbers"),
        ([[0, "b"], [None, 1]], "expected numbers"),
        ([[1, 2], [3]], "expected rows of equal length"),
        (np.array([[1 + 2j]]), "expected numbers, got an array of complex"),
    ],
)
def test_what_is_no_data(X, words):
    learner = ls.Perceptron()
    with pytest.raises(InvalidData, match=words):
        learner.learn(X, [0])
    assert learner.trials == 0


@pytest.mark.parametrize(
    ("arrays", "words"),
    [
        (([0, 2], [3, 3]), "row 0: expected each attribute at most once, got attribute 3 twice"),
        (([0, 1, 4], [3, 1, 2, 1]), "row 1: .*got attribute 1 twice"),
        (([0, 1], [-1]), "row 0: expected an index from 0 to .*, got -1"),
        (([0, 1], np.array([-2], dtype=np.int32)), "got -2"),
        (([0, 1], [LARGEST_INDEX + 1]), f"got {LARGEST_INDEX + 1}"),
        (([0, 1], np.array([LARGEST_INDEX + 1], dtype=np.uint32)), f"got {LARGEST_INDEX + 1}"),
        (([0, 1], [2**40]), f"from 0 to {LARGEST_INDEX}, got {2**40}"),
        (([0, 2], [1]), "indptr"),
        (([1, 2], [1, 1]), "indptr"),
        (([0, 1], [0.5]), "whole numbers"),
        (([0, 1], [0], [1.0, 2.0]), "values: expected one an index"),
        (([0, 1], [0], ["x"]), "values: expected numbers"),
    ],
)
def test_bad_csr_arrays(arrays, words):
    with pytest.raises(InvalidData, match=words):
        Block.from_csr(*arrays)


def test_the_largest_index_is_data_but_too_many_weights():
    block = Block.from_csr([0, 1], [LARGEST_INDEX])
    assert block.width == LARGEST_INDEX + 1
    learner = ls.Perceptron().begin(labels=(0, 1))
    assert learner.predict(block).tolist() == [1]
    before = learner.state()
    with pytest.raises(InvalidData, match="renumber the attributes, or give them names"):
        learner.learn(block, [0])
    assert learner.trials == 0
    assert before.keys() == learner.state().keys()
    wide = sparse.csr_matrix(([1.0], ([0], [5])), shape=(1, 2**32 - 2))
    assert learner.learn(wide, [0]).tolist() == [1]


def test_indices_beyond_the_declared_columns():
    with pytest.raises(InvalidData, match="row 0: expected an index from 0 to 2, got 3"):
        Block.from_csr([0, 1], [3], n_attributes=3)


def test_learning_takes_no_memory_beyond_the_weights_and_a_little():
    rows, active, n = 20_000, 50, 10_000
    rng = np.random.default_rng(0)
    columns = (n // active) * np.arange(active) + rng.integers(0, n // active, (rows, active))
    indptr = np.arange(rows + 1, dtype=np.int32) * active
    X = sparse.csr_matrix((np.ones(rows * active), columns.astype(np.int32).ravel(), indptr), shape=(rows, n))
    y = columns[:, 0] < 60
    data = X.data.nbytes + X.indices.nbytes
    for learner, weights in ((ls.Perceptron(), 8 * n), (ls.Winnow(), 2 * n)):
        learner.learn(X[:10], y[:10])
        tracemalloc.start()
        learner.learn(X, y)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < weights + 80 * rows < data / 5


def test_frames_keep_their_names_whatever_the_order():
    frame = pd.DataFrame({"rain": [1, 0, 1, 0], "sun": [0, 1, 1, 0]})
    y = [1, 0, 1, 0]
    learner = ls.Perceptron()
    learner.learn(frame, y)
    assert list(learner.weights()) == ["rain", "sun"]
    assert learner.predict(frame[["sun", "rain"]]).tolist() == learner.predict(frame).tolist()
    learner.learn(frame.assign(snow=[1, 1, 0, 0])[["snow", "sun", "rain"]], y)
    assert list(learner.weights()) == ["rain", "sun", "snow"]
    assert learner.predict_one({"rain": 1}) in (0, 1)
    with pytest.raises(InvalidData, match="knows attributes by name, got positions"):
        learner.learn(np.zeros((1, 3)), [1])
    by_position = ls.Perceptron()
    by_position.learn(np.ones((1, 2)), [1])
    with pytest.raises(InvalidData, match="by position, got names"):
        by_position.learn(frame, y)
    assert ls.from_arrays(frame, y).names == ("rain", "sun")


def test_a_block_made_by_hand_is_checked():
    for arrays in (([0, 2], [400_000_000, 0]), ([0, 2000], [1, 2]), ([0, 1], [3])):
        indptr, indices = np.array(arrays[0]), np.array(arrays[1], dtype=np.uint32)
        if arrays[0][-1] == len(arrays[1]):
            assert Block(indptr, indices).width == max(arrays[1]) + 1
        else:
            with pytest.raises(InvalidData, match="indptr"):
                Block(indptr, indices)
    with pytest.raises(InvalidData, match="values"):
        Block(np.array([0, 2]), np.array([0, 1], dtype=np.uint32), np.array([1.0]))
