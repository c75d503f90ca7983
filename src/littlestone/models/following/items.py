"""What comes from any iterable, such as a consumer of a queue: lines, dicts and tuples, item by item."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Any

from littlestone.core.errors import InvalidData, InvalidParameter
from littlestone.core.labels import plain
from littlestone.core.messages import Message, shown
from littlestone.models.following.coming import Coming
from littlestone.models.following.csv_lines import CsvLines
from littlestone.models.following.deciding import Deciding
from littlestone.models.following.examples import NO_LABEL, At, Bad, Example, Late
from littlestone.models.following.lines import IN_FILES, Found, JsonLines, Lines, lines_of_format
from littlestone.models.following.place import Place, place_of
from littlestone.models.following.texts import bad, encoded
from littlestone.models.model import Model
from littlestone.models.recipe import is_table
from littlestone.streams.formats.lines import Wrong
from littlestone.streams.sources.growing import Position

__all__ = ["Items"]


class Items:
    """Items of any iterable: lines, dicts, (row, label) or (row, label, id), and lists of these."""

    def __init__(
        self, model: Model, name: str, *, format: str | None, id: str | None, reading: Mapping[str, Any],  # noqa: A002
    ) -> None:  # fmt: skip
        self.name, self.reading = name, {**model.reading, **reading}
        if format is not None:
            lines_of_format(name, {**self.reading, "format": format})  # refused now
        self._id = id
        self._deciding = Deciding(model, name, self.reading, id, format)
        self._objects = JsonLines(name, dict(self.reading), id)
        self._as_lines = self.reading.get("format") == "jsonl" and not is_table(self.reading)
        self._lines: Lines | None = None
        self._saved: str | None = None  # the format that a first line has shown
        self.place = Place()
        self._again = self._asked = 0  # lines that are to come once more

    def pieces(self, source: Iterable[Any], start: Place, *, replay: bool) -> Iterator[Coming]:
        """Yield what each item brings; the first ones are passed over if it is a ``replay``."""
        self.begin(start, replay=replay)
        for item in source:
            yield self.piece(self.behind(item))
        self.check_end()

    def begin(self, start: Place, *, replay: bool = False) -> None:
        """Go on from a place; what came before it comes once more, if it is to be a ``replay``."""
        self.place = start
        self._again = self._asked = start.lines if replay else 0
        if start.head is not None:
            made = CsvLines(self.name, {**self.reading, "format": "csv"}, self._id)
            made.go_on(start.head, start.dividing, due=start.due)
            self._lines = made
        elif start.format is not None and not start.bytes and self._deciding.format is None:
            self._lines, self._saved = self._deciding.lines(start.format), start.format

    def behind(self, item: Any) -> Any:
        """Return what of an item was not followed before: all of it, some of a list, or None."""
        if not self._again:
            return item
        count = len(item) if isinstance(item, list) else int(item is not None)
        passed = min(count, self._again)
        self._again -= passed
        return item[passed:] if isinstance(item, list) and passed < count else None

    def check_end(self) -> None:
        """Refuse a replay that has not brought all that was followed."""
        if self._again:
            asked, came = self._asked, self._asked - self._again
            raise InvalidData(f"{self.name}: expected the {asked:,} items that were followed, got {came:,}")

    def piece(self, item: Any) -> Coming:
        """Return what one item brings; None brings nothing."""
        found, mark = list[Found](), self.place.mark
        many = item if isinstance(item, list) else [] if item is None else [item]
        for at, one in enumerate(many, start=self.place.lines + 1):
            if isinstance(one, At):
                mark, one = one  # noqa: PLW2901
            try:
                found.extend(self._found(one, at))
            except Wrong as wrong:
                found.append(Bad(at, Message(wrong.args[0])))
            except InvalidData as error:
                found.append(bad(error, self.name, at))
        if mark is not self.place.mark:
            _check_mark(self.name, mark)
        if many:
            self.place = place_of(Position(lines=self.place.lines + len(many)), self._lines, self._saved, mark)
        return Coming(found, self.place)

    def _found(self, one: Any, at: int) -> Iterable[Found]:
        if isinstance(one, Example | Late):
            return [one]
        if isinstance(one, str | bytes):
            line = encoded(one) if isinstance(one, str) else one
            return self._of_line(line.rstrip(b"\r\n") + b"\n", at)
        if isinstance(one, Mapping):
            return [self._of_dict(one, at)]
        if isinstance(one, tuple) and 2 <= len(one) <= 3:
            x, label, id = (*one, at)[:3]  # noqa: A001
            return [_of_tuple(at, x, label, id)]
        expected = "a line, a dict, or (row, label) or (row, label, id), and None for a row or a label that is to come"
        raise Wrong(f"expected {expected}, got {shown(one)}")

    def _of_dict(self, one: Mapping[Any, Any], at: int) -> Found:
        _check_texts((*one.keys(), *one.values()))
        late = self._objects.late_label(at, one)
        if late is not None:
            return late
        if not self._as_lines:
            return self._objects.example(at, one)
        try:
            text = json.dumps(one, default=plain).encode()
        except (TypeError, ValueError, RecursionError) as error:
            raise Wrong(f"expected a dict as of JSON, got {shown(one)} ({error})") from None
        return self._objects.example(at, one, text)

    def _of_line(self, line: bytes, at: int) -> Iterable[Found]:
        bare = line.strip()
        json_line = bare.startswith(b"{")
        if json_line and self._deciding.table and not isinstance(self._lines, CsvLines):
            return self._objects.examples(line, at, begins=False)
        if self._lines is None:
            late = self._objects.late(at, bare) if json_line else None
            if late is not None or not bare or (bare.startswith(b"#") and not self._deciding.table):
                return [] if late is None else [late]
            self._decide(line)
        assert self._lines is not None
        return self._lines.examples(line, at, begins=at == 1)

    def _decide(self, line: bytes) -> None:
        """Take the format that was given or is the model's; else the one that a first line shows, from now on."""
        known = self._deciding.format or self.reading.get("format")
        if known in IN_FILES:
            self._lines = self._deciding.lines(str(known))
            return
        try:
            self._lines = self._deciding.shown(line)
        except InvalidData as error:
            raise Wrong(bad(error, self.name, 1).problem) from None
        self._saved = self._deciding.format


