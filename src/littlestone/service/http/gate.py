"""The gate: every request passes it, and every answer. Who it is, whether it may come in, and what is said of it."""

from __future__ import annotations

import re
import traceback
from asyncio import timeout
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field
from functools import lru_cache
from ipaddress import ip_address
from itertools import count
from secrets import token_hex
from time import perf_counter
from typing import Any

import msgspec

from littlestone.core.errors import LittlestoneError
from littlestone.service.http.keys import EVERYBODY, Key, Keys
from littlestone.service.http.limits import Turnstile
from littlestone.service.http.logs import Log
from littlestone.service.http.metrics import Metrics
from littlestone.service.http.problems import MEDIA_TYPE, Refusal

__all__ = ["Call", "Gate", "is_loopback", "problem_of"]

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Asgi = Callable[[Scope, Receive, Send], Awaitable[None]]

LOCAL = {"localhost", "127.0.0.1", "[::1]"}
REQUEST_ID = re.compile(rb"[A-Za-z0-9._-]{1,64}")
HOST = re.compile(r"(\[[0-9a-f:]+\]|[^:\[\]@/]+)(?::\d{1,5})?")
PROXIED = (b"x-forwarded", b"x-original-", b"cf-")  # how headers begin that proxies add
BY_PROXY = frozenset((
    b"forwarded", b"via", b"x-real-ip", b"true-client-ip", b"x-client-ip", b"x-cluster-client-ip", b"cdn-loop",
))  # fmt: skip
ONE_ONLY = (b"host", b"authorization", b"content-type", b"content-length", b"idempotency-key", b"origin")
LINGER, LINGER_BYTES = 1.0, 16 << 20  # of a body that is refused
METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))
ALWAYS = [(b"x-content-type-options", b"nosniff"), (b"cache-control", b"no-store")]


@dataclass(slots=True)
class Call:
    """A request on its way: its id, its headers, whose it is, and what the log is to say of it."""

    id: str
    headers: dict[bytes, bytes]
    key: Key = EVERYBODY
    route: str = "none"
    model: str = ""
    status: int = 0
    begun: float = field(default_factory=perf_counter)
    more: dict[str, Any] = field(default_factory=dict)
    told: dict[str, Any] = field(default_factory=dict)  # what the audit is to say of it


