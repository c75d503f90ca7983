"""Champion and challenger learn the same request in one commit: both have it, or neither, and once."""

import msgspec
import pytest

from littlestone.service.desk import Desk
from littlestone.service.journal.journal import entries_of
from littlestone.service.models.served import Served
from littlestone.service.verifying import verify
from littlestone.service.wire import (
    Answered,
    Ask,
    Clone,
    Create,
    Forget,
    Label,
    Learn,
    Made,
    Predict,
    Problem,
    Remove,
    Switch,
)  # fmt: skip
from tests.service.desks import QUICK, begun, examples, file_of, taught
from tests.service.test_amending import settled


@pytest.fixture
def desk(tmp_path):
    """Two models, of which the challenger takes new labels."""
    with begun(tmp_path) as found:
        found.handle([Create("c", "multiclass-perceptron", labels=["no", "yes"], new_labels=True)])
        yield found


def both(rows, labels, once=None, shadow="c", **more):
    return Learn("m", rows, labels, once=once, shadow=shadow, **more)


def numbers(desk):
    return desk.served["m"].number, desk.served["c"].number


def test_both_learn_it_as_if_it_was_sent_to_each(desk, tmp_path):
    rows, labels = examples(60)
    desk.handle([Learn("c", rows[:3], labels[:3])])
    said = desk.handle([both(rows[at : at + 6], labels[at : at + 6]) for at in range(6, 60, 6)])
    with begun(tmp_path / "each") as each:
        each.handle([Create("c", "multiclass-perceptron", labels=["no", "yes"], new_labels=True)])
        each.handle([Learn("c", rows[:3], labels[:3])])
        apart = [Learn(name, rows[at : at + 6], labels[at : at + 6]) for name in "mc" for at in range(6, 60, 6)]
        alone = each.handle(apart)
        assert [msgspec.structs.replace(one, shadow=None) for one in said] == alone[:9]
        assert [one.shadow for one in said] == alone[9:]
        assert all(file_of(desk, name) == file_of(each, name) for name in "mc")
    assert numbers(desk) == (54, 57)


def test_a_row_that_one_refuses_and_the_other_accepts_is_what_each_says(desk):
    [said] = desk.handle([both([{"a": 1}, {"a": 2}], ["maybe", "yes"], "k")])
    assert said.numbers() == [None, 1] and said.refused[0].because == "label"
    assert said.shadow.numbers() == [1, 2] and said.shadow.refused == []
    [one] = desk.handle([both([{"a": 1}], ["maybe"], "l")])
    assert one.count == 0 and one.shadow.count == 1 and numbers(desk) == (1, 3)
    assert desk.handle([both([{"a": 1}], ["maybe"], "l")]) == [one] and numbers(desk) == (1, 3)
    [neither] = desk.handle([both([7], ["maybe"])])
    assert (neither.status, neither.kind, neither.where) == (422, "row", "rows[0]")


def test_asked_and_labelled(desk):
    asked, labelled, plain = desk.handle([
        Ask("m", [{"a": 1}, {"b": 1}], ["i", "j"], shadow="c"), Label("m", ["j", "x"], ["yes", "no"], shadow="c"),
        Label("c", ["i"], ["yes"]),
    ])  # fmt: skip
    assert asked.shadow.numbers() == asked.numbers() == [1, 2]
    assert labelled.shadow.numbers() == labelled.numbers() == [3, None] and plain.first == 4


def test_a_key_counts_for_the_whole_request(desk, tmp_path):
    first = both([{"a": 1}], ["yes"], "k")
    [said] = desk.handle([first])
    other = [
        both([{"a": 1}], ["yes"], "k", shadow=None), both([{"a": 2}], ["yes"], "k"),
        Learn("c", [{"a": 1}], ["yes"], once="k"), Ask("m", [{"a": 1}], ["k"], once="k", shadow="c"),
    ]  # fmt: skip
    assert [one.kind for one in desk.handle(other)] == ["key"] * 4
    desk.handle([Clone("c", "d")])
    assert desk.handle([both([{"a": 1}], ["yes"], "k", shadow="d")])[0].kind == "key"
    assert desk.handle([first, first]) == [said, said] and numbers(desk) == (1, 1)
    desk.handle([Switch("m", "c")])
    assert desk.handle([first]) == [said]  # and not learned again by each in the place of the other
    desk.handle([Switch("m", "c")])
    desk.abandon()
    with Desk(tmp_path, QUICK) as again:
        assert again.handle([first]) == [said] and numbers(again) == (1, 1)


def test_the_same_key_twice_in_a_group(desk):
    one, two = both([{"a": 1}], ["yes"], "k"), both([{"a": 2}], ["yes"], "k")
    first, again, other, third, plain = desk.handle([one, one, two, one, Learn("c", [{"a": 1}], ["yes"], once="k")])
    assert first == again == third and other.kind == plain.kind == "key" and numbers(desk) == (1, 1)
    # a repetition beside another request under its key
    assert [isinstance(reply, Problem) for reply in desk.handle([two, one])] == [True, False]


