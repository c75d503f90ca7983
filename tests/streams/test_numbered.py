"""Streams of numbers: what goes in comes out, through every wrapper and writer; what is no number is refused."""

import io
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone.core.block import Block
from littlestone.core.errors import InvalidData, InvalidLabel, InvalidParameter, LittlestoneError
from littlestone.streams import ArrayStream, Hashed, Pairs, Part, convert

NUMBERS = st.floats(-1e100, 1e100, allow_nan=False)


def numbered(rows=9):
    """Some rows with numbers as outcomes."""
    X = np.random.default_rng(0).integers(0, 3, (rows, 4)) / 2
    return ls.from_arrays(X, X @ [1.0, -0.5, 0.1, 0.3], task="regression")


def outcomes(stream, size=4):
    """Return all outcomes of a stream; every block has numbers."""
    blocks = list(stream.blocks(size))
    assert stream.labels == () and all(block.is_numbered for block in blocks)
    return np.concatenate([block.outcomes for block in blocks])


@given(st.lists(NUMBERS | st.integers(-5, 5) | st.booleans(), max_size=8))
def test_numbers_stay_what_they_are(y):
    stream = ls.from_arrays(np.ones((len(y), 1)), y, task="regression")
    assert len(stream) == len(y) and stream.block.is_numbered and stream.labels == ()
    assert stream.block.outcomes.dtype == np.float64 and stream.block.outcomes.tolist() == list(map(float, y))


@pytest.mark.parametrize("y", [np.array([1, 2], dtype=np.int8), np.array([1, 2], dtype=object), (1, 2.0), [True, 2]])
def test_numbers_of_any_type(y):
    assert ls.from_arrays([[1], [0]], y, task="regression").block.outcomes.tolist() == [1.0, 2.0]


@pytest.mark.parametrize(
    ("y", "kind", "told"),
    [
        ([1.0, np.nan, 2.0], InvalidLabel, "y: row 1: expected a finite number, got nan; drop, fill or scale"),
        ([1.0, 2.0, np.inf], InvalidLabel, "y: row 2: expected a finite number, got inf"),
        ([-1e101, 2.0, 3.0], InvalidLabel, "y: row 0: expected a number of at most 1e100, got -1e.101"),
        (["1", "2", "3"], InvalidLabel, "y: row 0: expected a number, got '1'; for labels that are no numbers take"),
        ([1, None, 3], InvalidLabel, "y: row 1: expected a number, got None"),
        ([1j, 2, 3], InvalidLabel, "y: row 0: expected a number, got 1j"),
        ([10**400, 2, 3], InvalidLabel, "y: row 0: expected a number of at most 1e100"),
        ([1.0, 2.0], InvalidData, "one number for each row .3., got an array of shape .2,.; give as many numbers as X"),
        ([[1.0], [2.0], [3.0]], InvalidData, "got an array of shape .3, 1.; flatten it with y.ravel"),
        (3.0, InvalidData, "got an array of shape ..; give as many numbers as X has rows"),
        ([[1.0], [2.0, 3.0], []], InvalidData, "give a flat list"),
    ],
)
def test_what_is_no_number_is_refused_with_its_place_and_the_remedy(y, kind, told):
    with pytest.raises(kind, match=told):
        ls.from_arrays([[1], [0], [1]], y, task="regression")


def test_an_unknown_task_is_refused():
    with pytest.raises(InvalidParameter, match="task must be 'classification' or 'regression', got 'regresion'; did"):
        ls.from_arrays([[1]], [1], task="regresion")
    with pytest.raises(InvalidParameter, match="labels must be left out with task='regression', got"):
        ls.from_arrays([[1]], [1], task="regression", labels=(0, 1))
    assert ls.from_arrays([[1], [0]], [1, 0], task="classification").labels == (0, 1)


@pytest.mark.parametrize("size", [1, 4, 100])
@pytest.mark.parametrize(
    "wrapped",
    [
        lambda stream: stream,
        lambda stream: Part(stream, 0),
        lambda stream: Hashed(stream, bits=5),
        lambda stream: Pairs(stream),
        lambda stream: Hashed(Pairs(Part(stream, 0, 9)), bits=9),
        lambda stream: ArrayStream(Block.joined(list(stream.blocks(2)))),
    ],
)
def test_wrappers_keep_the_outcomes(wrapped, size):
    stream = numbered()
    found = outcomes(wrapped(stream), size)
    assert found.dtype == np.float64 and np.array_equal(found, stream.block.outcomes)


def test_a_part_has_its_rows():
    stream = numbered()
    assert outcomes(Part(stream, 3, 4)).tolist() == stream.block.outcomes[3:7].tolist()
    assert stream.block.taken(np.array([2, 0])).outcomes.tolist() == stream.block.outcomes[[2, 0]].tolist()
    assert repr(stream) == "ArrayStream(9 rows, 4 attributes, numbers as outcomes)"


@given(st.lists(st.tuples(NUMBERS, st.booleans()), min_size=1, max_size=6))
def test_what_is_written_are_the_same_numbers(rows):
    stream = ls.from_arrays([[1, int(on)] for _, on in rows], [y for y, _ in rows], task="regression")
    for kind in ("svmlight", "vw", "jsonl"):
        file = io.BytesIO()
        assert convert(stream, file, to=kind) == len(rows)
        lines = file.getvalue().decode().splitlines()
        heads = [json.loads(line)["label"] if kind == "jsonl" else line.split()[0] for line in lines]
        assert [float(head) for head in heads] == [y for y, _ in rows]
    back = ls.open(io.BytesIO(file.getvalue()), format="jsonl") if len({y for y, _ in rows}) > 1 else None
    assert back is None or sum(map(len, back.blocks())) == len(rows)


def test_a_classifier_refuses_numbers_and_a_regressor_takes_them():
    stream = numbered()
    with pytest.raises(LittlestoneError):
        ls.play(ls.Perceptron(), stream)
    run = ls.play(ls.GradientDescent(), stream)
    assert run.trials == 9 and run.loss == ls.play(ls.GradientDescent(), Part(stream, 0)).loss
