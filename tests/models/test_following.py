"""Following a source of items: what is said and learned, however many come at a time, and what is wrong with some."""

import asyncio
import csv
import io
import json
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import littlestone as ls
from littlestone.core.files import replacing
from littlestone.models.following import Answer, Change, Labelled, Notice, Progress, Saved, follow
from littlestone.models.following.coming import Place

COLOURS, WORDS = ("red", "blue", "green"), [f"w{i}" for i in range(30)]
FORMATS = ("vw", "svmlight", "jsonl", "csv", "snow")


def examples(count, seed):
    """Ids, labels, and what there is to know: a label that follows from some of it."""
    rng = random.Random(seed)
    found = []
    for i in range(count):
        colour, size = rng.choice(COLOURS), round(10 * rng.random(), 2)
        words = rng.sample(WORDS, rng.randint(1, 6))
        found.append((f"r{seed}-{i}", int("w3" in words or colour == "red"), colour, size, words))
    return found


def numbers(words):
    return sorted(int(word[1:]) + 1 for word in words)


def cells(*row):
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow(row)
    return text.getvalue()


def line(form, example, labelled=True):
    """An example in a format, with its label or without."""
    name, y, colour, size, words = example
    if form == "vw":
        label = ("-1 ", "1 ")[y] if labelled else ""
        return f"{label}'{name}| colour={colour} size:{size} {' '.join(words)}"
    if form == "svmlight":
        label = ("-1 ", "+1 ")[y] if labelled else ""
        return label + " ".join(f"{i}:1" for i in numbers(words))
    if form == "snow":
        return ", ".join(map(str, [*([y] if labelled else []), *(i + 5 for i in numbers(words))])) + ":"
    if form == "jsonl":
        found = {"id": name, "features": {"size": size, **dict.fromkeys(words, 1)}}
        return json.dumps(found | ({"label": "ny"[y]} if labelled else {}))
    return cells(name, colour, size, f"a, {words[0]}", "ny"[y] if labelled else "")


def late(form, example, at):
    """The label of an example that came in line ``at``."""
    label = example[1] if form == "snow" else 2 * example[1] - 1 if form in {"vw", "svmlight"} else "ny"[example[1]]
    return json.dumps({"id": at if form in {"svmlight", "snow"} else example[0], "label": label})


def source(form, rows, seed, wait=20):
    """Lines: some examples with their labels, and some whose labels come later, in any order."""
    rng, found, due = random.Random(seed), [], []
    if form == "csv":
        found.append("id,colour,size,note,class")
    for example in rows:
        labelled = rng.random() < 0.5
        found.append(line(form, example, labelled))
        if not labelled:
            due.append((example, len(found)))
        while due and rng.random() < 0.4 + (len(due) > wait):
            found.append(late(form, *due.pop(rng.randrange(len(due)))))
    return found


def trained(form, learner, folder, rows=100):
    head = ["id,colour,size,note,class"] if form == "csv" else []
    path = folder / f"rows.{ {'svmlight': 'svm'}.get(form, form) }"
    path.write_text("\n".join([*head, *(line(form, one) for one in examples(rows, 0))]) + "\n")
    options = {"targets": [0, 1]} if form == "snow" else {"tag": "id"} if form == "jsonl" else {}
    return ls.Model.train(str(path), learner=learner, **options)


def grouped(items, rng):
    """The same items, some at a time."""
    left, found = list(items), []
    while left:
        count = rng.choice((1, 1, 2, 7, 50))
        found.append(left[:count])
        left = left[count:]
    return found


def said(events):
    return [event for event in events if not isinstance(event, Saved)]


@pytest.mark.parametrize("learner", ["auto", "winnow:theta=6", "arow", "winner-takes-all", "perceptron"])
@pytest.mark.parametrize("form", FORMATS)
def test_it_does_not_matter_how_many_come_at_a_time(form, learner, tmp_path):
    model = trained(form, learner if form not in {"csv", "vw"} or "winnow" not in learner else "arow", tmp_path)
    lines = source(form, examples(250, 1), seed=2)
    found = []
    for name, items in (("one", lines), ("some", grouped(lines, random.Random(3))), ("all", [lines])):
        path = tmp_path / f"{name}.npz"
        model.save(path)
        found.append((said(follow(path, items)), path.read_bytes()))
    assert found[0] == found[1] == found[2]
    events = found[0][0]
    assert not [event for event in events if isinstance(event, Notice)]
    assert events[-1].answered == 250
    assert events[-1].learned + events[-1].waiting == 250


