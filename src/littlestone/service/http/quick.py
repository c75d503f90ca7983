"""The quick way: requests about rows that came in one piece are answered without a task and a framework for each.

All of it is said and refused in the words of the long way, by the same functions; a test compares their bytes.
"""

from __future__ import annotations

import re
from asyncio import TimerHandle, ensure_future, get_running_loop
from collections.abc import Callable, Mapping
from functools import partial
from time import monotonic
from typing import NamedTuple

from littlestone.service import wire
from littlestone.service.http.actions import Desk, Wanted, checked, too_late
from littlestone.service.http.gate import written
from littlestone.service.http.heads import head_of
from littlestone.service.http.keeper import Call, Keeper, Scope, check_headers
from littlestone.service.http.operations import ABOUT_ROWS, OPERATIONS, Operation
from littlestone.service.http.service import Service, as_sent

__all__ = ["Headers", "Matched", "Quick"]

LOOK, SLACK = 0.5, 0.01  # seconds between two looks at who waits too long; and that timers may be early
ADDRESS = re.compile(rb"/v1/models/([A-Za-z0-9][A-Za-z0-9._-]{0,99})/(%s)" % b"|".join(map(str.encode, ABOUT_ROWS)))
BY_NAME = {one.name.encode(): one for one in OPERATIONS if one.name in ABOUT_ROWS}

Headers = list[tuple[bytes, bytes]]
Then = Callable[[wire.Reply | BaseException], None]
Sending = Callable[[int, Headers, bytes], None]


class Matched(NamedTuple):
    """An address that is answered quickly: what is done there, and the parameters that it has."""

    operation: Operation
    params: Mapping[str, str]


class _Asked:
    """A request on its way."""

    __slots__ = ("call", "deadline", "patience", "scope", "send", "size")

    def __init__(self, call: Call, scope: Scope, size: int, send: Sending) -> None:
        self.call, self.scope, self.size, self.send = call, scope, size, send
        self.patience = self.deadline = 0.0


class Quick:
    """Answers requests about rows; ``desk`` does what they ask."""

    def __init__(self, keeper: Keeper, service: Service, desk: Desk) -> None:
        self._keeper, self._service, self._desk = keeper, service, desk
        self._send: Callable[[wire.Request, Then], None] = getattr(desk, "send", self._awaited)
        self.most = service.limits.body
        self._waiting: dict[_Asked, None] = {}
        self._timer: TimerHandle | None = None

    @staticmethod
    def match(address: bytes) -> Matched | None:
        """Return what is done at an address, if that is answered quickly.

        >>> Quick.match(b"/v1/models/spam/learn").params, Quick.match(b"/v1/models/spam/explain")
        ({'model': 'spam'}, None)
        """
        found = ADDRESS.fullmatch(address)
        return None if found is None else Matched(BY_NAME[found[2]], {"model": found[1].decode("ascii")})

    def begin(self, matched: Matched, scope: Scope, data: bytes, send: Sending) -> None:
        """Take a request that came whole; ``send`` gets the answer, now or later: status, headers and body."""
        operation, keeper, service = matched.operation, self._keeper, self._service
        call = keeper.met(scope)
        one = _Asked(call, scope, 0, send)
        try:
            check_headers(scope, call.headers)
            keeper.admit(call, scope)
            call.route = operation.path
            head = head_of(operation, call, matched.params, b"")
            service.bodies.take(len(data))
            one.size = len(data)
            wanted = service.wanted(operation, service.asked(operation, call, head, data))
            self._wait(one, service.patience(wanted.request))
            self._send(wanted.request, partial(self._answer, one, wanted))
        except Exception as error:  # noqa: BLE001 - whatever it is, the server goes on
            self._waiting.pop(one, None)
            self._refuse(one, error)

    def _awaited(self, request: wire.Request, then: Then) -> None:
        """Ask a desk that replies to who awaits it."""
        reply = ensure_future(self._desk.request(request))
        reply.add_done_callback(lambda done: then(done.exception() or done.result()))

    def _answer(self, one: _Asked, wanted: Wanted, reply: wire.Reply | BaseException) -> None:
        """Answer a request, now that the worker has replied."""
        if one not in self._waiting:
            return  # it was too late
        del self._waiting[one]
        try:
            data, headers = as_sent(wanted.answer(checked(reply)))
        except Exception as error:  # noqa: BLE001
            self._refuse(one, error)
        else:
            self._end(one, 200, headers, data)

    def _refuse(self, one: _Asked, error: Exception) -> None:
        refusal = self._keeper.refusal_of(one.call, error)
        one.call.more["kind"] = refusal.kind
        data, headers = written(refusal, one.call.id)
        self._end(one, refusal.status, headers, data)

    def _end(self, one: _Asked, status: int, headers: Headers, data: bytes) -> None:
        call, keeper = one.call, self._keeper
        call.status = status
        self._service.bodies.give(one.size)
        one.send(status, headers + keeper.answers(call), data)
        keeper.left(call, one.scope)

    # Patience

    def _wait(self, one: _Asked, seconds: float) -> None:
        one.patience, one.deadline = seconds, monotonic() + seconds
        self._waiting[one] = None
        if self._timer is None:
            self._timer = get_running_loop().call_later(min(LOOK, seconds), self._look)

    def _look(self) -> None:
        """Wait no longer for what takes too long."""
        self._timer, now = None, monotonic()
        for one in [one for one in self._waiting if one.deadline <= now + SLACK]:
            del self._waiting[one]
            self._refuse(one, too_late(one.patience))
        if self._waiting:
            self._timer = get_running_loop().call_later(LOOK, self._look)
