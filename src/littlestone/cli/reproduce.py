"""littlestone reproduce: the papers' claims beside what is measured, as a page."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Iterator

    from littlestone.papers import Checked, Paper, Result

__all__ = ["reproduce"]

FOLDER = "reproduced"


@click.command(short_help="Check the papers: every figure and theorem beside what is measured, as a page.")
@click.argument("paper", required=False)
@click.argument("result", required=False)
@click.option("--quick/--full", "quick", default=True, help="Small sizes, or the papers'.  [default: quick]")
@click.option("--out", metavar="DIR", help="The folder of the page.  [default: reproduced, or reproduced-PAPER-RESULT]")
@click.option("--workers", type=click.IntRange(1), help="How many processes.  [default: one a core]")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of all that is random.")
@click.option("--list", "listed", is_flag=True, help="Print the papers and their results, and run nothing.")
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
@click.pass_context
def reproduce(
    ctx: click.Context, paper: str | None, result: str | None, *, quick: bool, out: str | None, workers: int | None,
    seed: int, listed: bool, quiet: bool,
) -> None:  # fmt: skip
    """Check every claim of the papers, or of one PAPER, or one RESULT, and write DIR/index.html.

    Beside the page there are index.md and results.json. Each claim gets a verdict, computed from the run: confirmed
    exactly, confirmed statistically, corrected, not confirmed, or not checkable. All papers take about three minutes on
    two cores, and an hour with --full, which takes the papers' sizes. Real data is used where LITTLESTONE_DATA names
    its folder.

    What is finished is kept in DIR/cache: the same command after an interrupt goes on where it stopped. Numbers depend
    on the seed, not on the number of workers. A cluster that joblib knows, such as one of dask, can do the work if it
    is asked from Python: help(littlestone.papers.reproduce).

    \b
    littlestone reproduce --list
    littlestone reproduce
    littlestone reproduce kivinen_warmuth
    littlestone reproduce kivinen_warmuth theorem-13 --full --out here
    """  # noqa: D301 - \b is click's
    from littlestone import papers
    from littlestone.cli._reproduce_bar import Bar
    from littlestone.cli._spoken import spoken
    from littlestone.papers.work import check_joblib

    chosen = papers.selected(paper, result)
    if listed:
        _list(chosen)
        return
    check_joblib()
    from joblib import cpu_count

    named = [chosen[0][0].key if paper else "", result or ""]
    folder = out or "-".join(filter(None, [FOLDER, *named]))
    with Bar(quiet=quiet) as bar, _terminated():
        try:
            found = papers.reproduce(
                paper, result, out=folder, full=not quick, seed=seed, workers=workers or cpu_count(),
                on_progress=bar.move, command=spoken(ctx),
            )  # fmt: skip
        except KeyboardInterrupt as stop:
            bar.stop()
            click.echo(f"stopped; what is finished is kept in {folder}/cache, and the same command goes on", err=True)
            ctx.exit(143 if isinstance(stop, _Terminated) else 130)
    _print(found, folder)


class _Terminated(KeyboardInterrupt):
    """SIGTERM has come."""


@contextmanager
def _terminated() -> Iterator[None]:
    """Stop at SIGTERM as at an interrupt: what is being written is written or taken away."""

    def stop(*_: object) -> None:
        raise _Terminated

    try:
        before = signal.signal(signal.SIGTERM, stop)
    except ValueError:  # not the main thread: nothing to take
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _list(chosen: list[tuple[Paper, Result]]) -> None:
    """Print what can be asked for, a paper's results below it."""
    width = max(len(result.key) for _, result in chosen)
    for paper in dict.fromkeys(paper.key for paper, _ in chosen):
        own = [(one, result) for one, result in chosen if one.key == paper]
        click.echo(f"{paper}: {own[0][0].title}")
        for _, result in own:
            click.echo(f"  {result.key:{width}}  {result.title}")


def _print(found: list[Checked], folder: str) -> None:
    from rich.markup import escape

    from littlestone.cli._table import console, plain_table
    from littlestone.papers.pages import tally

    table = plain_table()
    for name in ("paper", "result", "verdict", "measured"):
        table.add_column(name, no_wrap=name == "verdict", overflow="fold")
    for one in found:
        table.add_row(*map(escape, (one.paper.key, one.result.key, str(one.verdict), one.outcome.measured)))
    console().print(table)
    click.echo(tally(found))
    click.echo(f"{folder}/index.html")
