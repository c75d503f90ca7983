"""What commands print: JSON, tables as wide as the terminal, skipped lines; and their own call, to be typed again."""

from __future__ import annotations

import errno
import json
import os
import select
import shlex
import sys
from typing import IO, TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from littlestone.cli._remedies import typed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rich.console import Console

    from littlestone.streams import Stream

__all__ = ["call", "check_read", "console", "json_option", "print_json", "print_skipped", "print_table"]

WIDTH = 120  # of output that goes to a file or a pipe
LEAST = 72  # in less, words are cut to pieces: better that the terminal breaks the lines

# What tells rich how to write to a file or a pipe
ASKED_OF_RICH = {"COLUMNS", "FORCE_COLOR", "TTY_COMPATIBLE", "JUPYTER_COLUMNS", "JUPYTER_LINES"}

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")


def print_json(report: Mapping[str, Any]) -> None:
    """Print a report as one line of JSON."""
    click.echo(json.dumps(report, allow_nan=False))


def check_read(out: IO[str]) -> None:
    """Raise BrokenPipeError if nobody reads a pipe any more; who writes seldom would not notice for long."""
    if not hasattr(select, "poll"):
        return
    try:
        number = out.fileno()
    except (OSError, ValueError):  # it is no file of the system's
        return
    watched = select.poll()
    watched.register(number, 0)
    if any(event & select.POLLERR for _, event in watched.poll(0)):
        raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))


def print_skipped(stream: Stream) -> None:
    """Print to stderr what was wrong with the first lines that were skipped."""
    for complaint in stream.complaints:
        click.echo(f"skipped: {typed(complaint)}", err=True)


def print_table(columns: Iterable[tuple[str, dict[str, Any]]], rows: Iterable[Iterable[str]], **how: Any) -> None:
    """Print a table with a line below its headings, each of which comes with rich's options for the column."""
    columns, cells = list(columns), [tuple(row) for row in rows]
    if not how and (lines := _plain_table(columns, cells)) is not None:
        click.echo("\n".join(lines))
        return
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    layout = {"box": SIMPLE_HEAD, "padding": (0, 1, 0, 0), "pad_edge": False, **how}
    table = Table(**layout)
    for heading, options in columns:
        table.add_column(heading, **options)
    for row in cells:
        table.add_row(*row)
    console().print(table, markup=False)


def _plain_table(columns: list[tuple[str, dict[str, Any]]], rows: list[tuple[str, ...]]) -> list[str] | None:
    """Return the lines as rich would write them to a file or a pipe; None where only rich knows, as on a terminal.

    To import rich takes as long as a small file.
    """
    cells = [tuple(heading for heading, _ in columns), *rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    width = sum(widths) + 2 * len(widths)
    simple = all(options.keys() <= {"justify", "no_wrap"} for _, options in columns)
    if not simple or not all(map(_is_plain, (cell for row in cells for cell in row))):
        return None
    if width > WIDTH or not widths[-1]:  # rich breaks lines, and makes room for what is empty
        return None
    if sys.stdout.isatty() or not sys.stdout.encoding.lower().startswith("utf") or os.environ.keys() & ASKED_OF_RICH:
        return None
    right = [options.get("justify") == "right" for _, options in columns]
    lines = [
        "  ".join(cell.rjust(w) if r else cell.ljust(w) for cell, w, r in zip(row, widths, right, strict=True))
        for row in cells
    ]
    blank, rule = " " * width, "\u2500" * (width - 2)
    return [blank, *(f" {line} " for line in (lines[0], rule, *lines[1:])), blank]


def _is_plain(cell: str) -> bool:
    """Tell whether each character takes one place, and none can be an emoji's, which stands between two colons."""
    return cell.isascii() and cell.isprintable() and cell.count(":") < 2 and cell == cell.strip()


def console() -> Console:
    """Return where to print."""
    from rich.console import Console

    made = Console()
    if not made.is_terminal and "COLUMNS" not in os.environ:
        return Console(width=WIDTH)
    return made if made.width >= LEAST else Console(width=LEAST)


def call(ctx: click.Context) -> str:
    """Return the command as it was called, the arguments first."""
    words = ["littlestone", str(ctx.info_name)]
    for param in sorted(ctx.command.params, key=lambda one: isinstance(one, click.Option)):
        name = str(param.name)
        if ctx.get_parameter_source(name) is not ParameterSource.COMMANDLINE:
            continue
        value = ctx.params[name]
        if isinstance(param, click.Option) and param.is_flag:
            words.append(param.opts[-1] if value else param.secondary_opts[-1])
        else:
            for one in value if isinstance(value, tuple) else (value,):
                words += [*param.opts[-1:], str(one)] if isinstance(param, click.Option) else [str(one)]
    return shlex.join(words)
