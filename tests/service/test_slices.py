"""Long work on the journal is done in slices: others are served meanwhile, and it is done whatever comes between."""

import asyncio
import random
import shutil
import subprocess
import sys
import time

import pytest

from littlestone.service.desk import Desk
from littlestone.service.journal.journal import entries_of
from littlestone.service.rework import Later
from littlestone.service.supervisor import Supervisor
from littlestone.service.verifying import verify
from littlestone.service.wire import (
    Amended,
    Ask,
    Create,
    Describe,
    Forget,
    Gone,
    Label,
    Learn,
    Made,
    Predict,
    Problem,
    Remove,
    Switch,
)  # fmt: skip
from tests.service.desks import QUICK, begun, examples, file_of, taught
from tests.service.test_amending import SECRET, all_bytes, settled
from tests.service.test_failing_disk import Failing


@pytest.fixture
def small(monkeypatch):
    """Slices of one entry."""
    for module, name in (("slices", "SLICE"), ("finding", "SLICE")):
        monkeypatch.setattr(f"littlestone.service.{module}.{name}", 0.0)
    monkeypatch.setattr("littlestone.service.slices.Slices.begin", _begin_only)
    monkeypatch.setattr("littlestone.service.erasing.ENTRIES", 1)


def _begin_only(self, work):
    later = Later()
    self._works.append((work, later))
    return later


def step(desk):
    """Do one slice; SLICE is 0, so that the loop needs help."""
    work, later = desk.slices._works.popleft()
    later.reply = desk.slices._done(work)
    if later.reply is None:
        desk.slices._works.append((work, later))
    return later.reply


def quiet(desk):
    """Wait until what was erased is in no log of the database."""
    for _ in range(5):
        time.sleep(0.03)
        desk.tick()


def erased_rows(desk, model):
    (count,) = desk.journal.connection.execute(
        "SELECT count(*) FROM entries WHERE model = ? AND body IS NULL", (model,)
    ).fetchone()
    return count


@pytest.mark.usefixtures("small")
def test_a_removed_model_is_erased_in_slices(tmp_path):
    desk = begun(tmp_path)
    desk.handle([Create("n", "arow", labels=["no", "yes"])])
    request = Learn("m", [{SECRET: 1}], ["yes"], once="k")
    for at in range(10):
        desk.handle([request if at == 3 else Learn("m", [{SECRET: at}], ["no"], once=f"{at}")])
        desk.handle([Learn("n", [{"a": at}], ["no"], once=f"{at}")])
    [later] = desk.take([Remove("m")])
    steps = 0
    while later.reply is None:
        assert erased_rows(desk, 1) == steps
        assert desk.handle([Predict("n", [{"a": 1}])])[0].after == 10
        assert desk.handle([Predict("m", [{"a": 1}])])[0].status == 404
        step(desk)
        steps += 1
    assert later.reply == Gone("m") and steps == 12  # the beginning, ten entries, and that nothing is left
    quiet(desk)
    assert SECRET.encode() not in all_bytes(tmp_path) and not desk.erasing
    rows = desk.journal.connection.execute("SELECT request, answer FROM keys").fetchall()
    assert rows.count((bytes(16), None)) == 10 and len(rows) == 20
    assert desk.handle([Learn("n", [{"a": 3}], ["no"], once="3")])[0].first == 4
    assert verify(tmp_path, replay=True).is_sound
    desk.close()


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("steps", [0, 1, 5, 11, 12])
def test_a_stop_while_it_is_erased(tmp_path, steps):
    desk = begun(tmp_path)
    for at in range(10):
        desk.handle([Learn("m", [{SECRET: at}], ["no"], once=f"{at}")])
    desk.take([Remove("m")])
    for _ in range(steps):
        step(desk)
    desk.abandon()
    desk = Desk(tmp_path, QUICK)
    assert desk.handle([Create("m", "arow", labels=["no", "yes"])]) == [Made("m", 0)]
    while desk.slices:
        step(desk)
    quiet(desk)
    assert SECRET.encode() not in all_bytes(tmp_path) and erased_rows(desk, 1) == 11
    assert verify(tmp_path).is_sound
    desk.close()


