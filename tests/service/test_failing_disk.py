"""A disk that is full, or may only be read: learning says so, predicting goes on, and it recovers by itself."""

import os
import resource
import signal
import sqlite3
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from littlestone.service.desk import Desk
from littlestone.service.journal.schema import connect
from littlestone.service.wire import Ask, Create, Describe, Health, Label, Learn, Predict, Problem
from tests.service.desks import QUICK, begun, file_of, taught


class Failing:
    """A connection whose statements fail, if they begin with some word."""

    def __init__(self, path):
        self.inner, self.word, self.after = connect(path), None, 0

    def execute(self, sql, *params):
        if self.word is not None and sql.startswith(self.word):
            if self.after <= 0:
                raise sqlite3.OperationalError("database or disk is full")
            self.after -= 1
        return self.inner.execute(sql, *params)

    def executemany(self, sql, rows):
        if self.word is not None and sql.startswith(self.word):
            raise sqlite3.OperationalError("disk I/O error")
        return self.inner.executemany(sql, rows)

    def __getattr__(self, name):
        return getattr(self.inner, name)


@pytest.mark.parametrize("word", ["BEGIN", "INSERT INTO entries", "INSERT INTO keys", "COMMIT"])
def test_what_could_not_be_committed_was_not_learned(tmp_path, word):
    made = []

    def opened(path):
        made.append(Failing(path))
        return made[-1]

    desk = begun(tmp_path / "a", opened=opened)
    rows, _ = taught(desk, 60)
    desk.handle([Ask("m", [{"a": 1}], ["waits"])])
    before = file_of(desk)
    made[0].word = word
    group = [
        Learn("m", [{"a": 1}], ["yes"], once="k"), Predict("m", rows[:5]), Label("m", ["waits"], ["no"], once="l"),
        Learn("m", [{"b": 1}], ["maybe"]),
    ]  # fmt: skip
    learned, predicted, labelled, refused = desk.handle(group)
    assert learned.status == labelled.status == refused.status == 503 and learned.again
    assert ("full" in learned.detail or "I/O" in learned.detail) and predicted.after == 61
    assert desk.handle([Health()])[0].stuck and file_of(desk) == before
    if word != "INSERT INTO keys":
        assert desk.handle([Create("n", "arow", labels=[0, 1])])[0].status == 503
    desk.tick()
    made[0].word = None
    learned, predicted, labelled, refused = desk.handle(group)
    assert (learned.first, predicted.after, labelled.first, refused.status) == (62, 63, 63, 422)
    assert desk.handle([Health()])[0].stuck is None and desk.handle(group)[0] == learned
    after = file_of(desk)
    desk.abandon()
    with Desk(tmp_path / "a", QUICK) as again:
        assert file_of(again) == after


def test_a_full_disk_is_not_tried_all_the_time(tmp_path):
    options = QUICK.__class__(**{**QUICK.__dict__, "again": 1000.0})
    made = []
    desk = begun(tmp_path, options, opened=lambda path: made.append(Failing(path)) or made[-1])
    made[0].word = "COMMIT"
    assert desk.handle([Learn("m", [{"a": 1}], ["yes"])])[0].status == 503
    made[0].word = None
    assert desk.handle([Learn("m", [{"a": 1}], ["yes"])])[0].status == 503
    desk._tried -= 1001
    assert desk.handle([Learn("m", [{"a": 1}], ["yes"])])[0].first == 1
    desk.close()


def test_a_model_that_cannot_be_read_either_comes_back(tmp_path, monkeypatch):
    made = []
    desk = begun(tmp_path, opened=lambda path: made.append(Failing(path)) or made[-1])
    taught(desk, 10)
    made[0].word = "COMMIT"
    monkeypatch.setattr(type(desk.replay), "model", lambda *_, **__: (_ for _ in ()).throw(OSError("gone")))
    learned, predicted = desk.handle([Learn("m", [{"a": 1}], ["yes"]), Predict("m", [{"a": 1}])])
    assert learned.status == predicted.status == 503 and desk.broken
    monkeypatch.undo()
    made[0].word = None
    assert desk.handle([Learn("m", [{"a": 1}], ["yes"])])[0].first == 11 and not desk.broken
    desk.close()


