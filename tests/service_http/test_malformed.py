"""Bodies, headers and addresses that nobody should send: each is answered, none with an error of the server's."""

import asyncio
import json
import random

import httpx
import pytest

from littlestone.service.http.app import create_app
from littlestone.service.http.limits import Limits
from littlestone.service.http.logs import Log
from littlestone.service.http.operations import OPERATIONS

GOOD = [
    {"row": {"sky": "grey", "wind": 3.5}, "label": "yes", "weight": 2, "id": 1},
    {"rows": [{"a": 1}, "text", [1, None, True]], "labels": [1, "x", True], "ids": ["a", 2, "c"]},
    {"learner": "winnow", "labels": ["a", "b"], "attributes": 10}, {"name": "copy", "at": 3}, {"number": 4},
    {"label": "x"}, {"other": "news"}, {"row": "a", "top": 3}, {"id": "a", "label": 0},
]  # fmt: skip
VALUES = [
    None, True, 0, -1, 2**63, 2**64, 10**400, 1e308, -0.0, "", "\x00", "x" * 5000, "\ud83d\ude00", [], {}, [[]],
    [None] * 50, {"": 1}, {"a": {}}, {"row": 1}, "NaN", "../..", [[[[[[[1]]]]]]],
]  # fmt: skip
RAW = [
    b"NaN", b"Infinity", b"-", b"1e9999", b'"\\ud800"', b'"\\uDEAD"', b"\xff\xfe\x00", b"\xef\xbb\xbf{}", b"[" * 3000,
    b'{"a":' * 3000, b"/**/{}", b"{'a': 1}", b"{} {}", b"\x00", b'{"row":"a","row":"b"}', b"tru", b'"', b"0x10",
    b"1_000", b"99999999999999999999999999999999e99999999999999999999", b"\n" * 200, b"{}\n" * 200,
]  # fmt: skip
TYPES = ["application/json", "application/json", "application/x-ndjson", "application/octet-stream", "text/plain"]
NAMES = ["mail", "mail", "news", "none", "..", "%2e%2e", "a%00b", "x" * 200, "%ff", "\u00e9", "a b", "%F0%9F%98%80"]
NUMBERS = ["1", "0", "-1", "x", "9" * 30, "%31", "1.5", "+1", "\u0663"]


def mutated(coin, value):
    """A value with something else somewhere in it."""
    if coin.random() < 0.3 or not isinstance(value, dict | list) or not value:
        return coin.choice(VALUES)
    if isinstance(value, dict):
        key = coin.choice(list(value))
        found = dict(value)
        if coin.random() < 0.25:
            del found[key]
        elif coin.random() < 0.2:
            found[coin.choice(["", "x" * 300, "rows", "row", "at", "shadow"])] = coin.choice(VALUES)
        else:
            found[key] = mutated(coin, found[key])
        return found
    at = coin.randrange(len(value))
    return [*value[:at], mutated(coin, value[at]), *value[at + 1 :]]


def body(coin):
    """A body that is likely wrong, in one way or another."""
    kind = coin.random()
    if kind < 0.15:
        return coin.choice(RAW)
    if kind < 0.25:
        return coin.randbytes(coin.randrange(200))
    found = json.dumps(mutated(coin, coin.choice(GOOD))).encode()
    if kind < 0.6:
        return found
    if kind < 0.8:  # some bytes are others, or are missing
        piece = bytearray(found)
        for _ in range(coin.randrange(1, 4)):
            at = coin.randrange(len(piece) + 1)
            piece[at : at + coin.randrange(3)] = coin.randbytes(coin.randrange(3))
        return bytes(piece)
    return b"\n".join(json.dumps(mutated(coin, coin.choice(GOOD))).encode() for _ in range(coin.randrange(4)))


def request(coin):
    """Arguments of a request."""
    one = coin.choice([one for one in OPERATIONS if one.has_body or coin.random() < 0.1])
    path = one.path.replace("{model}", coin.choice(NAMES)).replace("{number}", coin.choice(NUMBERS))
    if coin.random() < 0.1:
        path += coin.choice(["?at=1", "?at=x", "?at", "?%00=1", "?&&=&", "?new_labels=1", "/", "?at=" + "9" * 99])
    headers = {"content-type": coin.choice(TYPES)}
    if coin.random() < 0.2:
        name = coin.choice(["idempotency-key", "accept", "x-request-id", "content-encoding", "origin", "authorization"])
        headers[name] = coin.choice([b"", b"a", b"\xff\xfe", b"x" * 999, b"*/*", b"a\tb", b"gzip", b"http://localhost"])
    method = one.method if coin.random() < 0.95 else coin.choice(["GET", "PUT", "BREW", "DELETE", "HEAD", "OPTIONS"])
    return method, path, headers, body(coin)


@pytest.mark.parametrize("count", [2000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_malformed_requests(desk, sink, count):
    limits = Limits(rows=100, attributes=30)
    app = create_app(desk, limits=limits, log=Log(sink, level="error"))
    coin, met = random.Random(count), set()

    async def run():
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as session:
            for _ in range(count):
                method, path, headers, content = request(coin)
                answer = await session.request(method, path, headers=headers, content=content)
                met.add(answer.status_code)
                assert answer.status_code < 500, (method, path, headers, content, sink.text)
                if answer.status_code >= 400 and method != "HEAD":
                    assert answer.headers["content-type"] == "application/problem+json"
                    assert answer.json()["title"]
                desk.models.setdefault("mail", {"name": "mail"})
                desk.seen.clear()

    asyncio.run(run())
    assert {200, 201, 400, 404, 405, 406, 415, 422} <= met
    assert sink.text == ""
