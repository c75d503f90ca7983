"""Rows of names that a model knows become the block that any other reader makes of them."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import littlestone as ls
from littlestone.core.block import LARGEST_VALUE
from littlestone.core.vocabulary import Vocabulary
from littlestone.models.following.known import of_known
from littlestone.models.following.rows import alone

NAMES = ["a", "b", "c", "d", 7]
NUMBERS = st.one_of(
    st.integers(-3, 3), st.booleans(), st.floats(-2, 2), st.sampled_from([0.0, -0.0, 1.0, 1, LARGEST_VALUE])
)


@given(st.lists(st.dictionaries(st.sampled_from(NAMES), NUMBERS), min_size=1, max_size=6))
@example([dict.fromkeys(reversed(NAMES), 1), {}])
@example([{"a": 1}, {"b": 0.5, "c": 0}])
def test_a_row_has_what_its_dict_has(rows):
    block = of_known(rows, Vocabulary(NAMES))
    assert block is not None and len(block) == len(rows)
    for at, row in enumerate(rows):
        assert alone(block, at) == {name: float(value) for name, value in row.items() if value}
        columns = block.indices[block.indptr[at] : block.indptr[at + 1]].tolist()
        assert columns == sorted(columns)
    assert (block.values is None) == all(value in (0, 1) for row in rows for value in row.values())


@pytest.mark.parametrize("value", [np.nan, np.inf, 2 * LARGEST_VALUE, "1", None, [1], 1j, 10**400])
def test_what_is_no_number_is_read_by_who_says_so(value):
    assert of_known([{"a": 1.0}, {"b": value}], Vocabulary(NAMES)) is None
    assert of_known([{"new": 1.0}], Vocabulary(NAMES)) is None


def test_many_names_of_a_row_are_in_the_order_of_columns():
    names = [f"n{i}" for i in np.random.default_rng(0).permutation(500).tolist()]
    row = {name: 1 + (name == "n7") for name in sorted(names)}
    block = of_known([row, {"n3": 1}], Vocabulary(names))
    assert block.indices.tolist() == [*range(500), names.index("n3")]
    assert block.values.tolist() == [row[name] for name in names] + [1.0]


@pytest.mark.parametrize("learner", ["arow", "winnow:theta=6", "perceptron", "auto", "multiclass-perceptron"])
def test_what_is_learned_does_not_depend_on_how_rows_are_read(learner, monkeypatch, tmp_path):
    rng = np.random.default_rng(1)
    rows = [{f"x{i}": 1 for i in rng.choice(12, 3, replace=False).tolist()} for _ in range(200)]
    labels = [int("x0" in row or "x1" in row) for row in rows]

    def followed(path):
        model = ls.Model.train(rows[:20], labels[:20], learner=learner)
        events = list(ls.follow(model, zip(rows[20:], labels[20:], strict=True)))
        ls.save(model, path)
        return [str(event) for event in events], path.read_bytes()

    quick = followed(tmp_path / "quick.npz")
    monkeypatch.setattr("littlestone.models.following.rows.of_known", lambda *_: None)
    assert followed(tmp_path / "long.npz") == quick