def _of_tuple(at: int, x: Any, label: Any, id: Any) -> Example | Late:  # noqa: A002
    label = plain(label)
    missing = label is None or (isinstance(label, float) and label != label)  # noqa: PLR0124 - nan is not itself
    if not missing and not isinstance(label, str | bool | int | float):
        raise Wrong(f"expected a label, a text or a number, got {shown(label)}")
    try:
        hash(id)
    except TypeError:
        raise Wrong(f"expected an id, a text or a number, got {shown(id)}") from None
    _check_texts((x, label, id if isinstance(id, str) else str(id)))
    if isinstance(x, Mapping):
        _check_texts((*x.keys(), *x.values()))
    elif isinstance(x, list | tuple | AbstractSet):
        _check_texts(x)
    if x is not None:
        return Example(at, id, x, NO_LABEL if missing else label)
    if missing:
        raise Wrong("expected a row, a label, or both, got neither")
    return Late(at, id, label)


def _check_texts(found: Iterable[Any]) -> None:
    """Refuse texts that cannot be written down."""
    for one in found:
        if isinstance(one, str) and not one.isascii():
            encoded(one)


def _check_mark(name: str, mark: Any) -> None:
    """Refuse a mark that cannot be saved."""
    try:
        json.dumps(mark, allow_nan=False)
    except (TypeError, ValueError):
        expected = "a text, a number, or a list or dict of these"
        raise InvalidParameter(f"{name}: mark: expected {expected}, got {shown(mark)}") from None
