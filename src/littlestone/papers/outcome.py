"""Outcome: what the check of one result found. The verdict follows from its comparisons, nobody types it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from littlestone.core.errors import InvalidParameter
from littlestone.papers.comparisons import Comparison, plain

__all__ = ["Figure", "Line", "Outcome", "Table", "Verdict"]

KINDS = ("measured", "theory", "points")


class Verdict(StrEnum):
    """What became of a claim.

    >>> [verdict.value for verdict in Verdict][:3]
    ['confirmed exactly', 'confirmed statistically', 'corrected']
    """

    EXACTLY = "confirmed exactly"
    STATISTICALLY = "confirmed statistically"
    CORRECTED = "corrected"
    NOT_CONFIRMED = "not confirmed"
    NOT_CHECKABLE = "not checkable"


@dataclass(frozen=True)
class Line:
    """One line of a figure: plain numbers. ``low`` and ``high`` are a band.

    A ``kind`` is "measured" (a line), "theory" (a thin broken one) or "points" (marks without a line: a scatter, in
    which the order of the points says nothing).

    >>> from littlestone.papers import Line
    >>> Line("the bound", [100, 1000], [90, 130], kind="theory").y
    [90, 130]
    """

    label: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] | None = None
    high: Sequence[float] | None = None
    kind: str = "measured"

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise InvalidParameter(f"Line {self.label!r}: expected a kind of {', '.join(KINDS)}, got {self.kind!r}")
        lengths = [len(part) for part in (self.x, self.y, self.low, self.high) if part is not None]
        if len(set(lengths)) != 1 or (self.low is None) != (self.high is None):
            raise InvalidParameter(f"Line {self.label!r}: expected as many x as y (and low and high), got {lengths}")


@dataclass(frozen=True)
class Figure:
    """A figure before it is drawn: lines, words, scales ("linear" or "log").

    >>> from littlestone.papers import Figure, Line
    >>> lines = [Line("Winnow", [100, 1000], [31, 46])]
    >>> figure = Figure("Mistakes", "Of Winnow.", "attributes", "mistakes", lines, xscale="log")
    >>> [line.label for line in figure.lines]
    ['Winnow']
    """

    title: str
    caption: str
    xlabel: str
    ylabel: str
    lines: Sequence[Line]
    xscale: str = "linear"
    yscale: str = "linear"


@dataclass(frozen=True)
class Table:
    """A table: its caption, the heads of its columns, its rows; the first cell heads its row.

    >>> from littlestone.papers import Table
    >>> table = Table("Mistakes", ["learner", "mistakes"], [["winnow", 60], ["perceptron", 1608]])
    >>> [row[0] for row in table.rows]
    ['winnow', 'perceptron']
    """

    caption: str
    head: Sequence[str]
    rows: Sequence[Sequence[Any]]


@dataclass(frozen=True)
class Outcome:
    """What was found of one claim.

    Parameters
    ----------
    measured : str
        One sentence of what came out, with its numbers.
    claimed : sequence of Comparison
        The paper's claim against the run. All hold: confirmed. None at all: not checkable, and ``evidence`` says why.
    corrected : sequence of Comparison
        What is true instead, where the claim is refuted: if these all hold and ``erratum`` and ``counterexample`` say
        what is wrong and where it shows first, the verdict is "corrected", else "not confirmed".
    evidence, note : str
        Why it could not be confirmed, or checked; and what else a reader should know.
    tables, figures
        Plain numbers, drawn when the page is made.

    >>> from littlestone.papers.comparisons import equal
    >>> Outcome("4 of 4 trials were mistakes", [equal("mistakes", 4, 4)]).verdict
    <Verdict.EXACTLY: 'confirmed exactly'>
    """

    measured: str
    claimed: Sequence[Comparison] = ()
    corrected: Sequence[Comparison] = ()
    erratum: str = ""
    counterexample: str = ""
    evidence: str = ""
    note: str = ""
    tables: Sequence[Table] = ()
    figures: Sequence[Figure] = ()

    def __post_init__(self) -> None:
        if not self.claimed and not self.evidence:
            raise InvalidParameter(f"Outcome {self.measured!r}: expected comparisons, or evidence that says why not")

    @property
    def verdict(self) -> Verdict:
        """The verdict, from the comparisons alone."""
        if not self.claimed:
            return Verdict.NOT_CHECKABLE
        stands = all(one.holds for one in self.corrected)
        if stands and all(one.holds for one in self.claimed):
            sure = all(one.exact for one in self.claimed)
            return Verdict.EXACTLY if sure else Verdict.STATISTICALLY
        refuted = any(not one.holds and not one.undecided for one in self.claimed)
        explained = self.erratum and self.counterexample and self.corrected
        return Verdict.CORRECTED if refuted and explained and stands else Verdict.NOT_CONFIRMED

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON has it, with the verdict."""
        found: dict[str, Any] = plain(asdict(self))
        return {"verdict": str(self.verdict), **found}

    @classmethod
    def from_dict(cls, found: Mapping[str, Any]) -> Outcome:
        """Return what `as_dict` wrote; the verdict is computed anew."""
        words = {name: found[name] for name in ("measured", "erratum", "counterexample", "evidence", "note")}
        figures = [Figure(**{**one, "lines": [Line(**line) for line in one["lines"]]}) for one in found["figures"]]
        return cls(
            **words,
            claimed=[Comparison(**one) for one in found["claimed"]],
            corrected=[Comparison(**one) for one in found["corrected"]],
            tables=[Table(**one) for one in found["tables"]],
            figures=figures,
        )
