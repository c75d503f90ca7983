"""Labels that a followed model has not met: what it learns of them depends on what it has learned, and nothing else."""

import subprocess
import sys

import numpy as np
import pytest

import littlestone as ls
from littlestone.models.following import Answer, Labelled, Notice, follow
from littlestone.models.following.events import Refused
from littlestone.models.following.examples import Bad, Example, Late
from littlestone.models.following.follower import Follower

ROWS = [({f"w{i % 3}": 1.0, f"v{i % 5}": 1.0}, "abc"[i % 3]) for i in range(12)]


def classes(tmp_path, name="new"):
    """A new model of many classes that is saved as it follows."""
    return ls.WinnerTakesAll("perceptron"), {"save_to": tmp_path / f"{name}.npz", "format": "jsonl"}


def led(source, tmp_path, name="new", **more):
    """Follow with a new model, or go on with that of the name; return what was said, and the model."""
    path = tmp_path / f"{name}.npz"
    learner, options = classes(tmp_path, name)
    events = list(follow(path if path.exists() else learner, source, **options, **more))
    return events, ls.load(path)


def same(one, other):
    """Whether two models are the same, also in what they remember of the source."""
    arrays = one.learner.state(), other.learner.state()
    rest = one.following, other.following
    return (
        one.labels == other.labels
        and all(np.array_equal(arrays[0][name], arrays[1][name]) for name in arrays[0])
        and rest[0].about == rest[1].about
    )


@pytest.mark.parametrize("many", [1, 2, 3, 4, 12])
def test_how_many_come_at_a_time_does_not_matter_to_a_model_without_labels(many, tmp_path):
    alone, model = led(ROWS, tmp_path, "alone")
    found, other = led([ROWS[at : at + many] for at in range(0, 12, many)], tmp_path, "many")
    assert [one for one in found if isinstance(one, Answer)] == [one for one in alone if isinstance(one, Answer)]
    assert same(model, other)


@pytest.mark.parametrize("cut", range(1, 12))
def test_stopped_it_goes_on_to_learn_new_labels(cut, tmp_path):
    whole, model = led(ROWS, tmp_path, "whole")
    first, _ = led(ROWS[:cut], tmp_path, "cut")
    rest, other = led(ROWS[cut:], tmp_path, "cut")
    said = [one for one in (*first, *rest) if isinstance(one, Answer)]
    assert said == [one for one in whole if isinstance(one, Answer)]
    assert same(model, other) and other.labels == ("a", "b", "c")


def test_a_label_that_is_never_learned_is_none_of_the_models(tmp_path):
    """It came for an example that nobody asked for; the model can be saved, and read again."""
    for part in (ROWS[:2], [{"id": "nobody", "label": "z"}], ROWS[2:5], [({"w1": 1.0}, "z")], ROWS[5:]):
        _, model = led(part, tmp_path)
    assert model.labels == ("a", "b", "c", "z")
    events, model = led([({"w2": 1.0}, None, "nobody")], tmp_path)
    [answer] = [one for one in events if isinstance(one, Answer)]
    assert answer.label == "z", "it was kept for its example"


def test_a_number_among_labels_that_are_texts_is_a_text(tmp_path):
    for rows in (ROWS[:2], [({"w1": 1.0}, "3")]):
        _, model = led(rows, tmp_path, "cut")
    _, whole = led([*ROWS[:2], ({"w1": 1.0}, "3")], tmp_path, "whole")
    assert model.labels == whole.labels == ("a", "b", "3")


@pytest.mark.parametrize("at_once", [False, True])
def test_a_third_label_is_refused_and_nothing_else(at_once):
    learner = ls.Perceptron()
    rows = [({"a": 1.0}, 1), ({"b": 1.0}, 0), ({"a": 1.0}, "third"), ({"a": 1.0}, 1), ({"b": 1.0}, 0)]
    options = {"format": "jsonl", "labels": (0, 1), "new_labels": True}
    options = {"format": "jsonl", "labels": (0, 1), "new_labels": True}
    following = ls.following.Following(learner, [rows] if at_once else rows, **options)
    events = [event for some in following.steps() for event in some]
    [notice] = [one for one in events if isinstance(one, Notice)]
    assert str(notice).endswith("expected a label of (0, 1), got 'third'; correct it; it was answered, and not learned")
    assert [one.label for one in events if isinstance(one, Answer)] == [1, 0, None, 1, 0]
    assert following.model.trials == 4


