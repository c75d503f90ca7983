"""The past: a model as of an event, a label corrected, an example forgotten and erased, a model rolled back."""

import random
import time

import pytest

from littlestone.service.desk import Desk
from littlestone.service.wire import (
    Amended,
    Ask,
    Clone,
    Correct,
    Create,
    Describe,
    Download,
    Forget,
    Label,
    Learn,
    Made,
    Predict,
    Problem,
    Remove,
    RollBack,
)  # fmt: skip
from tests.service.desks import QUICK, begun, examples, file_of, taught

SECRET = "xq-unmistakable-secret"


def settled(desk):
    """Wait until all is replayed."""
    while len(desk.reworks):
        desk.tick()
        time.sleep(0.01)


def all_bytes(folder):
    """All that is in the files of a folder."""
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize("snapshots", [False, True])
def test_a_model_as_of_an_event(tmp_path, snapshots):
    desk = begun(tmp_path)
    rows, labels = examples(60)
    files = [file_of(desk)]
    for at in range(60):
        desk.handle([Learn("m", rows[at : at + 1], labels[at : at + 1])])
        files.append(file_of(desk))
        if snapshots and at % 10 == 0:
            desk.snapshot(desk.served["m"])
    later = [desk.take([Download("m", number)])[0] for number in (0, 30, 59)]
    assert [desk.wait(one).data for one in later] == [files[number] for number in (0, 30, 59)]
    [said] = desk.handle([Predict("m", rows[:9], at=20)])
    assert said.after == 20 and desk.handle([Predict("m", rows[:9])])[0].after == 60
    for number in (-1, 61, "x"):
        assert desk.handle([Download("m", number)])[0].status == 404
    assert desk.handle([Clone("m", "old", at=30)]) == [Made("old", 0)]
    assert desk.handle([Describe("old")])[0].models[0]["trials"] == 30
    desk.close()


@pytest.mark.parametrize("learner", ["arow", "auto", "multiclass-perceptron"])
def test_corrected_and_forgotten_it_is_the_model_that_never_saw_the_mistake(tmp_path, learner):
    rows, labels = examples(200)
    desk, clean = (Desk(tmp_path / name, QUICK) for name in ("a", "b"))
    for one in (desk, clean):
        one.handle([Create("m", learner, labels=["no", "yes"])])
    wrong = {17: "yes" if labels[17] == "no" else "no", 90: "yes" if labels[90] == "no" else "no"}
    never = {3, 50, 51, 199}
    for at in range(0, 200, 10):
        several = range(at, at + 10)
        desk.handle([Learn("m", [rows[i] for i in several], [wrong.get(i, labels[i]) for i in several])])
        some = [i for i in several if i not in never]
        clean.handle([Learn("m", [rows[i] for i in some], [labels[i] for i in some])])
        if at % 50 == 0:
            desk.snapshot(desk.served["m"])
    replies = desk.handle([Correct("m", i + 1, labels[i]) for i in wrong] + [Forget("m", i + 1) for i in sorted(never)])
    assert replies[0] == Amended("m", 18, pending=True) and all(isinstance(one, Amended) for one in replies)
    assert desk.handle([Describe("m")])[0].models[0]["pending"]
    more, same = examples(30, 9)
    for one in (desk, clean):
        one.handle([Learn("m", more, same)])  # while it is replayed
    settled(desk)
    assert not desk.handle([Describe("m")])[0].models[0]["pending"]
    assert file_of(desk) == file_of(clean)
    desk.abandon()
    desk = Desk(tmp_path / "a", QUICK)
    assert file_of(desk) == file_of(clean) and desk.served["m"].number == 230
    clean.close()
    desk.close()


def test_a_stop_between_the_correction_and_the_replay(tmp_path):
    desk, clean = begun(tmp_path / "a"), begun(tmp_path / "b")
    rows, labels = examples(50)
    desk.handle([Learn("m", rows, ["yes", *labels[1:]]), Correct("m", 1, "no")])
    clean.handle([Learn("m", rows, ["no", *labels[1:]])])
    desk.close()
    desk = Desk(tmp_path / "a", QUICK)
    assert file_of(desk) == file_of(clean)
    desk.close()
    clean.close()


