"""The command line: one file a command; parse, call one library function, print."""

import click

from littlestone import __version__
from littlestone.cli.bound import bound
from littlestone.cli.compare import compare
from littlestone.cli.duel import duel
from littlestone.errors import LittlestoneError

__all__ = ["main"]


class _Commands(click.Group):
    """Commands whose errors are one line on stderr: exit code 1 for what littlestone refuses, 2 for a wrong call."""

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except LittlestoneError as error:
            raise click.ClickException(str(error)) from error
        except MemoryError as error:
            raise click.ClickException(f"there is not enough memory for this ({error}); ask for less") from error


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="littlestone")
def main() -> None:
    """On-line learning of linear threshold functions, with guarantees."""


main.add_command(bound)
main.add_command(compare)
main.add_command(duel)
