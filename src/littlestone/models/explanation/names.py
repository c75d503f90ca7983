"""Names of attributes from a file: line i names attribute i, counted from 1."""

from __future__ import annotations

from typing import Any

from littlestone.core.errors import InvalidData
from littlestone.learners import Learner
from littlestone.streams.sources.opened import Source

__all__ = ["read_names"]


def read_names(source: Any, learner: Learner | None = None) -> list[str]:
    r"""Return the lines of a file, plain or compressed: a path, "-" or a binary file.

    With a learner, refuse fewer lines than it has attributes.

    >>> import io
    >>> read_names(io.BytesIO(b"rain\nwind\n"))
    ['rain', 'wind']
    """
    found = Source(source)
    with found.open() as file:
        text = file.read()
    try:
        lines = text.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        line = text[: error.start].count(b"\n") + 1
        raise InvalidData(f"{found.name}:{line}: expected a name in UTF-8, got other bytes; convert the file") from None
    size = 0 if learner is None else max(learner.width, learner.n or 0)
    if len(lines) < size:
        raise InvalidData(
            f"{found.name}: expected a line for each of the model's {size} attributes, got {len(lines)} lines; "
            "is it the right file?"
        )
    return lines
