"""What takes long is done in measures, with signs of life between them, and what would take too long is refused."""

from dataclasses import replace

import pytest

from littlestone.service.options import Limits, Options
from littlestone.service.wire import Answered, Ask, Create, Explain, Label, Learn, Predict
from tests.service.desks import QUICK, begun, examples, file_of, taught


def slow(**limits):
    """Options with limits."""
    return Options(every=10**9, seconds=1e9, limits=Limits(**limits))


def test_many_rows_give_signs_of_life_and_the_same_model(tmp_path):
    signs = []
    desk = begun(tmp_path / "a", slow(at_once=20), alive=lambda: signs.append(1))
    whole = begun(tmp_path / "b")
    rows, labels = examples(200)
    requests = [
        Learn("m", rows, labels),
        Ask("m", rows[:50], list(range(50))),
        Label("m", list(range(50)), labels[:50]),
    ]
    before = len(signs)
    assert desk.handle(requests) == whole.handle(requests) and len(signs) - before >= 25
    assert file_of(desk) == file_of(whole)
    before = len(signs)
    assert desk.handle([Predict("m", rows)]) == whole.handle([Predict("m", rows)])
    assert len(signs) - before == 20
    desk.close()
    whole.close()


def test_a_request_brings_at_most_so_many_new_labels(tmp_path):
    desk = begun(tmp_path, slow(new_labels=3))
    desk.handle([Create("n", "auto", labels=["a", "b"], new_labels=True)])
    labels = ["a", "c", "d", "c", "e", "f", "d", "b", "g"]
    [reply] = desk.handle([Learn("n", [{"x": 1}] * 9, labels)])
    assert [(one.at, one.because) for one in reply.refused] == [(5, "label"), (8, "label")] and reply.count == 7
    assert "at most 3 labels in a request that are new" in reply.refused[0].detail
    [more] = desk.handle([Learn("n", [{"x": 1}] * 2, ["f", "g"])])
    assert isinstance(more, Answered) and more.count == 2
    desk.handle([Ask("n", [{"x": 1}] * 4, [1, 2, 3, 4])])
    [late] = desk.handle([Label("n", [1, 2, 3, 4], ["h", "i", "j", "k"])])
    assert late.count == 3
    desk.close()


def test_predictions_of_too_many_rows_for_the_labels_are_refused(tmp_path):
    desk = begun(tmp_path, slow(cells=20))
    rows, _ = examples(11)
    assert desk.handle([Predict("m", rows[:10])])[0].after == 0
    [reply] = desk.handle([Predict("m", rows)])
    assert reply.status == 422 and "at most 10 in a request of a model with 2 labels" in reply.detail
    assert "ask for fewer" in reply.detail
    desk.close()


@pytest.mark.parametrize("learner", ["arow", "auto"])
def test_a_row_with_too_many_attributes_is_not_explained(tmp_path, learner):
    desk = begun(tmp_path, QUICK)
    desk.handle([Create("n", learner, labels=["no", "yes"])])
    taught(desk, 30, model="n")
    fine, wide = desk.handle([Explain("n", {f"a{at}": 1 for at in range(count)}) for count in (500, 501)])
    assert fine.after == 30
    assert wide.status == 422 and "at most 500 attributes to explain, got 501" in wide.detail
    rows = [{"a1": 1, "a2": 1}, float("inf"), {"a3": 1}]
    alone, several = desk.handle([Explain("n", rows[0]), Explain("n", rows=rows, top=20)])
    assert several.data[0] == alone.data and several.data[1] is None and several.data[2] != alone.data
    assert [(one.at, one.because) for one in several.refused] == [(1, "row")]
    [many] = desk.handle([Explain("n", rows=[{"a1": 1}] * 101)])
    assert many.status == 422 and "at most 100 to explain, got 101; send several" in many.detail
    [broad] = desk.handle([Explain("n", rows=[{f"a{at}": 1 for at in range(50)}] * 11)])
    assert broad.status == 422 and "at most 500 attributes to explain, got 550; send several" in broad.detail
    desk.close()


def test_a_group_is_smaller_where_there_are_many_labels(tmp_path):
    desk = begun(tmp_path)
    desk.handle([Create("n", "auto", labels=list(range(100)))])
    costs = [desk.cost(one) for one in (Predict("m", [{}] * 7), Learn("n", [{}] * 7, [1] * 7), Explain("m"))]
    assert costs == [7, 70, 1]
    desk.close()


def test_a_request_teaches_a_slow_learner_fewer_rows(tmp_path):
    signs = []
    with begun(tmp_path, slow(slow_rows=5, rows=40), alive=lambda: signs.append(1)) as desk:
        desk.handle([Create("e", "ellipsoid", labels=["no", "yes"], attributes=1000)])
        desk.handle([Create("s", "ellipsoid", labels=["no", "yes"], attributes=100)])
        rows, labels = examples(40)
        before = len(signs)
        said, done, beside, small, champion = desk.handle([
            Learn("e", rows[:21], labels[:21]), Learn("e", rows[:20], labels[:20]),
            Learn("m", rows[:21], labels[:21], shadow="e"), Learn("s", rows, labels), Learn("m", rows, labels),
        ])  # fmt: skip
        assert said.kind == beside.kind == "rows" and done.count == 20 and small.count == champion.count == 40
        expected = "expected at most 20 in a request of e, whose learner keeps a matrix of its attributes, got 21"
        assert expected in said.detail and len(signs) - before == 3
        several = [Learn("e", rows[:10], labels[:10])] * 4
        before = len(signs)
        desk.handle(several)
        assert len(signs) - before == 2
        assert [desk.cost(Learn(name, rows[:10], labels[:10])) for name in ("m", "s", "e")] == [10, 10, 20]


def test_a_repetition_gets_the_first_answer_though_the_learner_has_become_slower(tmp_path):
    with begun(tmp_path, slow(slow_rows=5, rows=40)) as desk:
        desk.handle([Create("e", "ellipsoid", labels=["no", "yes"], attributes=1000)])
        rows, labels = examples(20)
        first = Learn("e", rows, labels, once="k")
        [said] = desk.handle([first])
        desk.options = replace(desk.options, limits=replace(desk.options.limits, slow_rows=1))
        again, new = desk.handle([first, Learn("e", rows, labels, once="l")])
        assert said.count == 20 and again == said and new.kind == "rows"