def test_small_pairs_without_keys_are_one_entry_of_each_model(desk):
    desk.handle([both([{"a": 1}], ["yes"]) for _ in range(5)])
    entries = list(entries_of(desk.journal.connection, None))[2:]
    assert [(one.model, one.first, one.size) for one in entries] == [(1, 1, 5), (2, 1, 5)]


def test_both_are_durable_or_neither(desk, tmp_path):
    rows, labels = examples(20)
    desk.handle([both(rows[:10], labels[:10])])
    before = [file_of(desk, name) for name in "mc"]
    desk.journal.connection.execute("PRAGMA query_only=ON")
    [said] = desk.handle([both(rows[10:], labels[10:], "k")])
    assert said.status == 503 and said.again
    assert [file_of(desk, name) for name in "mc"] == before
    desk.journal.connection.execute("PRAGMA query_only=OFF")
    [said] = desk.handle([both(rows[10:], labels[10:], "k")])
    assert said.count == said.shadow.count == 10
    entries = list(entries_of(desk.journal.connection, None))[-2:]
    assert [(one.model, one.first, one.size, one.kind) for one in entries] == [
        (1, 11, 10, "learn"),
        (2, 11, 10, "learn"),
    ]
    assert verify(tmp_path, replay=True).is_sound


@pytest.mark.parametrize("fails", ["m", "c"])
def test_where_one_of_them_fails_the_other_learns_it_neither(desk, monkeypatch, fails):
    """Requests of others in the same group are done, also of the same models."""
    take = Served.take

    def taken(served, lines):
        said = take(served, lines)
        if served.name == fails and any(getattr(line, "x", None) == {"bad": 1} for line in lines):
            raise RuntimeError("nobody thought of it")
        return said

    monkeypatch.setattr(Served, "take", taken)
    bad, good = both([{"bad": 1}], ["yes"], "k"), both([{"a": 1}], ["yes"], "l")
    first, failed, last = desk.handle([good, bad, Learn("m", [{"b": 1}], ["no"])])
    assert failed.status == 500 and first.shadow.numbers() == [1] and last.first == 2
    assert numbers(desk) == (2, 1)
    monkeypatch.undo()
    [said] = desk.handle([bad])
    assert said.first == 3 and said.shadow.first == 2


def test_a_challenger_that_is_not_there(desk, monkeypatch):
    for shadow, status in (("none", 404), ("m", 422)):
        [said] = desk.handle([both([{"a": 1}], ["yes"], shadow=shadow)])
        assert (said.status, said.where) == (status, "shadow") and said.detail.startswith("shadow: ")
    desk.broken["c"] = "it is on the moon"
    del desk.served["c"]
    monkeypatch.setattr(desk, "_mend", lambda: None)
    [said] = desk.handle([both([{"a": 1}], ["yes"])])
    assert said.status == 503 and said.again and desk.served["m"].number == 0


def test_forgotten_by_both(desk):
    """Each forgets its own; nothing is left under the key."""
    request = both([{"pin": "4711"}], ["yes"], "k")
    [said] = desk.handle([request])
    desk.handle([Forget("m", said.first)])
    settled(desk)
    assert desk.handle([request])[0].status == 410
    desk.handle([Remove("c")])
    rows = desk.journal.connection.execute("SELECT request, answer FROM keys").fetchall()
    assert rows == [(bytes(16), None)] * 2


def test_champion_and_challenger_change_roles(desk):
    desk.handle([Create("one", "arow", labels=["no", "yes"])])
    request = [
        both([{"a": 1}], ["yes"]),
        Learn("c", [{"b": 1}], ["no"], shadow="m"),
        Learn("one", [{}], ["no"], shadow="m"),
    ]
    replies = desk.handle(request)
    assert [(one.first, one.shadow.first) for one in replies] == [(1, 1), (2, 2), (1, 3)]
    assert desk.handle([Switch("m", "c")]) == [Made("m", 2)]
    assert isinstance(desk.handle([both([{"a": 1}], ["yes"])])[0], Answered)
    assert desk.handle([Predict("m", [{"a": 1}], shadow="c")])[0].shadow.model == "c"


def test_many_pairs_and_a_restart(desk, tmp_path):
    rows, labels = examples(200)
    desk.handle([both(rows[at : at + 4], labels[at : at + 4], f"{at}") for at in range(0, 200, 4)])
    taught(desk, 20, 3)
    files = [file_of(desk, name) for name in "mc"]
    desk.abandon()
    with Desk(tmp_path, QUICK) as again:
        assert [file_of(again, name) for name in "mc"] == files
        for at, name in enumerate("mc"):
            again.replay.model(at + 1, scratch=True).write(tmp_path / "scratch.npz")
            assert (tmp_path / "scratch.npz").read_bytes() == file_of(again, name)


def test_a_repetition_gets_the_first_answer_whatever_became_of_the_challenger(desk):
    first = both([{"a": 1}], ["yes"], "k")
    [said] = desk.handle([first])
    desk.handle([Remove("c")])
    again, other = desk.handle([first, both([{"a": 1}], ["yes"], "l")])
    assert again == said and said.shadow.first == 1
    assert (other.status, other.where) == (404, "shadow") and desk.served["m"].number == 1
