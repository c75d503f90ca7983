"""Decisions of a model, and a training that has to know how many attributes there are."""

import pytest

import littlestone as ls
from littlestone.core.errors import InvalidParameter, UnknownSize
from littlestone.models.decision import Decision

ROWS = [{"text": "win a prize", "y": "spam"}, {"text": "lunch at noon", "y": "ham"}] * 10


@pytest.mark.parametrize("cost", [10, "false-positive=10", [("false-positive", 10)], {"fp": 10}, {1: 2}])
def test_costs_that_are_none(cost):
    with pytest.raises(InvalidParameter, match="^cost: expected"):
        ls.Model.train(ROWS, label="y", text="text", cost=cost)


def test_how_few_rows_a_precision_rests_on_is_said():
    few = Decision.for_precision(1.0, [0.9, 0.5], [1, 0])
    assert few.because.endswith("; only 1 of them was predicted positive, so that it may be far off")
    many = Decision.for_precision(1.0, [0.9] * 30, [1] * 30)
    assert many.because == "precision 1.0000 on 30 rows that were not learned from, recall 1.0000"


@pytest.mark.parametrize("learner", ["winnow", "winner-takes-all:learner=winnow", "winner-takes-all"])
def test_the_number_of_attributes_is_asked_of_the_file(learner, tmp_path):
    (tmp_path / "f.tsv").write_text("y\ttext\n" + "".join(f"{row['y']}\t{row['text']}\n" for row in ROWS))
    for source in (tmp_path / "f.tsv", ROWS):
        model = ls.Model.train(source, label="y", text="text", learner=learner)
        assert model.predict(["win a prize", "lunch at noon"]).tolist() == ["spam", "ham"]


def test_who_must_be_told_is_told_how():
    class Piped(ls.Stream):
        again = False

        def blocks(self, rows=8192):
            for block in ls.from_arrays([[1, 0], [0, 1]] * 5, [1, 0] * 5).blocks(rows):
                yield ls.Block(block.indptr, block.indices, outcomes=block.outcomes, labels=block.labels)

        def __repr__(self):
            return "Piped()"

    with pytest.raises(UnknownSize, match=r"Piped\(\): the number .* Winnow\(\).begin\(n\), or set the parameters"):
        ls.Model.train(Piped(), learner="winnow")
