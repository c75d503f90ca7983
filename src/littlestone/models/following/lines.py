"""Lines of each format as examples: which id and which label a line has; the model reads the rest."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any

from littlestone.core.errors import InvalidData
from littlestone.core.messages import Message, shown
from littlestone.models.following.examples import NO_LABEL, Bad, Example, Late
from littlestone.models.recipe import attribute_columns, is_table
from littlestone.streams.formats.jsonl import parsed
from littlestone.streams.formats.lines import Wrong, decoded
from littlestone.streams.formats.reading_rules import LABEL_NAMES, MISSING, number, number_or_text
from littlestone.streams.sources.opened import BOM

__all__ = ["IN_FILES", "JsonLines", "Lines", "SnowLines", "SvmlightLines", "VwLines", "lines_of_format"]

Found = Example | Late | Bad

IN_FILES = ("svmlight", "vw", "snow", "jsonl", "csv", "tsv")  # formats of lines
OPENING = ord("{")
USUAL_ID, USUAL_LABEL = "id", "label"

_ids = re.compile(rb"(?:^|,)\s*(\d+)").findall


class Lines(ABC):
    """Divides the lines of a live source; a line that is a JSON object of an id and a label is a late label.

    ``name`` is the source's, for messages, ``id`` the name of the ids; ``reading`` is how the model reads.
    """

    def __init__(self, name: str, reading: Mapping[str, Any], id: str | None = None) -> None:  # noqa: A002
        self.name, self.reading, self.id = name, reading, id
        label = reading.get("label")
        self.labels = LABEL_NAMES if label is None else (label,)
        self.ids = (id or reading.get("tag") or USUAL_ID,)

    def examples(self, data: bytes, first: int, *, begins: bool) -> Iterator[Found]:
        """Yield what whole lines bring, the first of which has this number, and begins the source or does not."""
        text = data.removeprefix(BOM) if begins else data
        for at, line in enumerate(text.split(b"\n")[:-1], start=first):
            bare = line.strip()
            if not bare:
                continue
            try:
                late = self.late(at, bare) if bare[0] == OPENING else None
                found = self._example(at, line) if late is None else late
            except Wrong as wrong:
                found = Bad(at, Message(wrong.args[0]))
            if found is not None:
                yield found

    @abstractmethod
    def _example(self, at: int, line: bytes) -> Found | None:
        """Return what a line says; None of one that says nothing; raise `Wrong`."""

    def late(self, at: int, line: bytes) -> Late | None:
        """Return the label that a line brings, if it brings nothing else."""
        try:
            found = parsed(decoded(line))
        except Wrong:
            return None
        return self.late_label(at, found)

    def late_label(self, at: int, found: Any) -> Late | None:
        """Return the label of an object with an id, a label and nothing else."""
        if not isinstance(found, Mapping) or len(found) != 2:
            return None
        id = next((name for name in (*self.ids, USUAL_ID) if name in found), None)  # noqa: A001
        label = next((name for name in (*self.labels, USUAL_LABEL) if name in found and name != id), None)
        if id is None or label is None or not _is_label(found[label]):
            return None
        return Late(at, found[id], found[label])


class SvmlightLines(Lines):
    """The label is the first word, unless that has a colon; the id is the number of the line."""

    def _example(self, at: int, line: bytes) -> Found | None:
        words = line.partition(b"#")[0].split(None, 1)
        if not words:
            return None
        label = NO_LABEL if b":" in words[0] else number_or_text(decoded(words[0]))
        return Example(at, at, line, label)


class VwLines(Lines):
    """The label is the first word before the bar, and the id the tag: the last one, if it touches the bar, or 'tag."""

    def _example(self, at: int, line: bytes) -> Found | None:
        head, bar, _ = line.partition(b"|")
        if not bar:
            raise Wrong(f"expected [label [weight]] ['tag] | features, got {shown(decoded(line.strip()))}")
        words = head.split()
        touches = bool(words) and not head[-1:].isspace()
        tag = words.pop() if touches or (words and words[-1].startswith(b"'")) else b""
        label = number_or_text(decoded(words[0])) if words else NO_LABEL
        return Example(at, decoded(tag.removeprefix(b"'")) or at, line, label)


