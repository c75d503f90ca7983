"""Pairs of attributes: as a naive expansion has them, in blocks of any size; names made later; models that go on."""

import io
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone.core.errors import InvalidData, InvalidParameter
from littlestone.core.vocabulary import LaterNames
from littlestone.streams import CsvStream, JsonlStream, VWStream
from littlestone.streams.base import open as open_stream
from littlestone.streams.wrappers import pairs
from littlestone.streams.wrappers.hashed import Hashed
from littlestone.streams.wrappers.pairs import Pairs
from tests.naive import hashing as naive
from tests.streams.test_tables import rows_of

NAMES = ["a", "b", "c&d", "d", "c", "a&b", "e\\", "\\&", "z^1", "z^2", "y=1", "y"]
VALUES = st.one_of(st.just(1.0), st.sampled_from([-1.0, 0.5, 1e-200, 3.0]))
ROWS = st.lists(st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=7), min_size=1, max_size=7)


def jsonl(rows):
    lines = [json.dumps({"label": r % 2, "features": row}) for r, row in enumerate(rows)]
    return JsonlStream(io.BytesIO("\n".join(lines).encode()))


def of(space):
    return lambda name: name == space or name.startswith((f"{space}^", f"{space}="))


@given(ROWS, st.integers(1, 8), st.sampled_from([None, ("z", "y"), ("y", "z"), ("z", "z"), ("a", "y")]))
def test_pairs_are_those_of_a_naive_expansion(rows, size, between):
    rows.append(dict.fromkeys(NAMES, 1.0))  # so that every namespace is there
    stream = Pairs(jsonl(rows), between=between)
    one, other = (lambda _: True, lambda _: True) if between is None else map(of, between)
    expected = [naive.paired(row, lambda a, b: one(a) and other(b)) for row in rows]
    for _ in range(2):  # a second pass has the same columns
        assert [row for _, row in rows_of(stream, size)] == expected
    order = list(dict.fromkeys(name for row in expected for name in row))
    again = Pairs(jsonl(rows), between=between)
    *_, last = again.blocks(size)
    assert set(last.names) == set(order)
    assert last.names == [*Pairs(jsonl(rows), between=between).blocks()][-1].names  # whatever the blocks
    assert again.n_attributes == Pairs(jsonl(rows), between=between).n_attributes == len(order)
    for block in again.blocks(size):
        sound = ls.Block.from_csr(block.indptr, block.indices, block.values, n_attributes=len(order))
        assert np.array_equal(sound.indices, block.indices)


@given(st.lists(st.sets(st.integers(0, 40), max_size=9), min_size=1, max_size=9), st.integers(1, 9))
def test_pairs_of_numbers(rows, size):
    X = np.array([[i in row for i in range(41)] for row in rows])
    stream = Pairs(ls.from_arrays(X, np.arange(len(rows)) % 2 if len(rows) > 1 else [1]))
    assert [row for _, row in rows_of(stream, size)] == [naive.paired(dict.fromkeys(sorted(row), 1)) for row in rows]


def test_long_rows_come_in_parts_and_too_long_ones_not_at_all(monkeypatch):
    X = np.zeros((3, 1100))
    X[0, :700] = X[1, :10] = X[2, 300:900] = 1
    stream = Pairs(ls.from_arrays(X, [1, 0, 1]))
    assert stream.n_attributes == 900 + len({(i, j) for a, b in ((0, 700), (300, 900))
                                            for i in range(a, b) for j in range(i + 1, b)})  # fmt: skip
    monkeypatch.setattr(pairs, "AT_ONCE", 10)
    assert [len(block) for block in stream.blocks()] == [1, 1, 1]
    X[1] = 1
    with pytest.raises(
        InvalidData, match=r"row 1: expected at most 500,000 pairs, got 604,450 of its 1,100 attributes"
    ):
        list(Pairs(ls.from_arrays(X, [1, 0, 1])).blocks())


def test_what_cannot_be_paired():
    rows = [{"a^1": 1.0, "b^1": 1.0}, {"a^1": 1e60, "b^1": 1e60}]
    with pytest.raises(InvalidData, match=r"row 1, attribute 'b\^1': expected products of at most 1e100"):
        list(Pairs(jsonl(rows)).blocks())
    for between in ("ab", ("a",), ("a", ""), ("a", 1), ("a", "b", "c")):
        with pytest.raises(InvalidParameter, match="between must be two namespaces or columns"):
            Pairs(jsonl(rows), between=between)
    with pytest.raises(InvalidParameter, match="expected a namespace or a column of the stream, got 'c'"):
        list(Pairs(jsonl(rows[:1] * 2), between=("a", "c")).blocks())
    with pytest.raises(InvalidParameter, match="needs attributes with names, got numbers"):
        list(Pairs(ls.from_arrays([[1], [1]], [0, 1]), between=("a", "b")).blocks())
    with pytest.raises(InvalidParameter, match="expected a Stream, got str"):
        Pairs("a.vw")


