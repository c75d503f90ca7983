"""JSON lines of flat objects as the rows of a table."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any, Unpack

from littlestone.core.messages import Message
from littlestone.streams.formats.jsonl import parsed
from littlestone.streams.formats.lines import Wrong, decoded, numbered
from littlestone.streams.formats.records import PAUSE, RecordStream
from littlestone.streams.formats.table import TableOptions
from littlestone.streams.formats.table_rows import TableRows
from littlestone.streams.sources.lines import lines_of
from littlestone.streams.sources.opened import Source

__all__ = ["JsonTableStream"]


class JsonTableStream(RecordStream):
    r"""JSON objects, one on each line, as rows of a table: all with the same keys, null where a value is missing.

    It reads what a table's model was trained on, by the rules of CSV. `JsonlStream` takes each object by itself.

    >>> import io
    >>> stream = JsonTableStream(io.BytesIO(b'{"sky": "grey", "rain": 1}\n{"sky": null, "rain": 0}\n'), label="rain")
    >>> stream.names, stream.labels
    (('sky=grey',), (0, 1))
    """

    source: Source
    _place = "{}:{}"  # the file and the line

    def __init__(self, source: Any, **options: Unpack[TableOptions]) -> None:
        found = Source.of(source)
        super().__init__((), **options)
        self.name, self.source, self.again = found.name, found, found.again

    def read_as(self) -> dict[str, Any]:
        """Return what the columns are; the format is that of JSON lines, which these options make a table."""
        return {**super().read_as(), "format": "jsonl"}

    def _raws(self, rows: int) -> Generator[TableRows]:
        yield from super()._raws(rows)
        self.source.given(self.source.mark)

    def _rows(self) -> Iterator[tuple[int, Any]]:
        with self.source.open() as file:
            for first, block in lines_of(self.source, file):
                if not block:
                    yield PAUSE
                for at, line in numbered(first, block):
                    try:
                        text = decoded(line)
                        record = parsed(text) if text and not text.isspace() else None
                    except Wrong as problem:
                        self._refuse(Message(problem.args[0]).after(f"{self._where(at)}: "))
                        continue
                    if record is not None or (text and not text.isspace()):
                        yield at, record
