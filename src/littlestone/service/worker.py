"""The worker: a process that holds the models, does what comes over a socket, and may be killed at any moment.

While the disk is flushed for one group of requests, the next one gathers: all that has come is taken, in order.
"""

from __future__ import annotations

import json
import select
import signal
import socket
import sys
import time
from contextlib import suppress

from msgspec import MsgspecError

from littlestone.core.errors import LittlestoneError
from littlestone.service.desk import Desk
from littlestone.service.options import Options
from littlestone.service.problems import unexpected
from littlestone.service.rework import Later
from littlestone.service.warming import warmed
from littlestone.service.wire import Frames, Health, Problem, Reply, Request, frame, request_of

__all__ = ["Worker", "main"]

PIECE = 1 << 20
MOST = 64 << 20  # bytes of whole requests that are taken before they are done; a single one may be larger
WAIT, SOON = 0.25, 0.02  # seconds, when nothing comes; the latter while another process makes a model
SIGN = 1.0  # seconds between two signs of life


class Worker:
    """What comes over a socket is asked of a desk, until the other end is closed or SIGTERM comes."""

    def __init__(self, link: socket.socket, folder: str, options: Options) -> None:
        self.link, self.options, self.frames = link, options, Frames()
        self.open, self.stopping = True, False
        self._signed = time.monotonic()
        self._laters: list[tuple[int, Later]] = []
        self.desk = Desk(folder, options, alive=self.alive)

    def alive(self) -> None:
        """Give a sign of life, now and then."""
        now = time.monotonic()
        if now - self._signed >= SIGN:
            self._signed = now
            self._send(frame(0, None))

    def _send(self, data: bytes) -> None:
        try:
            self.link.setblocking(True)
            self.link.sendall(data)
        except OSError:
            self.open = False  # nobody listens any more

    def run(self) -> None:
        """Say that all is ready, and do what comes."""
        for served in self.desk.served.values():
            warmed(served.model.learner, self.alive)
        [ready] = self.desk.handle([Health()])
        self._send(frame(0, ready))
        while self.open and not self.stopping:
            self._receive()
            self._work()
            self.desk.tick()
        while self._work():
            pass
        self.desk.close()

    def _receive(self) -> None:
        """Take all that has come; wait for it, if there is nothing to do."""
        soon = self._laters or self.desk.reworks or self.desk.saves
        wait = 0.0 if self.frames.is_complete() or self.desk.slices else SOON if soon else WAIT
        ready, _, _ = select.select([self.link], [], [], wait)
        self.link.setblocking(False)
        while ready and (len(self.frames) < MOST or not self.frames.is_complete()):
            try:
                data = self.link.recv(PIECE)
            except BlockingIOError:
                return
            except OSError:
                data = b""
            if not data:
                self.open = False
                return
            self.frames.add(data)

    def _work(self) -> bool:
        """Do a group of what has come; tell whether there was any."""
        limits, rows = self.options.limits, 0
        numbers, requests = list[int](), list[Request | Problem]()
        while len(requests) < limits.group and rows < limits.group_rows and (data := self.frames.next()) is not None:
            number, request = request_of(data)
            numbers.append(number)
            requests.append(request)
            rows += self.desk.cost(request)
        out = list[bytes]()
        for number, reply in zip(numbers, self.desk.take(requests) if requests else (), strict=True):
            if isinstance(reply, Later):
                self._laters.append((number, reply))
            else:
                out.append(_framed(number, reply))
        out += [_framed(number, later.reply) for number, later in self._laters if later.reply is not None]
        self._laters = [(number, later) for number, later in self._laters if later.reply is None]
        if out:
            self._signed = time.monotonic()
            self._send(b"".join(out))
        return bool(requests)

    def stop(self, *_: object) -> None:
        """Finish what has come, and end."""
        self.stopping = True


def _framed(number: int, reply: Reply) -> bytes:
    """Return a reply as a frame; what cannot be sent hurts one request alone."""
    try:
        return frame(number, reply)
    except (LittlestoneError, TypeError, ValueError, OverflowError, RecursionError, MsgspecError) as error:
        return frame(number, unexpected(error))


def main(arguments: list[str]) -> int:
    """Work on a folder, with the socket of this number and these options."""
    folder, number, options = arguments
    link = socket.socket(fileno=int(number))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one that started it says when to end
    try:
        worker = Worker(link, folder, Options.of(json.loads(options)))
    except (LittlestoneError, OSError) as error:
        with suppress(OSError):
            link.sendall(frame(0, Problem(503, "start", "The service cannot start", str(error))))
        return 1
    signal.signal(signal.SIGTERM, worker.stop)
    worker.run()
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