def test_pairs_of_two_columns_of_a_table():
    text = b"colour,size,price,class\nred,big,2,yes\nblue,big,3,no\n"
    stream = Pairs(CsvStream(io.BytesIO(text)), between=("colour", "price"))
    assert rows_of(stream)[0] == ("yes", {"colour=red": 1, "size=big": 1, "price": 2, "colour=red&price": 2})


def text_of(rows, rng):
    names = [f"w{i}" for i in rng.permutation(60)]
    return "".join(f"{rng.integers(2)} |n {' '.join(rng.permutation(names)[:6])}\n" for _ in range(rows)).encode()


def test_names_are_made_only_when_they_are_asked_for(monkeypatch):
    data = text_of(400, np.random.default_rng(0))
    made = []
    some = pairs._Columns.some
    monkeypatch.setattr(pairs._Columns, "some", lambda self, a, b: made.append(b - a) or some(self, a, b))
    learner = ls.Perceptron()
    run = ls.play(learner, Pairs(VWStream(io.BytesIO(data))))
    assert run.trials == 400
    assert len(learner.vocabulary) > 1500
    assert not made
    assert isinstance(learner.vocabulary.name(3), str)
    assert made == [1]
    copied = learner.copy()
    assert len(learner.weights()) == len(learner.vocabulary)
    assert copied.weights() == learner.weights()


@pytest.mark.parametrize("make", [ls.Perceptron, lambda: ls.Winnow(theta=50), ls.BalancedWinnow])
def test_a_model_that_goes_on_has_the_same_columns(make, tmp_path):
    """Saved and loaded in the middle it goes on as if never stopped: also on rows whose names come in another order."""
    rng = np.random.default_rng(1)
    one, other = text_of(200, rng), text_of(200, rng)
    whole, half = make(), make()
    ls.play(whole, Pairs(VWStream(io.BytesIO(one))))
    ls.play(half, Pairs(VWStream(io.BytesIO(one))))
    ls.save(half, tmp_path / "model.npz")
    loaded = ls.load(tmp_path / "model.npz")
    later = Pairs(VWStream(io.BytesIO(other)))
    assert ls.play(whole, later).mistakes == ls.play(loaded, Pairs(VWStream(io.BytesIO(other)))).mistakes
    assert whole.weights() == loaded.weights()
    blocks = make()  # small blocks: the names of some are placed already
    for data in (one, other):
        for block in Pairs(VWStream(io.BytesIO(data))).blocks(7):
            blocks.learn(block)
    assert blocks.weights() == whole.weights()
    rows = next(later.blocks())
    assert whole.predict(rows).tolist() == loaded.predict(rows).tolist() == blocks.predict(rows).tolist()


def test_pairs_can_be_hashed():
    data = text_of(50, np.random.default_rng(2))
    expected = [naive.folded(row, 12) for _, row in rows_of(Pairs(VWStream(io.BytesIO(data))))]
    assert [row for _, row in rows_of(Hashed(Pairs(VWStream(io.BytesIO(data))), bits=12), 9)] == expected


def test_a_refused_block_leaves_no_names_behind():
    data = text_of(20, np.random.default_rng(3))
    learner = ls.Perceptron()
    learner.learn_one({"other": 1.0}, 1)
    blocks = list(Pairs(VWStream(io.BytesIO(data))).blocks(5))
    with pytest.raises(ValueError, match="weight"):
        learner.learn(blocks[1], weight=[-1.0] * 5)
    assert len(learner.vocabulary) == 1
    for block in blocks:
        learner.learn(block)
    twin = ls.Perceptron()
    twin.learn_one({"other": 1.0}, 1)
    for block in blocks:
        assert isinstance(block.names, LaterNames)
        twin.learn(ls.Block(block.indptr, block.indices, block.values, block.outcomes, block.labels,
                            names=tuple(block.names)))  # fmt: skip
    assert learner.weights() == twin.weights()


@pytest.mark.parametrize("name", ["tic-tac-toe", "kr-vs-kp"])
def test_pairs_help_where_attributes_alone_do_not_tell(name, data_folder):
    path = data_folder / f"{name}.libsvm.gz"
    without, with_pairs = (ls.play(ls.Perceptron(), stream).mistakes
                           for stream in (open_stream(path), Pairs(open_stream(path))))  # fmt: skip
    assert with_pairs < without
