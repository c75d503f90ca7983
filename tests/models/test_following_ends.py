"""What ends following early, and what is kept: loops that are left, sources that raise, models without a file."""

import asyncio
import gzip

import pytest

import littlestone as ls
from littlestone.core.errors import InvalidData, InvalidParameter, LittlestoneError
from littlestone.models.following import Answer, Labelled, Notice, follow, follow_async

ROWS = [{"sky": "grey" if i % 2 else "blue", "rain": i % 2} for i in range(40)]


@pytest.fixture
def path(tmp_path):
    ls.Model.train(ROWS, label="rain").save(tmp_path / "model.npz")
    return tmp_path / "model.npz"


def test_whoever_leaves_the_loop_leaves_the_model_saved(path):
    for event in follow(path, iter(ROWS)):
        assert isinstance(event, Answer)
        if event.id == 3:
            break
    model = ls.load(path)
    assert (model.trials, model.following.about["place"]["lines"]) == (43, 3)
    for _ in follow(path, ROWS, replay=True):
        pass
    assert ls.load(path).trials == 80


def test_answers_that_nobody_has_heard_are_given_again(path):
    """Of items that came at once only some were heard: what was learned of them is not saved."""
    before = path.read_bytes()
    for _ in follow(path, [ROWS[:5]]):
        break
    assert path.read_bytes() == before
    heard = []
    for event in follow(path, [ROWS[:5]]):
        heard.append(event)
        if len(heard) == 5:
            break
    assert ls.load(path).trials == 45


def test_a_source_that_raises(path):
    def broken():
        yield from ROWS[:5]
        raise RuntimeError("the queue is gone")

    with pytest.raises(RuntimeError, match="the queue is gone"):
        list(follow(path, broken()))
    assert ls.load(path).trials == 45


def test_asynchronous_ends(path):
    async def source(*, broken):
        for row in ROWS[:5]:
            yield row
        if broken:
            raise RuntimeError("the queue is gone")

    async def leave():
        events = follow_async(path, source(broken=False))
        async for event in events:
            if event.id == 2:
                break
        await events.aclose()

    async def hear():
        async for _ in follow_async(path, source(broken=True)):
            pass

    asyncio.run(leave())
    assert ls.load(path).trials == 42
    with pytest.raises(RuntimeError):
        asyncio.run(hear())
    assert ls.load(path).trials == 47


def test_a_compressed_file_that_is_cut_short(path, tmp_path):
    whole = gzip.compress(
        "".join(f'{{"sky": "grey", "rain": {i % 2}, "id": {i * i}}}\n' for i in range(90_000)).encode()
    )
    (tmp_path / "log.jsonl.gz").write_bytes(whole[: len(whole) // 2])
    heard = []
    with pytest.raises(InvalidData, match="it was cut short"):
        heard.extend(event.id for event in follow(path, tmp_path / "log.jsonl.gz") if isinstance(event, Answer))
    model = ls.load(path)
    assert model.trials > 1000
    assert model.trials == 40 + model.following.about["place"]["lines"]


@pytest.mark.parametrize("suffix", ["", ".gz"])
@pytest.mark.parametrize("kind", ["csv", "tsv", "vw", "svm", "jsonl"])
def test_a_compressed_file_is_read_as_a_plain_one(kind, suffix, tmp_path):
    lines = {
        "csv": "sky,rain\ngrey,1\nblue,0\n", "tsv": "sky\train\ngrey\t1\nblue\t0\n", "vw": "1 | a b\n-1 | c\n",
        "svm": "1 1:1 3:1\n-1 2:1\n", "jsonl": '{"sky": "grey", "rain": 1}\n{"sky": "blue", "rain": 0}\n',
    }[kind]  # fmt: skip
    table = kind in {"csv", "tsv", "jsonl"}
    model = ls.Model.train(ROWS, label="rain") if table else ls.Perceptron()
    data = lines.encode()
    (tmp_path / f"log.{kind}{suffix}").write_bytes(gzip.compress(data) if suffix else data)
    events = list(follow(model, tmp_path / f"log.{kind}{suffix}", growing=False))
    assert not [event for event in events if isinstance(event, Notice)]
    assert [event.label for event in events if isinstance(event, Answer)] == [1, 0 if table else -1]


def test_a_model_that_is_no_file_remembers_what_waits():
    model = ls.Model.train(ROWS, label="rain")
    list(follow(model, [{"id": "a", "sky": "grey"}]))
    [event] = [event for event in follow(model, [{"id": "a", "label": 1}]) if isinstance(event, Labelled)]
    assert event == Labelled("a", 1, 1)


def test_a_model_of_tsv_follows_csv_and_the_other_way_round(tmp_path):
    (tmp_path / "train.tsv").write_text("message\tclass\n" + "hello, mum\tham\nfree cash\tspam\n" * 20)
    model = ls.Model.train(tmp_path / "train.tsv", label="class")
    (tmp_path / "log.csv").write_text('id,class,message\na,ham,"hello, mum"\nb,spam,free cash\n')
    events = [event for event in follow(model, tmp_path / "log.csv", growing=False) if not hasattr(event, "answered")]
    assert [(event.id, event.prediction) for event in events] == [("a", "ham"), ("b", "spam")]


def test_a_table_without_a_header_says_what_to_do():
    model = ls.Model.train([{"message": "hello mum", "class": "ham"}, {"message": "cash", "class": "spam"}] * 9,
                           label="class", text="message")  # fmt: skip
    said = [str(event) for event in follow(model, ["hello mum"], format="csv") if isinstance(event, Notice)]
    wrong = "list:1: expected a header with the columns 'message', got 'hello mum'"
    assert said == [f"{wrong}; say columns=NAMES where there is none; the line was left out"]
    [answer, _] = follow(model, ["hello mum"], format="csv", columns=["message"])
    assert answer.prediction == "ham"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"colour": 1}, "no parameter 'colour'"), ({"delimeter": ","}, "did you mean delimiter"),
        ({"tick": -1}, "tick must be a number >= 0"), ({"window": 1 << 80}, "window must be a whole number"),
        ({"hash_bits": 4}, "hash_bits: expected what the model reads with, None, got 4"),
    ],
)  # fmt: skip
def test_options_without_effect_are_refused(options, said):
    with pytest.raises(InvalidParameter, match=said):
        list(follow(ls.Model.train(ROWS, label="rain"), [], **options))


