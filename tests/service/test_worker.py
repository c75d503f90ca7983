"""The worker, killed at random moments: what was acknowledged is there, exactly once, and nobody has to do anything."""

import asyncio
import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections import Counter, defaultdict

import pytest

import littlestone as ls
from littlestone.service.desk import Desk
from littlestone.service.journal.entries import decode, rows_of
from littlestone.service.journal.journal import entries_of
from littlestone.service.options import Limits, Options
from littlestone.service.supervisor import Supervisor
from littlestone.service.wire import Create, Describe, Health, Learn, Made, Predict, Problem, frame
from tests.service.desks import QUICK, begun, examples, file_of, taught

ROWS, LABELS = examples(500)


async def client(number, service, acknowledged, until):
    """Send examples with keys, each until it is acknowledged."""
    rng, at = random.Random(number), 0
    while not until.is_set():
        name = f"{number}-{at}"
        many = rng.choice([1, 1, 1, 4])
        place = rng.randrange(490)
        rows, labels = ROWS[place : place + many], LABELS[place : place + many]
        ids = [f"{name}-{row}" for row in range(many)]
        request = Learn("m", rows, labels, ids=ids, once=name)
        while True:
            reply = await service.request(request)
            if not isinstance(reply, Problem):
                break
            assert reply.status == 503 and reply.again
            await asyncio.sleep(rng.random() * 0.03)
        for one, at_number in zip(ids, reply.numbers(), strict=True):
            acknowledged[one].append(at_number)
        at += 1


async def killed(folder, kills, rng):
    """Kill the worker under load; return what was acknowledged."""
    acknowledged, until = defaultdict(list), asyncio.Event()
    options = Options(every=300, seconds=0.5, pause=0.0, keep=3)
    async with Supervisor(folder, options) as service:
        assert await service.request(Create("m", "arow", labels=["no", "yes"])) == Made("m", 0)
        clients = [asyncio.create_task(client(at, service, acknowledged, until)) for at in range(32)]
        for _ in range(kills):
            if rng.random() < 0.8:
                await service.ready.wait()
                await asyncio.sleep(rng.random() * 0.3)
            else:
                await asyncio.sleep(rng.random())
            if service.process.poll() is None:
                service.process.kill()
            while service.ready.is_set():  # noqa: ASYNC110
                await asyncio.sleep(0.001)
        until.set()
        await asyncio.gather(*clients)
        assert service.restarts >= kills * 0.5
    return acknowledged


def check(folder, acknowledged):
    """Each acknowledged example is in the journal once, under its number; the model is what the journal says."""
    desk = Desk(folder, QUICK)
    there = {}
    counts = Counter()
    for entry in entries_of(desk.journal.connection, 1):
        assert entry.is_sound
        for at, row in enumerate(rows_of(entry.body) if entry.kind == "learn" else ()):
            name = decode(row)[2]
            there[name] = entry.first + at
            counts[name] += 1
    assert max(counts.values()) == 1
    assert all(numbers == [there[name]] for name, numbers in acknowledged.items())
    now, scratch = desk.folder.work / "now.npz", desk.folder.work / "scratch.npz"
    desk.served["m"].write(now)
    assert desk.served["m"].number == len(there)
    desk.replay.model(1, scratch=True).write(scratch)
    assert now.read_bytes() == scratch.read_bytes()
    desk.close()


@pytest.mark.parametrize("kills", [pytest.param(10, id="10"), pytest.param(300, id="300", marks=pytest.mark.slow)])
def test_killed_under_load_it_loses_nothing(tmp_path, kills):
    acknowledged = asyncio.run(killed(tmp_path, kills, random.Random(kills)))
    assert len(acknowledged) > kills * 20
    check(tmp_path, acknowledged)


def test_a_graceful_stop_answers_all_and_leaves_snapshots(tmp_path):
    async def main():
        service = Supervisor(tmp_path, QUICK)
        await service.start()
        await service.request(Create("m", "arow", labels=["no", "yes"]))
        asked = [asyncio.ensure_future(service.request(Learn("m", [ROWS[at]], [LABELS[at]]))) for at in range(100)]
        await asyncio.sleep(0.01)
        await service.stop()
        return [await one for one in asked], await service.request(Health())

    replies, after = asyncio.run(main())
    learned = [one for one in replies if not isinstance(one, Problem)]
    assert len(learned) == 100 and after.status == 503
    with Desk(tmp_path, QUICK) as desk:
        assert desk.served["m"].number == 100
        assert [one.number for one in desk.snapshots.of(1)] == [100, 0]


