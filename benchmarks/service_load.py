"""A load generator: a process of its own, some connections that are kept open, one request after another on each.

    python benchmarks/service_load.py SERVICE KIND --port PORT [--connections 32] [--seconds 8]

It says `ready`, begins at the next line of its input, and prints what it measured as a line of JSON for each period.
What came within the first second does not count. A request is sent as soon as the one before it on the same connection
was answered; ``--pace`` is the most of all connections a second. Answers still under way at the end are waited for, so
that ``acknowledged`` is all that was.
"""

from __future__ import annotations

import argparse
import json
import random
import selectors
import socket
import sys
from array import array
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count, cycle
from math import inf
from time import perf_counter
from typing import Any

NAMES, ON, NOISE, BATCH, POOL = 5000, 10, 0.1, 100, 20_000
WARM, ENDING = 1.0, 10.0  # seconds that do not count; and that the last answers may take
Row = dict[str, float]
Example = tuple[Row, bool]


def examples(number: int, seed: int) -> Iterator[Example]:
    """Yield rows of ten names of 5,000, whose labels follow half a hyperplane; every tenth is wrong."""
    rng, signs = random.Random(seed), random.Random(0)  # noqa: S311 - nothing secret
    weights = [signs.gauss(0.0, 1.0) for _ in range(NAMES)]
    for _ in range(number):
        on = {at: round(rng.random(), 3) for at in rng.sample(range(NAMES), ON)}
        label = sum(weights[at] * value for at, value in on.items()) > 0
        yield {f"n{at}": value for at, value in on.items()}, label ^ (rng.random() < NOISE)


def ever_new(seed: int) -> Iterator[Example]:
    """Yield rows of four names of 100, the first of which decide, and six names that nobody has seen before."""
    rng = random.Random(seed)  # noqa: S311
    for number in count():
        on = rng.sample(range(100), 4)
        row = {f"k{at}": 1.0 for at in on} | {f"s{seed}n{number}x{at}": round(rng.random(), 3) for at in range(6)}
        yield row, min(on) < 16


def http(path: str, body: Any) -> bytes:
    """Return a request as it goes over the wire."""
    content = json.dumps(body, separators=(",", ":")).encode()
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {len(content)}\r\n\r\n".encode() + content


def ours(kind: str, some: list[Example]) -> tuple[str, Any]:
    """Return address and body of a request of littlestone's service."""
    labels = ["yes" if label else "no" for _, label in some]
    if kind == "batch":
        return "/v1/models/m/learn", {"rows": [row for row, _ in some], "labels": labels}
    if kind == "predict":
        return "/v1/models/m/predict", {"row": some[0][0]}
    return "/v1/models/m/learn", {"row": some[0][0], "label": labels[0]}


def river(kind: str, some: list[Example]) -> tuple[str, Any]:
    """Return address and body of a request of the river service."""
    bodies = [{"x": row} if kind == "predict" else {"x": row, "y": label} for row, label in some]
    return ("/learn_many", {"examples": bodies}) if kind == "batch" else (f"/{kind}", bodies[0])


def rabbit(kind: str, some: list[Example]) -> bytes:
    """Return lines of Vowpal Wabbit's."""
    lines = []
    for row, label in some:
        told = "" if kind == "predict" else "1 " if label else "-1 "
        lines.append(f"{told}| {' '.join(f'{name}:{value}' for name, value in row.items())}\n")
    return "".join(lines).encode()


def requests(service: str, kind: str, seed: int) -> Iterator[bytes]:
    """Yield requests without end: of rows made before, which come again, or with names that never do."""
    size = BATCH if kind == "batch" else 1

    def made(some: list[Example]) -> bytes:
        if service == "vw":
            return rabbit(kind, some)
        return http(*(ours if service == "ours" else river)(kind, some))

    if service == "new":
        rows = ever_new(seed)
        while True:
            yield http(*ours(kind, [next(rows) for _ in range(size)]))
    pool = list(examples(POOL, seed))
    found = [made(pool[at : at + size]) for at in range(0, POOL, size)]
    if kind == "keyed":  # a key for each request
        for number, one in enumerate(cycle(found)):
            yield one.replace(b"\r\n\r\n", b"\r\nIdempotency-Key: %d-%d\r\n\r\n" % (seed, number), 1)
    yield from cycle(found)


