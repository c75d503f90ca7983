"""Schema: how each column of a table is read, and what looks wrong with the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from littlestone.core.messages import Blank, Message, Remedy, shown
from littlestone.streams.formats.columns import CATEGORY, IDENTIFIER, NUMBER, TEXT, TRUTH, numbers, stripped
from littlestone.streams.formats.reading_rules import is_code, number, number_meant
from littlestone.streams.formats.scanned import FIRST_ROWS

__all__ = ["LABEL", "Column", "Schema", "schema_of"]

LABEL = "label"
BOOLEAN = "Boolean"  # numbers that are all 0 or 1
READ = (NUMBER, BOOLEAN, TRUTH, CATEGORY)  # kinds of which a single value says nothing
MOST_LINES = 30
NEARLY_ALL = 0.9  # of the different cells of a column, of which one says what they are
MANY_LABELS, MANY = 20, 0.2  # values of a label, and their share of the rows: that is hardly a label


@dataclass(frozen=True)
class Column:
    """One column: its kind, how many different values and how many missing cells the rows have that were looked at.

    ``kind`` is label, number, Boolean, truth, category, text, id, ignored, weight or tag; ``exact`` tells whether
    ``distinct`` is of the whole table; ``odd`` are the cells that are no numbers and count as missing, with their
    counts; ``note`` says what was guessed and how to say otherwise.
    """

    name: str
    kind: str
    distinct: int
    exact: bool
    missing: int
    odd: Mapping[str, int]
    guessed: bool
    note: Message

    def as_dict(self, words: Callable[[Message], str] = str) -> dict[str, Any]:
        """Return the column for JSON."""
        found = {name: getattr(self, name) for name in ("name", "kind", "distinct", "exact", "missing", "guessed")}
        return found | {"odd": dict(self.odd), "note": words(self.note)}

    def constant(self, rows: int) -> Message | None:
        """Say that all rows have the same value, if they do; ``rows`` were looked at."""
        if self.kind not in READ or self.distinct > 1 or (self.distinct and self.missing):
            return None
        if not self.exact:  # it may have others: leave it to the learner
            problem = "the same value in all of" if self.distinct else "no value in any of"
            return Message(f"column {self.name!r} has {problem} the first {rows:,} rows")
        problem = "has the same value in all rows" if self.distinct else "has no value in any row"
        return Message(f"column {self.name!r} {problem}", Remedy("say {ignore}", ignore=[self.name]))


@dataclass(frozen=True)
class Schema:
    r"""How a table is read: its columns, from the first ``rows`` rows (``whole``: that is all), and warnings.

    >>> import io
    >>> import littlestone as ls
    >>> table = b"id,size,sky,class\n7,1.5,grey,yes\n8,2,grey,no\n"
    >>> print(ls.open(io.BytesIO(table), ignore="id").schema())
    <BytesIO>, 2 rows:
      id     ignored              2 values
      size   number    (guessed)  2 values
      sky    category  (guessed)  1 value
      class  label     (guessed)  2 values, say label=COLUMN if it is another
    column 'sky' has the same value in all rows; say ignore=['sky']
    """

    source: str
    rows: int
    whole: bool
    columns: tuple[Column, ...]
    warnings: tuple[Message, ...]

    def __getitem__(self, name: str) -> Column:
        """Return the column of this name."""
        return next(column for column in self.columns if column.name == name)

    def as_dict(self, words: Callable[[Message], str] = str) -> dict[str, Any]:
        """Return the schema for JSON; ``words`` tells messages in the words of an interface other than Python."""
        columns = [column.as_dict(words) for column in self.columns]
        warnings = [words(warning) for warning in self.warnings]
        whole = {"source": self.source, "rows": self.rows, "whole": self.whole}
        return {**whole, "columns": columns, "warnings": warnings}

    def told(self, words: Callable[[Message], str] = str) -> str:
        """Return the schema in a few lines, a column each; ``words`` as in `as_dict`."""
        seen = f"{self.rows:,} rows" if self.whole else f"from the first {self.rows:,} rows"
        shortened = self.columns[:MOST_LINES]
        wide = max((len(_short(column.name)) for column in shortened), default=0)
        kinds = max((len(column.kind) for column in shortened), default=0)
        lines = [f"{self.source}, {seen}:"]
        for column in shortened:
            guessed = "(guessed)" if column.guessed else ""
            facts = ", ".join(filter(None, (_values(column), _missing(column), words(column.note))))
            lines.append(f"  {_short(column.name):{wide}}  {column.kind:{kinds}}  {guessed:9}  {facts}".rstrip())
        if len(self.columns) > MOST_LINES:
            kinds_left = Counter(column.kind for column in self.columns[MOST_LINES:])
            lines.append("  and " + ", ".join(f"{count} more of kind {kind}" for kind, count in kinds_left.items()))
        return "\n".join([*lines, *map(words, self.warnings)])

    def __str__(self) -> str:
        return self.told()


def _short(name: str) -> str:
    return name if len(name) <= 30 else f"{name[:27]}..."


def _values(column: Column) -> str:
    more = "" if column.exact else "at least "
    return f"{more}{column.distinct:,} value{'' if column.distinct == 1 else 's'}"


def _missing(column: Column) -> str:
    return f"{column.missing:,} missing" if column.missing else ""


def schema_of(
    source: str,
    kinds: Mapping[str, str],
    cells: Mapping[str, Sequence[Any]],
    rows: int,
    *,
    missing: Mapping[str, frozenset[Any]],
    odd: Mapping[str, Mapping[str, int]],
    given: Container[str],
    labels: int | None,
    again: bool,
) -> Schema:
    """Return the schema of a table, given its first rows.

    ``cells``: those of each column, in parts; ``given``: the columns whose roles are given; ``labels``: how many labels
    there are, of the whole table if it can be read ``again``; None where nobody reads them.
    """
    whole, found, warnings = rows < FIRST_ROWS, [], []
    for name, kind in kinds.items():
        sight = _Sight(cells[name], missing[name], kind)
        distinct, exact = sight.distinct, whole
        if kind == LABEL and labels is not None:
            warnings += _label_warnings(name, distinct, rows, labels)
            distinct, exact = labels, whole or again
        told = BOOLEAN if sight.boolean and kind == NUMBER else kind
        note = _note(name, kind, odd.get(name, {}), sight) if name not in given else Message()
        warnings += [] if name in given else _number_warnings(name, kind, sight)
        found.append(Column(name, told, distinct, exact, sight.missing, odd.get(name, {}), name not in given, note))
    if rows > 1:
        warnings += [one for one in (column.constant(rows) for column in found) if one is not None]
    return Schema(source, rows, whole, tuple(found), tuple(warnings))


class _Sight:
    """What is to be seen in some cells of a column: how many different values, how many missing, which numbers."""

    def __init__(self, parts: Sequence[Any], missing: frozenset[Any], kind: str) -> None:
        cells: Any = np.concatenate(parts) if parts and isinstance(parts[0], np.ndarray) else list(chain(*parts))
        counts = Counter(cells.tolist() if isinstance(cells, np.ndarray) else map(stripped, cells))
        there = [cell for cell in counts if cell not in missing and cell == cell]  # noqa: PLR0124 - nan is not itself
        self.distinct, self.missing = len(there), len(cells) - sum(counts[cell] for cell in there)
        self.texts = [cell for cell in there if isinstance(cell, str)]
        values = numbers(cells, missing) if kind in {NUMBER, IDENTIFIER} and there else None
        self.numbers = values is not None
        self.boolean = values is not None and bool(np.isin(values[~np.isnan(values)], (0.0, 1.0)).all())


def _note(name: str, kind: str, odd: Mapping[str, int], sight: _Sight) -> Message:
    if odd:
        count, cells = sum(odd.values()), ", ".join(map(shown, odd))
        text = f"{count} cell{'' if count == 1 else 's'} of no number ({cells}), read as missing"
        return Message(text, Remedy("say {categorical} to read categories", categorical=[name]))
    code = next(filter(is_code, sight.texts), None)
    if code is not None and kind in {CATEGORY, IDENTIFIER} and _nearly_all(sight, number):
        return _note_on_codes(name, kind, code)
    if kind == IDENTIFIER and sight.numbers:
        return Message("left out: it counts the rows", Remedy("say {numeric} to read it", numeric=[name]))
    if kind == IDENTIFIER:
        read = Remedy("say {categorical} to read it", categorical=[name])
        return Message("left out: nearly every row has a value of its own", read)
    if kind == TEXT:
        return Message("read as words", Remedy("say {categorical} to read whole texts as values", categorical=[name]))
    if kind == LABEL:
        return Message("", Remedy("say {label} if it is another", label=Blank("COLUMN")))
    return Message()


def _note_on_codes(name: str, kind: str, code: str) -> Message:
    """Say why digits are no numbers."""
    text = f"digits with leading zeros, such as {shown(code)}, are codes and no numbers"
    numeric = Remedy("say {numeric} to read numbers", numeric=[name])
    if kind == CATEGORY:
        return Message(text, numeric)
    read = Remedy("say {categorical} to read them", categorical=[name])
    return Message(f"left out: nearly every row has a value of its own; {text}", read, numeric)


def _number_warnings(name: str, kind: str, sight: _Sight) -> list[Message]:
    """Say that cells look like numbers and are none, and how they are to be written."""
    if kind not in {CATEGORY, IDENTIFIER} or not _nearly_all(sight, lambda cell: number_meant(cell) or number(cell)):
        return []
    cell = next((cell for cell in sight.texts if number_meant(cell) is not None), None)
    if cell is None:
        return []
    became = "are left out" if kind == IDENTIFIER else "are read as categories"
    problem = f"column {name!r}: cells such as {shown(cell)} look like numbers and {became}"
    return [Message(problem, f"write {number_meant(cell)} to have numbers")]


def _nearly_all(sight: _Sight, what: Callable[[str], Any]) -> bool:
    """Tell whether something is not None of nearly all different cells of a column."""
    return sum(what(cell) is not None for cell in sight.texts) >= NEARLY_ALL * max(1, sight.distinct)


def _label_warnings(name: str, distinct: int, rows: int, labels: int) -> list[Message]:
    """Say what looks wrong with the labels: ``distinct`` is how many the first rows have, ``labels`` how many all."""
    if labels == 1:
        both = Remedy("say {labels}", labels=Blank("(negative, positive)"))
        return [Message(f"the label {name!r} has one value only: there is nothing to tell apart", both)]
    if distinct <= max(MANY_LABELS, MANY * rows):
        return []
    wrong = Remedy("is it the wrong column? say {label}", label=Blank("COLUMN"))
    unnamed = Remedy("has the file no header? say {columns}", columns=Blank("NAMES"))
    return [Message(f"the label {name!r} has {labels:,} different values", wrong, unnamed)]
