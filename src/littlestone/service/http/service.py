"""What all addresses share: how bodies become what is asked, who does it, and who writes down what was done."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from littlestone.service.http.actions import Actions, Asked, Raw, Wanted
from littlestone.service.http.bodies import JSON, LINES, Body, decoded, lines
from littlestone.service.http.gate import Receive
from littlestone.service.http.heads import Head
from littlestone.service.http.keeper import Call
from littlestone.service.http.keys import Keys
from littlestone.service.http.limits import Budget, Limits
from littlestone.service.http.logs import Audit, Log
from littlestone.service.http.openapi import document
from littlestone.service.http.operations import ABOUT_ROWS, OPERATIONS, Operation
from littlestone.service.http.pages import page

__all__ = ["Service", "as_sent"]

FORBIDDEN = 403
STYLE_ONLY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'"
HTML = {"content-security-policy": STYLE_ONLY, "referrer-policy": "no-referrer"}

encode = msgspec.json.Encoder().encode


class Service:
    """What all addresses share."""

    def __init__(self, actions: Actions, limits: Limits, log: Log, audit: Audit | None, keys: Keys | None) -> None:
        self.limits, self._log, self._audit = limits, log, audit
        self.bodies, self._files = Budget(limits.under_way), Budget(limits.model_file)
        self._json = {one.form: msgspec.json.Decoder(one.form) for one in OPERATIONS if one.form is not None}
        self._lines = {one.line: msgspec.json.Decoder(one.line) for one in OPERATIONS if one.line is not None}
        self.patience = actions.patience
        self._done, names = actions.done, [one.name for one in OPERATIONS if hasattr(actions, one.name)]
        self._wanted: dict[str, Callable[[Asked], Wanted]] = {name: getattr(actions, name) for name in ABOUT_ROWS}
        self._actions: dict[str, Callable[[Asked], Awaitable[Any]]] = {name: getattr(actions, name) for name in names}
        self._keys = keys
        self._page = Raw(page(), "text/html; charset=utf-8", HTML)
        self._documents = {keyed: Raw(document(keyed=keyed), JSON) for keyed in (False, True)}

    def body(self, operation: Operation, call: Call, receive: Receive) -> Body:
        """Return the body that is to come; model files do not take the room of others."""
        budget = self._files if operation.reads else self.bodies
        return Body(receive, call.headers.get(b"content-length"), self.limits, budget)

    async def act(self, operation: Operation, asked: Asked) -> Any:
        """Do what is asked."""
        if operation.name == "docs":
            return self._page
        if operation.name == "openapi":
            return self._documents[not (self._keys is None or self._keys.is_open)]
        if operation.name in self._wanted:
            return await self._done(self.wanted(operation, asked))
        return await self._actions[operation.name](asked)

    def asked(self, operation: Operation, call: Call, head: Head, data: bytes) -> Asked:
        """Return a request with what its body says."""
        form = self._form(operation, head.kind, data)
        body = data if operation.reads else b""
        return Asked(call, head.model, head.number, form, body, once=head.once, query=head.query)

    def wanted(self, operation: Operation, asked: Asked) -> Wanted:
        """Return what a request about rows wants of the worker."""
        return self._wanted[operation.name](asked)

    def _form(self, operation: Operation, kind: str, data: bytes) -> Any:
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


def as_sent(found: Any) -> tuple[bytes, list[tuple[bytes, bytes]]]:
    """Return an answer as it is sent, and its headers.

    >>> as_sent({"status": "live"})
    (b'{"status":"live"}', [(b'content-type', b'application/json'), (b'content-length', b'17')])
    """
    if isinstance(found, Raw):
        data, kind, more = found
    elif isinstance(found, list):
        data, kind, more = b"\n".join(map(encode, found)) + b"\n", LINES, {}
    else:
        data, kind, more = encode(found), JSON, {}
    headers = [(name.encode(), value.encode()) for name, value in more.items()]
    if kind:
        headers += [(b"content-type", kind.encode()), (b"content-length", b"%d" % len(data))]
    return data, headers
