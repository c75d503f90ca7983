"""Tables as streams: what CSV, Parquet, Arrow tables and data frames have in common."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypedDict

import numpy as np

from littlestone.core.block import LARGEST_VALUE, Block
from littlestone.core.errors import InvalidData, InvalidLabel, InvalidParameter
from littlestone.core.labels import plain
from littlestone.core.messages import Blank, Message, Remedy, repeated, shown
from littlestone.core.parameters import check_flag
from littlestone.streams.formats.columns import (
    CATEGORY,
    NOT_OF_KIND,
    NUMBER,
    TEXT,
    TRUTH,
    Guess,
    named,
    numbers,
    refusal,
)
from littlestone.streams.formats.growing import Part, assembled, heard_of
from littlestone.streams.formats.reading_rules import MISSING, check_ngrams, label_column, listed
from littlestone.streams.formats.scanned import FIRST_ROWS, Pass, Raw, ScannedStream
from littlestone.streams.sources.opened import Source

__all__ = ["Layout", "TableOptions", "TableRows", "TableStream"]


class TableOptions(TypedDict, total=False):
    """What every stream of a table takes."""

    label: str | None
    text: str | Sequence[str]
    ngrams: int
    ignore: str | Sequence[str]
    numeric: str | Sequence[str]
    categorical: str | Sequence[str]
    weight: str | None
    tag: str | None
    missing: Sequence[str]
    labels: tuple[Any, ...] | None
    unlabelled: bool
    on_error: str
    zeros: bool


class TableRows(Raw):
    """Some rows of a table by columns; ``place`` names a row in messages; ``refused``: what was skipped before them."""

    refused: Sequence[str] = ()

    def __init__(self, columns: dict[str, Any], count: int, place: Callable[[int], str]) -> None:
        self.columns, self.count, self.place = columns, count, place

    def __len__(self) -> int:
        return self.count

    def first(self, count: int) -> TableRows:
        """Return the first ``count`` rows."""
        return self.kept(np.arange(min(count, self.count)))

    def kept(self, rows: Sequence[int] | Any) -> TableRows:
        """Return some of the rows."""
        columns = {
            name: cells[rows] if isinstance(cells, np.ndarray) else [cells[row] for row in rows]
            for name, cells in self.columns.items()
        }
        return TableRows(columns, len(rows), lambda row: self.place(int(rows[row])))


@dataclass
class Layout:
    """What each column is; ``codes``: the attribute of each cell met so far."""

    kinds: dict[str, str]
    label: str | None
    codes: dict[str, dict[Any, int]] = field(default_factory=dict)

    @property
    def always(self) -> int:
        """How many attributes every row has, also where they are 0: the columns of numbers and truth, the first."""
        return sum(kind in {NUMBER, TRUTH} for kind in self.kinds.values())


class _Flip(Exception):
    """The first rows of a column suggested a wrong kind."""


class TableStream(ScannedStream):
    """Rows of a table: a column of numbers is an attribute, one of text an attribute ``column=value`` for each value.

    ``label`` names the column of the labels (by default the one called label, class, target or y, else the last);
    ``text`` columns that are bags of words (attributes ``column=word``), and of runs of up to ``ngrams`` words
    (``column=good_movie``); ``ignore`` columns to be left out;
    ``numeric`` and ``categorical`` columns that are to be read so, whatever they look like; ``weight`` and ``tag``
    columns of the weights and the names of rows. Cells in ``missing`` have no attribute: to a linear
    learner they are 0. With unlabelled=True labels are not read, and blocks have no outcomes. With zeros=True numbers
    that are 0 have entries, too: whoever scales them must tell them from those that are missing.
    """

    def __init__(
        self,
        name: str,
        source: Source | None,
        *,
        label: str | None = None,
        text: str | Sequence[str] = (),
        ngrams: int = 1,
        ignore: str | Sequence[str] = (),
        numeric: str | Sequence[str] = (),
        categorical: str | Sequence[str] = (),
        weight: str | None = None,
        tag: str | None = None,
        missing: Sequence[str] = MISSING,
        labels: tuple[Any, ...] | None = None,
        unlabelled: bool = False,
        on_error: str = "raise",
        zeros: bool = False,
    ) -> None:
        super().__init__(name, source, labels=labels, unlabelled=unlabelled, on_error=on_error)
        self.zeros = check_flag(type(self).__name__, "zeros", zeros)
        owner = type(self).__name__
        self._label, self._weight, self._tag = label, weight, tag
        self._missing, self._ngrams = frozenset([*_several(missing), None]), check_ngrams(owner, ngrams, text)
        roles = {TEXT: text, "ignore": ignore, NUMBER: numeric, CATEGORY: categorical}
        self._kinds: dict[str, str] = {}
        for kind, columns in roles.items():
            for column in _several(columns):
                if column in self._kinds or column in {label, weight, tag}:
                    raise InvalidParameter(f"{owner}: expected one role for each column, got several for {column!r}")
                self._kinds[column] = kind

    @abstractmethod
    def _guessed(self, raws: Iterable[TableRows], columns: Sequence[str]) -> Mapping[str, str]:
        """Return the kinds of columns for which none was given."""

    @abstractmethod
    def _columns(self) -> Sequence[str]:
        """Return the names of all columns."""

    def _raws(self, rows: int) -> Generator[TableRows]:
        raise NotImplementedError

    def _layout(self, raws: Iterable[Any]) -> Layout:
        columns = self._columns()
        if len(set(columns)) < len(columns):
            raise InvalidData(
                f"{self.name}: expected each column name once, got {repeated(columns)} twice; rename a column"
            )
        there = frozenset(columns)
        for column in (*self._kinds, self._weight, self._tag):
            # what is left out anyway may be missing where labels are
            left_out = not self.labelled and self._kinds.get(column or "") == "ignore"
            if column is not None and column not in there and not left_out:
                raise InvalidParameter(f"{self.name}: expected a column {column!r}, got {listed(columns)}")
        label = label_column(self.name, columns, self._label, self.labelled)
        if label is not None and (label in self._kinds or label in {self._weight, self._tag}):
            if self._label is None and not self.labelled:
                label = None
            else:
                raise InvalidParameter(
                    f"{self.name}: the labels are taken from column {label!r}, which has another role too",
                    Remedy("say {label}", label=Blank()),
                )
        taken = {*self._kinds, label, self._weight, self._tag}
        free = [name for name in columns if name not in taken]
        kinds = {**self._kinds, **self._guessed(raws, free)}
        kinds = {name: kinds[name] for name in columns if kinds.get(name, "ignore") != "ignore"}
        _check_apart(self.name, kinds)
        return Layout(kinds, label)

    def read_as(self) -> dict[str, Any]:
        """Return the roles and kinds of the columns, given or guessed: from another table one might guess others."""
        kinds = {**self._kinds, **self._known.layout.kinds}
        options: dict[str, Any] = {"label": self._known.layout.label, "weight": self._weight, "tag": self._tag}
        for option, kind in (("text", TEXT), ("ignore", "ignore"), ("numeric", NUMBER), ("categorical", CATEGORY)):
            options[option] = [name for name in kinds if kinds[name] == kind]
        options["ngrams"] = self._ngrams if self._ngrams > 1 else None
        options["missing"] = sorted(self._missing - {None}) if self._missing != {*MISSING, None} else None
        return {"format": "parquet", **{name: value for name, value in options.items() if value}}

    def _whole(self, layout: Layout) -> Pass:
        try:
            return super()._whole(layout)
        except _Flip:  # the first rows suggested wrong kinds: look at all rows
            self._forget()
            return super()._whole(self._layout(self._raws(FIRST_ROWS)))

    def _block(self, raw: Any, reading: Pass) -> Block:
        layout = self._begun(reading)
        values = self._numbers(raw, layout, reading)
        if values is None:
            raw = raw.kept(self._sound_rows(raw, layout, reading))
            values = self._numbers(raw, layout, reading)
            assert values is not None
        parts: list[Part] = []
        for name, cells in values.items():
            if name in layout.kinds:
                rows = np.flatnonzero(~np.isnan(cells))
                columns = np.full(len(rows), reading.names.column(name), dtype=np.int64)
                parts.append((rows, columns, cells[rows]))
        others = [(name, kind, raw.columns[name]) for name, kind in layout.kinds.items() if kind != NUMBER]
        parts += named(others, layout.codes, reading.names, self._missing, self._ngrams)
        block = heard_of(assembled(len(raw), parts, reading.rows, zeros=self.zeros), layout.always)
        reading.rows += len(raw)
        return self._completed(block, raw, layout, reading, values)

    @staticmethod
    def _begun(reading: Pass) -> Layout:
        """Return the layout; before the first rows, columns of numbers and truth get the first attributes."""
        layout: Layout = reading.layout
        if not reading.rows:
            layout = reading.layout = replace(layout, codes={})
            for name, kind in layout.kinds.items():
                if kind in {NUMBER, TRUTH}:
                    reading.names.column(name)
        return layout

    def _completed(self, block: Block, raw: TableRows, layout: Layout, reading: Pass, values: Any) -> Block:
        if self.labelled and layout.label is not None:
            block = replace(block, outcomes=reading.book.encode(raw.columns[layout.label]))
        if self._weight is not None:
            block = replace(block, weights=values[self._weight])
        if self._tag is not None:
            block = replace(block, tags=tuple("" if cell is None else str(cell) for cell in raw.columns[self._tag]))
        return block

    def _numbers(self, raw: TableRows, layout: Layout, reading: Pass) -> dict[str, Any] | None:
        """Return the columns of numbers; None if a cell or a label is not what it should be."""
        values: dict[str, Any] = {}
        for name, kind in layout.kinds.items():
            if kind == NUMBER:
                values[name] = numbers(raw.columns[name], self._missing)
            elif kind == TRUTH and any(refusal(kind, cell, self._missing) for cell in set(raw.columns[name])):
                return None
        if self._weight is not None:
            values[self._weight] = weights = numbers(raw.columns[self._weight], self._missing)
            if weights is not None and not bool((weights >= 0.0).all()):
                return None
        if any(column is None for column in values.values()):
            return None
        if self.labelled and layout.label is not None:
            cells = set(raw.columns[layout.label])
            if not all(self._label_refusal(cell, reading) is None for cell in cells):
                return None
        return values

    def _sound_rows(self, raw: TableRows, layout: Layout, reading: Pass) -> list[int]:
        """Refuse the first row that is wrong, or return those that are not."""
        kept = []
        for row in range(len(raw)):
            problem = self._problem(raw, row, layout, reading)
            if problem is None:
                kept.append(row)
            else:
                self._refuse(problem[0].after(f"{raw.place(row)}: "), problem[1])
        return kept

    def _problem(
        self, raw: TableRows, row: int, layout: Layout, reading: Pass
    ) -> tuple[Message, type[InvalidData | InvalidLabel]] | None:
        for name, kind in layout.kinds.items():
            cell = raw.columns[name][row]
            expected = refusal(kind, cell, self._missing)
            if expected is not None:
                remedy: str | Remedy = "correct the cell"
                if name not in self._kinds and self._guesses and expected in NOT_OF_KIND:
                    if self.again:
                        raise _Flip
                    expected += f" (as in the first {FIRST_ROWS:,} rows)"
                    remedy = Remedy("say {categorical}", categorical=[name])
                return Message(f"column {name!r}: {expected}, got {plain(cell)!r}", remedy), InvalidData
        if self._weight is not None:
            cell = raw.columns[self._weight][row]
            value = numbers(raw.columns[self._weight][row : row + 1], self._missing)
            if value is None or not 0.0 <= value[0] <= LARGEST_VALUE:
                return Message(f"column {self._weight!r}: expected a weight >= 0, got {plain(cell)!r}"), InvalidData
        if self.labelled and layout.label is not None:
            wrong = self._label_refusal(raw.columns[layout.label][row], reading)
            if wrong is not None:
                return wrong.after(f"column {layout.label!r}: "), InvalidLabel
        return None

    _guesses = True  # whether kinds are guessed from cells (or known from types)

    def _label_refusal(self, cell: Any, reading: Pass) -> Message | None:
        if cell != cell or (cell.strip() if isinstance(cell, str) else cell) in self._missing:  # noqa: PLR0124
            predicting = Remedy("say {unlabelled} to predict", unlabelled=True)
            return Message(f"expected a label, got {cell!r}", predicting, "leave the row out")
        if not reading.book.knows(cell):
            return self._unknown(cell, reading)
        return None


def guessed(raws: Iterable[TableRows], columns: Sequence[str], missing: frozenset[Any]) -> dict[str, str]:
    """Return what columns of texts seem to be."""
    guesses = {column: Guess(missing) for column in columns}
    for raw in raws:
        for column, guess in guesses.items():
            guess.see(raw.columns[column])
    return {column: guess.kind for column, guess in guesses.items()}


def _several(columns: str | Sequence[str]) -> list[str]:
    return [columns] if isinstance(columns, str) else list(columns)


def _check_apart(owner: str, kinds: Mapping[str, str]) -> None:
    """Refuse a column that has the name of a value of another one."""
    lengths = {len(name) for name, kind in kinds.items() if kind != NUMBER}
    for name in kinds:
        for end in (at.start() for at in re.finditer("=", name)):
            if end in lengths and kinds.get(name[:end], NUMBER) != NUMBER:
                raise InvalidData(
                    f"{owner}: column {shown(name)} has the name of a value of column {shown(name[:end])}; rename it"
                )
