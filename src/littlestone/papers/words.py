"""How numbers, comparisons and parameters are written on the pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from littlestone.papers.comparisons import Comparison
from littlestone.papers.outcome import Verdict
from littlestone.papers.runner import Checked

__all__ = ["agreement", "duration", "intro", "number", "parameters", "tally"]

HUGE = 10**300  # beyond it floats end
LONG = 160  # letters: a list of more is cut
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
        return ", ".join(map(_listed, value))
    if isinstance(value, Mapping):
        return ", ".join(f"{name}: {number(one)}" for name, one in value.items())
    return str(value)


def _listed(value: Any) -> str:
    """Return a value as it stands in a list, where a comma ends it."""
    return number(value).replace(",", "") if isinstance(value, int | float) else number(value)


def short(value: Any) -> str:
    """Return a value in few letters."""
    text = number(value)
    return text if len(text) <= LONG else text[: LONG - 2] + " …"


def agreement(one: Comparison) -> tuple[str, str, str, str]:
    """Return a comparison as cells: what, measured (with its interval), relation and expected, whether it holds.

    >>> agreement(Comparison("mistakes / bound", 1.0, "<=", 1.000000001, holds=True))
    ('mistakes / bound', '1', '<= 1.000000001', 'yes')
    """
    measured, expected = _apart(one.measured, one.expected)
    if one.low is not None and one.high is not None:
        measured += f" ({number(one.low)} to {number(one.high)})"
    holds = "yes" if one.holds else "undecided" if one.undecided else "NO"
    return one.what, measured, f"{one.relation} {expected}", holds


def _apart(one: Any, other: Any) -> tuple[str, str]:
    """Return two values in few letters, numbers with as many digits as it takes to tell them apart."""
    found = short(one), short(other)
    numbers = all(isinstance(value, int | float) and abs(value) < HUGE for value in (one, other))
    if numbers and one != other and found[0] == found[1]:
        several = ((f"{one:,.{digits}g}", f"{other:,.{digits}g}") for digits in range(5, 18))
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
