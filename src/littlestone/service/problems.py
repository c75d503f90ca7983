"""Problems: what a request may be refused for, each with its status."""

from __future__ import annotations

from littlestone.core.errors import LittlestoneError
from littlestone.service.wire import Problem

__all__ = ["Refused", "conflict", "gone", "invalid", "missing", "too_much", "unavailable", "unexpected"]


class Refused(LittlestoneError):
    """A request cannot be done; ``problem`` is the reply."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.detail)
        self.problem = problem


def invalid(detail: str, kind: str = "invalid", where: str | None = None) -> Problem:
    """Return that something in a request is not as it should be.

    >>> invalid("expected a label, got none", "label").status
    422
    """
    return Problem(422, kind, "The request cannot be done as it is", detail, where)


def missing(detail: str, kind: str = "unknown-model") -> Problem:
    """Return that something does not exist."""
    return Problem(404, kind, "There is no such thing", detail)


def gone(detail: str, kind: str = "erased") -> Problem:
    """Return that something existed, and was erased or compacted."""
    return Problem(410, kind, "It is no longer there", detail)


def conflict(detail: str, kind: str = "conflict") -> Problem:
    """Return that something stands in the way."""
    return Problem(409, kind, "Something stands in the way", detail)


def too_much(detail: str) -> Problem:
    """Return that a request is larger than any may be."""
    return Problem(413, "too-large", "The request is too large", detail)


def unavailable(detail: str, kind: str = "unavailable") -> Problem:
    """Return that it cannot be done now, and may be sent again."""
    return Problem(503, kind, "It cannot be done now", f"{detail}; send it again with the same key", again=True)


def unexpected(error: BaseException) -> Problem:
    """Return that something went wrong that nobody thought of; nothing has changed."""
    detail = f"{type(error).__name__}: {error}; nothing was changed"
    return Problem(500, "unexpected", "Something unexpected went wrong", detail)
