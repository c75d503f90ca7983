"""littlestone reproduce: the papers' claims beside what is measured, as a page."""

from __future__ import annotations

import signal
import sys
import textwrap
from contextlib import ExitStack, contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Any, Self

import click

from littlestone.cli._output import call, print_table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from littlestone.papers import Checked, Paper, Result
    from littlestone.papers.runner import Progress

__all__ = ["reproduce"]

FOLDER = "reproduced"
BAR, BESIDE = 20, 40  # letters of the bar, and of all that stands before the words
HEADINGS = ("paper", "result", "verdict", "measured")
SELDOM = 30.0  # seconds between two lines where there is no terminal


@click.command(short_help="Run the experiments of the papers and check every claim.")
@click.argument("paper", required=False)
@click.argument("result", required=False)
@click.option("--quick/--full", "quick", default=True, help="Small sizes, or those of the papers.  [default: quick]")
@click.option("--out", metavar="DIR", help="Folder to write.  [default: reproduced, or reproduced-PAPER-RESULT]")
@click.option("--workers", type=click.IntRange(1), help="Number of processes.  [default: one for each core]")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of everything random.")
@click.option("--list", "listed", is_flag=True, help="List the papers and their results, and run nothing.")
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
@click.pass_context
def reproduce(ctx: click.Context, /, paper: str | None, result: str | None, **options: Any) -> None:
    """Check every claim of the papers, or of one PAPER, or one RESULT of it, and write a page about it.

    The page is DIR/index.html; index.md and results.json have the same content. Each claim gets a verdict, computed
    from the run: confirmed exactly, confirmed statistically, corrected, not confirmed, or not checkable. All papers
    take about three minutes on two cores, and an hour with --full. If LITTLESTONE_DATA names a folder with the real
    data sets, these are used, too.

    Finished results are kept in DIR/cache: after an interrupt the same command continues where it stopped. The numbers
    depend on the seed, not on the number of workers. To use a cluster (any that joblib supports, such as dask), call
    littlestone.papers.reproduce from Python.

    \b
    littlestone reproduce --list
    littlestone reproduce
    littlestone reproduce kivinen_warmuth
    littlestone reproduce kivinen_warmuth theorem-13 --full --out here
    """  # noqa: D301 - \b is click's
    from littlestone import papers
    from littlestone.papers.work import check_joblib

    chosen = papers.selected(paper, result)
    if options["listed"]:
        _list(chosen)
        return
    check_joblib()
    from joblib import cpu_count

    named = [chosen[0][0].key if paper else "", result or ""]
    folder = options["out"] or "-".join(filter(None, [FOLDER, *named]))
    size = {"full": not options["quick"], "seed": options["seed"], "workers": options["workers"] or cpu_count()}
    with Bar(quiet=options["quiet"]) as bar, _terminated():
        try:
            found = papers.reproduce(paper, result, out=folder, **size, on_progress=bar.move, command=call(ctx))
        except KeyboardInterrupt as stop:
            bar.stop()
            click.echo(f"stopped; finished results are kept in {folder}/cache: call again to continue", err=True)
            ctx.exit(143 if isinstance(stop, _Terminated) else 130)
    _print(found, folder)


class Bar:
    """A bar on a terminal that names what runs; elsewhere a line now and then, and none of a short run."""

    def __init__(self, *, quiet: bool) -> None:
        self._stack, self._quiet = ExitStack(), quiet
        self._bar: Any = None
        self._shown = monotonic()

    def __enter__(self) -> Self:
        if not self._quiet and sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

            columns = (BarColumn(BAR), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
            self._bar = self._stack.enter_context(Progress(*columns, console=Console(stderr=True), transient=True))
            self._task = self._bar.add_task("", total=None)
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Remove the bar."""
        self._stack.close()

    def move(self, now: Progress) -> None:
        """Show how far it is."""
        if self._bar is not None:
            room = max(self._bar.console.width - BESIDE, 10)  # if words were longer, rich would cut the numbers too
            words = textwrap.shorten(_words(now), room, placeholder=" …")
            self._bar.update(self._task, completed=now.done, total=now.total, description=words)
        elif not self._quiet and monotonic() - self._shown >= SELDOM:
            self._shown = monotonic()
            click.echo(f"{now.done}/{now.total} {_words(now)}", err=True)


def _words(now: Progress) -> str:
    counts = {"kept": now.reused, "failed": now.failed}
    counted = ", ".join(f"{count} {what}" for what, count in counts.items() if count)
    return (f"({counted}) " if counted else "") + (", ".join(now.running) or "writing the page")


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
    from littlestone.papers.pages import tally

    columns = [(name, {"no_wrap": name == "verdict", "overflow": "fold"}) for name in HEADINGS]
    print_table(columns, ((one.paper.key, one.result.key, str(one.verdict), one.outcome.measured) for one in found))
    click.echo(tally(found))
    click.echo(f"{folder}/index.html")
