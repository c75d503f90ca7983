"""The keeper of the gate: who a request comes from, whether it may come in, and what is written down of it."""

from __future__ import annotations

import re
import traceback
from collections.abc import MutableMapping
from dataclasses import dataclass, field
from functools import lru_cache
from ipaddress import ip_address
from itertools import count
from secrets import token_hex
from time import perf_counter
from typing import Any

from littlestone.core.errors import LittlestoneError
from littlestone.service.http.keys import EVERYBODY, Key, Keys
from littlestone.service.http.limits import Turnstile
from littlestone.service.http.logs import Log
from littlestone.service.http.metrics import Metrics
from littlestone.service.http.problems import Refusal

__all__ = ["Call", "Keeper", "Scope", "check_headers", "is_loopback"]

Scope = MutableMapping[str, Any]

LOCAL = {"localhost", "127.0.0.1", "[::1]"}
REQUEST_ID = re.compile(rb"[A-Za-z0-9._-]{1,64}")
HOST = re.compile(r"(\[[0-9a-f:]+\]|[^:\[\]@/]+)(?::\d{1,5})?")
PROXIED = (b"x-forwarded", b"x-original-", b"cf-")  # how headers begin that proxies add
BY_PROXY = frozenset((
    b"forwarded", b"via", b"x-real-ip", b"true-client-ip", b"x-client-ip", b"x-cluster-client-ip", b"cdn-loop",
))  # fmt: skip
ONE_ONLY = (b"host", b"authorization", b"content-type", b"content-length", b"idempotency-key", b"origin")
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
    is_in: bool = False  # whether it counts among those of its key that are under way
    more: dict[str, Any] = field(default_factory=dict)
    told: dict[str, Any] = field(default_factory=dict)  # what the audit is to say of it


