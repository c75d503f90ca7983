"""Tables as streams: what CSV, Parquet, Arrow tables and data frames have in common."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import closing
from dataclasses import replace
from itertools import chain
from typing import Any, TypedDict

import numpy as np

from littlestone.core.block import LARGEST_VALUE, Block
from littlestone.core.errors import InvalidData, InvalidLabel, InvalidParameter
from littlestone.core.labels import plain
from littlestone.core.messages import Blank, Message, Remedy
from littlestone.core.parameters import check_flag
from littlestone.core.words import Tokeniser
from littlestone.streams.formats.binning import all_edges, check_bins, interval, interval_names
from littlestone.streams.formats.columns import (
    CATEGORY,
    IDENTIFIER,
    IGNORED,
    NOT_OF_KIND,
    NUMBER,
    TEXT,
    TRUTH,
    named,
    numbers,
    refusal,
    stripped,
)
from littlestone.streams.formats.growing import Part, assembled, heard_of
from littlestone.streams.formats.guessing import Guess
from littlestone.streams.formats.layout import (
    Layout,
    check_apart,
    check_closed,
    check_once,
    check_text,
    check_there,
    options_of,
    roles,
    several,
)
from littlestone.streams.formats.outcomes import CLASSIFICATION, REGRESSION, of_cells, outcome_refusal
from littlestone.streams.formats.reading_rules import MISSING, label_column
from littlestone.streams.formats.scanned import FIRST_ROWS, Pass, ScannedStream, cut, first_of
from littlestone.streams.formats.schema import LABEL, Schema, schema_of
from littlestone.streams.formats.table_rows import TableRows
from littlestone.streams.sources.opened import Source

__all__ = ["TableOptions", "TableStream"]


class TableOptions(TypedDict, total=False):
    """What every stream of a table takes."""

    label: str | None
    text: str | Sequence[str]
    ngrams: int
    tokens: str
    lower: bool
    characters: int | None
    ignore: str | Sequence[str]
    numeric: str | Sequence[str]
    categorical: str | Sequence[str]
    truth: str | Sequence[str]
    odd: Mapping[str, Sequence[str]] | None
    bins: int | Mapping[str, Sequence[float]] | None
    closed: bool
    weight: str | None
    tag: str | None
    missing: Sequence[str]
    labels: tuple[Any, ...] | None
    unlabelled: bool
    on_error: str
    task: str
    zeros: bool


class _Flip(Exception):
    """The first rows of a column suggested a wrong kind."""


class TableStream(ScannedStream):
    """Rows of a table: a column of numbers is an attribute, one of text an attribute ``column=value`` for each value.

    ``label`` names the column of the labels (by default the one called label, class, target or y, else the last);
    ``text`` columns that are bags of words (attributes ``column=word``), which ``tokens``, ``lower``, ``ngrams`` and
    ``characters`` make as `core.words.Tokeniser` says; ``ignore`` columns to be left out; ``numeric``, ``categorical``
    and ``truth`` columns that are to be read so, whatever they look like; ``weight`` and ``tag`` columns of the weights
    and the names of rows. What the other columns are, `formats.guessing.Guess` says. Cells in ``missing``, and those of
    a column in ``odd``, have no attribute: to a linear learner they are 0. With ``bins``, numbers become intervals
    (attributes ``income in [10, 20)``): about so many a column, with equally many of the first 1,000 rows each, or
    between given edges, by column. With closed=True a column that is named nowhere is refused. With unlabelled=True
    labels are not read, and blocks have no outcomes. With task="regression" labels are numbers to be predicted; with
    "auto" the first 1,000 rows tell (`formats.outcomes.are_numbers`). With zeros=True numbers that are 0 have entries,
    too: whoever scales them must tell them from those that are missing.
    """

    def __init__(
        self,
        name: str,
        source: Source | None,
        *,
        label: str | None = None,
        text: str | Sequence[str] = (),
        ngrams: int = 1,
        tokens: str = "words",
        lower: bool = True,
        characters: int | None = None,
        ignore: str | Sequence[str] = (),
        numeric: str | Sequence[str] = (),
        categorical: str | Sequence[str] = (),
        truth: str | Sequence[str] = (),
        odd: Mapping[str, Sequence[str]] | None = None,
        bins: int | Mapping[str, Sequence[float]] | None = None,
        closed: bool = False,
        weight: str | None = None,
        tag: str | None = None,
        missing: Sequence[str] = MISSING,
        labels: tuple[Any, ...] | None = None,
        unlabelled: bool = False,
        on_error: str = "raise",
        task: str = CLASSIFICATION,
        zeros: bool = False,
    ) -> None:
        super().__init__(name, source, labels=labels, unlabelled=unlabelled, on_error=on_error, task=task)
        self.zeros = check_flag(type(self).__name__, "zeros", zeros)
        owner = type(self).__name__
        self._label, self._weight, self._tag = label, weight, tag
        self._missing = frozenset([*several(missing), None])
        self._words = Tokeniser.checked(owner, tokens, lower, ngrams, characters)
        self._odd = {name: dict.fromkeys(several(cells), 0) for name, cells in (odd or {}).items()}
        self._bins, self._closed = check_bins(owner, bins), check_flag(owner, "closed", closed)
        given = {TEXT: text, IGNORED: ignore, NUMBER: numeric, CATEGORY: categorical, TRUTH: truth}
        self._kept: list[TableRows] = []  # the first rows of a pipe
        self._kinds = roles(owner, given, {label, weight, tag})

    def _guess(self, column: str) -> Guess:
        """Return a guess at a column of which nobody says what it is."""
        del column
        return Guess(self._missing)

    def _settled(self) -> bool:
        return self._closed and super()._settled()

    @abstractmethod
    def _columns(self) -> Sequence[str]:
        """Return the names of all columns."""

    def _raws(self, rows: int) -> Generator[TableRows]:
        raise NotImplementedError

    def _label_cells(self, raws: Sequence[Any], layout: Any) -> Iterator[Any]:
        there = raws if self.labelled and layout.label is not None else ()
        return (cell for raw in there for cell in raw.columns[layout.label] if stripped(cell) not in self._missing)

    def _layout(self, raws: Iterable[Any]) -> Layout:
        first, later = first_of(raws)
        self._kept = [] if self.again else first
        columns = self._columns()
        self._check_columns(columns, first)
        label = self._label_column(columns)
        taken = {*self._kinds, label, self._weight, self._tag}
        free = [name for name in columns if name not in taken]
        if self._closed:
            check_closed(self.name, free, [name for name in (label, *self._kinds) if name is not None])
        guesses = {column: self._guess(column) for column in free}
        for raw in chain(first, later) if free else ():
            for column, guess in guesses.items():
                guess.see(raw.columns[column])
        return self._decided(first, label, guesses)

    def _decided(self, first: Sequence[TableRows], label: str | None, guesses: Mapping[str, Guess]) -> Layout:
        kinds = {**self._kinds, **{name: guess.kind for name, guess in guesses.items()}}
        read = {name: kinds[name] for name in self._columns() if kinds.get(name, IGNORED) not in {IGNORED, IDENTIFIER}}
        odd = {name: dict(guess.odd) for name, guess in guesses.items() if guess.odd}
        found = Layout(read, label, odd={**self._odd, **odd})
        found.identifiers = tuple(name for name, guess in guesses.items() if guess.kind == IDENTIFIER)
        if self._bins is not None:
            numeric = [name for name, kind in read.items() if kind == NUMBER]
            found.edges = all_edges(((name, self._first_values(name, first, found)) for name in numeric), self._bins)
        check_apart(self.name, found)
        check_text(type(self).__name__, found, self._words)
        return found

    def _first_values(self, name: str, first: Sequence[TableRows], layout: Layout) -> Any:
        read = (numbers(raw.columns[name], layout.missing(name, self._missing)) for raw in first)
        return np.concatenate([np.zeros(0), *(values for values in read if values is not None)])

    def _check_columns(self, columns: Sequence[str], first: Sequence[TableRows]) -> None:
        """Refuse columns with the same name, and a table that has not all columns which are named."""
        del first
        check_once(self.name, columns)
        check_there(self.name, list(self._needed()), columns, closed=self._closed, file=self.source is not None)

    def _needed(self) -> AbstractSet[str]:
        """Return the columns that must be there, in the order in which they are named; the label is found later."""
        # what is left out anyway may be missing where labels are, and where a model knows it
        lax = not self.labelled or self._closed
        kinds = [name for name, kind in self._kinds.items() if not (lax and kind == IGNORED)]
        named = [*kinds, *self._odd, *(self._bins if isinstance(self._bins, Mapping) else ())]
        return dict.fromkeys(name for name in (*named, self._weight, self._tag) if name is not None).keys()

    @property
    def _roles(self) -> set[str]:
        """The columns that have been given a role."""
        others = (self._label, self._weight, self._tag)
        return {*self._kinds, *(name for name in others if name is not None)}

    def _label_column(self, columns: Sequence[str]) -> str | None:
        if self.apart and self._label is None:
            return None
        label = label_column(self.name, columns, self._label, self.labelled)
        if label is not None and (label in self._kinds or label in {self._weight, self._tag}):
            if self._label is None and not self.labelled:
                return None
            raise InvalidParameter(
                f"{self.name}: the labels are taken from column {label!r}, which has another role too",
                Remedy("say {label}", label=Blank()),
            )
        return label

    def read_as(self) -> dict[str, Any]:
        """Return the roles and kinds of the columns, given or guessed: from another table one might guess others."""
        layout: Layout = self._known.layout
        options: dict[str, Any] = {"label": layout.label, "weight": self._weight, "tag": self._tag}
        options |= options_of(layout, self._kinds)
        options["missing"] = sorted(self._missing - {None}) if self._missing != {*MISSING, None} else None
        found = {name: value for name, value in options.items() if value}
        words = self._words.options if "text" in found else {}
        return {"format": "parquet", **found, **words, **self._as_task(), "closed": True}

    def schema(self) -> Schema:
        """Return how each column is read, from the first 1,000 rows, and what looks wrong with the table."""
        known = self._known
        layout: Layout = known.layout
        first = self._looked_at()
        return schema_of(
            self.name,
            {name: layout.kinds.get(name) or self._part_of(name, layout) for name in self._columns()},
            {name: [raw.columns[name] for raw in first if name in raw.columns] for name in self._columns()},
            sum(map(len, first)),
            missing={name: layout.missing(name, self._missing) for name in self._columns()},
            odd=layout.odd,
            given=self._roles,
            labels=len(known.cells) if self.labelled and self.task != REGRESSION else None,
            again=self.again,
        )

    def _part_of(self, name: str, layout: Layout) -> str:
        """Return the role of a column that is no attribute."""
        others = {layout.label: LABEL, self._weight: "weight", self._tag: "tag"}
        return others.get(name, IDENTIFIER if name in layout.identifiers else IGNORED)

    def _looked_at(self) -> list[TableRows]:
        """Return the first 1,000 rows; a pipe has kept them."""
        if not self.again:
            return self._kept
        counted = self.skipped, self.complaints.copy()
        with closing(self._raws(FIRST_ROWS)) as raws:
            first = cut(first_of(raws)[0], FIRST_ROWS)
        self.skipped, self.complaints = counted
        return first

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
                parts.append(self._valued(name, cells, layout, reading))
        others = [(name, kind, raw.columns[name]) for name, kind in layout.kinds.items() if name not in values]
        parts += named(others, layout.codes, reading.names, self._missing, self._words)
        block = heard_of(assembled(len(raw), parts, reading.rows, zeros=self.zeros), layout.always)
        reading.rows += len(raw)
        return self._completed(block, raw, layout, reading, values)

    @staticmethod
    def _valued(name: str, cells: Any, layout: Layout, reading: Pass) -> Part:
        """Return the entries of a column of numbers: its values, or the intervals that these are in."""
        edges = layout.edges.get(name)
        rows = np.flatnonzero(~np.isnan(cells))
        if edges is not None:
            lowest = reading.names.column(interval_names(name, edges)[0])
            return rows, interval(cells[rows], edges, lowest), None
        return rows, np.full(len(rows), reading.names.column(name), dtype=np.int64), cells[rows]

    @staticmethod
    def _begun(reading: Pass) -> Layout:
        """Return the layout; before the first rows, columns of numbers and truth get the first attributes."""
        layout: Layout = reading.layout
        if not reading.rows:
            layout = reading.layout = replace(layout, codes={})
            layout.begin(reading.names)
        return layout

    def _completed(self, block: Block, raw: TableRows, layout: Layout, reading: Pass, values: Any) -> Block:
        if self.labelled and layout.label is not None and self.task == REGRESSION:
            block = replace(block, outcomes=values[layout.label], labels=())
        elif self.labelled and layout.label is not None:
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
            missing = layout.missing(name, self._missing)
            if kind == NUMBER:
                values[name] = numbers(raw.columns[name], missing)
            elif kind == TRUTH and isinstance(raw.columns[name], np.ndarray):
                values[name] = _ones(raw.columns[name])
            elif kind == TRUTH and any(refusal(kind, cell, self._missing) for cell in set(raw.columns[name])):
                return None
        if self._weight is not None:
            values[self._weight] = weights = numbers(raw.columns[self._weight], self._missing)
            if weights is not None and not bool((weights >= 0.0).all()):
                return None
        label, numbered = layout.label if self.labelled else None, self.task == REGRESSION
        if label is not None and numbered:
            values[label] = of_cells(raw.columns[label], self._missing)
        if any(column is None for column in values.values()):
            return None
        if label is not None and not numbered:
            cells = set(raw.columns[label])
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
            expected = refusal(kind, cell, layout.missing(name, self._missing))
            if expected is not None:
                remedy: str | Remedy = "correct the cell"
                if name not in self._kinds and expected in NOT_OF_KIND:
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

    def _label_refusal(self, cell: Any, reading: Pass) -> Message | None:
        if self.task == REGRESSION:
            return outcome_refusal(cell, self._missing, file=self.source is not None)
        if cell != cell or (cell.strip() if isinstance(cell, str) else cell) in self._missing:  # noqa: PLR0124
            predicting = [Remedy("say {unlabelled} to predict", unlabelled=True)] if self.source is not None else []
            return Message(f"expected a label, got {cell!r}", *predicting, "leave the row out")
        if not reading.book.knows(cell):
            return self._unknown(cell, reading)
        return None


def _ones(values: Any) -> Any:
    """Return numbers that stand for True and False; None if some do not."""
    return values if bool((np.isnan(values) | (values == 0.0) | (values == 1.0)).all()) else None
