"""Place: how far a source was read, as it is saved with the model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from littlestone.core.errors import InvalidModel
from littlestone.models.following.csv_lines import CsvLines
from littlestone.models.following.lines import IN_FILES, Lines
from littlestone.models.recipe import DIVIDING
from littlestone.streams.sources.growing import Position
from littlestone.streams.sources.pieces import Sum

__all__ = ["Place", "place_of"]


@dataclass(frozen=True)
class Place:
    """How far a source was read: lines (or items), of the present file bytes with their CRC-32, and a table's header.

    ``due`` is whether the header of the present file is still to come; ``head`` is that of the last one. ``mark`` is
    that of the last item of a queue, ``identity`` the file's device and inode, as long as little of it was read.

    >>> Place.of({"lines": 7, "bytes": 100, "crc": 5, "head": None, "dividing": {}}).lines
    7
    """

    lines: int = 0
    bytes: int = 0
    crc: int = 0
    head: list[str] | None = None
    dividing: dict[str, Any] = field(default_factory=dict)
    mark: Any = None
    format: str | None = None
    due: bool = False
    identity: tuple[int, int] | None = None

    @classmethod
    def of(cls, about: Mapping[str, Any]) -> Place:
        """Return what was written down; refuse what cannot have been."""
        found = cls(**about)
        counts = all(type(count) is int and count >= 0 for count in (found.lines, found.bytes, found.crc))
        sound = counts and found.crc < 1 << 32 and found.format in {None, *IN_FILES} and isinstance(found.due, bool)
        if not sound or not (found.head is None or _are_names(found.head)) or not _divides(found.dividing):
            raise InvalidModel("expected how far a source was read, got something else")
        if found.identity is None:
            return found
        own = found.identity
        if not isinstance(own, list | tuple) or len(own) != 2 or not all(type(one) is int and one >= 0 for one in own):
            raise InvalidModel("expected the device and the inode of a file, got something else")
        return cls(**{**about, "identity": (own[0], own[1])})

    @property
    def position(self) -> Position:
        """The same, as a source of bytes has it."""
        return Position(Sum(self.bytes, self.crc), self.lines, self.identity)


def place_of(position: Position, lines: Lines | None, format: str | None, mark: Any = None) -> Place:  # noqa: A002
    """Return a position as it is saved, with what is known of the lines."""
    more: dict[str, Any] = {"format": format, "identity": position.identity, "mark": mark}
    if isinstance(lines, CsvLines) and lines.head is not None:
        more |= {"head": list(lines.head), "dividing": dict(lines.dividing), "due": lines.due}
    return Place(position.lines, position.sum.size, position.sum.crc, **more)


def _are_names(found: Any) -> bool:
    """Tell whether these may be the names of columns."""
    named = isinstance(found, list) and bool(found) and all(isinstance(name, str) for name in found)
    return named and len({*found}) == len(found)


def _divides(found: Any) -> bool:
    """Tell whether rows of a table may be divided so."""
    if not isinstance(found, dict) or not found.keys() <= {*DIVIDING}:
        return False
    delimiter, quote = found.get("delimiter", ","), found.get("quote", "")
    marks = all(isinstance(mark, str) and len(mark) <= 1 and mark not in {"\n", "\r"} for mark in (delimiter, quote))
    header, columns = found.get("header"), found.get("columns")
    named = columns is None or isinstance(columns, str) or _are_names(columns)
    headed = header is None or isinstance(header, bool) or _are_names(header)
    return marks and delimiter not in {"", quote} and named and headed
