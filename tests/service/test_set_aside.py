"""A model that cannot be had is described, rolled back to what can be had, or removed; and what is in it is erased."""

import asyncio

import pytest

from littlestone.core.errors import InvalidModel
from littlestone.service.desk import Desk
from littlestone.service.known import known
from littlestone.service.models.replay import Replay
from littlestone.service.models.snapshots import Snapshots
from littlestone.service.supervisor import Supervisor
from littlestone.service.verifying import verify
from littlestone.service.wire import (
    Amended,
    Correct,
    Create,
    Describe,
    Download,
    Forget,
    Gone,
    Learn,
    Made,
    Predict,
    Remove,
    RollBack,
    Switch,
)  # fmt: skip
from tests.service.desks import QUICK, begun, file_of, taught
from tests.service.test_amending import SECRET, all_bytes
from tests.service.test_memory import die


@pytest.fixture
def bad(tmp_path, monkeypatch):
    """A folder of which one model, "m", ends the worker from event 31 on; the models' files as of event 30 and 40."""
    with begun(tmp_path) as desk:
        desk.handle([Create("n", "arow", labels=["no", "yes"])])
        taught(desk, 30)
        files = {30: file_of(desk)}
        taught(desk, 10, 2)
        desk.handle([Learn("m", [{SECRET: 1}], ["yes"])])
        files[41] = file_of(desk)
    loads, forward = Snapshots.load, Replay.forward

    def load(self, one, *rest):
        if one.model == 1 and 30 < one.number <= 41:
            raise SystemExit
        return loads(self, one, *rest)

    def go(self, served, upto=None):
        if served.id == 1 and served.number <= 30 and (upto is None or upto > 30):
            begins = self._last_roll_back(1, upto)
            if begins is None or served.number < begins.first:
                raise SystemExit
        return forward(self, served, upto)

    monkeypatch.setattr(Snapshots, "load", load)
    monkeypatch.setattr(Replay, "forward", go)
    die(tmp_path, monkeypatch)
    return tmp_path, files


def test_it_is_described_with_why(bad):
    folder, _ = bad
    with Desk(folder, QUICK) as desk:
        [one], [both] = desk.handle([Describe("m")]), desk.handle([Describe()])
        assert one.models[0]["name"] == "m" and one.models[0]["number"] == 41
        assert "ended 3 times while it loaded the model, which is set aside" in one.models[0]["broken"]
        assert "roll it back" in one.models[0]["broken"]
        assert sorted(model["name"] for model in both.models) == ["m", "n"] and "broken" not in both.models[0]
        for request in (
            Predict("m", [{}]),
            Learn("m", [{}], ["no"]),
            Correct("m", 1, "no"),
            Download("m"),
            Switch("m", "n"),
        ):
            assert desk.handle([request])[0].kind == "broken"


@pytest.mark.parametrize("again", [False, True])
def test_it_is_rolled_back(bad, again):
    folder, files = bad
    desk = Desk(folder, QUICK)
    assert [desk.handle([RollBack("m", number)])[0].status for number in (-1, 42)] == [404, 404]
    assert desk.handle([RollBack("m", 30)]) == [Made("m", 42, ["it is as of event 30"])]
    assert file_of(desk) == files[30] and not desk.broken
    if again:  # without the snapshot of the roll-back
        with desk.journal.transaction():
            desk.snapshots.drop(1, [42])
        desk.snapshots.sweep()
    taught(desk, 5, 3)
    after = file_of(desk)
    desk.abandon()
    with Desk(folder, QUICK) as desk:
        assert not desk.broken and file_of(desk) == after and desk.served["m"].number == 47
        assert again or verify(folder, replay=True).is_sound
        desk.replay.model(1, scratch=True).write(folder / "scratch.npz")
        assert (folder / "scratch.npz").read_bytes() == after


def test_what_is_in_it_is_erased(bad):
    folder, _ = bad
    desk = Desk(folder, QUICK)
    assert desk.handle([Forget("m", 41)]) == [Amended("m", 41, pending=False)]
    assert desk.handle([Forget("m", 41)])[0].status == 410
    desk._truncated()
    assert SECRET.encode() not in all_bytes(folder) and "m" in desk.broken
    assert desk.handle([RollBack("m", 30)])[0].number == 42
    desk.close()
    assert verify(folder, replay=True).is_sound


def test_it_is_removed(bad):
    folder, _ = bad
    with Desk(folder, QUICK) as desk:
        assert desk.handle([Remove("m"), Create("m", "arow", labels=[0, 1])]) == [Gone("m"), Made("m", 0)]
        desk._truncated()
        assert SECRET.encode() not in all_bytes(folder)


def test_rolled_back_to_what_cannot_be_made_either(bad):
    folder, _ = bad
    folder_of_one = folder / "snapshots" / "1"
    with Desk(folder, QUICK) as desk:
        (folder_of_one / "0.npz").write_bytes(b"")
        said = desk.handle([RollBack("m", 30)])[0]
        assert said.status == 409 and "restore a backup" in said.detail and "m" in desk.broken


def test_a_replay_that_fails_is_no_end(tmp_path, monkeypatch):
    """One that is refused now, and was accepted once, is rolled back to before."""
    desk = begun(tmp_path)
    taught(desk, 30)
    taught(desk, 10, 2)
    desk.abandon()
    forward = Replay.forward

    def fails(self, served, upto=None):
        if upto is None and served.number < 41:
            raise InvalidModel("event 31 was accepted once and is refused now")
        return forward(self, served, upto)

    monkeypatch.setattr(Replay, "forward", fails)
    desk = Desk(tmp_path, QUICK)
    assert "is refused now" in desk.handle([Describe("m")])[0].models[0]["broken"]
    assert known(desk, "m").number == 40
    assert desk.handle([RollBack("m", 30)]) == [Made("m", 41, ["it is as of event 30"])]
    taught(desk, 3)
    desk.close()
    with Desk(tmp_path, QUICK) as desk:
        assert desk.served["m"].number == 44


def test_a_switch_while_it_is_rolled_back(tmp_path):
    """It is the model that is rolled back, not its name."""
    with begun(tmp_path) as desk:
        desk.handle([Create("n", "arow", labels=["no", "yes"])])
        taught(desk, 20)
        then = file_of(desk)
        taught(desk, 20)
        [later] = desk.take([RollBack("m", 20)])
        desk.handle([Switch("m", "n")])
        assert desk.wait(later) == Made("n", 41, ["it is as of event 20"])
        assert file_of(desk, "n") == then and desk.served["m"].number == 0


def test_with_a_worker(bad, monkeypatch):
    folder, files = bad
    monkeypatch.undo()  # of this process; the worker has its own

    async def main():
        async with Supervisor(folder, QUICK) as service:
            [one] = (await service.request(Describe("m"))).models
            assert "set aside" in one["broken"]
            assert await service.request(RollBack("m", 30)) == Made("m", 42, ["it is as of event 30"])
            assert (await service.request(Download("m"))).data == files[30]

    asyncio.run(main())