def test_what_is_forgotten_is_in_no_file(tmp_path):
    desk = begun(tmp_path)
    rows, labels = examples(40)
    desk.handle([Learn("m", rows[:20], labels[:20])])
    secret = Learn("m", [rows[0], {SECRET: 1}, rows[1]], ["yes"] * 3, ids=[1, SECRET, 3], once="k")
    asked = Ask("m", [{SECRET: 2}], [SECRET + "-asked"], once="l")
    learned, waits = desk.handle([secret, asked])
    desk.handle([Label("m", [SECRET + "-asked"], ["no"], once="n"), Learn("m", rows[20:], labels[20:])])
    desk.snapshot(desk.served["m"])
    desk.handle([Correct("m", 22, "no")])
    settled(desk)
    desk.snapshot(desk.served["m"])
    assert SECRET.encode() in all_bytes(tmp_path)
    desk.handle([Forget("m", learned.numbers()[1]), Forget("m", waits.first)])
    settled(desk)
    for _ in range(5):
        time.sleep(0.03)
        desk.tick()
    assert not desk.truncate and SECRET.encode() not in all_bytes(tmp_path)
    again = desk.handle([secret, Forget("m", 22), Correct("m", 22, "yes"), Forget("m", 25), Forget("m", 20)])
    assert [getattr(one, "status", 0) for one in again] == [410, 410, 410, 410, 0]
    settled(desk)
    clean = begun(tmp_path / "clean")
    clean.handle([Learn("m", rows[:19], labels[:19]), Learn("m", rows[:2], ["yes"] * 2, ids=[1, 3])])
    clean.handle([Learn("m", rows[20:], labels[20:])])
    assert file_of(desk) == file_of(clean)
    desk.close()
    clean.close()


@pytest.mark.parametrize("how", ["label", "learn", "bare"])
@pytest.mark.parametrize("which", ["asked", "labelled"])
def test_an_example_and_its_late_label_are_forgotten_together(tmp_path, how, which):
    desk = begun(tmp_path / "a")
    rows, labels = examples(40)
    x, name = {SECRET: 2}, SECRET + "-id"
    late = {"label": Label("m", [name], ["no"]), "learn": Learn("m", [x], ["no"], ids=[name]),
            "bare": Learn("m", [{}], ["no"], ids=[name])}[how]  # fmt: skip
    teach = [Learn("m", rows[at : at + 1], labels[at : at + 1], ids=[at]) for at in range(40)]
    replies = desk.handle([*teach[:10], Ask("m", [rows[0], x], ["other", name]), *teach[10:20], late, *teach[20:]])
    desk.snapshot(desk.served["m"])
    assert SECRET.encode() in all_bytes(tmp_path)
    number = replies[10].first + 1 if which == "asked" else replies[21].first
    assert desk.handle([Forget("m", number)])[0].number == number
    settled(desk)
    for _ in range(5):
        time.sleep(0.03)
        desk.tick()
    assert not desk.truncate and SECRET.encode() not in all_bytes(tmp_path)
    clean = begun(tmp_path / "clean")
    clean.handle([*teach[:10], Ask("m", [rows[0]], ["other"]), *teach[10:]])
    assert file_of(desk) == file_of(clean)
    assert desk.handle([Forget("m", number)])[0].status == 410
    desk.close()
    clean.close()


def test_of_what_was_forgotten_or_removed_no_digest_is_left(tmp_path):
    desk = begun(tmp_path)
    desk.handle([Create("n", "arow", labels=["no", "yes"])])
    pin = Learn("m", [{"pin": "4711"}], ["yes"], once="k")
    other = Learn("n", [{"pin": "4711"}], ["yes"], once="k")
    desk.handle([pin, other, Forget("m", 1)])
    settled(desk)
    assert [one.status for one in desk.handle([pin, Learn("m", [{"pin": "0815"}], ["yes"], once="k")])] == [410, 410]
    desk.handle([Remove("n")])
    requests = desk.journal.connection.execute("SELECT request, answer FROM keys").fetchall()
    assert requests == [(bytes(16), None)] * 2
    desk.close()


