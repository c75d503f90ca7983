"""Little memory: the worker learns nothing more before it must be ended, and loads what it can; all can be removed."""

import asyncio
import os
import signal

import pytest

from littlestone.service import memory
from littlestone.service.desk import Desk
from littlestone.service.loading import MOST
from littlestone.service.models.replay import Replay
from littlestone.service.options import Limits, Options
from littlestone.service.supervisor import Supervisor
from littlestone.service.verifying import verify
from littlestone.service.wire import (
    Ask,
    Clone,
    Create,
    Describe,
    Gone,
    Label,
    Learn,
    Made,
    Predict,
    Predicted,
    Remove,
    Upload,
)  # fmt: skip
from tests.service.desks import QUICK, begun, file_of, taught


def test_without_room_nothing_more_is_learned(tmp_path, monkeypatch):
    desk = begun(tmp_path, Options(every=10**9, seconds=1e9, memory=1 << 30))
    taught(desk, 20)
    desk.handle([Ask("m", [{"a": 1}], ["i"])])
    data = file_of(desk)
    monkeypatch.setattr(memory, "taken", lambda: int(0.9 * (1 << 30)))
    growing = [
        Learn("m", [{"a": 1}], ["yes"], once="k"), Ask("m", [{"a": 1}], ["j"]), Create("n", "arow", labels=[0, 1]),
        Upload("n", data), Clone("m", "n"),
    ]  # fmt: skip
    for reply in desk.handle(growing):
        assert (reply.status, reply.kind) == (503, "unavailable") and "remove a model or raise --memory" in reply.detail
    predicted, about, labelled, gone = desk.handle([
        Predict("m", [{"a": 1}]), Describe("m"), Label("m", ["i"], ["yes"]), Remove("m"),
    ])  # fmt: skip
    assert predicted.after == 22 and about.models[0]["number"] == 22 and labelled.first == 22 and gone == Gone("m")
    monkeypatch.undo()
    assert desk.handle([Create("n", "arow", labels=[0, 1])]) == [Made("n", 0)]
    desk.close()


def die(folder, monkeypatch):
    """Let a worker end as often as it takes, so that nobody is there to say that a model was loaded."""
    with monkeypatch.context() as patch:
        patch.setattr("littlestone.service.loading.Loading.forget", lambda *_: None)
        for _ in range(MOST):
            with pytest.raises(SystemExit):
                Desk(folder, QUICK)


def test_a_model_with_which_the_worker_dies_is_set_aside_and_can_be_removed(tmp_path, monkeypatch):
    desk = begun(tmp_path)
    desk.handle([Create("n", "arow", labels=["no", "yes"])])
    taught(desk, 20)
    desk.close()
    loads = Replay.model

    def dies(self, id, *rest, **more):  # noqa: A002
        if id == 1:
            raise SystemExit
        return loads(self, id, *rest, **more)

    monkeypatch.setattr(Replay, "model", dies)
    die(tmp_path, monkeypatch)
    desk = Desk(tmp_path, QUICK)
    [health] = desk.handle([Predict("m", [{"a": 1}])])
    assert health.status == 503 and "ended 3 times while it loaded" in health.detail
    assert desk.handle([Predict("n", [{"a": 1}])])[0].after == 0
    desk.abandon()
    with monkeypatch.context() as patch:
        patch.setattr(Replay, "model", loads)
        with Desk(tmp_path, Options(memory=1 << 40)) as more:
            assert more.served["m"].number == 20
    die(tmp_path, monkeypatch)
    desk = Desk(tmp_path, QUICK)
    assert desk.handle([Remove("m"), Create("m", "arow", labels=[0, 1])]) == [Gone("m"), Made("m", 0)]
    desk.abandon()
    assert verify(tmp_path).is_sound
    Desk(tmp_path, QUICK).close()


def test_a_worker_whose_models_take_too_much_serves(tmp_path):
    async def main():
        with begun(tmp_path) as desk:
            taught(desk, 20)
        async with Supervisor(tmp_path, QUICK, memory=1 << 20) as service:
            await asyncio.sleep(1.5)
            assert service.restarts == 0 and isinstance(await service.request(Predict("m", [{"a": 1}])), Predicted)
            refused = await service.request(Learn("m", [{"a": 1}], ["yes"]))
            assert refused.status == 503 and refused.kind == "unavailable"
            os.kill(service.process.pid, signal.SIGKILL)
            await asyncio.sleep(0.2)
            await service.ready.wait()
            assert await service.request(Remove("m")) == Gone("m")

    asyncio.run(main())


def test_a_model_that_has_met_too_many_names_takes_no_new_ones(tmp_path):
    desk = begun(tmp_path, Options(every=10**9, seconds=1e9, limits=Limits(names=3)))
    desk.handle([Learn("m", [{"a": 1, "b": 1, "c": 1}], ["yes"])])
    known, asked, new = desk.handle([
        Learn("m", [{"a": 1}, {"d": 1}], ["no", "yes"]), Ask("m", [{"d": 1}], ["i"]), Learn("m", [{"e": 1}], ["yes"]),
    ])  # fmt: skip
    assert known.count == 1 and [(one.at, one.because) for one in known.refused] == [(1, "row")]
    assert asked.kind == new.kind == "row" and "at most 3 names of attributes" in new.detail
    assert desk.handle([Predict("m", [{"e": 1}])])[0].predictions[0] is not None
    desk.close()