@pytest.mark.parametrize("form", FORMATS)
def test_what_is_said_and_learned_is_that_of_one_row_after_the_other(form, tmp_path):
    """The twin asks a model for each row as `predict` and `learn` take it, and keeps what waits in a dict."""
    model = trained(form, "arow", tmp_path)
    twin, lines = model.copy(), source(form, examples(200, 1), seed=4)
    rows, head = iter(examples(200, 1)), form == "csv"
    waiting, wrong = {}, 0
    events = iter(follow(model, lines))
    for at, text in enumerate(lines, start=1):
        if head and at == 1:
            continue
        if text.startswith("{") and set(json.loads(text)) == {"id", "label"}:
            found = json.loads(text)
            row, prediction = waiting.pop(str(found["id"]))
            event = next(events)
            assert event == Labelled(found["id"], found["label"], prediction)
            twin.learn(io.BytesIO(row(True)))
            wrong += prediction != found["label"]
            continue
        example = next(rows)
        own = at if form in {"svmlight", "snow"} else example[0]
        begin = "id,colour,size,note,class\n" if head else ""
        row = lambda labelled, one=example: (begin + line(form, one, labelled) + "\n").encode()  # noqa: B023, E731
        [prediction] = twin.predict(io.BytesIO(row(True))).tolist()
        shares = twin.probabilities(io.BytesIO(row(True)))[0]
        event = next(events)
        assert (event.id, event.prediction) == (own, prediction)
        assert event.probability == shares[twin.labels.index(prediction)]
        if event.label is None:
            waiting[str(own)] = row, prediction
        else:
            wrong += prediction != event.label
            twin.learn(io.BytesIO(row(True)))
    last = next(events)
    assert (last.mistakes, last.waiting, last.learned) == (wrong, len(waiting), 200 - len(waiting))
    fresh = [text for text in source(form, examples(100, 9), seed=9, wait=0) if not text.startswith('{"id": "r9')]
    text = ("\n".join(text for text in fresh if '"label"' not in text or form == "jsonl") + "\n").encode()
    assert model.trials == twin.trials
    if form != "jsonl":
        assert np.array_equal(model.probabilities(io.BytesIO(text)), twin.probabilities(io.BytesIO(text)))


@settings(max_examples=6, deadline=None)
@given(st.integers(0, 2**31), st.sampled_from(FORMATS))
def test_stopped_anywhere_it_goes_on(tmp_path_factory, seed, form):
    """Also if nobody heard what it said last: it is said again, and learned once."""
    folder, rng = tmp_path_factory.mktemp("stops"), random.Random(seed)
    model, lines = trained(form, "arow", folder), source(form, examples(80, 1), seed)
    whole, path = folder / "whole.npz", folder / "model.npz"
    model.save(whole)
    model.save(path)
    expected = [event for event in follow(whole, lines) if isinstance(event, Answer)]
    heard = []
    for _ in range(6):
        steps = follow(path, lines, replay=True, every=rng.choice((1, 3, 20)))
        for _, event in zip(range(rng.randrange(40)), steps, strict=False):
            heard.append(event)
        steps.close()
    heard += follow(path, lines, replay=True, every=rng.choice((1, 10)))
    assert path.read_bytes() == whole.read_bytes()
    answers = [event for event in heard if isinstance(event, Answer)]
    assert {repr(answer) for answer in answers} == {repr(answer) for answer in expected}


BAD = [  # the line, and what is said of it
    ("only,two", "11: expected 5 cells, as the header has, got 2; quote cells that contain the delimiter; the line"),
    ("x,red,much,a,y", "11: column 'size': expected a number, got 'much'; correct the cell; the line was left out"),
    ("x,red,1,a,perhaps", "11: expected a label of ('n', 'y'), got 'perhaps'; say new_labels=True if it is a new one"),
    ('{"id": "x", "label": "y"}', "11: a label for 'x' came, but no such example waits: it is still to come, or was"),
    ('{"id": "x", "label": "maybe"}', "11: the label of 'x': expected a label of ('n', 'y'), got 'maybe'; say new"),
    ('"x,red,1,a,y', "11: expected a row of CSV, got one with an error: unexpected end of data; double the quotes"),
]


