"""A fixed n has room for n names. While all fit that come, each has a column; then only those that are on get one."""

import io
import json
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import littlestone as ls
from littlestone.cli import main
from littlestone.core.block import Block
from littlestone.core.errors import InvalidData
from littlestone.core.rows import Rows
from littlestone.learners import LEARNERS
from littlestone.streams import CsvStream, JsonlStream, VWStream

ZEROS = {f"z{i}": 0 for i in range(2000)}
EXAMPLES = st.lists(
    st.tuples(st.dictionaries(st.sampled_from("abcdef"), st.sampled_from([0, 0, 1])), st.booleans()),
    min_size=1, max_size=12,
)  # fmt: skip


def blocks(examples, rows=None):
    """Return examples as a pipe of JSON lines gives them: so many at a time, or all as one block, however they came."""
    lines = [json.dumps({"label": int(y), "features": x}) for x, y in examples]
    stream = JsonlStream(Pipe("\n".join(lines).encode()), labels=(0, 1))
    return stream.blocks(rows) if rows else [Block.joined(list(stream.blocks()))]


class Pipe(io.BytesIO):
    def seekable(self):
        return False


@pytest.mark.parametrize("name", LEARNERS)
def test_names_of_value_zero_do_not_push_a_learner_beyond_its_n(name, tmp_path):
    learner = LEARNERS[name]().begin(3, labels=(0, 1))
    learner.learn_one({"a": 1, "b": 1}, 1)
    (block,) = blocks([({"b": 1, **ZEROS}, 0), ({"a": 1, "b": 0}, 1)])
    learner.learn(block)
    assert len(learner.vocabulary) <= 3
    for _ in range(20):
        with pytest.raises(InvalidData, match="'z1998' is one more than the fixed n=3|at most the fixed n=3 names"):
            [learner.learn_one({f"z{i}"}, 1) for i in range(1997, 2000)]
    assert learner.learn_one({"a": 1, **ZEROS}, 1) in (0, 1)
    ls.save(learner, tmp_path / "m.npz")
    loaded = ls.load(tmp_path / "m.npz")
    assert loaded.vocabulary is not None and list(loaded.vocabulary) == list(learner.vocabulary)
    assert loaded.predict_one({"a", "b"}) == learner.predict_one({"a", "b"})
    assert loaded.learn_one({"b"}, 0) == learner.learn_one({"b"}, 0)


@pytest.mark.parametrize("kind", [ls.Winnow, ls.NaiveBayes, ls.Bounded])
def test_a_frame_is_its_rows(kind):
    frame = pd.DataFrame({"a": [1, 0], "b": [1, 1], "c": [0, 0]})
    whole, one = (kind().begin(2, labels=(0, 1)) for _ in range(2))
    said = whole.learn(frame, [1, 0]).tolist()
    assert said == [one.learn_one(dict(row), y) for (_, row), y in zip(frame.iterrows(), [1, 0], strict=True)]
    assert list(whole.vocabulary) == list(one.vocabulary) == ["a", "b"]
    assert whole.weights() == one.weights()
    assert whole.predict(frame).tolist() == [one.predict_one(dict(row)) for _, row in frame.iterrows()]
    before = {key: array.tobytes() for key, array in whole.state().items()}
    with pytest.raises(InvalidData, match="row 1, attribute 'c' is one more than the fixed n=2|n=2 names, got 1 more"):
        whole.learn(frame.assign(c=[0, 1]), [1, 0])
    assert before == {key: array.tobytes() for key, array in whole.state().items()}


def test_rivers_frames_are_their_rows():
    river = pytest.importorskip("littlestone.river")
    frame, labels = pd.DataFrame({"c": [1, 0], "b": [0, 1], "a": [0, 0]}), pd.Series([True, False])
    whole, one = river.WinnowClassifier(n=2), river.WinnowClassifier(n=2)
    whole.learn_many(frame, labels)
    for (_, x), y in zip(frame.iterrows(), labels, strict=True):
        one.learn_one(x.to_dict(), y)
    assert whole.weights == one.weights
    assert list(whole.weights) == ["c", "b"]  # in the order in which they were first on: 3 names do not fit


