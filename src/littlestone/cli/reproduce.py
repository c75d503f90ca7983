"""littlestone reproduce: the papers' claims beside what is measured, as a page."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Self

import click

if TYPE_CHECKING:
    from littlestone.papers.runner import Checked, Progress

__all__ = ["reproduce"]

FOLDER = "reproduced"


@click.command(short_help="Check the papers: every figure and theorem beside what is measured, as a page.")
@click.argument("paper", required=False)
@click.argument("result", required=False)
@click.option("--quick/--full", "quick", default=True, help="Small sizes, or the papers'.  [default: quick]")
@click.option("--out", metavar="DIR", help="The folder of the page.  [default: reproduced, or reproduced-PAPER-RESULT]")
@click.option("--workers", type=click.IntRange(1), help="How many processes.  [default: one a core]")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of all that is random.")
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
@click.pass_context
def reproduce(
    ctx: click.Context, paper: str | None, result: str | None, *, quick: bool, out: str | None, workers: int | None,
    seed: int, quiet: bool,
) -> None:  # fmt: skip
    """Check every claim of the papers, or of one PAPER, or one RESULT, and write DIR/index.html.

    Beside the page there are index.md and results.json. Each claim gets a verdict, computed from the run: confirmed
    exactly, confirmed statistically, corrected, not confirmed, or not checkable. --full takes the sizes of the papers,
    and hours.

    What is finished is kept in DIR/cache: the same command after an interrupt goes on where it stopped. Numbers depend
    on the seed, not on the number of workers.

    \b
    littlestone reproduce
    littlestone reproduce kivinen_warmuth
    littlestone reproduce kivinen_warmuth theorem-13 --full --out here
    """  # noqa: D301 - \b is click's
    from littlestone import papers
    from littlestone.cli._spoken import spoken
    from littlestone.papers.runner import check_joblib

    papers.selected(paper, result)
    check_joblib()
    from joblib import cpu_count

    folder = out or "-".join(filter(None, [FOLDER, paper, result]))
    with _Bar(quiet=quiet) as bar:
        try:
            found = papers.reproduce(
                paper, result, out=folder, full=not quick, seed=seed, workers=workers or cpu_count(),
                on_progress=bar.move, command=spoken(ctx),
            )  # fmt: skip
        except KeyboardInterrupt:
            bar.stop()
            click.echo(f"stopped; what is finished is kept in {folder}/cache, and the same command goes on", err=True)
            ctx.exit(130)
    _print(found, folder)


class _Bar:
    """A bar on a terminal that names what runs; elsewhere nothing."""

    def __init__(self, *, quiet: bool) -> None:
        self._stack, self._quiet = ExitStack(), quiet or not sys.stderr.isatty()
        self._bar: Any = None

    def __enter__(self) -> Self:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        if not self._quiet:
            columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
            self._bar = self._stack.enter_context(Progress(*columns, console=Console(stderr=True), transient=True))
            self._task = self._bar.add_task("", total=None)
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Take the bar away."""
        self._stack.close()

    def move(self, now: Progress) -> None:
        """Show how far it is."""
        if self._bar is not None:
            words = ", ".join(now.running) or "writing the page"
            kept = f" ({now.reused} kept from before)" if now.reused else ""
            self._bar.update(self._task, completed=now.done, total=now.total, description=words + kept)


def _print(found: list[Checked], folder: str) -> None:
    from rich.markup import escape

    from littlestone.cli._table import console, plain_table
    from littlestone.papers.words import tally

    table = plain_table()
    for name in ("paper", "result", "verdict", "measured"):
        table.add_column(name, no_wrap=name == "verdict", overflow="fold")
    for one in found:
        table.add_row(*map(escape, (one.paper.key, one.result.key, str(one.verdict), one.outcome.measured)))
    console().print(table)
    click.echo(tally(found))
    click.echo(f"{folder}/index.html")