@pytest.mark.parametrize("at_once", [True, False])
@pytest.mark.parametrize(("text", "notice"), BAD)
def test_a_bad_line_is_said_and_the_stream_goes_on(text, notice, at_once, tmp_path):
    model = trained("csv", "auto", tmp_path)
    lines = source("csv", examples(40, 5), seed=5, wait=0)
    other = model.copy()
    sound = [event for event in follow(other, lines) if isinstance(event, Answer)]
    broken = [*lines[:10], text, *lines[10:]]
    events = list(follow(model, [broken] if at_once else broken))
    [found] = [event for event in events if isinstance(event, Notice)]
    assert str(found).startswith(f"list:{notice}")
    answers = [event for event in events if isinstance(event, Answer) and event.id != "x"]
    assert answers == sound
    assert model.trials == other.trials


def test_an_id_that_waits_is_not_taken_twice(tmp_path):
    model = trained("vw", "perceptron", tmp_path)
    first, second = "'a| w1 w2", "'a| w4"
    events = list(follow(model, [first, second, '{"id": "a", "label": 1}', '{"id": "a", "label": -1}']))
    kinds = [type(event) for event in events]
    assert kinds == [Answer, Answer, Notice, Labelled, Notice, Progress]
    assert "waits for its label already" in str(events[2])
    assert "no such example waits" in str(events[4])
    assert (events[-1].answered, events[-1].learned, events[-1].waiting) == (2, 1, 0)


@pytest.mark.parametrize("again", ["'a| w1 w2", "'a|"])
def test_a_row_that_comes_again_with_its_label_is_its_label(again, tmp_path):
    model = trained("vw", "perceptron", tmp_path)
    other = model.copy()
    events = list(follow(model, ["'a| w2 w1", f"1 {again}"]))
    assert [type(event) for event in events] == [Answer, Labelled, Progress]
    assert [type(event) for event in follow(other, ["1 'a| w1 w2"])] == [Answer, Progress]
    assert model.trials == other.trials == 101
    probe = b"".join(b"| w%d\n" % i for i in range(30))
    assert np.array_equal(model.probabilities(io.BytesIO(probe)), other.probabilities(io.BytesIO(probe)))


def test_a_label_before_its_example_is_kept_for_it(tmp_path):
    model = trained("vw", "perceptron", tmp_path)
    other = model.copy()
    events = list(follow(model, ['{"id": "a", "label": 1}', "'a| w1 w2", "'a| w1 w2"]))
    assert [type(event) for event in events] == [Notice, Answer, Answer, Progress]
    assert events[1].label == 1
    assert (events[-1].learned, events[-1].waiting) == (1, 1)
    list(follow(other, ["1 'a| w1 w2"]))
    assert model.trials == other.trials


def test_what_waits_too_long_is_dropped(tmp_path):
    model = trained("vw", "perceptron", tmp_path)
    events = list(follow(model, ["'a| w1", "'b| w2", "'c| w3", '{"id": "a", "label": 1}'], limit=2))
    assert [type(event) for event in events] == [Answer, Answer, Answer, Notice, Notice, Progress]
    assert "more than 2 examples wait" in str(events[3])
    assert "as 1 were, beyond limit=2" in str(events[4])
    assert (events[-1].waiting, events[-1].dropped) == (2, 1)


def test_labels_that_wait_for_their_examples_are_no_more_than_the_limit(tmp_path):
    model = trained("vw", "perceptron", tmp_path)
    labels = [{"id": name, "label": 1} for name in "abc"]
    events = list(follow(model, [*labels, *(f"'{name}| w1" for name in "abc")], limit=2))
    assert [event.label for event in events if isinstance(event, Answer)] == [None, 1, 1]
    assert "that of 'a' is forgotten" in str(events[2])


def test_a_new_label_is_learned_if_there_may_be_one(tmp_path):
    model = trained("jsonl", "winner-takes-all", tmp_path)
    row = {"id": "q", "features": ["w1"], "label": "new"}
    events = list(follow(model.copy(), [row]))
    assert [type(event) for event in events] == [Notice, Answer, Progress]
    assert events[-1].learned == 0
    events = list(follow(model, [row, row], new_labels=True))
    assert [event.label for event in events[:2]] == ["new", "new"]
    assert model.labels == ("n", "y", "new")