@pytest.mark.parametrize("at_once", [False, True])
def test_the_first_row_of_a_new_model_is_refused(at_once):
    model, rows = ls.MulticlassPerceptron(), [({"a": float("inf")}, "x"), ({"a": 1.0}, "y"), ({"b": 1.0}, "z")]
    events = list(follow(model, [rows] if at_once else rows, format="jsonl"))
    assert [one.label for one in events if isinstance(one, Answer)] == ["y", "z"]
    assert sum(isinstance(one, Notice) for one in events) == 1


def test_one_notice_for_one_line_whatever_came_with_it():
    rows = [{"a": i % 3, "b": "xyz"[i % 3], "lab": "p" if i % 3 else "n"} for i in range(60)]
    source = [{"a": 1, "b": "x"}, {"a": -2, "b": "x"}, {"a": -2, "b": "x", "lab": "p"}, {"a": 1, "b": "y", "lab": "p"}]
    said = []
    for items in (source, [source]):
        model = ls.Model.train(rows, label="lab", learner="winnow")
        said.append([str(one) for one in follow(model, items) if isinstance(one, Notice)])
    assert said[0] == said[1]
    assert [text.partition(" ")[0] for text in said[0]] == ["list:2:", "list:3:"]
    assert all(text.endswith("attribute 'a': expected a value >= 0, got -2; it was left out") for text in said[0])


def test_an_example_whose_label_comes_late_counts_as_much():
    """Its weight waits with it; where the row comes again with its label, the weight that comes with that counts."""
    rows = [{"a": i % 2, "y": "pn"[i % 2], "w": 1} for i in range(40)]
    asked = {"id": "k", "a": 1, "w": 50}
    found = []
    for source in ([{**asked, "y": "p"}], [asked, {"id": "k", "label": "p"}], [{**asked, "w": 1}, {**asked, "y": "p"}]):
        model = ls.Model.train(rows, label="y", weight="w", learner="arow")
        events = list(follow(model, source))
        assert model.trials == 41 and sum(isinstance(one, Answer | Labelled) for one in events) == len(source)
        found.append(model.probabilities([{"a": 1}]).tolist())
    assert found[0] == found[1] == found[2]
    light = ls.Model.train(rows, label="y", weight="w", learner="arow")
    list(follow(light, [{**asked, "w": 1, "y": "p"}]))
    assert light.probabilities([{"a": 1}]).tolist() != found[0]


def test_weights_that_wait_are_saved(tmp_path):
    rows = [{"a": i % 2, "y": "pn"[i % 2], "w": 1} for i in range(40)]
    asked, label = {"id": "k", "a": 1, "w": 50}, {"id": "k", "label": "p"}
    for name, parts in {"whole": [[asked, label]], "cut": [[asked], [label]]}.items():
        path = tmp_path / f"{name}.npz"
        ls.Model.train(rows, label="y", weight="w", learner="arow").save(path)
        for part in parts:
            list(follow(path, part))
    assert (tmp_path / "whole.npz").read_bytes() == (tmp_path / "cut.npz").read_bytes()


def test_an_id_that_waits_and_comes_with_another_row_and_its_label():
    model = ls.Model.train([{"a": i % 2, "y": i % 2} for i in range(40)], label="y")
    events = list(follow(model, [{"id": "k", "a": 1}, {"id": "k", "a": 0, "y": 0}, {"id": "k", "label": 1}]))
    [notice] = [str(one) for one in events if isinstance(one, Notice)]
    assert "'k' waits for its label already, and is another one; this one was answered and learned" in notice
    assert [one.label for one in events if isinstance(one, Answer)] == [None, 0]
    assert [one.label for one in events if isinstance(one, Labelled)] == [1]


