"""The page of results as HTML, and how numbers, comparisons and parameters are written on any page of results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from decimal import Decimal
from itertools import groupby
from typing import Any

from littlestone.papers.checklist import NOTHING, met
from littlestone.papers.comparisons import Comparison
from littlestone.papers.drawing import drawn
from littlestone.papers.outcome import Verdict
from littlestone.papers.runner import Checked
from littlestone.papers.store import versions
from littlestone.report.figure import Drawn
from littlestone.report.page import page

__all__ = ["agreement", "duration", "intro", "number", "parameters", "tally", "web_page"]

HUGE = 10**300  # beyond it floats end
LONG = 160  # letters: a list of more is cut
NEAR = 9  # digits of numbers that are equal but for a tolerance: by later ones machines and versions differ
MEANING = """
Every verdict is computed from the run. Confirmed exactly: all comparisons of whole numbers, rationals or sequences
hold, without chance; for a statement about all cases that is a check of the cases named, not a proof. Confirmed
statistically: the claim lies within 5 standard errors of the mean of independent runs, or a difference is larger than
that; the interval is shown.

Corrected: the claim as printed fails, and not by chance, the smallest counterexample found is shown, and what is said
instead holds. Not confirmed: it fails and we do not know what was meant, or chance could explain the difference
(undecided). Not checkable: no run can decide it.

A reference is a number that was found beforehand by other code, from the same definitions: it checks the run, not the
paper.
"""


def number(value: Any) -> str:
    """Return a value as it is read: whole numbers in full, others with four digits.

    >>> number(16384), number(0.123456), number([1, 2.5, 1027.0]), number(1027.0), number(2**2000)
    ('16,384', '0.1235', '1, 2.5, 1027', '1,027', '1.148e+602')
    """
    if value is None:
        return "\N{EN DASH}"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        if abs(value) >= HUGE:
            return f"{Decimal(value):.3e}"
        return f"{value:,}" if abs(value) < 10**15 else f"{value:.4g}"
    if isinstance(value, float):
        if 1000 <= abs(value) < 1e15:
            return f"{value:,.0f}" if value.is_integer() else f"{value:,.1f}"
        return f"{value:.4g}"
    if isinstance(value, list | tuple):
        return ", ".join(number(one).replace(",", "") if isinstance(one, int | float) else number(one) for one in value)
    if isinstance(value, Mapping):
        return ", ".join(f"{name}: {number(one)}" for name, one in value.items())
    return str(value)


def short(value: Any) -> str:
    """Return a value in few letters."""
    text = number(value)
    return text if len(text) <= LONG else text[: LONG - 2] + " …"


def agreement(one: Comparison) -> tuple[str, str, str, str]:
    """Return a comparison as cells: what, measured (with its interval), relation and expected, whether it holds.

    >>> agreement(Comparison("mistakes / bound", 1.0, "<=", 1.000000001, holds=True))
    ('mistakes / bound', '1', '<= 1.000000001', 'yes')
    """
    near = one.holds and one.relation.startswith("= within")
    measured, expected = _apart(one.measured, one.expected, NEAR if near else 17)
    if one.low is not None and one.high is not None:
        measured += f" ({number(one.low)} to {number(one.high)})"
    holds = "yes" if one.holds else "undecided" if one.undecided else "NO"
    return one.what, measured, f"{one.relation} {expected}", holds


def _apart(one: Any, other: Any, most: int) -> tuple[str, str]:
    """Return two values in few letters, numbers with as many digits as it takes to tell them apart, if so many do."""
    found = short(one), short(other)
    numbers = all(isinstance(value, int | float) and abs(value) < HUGE for value in (one, other))
    if numbers and one != other and found[0] == found[1]:
        several = ((f"{one:,.{digits}g}", f"{other:,.{digits}g}") for digits in range(5, most + 1))
        return next((pair for pair in several if pair[0] != pair[1]), found)
    return found


def parameters(chosen: Mapping[str, Any]) -> str:
    """Return parameters in one line."""
    return ", ".join(f"{name}={short(value)}" for name, value in chosen.items()) or "none"


def duration(seconds: float) -> str:
    """Return a time.

    >>> duration(0.04), duration(75.0)
    ('0.0 s', '1 min 15 s')
    """
    return f"{seconds:.1f} s" if seconds < 60 else f"{int(seconds) // 60} min {int(seconds) % 60} s"


def tally(found: Sequence[Checked]) -> str:
    """Return how many results have which verdict."""
    counts = Counter(one.verdict for one in found)
    parts = ", ".join(f"{counts[verdict]} {verdict}" for verdict in Verdict if counts[verdict])
    return f"{len(found)} result{'' if len(found) == 1 else 's'}: {parts}."


def intro() -> list[str]:
    """Return what the verdicts mean, a paragraph each."""
    return MEANING.strip().split("\n\n")


WORDS = {call.__name__: call for call in (agreement, duration, intro, number, parameters, tally)}


def web_page(found: Sequence[Checked], command: str = "") -> str:
    """Return the page of these results; the same results give the same bytes."""
    wrong = [one for one in found if one.verdict is Verdict.CORRECTED]
    checklist = list(met(found))
    parts = {
        "summary": "Summary",
        **({"errata": "Errata"} if wrong else {}),
        **({"checklist": "Checklist"} if checklist else {}),
        "verdicts": "What the verdicts mean",
        "contents": "Contents",
    }
    return page(
        "papers/templates/papers.html",
        title="The papers, reproduced",
        footer="Made by littlestone reproduce.",
        papers=[(paper, list(own)) for paper, own in groupby(found, key=lambda one: one.paper)],
        found=found,
        wrong=wrong,
        checklist=checklist,
        nothing=NOTHING,
        parts=parts,
        known=_known(found),
        command=command,
        drawn_of=_figures,
        **WORDS,
    )


def _figures(one: Checked) -> list[Drawn]:
    return [drawn(figure, f"{one.anchor}-{at}") for at, figure in enumerate(one.outcome.figures)]


def _known(found: Sequence[Checked]) -> dict[str, str]:
    return {
        "Sizes": "full: those of the papers" if found[0].full else "quick: smaller than the papers', see each result",
        "Seed": str(found[0].seed),
        "Time": f"{duration(sum(one.seconds for one in found))} of one core",
        "Versions": ", ".join(f"{name} {value}" for name, value in versions().items()),
    }
