"""What goes in and out, and every refusal, without a socket."""

import asyncio
import json
import re
from pathlib import Path

import pytest

from littlestone.service import wire
from littlestone.service.http.limits import Limits
from littlestone.service.http.logs import Audit
from littlestone.service.http.operations import OPERATIONS

ONE = {"row": {"sky": "grey"}, "label": "rain"}


def is_problem(answer, status, kind):
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    found = answer.json()
    assert found["type"] == f"/docs#{kind}" and found["status"] == status and found["title"]
    assert found["request"] == answer.headers["x-request-id"]
    return found.get("detail", "")


def test_one_row_and_several(client, desk):
    assert client("POST", "/v1/models/mail/predict", json={"row": {"sky": "grey"}, "at": 3}).json() == {
        "model": "mail", "after": 3, "prediction": "ham", "probability": 0.75,
    }  # fmt: skip
    assert desk.seen[-1] == wire.Predict("mail", [{"sky": "grey"}], 3)
    found = client("POST", "/v1/models/mail/predict", json={"rows": ["a", "bad"], "shadow": "news"}).json()
    assert found["predictions"] == ["ham", None] and found["refused"] == [
        {"at": 1, "because": "row", "detail": "row 1 is bad"}
    ]
    assert found["shadow"]["model"] == "news"
    header = {"Idempotency-Key": "k-1"}
    found = client("POST", "/v1/models/mail/learn", json={**ONE, "weight": 2, "id": "m"}, headers=header)
    assert found.json() == {"model": "mail", "number": 1, "prediction": "ham", "probability": 0.75}
    assert desk.seen[-1] == wire.Learn("mail", [{"sky": "grey"}], ["rain"], [2.0], ["m"], "k-1")
    many = {"rows": ["a", "bad", [1, 2.5, None]], "labels": [0, 1, True]}
    found = client("POST", "/v1/models/mail/learn", json=many).json()
    assert found["numbers"] == [2, None, 3] and found["first"] == 2 and found["count"] == 2
    found = client("POST", "/v1/models/mail/ask", json={"row": {"a": 1}, "id": 5}).json()
    assert found["number"] == 4 and desk.seen[-1] == wire.Ask("mail", [{"a": 1}], [5])
    client("POST", "/v1/models/mail/label", json={"ids": ["a", "b"], "labels": [0, 1]})
    assert desk.seen[-1] == wire.Label("mail", ["a", "b"], [0, 1])


def test_lines(client, desk):
    lines = b'{"row": "a", "label": 1}\n\n{"row": "bad", "label": 0, "weight": 2}\r\n'
    answer = client("POST", "/v1/models/mail/learn", content=lines, headers={"content-type": "application/x-ndjson"})
    assert answer.headers["content-type"] == "application/x-ndjson"
    first, second = map(json.loads, answer.text.splitlines())
    assert first == {"prediction": "ham", "probability": 0.75, "number": 1}
    assert second["refused"]["because"] == "row" and second["prediction"] is None
    assert desk.seen[-1].weights == [1.0, 2.0]
    for body, kind, says in [
        (b'{"row": "a", "label": 1}\n{"row": 5, "label": 1}', "invalid", "line 2: row: expected"),
        (b'{"row": "a", "label": 1}\nnope', "malformed", "line 2: "),
        (b"\n\n", "malformed", "got none"),
        (b'{"row": "a", "label": 1, "id": 1}\n{"row": "b", "label": 1}', "invalid", "row 1 has none"),
    ]:
        answer = client("POST", "/v1/models/mail/learn", content=body, headers={"content-type": "application/x-ndjson"})
        assert says in is_problem(answer, 400 if kind == "malformed" else 422, kind)


