"""A request under which the worker ends each time is refused in the end, and nobody else suffers from it for long."""

import asyncio

import numpy as np

from littlestone.service.options import Limits, Options
from littlestone.service.supervisor import Supervisor
from littlestone.service.suspects import Suspects
from littlestone.service.wire import Answered, Create, Learn, Predict, Problem


def request(name):
    return Predict("m", [{name: 1}])


def test_three_ends_make_a_suspect_guilty_and_one_answer_clears_it():
    suspects = Suspects()
    assert not suspects
    for _ in range(2):
        suspects.add([request("poison"), request("innocent")])
    suspects.done(request("innocent"))
    assert not suspects.is_guilty(request("poison"))
    suspects.add([request("poison"), request("other")])
    assert suspects.is_guilty(request("poison"))
    assert not suspects.is_guilty(request("other")) and not suspects.is_guilty(request("innocent"))


def test_suspects_are_done_one_at_a_time():
    suspects, inside, most = Suspects(), set(), []
    for _ in range(2):
        suspects.add([request(f"s{at}") for at in range(4)])

    async def do(name):
        async with suspects.watched(request(name)):
            inside.add(name)
            most.append((len([one for one in inside if one.startswith("s")]), len(inside)))
            await asyncio.sleep(0.01)
            inside.discard(name)

    async def main():
        await asyncio.gather(*(do(f"s{at}") for at in range(4)), *(do(f"new{at}") for at in range(4)))

    asyncio.run(main())
    assert max(suspicious for suspicious, _ in most) == 1
    assert max(together for _, together in most) > 1, "others do not wait"


def test_a_request_that_takes_too_long_does_not_stop_the_service(tmp_path):
    """The ellipsoid of so many attributes is slow; the worker gives no sign of life, and is started anew."""
    rng = np.random.default_rng(0)
    rows = [{f"a{i}": float(v) for i, v in enumerate(rng.normal(size=40))} for _ in range(200)]
    poison = Learn("slow", rows * 10, ["yes", "no"] * 1000, once="poison")
    small = Learn("quick", [{"win": 1}], ["yes"])

    async def innocent(service, until):
        done = 0
        while not until.is_set():
            reply = await service.request(small)
            done += isinstance(reply, Answered)
            assert isinstance(reply, Answered) or reply.again, reply
            await asyncio.sleep(0.01)
        return done

    async def main():
        async with Supervisor(tmp_path, Options(limits=Limits(slow_rows=10_000)), patience=0.5) as service:
            await service.request(Create("slow", "ellipsoid", labels=["no", "yes"], attributes=1500))
            await service.request(Create("quick", "winnow", labels=["no", "yes"], attributes=10))
            until, said = asyncio.Event(), []
            other = asyncio.create_task(innocent(service, until))
            while len(said) < 20:
                reply = await service.request(poison)
                assert isinstance(reply, Problem)
                if reply.kind == "restarted":
                    said.append(reply)
                    await service.ready.wait()
                elif reply.kind == "fatal":
                    break
                else:
                    await asyncio.sleep(0.05)
            await asyncio.sleep(0.5)
            until.set()
            return said, reply, await other, service.restarts

    said, reply, done, restarts = asyncio.run(main())
    assert (len(said), reply.status, reply.again) == (3, 422, False)
    assert restarts == 3
    assert done > 0
