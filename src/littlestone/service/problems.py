"""Problems: what a request may be refused for, each with its status."""

from __future__ import annotations

import json

from littlestone.core.errors import LittlestoneError
from littlestone.core.messages import Blank, Message, Remedy
from littlestone.service.wire import Problem

__all__ = ["Refused", "conflict", "gone", "invalid", "missing", "told", "too_much", "unavailable", "unexpected"]


class Refused(LittlestoneError):
    """A request cannot be done; ``problem`` is the reply."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.detail)
        self.problem = problem


def told(message: Message) -> str:
    """Return a message with options as they stand in the body of a request by which a model is made.

    >>> told(Message("expected a label of (0, 1), got 2", Remedy("say {new_labels} if it is new", new_labels=True)))
    'expected a label of (0, 1), got 2; say "new_labels": true if it is new (where the model is made)'
    """
    return message.worded(_remedy)


def _remedy(remedy: Remedy) -> str:
    if not remedy.options:
        return str(remedy)
    values = {name: value if isinstance(value, Blank) else json.dumps(value) for name, value in remedy.options.items()}
    said = remedy.filled({name: f'"{name}": {value}' for name, value in values.items()})
    return f"{said} (where the model is made)"


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
