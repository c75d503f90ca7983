"""Calls: what each method of a client sends, what becomes of the answer, and when it is sent again."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import quote

import httpx
import msgspec

from littlestone.core.errors import InvalidData, InvalidParameter, LittlestoneError
from littlestone.core.messages import shown

__all__ = ["Call", "Retries", "ServiceError", "call", "error_of", "found_in", "settings", "taught"]

AGAIN = frozenset((429, 502, 503, 504))  # statuses after which the same request may be done
MOST_SAID = 500
JSON = "application/json"


class ServiceError(LittlestoneError):
    """The service refused a request, or could not be reached; ``status`` is None then.

    ``kind`` is the kind of the problem, ``where`` its place in the body, ``request`` the id in the server's log.

    >>> raise ServiceError("http://localhost: mail: expected a label", status=422, kind="invalid")
    Traceback (most recent call last):
    ...
    littlestone.service.client.calls.ServiceError: http://localhost: mail: expected a label
    """

    def __init__(
        self, message: str, *, status: int | None = None, kind: str = "", where: str = "", request: str = ""
    ) -> None:
        super().__init__(message)
        self.status, self.kind, self.where, self.request = status, kind, where, request


@dataclass(frozen=True)
class Retries:
    """How often a request is sent again, and after how many seconds, twice as many each time, but at most so many."""

    times: int = 5
    first: float = 0.1
    most: float = 10.0

    def wait(self, before: int, said: str | None = None) -> float:
        """Return how long to wait before the next one; ``said`` is the header Retry-After.

        >>> Retries(first=1.0).wait(0, "3"), Retries(most=2.0).wait(50) <= 2.0
        (3.0, True)
        """
        asked = float(said) if said is not None and said.isdigit() else 0.0
        doubled = min(self.most, self.first * 2.0 ** min(before, 30))
        return min(self.most, max(asked, doubled * (0.5 + secrets.randbelow(500) / 1000)))


@dataclass(frozen=True)
class Call:
    """A request, and whether its answer is bytes."""

    method: str
    path: str
    body: bytes | None = None
    kind: str | None = None  # the type of the body
    params: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    raw: bool = False
    again: bool = True  # it may be sent again: done twice it is as if done once


def call(
    method: str, model: str | None = None, what: str = "", *, json: Mapping[str, Any] | None = None, **more: Any
) -> Call:
    """Return a call of an address of a model, or of all; what is None is left out of its body.

    >>> call("GET", "my mail", "file").path
    '/v1/models/my%20mail/file'
    """
    name = [] if model is None else [quote(model, safe="")]
    path = "/".join(["/v1/models", *name, *filter(None, [what])])
    if json is None:
        return Call(method, path, **more)
    given = {key: value for key, value in json.items() if value is not None}
    return Call(method, path, msgspec.json.encode(given, enc_hook=_plain), JSON, **more)


def taught(model: str, what: str, once: str | None, body: Mapping[str, Any]) -> Call:
    """Return a call that is done once, whatever is lost on the way: under the client's key, or one that is made up.

    >>> taught("mail", "learn", "k-1", {"row": "a text", "label": 1, "weight": None})
    Call(method='POST', path='/v1/models/mail/learn', body=b'{"row":"a text","label":1}', \
kind='application/json', params={}, headers={'Idempotency-Key': 'k-1'}, raw=False, again=True)
    """
    found = call("POST", model, what, json=body)
    return replace(found, headers={"Idempotency-Key": secrets.token_hex(16) if once is None else once})


def found_in(answer: httpx.Response, one: Call) -> Any:
    """Return what an answer says, or raise what went wrong."""
    if answer.status_code >= 400:
        raise error_of(answer, one)
    if one.raw:
        return answer.content
    return answer.json() if answer.content else None


def error_of(answer: httpx.Response, one: Call) -> ServiceError:
    """Return the error that an answer is, in the server's words."""
    try:
        found = answer.json()
        detail = str(found.get("detail") or found.get("title"))
        kind = str(found.get("type", "")).rpartition("#")[2]
        where, request = str(found.get("where", "")), str(found.get("request", ""))
    except (ValueError, AttributeError):
        detail, kind, where, request = answer.text[:MOST_SAID] or answer.reason_phrase, "", "", ""
    said = f"{one.method} {one.path}: {answer.status_code}: {detail}"
    return ServiceError(said, status=answer.status_code, kind=kind, where=where, request=request)


def settings(url: str, key: str | None, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return with what a session of httpx is begun."""
    if not url.startswith(("http://", "https://")):
        raise InvalidParameter(f"url: expected an address such as http://localhost:8765, got {url!r}")
    known = os.environ.get("LITTLESTONE_KEY") if key is None else key
    headers = {"authorization": f"Bearer {known}"} if known else {}
    return {"base_url": url.rstrip("/"), "headers": headers, "timeout": 70.0, "trust_env": False, **options}


def _plain(value: Any) -> Any:
    """Return arrays and the like as lists; JSON knows all else."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise InvalidData(f"expected rows of texts, numbers, lists and dicts, got {shown(value)}")
