"""The application: addresses, what may be done there and by whom, and how bodies and answers go in and out."""

from __future__ import annotations

import hashlib
import re
from asyncio import to_thread
from collections.abc import Awaitable, Callable, Iterable
from typing import Any
from urllib.parse import parse_qsl

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from littlestone.service.http import forms
from littlestone.service.http.actions import Actions, Asked, Desk, Raw
from littlestone.service.http.bodies import JSON, LINES, Body, content_type, decoded, lines
from littlestone.service.http.gate import Call, Gate, Receive, Scope, Send
from littlestone.service.http.keys import Keys
from littlestone.service.http.limits import Budget, Limits, Turnstile
from littlestone.service.http.logs import Audit, Log
from littlestone.service.http.metrics import Metrics
from littlestone.service.http.openapi import document
from littlestone.service.http.operations import OPERATIONS, Operation
from littlestone.service.http.pages import page
from littlestone.service.http.problems import Refusal

__all__ = ["create_app"]

NAME = re.compile(forms.NAME)
ONCE = re.compile(r"[\x21-\x7e]{1,256}")
FORBIDDEN = 403
TOLD = ("name", "other", "number", "label", "at", "learner")  # of a form, in the audit
PIECE = 1 << 18  # bytes of a long answer that are sent at once
STYLE_ONLY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'"
HTML = {"content-security-policy": STYLE_ONLY, "referrer-policy": "no-referrer"}

encode = msgspec.json.Encoder().encode


def create_app(
    desk: Desk, *, keys: Keys | None = None, limits: Limits | None = None, log: Log | None = None,
    audit: Audit | None = None, origins: Iterable[str] = (), metrics: Metrics | None = None, lifespan: Any = None,
) -> Starlette:  # fmt: skip
    """Return the service as an application of ASGI; ``desk`` does what is asked.

    Without ``keys`` it serves programs of this machine only. ``origins`` are those whose pages browsers may let call
    it (CORS), such as ``https://example.org``. ``lifespan`` is begun and ended with the server, as Starlette has it.

    >>> import tempfile
    >>> from littlestone.service.supervisor import Supervisor
    >>> app = create_app(Supervisor(tempfile.mkdtemp()))
    >>> app.routes[0].path
    '/v1/models/{model}/predict'
    """
    limits, metrics, log = limits or Limits(), metrics or Metrics(), log or Log()
    service = _Service(Actions(desk, limits, metrics), limits, log, audit, keys)
    paths = dict.fromkeys(one.path for one in OPERATIONS)
    routes = [Route(path, _Address(path, service)) for path in paths]
    gate = Middleware(
        Gate,
        keys=keys, turnstile=Turnstile(limits), log=log, metrics=metrics,
        public=frozenset(one.path for one in OPERATIONS if one.role is None),
        origins=frozenset(origin.lower().rstrip("/") for origin in origins),
    )  # fmt: skip
    made = Starlette(routes=routes, middleware=[gate], exception_handlers={HTTPException: _unknown}, lifespan=lifespan)
    made.router.redirect_slashes = False
    return made


async def _unknown(request: Request, error: Exception) -> Response:
    del error
    raise Refusal("unknown-path", f"there is no {request.url.path[:200]}; /docs lists all addresses")


