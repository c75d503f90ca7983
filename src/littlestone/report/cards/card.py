"""Card: what a notebook shows of a thing, before it is HTML."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import floor, isfinite, log10
from typing import NamedTuple

from littlestone.report.page import filled
from littlestone.report.plots.axes import AGAINST, FOR

__all__ = [
    "Bar",
    "Card",
    "Cell",
    "Curve",
    "Grid",
    "Mark",
    "Share",
    "aligned",
    "bars",
    "claimed",
    "counted",
    "filled_columns",
    "html_of",
    "largest",
    "told",
]


class Bar(NamedTuple):
    """A bar in a cell, from -100 to 100 long."""

    bar: int
    colour: str


class Share(NamedTuple):
    """A number on a ground whose strength, from 0 to 1, is a share."""

    text: str
    share: float


Cell = str | Bar | Share


@dataclass(frozen=True)
class Grid:
    """A table: the first cell of a row is a word; ``best`` is the row that stands out.

    One that is ``folded`` shows its caption until somebody wants to see the rest.
    """

    caption: str
    heads: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    best: int | None = None
    folded: bool = False


class Curve(NamedTuple):
    """A small curve in a box of 400 by 80, the line of a bound where there is one, and both in words."""

    line: str
    bound: str
    says: str


class Mark(NamedTuple):
    """A piece of a text: how strongly it is marked, from 0 to 1, for which of two labels, and that in words."""

    text: str
    strength: float
    positive: bool
    says: str


@dataclass(frozen=True)
class Card:
    """A title, a sentence, facts by name, texts with marks, tables and notes; all is escaped where it becomes HTML.

    ``key`` says for what the two kinds of marks speak.
    """

    title: str
    lead: str = ""
    facts: Mapping[str, str] = field(default_factory=dict)
    grids: Sequence[Grid] = ()
    notes: Sequence[str] = ()
    curve: Curve | None = None
    texts: Mapping[str, Sequence[Mark]] = field(default_factory=dict)
    key: tuple[str, str] | None = None


def html_of(card: Card) -> str:
    """Return a card as HTML that needs nothing else.

    >>> text = html_of(Card("1 < 2", facts={"Trials": "10", "Labels": ""}))
    >>> "1 &lt; 2" in text, "<dt>Trials</dt><dd>10</dd>" in text, "Labels" in text
    (True, True, False)
    """
    return filled("report/templates/card.html", card=card)


def bars(values: Sequence[float], sides: Sequence[bool], most: float | None = None) -> list[Bar]:
    """Return bars for numbers; ``sides``: which of them speak for something.

    A bar is as long as there is room if its number is ``most``, by default the largest.

    >>> bars([2.0, -1.0], [True, False])
    [Bar(bar=100, colour='#0072B2'), Bar(bar=-50, colour='#D55E00')]
    """
    most = most or largest(values) or 1.0
    lengths = [round(100 * max(-1.0, min(1.0, value / most))) for value in values]
    return [Bar(length, FOR if side else AGAINST) for length, side in zip(lengths, sides, strict=True)]


def largest(values: Iterable[float]) -> float:
    """Return the largest size of the numbers that are finite, 0 where there are none."""
    return max((abs(value) for value in values if isfinite(value)), default=0.0)


def filled_columns(grid: Grid) -> Grid:
    """Return a table without the columns in which there is nothing.

    >>> filled_columns(Grid("", ("name", "weight", "note"), [("a", "1", "")])).rows
    [['a', '1']]
    """
    used = [at for at in range(len(grid.heads)) if any(row[at] for row in grid.rows)]
    rows = [[row[at] for at in used] for row in grid.rows]
    return replace(grid, heads=[grid.heads[at] for at in used], rows=rows)


def aligned(values: Sequence[float], digits: int, sign: str = "") -> list[str]:
    """Return numbers of a column with the same decimals, so many digits in the largest; whole ones have none.

    Where a small one would be lost, each is written by itself.

    >>> aligned([12.5, -0.25], 4), aligned([3.0, -1.0], 4, "+"), aligned([8.0, 4.8e-7], 4)
    (['12.50', '-0.25'], ['+3', '-1'], ['8', '4.8e-07'])
    """
    most = largest(values)
    if not all(map(isfinite, values)) or most >= 1e6:
        return [f"{value:{sign}.{digits}g}" for value in values]
    whole = all(float(value).is_integer() for value in values)
    decimals = 0 if whole else max(0, min(6, digits - 1 - floor(log10(most))))
    if any(value and abs(value) < 0.5 * 10.0**-decimals for value in values):
        return [f"{value:{sign}.{digits}g}" for value in values]
    return [f"{value:{sign},.{decimals}f}" for value in values]


def claimed(text: str) -> str:
    """Return a claim with the signs of print.

    >>> claimed("mistakes <= 97")
    'mistakes ≤ 97'
    """
    return text.replace("<=", "≤").replace(">=", "≥")


def counted(count: int, what: str) -> str:
    """Return a number of things.

    >>> counted(1, "mistake"), counted(1200, "trial")
    ('1 mistake', '1,200 trials')
    """
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def told(value: float | None, digits: int = 4) -> str:
    """Return a figure with so many digits, or a dash.

    >>> told(0.25), told(1 / 3, digits=2)
    ('0.2500', '0.33')
    """
    return "\N{EN DASH}" if value is None else f"{value:.{digits}f}"
