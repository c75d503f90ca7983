"""Suspects: requests under which the worker has ended, so that one that ends it each time does not end it for ever."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from hashlib import blake2b

import msgspec

from littlestone.service.wire import Request, Upload, frame

__all__ = ["Suspects"]

ALONE, GUILTY = 2, 3  # ends of the worker, from which on a request waits for others like it, and is refused
MOST = 100_000


class Suspects:
    """Counts under which requests the worker ended by itself, or had to be ended.

    Others that are under way then are innocent: from the second time on suspects are done one at a time, so that the
    third time there is only one. One that is done is a suspect no more.
    """

    def __init__(self) -> None:
        self._ends: dict[bytes, int] = {}
        self._one = asyncio.Lock()

    def __len__(self) -> int:
        return len(self._ends)

    def add(self, requests: Iterable[Request]) -> None:
        """Say that the worker ended under these requests."""
        for key in {_digest(request) for request in requests}:
            self._ends[key] = self._ends.pop(key, 0) + 1
        while len(self._ends) > MOST:
            del self._ends[next(iter(self._ends))]

    def is_guilty(self, request: Request) -> bool:
        """Tell whether the worker has ended under a request too often."""
        return bool(self._ends) and self._ends.get(_digest(request), 0) >= GUILTY

    @asynccontextmanager
    async def watched(self, request: Request) -> AsyncIterator[None]:
        """Let a request be done here, alone among suspects if it is one of them."""
        if not self._ends or self._ends.get(_digest(request), 0) < ALONE:
            yield
            return
        async with self._one:
            yield

    def done(self, request: Request) -> None:
        """Say that the worker has done a request."""
        if self._ends:
            self._ends.pop(_digest(request), None)


def _digest(request: Request) -> bytes:
    if isinstance(request, Upload):  # sent again it has another name, and the same digest
        request = msgspec.structs.replace(request, file=None)
    return blake2b(frame(0, request), digest_size=16).digest()
