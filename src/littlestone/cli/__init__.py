"""The command line: one file a command; parse, call one library function, print."""

from __future__ import annotations

import gc
import os
import sys
from importlib import import_module
from pkgutil import iter_modules
from textwrap import shorten
from typing import Any

import click

from littlestone import __version__
from littlestone.cli._remedies import typed
from littlestone.cli._settings import WrongCall, beside
from littlestone.core.errors import InvalidParameter, LittlestoneError, UnknownSize
from littlestone.core.messages import did_you_mean, install
from littlestone.core.spelling import meant

__all__ = ["main"]

# Libraries that NumPy may be built with each start a thread a core at its import, and no command uses these.
ONE_THREAD = tuple(f"{name}_NUM_THREADS" for name in ("OPENBLAS", "OMP", "MKL", "BLIS"))
RARELY = (
    20_000  # objects between two looks for garbage: modules are none, and to look at them takes a part of the start
)

# What commands are for, as the help lists them; one that is in no group comes last
GROUPS = {
    "Learn from data": ("train", "predict", "follow", "evaluate", "explain", "compare"),
    "Models and data": ("inspect", "prune", "convert", "sample"),
    "Serve models": ("serve", "key", "ask", "journal"),
    "Learners and theory": ("learners", "bound", "duel", "reproduce"),
}
SERVED = {"httptools", "httpx", "msgspec", "starlette", "uvicorn"}  # what the extra "serve" brings
FIRST = """\b
littlestone sample messages.tsv
littlestone train messages.tsv -m model.npz
littlestone predict model.npz messages.tsv"""


class _Commands(click.Group):
    """The commands are the modules here, imported when they are called; the others' errors are one line on stderr.

    Exit codes: 0; 1 where the data or a file is wrong; 2 where the call is.
    """

    def main(self, *args: Any, **more: Any) -> Any:
        """Run a command; in a new process NumPy starts without threads, unless the caller asks for some."""
        if "numpy" not in sys.modules:
            gc.set_threshold(RARELY)
            for name in ONE_THREAD:
                os.environ.setdefault(name, "1")
        return super().main(*args, **more)

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return sorted(module.name for module in iter_modules(__path__) if not module.name.startswith("_"))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        found: click.Command = getattr(import_module(f"{__name__}.{cmd_name}"), cmd_name)
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that was meant; refuse a word that is none, and say which are spelled nearly so."""
        known, word = self.list_commands(ctx), args[0] if args else ""
        if word and not word.startswith("-") and word not in known and not ctx.resilient_parsing:
            name = meant(word, known)
            if name is None:
                remedy = did_you_mean(word.lower(), known) or "littlestone --help lists them"
                raise click.UsageError(f"No such command {word!r}: {remedy}", ctx)
            args = [name, *args[1:]]
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands by what they are for, a line each."""
        left = self.list_commands(ctx)
        groups = {title: [name for name in names if name in left] for title, names in GROUPS.items()}
        placed = {name for names in groups.values() for name in names}
        groups["Others"] = [name for name in left if name not in placed]
        width = max(map(len, left))
        room = formatter.width - width - 6  # less both margins, and what is between the columns
        for title, names in groups.items():
            if names:
                with formatter.section(title):
                    found = ((name, self.get_command(ctx, name)) for name in names)
                    lines = ((name, shorten(one.get_short_help_str(), room)) for name, one in found if one)
                    formatter.write_dl([(f"{name:{width}}", line) for name, line in lines])

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except LittlestoneError as error:
            wrong_call = isinstance(error, InvalidParameter | UnknownSize)
            command = self.get_command(ctx, ctx.invoked_subcommand or "")
            raise (WrongCall if wrong_call else click.ClickException)(typed(error, command)) from error
        except ModuleNotFoundError as error:
            if error.name in SERVED:
                said = f"{ctx.invoked_subcommand}: expected {error.name}, which is not installed; {install('serve')}"
                raise click.ClickException(said) from error
            if error.name != "numba":
                raise
            raise click.ClickException(str(error)) from error
        except MemoryError as error:
            raise click.ClickException(f"there is not enough memory for this ({error}); ask for less") from error
        except BrokenPipeError:  # whoever read our output has had enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(0)
        except OSError as error:
            name = "" if error.filename is None else f"{error.filename}: "
            close = beside(error.filename) if isinstance(error, FileNotFoundError) and name else ""
            raise click.ClickException(f"{name}{error.strerror or error}{close}") from error


@click.group(
    cls=_Commands, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]}, epilog=FIRST
)
@click.version_option(__version__, prog_name="littlestone")
@click.pass_context
def main(ctx: click.Context) -> None:
    """On-line learning of linear threshold functions, with guarantees.

    littlestone COMMAND --help says more about a command.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