class _Service:
    """What all addresses share."""

    def __init__(self, actions: Actions, limits: Limits, log: Log, audit: Audit | None, keys: Keys | None) -> None:
        self.limits, self._log, self._audit = limits, log, audit
        self._bodies, self._files = Budget(limits.under_way), Budget(limits.model_file)
        self._json = {one.form: msgspec.json.Decoder(one.form) for one in OPERATIONS if one.form is not None}
        self._lines = {one.line: msgspec.json.Decoder(one.line) for one in OPERATIONS if one.line is not None}
        self._actions: dict[str, Callable[[Asked], Awaitable[Any]]] = {
            one.name: getattr(actions, one.name) for one in OPERATIONS if hasattr(actions, one.name)
        }
        self._keys = keys
        self._page = Raw(page(), "text/html; charset=utf-8", HTML)
        self._documents = {keyed: Raw(document(keyed=keyed), JSON) for keyed in (False, True)}

    def body(self, operation: Operation, call: Call, receive: Receive) -> Body:
        """Return the body that is to come; model files do not take the room of others."""
        budget = self._files if operation.reads else self._bodies
        return Body(receive, call.headers.get(b"content-length"), self.limits, budget)

    async def act(self, operation: Operation, asked: Asked) -> Any:
        """Do what is asked."""
        if operation.name == "docs":
            return self._page
        if operation.name == "openapi":
            return self._documents[not (self._keys is None or self._keys.is_open)]
        return await self._actions[operation.name](asked)

    def form(self, operation: Operation, kind: str, data: bytes) -> Any:
        """Return what a body says: a form, or a list of lines."""
        if kind == LINES and operation.line is not None:
            return lines(self._lines[operation.line], data, self.limits.rows)
        if operation.form is None or (operation.optional and not data):
            return None
        return decoded(self._json[operation.form], data)

    async def audit(self, operation: Operation, call: Call, path: str, status: int) -> None:
        """Write down what an administrator did, or tried to."""
        about = {"request": call.id, "act": operation.name, "path": path[:300], "status": status, **call.told}
        refused = status == FORBIDDEN
        if not refused:  # those are lines of the gate already
            self._log.line("info", "audit", key=call.key.id, **about)
        if self._audit is not None:
            try:
                await self._audit.act(call.key.id, refused=refused, **about)
            except OSError as error:
                self._log.line("error", "audit", request=call.id, detail=f"it cannot be written: {error}")


