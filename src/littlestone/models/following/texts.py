"""Some lines of a live source as a file that streams read, and what they say of a line in its own words."""

from __future__ import annotations

import re

from littlestone.core.errors import InvalidData, InvalidLabel
from littlestone.core.messages import Message
from littlestone.models.following.examples import Bad
from littlestone.streams.formats.lines import Wrong

__all__ = ["Text", "bad", "encoded", "without_place"]

LINES = "lines"  # what they are called in what is wrong with them, whatever the name of their source promises

_place = re.compile(r"(?:row |:)(\d+): ")


class Text:
    """Bytes that are read once, as those of a pipe are: a file would be looked through before."""

    name = LINES

    def __init__(self, data: bytes) -> None:
        self._left = memoryview(data)

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes."""
        size = len(self._left) if size is None or size < 0 else size
        piece, self._left = bytes(self._left[:size]), self._left[size:]
        return piece

    read1 = read

    def seekable(self) -> bool:
        """Nobody can go back."""
        return False


def encoded(text: str) -> bytes:
    """Return a text as bytes, or raise `Wrong`: half of a surrogate pair is none."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise Wrong(f"expected text that can be written in UTF-8, got {text[:60]!a}") from None


def _beginning(message: Message, name: str) -> str:
    """Return the name of the source, or that of lines, if a message begins with it."""
    return next((one for one in (name, LINES) if message.startswith(f"{one}:")), "")


def bad(error: InvalidData | InvalidLabel, name: str, first: int) -> Bad:
    """Return what is wrong with a line as it is counted over the whole source."""
    name = _beginning(error.message, name)
    found = _place.match(error.message, len(name)) if name else None
    return Bad(first if found is None else first + int(found[1]) - 1, without_place(error.message, name))


def without_place(message: Message, name: str) -> Message:
    """Return a message without the place in the text with which it begins.

    >>> print(without_place(Message("log:7: expected a label, got none"), "log"))
    expected a label, got none
    """
    name = _beginning(message, name)
    length = len(f"{name}: ") if name and message.startswith(f"{name}: ") else len(name)
    found = _place.match(message, length)
    return message.without(length if found is None else found.end())
