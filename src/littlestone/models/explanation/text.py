"""Explanations in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from littlestone.learners import Bounded, Learner
from littlestone.models.explanation._linear import Linear
from littlestone.models.explanation.clauses import Clause, Clauses
from littlestone.models.explanation.counting import Counts

if TYPE_CHECKING:
    from littlestone.models.explanation.rules import Evidence, Explanation

__all__ = ["bounded_notes", "clause_notes", "evidence_notes", "lines_of", "number", "table"]

WIDTH = 120


def number(value: Any) -> str:
    """Return a number as people read it.

    >>> number(4.0), number(0.123456789), number(1e300)
    ('4', '0.123457', '1e+300')
    """
    return f"{float(value):.6g}"


def clause_notes(learner: Learner, rule: Linear, found: Clauses) -> list[str]:
    """Return what is not among the clauses, in words."""
    if found.listed and not found.listed[0].attributes:
        return ["The threshold is reached with nothing on."]
    notes = []
    if learner.negations:
        notes.append(
            "Of an attribute and its negation one is on: the heavier is listed, by what it weighs more than the other."
        )
    if found.whole:
        return [*notes, "This is the whole rule.", *_values(learner)]
    rest = []
    if found.cut:
        sizes = " or ".join(map(str, found.cut))
        rest.append(f"there may be more sets of {sizes} attributes than are listed")
    rest.append(f"sets of more than {found.max_size} are not listed")
    if not rule.closed and rule.usual > 0.0:
        rest.append(f"an attribute that has not been seen weighs {number(rule.usual)}")
    if found.least is not None and found.least > 1:
        rest.append(f"fewer than {found.least} are never enough")
    if found.enough is not None:
        rest.append(f"any {found.enough} always are")
    notes.append(f"This is not the whole rule: {', '.join(rest)}.")
    if not all(clause.always for clause in found.listed):
        notes.append("With a slack: enough unless attributes that are on weigh more than that against it.")
    if rule.rounding > 0.0:
        notes.append("Weights are sums of floats: what only just reaches the threshold may miss it by rounding.")
    return [*notes, *_values(learner)]


def _values(learner: Learner) -> list[str]:
    return [] if learner.domain == "Boolean" else ["All this is for attributes that are 0 or 1."]


def evidence_notes(learner: Learner, rule: Linear, counts: Counts | None, more: int, less: int) -> list[str]:
    """Return what the numbers are, in words."""
    notes = []
    if rule.usual > 0.0:
        notes.append(f"For: weights above {number(rule.usual)}, where every attribute begins; against: below it.")
    if more or less:
        notes.append(f"Not listed: {more} more for, {less} more against.")
    if counts is not None:
        passes = f"{counts.passes} passes of " if counts.passes > 1 else ""
        whose = "which leads to this very model" if counts.exact else "which does NOT lead to this model"
        notes.append(f"Counts are from {passes}{counts.examples} examples played again, {whose}.")
    elif rule.exponents is not None and not rule.apart:
        notes.append("net: promotions less demotions of the attribute, exactly.")
    elif rule.exponents is None:
        notes.append("How often each was updated is not kept: give the examples, and they are played again.")
    notes += bounded_notes(learner)
    if learner.averaged:
        notes.append("Weights are means over all trials.")
    return notes


def bounded_notes(learner: Learner) -> list[str]:
    """Return what a bounded learner does not list, in words."""
    notes = []
    if isinstance(learner, Bounded) and (learner.pruned or learner.dropped):
        notes.append(f"{learner.pruned} attributes are pruned (their weight stays 0), {learner.dropped} were dropped.")
    if isinstance(learner, Bounded) and learner.eligible > 1:
        notes.append(
            f"An attribute counts from its example number {learner.eligible} on; those for which the next is too early "
            "are not listed."
        )
    return notes


def lines_of(found: Explanation) -> Iterator[str]:
    """Yield the lines of an explanation."""
    trials = f"{found.trials} trial{'' if found.trials == 1 else 's'}"
    counted = f"{found.mistakes} mistakes, {found.promotions} promotions, {found.demotions} demotions"
    if found.kind == "numbers":
        counted = f"{found.promotions} updates upwards, {found.demotions} downwards"
    yield f"{found.learner} after {trials}: {counted}; {found.attributes} attributes"
    if found.kind == "numbers" and found.constant is not None:
        yield f"The constant is {number(found.constant)}; in the outcome's unit, a value of 1"
    if found.theta is not None:
        constant = f", the constant weighs {number(found.constant)}" if found.constant else ""
        yield f"The threshold is {number(found.theta)}{constant}."
    positive = 1 if found.labels is None else found.labels[-1]  # of many classes there may be only one so far
    if found.clauses is not None and found.clauses.listed and found.clauses.listed[0].attributes:
        yield f"Predict {positive!s} if these are on:"
        yield from table([_clause(clause) for clause in found.clauses.listed])
    elif found.clauses is not None and not found.clauses.listed:
        yield f"No {found.clauses.max_size} attributes or fewer are enough to predict {positive!s}."
    yield from _heading(found, positive)
    headings = ("raises it by:", "lowers it by:") if found.kind == "numbers" else ("For:", "Against:")
    for heading, side in zip(headings, (found.supports, found.opposes), strict=True):
        yield from _side(heading, side)
    if found.conjunctions:
        yield {"boxes": "Boxes:", "disjunctions": "The most probable disjunction:"}.get(found.kind, "Conjunctions:")
        joined = (" or " if found.kind == "disjunctions" else " and ").join
        listed = [(joined(map(str, one.literals)) or "(the empty one)", one.weight) for one in found.conjunctions]
        yield from table([(literals, number(weight)) for literals, weight in listed])
    for label, up, down in found.classes:
        yield f"Class {label!s}"
        yield from _side("  For:", up)
        yield from _side("  Against:", down)
    scales = (
        f"{one.name} counts in standard deviations ({one.deviation:.6g}) from its mean ({one.mean:.6g})."
        for one in found.scales
    )
    for note in (*found.notes, *scales):
        yield from wrap(note, WIDTH)


def _heading(found: Explanation, positive: Any) -> Iterator[str]:
    """Yield whose weights follow, of what is no one linear rule."""
    if found.kind == "classes" and (found.classes or found.supports or found.opposes):
        whose = f"Weights of {found.whose}, the best of the experts" if found.whose else "Weights"
        yield f"{whose}, {'class by class' if found.classes else f'for {positive!s} and against it'}:"


def _clause(clause: Clause) -> tuple[str, ...]:
    slack = "" if clause.always else f"slack {number(clause.slack)}"
    holds = "" if clause.holds is None else f"in {clause.holds} examples"
    return " and ".join(map(str, clause.attributes)), number(clause.weight), slack, holds


def _side(heading: str, side: Sequence[Evidence]) -> Iterator[str]:
    if side:
        yield heading
        yield from table([(str(one.attribute), number(one.weight), *_counted(one)) for one in side])


def _counted(one: Evidence) -> list[str]:
    if one.promotions is None:
        return [] if one.net is None else [f"net {one.net:+d}"]
    counted = [f"{one.promotions} promotions", f"{one.demotions} demotions"]
    return counted if one.on is None else [*counted, f"on in {one.on}"]


def table(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """Yield rows of words in columns: the first to the left, numbers to the right."""
    columns = max(map(len, rows))
    full = [(*row, *[""] * (columns - len(row))) for row in rows]
    widths = [max(len(row[i]) for row in full) for i in range(columns)]
    for row in full:
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        yield f"  {'  '.join(cells)}".rstrip()
