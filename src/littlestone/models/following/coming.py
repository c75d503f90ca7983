"""What comes from a live source, piece by piece, as examples and labels, with the place up to which it was read."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from littlestone.core.errors import InvalidData, InvalidModel, InvalidParameter
from littlestone.core.labels import plain
from littlestone.core.messages import Message, shown
from littlestone.models.following.csv_lines import CsvLines
from littlestone.models.following.examples import NO_LABEL, At, Bad, Example, Late
from littlestone.models.following.lines import Found, JsonLines, Lines, lines_of_format
from littlestone.models.following.texts import bad
from littlestone.models.model import Model
from littlestone.models.recipe import is_table
from littlestone.streams.base import SUFFIXES, format_of
from littlestone.streams.formats.lines import Wrong
from littlestone.streams.sources.growing import Position, live
from littlestone.streams.sources.opened import Source, plain_suffix
from littlestone.streams.sources.pieces import Interrupted, Sum

__all__ = ["Coming", "Items", "Place", "Written"]

IN_FILES = ("svmlight", "vw", "snow", "jsonl", "csv", "tsv")  # formats of lines


@dataclass(frozen=True)
class Place:
    """How far a source was read: lines (or items), of the present file bytes with their CRC-32, and a table's header.

    ``mark`` is that of the last item of a queue.

    >>> Place.of({"lines": 7, "bytes": 100, "crc": 5, "head": None, "dividing": {}}).lines
    7
    """

    lines: int = 0
    bytes: int = 0
    crc: int = 0
    head: list[str] | None = None
    dividing: dict[str, Any] = field(default_factory=dict)
    mark: Any = None

    @classmethod
    def of(cls, about: Mapping[str, Any]) -> Place:
        """Return what was written down; refuse what cannot have been."""
        found = cls(**about)
        counts, head = (found.lines, found.bytes, found.crc), found.head
        sound = all(isinstance(count, int) and not isinstance(count, bool) and count >= 0 for count in counts)
        named = head is None or (isinstance(head, list) and all(isinstance(name, str) for name in head))
        if not sound or not named or not isinstance(found.dividing, dict):
            raise InvalidModel("expected how far a source was read, got something else")
        return found

    @property
    def position(self) -> Position:
        """The same, as a source of bytes has it."""
        return Position(Sum(self.bytes, self.crc), self.lines)


@dataclass(frozen=True, slots=True)
class Coming:
    """What came, up to which place, and a ``notice`` of what happened before; nothing, if nothing came for a time."""

    found: list[Found]
    place: Place
    notice: str = ""


class Written:
    """The lines of a file that grows, or of a pipe, as they come; ``id`` is the name of the ids."""

    def __init__(
        self, model: Model, source: Any, *, format: str | None, id: str | None, reading: Mapping[str, Any],  # noqa: A002
    ) -> None:  # fmt: skip
        self.source = Source.of(source)
        self.name, self.reading = self.source.name, {**model.reading, **reading}
        self._id, self._table = id, is_table(model.reading)
        suffix = SUFFIXES.get(plain_suffix(self.name)) if self.source.path is not None else None
        self._format = format or suffix
        if (self._format or "csv") not in IN_FILES:
            lines_of_format(self.name, {"format": self._format})  # refused

    def pieces(self, start: Place, *, growing: bool, replay: bool, tick: float) -> Iterator[Coming]:
        """Yield what comes from a place on; what comes before it once more, if it is to be a ``replay``."""
        lines = self._divider(start)
        marks = lines.marks if isinstance(lines, CsvLines) else b""
        place = start.position
        for piece in live(self.source, start=place, growing=growing, marks=marks, replay=replay, tick=tick):
            found = list[Found]()
            if piece.data:
                try:
                    found = list(lines.examples(piece.data, piece.first, begins=piece.begins))
                except InvalidData as error:  # such as another header
                    found = [bad(error, self.name, piece.first)]
            yield Coming(found, _place(piece.after, lines), piece.notice)

    def _divider(self, start: Place) -> Lines:
        """Know the format: as it was given, that of the model, or what the first line shows."""
        known = self._format or self.reading.get("format")
        sure = self._format is not None or known in {"vw", "svmlight", "snow"} or start.head is not None
        if not sure and (first := self._first_line()):
            if first.lstrip()[:1] == b"{":
                known = "jsonl"
            elif known not in IN_FILES or known == "jsonl":
                known = "csv" if self._table else format_of(Source(io.BytesIO(first)))
        self.reading["format"] = known if known in IN_FILES else "csv" if self._table else "jsonl"
        found = lines_of_format(self.name, self.reading, self._id)
        if isinstance(found, CsvLines):
            found.go_on(start.head, start.dividing)
        return found

    def _first_line(self) -> bytes:
        """Return the first line, for which a pipe is waited for; none of a file that is not there yet, or empty."""
        if self.source.path is not None and not self.source.path.exists():
            return b""
        try:
            return self.source.first_line()
        except Interrupted:
            return b""


class Items:
    """Items of any iterable: lines, dicts, (row, label) or (row, label, id), and lists of these."""

    def __init__(
        self, model: Model, name: str, *, format: str | None, id: str | None, reading: Mapping[str, Any],  # noqa: A002
    ) -> None:  # fmt: skip
        self.name, self.reading = name, {**model.reading, **reading}
        if format is not None:
            self.reading["format"] = format
            lines_of_format(name, self.reading)  # refused now
        self._id = id
        self._objects = JsonLines(name, self.reading, id)
        self._as_lines = self.reading.get("format") == "jsonl" and not is_table(self.reading)
        self._lines: Lines | None = None
        self.place = Place()

    def pieces(self, source: Iterable[Any], start: Place, *, replay: bool) -> Iterator[Coming]:
        """Yield what each item brings; the first ones are passed over if it is a ``replay``."""
        items = iter(source)
        self.begin(start)
        if replay and start.lines:
            passed = sum(1 for _ in islice(items, start.lines))
            if passed < start.lines:
                raise InvalidData(f"{self.name}: expected the {start.lines:,} items that were followed, got {passed:,}")
        for item in items:
            yield self.piece(item)

    def begin(self, start: Place) -> None:
        """Go on from a place."""
        self.place = start
        if start.head is not None:
            made = CsvLines(self.name, {**self.reading, "format": "csv"}, self._id)
            made.go_on(start.head, start.dividing)
            self._lines = made

    def piece(self, item: Any) -> Coming:
        """Return what one item brings; None brings nothing."""
        found, mark = list[Found](), self.place.mark
        many = item if isinstance(item, list) else [] if item is None else [item]
        for at, one in enumerate(many, start=self.place.lines + 1):
            if isinstance(one, At):
                mark, one = one  # noqa: PLW2901
            try:
                found += self._found(one, at)
            except Wrong as wrong:
                found.append(Bad(at, Message(wrong.args[0])))
            except InvalidData as error:
                found.append(bad(error, self.name, at))
        if mark is not self.place.mark:
            _check_mark(self.name, mark)
        self.place = replace(_place(Position(lines=self.place.lines + len(many)), self._lines), mark=mark)
        return Coming(found, self.place)

    def _found(self, one: Any, at: int) -> list[Found]:
        if isinstance(one, Example | Late):
            return [one]
        if isinstance(one, str | bytes):
            line = one.encode() if isinstance(one, str) else one
            return list(self._divider(line).examples(line.rstrip(b"\r\n") + b"\n", at, begins=at == 1))
        if isinstance(one, Mapping):
            late = self._objects.late_label(at, one)
            text = json.dumps(one, default=plain).encode() if self._as_lines else None
            return [late if late is not None else self._objects.example(at, one, text)]
        if isinstance(one, tuple) and 2 <= len(one) <= 3:
            x, label, id = (*one, at)[:3]  # noqa: A001
            if x is None:
                return [Late(at, id, plain(label))]
            return [Example(at, id, x, NO_LABEL if label is None else plain(label))]
        expected = "a line, a dict, or (row, label) or (row, label, id), and None for a row or a label that is to come"
        raise Wrong(f"expected {expected}, got {shown(one)}")

    def _divider(self, line: bytes) -> Lines:
        if line.lstrip()[:1] == b"{" and not isinstance(self._lines, CsvLines):
            return self._objects
        if self._lines is None:
            known = self.reading.get("format")
            if known not in IN_FILES:
                known = "csv" if is_table(self.reading) else format_of(Source(io.BytesIO(line + b"\n")))
            self._lines = lines_of_format(self.name, {**self.reading, "format": known}, self._id)
        return self._lines


def _check_mark(name: str, mark: Any) -> None:
    """Refuse a mark that cannot be saved."""
    try:
        json.dumps(mark, allow_nan=False)
    except (TypeError, ValueError):
        expected = "a text, a number, or a list or dict of these"
        raise InvalidParameter(f"{name}: mark: expected {expected}, got {shown(mark)}") from None


def _place(position: Position, lines: Lines | None) -> Place:
    counts = position.lines, position.sum.size, position.sum.crc
    if isinstance(lines, CsvLines) and lines.head is not None:
        return Place(*counts, list(lines.head), dict(lines.dividing))
    return Place(*counts)
