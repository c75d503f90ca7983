"""How tables are printed: plain lines, as wide as the terminal, and wide enough to be read where there is none."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

__all__ = ["console", "plain_table"]

WIDTH = 120  # of output that goes to a file or a pipe
LEAST = 72  # in less, words are cut to pieces: better that the terminal breaks the lines


def console() -> Console:
    """Return where to print."""
    from rich.console import Console

    made = Console()
    if not made.is_terminal and "COLUMNS" not in os.environ:
        return Console(width=WIDTH)
    return made if made.width >= LEAST else Console(width=LEAST)


def plain_table(title: str | None = None) -> Table:
    """Return a table with a line below its head and nothing else."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    return Table(
        title=title, title_justify="left", title_style="bold", box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False
    )
