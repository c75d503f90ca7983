"""What each column of a table is, and the checks of the roles that columns are given."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from littlestone.core.errors import InvalidData, InvalidParameter
from littlestone.core.messages import Blank, Remedy, did_you_mean, repeated, shown
from littlestone.core.words import Tokeniser
from littlestone.streams.formats.binning import interval_names
from littlestone.streams.formats.columns import IGNORED, NUMBER, TEXT, TRUTH
from littlestone.streams.formats.growing import Names
from littlestone.streams.formats.reading_rules import listed

__all__ = [
    "Layout",
    "check_apart",
    "check_closed",
    "check_once",
    "check_text",
    "check_there",
    "options_of",
    "roles",
    "several",
]


@dataclass
class Layout:
    """What each column is; ``codes``: the attribute of each cell met so far.

    ``identifiers`` are columns that are left out unasked; ``odd`` the cells that are no numbers in columns of numbers,
    with their counts; ``edges`` those of the intervals of a column of numbers.
    """

    kinds: dict[str, str]
    label: str | None
    codes: dict[str, dict[Any, int]] = field(default_factory=dict)
    identifiers: tuple[str, ...] = ()
    odd: dict[str, dict[str, int]] = field(default_factory=dict)
    edges: dict[str, list[float]] = field(default_factory=dict)

    @property
    def always(self) -> int:
        """How many attributes every row has, also where they are 0: the columns of numbers and truth, the first."""
        whole = sum(kind in {NUMBER, TRUTH} for kind in self.kinds.values())
        return whole + sum(map(len, self.edges.values()))  # one interval more than edges

    def begin(self, names: Names) -> None:
        """Give the columns of numbers and truth the first attributes."""
        for name, kind in self.kinds.items():
            if kind in {NUMBER, TRUTH}:
                for one in interval_names(name, self.edges[name]) if name in self.edges else [name]:
                    names.column(one)

    def missing(self, name: str, everywhere: frozenset[Any]) -> frozenset[Any]:
        """Return the cells of a column that count as missing; ``everywhere``: those of all columns."""
        odd = self.odd.get(name)
        return everywhere.union(odd) if odd else everywhere


def several(columns: str | Sequence[str]) -> list[str]:
    """Return a name, or names, as a list."""
    return [columns] if isinstance(columns, str) else list(columns)


def roles(owner: str, given: Mapping[str, str | Sequence[str]], others: set[str | None]) -> dict[str, str]:
    """Return the kinds of columns that are given, by column; ``others`` have another role; refuse two roles of one."""
    kinds: dict[str, str] = {}
    for kind, columns in given.items():
        for column in several(columns):
            if column in kinds or column in others:
                raise InvalidParameter(f"{owner}: expected one role for each column, got several for {column!r}")
            kinds[column] = kind
    return kinds


def check_once(owner: str, columns: Sequence[str]) -> None:
    """Refuse a name that two columns have."""
    if len(set(columns)) < len(columns):
        unnamed = Remedy("say {columns} where the first line is no header", columns=Blank("NAMES"))
        raise InvalidData(
            f"{owner}: expected each column name once, got {repeated(columns)} twice", "rename a column", unnamed
        )


def check_there(owner: str, wanted: Sequence[str], columns: Sequence[str], *, closed: bool, file: bool) -> None:
    """Refuse a table that has not all the columns that are named; ``closed``: by a model, not by a caller."""
    known = frozenset(columns)
    for column in wanted:
        if column not in known:
            problem = f"{owner}: expected a column {column!r}, got {listed(columns)}"
            unnamed = [Remedy("say {columns} where the file has no header", columns=Blank("NAMES"))] if file else []
            if closed:
                raise InvalidData(problem, "add the column, with empty cells where nothing is known", *unnamed)
            close = did_you_mean(column, columns)
            raise InvalidParameter(problem, *([close] if close else []), *unnamed)


def check_closed(owner: str, free: Sequence[str], wanted: Sequence[str]) -> None:
    """Refuse a column that nobody has named, where that is not allowed."""
    if free:
        close = did_you_mean(free[0], wanted)
        raise InvalidData(
            f"{owner}: expected no column but {listed(wanted)}, got {free[0]!r}",
            *([close] if close else []),
            Remedy("leave it out", typed="leave it out ({ignore})", ignore=list(free)),
        )


def check_apart(owner: str, layout: Layout) -> None:
    """Refuse a column that has the name of a value, or of an interval, of another one."""
    kinds = layout.kinds
    lengths = {len(name) for name, kind in kinds.items() if kind != NUMBER}
    intervals = {one: name for name, edges in layout.edges.items() for one in interval_names(name, edges)}
    for name in kinds:
        ends = (at.start() for at in re.finditer("=", name))
        other = next((name[:end] for end in ends if end in lengths and kinds.get(name[:end], NUMBER) != NUMBER), None)
        if other is not None or name in intervals:
            of = f"a value of column {shown(other)}" if other else f"an interval of column {shown(intervals[name])}"
            raise InvalidData(f"{owner}: column {shown(name)} has the name of {of}; rename it")


def check_text(owner: str, layout: Layout, words: Tokeniser) -> None:
    """Refuse options that say how text is read where there is none."""
    if not words.only_words and TEXT not in layout.kinds.values():
        option = f"ngrams={words.ngrams}" if words.ngrams > 1 else f"characters={words.characters}"
        remedy = Remedy("say {text}", text=Blank("COLUMN"))
        raise InvalidParameter(f"{owner}: {option} needs a column of text, got none", remedy)


def options_of(layout: Layout, given: Mapping[str, str]) -> dict[str, Any]:
    """Return the options that read another table alike; ``given``: kinds by column, those left out among them."""
    kinds = {**given, **dict.fromkeys(layout.identifiers, IGNORED), **layout.kinds}
    names = {"text": "text", "ignore": IGNORED, "numeric": NUMBER, "categorical": "category", "truth": TRUTH}
    found: dict[str, Any] = {option: [name for name in kinds if kinds[name] == kind] for option, kind in names.items()}
    found["odd"] = {name: sorted(cells) for name, cells in layout.odd.items()}
    found["bins"] = layout.edges
    return found