@dataclass
class Line:
    """A connection, and what came on it since the last request."""

    link: socket.socket
    sent: float = 0.0
    came: bytes = b""
    need: int = 0  # bytes of the whole answer, once they are known


def http_done(line: Line) -> bool | None:
    """Tell whether an answer is a good one; None, if more of it is to come."""
    if not line.need:
        end = line.came.find(b"\r\n\r\n")
        if end < 0:
            return None
        head = line.came[:end].lower()
        at = head.index(b"content-length:") + 15
        line.need = end + 4 + int(head[at : head.find(b"\r\n", at) if b"\r\n" in head[at:] else None])
    return None if len(line.came) < line.need else line.came[9:12] == b"200"


def rabbit_done(lines: int) -> Callable[[Line], bool | None]:
    """Return the same for answers of so many lines."""
    return lambda line: None if line.came.count(b"\n") < lines else True


def measured(times: array[float], size: int, took: float) -> dict[str, float | None]:
    """Return what was measured in a period: requests and rows a second, and milliseconds."""
    order = sorted(times)
    p50, p99, most = (1000 * order[int(share * (len(order) - 1))] if order else None for share in (0.5, 0.99, 1.0))
    found = {"requests": len(order) / took, "rows": size * len(order) / took, "p50": p50, "p99": p99, "most": most}
    return found | {"seconds": took}


def drive(options: argparse.Namespace) -> None:
    """Open the connections, wait for the word, and send."""
    size = BATCH if options.kind == "batch" else 1
    done = rabbit_done(size) if options.service == "vw" else http_done
    source, poll, idle = (
        requests(options.service, options.kind, options.seed),
        selectors.DefaultSelector(),
        deque[Line](),
    )
    for _ in range(options.connections):
        link = socket.create_connection(("127.0.0.1", options.port), timeout=30)
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        idle.append(Line(link))
        poll.register(link, selectors.EVENT_READ, idle[-1])
    upcoming = next(source)
    print("ready", flush=True)
    sys.stdin.readline()
    began = now = perf_counter()
    end, turn = began + WARM + options.seconds, began + WARM
    times, since, due, busy = array("d"), began, began, 0
    acknowledged, answered, failed, why = 0, 0, 0, ""
    while now < end or (busy and now < end + ENDING):
        while idle and now < end and (not options.pace or due <= now):
            line = idle.popleft()
            due = max(due, now - 1.0) + 1 / options.pace if options.pace else due
            line.sent, busy = perf_counter(), busy + 1
            line.link.sendall(upcoming)
            upcoming = next(source)
        wait = min(due, end) - now if idle and now < end else 1.0
        for key, _ in poll.select(min(1.0, max(0.0, wait))):
            line = key.data
            came = line.link.recv(1 << 18)
            line.came = line.came + came if line.came else came
            good = done(line) if came else False
            if good is None:
                continue
            now, busy = perf_counter(), busy - 1
            times.append(now - line.sent)
            acknowledged, answered = acknowledged + size * good, answered + 1
            if not good:
                failed, why = failed + 1, line.came[-300:].decode(errors="replace")
            line.came, line.need = b"", 0
            if came:
                idle.append(line)
            else:  # it is closed, and stays so
                poll.unregister(line.link)
        now = perf_counter()
        if now >= turn:
            if since != began:
                print(json.dumps(measured(times, size, now - since)), flush=True)
            times, since = array("d"), now
            turn = turn + (options.period or options.seconds) if now < end else inf
    about = {"acknowledged": acknowledged, "answered": answered, "failed": failed, "why": why, "unanswered": busy}
    print(json.dumps(about), flush=True)


def main() -> None:
    """Read what to do, and do it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("service", choices=["ours", "river", "vw", "new"], help="new: ours, with ever-new names")
    parser.add_argument("kind", choices=["learn", "keyed", "batch", "predict"])
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--connections", type=int, default=32)
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--period", type=float, help="print what was measured so often")
    parser.add_argument("--pace", type=float, help="requests a second, at most")
    parser.add_argument("--seed", type=int, default=1)
    drive(parser.parse_args())


if __name__ == "__main__":
    main()
