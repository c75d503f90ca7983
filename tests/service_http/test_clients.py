"""Clients: what they send, when they send it again, and what they say."""

import asyncio
import json

import httpx
import numpy as np
import pytest

import littlestone as ls
from littlestone.service.client import AsyncClient, Client, ServiceError
from littlestone.service.client.calls import Retries
from littlestone.service.http.app import create_app
from littlestone.service.http.keys import Keys
from littlestone.service.http.limits import Limits
from littlestone.service.http.logs import Log

from .conftest import serving

QUICK = Retries(times=3, first=0.001, most=0.01)


@pytest.fixture
def url(desk, sink):
    with serving(create_app(desk, log=Log(sink))) as port:
        yield f"http://127.0.0.1:{port}"


def called(client):
    """Call every method once; return what came."""
    return [
        client.predict("mail", {"a": 1}), client.predict_many("mail", ["a", "b"], at=2, shadow="news"),
        client.learn("mail", "a", 1, weight=2.0),
        client.learn_many("mail", np.eye(2), np.array([0, 1]), ids=["a", "b"]),
        client.ask("mail", "a", "id-1"), client.ask_many("mail", ["a", "b"], [1, 2], weights=[1, 2]),
        client.label("mail", "id-1", "x"), client.label_many("mail", [1, 2], ["x", "y"]),
        client.lines("mail", "learn", b'{"row": "a", "label": 1}\n'),
        client.explain("mail", "a"), client.explain("mail"), client.explain_many("mail", np.eye(2)),
        client.models(), client.describe("mail"), client.create("new", "winnow", labels=[0, 1]),
        client.upload("up", b"xyz", new_labels=True), client.download("mail", at=3), client.clone("mail", "copy", at=1),
        client.switch("mail", "news"), client.roll_back("mail", 3), client.correct("mail", 3, "x"),
        client.forget("mail", 4), client.remove("copy"),
    ]  # fmt: skip


def test_every_method(url, desk):
    with Client(url) as client:
        found = called(client)
    seen = desk.seen
    desk.models.pop("new"), desk.models.pop("up")
    desk.seen, desk.number = [], 0

    async def run():
        async with AsyncClient(url) as client:
            return [await one for one in called(client)]

    assert asyncio.run(run()) == found
    assert [type(one) for one in desk.seen] == [type(one) for one in seen]
    assert found[0]["prediction"] == "ham" and found[3]["numbers"] == [2, 3] and len(found[16]) == 1_000_000


def test_errors_have_the_server_s_words(url):
    with Client(url) as client:
        with pytest.raises(ServiceError, match=r"404: no model 'none'") as error:
            client.predict("none", "a")
        assert (error.value.status, error.value.kind) == (404, "unknown-model") and error.value.request
        with pytest.raises(ServiceError, match="at least 1|>= 1"):
            client.predict_many("mail", [])
        with pytest.raises(ls.InvalidData, match="expected rows of texts"):
            client.predict("mail", object())
    with pytest.raises(ls.InvalidParameter, match="expected an address"):
        Client("localhost:8765")


def flaky(failures, seen):
    """A service that fails so often before it answers."""

    def served(request):
        seen.append((request.headers.get("idempotency-key"), request.content))
        if len(seen) > len(failures):
            return httpx.Response(200, json={"number": 1})
        failure = failures[len(seen) - 1]
        if isinstance(failure, int):
            return httpx.Response(failure, json={"title": "x", "detail": "later"}, headers={"retry-after": "0"})
        raise failure

    return httpx.MockTransport(served)


FAILURES = [503, httpx.ReadError("gone"), httpx.ConnectError("refused"), 429]


