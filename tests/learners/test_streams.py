"""A stream in the place of rows: learn, predict and activation read it block by block, and answer as for its rows."""

import io

import numpy as np
import pytest

import littlestone as ls
from littlestone.core.block import Block
from littlestone.core.errors import InvalidParameter
from littlestone.learners import LEARNERS

RNG = np.random.default_rng(3)
X = RNG.random((60, 6)) < 0.4
Y = X[:, 0] | X[:, 3]


class InBlocks(ls.Stream):
    """The rows above, few at a time, with labels or without."""

    n_attributes = 6

    def __init__(self, rows, *, labelled=True):
        self.rows, self.labelled = rows, labelled

    def blocks(self, rows=8192):
        del rows
        for start in range(0, len(X), self.rows):
            block = Block.from_arrays(X[start : start + self.rows])
            yield block.labelled(Y[start : start + self.rows].astype(int)) if self.labelled else block


def same(one, other):
    return one.dtype.kind == other.dtype.kind and np.array_equal(one, other)


@pytest.mark.parametrize("name", LEARNERS)
def test_every_learner_takes_a_stream_for_its_rows(name):
    whole, parts = LEARNERS[name](), LEARNERS[name]()
    said = whole.learn(X, Y.astype(int))
    assert same(parts.learn(InBlocks(7)), said)
    assert (parts.trials, parts.mistakes, parts.updates) == (whole.trials, whole.mistakes, whole.updates)
    for rows in (InBlocks(7), InBlocks(11, labelled=False), InBlocks(100)):
        assert same(parts.predict(rows), whole.predict(X))
        assert same(parts.activation(rows), whole.activation(X))


@pytest.mark.parametrize(
    "make",
    [
        lambda: ls.Experts([ls.Winnow(), ls.Perceptron()]),
        lambda: ls.Calibrated(ls.Winnow()),
        lambda: ls.Delayed(ls.Perceptron()),
        lambda: ls.Bounded(ls.Winnow(theta=2.0), max_attributes=5),
    ],
)
def test_learners_that_are_made_of_others_take_streams_too(make):
    whole, parts = make(), make()
    assert same(parts.learn(InBlocks(9)), whole.learn(X, Y.astype(int)))
    assert (parts.trials, parts.mistakes) == (60, whole.mistakes)
    assert same(parts.predict(InBlocks(9)), whole.predict(X))
    assert same(parts.activation(InBlocks(9)), whole.activation(X))


def test_a_file_with_or_without_labels_is_predicted():
    learner = ls.Perceptron()
    learner.learn(ls.open(io.BytesIO(b"word,class\nsun,yes\nrain,no\nsun,yes\nrain,no\n")))
    assert learner.predict(ls.open(io.BytesIO(b"word,class\nrain,yes\nsun,no\n"))).tolist() == ["no", "yes"]
    new = ls.open(io.BytesIO(b"word\nsun\nrain\n"), "csv", unlabelled=True)
    assert learner.predict(new).tolist() == ["yes", "no"]


def test_an_empty_stream_has_no_predictions():
    learner = ls.Winnow()
    learner.learn(InBlocks(20))
    empty = ls.from_arrays(np.zeros((0, 6)), [])
    assert learner.learn(empty).tolist() == learner.predict(empty).tolist() == learner.activation(empty).tolist() == []
    assert learner.trials == 60


def test_labels_beside_a_stream_are_refused():
    with pytest.raises(InvalidParameter, match="Winnow: expected a stream alone.*leave y and weight out"):
        ls.Winnow().learn(InBlocks(7), Y)
    with pytest.raises(InvalidParameter, match="leave y and weight out"):
        ls.Winnow().learn(InBlocks(7), weight=np.ones(60))


def test_a_data_frame_with_a_column_called_blocks_is_no_stream():
    frame = pytest.importorskip("pandas").DataFrame({"blocks": [1, 0], "other": [0, 1]})
    learner = ls.Perceptron()
    learner.learn(frame, [1, 0])
    assert len(learner.predict(frame)) == 2
