"""The journal verified, exported, backed up, compacted; what is damaged is found."""

import shutil
import sqlite3

import pytest

import littlestone as ls
from littlestone.service.compacting import compact
from littlestone.service.copying import backup, export
from littlestone.service.desk import Desk
from littlestone.service.models.build import build
from littlestone.service.options import Options
from littlestone.service.problems import Refused
from littlestone.service.verifying import verify
from littlestone.service.wire import Ask, Correct, Create, Forget, Label, Learn, Predict, RollBack
from tests.service.desks import QUICK, begun, examples, file_of, taught
from tests.service.test_amending import settled


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder in which much has happened."""
    path = tmp_path_factory.mktemp("made") / "data"
    with begun(path) as desk:
        taught(desk, 40)
        desk.handle([Create("n", "perceptron", labels=[0, 1]), Ask("m", [{"a": 1}], ["i"], once="k")])
        desk.snapshot(desk.served["m"])
        desk.handle([Label("m", ["i"], ["yes"]), Learn("n", [{"a": 1}] * 5, [0, 1, 0, 1, 0])])
        desk.handle([Correct("m", 3, "no"), Forget("m", 7)])
        settled(desk)
        taught(desk, 20, 2)
    return path


@pytest.fixture
def folder(made, tmp_path):
    """A copy of it."""
    return shutil.copytree(made, tmp_path / "data")


def test_a_sound_folder_is_verified(folder):
    found = verify(folder, replay=True)
    assert found.is_sound and not found.notes
    assert (found.entries, found.events, found.erased, len(found.chain)) == (16, 67, 1, 64)
    assert found.models == {
        "m": "replayed to event 62: the same bytes", "n": "replayed to event 5: the same bytes",
    }  # fmt: skip


def change(folder, sql, *params):
    connection = sqlite3.connect(folder / "journal.db")
    connection.execute(sql, params)
    connection.commit()
    connection.close()


@pytest.mark.parametrize(
    ("sql", "says"),
    [
        ("UPDATE entries SET body = CAST(x'91a5' || substr(body, 3) AS BLOB) WHERE seq = 5", "entry 5"),
        ("UPDATE entries SET body = CAST(body AS TEXT) WHERE seq = 5", "damaged"),
        ("UPDATE entries SET body = (SELECT body FROM entries WHERE seq = 4) WHERE seq = 5", "entry 5"),
        ("UPDATE entries SET count = count + 1 WHERE seq = 3", "entry 3"),
        ("UPDATE entries SET salts = zeroblob(length(salts)) WHERE seq = 3", "entry 3"),
        ("DELETE FROM entries WHERE seq = 4", "after entry 4, which is not there"),
        ("UPDATE entries SET digest = zeroblob(32), body = NULL WHERE seq = 4", "entry 4: expected the link"),
        ("UPDATE entries SET kind = 'ask' WHERE seq = 4", "entry 4: expected the link"),
        ("UPDATE snapshots SET number = 61 WHERE number = 62", "snapshot of event 61"),
        ("UPDATE snapshots SET build = 'other' WHERE number = 62", "snapshot of event 62"),
        ("UPDATE amendments SET label = x'a3796573' WHERE number = 3", "event 3: expected it amended"),
    ],
)
def test_what_was_changed_is_found(folder, sql, says):
    change(folder, sql)
    found = verify(folder, replay=True)
    assert any(says in problem for problem in found.problems), found.problems


def test_a_changed_model_file_is_found(folder):
    path = max((folder / "snapshots" / "1").iterdir(), key=lambda one: int(one.stem))
    path.write_bytes(path.read_bytes()[:-7])
    assert "snapshot of event 62 is damaged" in verify(folder).problems[0]


def test_another_build_is_said(folder, monkeypatch):
    with Desk(folder, QUICK) as desk:
        assert not any("another build" in alarm for alarm in desk.served["m"].alarms)
        monkeypatch.setattr("littlestone.service.desk.build", lambda: "another")
        desk.take_up(desk.served["m"])
        assert any("another build" in alarm for alarm in desk.served["m"].alarms)
    monkeypatch.setattr("littlestone.service.verifying.build", lambda: build().replace("cpython", "pypy"))
    found = verify(folder)
    assert found.is_sound and any("another build" in note for note in found.notes)


def test_an_export_has_all_events(folder):
    lines = list(export(folder))
    events = [line for line in lines if "count" not in line]
    assert len(events) == 67 and sum("erased" in line for line in lines) == 1
    assert [line["corrected"] for line in lines if "corrected" in line] in (["no"], [])
    assert [line["number"] for line in export(folder, "n")] == [1, 1, 2, 3, 4, 5]
    with pytest.raises(ls.InvalidParameter, match="expected one of the models"):
        list(export(folder, "x"))
    with pytest.raises(ls.InvalidModel, match="expected the folder of a service"):
        list(export(folder.parent))


def test_a_backup_while_it_runs_can_be_served(folder, tmp_path):
    desk = Desk(folder, QUICK)
    taught(desk, 30, 3)
    target = backup(folder, tmp_path / "backup")
    before = file_of(desk)
    taught(desk, 30, 4)
    desk.close()
    assert verify(target, replay=True).is_sound
    with Desk(target, QUICK) as copy:
        assert file_of(copy) == before
        taught(copy, 5)
    with pytest.raises(ls.InvalidParameter, match="expected a new or an empty folder"):
        backup(folder, target)


def test_compacted_it_goes_on_and_says_what_remains(folder):
    desk = Desk(folder, QUICK)
    before = file_of(desk)
    size = (folder / "journal.db").stat().st_size
    done = compact(desk, "m", 60)
    assert done.number in {41, 42} and "goes" not in str(done) and f"events 1 to {done.number}" in str(done)
    assert desk.handle([Forget("m", 3)])[0].status == 410
    assert desk.handle([Predict("m", [{"a": 1}], at=10)])[0].status == 409
    assert compact(desk, "n", 6).entry > done.entry
    taught(desk, 10, 5)
    assert file_of(desk) != before
    after = file_of(desk)
    desk.close()
    assert (folder / "journal.db").stat().st_size <= size
    found = verify(folder, replay=True)
    assert found.is_sound and found.begins > 1 and "were compacted" in found.notes[0]
    with Desk(folder, QUICK) as desk:
        assert file_of(desk) == after
        with pytest.raises(Refused, match="expected a snapshot before event 1 "):
            compact(desk, "m", 1)


def test_what_a_model_was_rolled_back_to_is_not_compacted(tmp_path):
    with begun(tmp_path) as desk:
        taught(desk, 20)
        desk.snapshot(desk.served["m"])
        taught(desk, 20, 2)
        desk.handle([RollBack("m", 10)])
        with pytest.raises(Refused, match="none that will do"):
            compact(desk, "m", 40)
        assert compact(desk, "m", 100).number == 41
        assert not desk.handle([Predict("m", [{"a": 1}], at=41)])[0].refused


def test_snapshots_by_count_and_by_time(tmp_path):
    rows, labels = examples(10)
    with begun(tmp_path, Options(every=30, seconds=1e9, pause=0.0)) as desk:
        numbers = set()
        for _ in range(10):
            desk.handle([Learn("m", rows, labels)])
            desk._last_tick = 0.0
            desk.tick()
            desk.saves.wait()
            numbers |= {one.number for one in desk.snapshots.of(1)}
        assert numbers == {0, 30, 60, 90}
        desk._snapped[1] = (90, -1e10)
        desk._last_tick = 0.0
        desk.tick()
        desk.saves.wait()
        assert desk.snapshots.of(1)[0].number == 100
    assert verify(tmp_path, replay=True).is_sound


def test_a_snapshot_is_as_of_the_event_at_which_it_was_begun(tmp_path):
    with begun(tmp_path, Options(every=30, seconds=1e9, pause=0.0)) as desk:
        taught(desk, 40)
        then = file_of(desk)
        desk._last_tick = 0.0
        desk.tick()
        taught(desk, 20, 2)
        assert desk.saves.has(1)
        desk.saves.wait()
        assert desk.snapshots.of(1)[0].number == 40 and desk.snapshots.path(1, 40).read_bytes() == then
    assert verify(tmp_path, replay=True).is_sound


def test_a_snapshot_under_way_is_given_up_when_its_past_changes(tmp_path):
    with begun(tmp_path, Options(every=30, seconds=1e9, pause=0.0)) as desk:
        taught(desk, 40)
        desk._last_tick = 0.0
        desk.tick()
        desk.handle([Forget("m", 4)])
        assert not desk.saves and not list((desk.folder.work).glob("*/*.npz"))
        settled(desk)
    assert verify(tmp_path, replay=True).is_sound


def test_a_copy_that_fails_is_no_snapshot(tmp_path, monkeypatch):
    with begun(tmp_path, Options(every=30, seconds=1e9, pause=0.0)) as desk:
        taught(desk, 40)
        monkeypatch.setattr(type(desk.served["m"]), "write", lambda *_: 1 // 0)
        desk._last_tick = 0.0
        desk.tick()
        desk.saves.wait()
        assert [one.number for one in desk.snapshots.of(1)] == [0] and 1 in desk.changed
        monkeypatch.undo()
