"""Answer the entries of a Redis stream, learn their labels when they come, and go on where it was after any stop.

    pip install littlestone redis
    python examples/redis_stream.py model.npz requests answers --url redis://localhost:6379/0

Who asks adds an entry with the cells of a row (XADD requests '*' colour red size 3); its id is that of the entry,
unless it has a field "id" of its own. Who knows a label adds it as {"id": ..., "label": ...} to the same stream. The id
of the last entry is saved in the model's file, with all that was learned: so each entry is learned exactly once, and
each answer is written at least once.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from typing import Any

import redis

import littlestone as ls
from littlestone.models.following import Answer, At, Notice, last_mark

BEGINNING = "0-0"


def entries(client: redis.Redis, stream: str, after: str, over: Callable[[], bool]) -> Iterator[Any]:
    """Yield the entries of a stream behind one, some at a time, and nothing where none come for half a second."""
    while not over():
        found: Any = client.xread({stream: after}, count=1000, block=500)
        some = [At(entry, {"id": entry, **fields}) for entry, fields in found[0][1]] if found else None
        yield some
        after = some[-1].mark if some else after


def follow(
    model: str, client: redis.Redis, requests: str, answers: str, *, over: Callable[[], bool] = lambda: False,
    **options: Any,
) -> None:  # fmt: skip
    """Write an answer for each entry of ``requests`` into ``answers``, until it is ``over``."""
    source = entries(client, requests, last_mark(model) or BEGINNING, over)
    for event in ls.follow(model, source, **options):
        if isinstance(event, Answer):
            client.xadd(answers, {name: str(value) for name, value in event.as_dict().items()})
        elif isinstance(event, Notice):
            print(event)


def main() -> None:
    """Follow until somebody stops it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("requests")
    parser.add_argument("answers")
    parser.add_argument("--url", default="redis://localhost:6379/0")
    options = parser.parse_args()
    client = redis.Redis.from_url(options.url, decode_responses=True)
    follow(options.model, client, options.requests, options.answers)


if __name__ == "__main__":
    main()