class Gate:
    """An application around another one.

    Without keys it lets in programs of this machine only: what comes from a loopback address, under a name of this
    machine (so no page can reach it by a name of its own that leads here), not by a proxy, and not from the page of
    another origin. With keys, every request needs one, but for those to ``public`` addresses.
    """

    def __init__(
        self, app: Asgi, *, keys: Keys | None, turnstile: Turnstile, log: Log, metrics: Metrics,
        public: frozenset[str] = frozenset(), origins: frozenset[str] = frozenset(),
    ) -> None:  # fmt: skip
        self._app, self._keys, self._turnstile = app, keys, turnstile
        self._log, self._metrics, self._public, self._origins = log, metrics, public, origins
        self._prefix, self._numbers = token_hex(4), count(1)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, and count it."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        call = Call(self._id(headers), headers)
        scope["call"] = call
        self._metrics.under_way += 1
        origin = self._allowed_origin(scope, headers)

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                call.status = message["status"]
                more = [(b"x-request-id", call.id.encode()), *ALWAYS]
                message["headers"] = [*message["headers"], *more, *_cors(origin)]
            await send(message)

        try:
            await self._pass(call, scope, receive, answer)
        finally:
            self._metrics.under_way -= 1
            seconds = perf_counter() - call.begun
            method = scope["method"] if scope["method"] in METHODS else "other"
            self._metrics.done(call.route, method, call.status, seconds)
            self._write(call, scope, seconds)

    async def _pass(self, call: Call, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or refuse it; whatever happens, it is answered."""
        try:
            _check_headers(scope, call.headers)
            if scope["path"] in self._public:
                self._check_local(scope, call.headers)
                await self._app(scope, receive, send)
                return
            if scope["method"] == "OPTIONS" and self._origins and b"access-control-request-method" in call.headers:
                await _preflight(send)
                return
            call.key = self._key(scope, call.headers)
            with self._turnstile.passing(call.key.id):
                await self._app(scope, receive, send)
        except Refusal as refusal:
            await self._refuse(call, refusal, send, receive)
        except LittlestoneError as error:
            await self._refuse(call, Refusal.of(error), send)
        except Exception as error:  # noqa: BLE001 - whatever it is, the server goes on
            trace = traceback.format_exc(limit=-12)
            self._log.line("error", "internal", request=call.id, error=repr(error)[:500], trace=trace)
            await self._refuse(call, Refusal("internal", f"see the server's log for request {call.id}"), send)

    async def _refuse(self, call: Call, refusal: Refusal, send: Send, receive: Receive | None = None) -> None:
        if call.status:  # a part of the answer is sent already: the connection ends
            raise refusal
        call.more["kind"] = refusal.kind
        rest = receive if refusal.close and refusal.kind != "timeout" else None
        await problem_of(refusal, call.id, rest)(send)

    # Who may come in

    def _key(self, scope: Scope, headers: dict[bytes, bytes]) -> Key:
        if self._keys is None or self._keys.is_open:
            self._check_local(scope, headers)
            return EVERYBODY
        said = headers.get(b"authorization")
        if said is None:
            raise Refusal("no-key", "expected the header Authorization", headers={"WWW-Authenticate": "Bearer"})
        scheme, _, shown = said.decode("latin-1").partition(" ")
        found = self._keys.of(shown.strip()) if scheme.lower() == "bearer" else None
        if found is None:
            self._metrics.refused_keys += 1
            what = "" if scheme.lower() == "bearer" else ": expected Bearer and a key"
            challenge = {"WWW-Authenticate": 'Bearer error="invalid_token"'}
            raise Refusal("wrong-key", f"Authorization{what or ': nobody has this key'}", headers=challenge)
        return found

    def _check_local(self, scope: Scope, headers: dict[bytes, bytes]) -> None:
        """Refuse what does not come from a program of this machine, where there are no keys."""
        if not (self._keys is None or self._keys.is_open):
            return
        client = scope.get("client")
        if client is not None and not is_loopback(client[0]):
            raise Refusal("not-here", f"expected a request from this machine, got one from {client[0]}")
        if (proxy := _proxy(scope, headers)) is not None:
            said = f"expected no proxy before a server without keys, got {proxy}; make keys (littlestone key)"
            raise Refusal("not-here", said)
        host = headers.get(b"host", b"").decode("latin-1").lower()
        found = HOST.fullmatch(host)
        if found is None or found[1] not in LOCAL:
            raise Refusal("not-here", f"Host: expected a name of this machine, such as localhost, got {host[:100]!r}")
        origin = headers.get(b"origin")
        own = f"{scope['scheme']}://{host}"
        if origin is not None and origin.decode("latin-1").lower() not in {own, *self._origins}:
            raise Refusal("origin", f"Origin: expected {own}, got {origin.decode('latin-1')[:100]!r}")
        if origin is None and headers.get(b"sec-fetch-site") in (b"cross-site", b"same-site"):
            raise Refusal("origin", "Sec-Fetch-Site: expected no page of another origin")

    def _allowed_origin(self, scope: Scope, headers: dict[bytes, bytes]) -> bytes | None:
        del scope
        origin = headers.get(b"origin") if self._origins else None
        return origin if origin is not None and origin.decode("latin-1").lower() in self._origins else None

    # What is said of it

    def _id(self, headers: dict[bytes, bytes]) -> str:
        said = headers.get(b"x-request-id", b"")
        return said.decode() if REQUEST_ID.fullmatch(said) else f"{self._prefix}-{next(self._numbers)}"

    def _write(self, call: Call, scope: Scope, seconds: float) -> None:
        client = scope.get("client")
        about = {
            "request": call.id, "method": scope["method"], "path": scope["path"][:300], "status": call.status,
            "milliseconds": round(seconds * 1000, 3), "client": None if client is None else client[0],
            "key": call.key.id, **call.more,
        }  # fmt: skip
        if call.status in (401, 403):
            self._log.refusal(**about)
        else:
            self._log.line("error" if call.status >= 500 or not call.status else "info", "request", **about)


def problem_of(refusal: Refusal, request: str, rest: Receive | None = None) -> Callable[[Send], Awaitable[None]]:
    """Return what sends a problem.

    Who is cut off while it sends may never see why: some of the ``rest`` of its body is read, and thrown away.
    """
    body = msgspec.json.encode(refusal.details(request))
    headers = {"content-type": MEDIA_TYPE, "content-length": f"{len(body)}", **refusal.headers}
    if refusal.close:
        headers["connection"] = "close"
    raw = [(name.lower().encode("latin-1"), value.encode("latin-1", "replace")) for name, value in headers.items()]

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


@lru_cache(1024)
def is_loopback(host: str) -> bool:
    """Tell whether an address is this machine's own.

    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("::ffff:127.0.0.1"), is_loopback("10.0.0.1")
    (True, True, True, False)
    """
    try:
        found = ip_address(host.partition("%")[0])
    except ValueError:
        return host in ("localhost", "testclient")
    mapped = getattr(found, "ipv4_mapped", None)
    return bool((mapped or found).is_loopback)


def _check_headers(scope: Scope, headers: dict[bytes, bytes]) -> None:
    """Refuse a header that came twice and must not."""
    if len(headers) != len(scope["headers"]):
        names = [name for name, _ in scope["headers"]]
        twice = next((name for name in ONE_ONLY if names.count(name) > 1), None)
        if twice is not None:
            raise Refusal("bad-request", f"expected the header {twice.decode()} once", close=True)


def _proxy(scope: Scope, headers: dict[bytes, bytes]) -> str | None:
    """Return what shows that a request came through a proxy, if anything does; one that adds nothing is not seen."""
    if scope.get("http_version") in ("0.9", "1.0"):  # as nginx speaks with what is behind it, if not told otherwise
        return f"HTTP/{scope['http_version']}"
    found = next((name for name in headers if name in BY_PROXY or name.startswith(PROXIED)), None)
    return None if found is None else f"the header {found.decode('latin-1')[:50]}"


def _cors(origin: bytes | None) -> list[tuple[bytes, bytes]]:
    return [] if origin is None else [(b"access-control-allow-origin", origin), (b"vary", b"origin")]


async def _preflight(send: Send) -> None:
    """Answer what a browser asks before a request to another origin."""
    headers = [
        (b"access-control-allow-methods", b"GET, POST, PUT, PATCH, DELETE"),
        (b"access-control-allow-headers", b"authorization, content-type, idempotency-key, x-request-id"),
        (b"access-control-max-age", b"600"), (b"content-length", b"0"),
    ]  # fmt: skip
    await send({"type": "http.response.start", "status": 204, "headers": headers})
    await send({"type": "http.response.body", "body": b""})
