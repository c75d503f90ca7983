"""How many examples a desk learns a second, durable: single rows in groups of 32, and batches of 100."""

from __future__ import annotations

import random
import shutil
import sys
import tempfile
import time

from littlestone.service.desk import Desk
from littlestone.service.wire import Create, Learn


def rows(count: int) -> list[dict[str, float]]:
    """Return rows of ten attributes of a thousand."""
    rng = random.Random(1)  # noqa: S311
    return [{f"a{rng.randrange(1000)}": round(rng.random(), 4) for _ in range(10)} for _ in range(count)]


def main() -> None:
    """Print rows a second for single rows and for batches."""
    learner = sys.argv[1] if len(sys.argv) > 1 else "arow"
    data = rows(64_000)
    rng = random.Random(2)  # noqa: S311
    labels = [rng.choice(["yes", "no"]) for _ in data]
    for batch, group in ((1, 32), (1, 256), (100, 1), (100, 8), (100, 32)):
        folder = tempfile.mkdtemp()
        desk = Desk(folder)
        desk.handle([Create("m", learner, labels=["no", "yes"])])
        found, at = [], 0
        for _ in range(8):
            many = 4000 if batch == 1 else 8000
            requests = [
                Learn("m", data[one : one + batch], labels[one : one + batch], once=f"{one}")
                for one in range(at, at + many, batch)
            ]
            start = time.perf_counter()
            for one in range(0, len(requests), group):
                replies = desk.handle(requests[one : one + group])
                desk.tick()
                assert all(reply.count for reply in replies)  # type: ignore[union-attr]
            found.append(many / (time.perf_counter() - start))
            at += many
            if at + many > len(data):
                break
        size = sum(path.stat().st_size for path in desk.folder.path.glob("journal.db*")) / at
        median, best = sorted(found)[len(found) // 2], max(found)
        print(f"{learner}: {group} of {batch} at a time: {median:,.0f} rows/s ({best:,.0f}), {size:.0f} bytes a row")
        desk.close()
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
