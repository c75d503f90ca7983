"""Lines of CSV as examples: cells by the names of the header, which is remembered for what comes later."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from operator import attrgetter
from typing import Any

from littlestone.core.errors import InvalidData
from littlestone.core.messages import Blank, Message, Remedy, shown
from littlestone.models.following.examples import NO_LABEL, Bad, Example
from littlestone.models.following.lines import Found, JsonLines
from littlestone.models.following.texts import Text, bad
from littlestone.models.recipe import DIVIDING
from littlestone.streams.formats.csv import CsvStream
from littlestone.streams.formats.jsonl import parsed
from littlestone.streams.formats.lines import Wrong, decoded
from littlestone.streams.formats.reading_rules import MISSING, listed
from littlestone.streams.sources.opened import BOM
from littlestone.streams.sources.quoted import ANY, first_row

__all__ = ["CsvLines"]

MARK = BOM.decode()


class CsvLines(JsonLines):
    """Rows of a table; ``head`` are the names of the columns, once they are known."""

    def __init__(self, name: str, reading: Mapping[str, Any], id: str | None = None) -> None:  # noqa: A002
        super().__init__(name, reading, id)
        self.missing = frozenset(reading.get("missing", MISSING))
        self.head: list[str] | None = None
        self.due = True  # whether a header is still to come
        self.dividing = {option: reading[option] for option in DIVIDING if option in reading}
        self._given = "columns" in self.dividing or "header" in self.dividing  # what a first line is was said
        if reading.get("format") == "tsv":
            self.dividing.setdefault("delimiter", "\t")

    @property
    def marks(self) -> bytes:
        """What may stand between cells, of which one in double quotes may have line feeds; nothing: none may."""
        delimiter = self.dividing.get("delimiter")
        if delimiter == "\t" or self.dividing.get("quote", '"') != '"':
            return b""
        return ANY if delimiter is None else str(delimiter).encode()

    def go_on(self, head: list[str] | None, dividing: Mapping[str, Any], *, due: bool = False) -> None:
        """Know of the columns and of how rows are divided what was known before."""
        self.head, self.due = head, due or head is None
        self.dividing |= dividing

    def examples(self, data: bytes, first: int, *, begins: bool) -> Iterator[Found]:
        """Yield what whole rows bring, and the JSON objects that stand on lines of their own among them."""
        left = data.removeprefix(BOM) if begins else data
        self.due = self.due or begins
        start, at = 0, 0
        while at >= 0:  # at is where a line begins; rows from start on have not been read
            end, opens = left.find(b"\n", at) + 1, left[at : at + 1] == b"{"
            alone = self._object(first + left.count(b"\n", 0, at), left[at:end].strip()) if opens else None
            if alone is not None:
                yield from self._rows(left[start:at], first + left.count(b"\n", 0, start))
                yield alone
                start = end
            found = left.find(b"\n{", at)
            at = -1 if found < 0 else found + 1
        yield from self._rows(left[start:], first + left.count(b"\n", 0, start))

    def _object(self, at: int, line: bytes) -> Found | None:
        """Return a line that is a JSON object: a late label, or a row of the model; None if it is neither."""
        late = self.late(at, line)
        if late is not None:
            return late
        try:
            found = parsed(decoded(line))
            return self.example(at, found) if isinstance(found, dict) and self.columns & found.keys() else None
        except Wrong:
            return None

    def _rows(self, data: bytes, first: int) -> Iterator[Found]:
        """Yield the rows of some lines, the header of which may be still to come."""
        while data.strip():
            if self.due:
                end = first_row(data, self.marks)
                yield from self._begin(data[:end], first)
            else:
                found, end = self._divided(data, first)
                yield from found
            first += data.count(b"\n", 0, end)
            data = data[end:]

    def _begin(self, row: bytes, first: int) -> Iterator[Found]:
        """Take a first row as the header, or as a row of a file without one; one that is neither is wrong."""
        if not row.strip():
            return
        stream = CsvStream(Text(row), **self.dividing, on_error="skip", closed=True, **self._roles())
        try:
            rows = [*stream.records()]
        except InvalidData as error:
            yield bad(error, self.name, first)
            return
        head, named = list(stream.columns), self.columns & {*stream.columns}
        if self._given or named == self.columns:
            self.head, self.due = head, False
            self.dividing |= stream.dividing
            for found in rows:
                if isinstance(found, InvalidData):
                    yield bad(found, self.name, first)
                else:
                    yield self._row(found[0] + first - 1, found[1])
        elif self.head is not None and not named and len(head) == len(self.head):
            self.due = False
            yield from self._divided(row, first)[0]
        else:
            problem = f"expected a header with the columns {listed(sorted(self.columns))}, got {shown(', '.join(head))}"
            yield Bad(first, Message(problem, Remedy("say {columns} where there is none", columns=Blank("NAMES"))))

    def _divided(self, data: bytes, first: int) -> tuple[list[Found], int]:
        """Return the rows below a header in order, and how much was read: a first line may be no text at all."""
        head, read = self.head or [], len(data)
        given = self.dividing | {"columns": head, "header": False}
        stream = CsvStream(Text(data), **given, on_error="skip", closed=True, **self._roles())
        begins, moved = frozenset([*head, *(f"{MARK}{name}" for name in head), ""]), False
        made, wrong = list[Found](), False
        try:
            for found in stream.records():
                if isinstance(found, InvalidData):
                    made.append(bad(found, self.name, first))
                    wrong = True
                    continue
                line, row = found
                if row[head[0]].strip() in begins and {*(names := _names(row.values()))} == {*head}:
                    self.head, moved = names, True  # whoever writes into a pipe has begun anew
                    continue
                if moved:
                    row = dict(zip(self.head or (), row.values(), strict=True))
                made.append(self._row(line + first - 1, row))
        except InvalidData as error:
            made.append(bad(error, self.name, first))
            read = first_row(data, b"")
        if wrong:  # as far as they were read at a time, these come first
            made.sort(key=attrgetter("line"))
        return made, read

    def _roles(self) -> dict[str, Any]:
        """Return what tells whether a first line names the columns: it has those that the model reads."""
        return {
            name: self.reading[name] for name in ("numeric", "categorical", "truth", "text") if name in self.reading
        }

    def _row(self, at: int, row: Mapping[str, str]) -> Example | Bad:
        """Return a row as an example, or what is wrong with it."""
        known = {name: None if cell.strip() in self.missing else cell for name, cell in row.items()}
        try:
            made = self.example(at, known)
        except Wrong as wrong:
            return Bad(at, Message(wrong.args[0]))
        kept = {name: row[name] for name in made.x}
        return Example(at, made.id, kept, made.label if made.label is NO_LABEL else made.label.strip(), made.weight)


def _names(cells: Iterable[str]) -> list[str]:
    """Return the names of the columns in a header, as `CsvStream` has them."""
    bare = (cell.strip().removeprefix(MARK) for cell in cells)
    return [name or str(at) for at, name in enumerate(bare, start=1)]
