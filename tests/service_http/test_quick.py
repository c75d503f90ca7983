"""The quick way answers, counts and logs what the long way does."""

import json
import re
import socket
import time
from contextlib import closing, contextmanager

import pytest

from littlestone.service import wire
from littlestone.service.http.app import create_app
from littlestone.service.http.limits import Limits
from littlestone.service.http.logs import Log
from littlestone.service.http.quick import Quick

from .conftest import FakeDesk, Sink, serving

LIMITS = Limits(answer_time=0.3, rows=5, attributes=3, body=2000, header_time=5.0)
ROW = {"row": {"sky": "grey"}, "label": "rain"}
JSON = {"Host": "localhost", "Content-Type": "application/json"}
MADE = re.compile(rb"\b[0-9a-f]{8}-\d+\b")  # ids of requests
LINES = b'{"row": "a", "label": 1}\n{"row": "bad", "label": 0}\n'


def written(path, body, **headers):
    """A request: its head, and its body."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    said = {**JSON, "X-Request-Id": "this-one", "Content-Length": len(data)}
    said |= {name.replace("_", "-"): value for name, value in headers.items()}
    lines = (f"{name}: {value}\r\n" for name, value in said.items() if value is not None)
    return f"POST {path} HTTP/1.1\r\n{''.join(lines)}\r\n".encode(), data


LEARN, PREDICT = "/v1/models/mail/learn", "/v1/models/mail/predict"
CASES = {
    "learn": written(LEARN, ROW),
    "learn, with a key": written(LEARN, ROW, Idempotency_Key="k-1"),
    "learn several": written(LEARN, {"rows": ["a", "bad"], "labels": [0, 1]}),
    "learn lines": written(LEARN, LINES, Content_Type="application/x-ndjson"),
    "learn what is refused": written(LEARN, {"row": "bad", "label": 1}),
    "predict": written(PREDICT, {"row": {"sky": "grey"}}),
    "predict as of an event, with a shadow": written(PREDICT, {"row": [1, 2], "at": 3, "shadow": "news"}),
    "ask": written("/v1/models/mail/ask", {"row": {"a": 1}, "id": 5}),
    "label": written("/v1/models/mail/label", {"ids": ["a", "b"], "labels": [0, 1]}),
    "an unknown model": written("/v1/models/nobody/learn", ROW),
    "no JSON": written(LEARN, b'{"row": '),
    "no UTF-8": written(LEARN, b'{"row": "\xff", "label": 1}'),
    "no body": written(LEARN, b""),
    "another form": written(LEARN, {"row": {"a": 1}}),
    "both forms": written(LEARN, {**ROW, "rows": [{}]}),
    "too many rows": written(LEARN, {"rows": ["a"] * 9, "labels": [1] * 9}),
    "too many attributes": written(PREDICT, {"row": {f"a{i}": 1 for i in range(9)}}),
    "too long": written(PREDICT, {"row": "a" * 3000}),
    "another type": written(LEARN, ROW, Content_Type="text/plain"),
    "no type": written(LEARN, ROW, Content_Type=None),
    "compressed": written(LEARN, ROW, Content_Encoding="gzip"),
    "an answer that is not given": written(LEARN, ROW, Accept="text/html"),
    "a key of blanks": written(LEARN, ROW, Idempotency_Key="a b"),
    "another host": written(LEARN, ROW, Host="example.org"),
    "another origin": written(LEARN, ROW, Origin="https://example.org"),
    "a page of another origin": written(LEARN, ROW, Sec_Fetch_Site="cross-site"),
    "a proxy": written(LEARN, ROW, X_Forwarded_For="10.0.0.1"),
    "a header twice": (written(LEARN, ROW)[0][:-2] + b"Host: localhost\r\n\r\n", written(LEARN, ROW)[1]),
    "the last one": written(LEARN, ROW, Connection="close"),
    "an id that is none": written(LEARN, ROW, X_Request_Id="a b"),
}


def answers(port, sent, count=1):
    """What a server says to what is sent in one piece, without what differs each time."""
    with closing(socket.create_connection(("127.0.0.1", port), timeout=5)) as link:
        link.sendall(sent)
        with link.makefile("rb") as file:
            return [one_of(file) for _ in range(count)]


def one_of(file):
    """The next answer of a connection."""
    head = []
    while (line := file.readline()) not in (b"\r\n", b""):
        head.append(MADE.sub(b"made", line) if not line.startswith(b"date:") else b"date")
    body = file.read(next(int(line.split(b":")[1]) for line in head if line.startswith(b"content-length:")))
    return head[0], sorted(head[1:]), MADE.sub(b"made", body)


class Both:
    """Two servers that are the same, but that one has no quick way; ``quick`` is how often the other one took it."""

    def __init__(self, monkeypatch):
        self.desks, self.sinks, self.quick = [FakeDesk(), FakeDesk()], [Sink(), Sink()], 0
        begin = Quick.begin

        def counted(*given):
            self.quick += 1
            begin(*given)

        monkeypatch.setattr(Quick, "begin", counted)

    @contextmanager
    def serving(self, limits=LIMITS, **more):
        """Serve, and see that what was counted and logged is the same."""
        apps = [create_app(desk, limits=limits, log=Log(sink), **more)
                for desk, sink in zip(self.desks, self.sinks, strict=True)]  # fmt: skip
        metrics = [app.state.quick._keeper._metrics for app in apps]
        apps[1].state.quick = None
        with serving(apps[0], limits) as fast, serving(apps[1], limits) as slow:
            yield fast, slow
        assert self.desks[0].seen == self.desks[1].seen
        assert metrics[0].requests == metrics[1].requests and metrics[0]._rows == metrics[1]._rows
        assert metrics[0].under_way == metrics[1].under_way == 0
        assert metrics[0].refused_keys == metrics[1].refused_keys
        lines = [[json.loads(line) for line in sink.text.splitlines()] for sink in self.sinks]
        for line in (line for some in lines for line in some):
            line.pop("time"), line.pop("milliseconds", None), line.pop("trace", None)
            line["request"] = MADE.sub(b"made", line["request"].encode())
        assert lines[0] == lines[1] and len(lines[0]) >= sum(metrics[0].requests.values())


@pytest.fixture
def both(monkeypatch):
    return Both(monkeypatch)


def test_all_of_it_is_the_same(both):
    with both.serving() as (fast, slow):
        for name, (head, body) in CASES.items():
            before = both.quick
            assert answers(fast, head + body) == answers(slow, head + body), name
            assert both.quick == before + (name != "too long"), name


@pytest.mark.parametrize("reply", [
    wire.Problem(503, "starting", "The service starts", "wait", again=True),
    wire.Problem(400, "label", "A wrong label", "it is none", "rows[0]"),
    wire.Gone("mail"),  # which nobody expects
])  # fmt: skip
def test_problems_of_the_worker(both, reply):
    head, body = CASES["learn"]
    for desk in both.desks:
        desk.reply = reply
    with both.serving() as (fast, slow):
        assert answers(fast, head + body) == answers(slow, head + body)
    assert both.quick == 1


def test_a_worker_that_is_late(both):
    head, body = CASES["learn"]
    for desk in both.desks:
        desk.wait = 0.6
    with both.serving() as (fast, slow):
        [found] = answers(fast, head + body)
        assert found[0] == b"HTTP/1.1 503 Service Unavailable\r\n" and answers(slow, head + body) == [found]
        time.sleep(0.6)  # its reply comes to nobody
        for desk in both.desks:
            desk.wait = desk.number = 0
        assert answers(fast, head + body) == answers(slow, head + body)


def test_keys_rates_and_origins(both, keys):
    shown = {role: keys.add(role=role, models=["mail"]) for role in ("predict", "learn")}
    limits = Limits(rate=0.001, burst=3000.0, rows=5)  # three requests
    with both.serving(limits, keys=keys, origins=["https://example.org"]) as (fast, slow):
        for key, path, origin in [
            (None, LEARN, None), ("Bearer none", LEARN, None), ("Basic x", LEARN, None),
            *((f"Bearer {key}", path, "https://example.org") for key in shown.values() for path in (LEARN, PREDICT)),
            *[(f"Bearer {shown['learn']}", path, None) for path in ("/v1/models/news/learn", LEARN, LEARN, LEARN)],
        ]:  # fmt: skip
            body = ROW if path.endswith("learn") else {"row": ROW["row"]}
            sent = b"".join(written(path, body, Authorization=key, Origin=origin))
            assert answers(fast, sent) == answers(slow, sent), (key, path)
    assert both.quick == 11


def test_requests_that_come_together(both):
    one, two = (b"".join(CASES[name]) for name in ("learn", "predict"))
    health = b"GET /v1/health/live HTTP/1.1\r\nHost: localhost\r\n\r\n"
    for desk in both.desks:
        desk.wait = 0.02
    with both.serving() as (fast, slow):
        for sent in ([one, two], [one, health, two], [health, one], [two, one, one]):
            assert answers(fast, b"".join(sent), len(sent)) == answers(slow, b"".join(sent), len(sent))


def test_who_goes_before_the_answer_comes(both):
    for desk in both.desks:
        desk.wait = 0.1
    with both.serving() as ports:
        for port in ports:
            with closing(socket.create_connection(("127.0.0.1", port), timeout=5)) as link:
                link.sendall(b"".join(CASES["learn"]))
                time.sleep(0.05)
        time.sleep(0.3)