def answer(ask):
    """Return what is answered, or why it is refused."""
    try:
        return ask()
    except InvalidData as error:
        return str(error).replace("row 0, ", "")


def played(learner, parts):
    """Return how many rows were learned before a refusal, and what was said."""
    said = []
    for rows in parts:
        try:
            said += learner.learn(rows).tolist()
        except InvalidData:
            return said
    return said


@given(EXAMPLES, st.integers(1, 4), st.sampled_from([ls.Perceptron, ls.Winnow, ls.NaiveBayes]))
@settings(max_examples=60)
def test_neither_blocks_nor_single_examples_change_what_is_taken(examples, n, kind):
    made = [kind().begin(n, labels=(0, 1)) for _ in range(3)]
    one, row_by_row, whole = made
    said = []
    for x, y in examples:
        try:
            said.append(one.learn_one(x, int(y)))
        except InvalidData:
            break
    assert played(row_by_row, blocks(examples, 1)) == said
    assert played(whole, blocks(examples)) == (said if len(said) == len(examples) else [])
    for other in made[1:]:
        assert len(other.vocabulary or ()) <= n  # a reader may be some rows ahead, and so may the names
        if len(said) == len(examples):
            assert set(other.vocabulary) == set(one.vocabulary)
            assert other.weights() == pytest.approx(one.weights())
    for x, _ in examples:
        (block,) = blocks([(x, 0)])
        assert answer(lambda x=x: one.predict_one(x)) == answer(lambda block=block: one.predict(block)[0])


NAMES = ("a", "b", "c", "d", "e")
ROWS = st.lists(st.lists(st.sampled_from([0, 0, 1]), min_size=5, max_size=5), min_size=1, max_size=7)
CELLS = st.tuples(*[st.sampled_from("0001")] * 2, st.sampled_from("pqr"), st.booleans())
KINDS = st.sampled_from([ls.Perceptron, ls.Winnow, ls.NaiveBayes, ls.AROW, ls.KernelPerceptron, ls.WinnerTakesAll])


def learned(kind, n, told):
    """Return what a learner says of examples or blocks, its names and its state; None where one is refused."""
    learner, said = kind().begin(n, labels=(0, 1)), []
    try:
        for X, *y in told:
            said += [learner.learn_one(X, *y)] if isinstance(X, dict) else learner.learn(X, *y).tolist()
    except InvalidData:
        return None
    state = {key: array.tobytes() for key, array in learner.state().items() if key != "game"}
    return said, list(learner.vocabulary or ()), state


def cut(sizes, count):
    """Return slices of so many rows, one after another, and one of the rest."""
    ends = np.minimum(np.cumsum([0, *sizes, count]), count).tolist()
    return [slice(a, b) for a, b in pairwise(ends) if a < b]


@given(ROWS, st.integers(1, 5), KINDS, st.lists(st.integers(1, 3)), st.randoms())
@settings(max_examples=60)
def test_neither_cuts_nor_forms_nor_the_order_of_a_dict_change_who_has_a_column(table, n, kind, sizes, chance):
    frame, y = pd.DataFrame(table, columns=NAMES), [sum(row) % 2 for row in table]
    bare = replace(Block.from_arrays(np.array(table)), names=NAMES, n_attributes=None)
    examples = [dict(chance.sample([*zip(NAMES, row, strict=True)], 5)) for row in table]
    found = learned(kind, n, [(frame, y)])
    assert found == learned(kind, n, [(frame[rows], y[rows]) for rows in cut(sizes, len(y))])
    assert found == learned(kind, n, [(bare[rows], y[rows]) for rows in cut(sizes, len(y))])
    assert found == learned(kind, n, zip(examples, y, strict=True))
    on = [*dict.fromkeys(name for row in table for name, value in zip(NAMES, row, strict=True) if value)]
    assert (found is None) == (len(on) > n)
    assert found is None or found[1] == ([*NAMES] if n == 5 else on)


def all_ways(make, text, rows):
    """Yield the blocks of a stream from a pipe and from a file, of some rows and whole."""
    for kept in (Pipe, io.BytesIO):
        for size in (rows, 8192):
            yield [(block,) for block in make(kept(text.encode()), labels=(0, 1)).blocks(size)]


