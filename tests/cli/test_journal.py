"""littlestone journal: verify, replay, export, compact and backup, on the folder of a service."""

import json

import pytest

import littlestone as ls
from tests.cli.test_train import call

pytest.importorskip("msgspec", reason="the service needs msgspec")

from littlestone.service import Desk
from littlestone.service.wire import Correct, Create, Forget, Learn, Predict


@pytest.fixture
def folder(tmp_path):
    """A folder with fifty-two events, of which one was corrected and one forgotten."""
    with Desk(tmp_path / "data") as desk:
        desk.handle([Create("spam", "winnow", labels=["ham", "spam"], attributes=100)])
        desk.handle([Learn("spam", [{"win": 1}, {"lunch": 1}], ["spam", "ham"])])
        for at in range(50):
            desk.handle([Learn("spam", [{"win": 1, f"a{at}": 1}], ["spam"])])
        for _ in desk.handle([Correct("spam", 3, "ham"), Forget("spam", 5)]):
            pass
    return tmp_path / "data"


def test_verify(folder):
    said = call("journal", folder, "verify", "--replay")
    assert "events   52, of which 1 are erased" in said.output
    assert said.output.endswith("sound\n")
    found = json.loads(call("journal", folder, "verify", "--json").output)
    assert found["sound"] and found["events"] == 52


def test_verify_finds_damage(folder):
    import sqlite3

    with sqlite3.connect(folder / "journal.db") as connection:
        (body,) = connection.execute("SELECT body FROM entries WHERE first = 20").fetchone()
        changed = body.replace(b"win", b"lin")
        assert changed != body
        connection.execute("UPDATE entries SET body = ? WHERE first = 20", (changed,))
    connection.close()
    said = call("journal", folder, "verify", code=1).output
    assert "wrong: " in said and "NOT sound: restore a backup" in said


def test_replay(folder, tmp_path):
    call("journal", folder, "replay", "--model", "spam", "--at", 10, "-o", tmp_path / "then.npz")
    assert ls.load(tmp_path / "then.npz").trials == 9, "one was forgotten"
    late = call("journal", folder, "replay", "--model", "spam", "--at", 53, "-o", tmp_path / "late.npz", code=2)
    assert "--at: expected an event from 0 to 52, got 53" in late.stderr and not (tmp_path / "late.npz").exists()
    assert (
        "expected one of the models" in call("journal", folder, "replay", "--model", "span", "-o", "x", code=2).stderr
    )


def test_export(folder):
    lines = [json.loads(line) for line in call("journal", folder, "export").stdout.splitlines()]
    rows = {line["number"]: line for line in lines if line["kind"] == "learn"}
    assert len(rows) == 52
    assert rows[3]["corrected"] == "ham"
    assert rows[5] == {**rows[5], "erased": True} and "row" not in rows[5]


def test_backup_and_compact(folder, tmp_path):
    call("journal", folder, "backup", "-o", tmp_path / "copy")
    said = call("journal", tmp_path / "copy", "compact", "--model", "spam").output
    assert "the content of events 1 to 52 was dropped" in said
    assert call("journal", tmp_path / "copy", "verify").output.endswith("sound\n")
    with Desk(tmp_path / "copy") as copy, Desk(folder) as own:
        rows = [{"win": 1}, {"lunch": 1, "a3": 1}]
        answers = [desk.handle([Predict("spam", rows)])[0] for desk in (copy, own)]
    assert answers[0].predictions == answers[1].predictions
    assert "expected a new or an empty folder" in call("journal", folder, "backup", "-o", tmp_path, code=2).stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("verify", "--at", 3), "--at N: verify does not take it; leave it out"),
        (("replay",), "replay: expected --model NAME and -o PATH"),
        (("compact", "--model", "none"), "expected a model that is served, got 'none'"),
    ],
)
def test_wrong_calls(words, said, folder):
    code = 1 if "none" in words else 2
    assert said in call("journal", folder, *words, code=code).stderr


def test_another_folder(tmp_path):
    assert "expected the folder of a service" in call("journal", tmp_path, "verify", code=1).stderr