def test_one_dict_is_no_source():
    with pytest.raises(InvalidParameter, match="expected items, such as rows, got one dict; give a list"):
        list(follow(ls.Model.train(ROWS, label="rain"), ROWS[0]))


def test_a_last_saving_that_fails_says_what_is_lost(path, monkeypatch):
    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("littlestone.models.following.keeping.save", full)
    with pytest.raises(
        LittlestoneError, match="model.npz: it cannot be saved: No space left on device; it is as it was"
    ):
        list(follow(path, ROWS[:3]))


def test_a_folder_that_is_not_there(tmp_path):
    model = ls.Model.train(ROWS, label="rain")
    with pytest.raises(InvalidParameter, match="expected a folder that a model can be saved in"):
        list(follow(model, ROWS, save_to=tmp_path / "no" / "model.npz"))


def test_of_a_long_piece_some_lines_are_answered_at_a_time(path, tmp_path):
    """Whoever leaves within it finds nothing saved of it: not all of it was heard."""
    log = tmp_path / "log.jsonl"
    log.write_text("".join(f'{{"sky": "grey", "rain": {i % 2}}}\n' for i in range(5000)))
    before = path.read_bytes()
    following = ls.following.Following(path, log, growing=False)
    steps = following.steps()
    assert len(next(steps)) == 1024
    assert following.place == following.start
    following.left([])
    assert path.read_bytes() == before
    assert sum(isinstance(event, Answer) for events in steps for event in events) == 5000 - 1024
    assert ls.load(path).trials == 5040


def test_rows_of_json_may_come_where_a_table_came_before(tmp_path):
    """The format of a first pipe is saved; an object with the model's columns is a row all the same, not a cell."""
    rows = [{"message": "hello mum", "class": "ham"}, {"message": "free cash", "class": "spam"}] * 9
    path = tmp_path / "model.npz"
    ls.Model.train(rows, label="class", text="message").save(path)
    list(follow(path, ["free cash"], format="tsv", columns=["message"]))
    source = ['{"message": "free cash", "id": "a"}', "hello mum", '{"id": "a", "label": "spam"}', "{not json}"]
    events = [event for event in follow(path, source) if isinstance(event, Answer | Labelled | Notice)]
    assert [getattr(event, "id", None) for event in events] == ["a", 3, "a", 5]
    assert events[0].prediction == events[2].label == "spam"
