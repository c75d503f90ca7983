"""Bodies: read to the end within limits, and decoded straight from their bytes."""

from __future__ import annotations

from asyncio import timeout
from collections.abc import Awaitable, Callable, MutableMapping
from functools import lru_cache
from typing import Any, TypeVar

import msgspec

from littlestone.service.http.limits import Budget, Limits
from littlestone.service.http.problems import Refusal

__all__ = ["JSON", "LINES", "OCTETS", "Body", "content_type", "decoded", "lines"]

JSON, LINES, OCTETS = "application/json", "application/x-ndjson", "application/octet-stream"
SLOWEST = 1 << 18  # bytes a second that anybody sends

T = TypeVar("T")
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]


def content_type(headers: MutableMapping[bytes, bytes], known: tuple[str, ...]) -> str:
    """Return the type of a body, one of those that are known; refuse another one, and what is compressed.

    >>> content_type({b"content-type": b"Application/JSON; charset=utf-8"}, (JSON, LINES))
    'application/json'
    >>> content_type({b"content-type": b"text/plain"}, (JSON,))
    Traceback (most recent call last):
    ...
    littlestone.service.http.problems.Refusal: The body is of a type that is not read: expected application/json, got \
text/plain
    """
    return _content_type(headers.get(b"content-encoding", b""), headers.get(b"content-type", b""), known)


@lru_cache(256)  # one client says the same each time
def _content_type(encoded: bytes, given: bytes, known: tuple[str, ...]) -> str:
    encoding = encoded.decode("latin-1").strip().lower()
    if encoding not in ("", "identity"):
        raise Refusal(
            "content-type", f"expected a body that is not compressed, got Content-Encoding: {encoding[:100]}",
            headers={"Accept-Encoding": "identity"}, close=True,
        )  # fmt: skip
    said = given.decode("latin-1")
    kind, _, more = (part.strip().lower() for part in said.partition(";"))
    charset = more.replace(" ", "").replace('"', "")
    if kind not in known or charset not in ("", "charset=utf-8", "charset=utf8"):
        expected = f"expected {' or '.join(known)}"
        raise Refusal(
            "content-type", f"{expected}, got {said[:100] or 'none'}", headers={"Accept": ", ".join(known)}, close=True
        )
    return kind


class Body:
    """The body of one request; what it takes of the budget is given back by `release`."""

    __slots__ = ("_budget", "_limits", "_receive", "_size", "_taken", "data")

    def __init__(self, receive: Receive, size: bytes | None, limits: Limits, budget: Budget) -> None:
        self._receive, self._limits, self._budget = receive, limits, budget
        self._size = int(size) if size is not None and size.isdigit() and len(size) < 20 else None
        self._taken, self.data = 0, b""

    async def read(self, most: int) -> bytes:
        """Return all of it; refuse one that is too large, or comes too slowly."""
        if self._size is not None and self._size > most:
            raise _too_large(most, f"{self._size:,}")
        seconds = self._limits.body_time + most / SLOWEST * (most > self._limits.body)
        try:
            async with timeout(seconds):
                self.data = await self._pieces(most)
        except TimeoutError:
            raise Refusal("timeout", f"expected all of the body within {seconds:g} seconds", close=True) from None
        return self.data

    async def _pieces(self, most: int) -> bytes:
        found: list[bytes] = []
        size, more = 0, True
        while more:
            message = await self._receive()
            if message["type"] == "http.disconnect":
                raise Refusal("bad-request", "the connection ended before the body did", close=True)
            piece = message.get("body", b"")
            size += len(piece)
            if size > most:
                raise _too_large(most, f"{size:,} so far")
            self._budget.take(len(piece), self._taken)
            self._taken += len(piece)
            found.append(piece)
            more = message.get("more_body", False)
        return found[0] if len(found) == 1 else b"".join(found)

    def release(self) -> None:
        """Give back what it took."""
        self._budget.give(self._taken)
        self._taken = 0


def decoded(decoder: msgspec.json.Decoder[T], data: bytes) -> T:
    """Return what a body says; refuse what is not JSON, or not what was expected.

    >>> decoded(msgspec.json.Decoder(list[int]), b"[1, 2]")
    [1, 2]
    """
    if not data:
        raise Refusal("malformed", "expected a body of JSON, got none")
    try:
        return decoder.decode(data)
    except msgspec.MsgspecError as error:
        raise Refusal.of_decoding(error) from None
    except RecursionError:
        raise Refusal("invalid", "expected few lists within lists, got too many") from None
    except UnicodeDecodeError:
        raise Refusal("malformed", "expected UTF-8") from None


def lines(decoder: msgspec.json.Decoder[T], data: bytes, most: int) -> list[T]:
    r"""Return what the lines of a body say, each of which is JSON; empty ones are passed over.

    >>> lines(msgspec.json.Decoder(dict[str, int]), b'{"a": 1}\n\n{"a": 2}', 10)
    [{'a': 1}, {'a': 2}]
    """
    count = data.count(b"\n") + 1
    if count > 2 * most + 2:
        raise Refusal("too-many-rows", f"expected at most {most:,} lines, got {count:,}")
    found: list[T] = []
    for number, line in enumerate(data.split(b"\n"), start=1):
        if not line or line.isspace():
            continue
        try:
            found.append(decoded(decoder, line))
        except Refusal as refusal:
            where = f"line {number}" + (f": {refusal.where}" if refusal.where else "")
            raise Refusal(refusal.kind, f"line {number}: {refusal.detail}", where=where) from None
    if not found:
        raise Refusal("malformed", "expected lines of JSON, got none")
    return found


def _too_large(most: int, got: str) -> Refusal:
    return Refusal("too-large", f"expected a body of at most {most:,} bytes, got {got}", close=True)
