"""littlestone sample: a made-up table to try things on."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import click

from littlestone.cli._settings import OneOf, WrongCall

if TYPE_CHECKING:
    from littlestone.streams.samples import Table

__all__ = ["sample"]

KINDS = ("messages", "people")


@click.command(short_help="Write a made-up table to try things on.")
@click.argument("file", type=click.Path(dir_okay=False))
@click.option("--kind", type=OneOf(KINDS), help="What to make up.  [default: by the name of FILE]")
@click.option("--rows", type=click.IntRange(1), default=2000, show_default=True, help="Number of rows.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed: the same one, the same rows.")
@click.option("--overwrite", is_flag=True, help="Write FILE even if there is one with other content.")
def sample(file: str, kind: str | None, rows: int, seed: int, *, overwrite: bool) -> None:
    """Write a made-up table with a header to FILE, such as messages.tsv or people.csv; - is stdout.

    messages: short messages and their class, spam or ham, made from a small grammar; nobody has written them.
    people: numbers and categories, and whether they buy by a rule that is known.

    A name that ends in .csv has commas between cells, any other one tabs; .gz, .bz2, .xz and .zst compress.

    \b
    littlestone sample messages.tsv
    littlestone sample people.csv --rows 10000 --seed 1
    """  # noqa: D301 - \b is click's
    from littlestone.streams.samples import SAMPLES

    table = SAMPLES[_kind(file, kind)](rows, seed=seed)
    if file != "-" and not overwrite:
        _check_free(file, table)
    table.write(file)
    click.echo(f"{'stdout' if file == '-' else file}: {rows:,} rows, {table.made} (seed {seed})", err=True)


def _kind(file: str, kind: str | None) -> str:
    found = kind or next((one for one in KINDS if Path(file).name.lower().startswith(one)), None)
    if found is None:
        raise WrongCall(
            f"{file}: expected a name that begins with {' or '.join(KINDS)}, got another; say what to make up, as in "
            f"--kind {KINDS[0]}"
        )
    return found


def _check_free(file: str, table: Table) -> None:
    """Refuse to write over a file with other content: it may be somebody's own."""
    if not Path(file).is_file():
        return
    new = BytesIO()
    table.write(new, like=file)
    if Path(file).read_bytes() != new.getvalue():
        raise WrongCall(f"{file}: expected a new file, got the name of one that is there; give another, or --overwrite")