class SnowLines(Lines):
    """The label is the one of the ids that is a target; the id is the number of the line."""

    def _example(self, at: int, line: bytes) -> Found | None:
        targets = list(self.reading.get("targets", (0, 1)))
        on = [int(one) for one in _ids(line) if len(one) <= 10 and int(one) in targets]
        if len(targets) == 1:
            return Example(at, at, line, len(on[:1]))
        return Example(at, at, line, on[0] if on else NO_LABEL)


class JsonLines(Lines):
    """The id and the label have keys; an object is a row of the model's table, or has attributes of its own."""

    def __init__(self, name: str, reading: Mapping[str, Any], id: str | None = None) -> None:  # noqa: A002
        super().__init__(name, reading, id)
        self.table = is_table(reading)
        self.columns = frozenset(attribute_columns(reading))
        apart = (*self.ids, *reading.get("ignore", ()), reading.get("tag"), reading.get("weight"))
        self.apart = frozenset(name for name in apart if name is not None) - self.columns

    def examples(self, data: bytes, first: int, *, begins: bool) -> Iterator[Found]:
        """Yield what whole lines bring."""
        text = data.removeprefix(BOM) if begins else data
        for at, line in enumerate(text.split(b"\n")[:-1], start=first):
            if line.strip():
                try:
                    found = parsed(decoded(line))
                    yield self.late_label(at, found) or self._of(at, found, line)
                except Wrong as wrong:
                    yield Bad(at, Message(wrong.args[0]))

    def _example(self, at: int, line: bytes) -> Found | None:
        return self._of(at, parsed(decoded(line)), line)

    def _of(self, at: int, found: Any, line: bytes) -> Example:
        if not isinstance(found, dict):
            if isinstance(found, list) and not self.table:
                return Example(at, at, line)
            raise Wrong(f"expected a JSON object, got {shown(found)}")
        return self.example(at, found, line)

    def example(self, at: int, found: Mapping[str, Any], line: bytes | None = None) -> Example:
        """Return an object as an example: of a table its columns, else the line."""
        own = next((name for name in self.labels if name in found and name not in self.columns), None)
        label = NO_LABEL if own is None or not _is_label(found[own]) else found[own]
        id = next((found[name] for name in (*self.ids, "tag") if found.get(name) is not None), at)  # noqa: A001
        if isinstance(id, list | dict):
            raise Wrong(f"expected an id, a text or a number, got {shown(id)}")
        weight = _weight(found, self.reading)
        if not self.table and line is not None:
            return Example(at, id, line, label, weight)
        left = {name: value for name, value in found.items() if name != own and name not in self.apart}
        return Example(at, id, left, label, weight)


def _weight(found: Mapping[str, Any], reading: Mapping[str, Any]) -> float | None:
    """Return the weight of an object in a column of weights."""
    column = reading.get("weight")
    if column is None or found.get(column) is None or found[column] in MISSING:
        return None
    value = found[column]
    weight = number(value) if isinstance(value, str) else float(value) if isinstance(value, int | float) else None
    if weight is None or not 0.0 <= weight <= 1e100:
        raise Wrong(f"{column!r}: expected a weight >= 0, got {shown(value)}")
    return weight


def _is_label(label: Any) -> bool:
    if isinstance(label, str):
        return label.strip() not in MISSING
    return isinstance(label, int | float) and label == label  # noqa: PLR0124 - nan is not itself


def lines_of_format(name: str, reading: Mapping[str, Any], id: str | None = None) -> Lines:  # noqa: A002
    """Return what divides the lines of a source that is read so."""
    from littlestone.models.following.csv_lines import CsvLines

    known: dict[Any, type[Lines]] = {
        "svmlight": SvmlightLines, "vw": VwLines, "snow": SnowLines, "jsonl": JsonLines, "csv": CsvLines,
        "tsv": CsvLines,
    }  # fmt: skip
    format = reading.get("format")  # noqa: A001
    if format not in known:
        raise InvalidData(f"{name}: expected lines (CSV, JSON, VW, svmlight, SNoW), got {format or 'no format'}")
    return known[format](name, reading, id)
