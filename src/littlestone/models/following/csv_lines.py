"""Lines of CSV as examples: cells by the names of the header, which is remembered for what comes later."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from littlestone.core.errors import InvalidData
from littlestone.core.messages import Message
from littlestone.models.following.examples import NO_LABEL, Bad, Example
from littlestone.models.following.lines import Found, JsonLines
from littlestone.models.following.texts import Text, bad
from littlestone.models.recipe import DIVIDING
from littlestone.streams.formats.csv import CsvStream
from littlestone.streams.formats.lines import Wrong
from littlestone.streams.formats.reading_rules import MISSING
from littlestone.streams.sources.opened import BOM

__all__ = ["CsvLines"]


class CsvLines(JsonLines):
    """Rows of a table; ``head`` are the names of the columns, once they are known, ``mark`` stands between cells."""

    def __init__(self, name: str, reading: Mapping[str, Any], id: str | None = None) -> None:  # noqa: A002
        super().__init__(name, reading, id)
        self.missing = frozenset(reading.get("missing", MISSING))
        self.head: list[str] | None = None
        self.dividing = {option: reading[option] for option in DIVIDING if option in reading}
        if reading.get("format") == "tsv":
            self.dividing.setdefault("delimiter", "\t")

    @property
    def marks(self) -> bytes:
        """What may stand between cells, of which one in double quotes may have line feeds; nothing: none may."""
        delimiter = self.dividing.get("delimiter")
        if delimiter == "\t" or self.dividing.get("quote", '"') != '"':
            return b""
        return b",;\t" if delimiter is None else str(delimiter).encode()

    def go_on(self, head: list[str] | None, dividing: Mapping[str, Any]) -> None:
        """Know of the columns and of how rows are divided what was known before."""
        self.head = head
        self.dividing |= dividing

    def examples(self, data: bytes, first: int, *, begins: bool) -> Iterator[Found]:
        """Yield what whole rows bring, and the JSON objects that stand on lines of their own among them."""
        left = data.removeprefix(BOM) if begins else data
        if begins:
            self.head = None
        start, at = 0, 0
        while at >= 0:  # at is where a line begins; rows from start on have not been read
            end = left.find(b"\n", at) + 1
            late = (
                self._late(first + left.count(b"\n", 0, at), left[at:end].strip())
                if left[at : at + 1] == b"{"
                else None
            )
            if late is not None:
                yield from self._rows(left[start:at], first + left.count(b"\n", 0, start))
                yield late
                start = end
            found = left.find(b"\n{", at)
            at = -1 if found < 0 else found + 1
        yield from self._rows(left[start:], first + left.count(b"\n", 0, start))

    def _rows(self, data: bytes, first: int) -> Iterator[Found]:
        """Yield the rows of some lines."""
        if not data.strip():
            return
        given = self.dividing if self.head is None else self.dividing | {"columns": self.head, "header": False}
        stream = CsvStream(Text(data, self.name), **given, on_error="skip", closed=True, **self._roles())
        for found in stream.records():
            if isinstance(found, InvalidData):
                yield bad(found, self.name, first)
                continue
            line, row = found
            try:
                yield self._row(line + first - 1, row)
            except Wrong as wrong:
                yield Bad(line + first - 1, Message(wrong.args[0]))
        if self.head is None:
            self.head = list(stream.columns)
            self.dividing |= stream.dividing

    def _roles(self) -> dict[str, Any]:
        """Return what tells whether a first line names the columns: it has those that the model reads."""
        return {
            name: self.reading[name] for name in ("numeric", "categorical", "truth", "text") if name in self.reading
        }

    def _row(self, at: int, row: Mapping[str, str]) -> Example:
        made = self.example(at, {name: None if cell.strip() in self.missing else cell for name, cell in row.items()})
        kept = {name: row[name] for name in made.x}
        return Example(at, made.id, kept, made.label if made.label is NO_LABEL else made.label.strip(), made.weight)
