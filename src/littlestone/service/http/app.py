"""The application: addresses, what may be done there and by whom, and how bodies and answers go in and out."""

from __future__ import annotations

import hashlib
from asyncio import to_thread
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from littlestone.service.http.actions import Actions, Asked, Desk
from littlestone.service.http.bodies import Body
from littlestone.service.http.gate import Gate, Receive, Send
from littlestone.service.http.heads import Head, head_of
from littlestone.service.http.keeper import Call, Keeper, Scope
from littlestone.service.http.keys import Keys
from littlestone.service.http.limits import Limits, Turnstile
from littlestone.service.http.logs import Audit, Log
from littlestone.service.http.metrics import Metrics
from littlestone.service.http.operations import OPERATIONS, Operation
from littlestone.service.http.problems import Refusal
from littlestone.service.http.quick import Quick
from littlestone.service.http.service import Service, as_sent
from littlestone.service.uploads import Upload

__all__ = ["create_app"]

TOLD = ("name", "other", "number", "label", "at", "learner")  # of a form, in the audit
PIECE = 1 << 18  # bytes of a long answer that are sent at once


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
    service = Service(Actions(desk, limits, metrics), limits, log, audit, keys)
    paths = dict.fromkeys(one.path for one in OPERATIONS)
    routes = [Route(path, _Address(path, service, desk)) for path in paths]
    keeper = Keeper(
        keys=keys, turnstile=Turnstile(limits), log=log, metrics=metrics,
        public=frozenset(one.path for one in OPERATIONS if one.role is None),
        origins=frozenset(origin.lower().rstrip("/") for origin in origins),
    )  # fmt: skip
    gate = Middleware(Gate, keeper)
    made = Starlette(routes=routes, middleware=[gate], exception_handlers={HTTPException: _unknown}, lifespan=lifespan)
    made.router.redirect_slashes = False
    made.state.quick = Quick(keeper, service, desk)
    return made


async def _unknown(request: Request, error: Exception) -> Response:
    del error
    raise Refusal("unknown-path", f"there is no {request.url.path[:200]}; /docs lists all addresses")


class _Address:
    """An address: an application that does what its methods are for."""

    def __init__(self, path: str, service: Service, desk: Desk) -> None:
        self._service, self._desk = service, desk
        self._methods = {one.method: one for one in OPERATIONS if one.path == path}
        self._path = path
        if "GET" in self._methods:
            self._methods["HEAD"] = self._methods["GET"]

    @property
    def _uploads(self) -> Path | None:
        """Where files for the worker are written, if it is a process that works on a folder of this machine."""
        found: Path | None = getattr(self._desk, "uploads", None)
        return found

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
        head = head_of(operation, call, scope["path_params"], scope["query_string"])
        body = self._service.body(operation, call, receive)
        try:
            if operation.reads and self._uploads is not None:
                return await self._of_file(operation, call, head, body)
            data = b""
            if operation.has_body:
                limits = self._service.limits
                data = await body.read(limits.model_file if operation.reads else limits.body)
            asked = self._service.asked(operation, call, head, data)
            if operation.is_audited:
                call.told |= _told(asked, head)
            if operation.reads:
                digest = await to_thread(lambda: hashlib.sha256(data).hexdigest())
                call.told |= {"bytes": len(data), "sha256": digest}
            return await self._service.act(operation, asked)
        finally:
            body.release()

    async def _of_file(self, operation: Operation, call: Call, head: Head, body: Body) -> Any:
        """Do what is asked with a body that is not kept in memory."""
        assert self._uploads is not None
        try:
            with Upload(self._uploads) as upload:
                await body.save(self._service.limits.model_file, upload)
                asked = self._service.asked(operation, call, head, b"")._replace(file=upload)
                call.told |= _told(asked, head) | {"bytes": upload.size, "sha256": upload.digest}
                return await self._service.act(operation, asked)
        except OSError as error:
            said = f"the file cannot be written: {error.strerror or error}"
            raise Refusal("unavailable", said, headers={"Retry-After": "5"}, close=True) from error


def _told(asked: Asked, head: Head) -> dict[str, Any]:
    """Return what an act is to do, as the audit says it: what a form has, a number."""
    found: dict[str, Any] = {"number": head.number} if head.number else {}
    found |= {name: value for name in TOLD if (value := getattr(asked.form, name, None)) is not None}
    return {**found, **head.query}


async def _send(found: Any, status: int, send: Send) -> None:
    """Send an answer, a long one in pieces."""
    data, headers = as_sent(found)
    await send({"type": "http.response.start", "status": status, "headers": headers})
    for start in range(0, max(len(data), 1), PIECE):
        piece = data[start : start + PIECE]
        await send({"type": "http.response.body", "body": piece, "more_body": start + PIECE < len(data)})