def test_models(client, desk):
    assert client("GET", "/v1/models").json() == {"models": [{"name": "mail"}, {"name": "news"}]}
    assert client("GET", "/v1/models/mail").json() == {"model": {"name": "mail"}}
    assert client("PUT", "/v1/models/new", json={"learner": "winnow", "labels": [0, 1]}).status_code == 201
    assert desk.seen[-1] == wire.Create("new", "winnow", [0, 1])
    assert client("PUT", "/v1/models/newer").status_code == 201
    answer = client("GET", "/v1/models/mail/file?at=2")
    assert len(answer.content) == 1_000_000 and 'filename="mail-2.npz"' in answer.headers["content-disposition"]
    octets = {"content-type": "application/octet-stream"}
    answer = client("PUT", "/v1/models/up/file?new_labels=true", content=b"x" * 100, headers=octets)
    assert answer.status_code == 201 and answer.json()["notes"] == ["noted"]
    assert desk.seen[-1] == wire.Upload("up", b"x" * 100, new_labels=True)
    assert client("POST", "/v1/models/mail/clone", json={"name": "copy", "at": 4}).status_code == 201
    assert client("POST", "/v1/models/mail/switch", json={"other": "news"}).status_code == 200
    assert client("POST", "/v1/models/mail/roll-back", json={"number": 4}).json() == {"model": "mail", "number": 4}
    assert client("PATCH", "/v1/models/mail/examples/9", json={"label": "spam"}).json()["pending"]
    assert desk.seen[-1] == wire.Correct("mail", 9, "spam")
    assert client("DELETE", "/v1/models/mail/examples/9").status_code == 202
    answer = client("DELETE", "/v1/models/mail")
    assert answer.status_code == 204 and answer.content == b""
    assert client("POST", "/v1/models/news/explain", json={"row": {"a": 1}}).json()["explanation"]["top"] == 20


def test_explanations_of_several_rows(client, desk):
    path = "/v1/models/mail/explain"
    assert client("POST", path, json={"rows": ["a", "bad"], "top": 3}).json() == {
        "model": "mail", "after": 3, "explanations": ["a", None],
        "refused": [{"at": 1, "because": "row", "detail": "row 1 is bad"}],
    }  # fmt: skip
    assert desk.seen[-1] == wire.Explain("mail", rows=["a", "bad"], top=3)
    lines = {"content": b'{"row": "a"}\n{"row": "bad"}\n', "headers": {"content-type": "application/x-ndjson"}}
    first, second = map(json.loads, client("POST", path, **lines).text.splitlines())
    assert first == {"explanation": "a"} and second["refused"]["at"] == 1 and second["explanation"] is None
    is_problem(client("POST", path, json={"row": "a", "rows": ["a"]}), 422, "invalid")
    is_problem(client("POST", path, json={"rows": []}), 422, "invalid")
    is_problem(client("POST", path, json={"rows": [[1] * 501]}), 422, "too-many-attributes")


def test_the_service_itself(client):
    assert client("GET", "/v1/health/live").json() == {"status": "live"}
    assert client("GET", "/v1/health/ready").json() == {"status": "ready"}
    client("POST", "/v1/models/mail/learn", json=ONE)
    text = client("GET", "/metrics").text
    assert 'littlestone_rows_total{model="mail",what="learn"} 1' in text and "littlestone_worker_memory 12.5" in text
    page = client("GET", "/docs")
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert not any(word in page.text for word in ("<script", "src=", "http://", "https://"))
    assert client("HEAD", "/docs").status_code == 200
    document = client("GET", "/v1/openapi.json").json()
    assert set(document["paths"]) == {one.path for one in OPERATIONS}
    assert document["security"] == [{}, {"key": []}]


def test_the_page_says_what_each_problem_is(client):
    """Also of those that the worker has: where it makes one, its kind is the last text."""
    page = client("GET", "/docs").text
    folder = Path(wire.__file__).parent
    made = r'(?:invalid|missing|gone|conflict|unavailable)\(f?"[^\n]*", "([a-z-]+)"\)'
    kinds = {kind for path in folder.glob("*.py") for kind in re.findall(made, path.read_text())}
    assert len(kinds) > 8
    assert {kind for kind in kinds if f'id="{kind}"' not in page} == set()


def test_not_ready(client, desk):
    desk.reply = wire.Problem(503, "unavailable", "It cannot be done now", "the disk is full", again=True)
    answer = client("GET", "/v1/health/ready")
    assert "the disk is full" in is_problem(answer, 503, "not-ready") and answer.headers["retry-after"] == "1"
    assert "littlestone_ready 0" in client("GET", "/metrics").text
    answer = client("POST", "/v1/models/mail/learn", json=ONE)
    assert "the disk is full" in is_problem(answer, 503, "unavailable") and answer.headers["retry-after"] == "1"