class Keeper:
    """Knows who may come in, and writes down who did.

    Without keys it lets in programs of this machine only: what comes from a loopback address, under a name of this
    machine (so no page can reach it by a name of its own that leads here), not by a proxy, and not from the page of
    another origin. With keys, every request needs one, but for those to ``public`` addresses.
    """

    def __init__(
        self, *, keys: Keys | None, turnstile: Turnstile, log: Log, metrics: Metrics,
        public: frozenset[str] = frozenset(), origins: frozenset[str] = frozenset(),
    ) -> None:  # fmt: skip
        self._keys, self._turnstile = keys, turnstile
        self._log, self._metrics, self._public, self._origins = log, metrics, public, origins
        self._prefix, self._numbers = token_hex(4), count(1)

    def met(self, scope: Scope) -> Call:
        """Return the call that a request is, which is under way until it has `left`."""
        headers = dict(scope["headers"])
        call = Call(self._id(headers), headers)
        self._metrics.under_way += 1
        return call

    def left(self, call: Call, scope: Scope) -> None:
        """Count a request that was answered, and write it down."""
        if call.is_in:
            self._turnstile.leave(call.key.id)
            call.is_in = False
        self._metrics.under_way -= 1
        seconds = perf_counter() - call.begun
        method = scope["method"] if scope["method"] in METHODS else "other"
        self._metrics.done(call.route, method, call.status, seconds)
        self._write(call, scope, seconds)

    def is_public(self, scope: Scope) -> bool:
        """Tell whether an address needs no key."""
        return scope["path"] in self._public

    def is_preflight(self, call: Call, scope: Scope) -> bool:
        """Tell whether it is what a browser asks before a request to another origin."""
        asks = b"access-control-request-method" in call.headers
        return scope["method"] == "OPTIONS" and bool(self._origins) and asks

    def admit(self, call: Call, scope: Scope) -> None:
        """Let a request in, or refuse it."""
        if self.is_public(scope):
            self._check_local(scope, call.headers)
            return
        call.key = self._key(scope, call.headers)
        self._turnstile.enter(call.key.id)
        call.is_in = True

    def answers(self, call: Call) -> list[tuple[bytes, bytes]]:
        """Return the headers of whatever answer."""
        found = [(b"x-request-id", call.id.encode()), *ALWAYS]
        origin = call.headers.get(b"origin") if self._origins else None
        if origin is not None and origin.decode("latin-1").lower() in self._origins:
            found += [(b"access-control-allow-origin", origin), (b"vary", b"origin")]
        return found

    def refusal_of(self, call: Call, error: Exception) -> Refusal:
        """Return the refusal that an error is to its caller: what nobody expected is written down."""
        if isinstance(error, Refusal):
            return error
        if isinstance(error, LittlestoneError):
            return Refusal.of(error)
        trace = "".join(traceback.format_exception(error, limit=-12))
        self._log.line("error", "internal", request=call.id, error=repr(error)[:500], trace=trace)
        return Refusal("internal", f"see the server's log for request {call.id}")

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
        if (proxy := _proxy(scope.get("http_version", ""), tuple(headers))) is not None:
            said = f"expected no proxy before a server without keys, got {proxy}; make keys (littlestone key)"
            raise Refusal("not-here", said)
        own = f"{scope['scheme']}://{_local_host(headers.get(b'host', b''))}"
        origin = headers.get(b"origin")
        if origin is not None and origin.decode("latin-1").lower() not in {own, *self._origins}:
            raise Refusal("origin", f"Origin: expected {own}, got {origin.decode('latin-1')[:100]!r}")
        if origin is None and headers.get(b"sec-fetch-site") in (b"cross-site", b"same-site"):
            raise Refusal("origin", "Sec-Fetch-Site: expected no page of another origin")

    # What is said of it

    def _id(self, headers: dict[bytes, bytes]) -> str:
        said = headers.get(b"x-request-id", b"")
        return said.decode() if REQUEST_ID.fullmatch(said) else f"{self._prefix}-{next(self._numbers)}"

    def _write(self, call: Call, scope: Scope, seconds: float) -> None:
        level = "error" if call.status >= 500 or not call.status else "info"
        refused = call.status in (401, 403)
        if not (refused or self._log.wants(level)):
            return
        client = scope.get("client")
        about = {
            "request": call.id, "method": scope["method"], "path": scope["path"][:300], "status": call.status,
            "milliseconds": round(seconds * 1000, 3), "client": None if client is None else client[0],
            "key": call.key.id, **call.more,
        }  # fmt: skip
        if refused:
            self._log.refusal(**about)
        else:
            self._log.line(level, "request", **about)


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


def check_headers(scope: Scope, headers: dict[bytes, bytes]) -> None:
    """Refuse a header that came twice and must not."""
    if len(headers) != len(scope["headers"]):
        names = [name for name, _ in scope["headers"]]
        twice = next((name for name in ONE_ONLY if names.count(name) > 1), None)
        if twice is not None:
            raise Refusal("bad-request", f"expected the header {twice.decode()} once", close=True)


@lru_cache(256)  # one client says the same each time
def _local_host(said: bytes) -> str:
    """Return what the header Host says; refuse what is no name of this machine."""
    host = said.decode("latin-1").lower()
    found = HOST.fullmatch(host)
    if found is None or found[1] not in LOCAL:
        raise Refusal("not-here", f"Host: expected a name of this machine, such as localhost, got {host[:100]!r}")
    return host


@lru_cache(256)
def _proxy(version: str, headers: tuple[bytes, ...]) -> str | None:
    """Return what shows that a request came through a proxy, if anything does; one that adds nothing is not seen."""
    if version in ("0.9", "1.0"):  # as nginx speaks with what is behind it, if not told otherwise
        return f"HTTP/{version}"
    found = next((name for name in headers if name in BY_PROXY or name.startswith(PROXIED)), None)
    return None if found is None else f"the header {found.decode('latin-1')[:50]}"