def test_what_cannot_be_amended(tmp_path):
    desk = begun(tmp_path)
    desk.handle([Learn("m", [{"a": 1}], ["yes"]), Ask("m", [{"a": 1}], ["i"])])
    odd = {
        Correct("m", 3, "yes"): 404, Correct("m", 0, "yes"): 404, Correct("m", 1, "maybe"): 422,
        Correct("m", 2, "no"): 422, Forget("m", 3): 404, Forget("x", 1): 404, RollBack("m", 9): 404,
    }  # fmt: skip
    before = file_of(desk)
    assert [one.status for one in desk.handle(list(odd))] == list(odd.values())
    assert file_of(desk) == before
    desk.handle([RollBack("m", 1)])
    assert desk.handle([Forget("m", 3)])[0].status == 422
    desk.close()


@pytest.mark.parametrize("snapshots", [False, True])
def test_rolled_back_and_back_again(tmp_path, snapshots):
    desk = begun(tmp_path)
    taught(desk, 50)
    old = file_of(desk)
    taught(desk, 50, 2)
    new = file_of(desk)
    assert desk.handle([RollBack("m", 50)]) == [Made("m", 101, ["it is as of event 50"])]
    assert file_of(desk) == old
    taught(desk, 10, 3)
    after = file_of(desk)
    if not snapshots:
        with desk.journal.transaction():
            desk.snapshots.drop(1, [101])
        desk.snapshots.sweep()
    desk.abandon()
    desk = Desk(tmp_path, QUICK)
    assert file_of(desk) == after and desk.served["m"].number == 111
    assert [file_of(desk, at=at) for at in (100, 101)] == [new, old]
    desk.handle([RollBack("m", 100)])
    assert file_of(desk) == new
    desk.close()


def test_many_amendments_at_random(tmp_path):
    """Whatever is done, a restart and a replay from the beginning give the model that serves."""
    rng, desk = random.Random(4), begun(tmp_path)
    for _ in range(8):
        rows, labels = examples(20, rng.random())
        desk.handle([Learn("m", rows[:10], labels[:10]), Ask("m", rows[10:], [f"{rng.random()}" for _ in range(10)])])
        last = desk.served["m"].number
        kind = rng.choice(["forget", "correct", "back", "snapshot", "stop"])
        number = rng.randrange(1, last + 1)
        if kind == "snapshot":
            desk.snapshot(desk.served["m"])
        elif kind == "stop":
            desk.close()
            desk = Desk(tmp_path, QUICK)
        else:
            request = {"forget": Forget("m", number), "correct": Correct("m", number, "yes")}.get(kind)
            [reply] = desk.handle([request or RollBack("m", number)])
            assert not isinstance(reply, Problem) or reply.status in {409, 410, 422}
        if rng.random() < 0.5:
            settled(desk)
    settled(desk)
    desk.replay.model(1, scratch=True).write(tmp_path / "scratch.npz")
    assert (tmp_path / "scratch.npz").read_bytes() == file_of(desk)
    desk.close()


def test_without_another_process_it_is_replayed_at_once(tmp_path, monkeypatch):
    desk, clean = begun(tmp_path / "a"), begun(tmp_path / "b")
    rows, labels = examples(50)
    clean.handle([Learn("m", rows, ["no", *labels[1:]])])
    monkeypatch.setattr("subprocess.Popen", lambda *_, **__: (_ for _ in ()).throw(OSError("no room")))
    replies = desk.handle([Learn("m", rows, ["yes", *labels[1:]]), Correct("m", 1, "no")])
    assert replies[1] == Amended("m", 1, pending=False) and file_of(desk) == file_of(clean)
    assert desk.handle([Predict("m", rows, at=3)])[0].status == 503
    desk.close()
    clean.close()


def test_a_roll_back_that_cannot_be_written_down(tmp_path):
    desk = begun(tmp_path)
    taught(desk, 30)
    [later] = desk.take([RollBack("m", 10)])
    desk.journal.connection.execute("PRAGMA query_only=ON")
    assert desk.wait(later).status == 503 and desk.served["m"].number == 30
    desk.journal.connection.execute("PRAGMA query_only=OFF")
    assert desk.handle([RollBack("m", 10)])[0].number == 31
    desk.close()
