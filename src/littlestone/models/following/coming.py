"""What comes from a live source, piece by piece, as examples and labels, with the place up to which it was read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from littlestone.core.errors import InvalidData
from littlestone.models.following.csv_lines import CsvLines
from littlestone.models.following.deciding import Deciding
from littlestone.models.following.lines import IN_FILES, Found, JsonLines, Lines, lines_of_format
from littlestone.models.following.place import Place, place_of
from littlestone.models.following.texts import bad
from littlestone.models.model import Model
from littlestone.streams.base import SUFFIXES
from littlestone.streams.sources.growing import Piece, live
from littlestone.streams.sources.opened import BOM, Source, plain_suffix
from littlestone.streams.sources.quoted import ANY, Marks

__all__ = ["Coming", "Place", "Written"]

SURE = ("vw", "svmlight", "snow")  # of a model that was trained on such lines, no first line says anything else


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
        suffix = SUFFIXES.get(plain_suffix(self.name)) if self.source.path is not None else None
        given = format or suffix
        if (given or "csv") not in IN_FILES:
            lines_of_format(self.name, {"format": given})  # refused
        self._deciding = Deciding(model, self.name, self.reading, id, given)
        self._objects = JsonLines(self.name, dict(self.reading), id)
        self._lines: Lines | None = None

    def pieces(self, start: Place, *, growing: bool, replay: bool, tick: float) -> Iterator[Coming]:
        """Yield what comes from a place on; what comes before it once more, if it is to be a ``replay``."""
        self._lines = self._begun(start)
        marks, place = Marks(), start.position
        self._tell(marks)
        for piece in live(self.source, start=place, growing=growing, marks=marks, replay=replay, tick=tick):
            found = list[Found]()
            if piece.data:
                try:
                    found.extend(self._found(piece))
                except InvalidData as error:
                    found.append(bad(error, self.name, piece.first))
                self._tell(marks)
            yield Coming(found, place_of(piece.after, self._lines, self._deciding.format), piece.notice)

    def _begun(self, start: Place) -> Lines | None:
        """Return what divides the lines, if their format is known before the first of them has come."""
        known = self._deciding.known
        format = self._deciding.format or (start.format if start.bytes else None)  # noqa: A001
        if format is None and (start.head is not None or known in SURE):
            format = known if known in IN_FILES else "csv"  # noqa: A001
        if format is None:
            return None
        found = self._deciding.lines(format)
        if isinstance(found, CsvLines):
            found.go_on(start.head, start.dividing, due=start.due)
        return found

    def _found(self, piece: Piece) -> Iterator[Found]:
        """Yield what lines bring; the first one that is no late label decides on their format."""
        if self._lines is None:
            line = piece.data.removeprefix(BOM).strip()
            if not line or (line.startswith(b"#") and not self._deciding.table):
                return
            late = self._objects.late(piece.first, line) if line.startswith(b"{") else None
            if late is not None:
                yield late
                return
            try:
                self._lines = self._deciding.shown(line + b"\n")
            except InvalidData as error:
                yield bad(error, self.name, piece.first)
                return
        yield from self._lines.examples(piece.data, piece.first, begins=piece.begins)

    def _tell(self, marks: Marks) -> None:
        """Say how rows are to be cut: each alone, until it is known how they are divided."""
        lines = self._lines
        if isinstance(lines, CsvLines):
            marks.between, marks.alone = lines.marks, lines.head is None
        else:
            marks.between, marks.alone = ANY if lines is None and self._deciding.table else b"", lines is None
