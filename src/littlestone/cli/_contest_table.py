"""How a contest is printed: one line for each learner."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from littlestone.cli._output import print_table
from littlestone.cli._remedies import typed

if TYPE_CHECKING:
    from littlestone.streams import Stream
    from littlestone.theory.contests import Contest, Entry

__all__ = ["print_contest"]

LONG = 1e12  # a bound of more would fill the table with digits


def print_contest(played: Contest, source: Stream) -> None:
    """Print the table, and below it how to read it."""
    many, right = bool(played.permutations), {"justify": "right", "no_wrap": True}
    spread = ("mean", "± s.d.", "from the best (95%)") if many else ()
    headings = ("mistakes", *spread, "bound", "ratio", "ms")
    columns: list[tuple[str, dict[str, Any]]] = [("learner", {"no_wrap": True}), *((name, right) for name in headings)]
    if not many:
        columns.append(("theorem (k attributes, A attribute errors)", {"overflow": "fold"}))
    trials = f"{played.trials:,} trials" + (f" after {played.tuning:,} for tuning" if played.tuning else "")
    title = f"{played.stream}: {trials}, {played.attributes:,} attributes"
    print_table(columns, (_cells(played, entry)[: len(columns)] for entry in played.entries), title, markup=True)
    for entry in played.entries:
        if many and entry.refused is not None:
            click.echo(f"{entry.name} left: {entry.refused}")
        if entry.chosen:
            chosen = ", ".join(f"{setting} in {count}" for setting, count in entry.chosen.items())
            click.echo(f"{entry.name}, chosen by the first {played.tuning:,} rows: {chosen}")
    if many:
        click.echo(
            "Mistakes: in the order of the rows. Mean, standard deviation and difference: over "
            f"{played.permutations} permutations (seed {played.seed})."
        )
    if played.hindsight is not None:
        click.echo(f"Fewest attribute errors ({played.hindsight.method}): {played.hindsight}")
    if source.skipped:
        click.echo(f"{source.skipped:,} bad lines were skipped, the first: {typed(source.complaints[0])}", err=True)


def _cells(played: Contest, entry: Entry) -> list[str]:
    """Return a learner's cells; of permutations the spread, of a single game the theorem."""
    ms = "-" if entry.seconds is None else f"{1000 * entry.seconds:.1f}"
    bound, ratio, theorem = _bound(entry)
    spread = _spread(played, entry) if played.permutations else []
    return [entry.name, f"{entry.mistakes:,}" if entry.runs else "-", *spread, bound, ratio, ms, theorem]


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
    """Return the bound, the mistakes as a share of it, and the theorem; or why there is none."""
    from rich.markup import escape

    verdict = entry.verdict
    if verdict.bound is None or not entry.runs:
        return "-", "-", f"[dim]({escape(verdict.why_not or '')})[/]"
    value, against = verdict.bound.value, verdict.as_dict()["comparator"]
    if "loss" in against:
        held = f"L={against['loss']:,.1f}"
    else:
        errors = f", A={against['attribute_errors']:,}" if against["attribute_errors"] else ""
        held = f"k={against['k']}{' terms' if 'DNF' in verdict.bound.theorem else ''}{errors}"
    of = "" if verdict.bound.of == "mistakes" else f", on {verdict.bound.of}"
    ratio = f"{entry.runs[0].mistakes / value:.2f}" if value else "-"
    return f"{value:{',.0f' if value < LONG else '.3g'}}", ratio, f"{verdict.bound.theorem} [dim]({held}{of})[/]"
