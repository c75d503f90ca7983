"""How a contest is printed: one line for each learner."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from littlestone.cli._output import print_table
from littlestone.cli._remedies import typed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from littlestone.streams import Stream
    from littlestone.theory.contests import Contest, Entry

__all__ = ["bound_cell", "print_contest", "spread_cells"]

LONG = 1e12  # a bound of more would fill the table with digits
ATTRIBUTES = "k: how many attributes the disjunction has that a bound holds the learner against."
ERRORS = (
    "A: its attribute errors, how many values of attributes would have to change for it to give every label "
    "(none, where no A is given)."
)
LOSS = "L: the loss, in this game, of the best expert, which the bound holds a vote of experts against."


def print_contest(played: Contest, source: Stream) -> None:
    """Print the table, and below it how to read it."""
    many, right = bool(played.permutations), {"justify": "right", "no_wrap": True}
    spread = ("mean", "± s.d.", "from the best (95%)") if many else ()
    headings: list[str] = ["mistakes", *spread, "bound", "ratio", "ms"]
    cells = _cells
    if played.measure is not None:
        from littlestone.cli._loss_table import loss_cells, loss_headings

        headings, cells = loss_headings(played), loss_cells
    columns: list[tuple[str, dict[str, Any]]] = [("learner", {"no_wrap": True}), *((name, right) for name in headings)]
    if not many:
        columns.append(("theorem", {}))
    trials = f"{played.trials:,} trials" + (f" after {played.tuning:,} for tuning" if played.tuning else "")
    click.secho(f"{played.stream}: {trials}, {played.attributes:,} attributes", bold=True)
    rows = [cells(played, entry)[: len(columns)] for entry in played.entries]
    print_table(columns, rows)
    for line in _notes(played, rows):
        click.echo(line)
    if source.skipped:
        click.echo(f"{source.skipped:,} bad lines were skipped, the first: {typed(source.complaints[0])}", err=True)


def _notes(played: Contest, rows: list[list[str]]) -> Iterator[str]:
    """Yield what is to be known about the table: who left, who has no bound, what the letters stand for."""
    for (left, why), whose in _reasons(played).items():
        names = ", ".join(whose)
        yield f"{names} left: {why}" if left else f"No bound for {names}: {why}"
    for entry in played.entries:
        if entry.chosen:
            chosen = ", ".join(f"{setting} in {count}" for setting, count in entry.chosen.items())
            yield f"{entry.name}, chosen by the first {played.tuning:,} rows: {chosen}"
    if played.measure is not None:
        from littlestone.cli._loss_table import loss_notes

        yield from loss_notes(played)
    if played.permutations:
        what = "Mistakes" if played.measure is None else "Loss, RMSE and regret"
        yield (
            f"{what}: in the order of the rows. Mean, standard deviation and difference: over "
            f"{played.permutations} permutations (seed {played.seed})."
        )
    theorems = [row[-1] for row in rows] if not played.permutations and played.measure is None else []
    if any("(k=" in theorem for theorem in theorems):
        yield ATTRIBUTES
        yield ERRORS
    if any("(L=" in theorem for theorem in theorems):
        yield LOSS
    if played.hindsight is not None:
        yield f"Fewest attribute errors ({played.hindsight.method}): {played.hindsight}"


def _reasons(played: Contest) -> dict[tuple[bool, str], list[str]]:
    """Return whether learners left or only have no bound, why, and which; a reason that several have comes once."""
    found: dict[tuple[bool, str], list[str]] = {}
    for entry in sorted(played.entries, key=lambda one: one.refused is None):
        if entry.refused is not None:
            found.setdefault((True, str(entry.refused)), []).append(entry.name)
        elif entry.verdict.bound is None:
            found.setdefault((False, str(entry.verdict.why_not)), []).append(entry.name)
    return found


def _cells(played: Contest, entry: Entry) -> list[str]:
    """Return a learner's cells; of permutations the spread, of a single game the theorem."""
    ms = "-" if entry.seconds is None else f"{1000 * entry.seconds:.1f}"
    bound, ratio, theorem = _bound(entry)
    spread = spread_cells(played, entry) if played.permutations else []
    return [entry.name, f"{entry.mistakes:,}" if entry.runs else "-", *spread, bound, ratio, ms, theorem]


def spread_cells(played: Contest, entry: Entry) -> list[str]:
    """Return the mean over the permutations, its spread, and the difference from the best."""
    sample, apart = entry.sample, played.difference(entry)
    if sample is None:
        return ["-", "-", "-"]
    spread = "-" if sample.spread is None else f"{sample.spread:,.1f}"
    if apart is None:
        return [f"{sample.mean:,.1f}", spread, "best"]
    of = apart.sample
    interval = "" if of.low is None or of.high is None else f" ({of.low:+,.1f} to {of.high:+,.1f})"
    return [f"{sample.mean:,.1f}", spread, f"{of.mean:+,.1f}{interval}"]


def bound_cell(value: float | None) -> str:
    """Return a bound as the table has it.

    >>> bound_cell(1234.5), bound_cell(1e15), bound_cell(None)
    ('1,234', '1e+15', '-')
    """
    return "-" if value is None else f"{value:{',.0f' if value < LONG else '.3g'}}"


def _bound(entry: Entry) -> tuple[str, str, str]:
    """Return the bound, the mistakes as a share of it, and the theorem."""
    verdict = entry.verdict
    if verdict.bound is None or not entry.runs:
        return "-", "-", "-"
    value, against = verdict.bound.value, verdict.as_dict()["comparator"]
    if "loss" in against:
        held = f"L={against['loss']:,.1f}"
    else:
        errors = f", A={against['attribute_errors']:,}" if against["attribute_errors"] else ""
        held = f"k={against['k']}{' terms' if 'DNF' in verdict.bound.theorem else ''}{errors}"
    of = "" if verdict.bound.of == "mistakes" else f", on {verdict.bound.of}"
    ratio = f"{entry.runs[0].mistakes / value:.2f}" if value else "-"
    return bound_cell(value), ratio, f"{verdict.bound.theorem} ({held}{of})"
