"""How many requests a service takes, and how long an answer lasts: ours, Vowpal Wabbit's daemon, river with FastAPI.

    python benchmarks/service.py [--seconds 8] [--folder DIR] [--write]

All three run on this machine, and are asked one after another, load by load, so that a busy moment hits all alike. The
load comes from service_load.py, a process of its own, and where it is installed from wrk, too. Rows are the same for
all: ten names of 5,000, random values, every tenth label wrong. Ours answers when an example is on the disk (in the
folder given); the others keep what they learn in memory.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from common import USUAL, processor, versions
from service_load import BATCH, POOL, ours, river
from service_load import examples as drawn

HERE = Path(__file__).parent
PAGE = HERE / "RESULTS-service.md"
CLIENTS, ASKING, BATCHES = 32, 4, 8
RABBIT = """
import sys, pylibvw
pylibvw.vw(["--daemon", "--foreground", "--quiet", "--port", sys.argv[1], "--num_children", sys.argv[2], "-b", "18",
            "--loss_function", "logistic", "--link", "logistic"]).run_parser()
"""
WRK = """
local requests, at = {}, 0
for line in io.lines("BODIES") do
  requests[#requests + 1] = "POST PATH HTTP/1.1\\r\\nHost: localhost\\r\\nContent-Type: application/json\\r\\n" ..
    "Content-Length: " .. #line .. "\\r\\n\\r\\n" .. line
end
request = function() at = at % #requests + 1; return requests[at] end
"""
ABOUT = """
{machine}. Services and load generators share the machine's cores.

The load is that of `benchmarks/service_load.py` (a process; connections are kept open, and each waits for its answer),
{seconds} s a row after 1 s that does not count; {tool}. Rows have ten names of 5,000.
Work is the time of processors that all processes of a service take for a request.

- **littlestone serve**: AROW; predicts, then learns. An answer means: in the journal, and flushed to the disk ({disk};
  to flush 4 KiB takes {flush} ms). After each load, the examples it has are exactly those that it acknowledged.
- **Vowpal Wabbit's daemon**: logistic loss, lines over TCP, no HTTP; {children} children share one table of weights
  without a lock. Not durable: all is lost when it ends.
- **river + FastAPI**: `StandardScaler() | LogisticRegression()`, pydantic models, uvicorn
  (`benchmarks/service_river.py`); predicts, then learns. Not durable: all is lost when it ends.

Without any service, to predict and to learn a row takes {theirs} microseconds in river and {own} in littlestone, one by
one: the rest is HTTP, and the disk.

"""[1:]
TITLES = {"ours": "littlestone serve", "vw": "Vowpal Wabbit's daemon", "river": "river + FastAPI"}
DURABLE = {"ours": "yes", "vw": "no", "river": "no"}


class Load(NamedTuple):
    """What is asked of all."""

    title: str
    kind: str
    connections: int
    beside: bool = False  # while others learn
    wrk: bool = False


LOADS = (
    Load("learn one", "learn", 1),
    Load("learn one", "learn", CLIENTS),
    Load("learn one, with an Idempotency-Key", "keyed", CLIENTS),
    Load(f"learn {BATCH} in a request", "batch", 1),
    Load(f"learn {BATCH} in a request", "batch", BATCHES),
    Load("predict one", "predict", CLIENTS),
    Load(f"predict one, while {CLIENTS} others learn", "predict", ASKING, beside=True),
    Load("predict one, by wrk", "predict", CLIENTS, wrk=True),
    Load("learn one, by wrk", "learn", CLIENTS, wrk=True),
)


class Service(NamedTuple):
    """A service that runs."""

    name: str
    port: int
    process: subprocess.Popen[bytes]


def free_port() -> int:
    """Return a port that nobody listens at."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextmanager
def running(name: str, port: int, command: list[str], log: Path) -> Iterator[Service]:
    """Run a service until it is needed no more."""
    with log.open("wb") as out:
        process = subprocess.Popen(command, cwd=HERE, env=USUAL, stdout=out, stderr=out, start_new_session=True)
    try:
        end = time.monotonic() + 120
        while True:
            with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                break
            if process.poll() is not None or time.monotonic() > end:
                raise SystemExit(f"{name} does not start: {log.read_text()[-500:]}")
            time.sleep(0.05)
        yield Service(name, port, process)
    finally:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(40)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # its children, too
        process.wait()


def call(port: int, method: str, path: str, body: object = None) -> Any:
    """Ask our service once."""
    data = None if body is None else json.dumps(body).encode()
    asked = urllib.request.Request(
        f"http://127.0.0.1:{port}{path}", data, {"Content-Type": "application/json"}, method=method
    )
    with urllib.request.urlopen(asked, timeout=30) as answer:  # noqa: S310
        return json.load(answer)


@contextmanager
def littlestone(folder: Path, *words: str) -> Iterator[Service]:
    """Run our service; it logs what goes wrong, as the others do."""
    port = free_port()
    command = [sys.executable, "-m", "littlestone", "serve", *words, "--data", str(folder / "service"), "--log"]
    with running("ours", port, [*command, "warning", "--port", str(port)], folder / "ours.log") as service:
        yield service


@contextmanager
def vowpal_wabbit(folder: Path) -> Iterator[Service]:
    """Run Vowpal Wabbit's daemon: a child for each connection, and one for ours that only looks."""
    port = free_port()
    command = [sys.executable, "-c", RABBIT, str(port), str(CLIENTS + ASKING + 4)]
    with running("vw", port, command, folder / "vw.log") as service:
        yield service


@contextmanager
def river_fastapi(folder: Path) -> Iterator[Service]:
    """Run the service of service_river.py."""
    port = free_port()
    command = [sys.executable, "-m", "uvicorn", "service_river:app", "--no-access-log", "--log-level", "warning"]
    with running("river", port, [*command, "--port", str(port)], folder / "river.log") as service:
        yield service


class Generator:
    """A load generator that is ready to begin."""

    def __init__(self, service: str, kind: str, port: int, connections: int, seconds: float, *more: str) -> None:
        words = [service, kind, "--port", port, "--connections", connections, "--seconds", seconds, *more]
        command = [sys.executable, str(HERE / "service_load.py"), *map(str, words)]
        self.process = subprocess.Popen(command, env=USUAL, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.input, self.output = self.process.stdin, self.process.stdout
        if self.output.readline() != "ready\n":
            raise SystemExit(f"the load generator for {service} does not start")

    def begin(self) -> None:
        """Let it send."""
        self.input.write("go\n")
        self.input.flush()

    def period(self) -> dict[str, Any]:
        """Return what was measured in a period; at the end, what all of it was."""
        return dict(json.loads(self.output.readline()))

    def end(self) -> dict[str, Any]:
        """Return what all of it was; nothing must have failed."""
        found = self.period()
        self.process.communicate()
        if found["failed"] or found["unanswered"]:
            raise SystemExit(f"{found['failed']} requests failed, {found['unanswered']} unanswered: {found['why']}")
        return found


def loaded(service: Service, load: Load, seconds: float) -> dict[str, Any]:
    """Put a load on a service; return what was measured. What ours acknowledged must have been counted by it."""
    before = number(service)
    both = [Generator(service.name, load.kind, service.port, load.connections, seconds)]
    if load.beside:
        both.append(Generator(service.name, "learn", service.port, CLIENTS, seconds, "--seed", "2"))
    for one in both:
        one.begin()
    found = [one.period() for one in both]
    ends = [one.end() for one in both]
    if load.beside:
        found[0]["learned"] = found[1]["rows"]
    told = sum(end["acknowledged"] for end in ends[1 if load.kind == "predict" else 0 :])
    if service.name == "ours" and number(service) - before != told:
        raise SystemExit(f"{told:,} examples were acknowledged, and {number(service) - before:,} learned")
    found[0]["all"] = sum(end["answered"] for end in ends)
    return found[0]


def number(service: Service) -> int:
    """Return how many examples ours has learned."""
    if service.name != "ours":
        return 0
    return int(call(service.port, "GET", "/v1/models/m")["model"]["number"])


def wrk(service: Service, load: Load, seconds: float, folder: Path) -> dict[str, Any]:
    """Let wrk put a load on a service."""
    spoken = ours if service.name == "ours" else river
    asked = [spoken(load.kind, [one]) for one in drawn(POOL // 4, seed=3)]
    bodies, script = folder / "bodies", folder / "wrk.lua"
    bodies.write_text("".join(json.dumps(body, separators=(",", ":")) + "\n" for _, body in asked))
    script.write_text(WRK.replace("BODIES", str(bodies)).replace("PATH", asked[0][0]))
    command = ["wrk", "-t1", f"-c{load.connections}", f"-d{max(1, round(seconds))}s", "--latency", "-s", str(script)]
    said = subprocess.run(
        [*command, f"http://127.0.0.1:{service.port}"], capture_output=True, text=True, check=True
    ).stdout
    if "Non-2xx" in said or "Socket errors" in said:
        raise SystemExit(f"wrk and {service.name}: {said}")
    scale = {"us": 0.001, "ms": 1.0, "s": 1000.0}
    p50, p99 = (re.search(rf"{share}%\s+([\d.]+)(us|ms|s)", said) for share in (50, 99))
    rate = re.search(r"Requests/sec:\s+([\d.]+)", said)
    assert p50
    assert p99
    total = re.search(r"(\d+) requests in", said)
    assert rate
    assert total
    requests = float(rate[1])
    times = {"p50": float(p50[1]) * scale[p50[2]], "p99": float(p99[1]) * scale[p99[2]]}
    return {"requests": requests, "rows": requests, "all": int(total[1]), **times}


def work(process: int) -> float:
    """Return the seconds that processors were at work for a process and its children, as Linux says."""
    with suppress(OSError):
        place = Path(f"/proc/{process}")
        ticks = (place / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()[11:13]
        children = (place / f"task/{process}/children").read_text(encoding="ascii").split()
        return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK") + sum(work(int(child)) for child in children)
    return 0.0


def flush(folder: Path) -> float:
    """Return how long it takes to flush 4 KiB to the disk, in milliseconds."""
    found = []
    with (folder / "flush").open("wb", buffering=0) as file:
        for _ in range(100):
            file.write(bytes(4096))
            started = time.perf_counter()
            os.fdatasync(file.fileno())
            found.append(1000 * (time.perf_counter() - started))
    return median(found)


def alone() -> tuple[float, float]:
    """Return the microseconds in which river's pipeline and our learner predict and learn a row, without a service."""
    import littlestone as ls
    import service_river as theirs

    rows = list(drawn(4000, seed=5))
    own = ls.learners.learner_of("arow").begin(5000, labels=("no", "yes"))
    plain = [(row, "yes" if label else "no") for row, label in rows]

    def timed(predict: Callable[[Any], Any], learn: Callable[[Any, Any], Any], some: list[Any]) -> float:
        for row, label in some[:1000]:
            predict(row), learn(row, label)
        started = time.perf_counter()
        for row, label in some[1000:]:
            predict(row), learn(row, label)
        return 1e6 * (time.perf_counter() - started) / len(some[1000:])

    return (
        timed(theirs.model.predict_one, theirs.model.learn_one, rows),
        timed(own.predict_one, own.learn_one, plain),
    )


Found = dict[tuple[str, Load], dict[str, Any]]


def measured(services: list[Service], seconds: float, folder: Path) -> tuple[Found, list[str]]:
    """Put all loads on all services; return what was found, and the lines of the table."""
    found: Found = {}
    lines = ["| load | connections | service | requests/s | examples/s | p50, ms | p99, ms | work, us | durable |"]
    lines += ["|---" * 9 + "|"]
    print(*lines, sep="\n", flush=True)
    for load in LOADS:
        for service in services:
            if (load.kind == "keyed" and service.name != "ours") or (load.wrk and service.name == "vw"):
                continue
            if load.wrk and shutil.which("wrk") is None:
                continue
            before = work(service.process.pid)
            one = wrk(service, load, seconds, folder) if load.wrk else loaded(service, load, seconds)
            one["work"] = 1e6 * (work(service.process.pid) - before) / one["all"]
            found[service.name, load] = one
            numbers = (
                f"{one['requests']:,.0f} | {one['rows']:,.0f} | {one['p50']:.2f} | {one['p99']:.2f} | {one['work']:.0f}"
            )
            durable = "changes nothing" if load.kind == "predict" and not load.beside else DURABLE[service.name]
            title = load.title + (f" ({one['learned']:,.0f}/s)" if load.beside else "")
            lines.append(f"| {title} | {load.connections} | {TITLES[service.name]} | {numbers} | {durable} |")
            print(lines[-1], flush=True)
    return found, lines


def asked_for(found: Found) -> list[str]:
    """Return what was asked for, with what was measured."""
    by = {(name, load.title, load.connections): one for (name, load), one in found.items()}
    lines = []

    def said(held: bool, what: str, figure: str) -> None:
        lines.append(f"- {what}: {figure}: **{'held' if held else 'missed'}**.")

    for title, connections in (("learn one", CLIENTS), ("learn one", 1), ("learn one, by wrk", CLIENTS)):
        if ("ours", title, connections) not in by:
            continue
        own, theirs = (by[name, title, connections]["requests"] for name in ("ours", "river"))
        what = f"{title}, {connections} connection{'s' * (connections > 1)}, durable, at least 2 times river + FastAPI"
        said(own >= 2 * theirs, what, f"{own:,.0f} and {theirs:,.0f} a second, {own / theirs:.2f} times")
    for connections in (BATCHES, 1):
        rows = by["ours", f"learn {BATCH} in a request", connections]["rows"]
        what = (
            f"Batches of {BATCH}, {connections} connection{'s' * (connections > 1)}, at least 50,000 durable a second"
        )
        said(rows >= 50_000, what, f"{rows:,.0f}")
    one = next(one for (name, load), one in found.items() if name == "ours" and load.beside)
    what = f"p99 of predict below 10 ms while {CLIENTS} clients learn"
    said(one["p99"] < 10, what, f"{one['p99']:.1f} ms, beside {one['learned']:,.0f} examples learned a second")
    return lines


def described(folder: Path, seconds: float) -> list[str]:
    """Return what was run, and on what."""
    theirs, own = alone()
    packages = ("littlestone", "starlette", "uvicorn", "fastapi", "pydantic", "river", "vowpalwabbit")
    tool = "wrk is not installed here, and rows by it are left out"
    if shutil.which("wrk"):
        said = subprocess.run(["wrk", "-v"], capture_output=True, text=True, check=False).stdout
        tool = f"rows by wrk: {' '.join(said.split()[:2])}, which knows no Vowpal Wabbit"
    where = subprocess.run(["df", "--output=fstype", str(folder)], capture_output=True, text=True, check=False)
    told = ABOUT.format(
        machine=f"{processor()}; {versions(*packages)}",
        seconds=f"{seconds:g}", tool=tool, flush=f"{flush(folder):.2f}",
        disk=" ".join(where.stdout.split()[1:]) or "file system unknown", children=CLIENTS + ASKING + 4,
        theirs=f"{theirs:.0f}", own=f"{own:.0f}",
    )  # fmt: skip
    return told.splitlines()


def main() -> None:
    """Measure, and print or write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=8.0, help="of each load on each service")
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()), help="on the disk that counts")
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.name}")
    options = parser.parse_args()
    page = ["# Services", "", "Written by `python benchmarks/service.py --write`, which says how.", ""]
    with tempfile.TemporaryDirectory(dir=options.folder) as name, ExitStack() as stack:
        folder = Path(name)
        page += described(folder, options.seconds)
        services = [stack.enter_context(one(folder)) for one in (littlestone, vowpal_wabbit, river_fastapi)]
        about = {"learner": "arow", "labels": ["no", "yes"], "attributes": 5000}
        call(services[0].port, "PUT", "/v1/models/m", about)
        found, lines = measured(services, options.seconds, folder)
    wanted = asked_for(found)
    print("", *wanted, sep="\n")
    if options.write:
        PAGE.write_text("\n".join([*page, *lines, "", "## What was asked for", "", *wanted]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