def test_rows_of_any_kind_are_the_same(tmp_path):
    model = trained("csv", "auto", tmp_path)
    rows = examples(30, 6)
    columns = ("colour", "size", "note")
    objects = [{"id": n, "colour": c, "size": s, "note": f"a, {w[0]}", "class": "ny"[y]} for n, y, c, s, w in rows]
    kinds = [
        ["id,colour,size,note,class", *(line("csv", one) for one in rows)],
        objects,
        [json.dumps(one) for one in objects],
        [({"colour": c, "size": s, "note": f"a, {w[0]}"}, "ny"[y], n) for n, y, c, s, w in rows],
        [([c, s, f"a, {w[0]}"], "ny"[y], n) for n, y, c, s, w in rows],
    ]
    assert model.columns == columns
    found = [said(follow(model.copy(), items)) for items in kinds]
    assert all(one == found[0] for one in found)
    assert len(found[0]) == 31


def test_texts_are_rows():
    texts = [("win a prize now", "spam"), ("lunch at noon", "ham")] * 20
    model = ls.Model.train([text for text, _ in texts], [label for _, label in texts])
    events = list(follow(model, [("a prize for you", None), (None, "spam", 1), ("noon", "ham", "n")]))
    assert [type(event) for event in events] == [Answer, Labelled, Answer, Progress]
    assert [events[0].prediction, events[1].prediction, events[2].prediction] == ["spam", "spam", "ham"]


@pytest.mark.parametrize("item", [5, ("x",), ("a", "b", "c", "d"), 2.5])
def test_what_is_no_example_is_said(item, tmp_path):
    events = list(follow(trained("vw", "perceptron", tmp_path), [item]))
    assert [type(event) for event in events] == [Notice, Progress]
    assert "list:1: expected a line, a dict, or (row, label)" in str(events[0])


def test_a_change_is_noticed_also_after_a_stop(tmp_path):
    """However it is stopped, at the same label."""
    rng = random.Random(7)
    model = trained("vw", "perceptron", tmp_path)
    lines = [f"{1 if (('w3' in words) != (at > 2000)) else -1} | {' '.join(words)}"
             for at in range(2600) for words in [rng.sample(WORDS, 5)]]  # fmt: skip
    path = tmp_path / "model.npz"
    model.save(path)
    whole = [event for event in follow(model.copy(), [lines]) if isinstance(event, Change)]
    assert whole
    assert 1900 < whole[0].began < 2100
    assert whole[0].after > whole[0].before + 0.1
    first = [event for event in follow(path, [lines[:2010]]) if isinstance(event, Change)]
    rest = [event for event in follow(path, [lines[2010:]]) if isinstance(event, Change)]
    assert first + rest == whole
    assert ls.load(path).following.about["score"]["changes"] == len(whole)


def test_a_full_disk_is_said_and_saving_tried_again(tmp_path, monkeypatch):
    model = trained("vw", "perceptron", tmp_path)
    path = tmp_path / "model.npz"
    model.save(path)
    before, full = path.read_bytes(), []

    def refusing(target):
        if len(full) < 2:
            full.append(target)
            raise OSError(28, "No space left on device")
        return replacing(target)

    monkeypatch.setattr("littlestone.models.files._archive.replacing", refusing)
    events = []
    for event in follow(path, [line("vw", one) for one in examples(5, 3)], every=1):
        events.append(event)
        if isinstance(event, Notice):
            assert path.read_bytes() == before
    notices = [str(event) for event in events if isinstance(event, Notice)]
    assert len(notices) == 2
    kept = "what was learned is kept, and saving is tried again"
    assert notices[0] == f"{path}: it cannot be saved now: No space left on device; {kept}"
    assert ls.load(path).trials == 105


def test_nobody_waits_for_what_comes_later():
    """Each item is answered before the next one is asked for."""
    model, asked = ls.Model.train([{"a": 1.0}, {"b": 1.0}] * 5, [1, 0] * 5), []

    def items():
        for name in "ab":
            asked.append(name)
            yield {"id": name, name: 1}

    for event in follow(model, items()):
        if isinstance(event, Answer):
            assert asked[-1] == event.id


