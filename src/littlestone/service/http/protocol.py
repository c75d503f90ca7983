"""uvicorn's protocol with patience that ends: headers that come slowly or without end, and too many connections."""

from __future__ import annotations

from asyncio import Event, TimerHandle, Transport
from functools import partial
from typing import Any, cast

import msgspec
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from littlestone.service.http.limits import Limits
from littlestone.service.http.problems import MEDIA_TYPE, Refusal
from littlestone.service.http.quick import Headers, Matched, Quick

__all__ = ["PatientProtocol", "patient"]


FAREWELL = 5.0  # seconds to read why one is cut off


class _Cycle:
    """Stands where uvicorn has the cycle of request and response, for a request that is answered quickly."""

    __slots__ = ("disconnected", "keep_alive", "response_complete")
    message_event, more_body = Event(), False  # nobody waits for the body, which is there

    def __init__(self, *, keep_alive: bool) -> None:
        self.keep_alive, self.disconnected, self.response_complete = keep_alive, False, False


class PatientProtocol(HttpToolsProtocol):
    """Cuts off who does not send the headers of a request in time, or sends more of them than anybody needs.

    Requests that come in one piece, and are for it, go the ``quick`` way.
    """

    limits = Limits()
    quick: Quick | None = None

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._in_headers = True
        self._bytes = 0  # of the headers that are whole
        self._raw = 0  # of all that came since they began, but for the piece in which they did
        self._began = False
        self._timer: TimerHandle | None = None
        self._write_timer: TimerHandle | None = None
        self._held: Matched | None = None  # for the quick way, if all of its body is at hand
        self._pieces: list[bytes] = []

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Take a connection, if there is room for it."""
        super().connection_made(transport)
        most = self.limits.connections
        if len(self.connections) > most:
            self._refuse(Refusal("busy", f"expected at most {most:,} connections", headers={"Retry-After": "1"}))
        else:
            self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._rest()
        self._written()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read what has come; more than headers may have is refused."""
        if self.transport.is_closing():
            return
        self._began = False
        super().data_received(data)
        held, self._held = self._held, None
        if self.transport.is_closing():
            return
        if held is not None:  # its body is still to come
            self._go_the_long_way()
        if self._in_headers and not self._began:
            self._raw += len(data)
            if self._raw > self.limits.headers:
                self._refuse(self._too_large())
                return
        if self._timer is None and (self._in_headers or self._idle()):
            self._watch()

    def eof_received(self) -> bool | None:  # type: ignore[override]
        """Let who sends no more have the answer to what it sent whole; TLS has no such thing."""
        if self._idle() or self.cycle.more_body or self.scheme == "https":
            return None
        self.cycle.keep_alive = False
        return True

    def on_message_begin(self) -> None:
        """Begin to read headers."""
        super().on_message_begin()
        self._in_headers, self._began, self._bytes, self._raw = True, True, 0, 0

    def on_url(self, url: bytes) -> None:
        """Read a part of the address."""
        self._count(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Read a header."""
        self._bytes += len(name) + len(value) + 4
        if self._bytes > self.limits.headers:
            raise ValueError("the headers are too large")
        if self._in_headers:  # what comes behind a body in pieces is nobody's header any more
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Wait no longer: all headers are there."""
        self._in_headers = False
        self._rest()
        self._held = self._matched()
        if self._held is None:
            super().on_headers_complete()
        else:
            self._pieces.clear()

    def on_body(self, body: bytes) -> None:
        """Take a piece of a body."""
        if self._held is None:
            super().on_body(body)
        else:
            self._pieces.append(body)

    def on_message_complete(self) -> None:
        """Begin with what came whole."""
        matched, self._held = self._held, None
        if matched is None or self.quick is None:
            super().on_message_complete()
            return
        body = b"".join(self._pieces)
        if len(body) > self.quick.most:
            self._go_the_long_way()
            super().on_message_complete()
            return
        scope = cast("dict[str, Any]", self.scope)
        scope |= {"method": "POST", "path": self.url.decode("ascii")}
        cycle = _Cycle(keep_alive=self.parser.should_keep_alive())
        self.cycle = cast("Any", cycle)
        self.quick.begin(matched, scope, body, partial(self._answer, cycle))

    def _matched(self) -> Matched | None:
        """Return what is asked, if it can be answered quickly: nothing else is under way on this connection."""
        parser = self.parser
        if self.quick is None or parser.get_method() != b"POST" or parser.get_http_version() != "1.1":
            return None
        if self.expect_100_continue or parser.should_upgrade() or self.flow.write_paused:
            return None
        return self.quick.match(self.url) if self.cycle is None or self.cycle.response_complete else None

    def _go_the_long_way(self) -> None:
        super().on_headers_complete()
        for piece in self._pieces:
            super().on_body(piece)
        self._pieces.clear()

    def _answer(self, cycle: _Cycle, status: int, headers: Headers, body: bytes) -> None:
        """Send the answer to a request that was answered quickly."""
        cycle.response_complete = True
        if cycle.disconnected or self.transport.is_closing():
            return
        is_last = not cycle.keep_alive or (b"connection", b"close") in headers
        parts = [STATUS_LINE[status]]
        for name, value in (*self.server_state.default_headers, *headers):
            parts += (name, b": ", value, b"\r\n")
        if is_last and (b"connection", b"close") not in headers:
            parts.append(b"connection: close\r\n")
        parts += (b"\r\n", body)
        self.transport.write(b"".join(parts))
        if is_last:
            self.transport.close()
        self.on_response_complete()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP."""
        too_large = self._bytes > self.limits.headers
        self._refuse(self._too_large() if too_large else Refusal("bad-request", msg))

    def pause_writing(self) -> None:
        """Wait for a client that reads slowly, but not for ever."""
        super().pause_writing()
        self._write_timer = self.loop.call_later(self.limits.read_time, self.transport.abort)

    def resume_writing(self) -> None:
        """Wait no longer: it has read."""
        self._written()
        super().resume_writing()

    def timeout_keep_alive_handler(self) -> None:
        """Close a connection that nobody uses."""
        if self.transport.get_write_buffer_size():
            self.transport.abort()
        super().timeout_keep_alive_handler()

    def _written(self) -> None:
        if self._write_timer is not None:
            self._write_timer.cancel()
            self._write_timer = None

    def _count(self, count: int) -> None:
        self._bytes += count
        if self._bytes > self.limits.headers:
            raise ValueError("the headers are too large")

    def _too_large(self) -> Refusal:
        return Refusal("headers-too-large", f"expected at most {self.limits.headers:,} bytes of address and headers")

    def _idle(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _watch(self) -> None:
        self._rest()
        self._timer = self.loop.call_later(self.limits.header_time, self._late)

    def _rest(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _late(self) -> None:
        """Cut the client off, unless it waits for an answer."""
        self._timer = None
        if self.transport.is_closing():
            return
        if not self._idle():
            self._watch()
        elif self._in_headers and self._bytes + self._raw:
            seconds = f"{self.limits.header_time:g}"
            self._refuse(Refusal("timeout", f"expected all headers within {seconds} seconds"))
        else:
            self.transport.close()

    def _refuse(self, refusal: Refusal) -> None:
        body = msgspec.json.encode(refusal.details())
        headers = {
            "content-type": MEDIA_TYPE, "content-length": f"{len(body)}", "connection": "close", **refusal.headers,
        }  # fmt: skip
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        self.transport.write(STATUS_LINE[refusal.status] + head.encode("ascii") + b"\r\n" + body)
        self.transport.close()
        self.loop.call_later(FAREWELL, self.transport.abort)  # who does not read even that


def patient(limits: Limits, quick: Quick | None = None) -> type[PatientProtocol]:
    """Return the protocol with other limits, and with a quick way.

    >>> patient(Limits(header_time=2.0)).limits.header_time
    2.0
    """
    return type("PatientProtocol", (PatientProtocol,), {"limits": limits, "quick": quick})
