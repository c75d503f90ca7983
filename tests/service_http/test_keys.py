"""Who gets in, and what for: keys, roles, models, hosts and origins."""

import json
import socket
import stat
import threading

import pytest

import littlestone as ls
from littlestone.service import wire
from littlestone.service.http.app import create_app
from littlestone.service.http.keys import Keys
from littlestone.service.http.limits import Limits, Turnstile
from littlestone.service.http.logs import Log
from littlestone.service.http.operations import OPERATIONS
from littlestone.service.http.problems import Refusal

from .conftest import serving
from .test_app import ONE, is_problem


def bearer(key):
    return {"authorization": f"Bearer {key}"}


def test_a_key_is_written_as_a_digest_for_its_owner_only(tmp_path):
    keys = Keys(tmp_path / "new")
    said = keys.add("learn", models=["mail", "mail"], note="x")
    assert stat.S_IMODE(keys.path.stat().st_mode) == 0o600
    secret = said.split("_", 2)[2]  # there may be "_" in it, and a letter behind the last one is in any text
    assert len(secret) > 20 and secret not in keys.path.read_text()
    other = Keys(tmp_path / "new")
    assert other.of(said).models == ("mail",) and other.of(said).may("predict") and not other.of(said).may("admin")
    keys.path.chmod(0o644)
    other.add("admin")
    assert stat.S_IMODE(keys.path.stat().st_mode) == 0o600 and len(Keys(tmp_path / "new")) == 2


