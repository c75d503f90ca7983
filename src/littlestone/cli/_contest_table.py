"""How a contest is printed: one line a learner."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from littlestone.cli._remedies import typed
from littlestone.cli._table import console, plain_table

if TYPE_CHECKING:
    from littlestone.streams import Stream
    from littlestone.theory.contests import Contest, Entry

__all__ = ["print_contest"]

LONG = 1e12  # a bound of more would fill the table with digits


def print_contest(played: Contest, source: Stream) -> None:
    """Print the table, and below it what it needs."""
    table = plain_table(_title(played))
    table.add_column("learner", no_wrap=True)
    many = ("mean", "± s.d.", "from the best (95%)") if played.permutations else ()
    for heading in ("mistakes", *many, "bound", "ratio", "ms"):
        table.add_column(heading, justify="right", no_wrap=True)
    if not many:
        table.add_column("theorem (k attributes, A attribute errors)", overflow="fold")
    for entry in played.entries:
        counts = [f"{entry.mistakes:,}"] if entry.runs else ["-"]
        spread = _spread(played, entry) if many else []
        ms = "-" if entry.seconds is None else f"{1000 * entry.seconds:.1f}"
        bound, ratio, why = _bound(entry)
        table.add_row(entry.name, *counts, *spread, bound, ratio, ms, *([] if many else [why]))
    printer = console()
    printer.print(table)
    for entry in played.entries:
        if many and entry.refused is not None:
            click.echo(f"{entry.name} left: {entry.refused}")
        if entry.chosen:
            chosen = ", ".join(f"{setting} in {count}" for setting, count in entry.chosen.items())
            click.echo(f"{entry.name}, chosen by the first {played.tuning:,} rows: {chosen}")
    if played.permutations:
        click.echo(
            "Mistakes in the order of the rows; mean, deviation and difference over "
            f"{played.permutations} permutations (seed {played.seed})."
        )
    if played.hindsight is not None:
        best = played.hindsight
        printer.print(f"Fewest attribute errors ({best.method}): {best}", highlight=False, soft_wrap=True)
    skipped = source.skipped
    if skipped:
        click.echo(f"{skipped:,} bad lines were skipped, the first: {typed(source.complaints[0])}", err=True)


def _title(played: Contest) -> str:
    trials = f"{played.trials:,} trials" + (f" after {played.tuning:,} for tuning" if played.tuning else "")
    return f"{played.stream}: {trials}, {played.attributes:,} attributes"


def _spread(played: Contest, entry: Entry) -> list[str]:
    sample, apart = entry.sample, played.difference(entry)
    if sample is None:
        return ["-", "-", "-"]
    spread = "-" if sample.spread is None else f"{sample.spread:,.1f}"
    if apart is None:
        return [f"{sample.mean:,.1f}", spread, "best"]
    of = apart.sample
    interval = "" if of.low is None or of.high is None else f" ({of.low:+,.1f} to {of.high:+,.1f})"
    return [f"{sample.mean:,.1f}", spread, f"{of.mean:+,.1f}{interval}"]


def _bound(entry: Entry) -> tuple[str, str, str]:
    from rich.markup import escape

    verdict = entry.verdict
    told = verdict.as_dict()
    if verdict.bound is None or not entry.runs:
        return "-", "-", f"[dim]({escape(verdict.why_not or '')})[/]"
    value, against = verdict.bound.value, told["comparator"]
    if "loss" in against:
        held = f"L={against['loss']:,.1f}"
    else:
        errors = f", A={against['attribute_errors']:,}" if against["attribute_errors"] else ""
        held = f"k={against['k']}{' terms' if 'DNF' in verdict.bound.theorem else ''}{errors}"
    of = "" if verdict.bound.of == "mistakes" else f", on {verdict.bound.of}"
    ratio = f"{entry.runs[0].mistakes / value:.2f}" if value else "-"
    shown = f"{value:{',.0f' if value < LONG else '.3g'}}"
    return shown, ratio, f"{verdict.bound.theorem} [dim]({held}{of})[/]"
