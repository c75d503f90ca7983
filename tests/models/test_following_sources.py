"""Following files and pipes: formats of lines, headers and broken lines, rotations, and places that are saved."""

import copy
import itertools
import random
from functools import partial

import pytest

import littlestone as ls
from littlestone.models.following import Answer, Labelled, Notice, Progress, Saved, follow
from littlestone.models.following.coming import Place
from littlestone.streams.sources.cutting import Cutter
from tests.models.followed import answered, during, live, named, noticed, numbered, pipe, table, to_the_end

# Headers

BROKEN = [b'"id"x,a,b,y\n', b"id,a,\xff,y\n", b"\0\0\n", b"garbage from a crash\n", b"id,a,a,y\n", b"\xff\xfei\0\n"]


@pytest.mark.parametrize("together", [True, False])
@pytest.mark.parametrize("broken", BROKEN)
@pytest.mark.parametrize("again", [False, True], ids=["first", "rotated"])
def test_a_broken_first_line_of_a_table_is_left_out_alone(broken, together, again, tmp_path):
    path, rows = tmp_path / "log.csv", b'id,a,b,y\nl,1,x,p\n{"id": "m", "label": "p"}\nm,2,y,\n'
    found = []
    if again:
        path.write_bytes(b"id,a,b,y\nk,1,x,p\n")
    else:
        path.touch()
    steps = live(table(tmp_path), path)
    found += during(steps)
    if again:
        path.rename(tmp_path / "log.csv.1")
    path.write_bytes(broken + rows if together else broken)
    found += during(steps)
    if not together:
        with path.open("ab") as file:
            file.write(rows)
        found += during(steps)
    steps.close()
    assert answered(found) == ["k"] * again + ["l", "m"]
    line = 3 if again else 1
    [wrong] = [said for said in noticed(found) if "left out" in said]
    assert wrong.startswith(f"{path}:{line}: expected ")


def test_what_was_found_before_an_error_is_kept(tmp_path):
    """A row that no text begins with, in the middle of a piece."""
    path = tmp_path / "log.csv"
    path.write_bytes(b'id,a,b,y\nk,1,x,p\n{"id": "q", "label": "p"}\n\xff\xfe,1,x,p\nl,1,x,p\n')
    events = to_the_end(table(tmp_path), path)
    assert answered(events) == ["k", "l"]
    assert len(noticed(events)) == 2