def test_an_asynchronous_source(tmp_path):
    model = trained("vw", "arow", tmp_path)
    lines = source("vw", examples(50, 1), seed=8)
    path, other = tmp_path / "model.npz", tmp_path / "other.npz"
    model.save(path)
    model.save(other)

    async def queue(items):
        for item in items:
            await asyncio.sleep(0)
            yield item

    async def heard(items, **options):
        return [event async for event in ls.follow_async(path, items, **options)]

    first = asyncio.run(heard(queue(lines[:30])))
    rest = asyncio.run(heard(queue(lines), replay=True))
    expected = said(follow(other, lines))
    assert said(first)[:-1] + said(rest) == expected
    assert path.read_bytes() == other.read_bytes()
    assert [type(event) for event in asyncio.run(heard(lines[:1]))] == [Answer, Saved, Progress]  # in a thread


def test_training_anew_forgets_what_was_followed(tmp_path):
    path = tmp_path / "model.npz"
    trained("vw", "arow", tmp_path).save(path)
    list(follow(path, ["'a| w1"]))
    model = ls.load(path)
    assert model.following.about["place"]["lines"] == 1
    assert model.copy().following is model.following
    assert ls.load(path).following.arrays["waiting_said"].shape == (1,)


@pytest.mark.parametrize(
    "change",
    [
        {"answered": -1}, {"answered": None}, {"answered": 1.5}, {"labels": [5]}, {"begun_without": 1}, {"score": {}},
        {"place": {}}, {"place": {"lines": -1}},
        {"place": {"lines": 1, "head": 5}}, {"score": {"labels": 1, "mistakes": 2, "changes": 0}},
    ],
)  # fmt: skip
def test_a_forged_memory_is_refused(change, tmp_path):
    path = tmp_path / "model.npz"
    trained("vw", "arow", tmp_path).save(path)
    list(follow(path, ["'a| w1", "1 'b| w2"]))
    model = ls.load(path)
    model.following = model.following._replace(about=model.following.about | change)
    if change == {"place": {}}:
        assert Place.of({}) == Place()
        return
    with pytest.raises(ls.errors.InvalidModel):
        follow(model, []).__next__()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"every": 0}, "every"), ({"seconds": 0}, "seconds"), ({"limit": 0}, "limit"), ({"window": 0}, "window"),
        ({"format": "parquet"}, "expected lines"),
    ],
)  # fmt: skip
def test_wrong_options_are_refused(options, words, tmp_path):
    with pytest.raises((ls.errors.InvalidParameter, ls.errors.InvalidData), match=words):
        list(follow(trained("vw", "arow", tmp_path), ["| w1"], **options))


def test_a_learner_that_has_learned_nothing(tmp_path):
    path = tmp_path / "model.npz"
    lines = [line("vw", one) for one in examples(60, 1)]
    events = list(follow(ls.Perceptron(), lines, format="vw", save_to=path))
    assert (events[0].prediction, events[0].label) == (1, 1)
    model = ls.load(path)
    assert (model.trials, model.labels, model.reading["format"]) == (60, (-1, 1), "vw")
    assert list(follow(path, lines))[-1].answered == 120
    auto = [event for event in follow(ls.Auto(), lines, format="vw") if isinstance(event, Answer)]
    assert (auto[0].prediction, auto[0].probability) == (None, None)
    assert {answer.prediction for answer in auto[1:]} == {-1, 1}
    with pytest.raises(ls.errors.InvalidParameter, match="both labels"):
        follow(ls.Perceptron(), lines, format="jsonl").__next__()
    with pytest.raises(ls.errors.InvalidParameter, match="columns of a table"):
        follow(ls.Perceptron(), lines, format="csv").__next__()
    with pytest.raises(ls.errors.InvalidParameter, match="the format"):
        follow(ls.Perceptron(), lines).__next__()


def test_what_somebody_else_saved_is_not_written_over(tmp_path):
    model = trained("vw", "perceptron", tmp_path)
    path = tmp_path / "model.npz"
    model.save(path)
    first = follow(path, [line("vw", one) for one in examples(20, 3)], every=1)
    assert [type(next(first)) for _ in range(4)] == [Answer, Saved, Answer, Saved]
    list(follow(path, ["1 | w1"]))
    before = path.read_bytes()
    with pytest.raises(ls.errors.InvalidModel, match="somebody else saved meanwhile; let one at a time"):
        list(first)
    assert path.read_bytes() == before
