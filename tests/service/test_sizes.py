"""Models that nobody could serve are refused before they are made, and those whose file asks for the impossible."""

import pytest

import littlestone as ls
from littlestone.service.options import Limits, Options
from littlestone.service.wire import Create, Learn, Made, Upload
from tests.service.desks import QUICK, begun


@pytest.mark.parametrize(("learner", "attributes", "labels"), [
    ("winnow", 300_000_000, 2), ("winnow:negations=true", 2**31 - 1, 2), ("ellipsoid", 2001, 2), ("auto", 10**8, 2),
    ("volumetric-center", 1000, 2), ("arow:covariance=full", 5000, 2), ("directed-drift", 10**9, 2),
    ("winner-takes-all:learner=winnow", 9_000_000, 3), ("multiclass-perceptron", 2 * 10**6, 8), ("sbsb", 10**8, 2),
])  # fmt: skip
def test_models_of_absurd_sizes_are_refused(tmp_path, learner, attributes, labels):
    desk = begun(tmp_path)
    [reply] = desk.handle([Create("big", learner, labels=list(range(labels)), attributes=attributes)])
    assert (reply.status, reply.kind) == (422, "learner") and "attributes: expected at most" in reply.detail
    assert "big" not in desk.served and desk.handle([Create("big", "arow", labels=[0, 1])]) == [Made("big", 0)]
    desk.close()


def test_models_for_which_there_is_no_room_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("littlestone.service.sizes.taken", lambda: 1 << 30)
    desk = begun(tmp_path, Options(memory=1 << 31))
    [big] = desk.handle([Create("e", "ellipsoid", labels=[0, 1], attributes=2000)])
    assert big == Made("e", 0)
    monkeypatch.setattr("littlestone.service.sizes.taken", lambda: 1 << 31)
    [big] = desk.handle([Create("f", "ellipsoid", labels=[0, 1], attributes=2000)])
    assert big.status == 422 and "raise --memory" in big.detail
    desk.close()


def test_a_model_that_cannot_be_written_down_is_refused_without_a_path(tmp_path, monkeypatch):
    desk = begun(tmp_path)

    def write(self, served):
        raise ls.errors.InvalidModel(f"{self.path(served.id, served.number)}: expected smaller arrays")

    with monkeypatch.context() as patch:
        patch.setattr("littlestone.service.models.snapshots.Snapshots.write", write)
        [reply] = desk.handle([Create("n", "arow", labels=[0, 1])])
    assert reply.status == 422 and "smaller arrays" in reply.detail and str(tmp_path) not in reply.detail
    assert desk.handle([Create("n", "arow", labels=[0, 1])]) == [Made("n", 0)]
    desk.close()


def test_full_covariances_meet_few_names(tmp_path, monkeypatch):
    monkeypatch.setattr("littlestone.service.measures.FULL", 4)
    desk = begun(tmp_path)
    desk.handle([Create("n", "arow:covariance=full", labels=["no", "yes"])])
    fine, more = desk.handle([Learn("n", [{f"a{at}": 1 for at in range(count)}], ["yes"]) for count in (4, 5)])
    assert fine.count == 1 and more.kind == "row"
    desk.close()


def test_labels_are_not_too_many_nor_too_long(tmp_path):
    desk = begun(tmp_path, Options(limits=Limits(labels=3)))
    many, long = desk.handle([Create("n", "auto", labels=labels) for labels in ([1, 2, 3, 4], ["a", "x" * 257])])
    assert many.status == long.status == 422 and "at most 3" in many.detail and "256 characters" in long.detail
    desk.close()


@pytest.mark.parametrize("odd", [
    {"tokens": "(a+)+$"}, {"ngrams": 10**9}, {"characters": [1, 10**6]}, {"characters": 10**6}, {"ngrams": "x"},
])  # fmt: skip
def test_files_with_absurd_readings_are_refused(tmp_path, odd):
    desk = begun(tmp_path / "a")
    rows = [{"message": "win a prize", "spam": 1}, {"message": "lunch today", "spam": 0}] * 10
    model = ls.Model.train(rows, label="spam", text="message")
    model.save(tmp_path / "good.npz")
    model.reading.update(odd)
    model.save(tmp_path / "odd.npz")
    good, bad = (Upload(name, (tmp_path / f"{name}.npz").read_bytes()) for name in ("good", "odd"))
    made, refused = desk.handle([good, bad])
    assert made == Made("good", 0) and (refused.status, refused.kind) == (422, "file")
    assert str(tmp_path) not in refused.detail
    desk.close()


def test_files_with_labels_that_are_too_long_are_refused(tmp_path):
    desk = begun(tmp_path / "a", QUICK)
    model = ls.Model.train([{"a": 1}, {"b": 1}] * 10, ["x" * 300, "y"] * 10)
    model.save(tmp_path / "long.npz")
    [refused] = desk.handle([Upload("long", (tmp_path / "long.npz").read_bytes())])
    assert refused.status == 422 and "1 to 256 characters" in refused.detail
    desk.close()


def test_models_of_numbers_are_refused(tmp_path):
    desk = begun(tmp_path)
    [reply] = desk.handle([Create("n", "gradient-descent")])
    assert (reply.status, reply.kind) == (422, "learner") and "predicts numbers and is not served yet" in reply.detail
    for one in (ls.GradientDescent(), ls.Model.train([[1, 0], [0, 1]] * 5, [2.5, 1.5] * 5, task="regression")):
        ls.save(one, path := tmp_path / "m.npz")
        [reply] = desk.handle([Upload("n", path.read_bytes())])
        assert (reply.status, reply.kind) == (422, "learner") and "predicts numbers" in reply.detail
    desk.close()