def test_no_answer_in_time(client, desk):
    desk.wait = 5
    answer = client("POST", "/v1/models/mail/learn", json=ONE, limits=Limits(answer_time=0.05))
    assert "send it again" in is_problem(answer, 503, "not-ready")


def test_an_error_that_nobody_thought_of(client, desk, sink):
    desk.reply = 7
    detail = is_problem(client("POST", "/v1/models/mail/learn", json=ONE), 500, "internal")
    lines = [json.loads(line) for line in sink.text.splitlines()]
    assert lines[0]["request"] in detail and "AttributeError" in lines[0]["error"] and "int" not in detail


@pytest.mark.parametrize("status", [404, 409, 410, 413, 422])
def test_problems_of_the_worker_are_passed_on(client, desk, status):
    desk.reply = wire.Problem(status, "some-kind", "A title", "A detail.", "rows[3]")
    answer = client("POST", "/v1/models/mail/learn", json=ONE)
    assert is_problem(answer, status, "some-kind") == "A detail." and answer.json()["where"] == "rows[3]"


BAD = [
    ({}, "expected row or rows and label or labels, got neither"),
    ({"row": "a"}, "label: expected it beside row, got none"),
    ({"row": "a", "labels": [1]}, "got both row and labels"),
    ({"rows": ["a"], "labels": [1, 2]}, "labels: expected 1, one for each of rows, got 2"),
    ({"rows": [], "labels": []}, "rows: expected `array` of length >= 1"),
    ({"row": "a", "label": 1, "extra": 1}, "unknown field `extra`"),
    ({"row": {"a": {"b": 1}}, "label": 1}, "expected `bool | int | float | str | null`, got `object`"),
    ({"row": "a", "label": None}, "label: expected"),
    ({"row": "a", "label": "x" * 257}, "label: expected"),
    ({"row": {"x" * 1001: 1}, "label": 1}, "length <= 1000"),
    ({"row": {"x": 2**70}, "label": 1}, "expected `int` <="),
    ({"row": "a", "label": 1, "weight": -1}, "expected `float` >= 0"),
    (["a"], "expected `object`, got `array`"),
]


@pytest.mark.parametrize(("body", "says"), BAD, ids=str)
def test_what_is_said_of_a_bad_body(client, desk, body, says):
    assert says in is_problem(client("POST", "/v1/models/mail/learn", json=body), 422, "invalid")
    assert desk.seen == []


def test_a_single_row_that_is_refused(client):
    answer = client("POST", "/v1/models/mail/learn", json={"row": "bad", "label": 1})
    assert is_problem(answer, 422, "row") == "row 0 is bad"


@pytest.mark.parametrize(
    "body", [b"", b"{", b"\xff\xfe", b'{"row": "\xff"}', b'{"row": "\\ud800"}', b"nan", b'{"a":1}x']
)
def test_what_is_no_json(client, body):
    answer = client("POST", "/v1/models/mail/predict", content=body, headers={"content-type": "application/json"})
    assert answer.status_code in (400, 422)
    assert answer.json()["detail"]


@pytest.mark.parametrize("deep", [b"[" * 10**5, b'{"row":' * 10**5, b'{"row":{"a":' + b"[" * 10**5])
def test_deep_json(client, deep):
    answer = client("POST", "/v1/models/mail/predict", content=deep, headers={"content-type": "application/json"})
    is_problem(answer, 422, "invalid")


def test_content_types(client):
    def post(**headers):
        return client("POST", "/v1/models/mail/predict", content=b'{"row": "a"}', headers=headers)

    assert post(**{"content-type": "application/json; charset=UTF-8"}).status_code == 200
    for kind in ("text/plain", "", "application/json; charset=latin-1", "application/x-www-form-urlencoded", "a/b"):
        is_problem(post(**{"content-type": kind}), 415, "content-type")
    for encoding in ("gzip", "br", "deflate, gzip"):
        answer = post(**{"content-type": "application/json", "content-encoding": encoding})
        assert "not compressed" in is_problem(answer, 415, "content-type")
    answer = client("PUT", "/v1/models/m/file", content=b"x", headers={"content-type": "application/json"})
    is_problem(answer, 415, "content-type")
    for accept, status in [("text/html", 406), ("application/x-ndjson", 406), ("text/html, */*;q=0.1", 200),
                           ("application/*", 200), ("application/json", 200)]:  # fmt: skip
        assert post(**{"content-type": "application/json", "accept": accept}).status_code == status