def test_one_that_hangs_or_grows_is_replaced(tmp_path, monkeypatch):
    async def main():
        async with Supervisor(tmp_path, QUICK, patience=1.0) as service:
            await service.request(Create("m", "arow", labels=["no", "yes"]))
            os.kill(service.process.pid, signal.SIGSTOP)
            hanging = await service.request(Learn("m", [{"a": 1}], ["yes"], once="k"))
            assert hanging.status == 503 and "no sign of life" in hanging.detail
            await service.ready.wait()
            assert (await service.request(Learn("m", [{"a": 1}], ["yes"], once="k"))).first == 1
            service.memory = 1 << 40
            await asyncio.sleep(1.2)
            monkeypatch.setattr("littlestone.service.supervisor.taken", lambda _: 1 << 50)
            while service.ready.is_set():  # noqa: ASYNC110
                await asyncio.sleep(0.01)
            assert "bytes, more than 1,099,511,627,776" in (await service.request(Health())).detail
            service.memory = None
            monkeypatch.undo()
            await service.ready.wait()
            assert (await service.request(Describe("m"))).models[0]["number"] == 1

    asyncio.run(main())


def test_what_cannot_start_says_why(tmp_path):
    async def main():
        with begun(tmp_path), pytest.raises(ls.errors.LittlestoneError, match="no other service works in"):
            await Supervisor(tmp_path, QUICK).start()

    asyncio.run(main())


def test_odd_requests_get_a_problem(tmp_path):
    async def main():
        async with Supervisor(tmp_path, Options(limits=Limits(rows=10))) as service:
            await service.request(Create("m", "arow", labels=["no", "yes"]))
            deep = []
            for _ in range(100_000):
                deep = [deep]
            odd = [
                Learn("m", [{"a": 1 << 70}], ["yes"]), Learn("m", [deep], ["yes"]), Learn("m", "rows", ["yes"]),
                Learn("m", [{"a": object()}], ["yes"]), Learn(3, [{}], ["yes"]), Learn("m", [{}] * 11, ["yes"] * 11),
                Predict("m", [{}] * 11), Predict("m", [{"a": {"b": 1}}]), Describe("nobody"), Predict("m", None),
            ]  # fmt: skip
            replies = [await service.request(one) for one in odd]
            assert [isinstance(one, Problem) or bool(one.refused) for one in replies] == [True] * len(odd)
            assert service.restarts == 0 and (await service.request(Health())).models == 1

    asyncio.run(main())


@pytest.mark.slow
def test_what_it_learns_a_second(tmp_path):
    async def main():
        async with Supervisor(tmp_path) as service:
            await service.request(Create("m", "arow", labels=["no", "yes"]))

            async def one():
                for at in range(200):
                    await service.request(Learn("m", [ROWS[at]], [LABELS[at]]))

            start = time.perf_counter()
            await asyncio.gather(*(one() for _ in range(32)))
            return 32 * 200 / (time.perf_counter() - start)

    assert asyncio.run(main()) > 1000
    desk = Desk(tmp_path, QUICK)
    taught(desk, 10)
    assert file_of(desk)
    desk.close()


def test_a_worker_whose_front_is_gone_finishes_and_ends(tmp_path):
    ours, theirs = socket.socketpair()
    command = [sys.executable, "-m", "littlestone.service.worker", str(tmp_path), str(theirs.fileno())]
    process = subprocess.Popen([*command, json.dumps(QUICK.as_dict())], pass_fds=[theirs.fileno()])
    theirs.close()
    rows = [Learn("m", ROWS[at : at + 10], LABELS[at : at + 10]) for at in range(0, 100, 10)]
    ours.sendall(b"".join(frame(at, one) for at, one in enumerate([Create("m", "arow", labels=["no", "yes"]), *rows])))
    ours.shutdown(socket.SHUT_WR)
    assert process.wait(30) == 0
    ours.close()
    with Desk(tmp_path, QUICK) as desk:
        assert desk.served["m"].number == desk.snapshots.of(1)[0].number == 100