def test_things_of_several_kinds_are_read_one_kind_at_a_time():
    model = ls.Model.train([{"a": 1.0}, {"b": 1.0}] * 5, [1, 0] * 5)
    said = []
    for items in (mixed := [({"a": 1.0}, 1), ([1, 2], 1), ({"b": 1.0}, 0)]), [mixed]:
        other = model.copy()
        said.append([str(one) for one in follow(other, items) if isinstance(one, Answer | Notice)])
        assert other.trials == 12 and sorted(map(str, other.learner.vocabulary)) == ["a", "b"]
    assert said[0] == said[1]


def test_limits_that_became_smaller_are_kept(tmp_path):
    for count, limit in ((50, 100), (1, 5)):
        _, model = led([{"id": f"i{count}-{at}", "label": "a"} for at in range(count)], tmp_path, limit=limit)
    assert len(model.following.arrays["early_codes"]) == 5


@pytest.mark.parametrize("end", ["", " --replay"])
def test_on_the_command_line(end, tmp_path):
    """A new model meets its labels in two calls, in between a label that belongs to nothing."""
    command = [sys.executable, "-m", "littlestone", "follow", str(tmp_path / "m.npz"), "-", "-q", *end.split()]
    command += ["--format", "vw", "-l", "winner-takes-all:learner=perceptron", "--max-attributes", "100"]
    lines = ["1 | a q\n", "2 | b q\n", '{"id": "nobody", "label": 9}\n', "3 | c q\n"]
    first = subprocess.run(command, input="".join(lines[:3]).encode(), capture_output=True, check=True)
    rest = lines if end else lines[3:]
    second = subprocess.run(command, input="".join(rest).encode(), capture_output=True, check=True)
    assert len(first.stdout.splitlines()) == 2
    assert len(second.stdout.splitlines()) == 1
    assert ls.load(tmp_path / "m.npz").labels == (1, 2, 3)


STRICT = [
    Example(1, "a", {"w": 1.0}, "yes"), Example(2, "b", {"w": 1.0}, "maybe"), Example(3, "c", {"v": 1.0}),
    Example(4, "c", {"w": 1.0}), Example(5, "c", {"w": 1.0}, "no"), Late(6, "x", "no"), Late(7, "c", "maybe"),
    Example(8, "d", {"w": float("inf")}, "no"), Bad(9, "a broken line"), Late(10, "c", "no"), Late(11, "c", "no"),
    Example(12, "e", {"w": float("inf")}), Example(13, "f", {"v": 1.0}, "no"), Example(14, "g", {"v": 2.0}),
]  # fmt: skip
REFUSED = {2: "label", 4: "id", 5: "id", 6: "id", 7: "label", 8: "row", 9: "row", 11: "id", 12: "row"}


@pytest.mark.parametrize("many", [1, 2, 3, 5, 14])
def test_a_strict_follower_does_all_or_nothing(many):
    """What is refused leaves no trace at all, however much comes at a time."""
    trained = ls.Model.train([{"w": 1.0}, {"v": 1.0}] * 9, ["yes", "no"] * 9, learner="arow")
    found, alone = Follower(trained.copy(), strict=True), Follower(trained.copy(), strict=True)
    events = [event for at in range(0, 14, many) for event in found.take(STRICT[at : at + many])]
    assert {one.line: one.because for one in events if isinstance(one, Refused)} == REFUSED
    assert [one.line for one in events] == [one.line for one in STRICT], "one for each, in order"
    for one in STRICT:
        if one.line not in REFUSED:
            alone.take([one])
    states = [(one.model.learner.state(), one.state()) for one in (found, alone)]
    assert all(np.array_equal(states[0][0][name], states[1][0][name]) for name in states[0][0])
    assert states[0][1].about == states[1][1].about
    assert all(np.array_equal(states[0][1].arrays[name], states[1][1].arrays[name]) for name in states[1][1].arrays)
    calibrations = [one.model.calibration.state() for one in (found, alone)]
    assert all(np.array_equal(calibrations[0][name], calibrations[1][name]) for name in calibrations[0])