def test_addresses_and_methods(client):
    is_problem(client("GET", "/nowhere"), 404, "unknown-path")
    is_problem(client("GET", "/v1/models/"), 404, "unknown-path")
    is_problem(client("GET", "/v1/models/none"), 404, "unknown-model")
    is_problem(client("GET", "/v1/models/..%2Fx"), 404, "unknown-path")
    is_problem(client("GET", "/v1/models/.x"), 404, "unknown-model")
    answer = client("PATCH", "/v1/models/mail")
    is_problem(answer, 405, "method")
    assert answer.headers["allow"] == "GET, PUT, DELETE, HEAD"
    is_problem(client("OPTIONS", "/v1/models/mail/predict"), 405, "method")
    for path in (
        "file?at=x",
        "file?at=-1",
        "file?at=1&at=2",
        "file?other=1",
        "file?at=" + "9" * 30,
        "file?" + "&a=1" * 99,
    ):
        is_problem(client("GET", f"/v1/models/mail/{path}"), 422, "invalid")
    for number in ("0", "x", "-1", "9" * 40, "\u0663"):
        is_problem(client("DELETE", f"/v1/models/mail/examples/{number}"), 422, "invalid")
    for once in ("a b", "x" * 257, "\u00e9".encode()):
        answer = client("POST", "/v1/models/mail/learn", json=ONE, headers={"idempotency-key": once})
        is_problem(answer, 422, "invalid")


def test_limits(client, desk):
    small = Limits(body=100, model_file=200, rows=3, attributes=2)
    big = {"row": "x" * 200}
    assert "at most 100 bytes" in is_problem(
        client("POST", "/v1/models/mail/predict", json=big, limits=small), 413, "too-large"
    )
    octets = {"content-type": "application/octet-stream"}
    is_problem(client("PUT", "/v1/models/m/file", content=b"x" * 201, headers=octets, limits=small), 413, "too-large")
    assert client("PUT", "/v1/models/m/file", content=b"x" * 199, headers=octets, limits=small).status_code == 201

    async def pieces():
        for _ in range(30):
            yield b'"' + b"x" * 10

    json_type = {"content-type": "application/json"}
    answer = client("POST", "/v1/models/mail/predict", content=pieces(), headers=json_type, limits=small)
    is_problem(answer, 413, "too-large")
    answer = client("POST", "/v1/models/mail/predict", json={"rows": ["a"] * 4}, limits=small)
    is_problem(answer, 422, "too-many-rows")
    lines = {"content-type": "application/x-ndjson"}
    answer = client("POST", "/v1/models/mail/predict", content=b"\n" * 90, headers=lines, limits=small)
    is_problem(answer, 422, "too-many-rows")
    for row in ({"a": 1, "b": 2, "c": 3}, [1, 2, 3]):
        answer = client("POST", "/v1/models/mail/predict", json={"row": row}, limits=small)
        is_problem(answer, 422, "too-many-attributes")
    seen = [type(one) for one in desk.seen]
    assert seen == [wire.Upload]
    full = Limits(under_way=1)
    assert client("POST", "/v1/models/mail/predict", json={"row": "a"}, limits=full).status_code == 200


def test_the_log_and_what_administrators_did(client, sink, tmp_path):
    audit = Audit(tmp_path)
    client("POST", "/v1/models/mail/learn", json=ONE, headers={"x-request-id": "mine-1"}, audit=audit)
    line = json.loads(sink.text)
    assert line["request"] == "mine-1" and line["status"] == 200 and line["model"] == "mail" and line["rows"] == 1
    answer = client("DELETE", "/v1/models/mail", headers={"x-request-id": "not\tmine"}, audit=audit)
    assert answer.headers["x-request-id"] != "not\tmine"
    client("DELETE", "/v1/models/none", audit=audit)
    found = [json.loads(line) for line in audit.path.read_text().splitlines()]
    assert [(one["act"], one["path"], one["status"]) for one in found] == [
        ("remove", "/v1/models/mail", 204), ("remove", "/v1/models/none", 404),
    ]  # fmt: skip
    assert audit.path.stat().st_mode & 0o777 == 0o600


