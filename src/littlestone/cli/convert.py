"""littlestone convert: a file in another format."""

from __future__ import annotations

from typing import Any

import click

from littlestone.cli._completion import complete_source
from littlestone.cli._output import print_skipped
from littlestone.cli._settings import OneOf, source_options, stream_of

__all__ = ["convert"]


@click.command(short_help="Write a file of examples in another format.")
@click.argument("source", metavar="IN", shell_complete=complete_source)
@click.argument("target", metavar="OUT", default="-")
@click.argument("settings", nargs=-1, metavar="[KEY=VALUE]...")
@click.option("--to", type=OneOf(["jsonl", "svmlight", "vw"]), help="Format of OUT.  [default: by its suffix]")
@click.option("--unlabelled", is_flag=True, help="Write no labels; IN need not have any.")
@source_options
def convert(source: str, target: str, settings: tuple[str, ...], to: str | None, **options: Any) -> None:
    """Write the examples of IN to OUT in another format: svmlight, Vowpal Wabbit's text, or JSON lines.

    IN is a file, - for stdin, or a built-in stream with its parameters as KEY=VALUE. Without OUT, or with -, the
    examples go to stdout. A name that ends in .gz, .bz2, .xz or .zst is compressed. OUT appears under its name only
    when it is complete.

    \b
    littlestone convert people.csv people.vw.gz --label income
    littlestone convert train.svm --to jsonl | head
    """  # noqa: D301 - \b is click's
    from littlestone.streams import convert as converted

    stream = stream_of(source, options, settings, predicting=options["unlabelled"])
    rows = converted(stream, target, to=to)
    print_skipped(stream)
    if target != "-":
        skipped = f", {stream.skipped:,} bad lines skipped" if stream.skipped else ""
        click.echo(f"{target}: {rows:,} examples{skipped}", err=True)
