"""What is seen of littlestone reproduce on stderr while it runs."""

from __future__ import annotations

import sys
import textwrap
from contextlib import ExitStack
from time import monotonic
from typing import TYPE_CHECKING, Any, Self

import click

if TYPE_CHECKING:
    from littlestone.papers.runner import Progress

__all__ = ["Bar"]

BAR, BESIDE = 20, 40  # letters of the bar, and of all that stands before the words
SELDOM = 30.0  # seconds between two lines where there is no terminal


class Bar:
    """A bar on a terminal that names what runs; elsewhere a line now and then, and none of a short run."""

    def __init__(self, *, quiet: bool) -> None:
        self._stack, self._quiet = ExitStack(), quiet
        self._bar: Any = None
        self._told = monotonic()

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
        """Take the bar away."""
        self._stack.close()

    def move(self, now: Progress) -> None:
        """Show how far it is."""
        if self._bar is not None:
            room = max(self._bar.console.width - BESIDE, 10)  # if words were longer, rich would cut the numbers too
            words = textwrap.shorten(_words(now), room, placeholder=" …")
            self._bar.update(self._task, completed=now.done, total=now.total, description=words)
        elif not self._quiet and monotonic() - self._told >= SELDOM:
            self._told = monotonic()
            click.echo(f"{now.done}/{now.total} {_words(now)}", err=True)


def _words(now: Progress) -> str:
    counts = {"kept": now.reused, "failed": now.failed}
    told = ", ".join(f"{count} {what}" for what, count in counts.items() if count)
    return (f"({told}) " if told else "") + (", ".join(now.running) or "writing the page")