@pytest.mark.usefixtures("small")
def test_a_disk_that_fails_while_it_is_erased(tmp_path):
    made = []

    def opened(path):
        made.append(Failing(path))
        return made[-1]

    desk = begun(tmp_path, opened=opened)
    for at in range(10):
        desk.handle([Learn("m", [{SECRET: at}], ["no"])])
    [later] = desk.take([Remove("m")])
    for _ in range(4):
        step(desk)
    made[0].word = "BEGIN"
    assert step(desk) == later.reply == Gone("m") and not desk.slices  # that is on the disk; the rest is erased later
    assert desk.handle([Create("n", "arow", labels=[0, 1])])[0].status == 503
    made[0].word = None
    assert desk.handle([Create("n", "arow", labels=[0, 1])]) == [Made("n", 0)]
    while desk.slices:
        step(desk)
    quiet(desk)
    assert SECRET.encode() not in all_bytes(tmp_path)
    desk.close()


@pytest.mark.usefixtures("small")
def test_a_label_that_comes_while_its_example_is_forgotten(tmp_path):
    desk = begun(tmp_path / "a")
    rows, labels = examples(20)
    teach = [Learn("m", [row], [label], ids=[at]) for at, (row, label) in enumerate(zip(rows, labels, strict=True))]
    desk.handle([Create("n", "arow", labels=["no", "yes"]), Ask("m", [{SECRET: 1}], [SECRET])])
    for one in teach[:10]:
        desk.handle([one])
    [later, twice] = desk.take([Forget("m", 1), Forget("m", 1)])
    for at in range(10):
        assert step(desk) is None
        desk.handle([teach[10 + at]])
    desk.handle([Label("m", [SECRET], ["yes"]), Switch("m", "n")])
    while desk.slices:
        step(desk)
    assert later.reply == Amended("n", 1, pending=True) and twice.reply.status == 410
    settled(desk)
    quiet(desk)
    assert SECRET.encode() not in all_bytes(tmp_path)
    with begun(tmp_path / "b") as clean:
        clean.handle(teach)
        assert file_of(desk, "n") == file_of(clean)
    desk.close()


@pytest.mark.usefixtures("small")
def test_a_model_that_is_removed_while_an_example_of_it_is_forgotten(tmp_path):
    desk = begun(tmp_path)
    for at in range(5):
        desk.handle([Learn("m", [{"a": 1}], ["yes"], ids=[at])])
    [later] = desk.take([Forget("m", 5)])
    step(desk)
    desk.take([Remove("m")])
    while desk.slices:
        step(desk)
    assert later.reply.status == 404
    desk.close()


@pytest.mark.parametrize("id", ["17", 17, "x-17", 3])
def test_ids_are_the_same_as_texts_and_as_numbers(tmp_path, id):  # noqa: A002
    desk = begun(tmp_path)
    other = int(id) if isinstance(id, str) and id.isdigit() else str(id)
    rows, labels = examples(300)
    ids = [f"{at}-" for at in range(300)]
    desk.handle([Learn("m", rows[:100], labels[:100], ids=ids[:100]), Ask("m", [{"a": 1}] * 3, ["a", id, "b"])])
    desk.handle([Learn("m", rows[100:], labels[100:], ids=ids[100:]), Label("m", ["b", other], ["yes", "no"])])
    desk.handle([Forget("m", 305)])
    settled(desk)
    assert [desk.handle([Forget("m", number)])[0].status for number in (102, 305)] == [410, 410]
    assert isinstance(desk.handle([Forget("m", 101)])[0], Amended)
    settled(desk)
    desk.close()


async def killed(folder, rng, kills):
    """Forget and remove while the worker is killed; return what was said to be forgotten, and removed."""
    forgotten, removed = [], []
    async with Supervisor(folder, QUICK) as service:

        async def kill():
            for _ in range(kills):
                await service.ready.wait()
                await asyncio.sleep(rng.random() * 0.15)
                service.process.kill()
                while service.ready.is_set():  # noqa: ASYNC110
                    await asyncio.sleep(0.001)

        killing = asyncio.create_task(kill())
        for number in rng.sample(range(1, 1001), 1000):
            request = Remove(f"r{len(removed)}") if number % 3 == 0 and len(removed) < 8 else Forget("m", number)
            await service.ready.wait()
            reply = await service.request(request)
            if isinstance(reply, Amended):
                forgotten.append(number)
            elif isinstance(reply, Gone) or (isinstance(request, Remove) and reply.status == 404):
                removed.append(request.model)
            if killing.done():
                break
        await killing
        while True:
            reply = await service.request(Describe("m"))
            if not isinstance(reply, Problem) and not reply.models[0]["pending"]:
                return forgotten, removed
            await asyncio.sleep(0.02)