@given(EXAMPLES, st.integers(1, 4), KINDS, st.integers(1, 3))
@settings(max_examples=60)
def test_json_lines_from_a_pipe_or_a_file_are_single_examples(examples, n, kind, rows):
    told = [{"label": int(y), "features": dict(sorted(x.items()))} for x, y in examples]
    found = learned(kind, n, [(x, int(y)) for x, y in examples])
    for blocks in all_ways(JsonlStream, "\n".join(map(json.dumps, told)), rows):
        assert found == learned(kind, n, blocks)


@given(st.lists(CELLS, min_size=1, max_size=8), st.integers(1, 5), KINDS, st.integers(1, 3))
@settings(max_examples=60)
def test_a_table_from_a_pipe_or_a_file_is_its_rows(table, n, kind, rows):
    text = "a,b,k,label\n" + "".join(f"{a},{b},{k},{int(y)}\n" for a, b, k, y in table)
    found = learned(kind, n, [({f"k={k}": 1, "b": int(b), "a": int(a)}, int(y)) for a, b, k, y in table])
    for blocks in all_ways(CsvStream, text, rows):
        assert found == learned(kind, n, blocks)


@given(EXAMPLES, st.integers(1, 4), KINDS, st.integers(1, 3), st.booleans())
@settings(max_examples=60)
def test_vw_lines_do_not_depend_on_how_they_are_read(examples, n, kind, rows, zeros):
    """Without names of value 0, which a reader need not keep, they are single examples, too."""
    told = [({name: x[name] for name in sorted(x) if zeros or x[name]}, int(y)) for x, y in examples]
    text = "".join(f"{y} | {' '.join(f'{name}:{value}' for name, value in x.items())}\n" for x, y in told)
    found = [learned(kind, n, blocks) for blocks in all_ways(VWStream, text, rows)]
    assert found[1:] == found[:1] * 3
    assert zeros or found[0] == learned(kind, n, told)


@pytest.mark.parametrize("how", ["copy", "save"])
def test_a_learner_that_is_crowded_stays_so(how, tmp_path):
    learner = ls.Perceptron().begin(3, labels=(0, 1))
    learner.learn_one({"d": 0, "a": 1, "c": 0, "b": 0}, 1)
    assert list(learner.vocabulary) == ["a"]
    if how == "save":
        ls.save(learner, tmp_path / "m.npz")
    learner = learner.copy() if how == "copy" else ls.load(tmp_path / "m.npz")
    learner.learn_one({"e": 0}, 1)
    learner.learn(pd.DataFrame({"a": [0, 0], "b": [0, 0]}), [0, 1])
    assert list(learner.vocabulary) == ["a"]
    learner.learn_one({"g": 1, "f": 1, "e": 0}, 1)
    assert list(learner.vocabulary) == ["a", "f", "g"]


def test_what_is_foretold_of_new_names_is_what_is_said():
    """Also by a learner whose attributes begin with different weights."""
    frame = pd.DataFrame([[0, 1, 1, 0]], columns=[*"abcd"])
    for seed in range(20):
        learner = ls.DirectedDrift(seed=seed).begin(3, labels=(0, 1))
        foretold = learner.predict(frame)[0], learner.predict_one({"d": 0, "c": 1, "b": 1, "a": 0})
        assert foretold == (learner.learn(frame, [1])[0],) * 2
        assert list(learner.vocabulary) == ["b", "c"]


@pytest.mark.parametrize("negations", [False, True])
def test_names_beyond_n_are_explained(negations):
    learner = ls.BalancedWinnow(negations=negations).begin(2, labels=(0, 1), names=["z"])
    x = {"a": 0, "b": 0, "c": 1}
    found = ls.explain_example(learner, x), ls.explain_example(learner, Block.from_arrays(pd.DataFrame([x])))
    assert str(found[0]) == str(found[1])
    assert sum(one.product for one in found[0].contributions) == pytest.approx(found[0].total)
    assert negations or [one.attribute for one in found[0].contributions] == ["c"]


