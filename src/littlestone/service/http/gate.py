"""The gate: every request passes it, and every answer."""

from __future__ import annotations

from asyncio import timeout
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import msgspec

from littlestone.service.http.keeper import Call, Keeper, Scope, check_headers
from littlestone.service.http.problems import MEDIA_TYPE, Refusal

__all__ = ["Gate", "Receive", "Send", "problem_of", "written"]

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Asgi = Callable[[Scope, Receive, Send], Awaitable[None]]

LINGER, LINGER_BYTES = 1.0, 16 << 20  # of a body that is refused


class Gate:
    """An application around another one: every request passes it, and every answer."""

    def __init__(self, app: Asgi, keeper: Keeper) -> None:
        self._app, self._keeper = app, keeper

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, and count it."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        call = scope["call"] = self._keeper.met(scope)

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                call.status = message["status"]
                message["headers"] = [*message["headers"], *self._keeper.answers(call)]
            await send(message)

        try:
            await self._pass(call, scope, receive, answer)
        finally:
            self._keeper.left(call, scope)

    async def _pass(self, call: Call, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or refuse it; whatever happens, it is answered."""
        try:
            check_headers(scope, call.headers)
            if not self._keeper.is_public(scope) and self._keeper.is_preflight(call, scope):
                await _preflight(send)
                return
            self._keeper.admit(call, scope)
            await self._app(scope, receive, send)
        except Exception as error:  # noqa: BLE001 - whatever it is, the server goes on
            await _refuse(self._keeper.refusal_of(call, error), call, send, receive)


async def _refuse(refusal: Refusal, call: Call, send: Send, receive: Receive) -> None:
    if call.status:  # a part of the answer is sent already: the connection ends
        raise refusal
    call.more["kind"] = refusal.kind
    rest = receive if refusal.close and refusal.kind != "timeout" else None
    await problem_of(refusal, call.id, rest)(send)


def written(refusal: Refusal, request: str) -> tuple[bytes, list[tuple[bytes, bytes]]]:
    """Return the body and the headers of a problem."""
    body = msgspec.json.encode(refusal.details(request))
    headers = {"content-type": MEDIA_TYPE, "content-length": f"{len(body)}", **refusal.headers}
    if refusal.close:
        headers["connection"] = "close"
    raw = [(name.lower().encode("latin-1"), value.encode("latin-1", "replace")) for name, value in headers.items()]
    return body, raw


def problem_of(refusal: Refusal, request: str, rest: Receive | None = None) -> Callable[[Send], Awaitable[None]]:
    """Return what sends a problem.

    Who is cut off while it sends may never see why: some of the ``rest`` of its body is read, and thrown away.
    """
    body, raw = written(refusal, request)

    async def send_to(send: Send) -> None:
        await send({"type": "http.response.start", "status": refusal.status, "headers": raw})
        await send({"type": "http.response.body", "body": body, "more_body": rest is not None})
        if rest is not None:
            await _thrown_away(rest)
            await send({"type": "http.response.body", "body": b""})

    return send_to


async def _thrown_away(rest: Receive) -> None:
    left = LINGER_BYTES
    try:
        async with timeout(LINGER):
            while left > 0:
                message = await rest()
                if message["type"] == "http.disconnect" or not message.get("more_body"):
                    return
                left -= len(message.get("body", b""))
    except TimeoutError:
        return


async def _preflight(send: Send) -> None:
    """Answer what a browser asks before a request to another origin."""
    headers = [
        (b"access-control-allow-methods", b"GET, POST, PUT, PATCH, DELETE"),
        (b"access-control-allow-headers", b"authorization, content-type, idempotency-key, x-request-id"),
        (b"access-control-max-age", b"600"), (b"content-length", b"0"),
    ]  # fmt: skip
    await send({"type": "http.response.start", "status": 204, "headers": headers})
    await send({"type": "http.response.body", "body": b""})