def limited():
    """Let no file of this process grow beyond 300,000 bytes."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, resource.RLIM_INFINITY))


FULL = """
import resource, sys
from littlestone.service.desk import Desk
from littlestone.service.wire import Learn, Predict
from tests.service.desks import QUICK, begun, examples, file_of
from tests.service.test_failing_disk import limited
desk = begun(sys.argv[1])
limited()
rows, labels = examples(4000)
refused, at = 0, 0
while at < 4000:
    learn = Learn("m", rows[at:at + 100], labels[at:at + 100], once=str(at))
    [reply, said] = desk.handle([learn, Predict("m", rows[:3])])
    assert not said.refused, said
    if getattr(reply, "status", 0) == 503:
        refused += 1
        if refused == 3:
            resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        continue
    assert reply.count == 100, reply
    at += 100
assert refused >= 3, refused
before = file_of(desk)
desk.abandon()
with Desk(sys.argv[1], QUICK) as again:
    assert file_of(again) == before and again.served["m"].number == 4000
print("recovered")
"""


def test_files_that_may_not_grow(tmp_path):
    """The system itself refuses to write, as on a full disk."""
    root = Path(__file__).parents[2]
    path = os.pathsep.join([str(root), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-c", FULL, str(tmp_path / "data")]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": path}, check=False)
    assert done.stdout == "recovered\n", done.stderr


def test_a_folder_that_may_only_be_read(tmp_path):
    desk = begun(tmp_path)
    rows, labels = taught(desk, 30)
    desk.journal.connection.execute("PRAGMA query_only=ON")
    learned, said = desk.handle([Learn("m", rows[:1], labels[:1]), Predict("m", rows)])
    assert isinstance(learned, Problem) and "readonly" in learned.detail and not said.refused
    desk.journal.connection.execute("PRAGMA query_only=OFF")
    assert desk.handle([Learn("m", rows[:1], labels[:1])])[0].first == 31
    desk.close()


def test_a_snapshot_that_cannot_be_written_is_none(tmp_path, monkeypatch):
    desk = begun(tmp_path)
    taught(desk, 30)
    monkeypatch.setattr(type(desk.served["m"]), "write", lambda *_: (_ for _ in ()).throw(OSError("full")))
    assert not desk.snapshot(desk.served["m"])
    assert "no snapshot could be made: full" in desk.handle([Describe("m")])[0].models[0]["alarms"]
    monkeypatch.undo()
    assert desk.snapshot(desk.served["m"])
    desk.close()


def test_damaged_and_forged_snapshots_are_passed_over(tmp_path):
    desk = begun(tmp_path)
    for seed in range(3):
        taught(desk, 30, seed)
        desk.snapshot(desk.served["m"])
    before = file_of(desk)
    other = begun(tmp_path / "other")
    taught(other, 90, 9)
    forged = file_of(other)
    other.close()
    newest, older = (desk.snapshots.path(1, number) for number in (90, 60))
    desk.close()
    newest.write_bytes(newest.read_bytes()[:-1])
    older.write_bytes(forged)
    connection = sqlite3.connect(tmp_path / "journal.db")
    connection.execute("UPDATE snapshots SET digest = ? WHERE number = 60", (sha256(forged).digest(),))
    connection.commit()
    connection.close()
    with Desk(tmp_path, QUICK) as desk:
        assert [one.number for one in desk.snapshots.sound(1)] == [30, 0]
        assert file_of(desk) == before


def test_a_folder_without_any_sound_snapshot(tmp_path):
    desk = begun(tmp_path)
    taught(desk, 30)
    desk.handle([Create("n", "arow", labels=[0, 1])])
    desk.abandon()
    (tmp_path / "snapshots" / "1" / "0.npz").write_bytes(b"")
    with Desk(tmp_path, QUICK) as desk:
        [reply, learned] = desk.handle([Predict("m", [{"a": 1}]), Learn("n", [{"a": 1}], [1])])
        assert reply.status == 503 and "sound snapshot" in reply.detail and learned.count == 1