def test_two_processes_make_keys_at_once(tmp_path):
    threads = [threading.Thread(target=Keys(tmp_path).add, args=("predict",)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(Keys(tmp_path)) == 8


@pytest.mark.parametrize("text", [
    "", "[]", "{", '{"keys": [{"id": "a"}]}', '{"keys": [], "version": 2}',
    '{"keys": [{"id": "a", "role": "god", "digest": "x"}]}',
    '{"keys": [{"id": "a", "role": "learn", "digest": "x"}, {"id": "a", "role": "learn", "digest": "y"}]}',
])  # fmt: skip
def test_a_damaged_file_is_refused_and_the_keys_stay(tmp_path, text):
    keys = Keys(tmp_path)
    said = keys.add("learn")
    keys.path.write_text(text)
    with pytest.raises(ls.InvalidData, match="expected keys as"):
        keys.reload()
    assert keys.of(said) is not None
    with pytest.raises(ls.InvalidData):
        keys.add("learn")


def test_what_is_no_key(tmp_path):
    keys = Keys(tmp_path)
    said = keys.add("learn")
    _, name, secret = said.split("_", 2)
    for wrong in ("", "lst", "lst_", f"lst_{name}", f"lst_{name}_", f"xst_{name}_{secret}", f"lst__{secret}",
                  said[:-1], said + "=", said.upper(), "\udcff" * 9, "lst_" * 9999):  # fmt: skip
        assert keys.of(wrong) is None
    with pytest.raises(ls.InvalidParameter, match="did you mean admin"):
        keys.add("amdin")
    with pytest.raises(ls.InvalidParameter, match="expected the id of a key"):
        keys.revoke("nobody")


def test_each_operation_needs_its_role(client, keys):
    shown = {role: keys.add(role) for role in ("predict", "learn", "admin")}
    order = list(shown)
    for one in OPERATIONS:
        path = one.path.format(model="mail", number=3) if "{" in one.path else one.path
        if one.role is None:
            assert client(one.method, path, keys=keys).status_code == 200
            continue
        is_problem(client(one.method, path, keys=keys), 401, "no-key")
        for role, said in shown.items():
            answer = client(one.method, path, headers=bearer(said), keys=keys)
            if order.index(role) < order.index(one.role):
                assert one.role in is_problem(answer, 403, "not-allowed")
            else:
                assert answer.status_code not in (401, 403)


def test_a_key_for_some_models(client, keys, desk):
    said = bearer(keys.add("admin", models=["mail"]))

    def refused(method, path, **more):
        return is_problem(client(method, path, headers=said, keys=keys, **more), 403, "not-allowed")

    assert client("GET", "/v1/models", headers=said, keys=keys).json() == {"models": [{"name": "mail"}]}
    assert client("POST", "/v1/models/mail/learn", json=ONE, headers=said, keys=keys).status_code == 200
    refused("POST", "/v1/models/news/learn", json=ONE)
    refused("GET", "/v1/models/not-there")
    refused("PUT", "/v1/models/other", json={})
    refused("POST", "/v1/models/mail/predict", json={"row": "a", "shadow": "news"})
    refused("POST", "/v1/models/mail/learn", json={**ONE, "shadow": "news"})
    refused("POST", "/v1/models/mail/ask", json={"row": "a", "id": 1, "shadow": "news"})
    refused("POST", "/v1/models/mail/label", json={"id": 1, "label": 1, "shadow": "news"})
    refused("POST", "/v1/models/mail/clone", json={"name": "other"})
    refused("POST", "/v1/models/mail/switch", json={"other": "news"})
    refused("GET", "/metrics")
    assert not any(isinstance(one, wire.Create | wire.Clone | wire.Switch) for one in desk.seen)


@pytest.mark.parametrize("shown", [
    "Bearer x", "Bearer", "", "Basic abc", "Bearer lst_00000000_abc", "bearer \u00e9".encode("latin-1"), "lst_a_b",
])  # fmt: skip
def test_wrong_keys(client, keys, desk, shown):
    keys.add("admin")
    answer = client("GET", "/v1/models", headers={"authorization": shown}, keys=keys)
    is_problem(answer, 401, "wrong-key")
    assert answer.headers["www-authenticate"].startswith("Bearer") and desk.seen == []


def test_a_revoked_key_and_a_new_one(client, keys):
    said = keys.add("admin")
    other = Keys(keys.path.parent)
    new = other.add("predict")
    is_problem(client("GET", "/v1/models", headers=bearer(new), keys=keys), 401, "wrong-key")
    keys.reload()
    assert client("GET", "/v1/models", headers=bearer(new), keys=keys).status_code == 200
    for one in [*other]:
        other.revoke(one.id)
    keys.reload()
    assert len(keys) == 0  # and nobody comes in without a key
    is_problem(client("GET", "/v1/models", headers=bearer(said), keys=keys), 401, "wrong-key")
    is_problem(client("GET", "/v1/models", keys=keys), 401, "no-key")


def test_the_first_key_closes_an_open_service(client, keys):
    keys.open = True
    assert client("GET", "/v1/models", keys=keys).status_code == 200
    Keys(keys.path.parent).add("admin")
    keys.reload()
    is_problem(client("GET", "/v1/models", keys=keys), 401, "no-key")
    keys.revoke(next(iter(keys)).id)
    keys.reload()
    is_problem(client("GET", "/v1/models", keys=keys), 401, "no-key")


@pytest.mark.parametrize("count", [400, pytest.param(10_000, marks=pytest.mark.slow)])
def test_many_wrong_keys(keys, desk, count):
    import asyncio
    import io
    import tracemalloc

    import httpx

    from littlestone.service.http.app import create_app
    from littlestone.service.http.logs import Log

    keys.add("admin")
    out = io.StringIO()
    app = create_app(desk, keys=keys, log=Log(out))

    async def run():
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://x") as session:
            for number in range(count):
                said = f"lst_{number:08x}_{'x' * 43}"
                answer = await session.get("/v1/models", headers=bearer(said))
                assert answer.status_code == 401
                if number == 200:
                    tracemalloc.start()
            return tracemalloc.get_traced_memory()[0]

    grown = asyncio.run(run())
    tracemalloc.stop()
    assert grown < 2_000_000 and len(out.getvalue().splitlines()) < count / 4 and desk.seen == []


def test_without_keys_only_this_machine(client, desk):
    def get(status, kind, *, path="/v1/models", **more):
        answer = client("GET", path, **more)
        if status == 200:
            assert answer.status_code == 200, answer.text
        else:
            is_problem(answer, status, kind)

    for path in ("/v1/models", "/docs", "/v1/health/live"):
        for base in ("http://localhost", "http://localhost:8765", "http://127.0.0.1:1", "http://[::1]:80"):
            get(200, "", base=base, path=path)
        for base in ("http://evil.example", "http://localhost.evil.example", "http://10.0.0.1", "http://127.0.0.1.x"):
            get(403, "not-here", base=base, path=path)
        get(403, "not-here", address=("10.1.2.3", 99), path=path)
        for header in (
            "x-forwarded-for", "forwarded", "X-Forwarded-Host", "x-forwarded-proto", "x-real-ip", "via",
            "cf-connecting-ip", "cf-ray", "true-client-ip", "x-client-ip", "x-original-url", "x-original-forwarded-for",
        ):  # fmt: skip
            get(403, "not-here", headers={header: "1.2.3.4"}, path=path)
        get(200, "", headers={"origin": "http://localhost"}, path=path)
        for origin in ("http://evil.example", "null", "https://localhost", "http://localhost:3000", ""):
            get(403, "origin", headers={"origin": origin}, path=path)
        get(403, "origin", headers={"sec-fetch-site": "cross-site"}, path=path)
        get(200, "", headers={"sec-fetch-site": "none"}, path=path)
    get(200, "", address=("::1", 99))
    get(403, "not-here", headers={"host": ""})
    assert all(isinstance(one, wire.Describe) for one in desk.seen)


def test_without_keys_an_old_version_of_http_is_a_proxy(desk, sink):
    with serving(create_app(desk, log=Log(sink))) as port:
        for version, status in (("1.0", b" 403 "), ("1.1", b" 200 ")):
            with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
                connection.sendall(f"GET /v1/models HTTP/{version}\r\nHost: localhost\r\n\r\n".encode())
                assert status in connection.recv(1 << 16)


def test_a_file_without_keys_lets_nobody_in(tmp_path):
    keys = Keys(tmp_path)
    assert keys.is_missing and not keys.changed()
    keys.open = True
    other = Keys(tmp_path)
    other.add("admin")
    assert keys.changed() and keys.is_open
    keys.reload()
    assert not (keys.is_missing or keys.is_open or keys.changed())
    other.revoke(next(iter(other)).id)
    again = Keys(tmp_path)
    assert len(again) == 0 and not again.is_missing
    (tmp_path / "keys.json").write_text("[")
    keys.open = True
    with pytest.raises(ls.InvalidData):
        keys.reload()
    assert not keys.is_open


def test_the_folder_is_its_owners(tmp_path):
    Keys(tmp_path / "svc").add("admin")
    assert stat.S_IMODE((tmp_path / "svc").stat().st_mode) == 0o700


def test_with_keys_neither_host_nor_origin_matters(client, keys):
    said = bearer(keys.add("predict")) | {"origin": "https://page.example"}
    answer = client("GET", "/v1/models", base="https://api.example", address=("10.1.2.3", 99), headers=said, keys=keys)
    assert answer.status_code == 200
    assert not any(name.startswith("access-control") for name in answer.headers)


def test_origins_that_are_named(client, keys):
    origins = ("https://Page.example/",)
    ask = {"origin": "https://page.example", "access-control-request-method": "POST"}
    answer = client("OPTIONS", "/v1/models/mail/predict", headers=ask, keys=keys, origins=origins)
    assert answer.status_code == 204 and answer.headers["access-control-allow-origin"] == "https://page.example"
    said = bearer(keys.add("predict")) | {"origin": "https://page.example"}
    answer = client("GET", "/v1/models", headers=said, keys=keys, origins=origins)
    assert answer.headers["access-control-allow-origin"] == "https://page.example"
    other = bearer(keys.add("predict")) | {"origin": "https://other.example"}
    answer = client("GET", "/v1/models", headers=other, keys=keys, origins=origins)
    assert "access-control-allow-origin" not in answer.headers


def test_rates_and_how_many_at_once():
    now = [0.0]
    turnstile = Turnstile(Limits(rate=2.0, burst=2.0, concurrency=3), clock=lambda: now[0])
    for _ in range(4):
        with turnstile.passing("a"):
            pass
    with pytest.raises(Refusal) as refused:
        turnstile.enter("a")
    assert refused.value.headers == {"Retry-After": "1"}
    with turnstile.passing("b"):
        pass
    now[0] += 0.5
    with turnstile.passing("a"), pytest.raises(Refusal):
        turnstile.enter("a")
    now[0] += 100.0
    for _ in range(3):
        turnstile.enter("a")
    with pytest.raises(Refusal, match="at most 3 requests under way"):
        turnstile.enter("a")
    for number in range(10_000):
        with turnstile.passing(f"{number}"):
            pass
    assert len(turnstile) <= 4096 and turnstile.under_way("a") == 3


def test_too_many_requests(client, keys):
    said, limits = bearer(keys.add("predict")), Limits(rate=0.001, burst=0.001)
    assert client("GET", "/v1/models", headers=said, keys=keys, limits=limits).status_code == 200
    answer = client("GET", "/v1/models", headers=said, keys=keys, limits=limits)
    is_problem(answer, 429, "too-many-requests")
    assert int(answer.headers["retry-after"]) >= 1
    assert client("GET", "/v1/health/live", keys=keys, limits=limits).status_code == 200


def test_headers_that_come_twice(client):
    for name in ("authorization", "idempotency-key", "content-type"):
        answer = client("GET", "/v1/models", headers=[(name, "a"), (name, "b")])
        assert name in is_problem(answer, 400, "bad-request")


def test_the_command_makes_lists_and_revokes(tmp_path):
    from click.testing import CliRunner

    from littlestone.cli import main

    def run(*words):
        return CliRunner().invoke(main, ["key", str(tmp_path / "svc"), *words])

    assert "expected the data folder" in run("list").output
    said = run("add", "--role", "learn", "--model", "mail", "--note", "ours").stdout.strip()
    keys = Keys(tmp_path / "svc")
    found = keys.of(said)
    assert (found.role, found.models, found.note) == ("learn", ("mail",), "ours")
    assert found.id in run("list").stdout and said.rpartition("_")[2] not in run("list").output
    assert json.loads(run("list", "--json").stdout)["keys"][0]["models"] == ["mail"]
    assert json.loads(run("add", "--role", "admin", "--json").stdout)["key"].startswith("lst_")
    assert run("revoke", found.id).exit_code == 0 and run("revoke", found.id).exit_code == 2
    for words in (["add"], ["add", "x", "--role", "learn"], ["revoke"], ["list", "--role", "learn"], ["list", "x"]):
        assert run(*words).exit_code == 2, words
    acts = [json.loads(line)["act"] for line in (tmp_path / "svc" / "audit.jsonl").read_text().splitlines()]
    assert acts == ["add key", "add key", "revoke key"]