@pytest.mark.parametrize("kills", [3, pytest.param(60, marks=pytest.mark.slow)])
def test_killed_while_it_forgets_and_erases(tmp_path, kills):
    folder, rng = tmp_path / "data", random.Random(kills)
    with begun(folder) as desk:
        for at in range(8):
            desk.handle([Create(f"r{at}", "arow", labels=["no", "yes"])])
            secret = [{f"removed-{at}": 1}] * 200
            desk.handle([Learn(f"r{at}", secret[:1], ["no"], once=f"{one}") for one in range(200)])
        rows, labels = [{f"example-{at}-": 1} for at in range(1, 1001)], ["no", "yes"] * 500
        ids = [f"id-{at}" for at in range(1000)]
        for at in range(0, 1000, 5):
            some = slice(at, at + 5)
            desk.handle([Learn("m", rows[some], labels[some], ids=ids[some])])
    forgotten, removed = asyncio.run(killed(folder, rng, kills))
    with Desk(folder, QUICK) as desk:
        quiet(desk)
        there = all_bytes(folder)
        assert [one for one in forgotten if f"example-{one}-".encode() in there] == []
        assert [one for one in removed if f"removed-{one[1:]}".encode() in there] == []
        assert forgotten and removed
        desk.replay.model(1, scratch=True).write(tmp_path / "scratch.npz")
        assert (tmp_path / "scratch.npz").read_bytes() == file_of(desk)
    assert verify(folder, replay=True).is_sound


COMPACT = """
import sys
from pathlib import Path
from littlestone.service.compacting import compact
from littlestone.service.desk import Desk
from littlestone.service.options import Options
desk = Desk(sys.argv[1], Options(every=10**9, seconds=1e9))
print("ready", flush=True)
print(compact(desk, "m", 800), flush=True)
"""


@pytest.mark.parametrize("kills", [2, pytest.param(30, marks=pytest.mark.slow)])
def test_killed_while_it_compacts(tmp_path, kills):
    whole, rng = tmp_path / "whole", random.Random(kills)
    with begun(whole) as desk:
        taught(desk, 700)
        desk.snapshot(desk.served["m"])
        taught(desk, 300, 2)
        before = file_of(desk)
    ended = 0
    for at in range(kills):
        folder = shutil.copytree(whole, tmp_path / f"{at}")
        process = subprocess.Popen([sys.executable, "-c", COMPACT, str(folder)], stdout=subprocess.PIPE)
        assert process.stdout.readline() == b"ready\n"
        time.sleep(rng.random() * 0.03)
        process.kill()
        ended += bool(process.communicate()[0])
        with Desk(folder, QUICK) as desk:
            assert file_of(desk) == before
            begins = desk.journal.connection.execute("SELECT min(seq) FROM entries").fetchone()[0]
        found = verify(folder, replay=True)
        assert found.is_sound and (begins > 1) == bool(found.notes)
    assert kills < 10 or 0 < ended < kills


def test_predicting_goes_on_while_much_is_forgotten(tmp_path, monkeypatch):
    """A thousand slices are not done at once."""
    desk = begun(tmp_path)
    rows, labels = examples(3000)
    ids = [f"id-{at}" for at in range(3000)]
    requests = [
        Learn("m", rows[at : at + 1], labels[at : at + 1], ids=ids[at : at + 1], once=ids[at]) for at in range(3000)
    ]
    for at in range(0, 3000, 500):
        desk.handle(requests[at : at + 500])
    monkeypatch.setattr("littlestone.service.finding.SLICE", 0.0)
    monkeypatch.setattr("littlestone.service.slices.SLICE", 0.0005)
    took = list[float]()
    [later] = desk.take([Forget("m", 3000)])
    while later.reply is None:
        began = time.perf_counter()
        assert desk.handle([Predict("m", rows[:1])])[0].after >= 3000
        desk.tick()
        took.append(time.perf_counter() - began)
    assert isinstance(later.reply, Amended) and len(took) > 5
    desk.close()


def test_what_comes_after_the_last_event_is_found_at_once(tmp_path):
    """Not by looking at all that is before it: a model that was replayed is taken up while others wait."""
    with begun(tmp_path) as desk:
        desk.handle([Learn("m", [{"a": 1}], ["yes"], once=f"{at}") for at in range(500)])
        desk.handle([Learn("m", [{"a": 1}] * 10, ["yes"] * 10)])
        steps = [0]
        desk.journal.connection.set_progress_handler(lambda: steps.__setitem__(0, steps[0] + 1), 10)
        after = {
            number: [one.first for one in entries_of(desk.journal.connection, 1, number)] for number in (500, 505, 510)
        }
        desk.journal.keys.erase([3])
        assert desk.replay._last_roll_back(1, None) is None
        desk.journal.connection.set_progress_handler(None, 0)
        assert after == {500: [501], 505: [501], 510: []}
        assert steps[0] < 150
