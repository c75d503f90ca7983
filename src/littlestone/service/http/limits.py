"""Limits: how much a request, a key and all of them together may ask for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from math import ceil
from time import monotonic

from littlestone.core.errors import InvalidParameter
from littlestone.service.http.problems import Refusal

__all__ = ["Budget", "Limits", "Turnstile"]

MOST_REMEMBERED = 4096  # keys whose rates are known: more than anybody has


@dataclass(frozen=True)
class Limits:
    """What a server serves at most; times are seconds, sizes bytes.

    >>> Limits(rows=0)
    Traceback (most recent call last):
    ...
    littlestone.core.errors.InvalidParameter: limits: rows: expected a number above 0, got 0
    """

    body: int = 8 << 20
    model_file: int = 256 << 20  # that is uploaded
    under_way: int = 64 << 20  # of the bodies of all requests together
    rows: int = 10_000  # of a request
    attributes: int = 10_000  # of a row
    explained: int = 500  # attributes of a row that is to be explained

    headers: int = 32 << 10
    header_time: float = 10.0  # until all headers have come
    body_time: float = 30.0  # until all of a body has come; an upload has as much again for each megabyte
    answer_time: float = 60.0  # until the worker has answered
    read_time: float = 60.0  # until the client has read what is ready for it
    idle_time: float = 65.0  # of a connection, between two requests
    connections: int = 2_000
    concurrency: int = 512  # requests of a key that are under way
    rate: float | None = None  # requests of a key a second
    burst: float = 2.0  # as many seconds' requests may come at once

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if value is not None and not value > 0:
                raise InvalidParameter(f"limits: {field.name}: expected a number above 0, got {value}")


class _Account:
    """What a key has taken: its requests under way, and the tokens that are left of its rate."""

    __slots__ = ("seen", "tokens", "under_way")

    def __init__(self, tokens: float, now: float) -> None:
        self.under_way, self.tokens, self.seen = 0, tokens, now


class Turnstile:
    """Lets the requests of a key pass: so many a second, so many at once.

    >>> turnstile = Turnstile(Limits(rate=1.0, burst=1.0, concurrency=1), clock=lambda: 0.0)
    >>> with turnstile.passing("a"):
    ...     pass
    >>> turnstile.enter("a")
    Traceback (most recent call last):
    ...
    littlestone.service.http.problems.Refusal: Too many requests with this key: expected at most 1 requests a second
    """

    def __init__(self, limits: Limits, clock: Callable[[], float] = monotonic) -> None:
        self._limits, self._clock = limits, clock
        self._accounts: dict[str, _Account] = {}

    def __len__(self) -> int:
        return len(self._accounts)

    def under_way(self, name: str) -> int:
        """Return how many requests of a key are under way."""
        return self._accounts[name].under_way if name in self._accounts else 0

    @contextmanager
    def passing(self, name: str) -> Iterator[None]:
        """Count a request from its beginning to its end."""
        self.enter(name)
        try:
            yield
        finally:
            self.leave(name)

    def enter(self, name: str) -> None:
        """Begin a request, or refuse it."""
        limits, account = self._limits, self._account(name)
        if account.under_way >= limits.concurrency:
            raise Refusal(
                "too-many-requests", f"expected at most {limits.concurrency} requests under way",
                headers={"Retry-After": "1"},
            )  # fmt: skip
        if limits.rate is not None:
            self._take(account, limits.rate)
        account.under_way += 1

    def leave(self, name: str) -> None:
        """End a request."""
        self._accounts[name].under_way -= 1

    def _account(self, name: str) -> _Account:
        if name not in self._accounts:
            limits, now = self._limits, self._clock()
            if len(self._accounts) >= MOST_REMEMBERED:
                self._accounts = {key: one for key, one in self._accounts.items() if one.under_way}
            self._accounts[name] = _Account(max(1.0, (limits.rate or 0.0) * limits.burst), now)
        return self._accounts[name]

    def _take(self, account: _Account, rate: float) -> None:
        now = self._clock()
        full = max(1.0, rate * self._limits.burst)
        account.tokens = min(full, account.tokens + (now - account.seen) * rate)
        account.seen = now
        if account.tokens < 1.0:
            wait = ceil((1.0 - account.tokens) / rate)
            raise Refusal(
                "too-many-requests", f"expected at most {rate:g} requests a second", headers={"Retry-After": f"{wait}"}
            )
        account.tokens -= 1.0


class Budget:
    """Memory for the bodies of all requests that are under way.

    >>> budget = Budget(10)
    >>> budget.take(8)
    >>> budget.take(8)
    Traceback (most recent call last):
    ...
    littlestone.service.http.problems.Refusal: Too much is under way: the bodies under way have 8 of 10 bytes
    >>> budget.give(8)
    >>> budget.taken
    0
    """

    def __init__(self, most: int) -> None:
        self.most, self.taken = most, 0

    def take(self, count: int, own: int = 0) -> None:
        """Take so many bytes more than its ``own``, or refuse the request; one that is alone may have any number."""
        if self.taken > own and self.taken + count > self.most:
            raise Refusal(
                "busy", f"the bodies under way have {self.taken:,} of {self.most:,} bytes",
                headers={"Retry-After": "1"}, close=True,
            )  # fmt: skip
        self.taken += count

    def give(self, count: int) -> None:
        """Give them back."""
        self.taken -= count
