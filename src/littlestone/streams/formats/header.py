"""Whether the first line of a table names its columns, or is data already."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from littlestone.core.errors import InvalidData
from littlestone.core.messages import Blank, Remedy, shown
from littlestone.streams.formats.columns import TEXT, stripped
from littlestone.streams.formats.guessing import kind_of_texts
from littlestone.streams.formats.reading_rules import MISSING, number
from littlestone.streams.formats.table import TableRows

__all__ = ["check_header"]

OFTEN = 0.01  # the share of the rows in which the name of a column may stand as one of its values
SENTENCE, LONG = 4, 8  # words of a name that ends like a sentence, and of any other


def check_header(owner: str, names: Sequence[str], first: Sequence[TableRows]) -> None:
    """Refuse a first line that looks like data, given the first rows behind it."""
    if _proved(names, first):
        return
    problem = _numbers(names) or _values(names, first) or _sentence(names, first)
    if problem is not None:
        raise InvalidData(
            f"{owner}:1: expected the names of the columns, got {problem}",
            Remedy("say {columns} if the file has no header", columns=Blank("NAMES")),
            Remedy("{header} if this is one", header=True),
        )


def _proved(names: Sequence[str], first: Sequence[TableRows]) -> bool:
    """Tell whether some text stands above numbers only: then it is a name."""
    for name in names:
        if number(name) is None and name not in MISSING:
            cells = {stripped(cell) for raw in first for cell in raw.columns[name]}.difference(MISSING)
            if cells and all(number(cell) is not None for cell in cells):
                return True
    return False


def _numbers(names: Sequence[str]) -> str | None:
    """Say that names are numbers; those that ascend, such as years, or 0, 1, 2, may be names."""
    found = [(name, value) for name in names if (value := number(name)) is not None]
    whole = all(name.isdigit() for name, _ in found)
    if whole and all(low < high for (_, low), (_, high) in pairwise(found)):
        return None
    name = next((name for name, _ in found if not name.isdigit()), found[0][0])
    return f"the number {shown(name)}"


def _values(names: Sequence[str], first: Sequence[TableRows]) -> str | None:
    """Say that the name of a column is one of its own values, and not a rare one."""
    rows = sum(map(len, first))
    for name in names:
        count = sum(cell is not None and cell.strip() == name for raw in first for cell in raw.columns[name])
        if count > max(1, OFTEN * rows):
            return f"{shown(name)}, which stands in {count} of the first {rows} rows of that column too"
    return None


def _sentence(names: Sequence[str], first: Sequence[TableRows]) -> str | None:
    """Say that the name of a column of text is a sentence, and no question."""
    for name in names:
        least = SENTENCE if name.endswith((".", "!")) else LONG
        if len(name.split()) >= least and not name.endswith(("?", ":")):
            cells = [cell for raw in first for cell in raw.columns[name]]
            if kind_of_texts(cells, frozenset([None, ""])) == TEXT:
                return f"the sentence {shown(name)}"
    return None
