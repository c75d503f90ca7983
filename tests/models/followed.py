"""What tests of followed sources share: models, and what is said of files, pipes and queues."""

import asyncio
import os
import time

import littlestone as ls
from littlestone.models.following import Answer, Notice, follow
from littlestone.models.following.following import Following

ROWS = "".join(f"{i % 3},{'xyz'[i % 3]},{'p' if i % 3 else 'n'}\n" for i in range(60))
ROW = ({"a": 1.0}, 1)


def table(folder):
    path = folder / "train.csv"
    path.write_text("a,b,y\n" + ROWS)
    return ls.Model.train(str(path), label="y")


def named():
    return ls.Model.train([{"a": 1.0}, {"b": 1.0}] * 5, [1, 0] * 5)


def numbered():
    return ls.Model.train([[1, 0, 1], [0, 1, 1]] * 10, [1, 0] * 10)


def answered(events):
    return [event.id for event in events if isinstance(event, Answer)]


def noticed(events):
    return [str(event) for event in events if isinstance(event, Notice)]


def to_the_end(model, path, **options):
    return list(follow(model, str(path), growing=False, **options))


def during(steps, seconds=0.15):
    """What is said for a while of a source that goes on."""
    found, end = [], time.monotonic() + seconds
    while time.monotonic() < end:
        found += next(steps)
    return found


def live(model, path, **options):
    return Following(model, str(path), **{"tick": 0.01, **options}).steps()


def pipe(model, text, **options):
    """What is said of what comes through a pipe."""
    reading, writing = os.pipe()
    os.write(writing, text.encode())
    os.close(writing)
    with os.fdopen(reading, "rb", buffering=0) as file:
        return list(follow(model, file, **options))


async def queue(items, pause=0.0):
    for item in items:
        await asyncio.sleep(pause)
        yield item


def heard(*args, **options):
    async def all_of_it():
        return [event async for event in ls.follow_async(*args, **options)]

    return asyncio.run(all_of_it())