def test_a_rotated_table_without_a_header_has_the_last_one(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("b,id,a,y\nx,k,1,p\n")
    model = tmp_path / "model.npz"
    table(tmp_path).save(model)
    steps = live(model, path)
    found = during(steps)
    path.rename(tmp_path / "log.csv.1")
    path.write_text("y,l,2,p\nz,m,0,n\n")
    found += during(steps)
    steps.close()
    assert answered(found) == ["k", "l", "m"]
    assert len(noticed(found)) == 1


def test_a_header_that_comes_again_in_the_middle_is_the_new_one(tmp_path):
    """Whoever writes into the pipe has begun anew, with the columns in another order."""
    model = tmp_path / "model.npz"
    table(tmp_path).save(model)
    rows = [
        "id,a,b,y\n",
        "k,1,x,p\n",
        "l,2,y,p\n",
        " id, a, b, y\n",
        "m,1,x,p\n",
        "y,b,a,id\n",
        "p,x,1,n\n",
        "n,z,0,o\n",
    ]
    whole = pipe(model, "".join(rows))
    assert answered(whole) == ["k", "l", "m", "n", "o"]
    assert not noticed(whole)
    expected = [(one.id, one.prediction, one.label) for one in whole if isinstance(one, Answer)]
    for cut in range(1, len(rows)):
        table(tmp_path).save(model)
        found = pipe(model, "".join(rows[:cut])) + pipe(model, "".join(rows[cut:]))
        assert [(one.id, one.prediction, one.label) for one in found if isinstance(one, Answer)] == expected
        assert not noticed(found)


def test_a_stop_between_a_broken_line_and_the_header(tmp_path):
    path, model = tmp_path / "log.csv", tmp_path / "model.npz"
    table(tmp_path).save(model)
    path.write_text("id,a,b,y\nk,1,x,p\n")
    assert answered(to_the_end(model, path)) == ["k"]
    path.rename(tmp_path / "log.csv.1")
    path.write_text("garbage\n")
    assert len(noticed(to_the_end(model, path))) == 3
    assert ls.load(model).following.about["place"]["due"]
    path.write_text("garbage\ny,b,a\np,x,1\n")
    events = to_the_end(model, path)
    assert answered(events) == [5]
    assert not noticed(events)


# Quotes and long lines


def test_a_stray_quote_keeps_no_row_waiting(tmp_path):
    """The comma that the header shows divides cells; a semicolon does not."""
    path = tmp_path / "log.csv"
    path.write_text('id,b,a,y\nk,x;"oops,1,p\n' + "l,x,1,p\n" * 20)
    steps = live(table(tmp_path), path)
    assert answered(during(steps)) == ["k"] + ["l"] * 20
    steps.close()


@pytest.mark.parametrize("growing", [True, False])
def test_a_quote_that_is_left_open_costs_its_own_line(growing, tmp_path, monkeypatch):
    monkeypatch.setattr("littlestone.streams.sources.growing.Cutter", partial(Cutter, row=1000))
    path = tmp_path / "log.csv"
    path.write_text('id,a,b,y\n"oops,1,x,p\n' + "l,1,x,p\n" * 130)
    steps = live(table(tmp_path), path, growing=growing)
    found = during(steps, 0.5) if growing else [event for events in steps for event in events]
    steps.close()
    assert answered(found) == ["l"] * 130
    assert len(noticed(found)) == 1
    assert noticed(found)[0].startswith(f"{path}:2: expected a row of CSV, got one with an error: unexpected end")


def test_a_line_that_is_too_long_is_passed_once(tmp_path, monkeypatch):
    monkeypatch.setattr("littlestone.streams.sources.growing.LONGEST", 1000)
    path, model = tmp_path / "log.jsonl", tmp_path / "model.npz"
    named().save(model)
    path.write_text('{"a":1,"label":1}\n{"t":"' + 2000 * "x" + '"}\n{"b":1,"label":0}\n')
    events = to_the_end(model, path)
    assert answered(events) == [1, 3]
    assert noticed(events) == [f"{path}:2: expected a line of at most 1000 bytes, got a longer one; it was left out"]
    assert [type(event) for event in to_the_end(model, path)] == [Progress]


# Rotations


def test_the_rows_of_a_rotated_table_of_which_only_the_header_was_read(tmp_path):
    path, model = tmp_path / "log.csv", tmp_path / "model.npz"
    table(tmp_path).save(model)
    for number in range(2):  # older ones, with the same header
        (tmp_path / f"log.csv.{9 - number}").write_text(f"id,a,b,y\nolder{number},1,x,p\n")
    path.write_text("id,a,b,y\n")
    assert answered(to_the_end(model, path)) == []
    with path.open("a") as file:
        file.write("old,1,x,p\n")
    path.rename(tmp_path / "log.csv.1")
    path.write_text("id,a,b,y\nnew,1,x,p\n")
    assert answered(to_the_end(model, path)) == ["old", "new"]


def test_a_place_without_an_identity_is_that_of_an_earlier_version(tmp_path):
    path, model = tmp_path / "log.csv", tmp_path / "model.npz"
    table(tmp_path).save(model)
    path.write_text("id,a,b,y\nk,1,x,p\n")
    to_the_end(model, path)
    found = ls.load(model)
    place = {
        name: found.following.about["place"][name] for name in ("lines", "bytes", "crc", "head", "dividing", "mark")
    }
    found.following = found.following._replace(about=found.following.about | {"place": place})
    found.save(model)
    with path.open("a") as file:
        file.write("l,1,x,p\n")
    assert answered(to_the_end(model, path)) == ["l"]


# Formats


def test_lines_are_read_in_the_format_that_was_said_or_found(tmp_path):
    path = tmp_path / "log"
    train = tmp_path / "train.jsonl"
    train.write_text("".join('{"label":%d,"a":%d,"b":1}\n' % (i % 2, i % 2) for i in range(20)))
    path.write_text("1 'x | a b\n0 'y | b\n")
    items = path.read_text().splitlines()
    for source, options in ((str(path), {}), (str(path), {"format": "vw"}), (items, {"format": "vw"})):
        events = list(follow(ls.Model.train(str(train)), source, growing=False, **options))
        assert [(event.id, event.label) for event in events if isinstance(event, Answer)] == [("x", 1), ("y", 0)]
        assert not noticed(events)


LINES = {
    "svmlight": (numbered, ["1 1:1 3:1", "0 2:1 3:1", "1:1", "1", "0 2:1", "# c", "1:1 2:1", "0:1"]),
    "vw": (named, ["| a", "1 | b", "| b:2", "'k | 1 2", '{"id": "k", "label": 1}']),
    "jsonl": (named, ['{"id": 5, "label": 1}', '{"a": 1, "label": 1}', '{"b": 1}', '["a"]', '{"id": 5, "a": 2}']),
}


@pytest.mark.parametrize("kind", ["items", "file", "pipe"])
@pytest.mark.parametrize("form", LINES)
def test_the_format_that_the_first_line_shows_is_that_of_all(form, kind, tmp_path):
    """However many come at a time, and also after a stop."""
    make, lines = LINES[form]
    model, log = tmp_path / "model.npz", tmp_path / "log"

    def fed(some, before):
        if kind == "items":
            return list(follow(model, some))
        if kind == "pipe":
            return pipe(model, "".join(f"{line}\n" for line in some))
        log.write_text("".join(f"{line}\n" for line in before + some))
        return to_the_end(model, log)

    make().save(model)
    found = [repr(event) for event in fed(lines, []) if not isinstance(event, Saved | Progress)]
    after = model.read_bytes()
    for cut in range(1, len(lines)):
        make().save(model)
        log.unlink(missing_ok=True)
        events = fed(lines[:cut], []) + fed(lines[cut:], lines[:cut])
        assert [repr(event) for event in events if not isinstance(event, Saved | Progress)] == found
        if kind != "file":  # whose identity is another one
            assert model.read_bytes() == after
    if kind == "items":
        events = list(follow(make(), [lines]))
        assert [repr(event) for event in events if not isinstance(event, Progress)] == found


def test_a_late_label_does_not_say_which_format_a_file_has(tmp_path):
    path = tmp_path / "log"
    path.write_text('\n{"id":"k","label":"p"}\nid,a,b,y\nk,1,x,\nl,1,x,p\n')
    events = to_the_end(table(tmp_path), path)
    assert [(event.id, event.label) for event in events if isinstance(event, Answer)] == [("k", "p"), ("l", "p")]
    assert len(noticed(events)) == 1


def test_the_format_is_that_of_the_first_piece_and_is_saved(tmp_path):
    path, model = tmp_path / "log", tmp_path / "model.npz"
    table(tmp_path).save(model)
    path.touch()
    steps = live(model, path)
    during(steps, 0.05)
    path.write_text('{"id":"k","a":1,"b":"x"}\n')  # it was empty at first
    assert answered(during(steps)) == ["k"]
    steps.close()
    assert answered(to_the_end(model, path)) == ["k"]
    with path.open("a") as file:
        file.write('{"id":"l","a":1,"b":"x"}\n')
    path.rename(tmp_path / "log.1")
    path.touch()
    events = to_the_end(model, path)
    assert answered(events) == ["l"]
    assert ls.load(model).following.about["place"]["format"] == "jsonl"


def test_a_first_line_that_shows_nothing_is_left_out(tmp_path):
    path = tmp_path / "log"
    path.write_text("what is this\n1 | a\n| b\n")
    events = to_the_end(named(), path)
    assert answered(events) == [2, 3]
    assert noticed(events)[0].startswith(f"{path}:1: expected a file of examples, got b'what is this")


# Everything at once

ANYTHING = (
    "i{0},1,x,p\n", "j{0},2,y,\n", '{{"id":"j{0}","label":"p"}}\n', '"oops,1,x,p\n', 'q{0},1,"x\ny",p\n', "id,a,b,y\n",
    "y,id,b,a\n", "garbage\n", "{1}\n", "\n", 's;"t,1,x,p\n', '{{"id":"{0}\n',
)  # fmt: skip
FIRST = ("id,a,b,y\n", '{"id":"k","label":"p"}\nid,a,b,y\n', "garbage\nid,a,b,y\n", '"oops\nid,a,b,y\n')


@pytest.mark.parametrize("seed", range(12))
def test_a_table_in_which_everything_is_wrong_is_read_alike_however_it_comes(seed, tmp_path, monkeypatch):
    """Rows come some bytes at a time, and whoever reads them is killed now and then; what is said twice is the same."""
    monkeypatch.setattr("littlestone.streams.sources.growing.LONGEST", 400)
    monkeypatch.setattr("littlestone.streams.sources.growing.Cutter", partial(Cutter, row=200))
    draw, found = random.Random(seed), []
    lines = [draw.choice(ANYTHING).format(i, "z" * draw.choice((300, 500))) for i in range(60)]
    data = (draw.choice(FIRST) + "".join(lines) + "last,1,x,p\n").encode()
    table(tmp_path).save(tmp_path / "begun")
    for some in (False, True):
        path, model = tmp_path / "log", tmp_path / f"{some}"
        model.write_bytes((tmp_path / "begun").read_bytes())
        path.write_bytes(b"")
        steps, at, said = None, 0, []
        while at < len(data):
            size = draw.choice((1, 5, 50, 300)) if some else len(data)
            with path.open("ab") as file:
                file.write(data[at : at + size])
            at += size
            steps = steps or live(model, path, tick=0.0, every=1)
            said += itertools.chain.from_iterable(itertools.takewhile(bool, steps))
            if some and draw.random() < 0.3:
                steps.close()
                steps = None
        if steps is not None:
            steps.close()
        said += to_the_end(model, path)
        sayings = dict.fromkeys(str(one) for one in said if isinstance(one, Answer | Labelled | Notice))
        learned = ls.load(model)
        place = learned.following.about["place"] | {"identity": None}
        found.append(([*sayings], place, learned.trials, learned.probabilities([{"a": 1, "b": "x"}]).tolist()))
        path.unlink()
    assert found[0] == found[1]


# Places


FORGED = [
    {"dividing": {"evil": 1}}, {"dividing": {"on_error": "raise"}}, {"dividing": {"columns": 5}}, {"dividing": [1]},
    {"dividing": {"delimiter": 5}}, {"dividing": {"delimiter": "ab"}}, {"dividing": {"quote": [1]}},
    {"dividing": {"delimiter": '"', "quote": '"'}}, {"dividing": {"header": "x"}}, {"dividing": {"closed": False}},
    {"head": []}, {"head": ["a", "a"]}, {"head": [1]}, {"head": "ab"}, {"lines": True}, {"lines": 1.5},
    {"crc": 1 << 32}, {"bytes": -1}, {"format": "parquet"}, {"format": 5}, {"format": ["vw"]}, {"due": 1},
    {"identity": 5}, {"identity": [1]}, {"identity": [1, -1]}, {"identity": [1, "2"]}, {"more": 1},
]  # fmt: skip


@pytest.mark.parametrize("forged", FORGED, ids=str)
def test_a_forged_place_is_refused(forged, tmp_path):
    path, model = tmp_path / "log.csv", tmp_path / "model.npz"
    table(tmp_path).save(model)
    path.write_text("id,a,b,y\nk,1,x,p\n")
    to_the_end(model, path)
    found = ls.load(model)
    about = copy.deepcopy(found.following.about)
    assert Place.of(about["place"]).head == ["id", "a", "b", "y"]
    about["place"].update(forged)
    found.following = found.following._replace(about=about)
    with pytest.raises(ls.errors.InvalidModel, match="where the model was"):
        follow(found, str(path), growing=False).__next__()