def test_it_is_sent_again_under_the_same_key():
    seen = []
    with Client("http://x", transport=flaky(FAILURES[:3], seen), retries=QUICK) as client:
        assert client.learn("mail", "a", 1) == {"number": 1}
        assert len(seen) == 4 and len(set(seen)) == 1 and len(seen[0][0]) == 32
        client.learn("mail", "a", 1, once="mine")
        client.learn("mail", "a", 1)
    assert seen[-2][0] == "mine" and seen[-1][0] not in ("mine", seen[0][0])

    async def run():
        again = []
        async with AsyncClient("http://x", transport=flaky(FAILURES[1:], again), retries=QUICK) as client:
            assert await client.learn("mail", "a", 1) == {"number": 1}
        assert len(again) == 4 and len(set(again)) == 1

    asyncio.run(run())


def test_it_gives_up():
    seen = []
    with Client("http://x", transport=flaky([503] * 99, seen), retries=QUICK) as client:
        with pytest.raises(ServiceError, match="503: later"):
            client.learn("mail", "a", 1)
        assert len(seen) == 4
        with pytest.raises(ServiceError, match="503"):  # what might be done twice is not sent again
            client.create("mail")
        assert len(seen) == 5
    lost = httpx.MockTransport(lambda _: (_ for _ in ()).throw(httpx.ReadTimeout("slow")))
    with Client("http://x", transport=lost, retries=QUICK) as client, pytest.raises(ServiceError, match="no answer"):
        client.predict("mail", "a")
    page = httpx.MockTransport(lambda _: httpx.Response(502, text="<html>"))
    with Client("http://x", transport=page, retries=QUICK) as client, pytest.raises(ServiceError, match="502: <html>"):
        client.models()


def test_keys_of_clients(desk, sink, tmp_path, monkeypatch):
    keys = Keys(tmp_path)
    said = keys.add("predict")
    with serving(create_app(desk, keys=keys, log=Log(sink))) as port:
        url = f"http://127.0.0.1:{port}"
        with Client(url) as client, pytest.raises(ServiceError, match="401"):
            client.models()
        with Client(url, said) as client:
            assert client.models()["models"]
        monkeypatch.setenv("LITTLESTONE_KEY", said)
        with Client(url) as client:
            assert client.models()["models"]


def test_concurrency_of_a_key(desk, sink):
    desk.wait = 0.2
    limits = Limits(concurrency=2)

    async def run(url):
        async with AsyncClient(url, retries=Retries(times=0)) as client:
            return await asyncio.gather(*(client.predict("mail", "a") for _ in range(5)), return_exceptions=True)

    with serving(create_app(desk, limits=limits, log=Log(sink))) as port:
        found = asyncio.run(run(f"http://127.0.0.1:{port}"))
    refused = [one for one in found if isinstance(one, ServiceError)]
    assert len(refused) == 3 and all(one.status == 429 for one in refused)


def test_the_command_asks(url):
    from click.testing import CliRunner

    from littlestone.cli import main

    def run(*words, code=0, **more):
        found = CliRunner().invoke(main, ["ask", url, *words], **more)
        assert found.exit_code == code, found.output
        return found.output if code else [json.loads(line) for line in found.stdout.splitlines()]

    assert run()[0]["models"][0] == {"name": "mail"}
    assert run("mail")[0]["model"] == {"name": "mail"}
    assert run("mail", '{"a": 1}')[0]["prediction"] == "ham"
    assert run("mail", "some text", "--at", "3")[0]["after"] == 3
    assert run("mail", "some text", "--label", "1")[0]["number"] == 1
    assert run("mail", "5", "--id", "x")[0]["number"] == 2
    assert run("mail", "--id", "x", "--label", "ham")[0]["number"] == 3
    assert run("mail", "some text", "--explain")[0]["explanation"]["row"] == "some text"
    lines = b'{"row": "a", "label": 1}\n\n{"row": "bad", "label": 1}'
    assert [one.get("number") for one in run("mail", "--lines", "-", "--learn", input=lines)] == [4, None]
    assert "404" in run("none", "x", code=1)
    for words in (["--label", "x"], ["mail", "--label", "x"], ["mail", "--learn"], ["mail", "x", "--lines", "-"],
                  ["mail", "x", "--explain", "--id", "a"], ["mail", "--at", "3"]):  # fmt: skip
        run(*words, code=2)
