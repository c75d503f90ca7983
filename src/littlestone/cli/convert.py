"""littlestone convert: a file in another format."""

from __future__ import annotations

from typing import Any

import click

from littlestone.cli._remedies import typed
from littlestone.cli._settings import source_options, stream_of

__all__ = ["convert"]


@click.command(short_help="Write a file of examples in another format.")
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT", default="-")
@click.argument("settings", nargs=-1, metavar="[KEY=VALUE]...")
@click.option("--to", type=click.Choice(["jsonl", "svmlight", "vw"]), help="Format of OUT.  [default: by its suffix]")
@click.option("--unlabelled", is_flag=True, help="Labels are not there, or are to be left out.")
@source_options
def convert(source: str, target: str, settings: tuple[str, ...], to: str | None, **told: Any) -> None:
    """Write the examples of IN (a file, - for stdin, or a built-in stream) to OUT (- or nothing: stdout).

    OUT is svmlight text, Vowpal Wabbit's, or JSON lines; compressed if its name ends in .gz, .bz2, .xz or .zst. It
    appears when it is whole.

    \b
    littlestone convert people.csv people.vw.gz --label income
    littlestone convert train.svm --to jsonl | head
    """  # noqa: D301 - \b is click's
    from littlestone.streams import convert as converted

    stream = stream_of(source, told, settings, predicting=told["unlabelled"])
    rows = converted(stream, target, to=to)
    for complaint in map(typed, stream.complaints):
        click.echo(f"skipped: {complaint}", err=True)
    if target != "-":
        skipped = stream.skipped
        click.echo(f"{target}: {rows:,} examples{f', {skipped:,} bad lines skipped' if skipped else ''}", err=True)