def test_a_name_of_value_zero_takes_no_column_from_one_that_is_on():
    for x in ({"z": 1, "a": 0, "b": 0}, {"b": 0, "a": 0, "z": 1}):
        learner = ls.ROMMA().begin(2, labels=(0, 1))
        learner.learn_one(x, 1)
        assert list(learner.vocabulary) == ["z"]
        before = {key: array.tobytes() for key, array in learner.state().items()}
        with pytest.raises(InvalidData, match="'d' is one more than the fixed n=2"):
            learner.learn_one({"c": 1, "z": 1, "d": 2, "b": 0}, 1)
        with pytest.raises(InvalidData, match="row 1, attribute 'd' is one more than the fixed n=2"):
            learner.learn(pd.DataFrame({"a": [0, 0], "b": [0, 0], "c": [1, 0], "d": [0, 1]}), [0, 1])
        assert before == {key: array.tobytes() for key, array in learner.state().items()}


def test_rows_that_are_only_asked_about_take_no_room_from_each_other():
    learner = ls.NaiveBayes().begin(3, labels=(0, 1), names="ab")
    rows = [{"a": 1, f"new{i}": 1} for i in range(5)]
    (block,) = blocks([(x, 0) for x in rows])
    assert learner.predict(block[2:]).tolist() == [learner.predict_one(x) for x in rows[2:]]
    (block,) = blocks([(rows[0], 0), ({"a": 1, "x": 1, "y": 1}, 0)])
    with pytest.raises(InvalidData, match="row 1, attribute 'y' is one more than the fixed n=3"):
        learner.predict(block)
    with pytest.raises(InvalidData, match="attribute 'y' is one more than the fixed n=3"):
        learner.predict_one(["x", "a", "y"])
    assert list(learner.vocabulary) == ["a", "b"]


def test_names_that_are_made_later_are_cut_without_being_made():
    stream = VWStream(Pipe(b"1 | a b\n-1 | b c:0\n1 | a c:0 d:0\n"), labels=(-1, 1))
    learner = ls.Perceptron().begin(2)
    for block in stream.blocks(1):
        learner.learn(block)
    assert learner._vocabulary._made == []
    assert list(learner.vocabulary) == ["a", "b"]


@pytest.mark.parametrize(
    ("text", "form"),
    [('{"label":1,"a":1}\n{"label":0,"b":1,"c":0}\n', "jsonl"), ("a,b,c,label\n1,0,0,1\n0,1,0,0\n", "csv")],
)
def test_a_model_trained_from_a_pipe_with_zeros_predicts(text, form, tmp_path):
    model = str(tmp_path / "m.npz")
    told = ["train", "-", "--format", form, "-l", "winnow", "-n", "2", "-q", "-m", model]
    assert CliRunner().invoke(main, told, input=text).exit_code == 0
    done = CliRunner().invoke(main, ["predict", model, "-", "--format", form], input=text)
    assert (done.exit_code, done.stdout) == (0, "1\n0\n")


@pytest.mark.parametrize("kind", [ls.NaiveBayes, ls.SBSB, ls.SASB])
def test_machines_that_count_look_before_they_write(kind):
    machine = kind().begin(3)._machine
    beyond = Rows(np.array([0, 1]), np.array([5000], dtype=np.uint32), np.zeros(0))
    with pytest.raises(AssertionError):
        machine.learn(beyond, np.ones(1, dtype=np.uint8), np.zeros(0))
    with pytest.raises(AssertionError):
        machine.score(beyond)
    with pytest.raises(AssertionError):
        machine.grow(4)


def test_values_by_name_where_literals_are_negated():
    named, plain = (ls.KernelWinnow(monotone=False).begin(3, labels=(0, 1), names=names) for names in ("abc", None))
    X = np.array([[1, 0, 0], [0, 1, 0]])
    plain.learn(X, [1, 0])
    named.learn(pd.DataFrame(X, columns=list("abc")), [1, 0])
    assert named.value({"a"}) == named.value({"a": 1, "b": 0}) == plain.value(np.array([1, 0, 0])) == 14
    assert named.predict(Block.from_arrays(pd.DataFrame(X, columns=list("abc")))).tolist() == plain.predict(X).tolist()