def test_the_audit_says_what_was_done(client, tmp_path):
    audit = Audit(tmp_path)
    model, octets = "/v1/models/mail", {"content-type": "application/octet-stream"}
    client("POST", f"{model}/clone", json={"name": "copy", "at": 4}, audit=audit)
    client("POST", f"{model}/switch", json={"other": "news"}, audit=audit)
    client("POST", f"{model}/roll-back", json={"number": 4}, audit=audit)
    client("PATCH", f"{model}/examples/9", json={"label": "spam"}, audit=audit)
    client("DELETE", f"{model}/examples/9", audit=audit)
    client("PUT", f"{model}/file?new_labels=true", content=b"abc", headers=octets, audit=audit)
    client("GET", f"{model}/file?at=2", audit=audit)
    client("PUT", "/v1/models/fresh", json={"learner": "winnow"}, audit=audit)
    usual = {"time", "key", "request", "act", "path", "status"}
    lines = [json.loads(line) for line in audit.path.read_text().splitlines()]
    digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert [(one["act"], {name: one[name] for name in one.keys() - usual}) for one in lines] == [
        ("clone", {"name": "copy", "at": 4}), ("switch", {"other": "news"}), ("roll_back", {"number": 4}),
        ("correct", {"number": 9, "label": "spam"}), ("forget", {"number": 9}),
        ("upload", {"bytes": 3, "sha256": digest, "new_labels": True}),
        ("download", {"at": 2, "number": 2, "bytes": 1_000_000}), ("create", {"learner": "winnow"}),
    ]  # fmt: skip


def test_refused_acts_do_not_flood_the_audit(client, keys, tmp_path):
    audit, said = Audit(tmp_path), {"authorization": f"Bearer {keys.add('predict')}"}
    admin = {"authorization": f"Bearer {keys.add('admin')}"}
    now = [7.0]
    audit.few.clock = lambda: now[0]
    for _ in range(100):
        is_problem(client("DELETE", "/v1/models/mail", headers=said, keys=keys, audit=audit), 403, "not-allowed")
    client("DELETE", "/v1/models/none", headers=admin, keys=keys, audit=audit)
    lines = [json.loads(line) for line in audit.path.read_text().splitlines()]
    assert [one["status"] for one in lines] == [403] * 20 + [404]
    now[0] += 1
    asyncio.run(audit.tell())
    asyncio.run(audit.tell())
    lines = [json.loads(line) for line in audit.path.read_text().splitlines()]
    assert len(lines) == 22 and lines[-1]["act"] == "refused" and lines[-1]["left_out"] == 80


def test_limits_of_what_is_explained_and_made(client, desk):
    def explain(**body):
        return client("POST", "/v1/models/mail/explain", json=body)

    assert explain(row=[1] * 500, top=1000).status_code == 200
    for row in ([1] * 501, {f"a{at}": 1 for at in range(501)}):
        is_problem(explain(row=row), 422, "too-many-attributes")
    is_problem(explain(row="a", top=1001), 422, "invalid")
    seen = len(desk.seen)
    for body in ({"attributes": 10_000_001}, {"limit": (1 << 20) + 1}):
        is_problem(client("PUT", "/v1/models/new", json=body), 422, "invalid")
    assert len(desk.seen) == seen
    assert client("PUT", "/v1/models/new", json={"attributes": 10_000_000, "limit": 1 << 20}).status_code == 201


def test_how_often_the_worker_ended(client, desk):
    assert "worker_restarts" not in client("GET", "/metrics").text
    desk.restarts = 3
    assert "\nlittlestone_worker_restarts_total 3\n" in client("GET", "/metrics").text


def test_an_audit_that_cannot_be_written_is_said(client, sink, tmp_path):
    answer = client("DELETE", "/v1/models/mail", audit=Audit(tmp_path / "none"))
    assert answer.status_code == 204 and "it cannot be written" in sink.text