class _Address:
    """An address: an application that does what its methods are for."""

    def __init__(self, path: str, service: _Service) -> None:
        self._service = service
        self._methods = {one.method: one for one in OPERATIONS if one.path == path}
        self._path = path
        if "GET" in self._methods:
            self._methods["HEAD"] = self._methods["GET"]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or raise why it is refused."""
        call: Call = scope["call"]
        call.route = self._path
        operation = self._methods.get(scope["method"])
        if operation is None:
            allow = ", ".join(self._methods)
            raise Refusal("method", f"expected {allow}, got {scope['method']}", headers={"Allow": allow})
        try:
            found = await self._found(operation, call, scope, receive)
        except Exception as error:
            if operation.is_audited:
                status = error.status if isinstance(error, Refusal) else 500
                await self._service.audit(operation, call, scope["path"], status)
            raise
        if operation.is_audited:  # before it is answered
            await self._service.audit(operation, call, scope["path"], operation.status)
        await _send(found, operation.status, send)

    async def _found(self, operation: Operation, call: Call, scope: Scope, receive: Receive) -> Any:
        """Read a request, do what it asks, and return what came of it."""
        model = _model(operation, call, scope["path_params"])
        number = _number(scope["path_params"].get("number"))
        query = _query(operation, scope["query_string"])
        once = _once(call) if operation.once else None
        kind = content_type(call.headers, _types(operation)) if _has_body(operation, call) else JSON
        _check_accept(call, operation, kind)
        body = self._service.body(operation, call, receive)
        try:
            data = b""
            if operation.has_body:
                limits = self._service.limits
                data = await body.read(limits.model_file if operation.reads else limits.body)
            form = self._service.form(operation, kind, data)
            if operation.is_audited:
                call.told |= await _told(operation, form, data, number, query)
            asked = Asked(call, model, number, form, data if operation.reads else b"", once, query)
            return await self._service.act(operation, asked)
        finally:
            body.release()


async def _told(operation: Operation, form: Any, data: bytes, number: int, query: dict[str, Any]) -> dict[str, Any]:
    """Return what an act is to do, as the audit says it: what a form has, the digest of a file, a number."""
    found: dict[str, Any] = {"number": number} if number else {}
    found |= {name: value for name in TOLD if (value := getattr(form, name, None)) is not None}
    if operation.reads:
        digest = await to_thread(lambda: hashlib.sha256(data).hexdigest())
        found |= {"bytes": len(data), "sha256": digest}
    return found | query


def _model(operation: Operation, call: Call, params: dict[str, Any]) -> str:
    """Return the name of the model; refuse one that there cannot be, and what the key may not do."""
    key, role = call.key, operation.role
    if role is not None and not key.may(role):
        raise Refusal("not-allowed", f"expected a key of the role {role}, got one of {key.role}")
    model: str | None = params.get("model")
    if model is None:
        return ""
    if not NAME.fullmatch(model):
        raise Refusal("unknown-model", "expected a name of letters, digits, dots, hyphens and underscores")
    if not key.reaches(model):
        raise Refusal("not-allowed", f"the key is not for the model {model!r}")
    call.more["model"] = model
    return model


def _number(said: str | None) -> int:
    if said is None:
        return 0
    if not (said.isascii() and said.isdigit() and len(said) < 19 and int(said) > 0):
        raise Refusal("invalid", f"number: expected the number of an example, 1 or more, got {said[:50]!r}")
    return int(said)


def _query(operation: Operation, raw: bytes) -> dict[str, Any]:
    """Return the parameters behind the question mark; refuse any that there are not."""
    if not raw:
        return {}
    found: dict[str, Any] = {}
    known = {one.name: one for one in operation.query}
    try:
        pairs = parse_qsl(raw.decode("latin-1"), keep_blank_values=True, max_num_fields=20)
    except ValueError:
        raise Refusal("invalid", "parameters: expected a few, got too many") from None
    for name, value in pairs:
        if name not in known or name in found:
            expected = f"expected {', '.join(known)} once" if known else "expected none"
            raise Refusal("invalid", f"parameters: {expected}, got {name[:50]!r}", where=name[:50])
        if not known[name].is_number:
            if value not in ("true", "false"):
                raise Refusal("invalid", f"{name}: expected true or false, got {value[:50]!r}", where=name)
            found[name] = value == "true"
        elif value.isascii() and value.isdigit() and len(value) < 19:
            found[name] = int(value)
        else:
            raise Refusal("invalid", f"{name}: expected the number of an event, got {value[:50]!r}", where=name)
    return found


def _once(call: Call) -> str | None:
    said = call.headers.get(b"idempotency-key")
    if said is None:
        return None
    text = said.decode("latin-1")
    if not ONCE.fullmatch(text):
        raise Refusal("invalid", "Idempotency-Key: expected 1 to 256 visible characters of ASCII", where="header")
    return text


def _types(operation: Operation) -> tuple[str, ...]:
    if operation.reads:
        return (operation.reads,)
    return (JSON, LINES) if operation.line is not None else (JSON,)


def _has_body(operation: Operation, call: Call) -> bool:
    if not operation.has_body:
        return False
    empty = call.headers.get(b"content-length", b"0") == b"0" and b"transfer-encoding" not in call.headers
    return not (operation.optional and empty)


def _check_accept(call: Call, operation: Operation, kind: str) -> None:
    """Refuse who cannot take the answer's type."""
    said = call.headers.get(b"accept")
    if said is None or said == b"*/*":
        return
    given = operation.gives or (kind if kind == LINES else JSON)
    ranges = [part.partition(";")[0].strip().lower() for part in said.decode("latin-1").split(",")]
    if not {"*/*", given, f"{given.partition('/')[0]}/*"} & set(ranges):
        raise Refusal("not-acceptable", f"Accept: expected {given} or */*, got {said.decode('latin-1')[:100]}")


async def _send(found: Any, status: int, send: Send) -> None:
    """Send an answer, a long one in pieces."""
    if isinstance(found, Raw):
        data, kind, more = found
    elif isinstance(found, list):
        data, kind, more = b"\n".join(map(encode, found)) + b"\n", LINES, {}
    else:
        data, kind, more = encode(found), JSON, {}
    headers = [(name.encode(), value.encode()) for name, value in more.items()]
    if kind:
        headers += [(b"content-type", kind.encode()), (b"content-length", str(len(data)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    for start in range(0, max(len(data), 1), PIECE):
        piece = data[start : start + PIECE]
        await send({"type": "http.response.body", "body": piece, "more_body": start + PIECE < len(data)})
