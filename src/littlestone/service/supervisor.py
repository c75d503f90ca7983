"""Supervisor: keeps a worker going, speaks with it, and replaces it when it hangs or grows too large."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Self, cast

import msgspec

from littlestone.core.errors import LittlestoneError
from littlestone.service.memory import taken
from littlestone.service.options import Options
from littlestone.service.problems import invalid, too_much, unavailable
from littlestone.service.suspects import Suspects
from littlestone.service.uploads import swept
from littlestone.service.wire import Frames, Health, Problem, Reply, Request, TooLong, frame, reply_of

__all__ = ["Supervisor"]

LOOK = 0.5  # seconds between two looks at the worker
A_FEW = 10  # requests: fewer make groups so small that each costs the worker more
STARTING = 10  # times the patience, until it has begun
KILLED = (0, -signal.SIGKILL, -signal.SIGTERM)  # codes with which it ends if somebody else ends it
MORE = 1.25  # times what the worker took when it began, where that was too much already
SLOWEST = 10.0  # seconds before a worker that ends again and again is started once more

Then = Callable[[Reply], None]  # what gets a reply


class Supervisor:
    """A worker on a folder, in a process of its own.

    ``patience`` is how many seconds it may give no sign of life, ``memory`` how many bytes it may take, ``most`` how
    many requests may be under way. Whatever happens to the worker, a request gets a reply: that it is to be sent again,
    with the same key, if nobody knows what became of it. ``on_end`` is told why a worker ended.

    >>> import tempfile
    >>> from littlestone.service.wire import Create, Learn
    >>> async def main():
    ...     async with Supervisor(tempfile.mkdtemp()) as service:
    ...         await service.request(Create("spam", "winnow", labels=["ham", "spam"], attributes=10))
    ...         return await service.request(Learn("spam", [{"win": 1}], ["spam"], once="key-1"))
    >>> asyncio.run(main()).numbers()
    [1]
    """

    def __init__(
        self, folder: str | os.PathLike[str], options: Options | None = None, *, patience: float = 30.0,
        memory: int | None = None, most: int = 20_000, on_end: Callable[[str], None] | None = None,
    ) -> None:  # fmt: skip
        self.folder, self.options = Path(folder).absolute(), options or Options()
        self.patience, self.memory, self.most = patience, memory, most
        self.restarts, self._on_end = 0, on_end
        self.uploads: Path | None = None  # where a front may write files for the worker
        self._ended = False  # whether the worker had to be ended
        self.ready = asyncio.Event()
        self.failure = "the service starts"  # why nothing can be done, where that is so
        self.process: subprocess.Popen[bytes] | None = None
        self._link: _Link | None = None
        self._keeping: asyncio.Task[None] | None = None
        self._first: asyncio.Future[str | None] | None = None
        self._suspects = Suspects()

    async def start(self) -> None:
        """Start the worker; wait until it has all models, or raise why it cannot."""
        self._first = asyncio.get_running_loop().create_future()
        self._keeping = asyncio.create_task(self._keep())
        problem = await self._first
        if problem is not None:
            await self.stop()
            raise LittlestoneError(problem)
        self.uploads = swept(self.folder)  # no other service works here: the worker has the lock

    async def stop(self, patience: float = 30.0) -> None:
        """Have the worker finish what it was asked, write all down, and end."""
        keeping, self._keeping = self._keeping, None
        process, link = self.process, self._link
        self.failure = "the service stops"
        if process is not None and process.poll() is None:
            process.terminate()
            end = time.monotonic() + patience
            while process.poll() is None and time.monotonic() < end:  # noqa: ASYNC110 - nobody says when it ends
                await asyncio.sleep(0.01)
            if process.poll() is None:
                process.kill()
        if link is not None:
            with suppress(TimeoutError):
                await asyncio.wait_for(link.closed.wait(), 1.0)  # the last replies
        if keeping is not None:
            keeping.cancel()
            with suppress(asyncio.CancelledError):
                await keeping

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.stop()

    def request(self, request: Request) -> Awaitable[Reply]:
        """Ask the worker; what it replies is to be awaited."""
        return self._watched(request) if self._suspects else self._asked(request)

    def send(self, request: Request, then: Then) -> None:
        """Ask the worker; ``then`` gets what it replies, at once when it comes: to await it costs more."""
        if self._suspects:
            watched = asyncio.ensure_future(self._watched(request))
            watched.add_done_callback(lambda done: then(done.result()))
        else:
            self._ask(request, then)

    async def _watched(self, request: Request) -> Reply:
        """Ask the worker something under which it may end."""
        async with self._suspects.watched(request):
            if self._suspects.is_guilty(request):
                return invalid("expected a request that can be done, got one under which the worker ends", "fatal")
            reply = await self._asked(request)
        if not (isinstance(reply, Problem) and reply.again):
            self._suspects.done(request)
        return reply

    def _asked(self, request: Request) -> asyncio.Future[Reply]:
        found: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._ask(request, lambda reply: None if found.done() else found.set_result(reply))
        return found

    def _ask(self, request: Request, then: Then) -> None:
        link = self._link
        if link is None or not self.ready.is_set():
            then(unavailable(self.failure, "starting"))
            return
        if len(link.asked) >= self.most:
            then(unavailable(f"expected at most {self.most:,} requests under way", "busy"))
            return
        try:
            link.ask(request, then)
        except TooLong as error:
            then(too_much(str(error)))
        except (TypeError, ValueError, OverflowError, RecursionError, msgspec.MsgspecError) as error:
            then(invalid(f"expected values as JSON has them, got others ({error})", "unreadable"))

    # The worker

    async def _keep(self) -> None:
        """Start the worker again and again."""
        delay = 0.0
        while self._keeping is not None:
            lived = False
            try:
                lived = await self._one_life()
            except OSError as error:
                self.failure = f"the worker cannot be started: {error}"
            finally:
                self._end()
            if self._first is not None and not self._first.done():
                self._first.set_result(self.failure)
            self._tell_end()
            self.restarts += 1
            delay = 0.0 if lived else min(SLOWEST, 2 * delay + 0.05)
            await asyncio.sleep(delay)

    def _tell_end(self) -> None:
        if self._on_end is not None and self._keeping is not None:
            code = None if self.process is None else self.process.returncode
            self._on_end(f"{self.failure} (exit code {code})")

    async def _one_life(self) -> bool:
        """Lead a worker until it ends; tell whether it was ready."""
        ours, theirs = socket.socketpair()
        with theirs:
            command = [sys.executable, "-m", "littlestone.service.worker", str(self.folder), str(theirs.fileno())]
            command.append(json.dumps(replace(self.options, memory=self.memory).as_dict()))
            self.process = subprocess.Popen(  # noqa: ASYNC220, S603 - it takes a millisecond; our own module
                command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, start_new_session=True
            )
        loop = asyncio.get_running_loop()
        _, self._link = await loop.create_connection(lambda: _Link(self._heard), sock=ours)
        await self._watch(self._link, self.process)
        return self.ready.is_set()

    def _heard(self, reply: Reply | None) -> None:
        """Take what the worker says without being asked: a sign of life, that it is ready, or why it is not."""
        if isinstance(reply, Problem):
            self.failure = reply.detail
        elif reply is not None:
            self.ready.set()
            if self._first is not None and not self._first.done():
                self._first.set_result(None)

    async def _watch(self, link: _Link, process: subprocess.Popen[bytes]) -> None:
        """Wait until the worker ends; end it, if it must be."""
        least = 0  # what its models take when it has begun: to end it for that would change nothing
        while not link.closed.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(link.closed.wait(), LOOK)
            silent = time.monotonic() - link.heard
            ready = self.ready.is_set()
            now = taken(process.pid) if ready and self.memory is not None else 0
            least = least or now
            if silent > self.patience * (1 if ready else STARTING):
                self.failure = f"the worker gave no sign of life for {silent:.0f} seconds, and is started anew"
                self._ended = True
                process.kill()
            elif self.memory is not None and now > max(self.memory, MORE * least):
                self.failure = f"the worker took {now:,} bytes, more than {self.memory:,}, and is started anew"
                self._ended = True
                process.kill()
            elif ready and not link.asked and not link.closed.is_set():
                link.ask(Health(), lambda _: None)

    def _end(self) -> None:
        """Let nothing of a worker be left; whoever waits for it is told."""
        if self.ready.is_set() and self._keeping is not None and not self._ended:
            self.failure = "the worker ended, and is started anew"
        self.ready.clear()
        process, link = self.process, self._link
        self._link = None
        if process is not None:
            if process.poll() is None:
                process.kill()
            code = process.wait()
            # Who kills it from outside says nothing of what it did.
            if link is not None and self._keeping is not None and (self._ended or code not in KILLED):
                self._suspects.add(link.under_way)
        self._ended = False
        if link is not None:
            link.end(self.failure)


def _give(then: Then, reply: Reply) -> None:
    """Give a reply to who waits for it; what goes wrong there hurts nobody else."""
    try:
        then(reply)
    except Exception as error:  # noqa: BLE001
        loop = asyncio.get_running_loop()
        loop.call_exception_handler({"message": "a reply of the worker could not be given", "exception": error})


class _Link(asyncio.Protocol):
    """The connection with one worker; requests that come in one turn of the loop are sent together, a few at a time.

    So the worker begins while others are still being read.
    """

    def __init__(self, heard: Callable[[Reply | None], None]) -> None:
        self._tell = heard
        self.asked: dict[int, Then] = {}
        self._requests: dict[int, Request] = {}
        self.closed, self.heard = asyncio.Event(), time.monotonic()
        self._frames, self._number, self._out = Frames(), 0, list[bytes]()
        self._transport: asyncio.Transport | None = None

    def ask(self, request: Request, then: Then) -> None:
        """Send a request; ``then`` gets its reply."""
        data = frame(self._number + 1, request)
        self._number += 1
        if not self._out:
            asyncio.get_running_loop().call_soon(self._flush)
        if not self.asked:
            self.heard = time.monotonic()  # before it had nothing to say
        self._out.append(data)
        if len(self._out) >= A_FEW:
            self._flush()
        self.asked[self._number] = then
        self._requests[self._number] = request

    @property
    def under_way(self) -> list[Request]:
        """The requests that have no reply yet."""
        return list(self._requests.values())

    def _flush(self) -> None:
        data = b"".join(self._out)
        self._out.clear()
        if data and self._transport is not None and not self._transport.is_closing():
            self._transport.write(data)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep what is written to."""
        assert hasattr(transport, "write")  # those of uvloop are not asyncio's
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """Give replies to those who wait for them."""
        self.heard = time.monotonic()
        self._frames.add(data)
        while (one := self._frames.next()) is not None:
            number, reply = reply_of(one)
            if number == 0:
                self._tell(reply)
                continue
            then = self.asked.pop(number, None)
            self._requests.pop(number, None)
            if then is not None and reply is not None:
                _give(then, reply)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - the loop gives it
        """Say that the worker is there no more."""
        self.closed.set()

    def end(self, why: str) -> None:
        """Tell all who wait that there is no reply."""
        if self._transport is not None:
            self._transport.close()
        self.closed.set()
        asked, self.asked = self.asked, {}
        for then in asked.values():
            _give(then, unavailable(why, "restarted"))
