"""Slices: long work on the journal that is done a little at a time, between the groups of requests of others."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Generator
from typing import TYPE_CHECKING

from littlestone.service.lot import FAILURES
from littlestone.service.problems import Refused, unavailable, unexpected
from littlestone.service.rework import Later
from littlestone.service.wire import Reply

if TYPE_CHECKING:
    from littlestone.service.desk import Desk

__all__ = ["Slices", "Work"]

SLICE = 0.01  # seconds at a time: so long, and no longer, others wait for it

Work = Generator[None, None, Reply]  # it yields each few milliseconds, and returns the reply


class Slices:
    """What a desk does in slices."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self._works = deque[tuple[Work, Later]]()

    def __len__(self) -> int:
        return len(self._works)

    def begin(self, work: Work) -> Reply | Later:
        """Begin some work; return its reply if it is done at once."""
        later = Later()
        self._works.appendleft((work, later))
        self.step()
        return later if later.reply is None else later.reply

    def step(self) -> None:
        """Do a slice."""
        end = time.monotonic() + SLICE
        while self._works and time.monotonic() < end:
            work, later = self._works.popleft()
            later.reply = self._done(work)
            if later.reply is None:
                self._works.append((work, later))

    def _done(self, work: Work) -> Reply | None:
        """Do a little; return the reply, if that was all."""
        try:
            next(work)
        except StopIteration as end:
            reply: Reply = end.value
            return reply
        except Refused as error:
            return error.problem
        except FAILURES as error:
            return unavailable(self.desk.failed(error, {}))
        except Exception as error:  # noqa: BLE001 - one request is not to hurt the others
            return unexpected(error)
        return None

    def close(self) -> None:
        """Give up all of it."""
        while self._works:
            work, later = self._works.popleft()
            work.close()
            later.reply = unavailable("the service stops")
