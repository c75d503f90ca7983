"""The commands of the command line, read off click; and a page of the site for each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from inspect import cleandoc
from textwrap import indent

import click

from docs.building.docstrings import inline
from docs.building.staging import Pages
from littlestone.cli import GROUPS, main

__all__ = ["PROGRAM", "Command", "command_pages", "commands"]

PROGRAM = "littlestone"
WIDTH = 100


@dataclass(frozen=True)
class Command:
    """A command: its usage, what it does in paragraphs, of which some are examples, and its options."""

    name: str
    usage: str
    short: str
    says: tuple[tuple[bool, str], ...]  # whether it is an example, as it stands; the text
    options: tuple[tuple[str, str], ...]  # as --help has them

    @property
    def title(self) -> str:
        """How it is called: `littlestone train`."""
        return f"{PROGRAM} {self.name}".strip()


def commands() -> tuple[Command, ...]:
    """Return all commands, the program itself first."""
    top = click.Context(main, info_name=PROGRAM, terminal_width=WIDTH, max_content_width=WIDTH, **main.context_settings)
    found = [_read("", main, top)]
    for name in main.list_commands(top):
        command = main.get_command(top, name)
        assert command is not None
        found.append(_read(name, command, click.Context(command, info_name=name, parent=top)))
    return tuple(found)


def _read(name: str, command: click.Command, ctx: click.Context) -> Command:
    usage = " ".join(command.get_usage(ctx).removeprefix("Usage:").split())
    texts = [command.help or "", command.epilog or ""]
    records = (one.get_help_record(ctx) for one in command.get_params(ctx) if isinstance(one, click.Option))
    options = tuple((head, " ".join(says.split())) for head, says in filter(None, records))
    return Command(name, usage, command.get_short_help_str(WIDTH), tuple(_parts("\n\n".join(texts))), options)


def _parts(text: str) -> Iterator[tuple[bool, str]]:
    """Yield the paragraphs of a help text; those that click leaves as they are begin with its mark."""
    for part in re.split(r"\n\s*\n", cleandoc(text)):
        if part.strip():
            kept = part.startswith("\b")
            yield kept, part.removeprefix("\b\n") if kept else " ".join(part.split())


def page_of(command: Command) -> str:
    """Return the page of a command, as Sphinx names it."""
    return f"commands/{command.name or PROGRAM}"


def command_pages() -> Pages:
    """Return a page a command, and the list of all by what they are for."""
    pages: Pages = {f"{page_of(one)}.rst": command_page(one) for one in commands()}
    return pages | {"commands/index.rst": index_page()}


def marked(text: str) -> str:
    """Return a sentence of a help text for a page: options, commands and settings as code."""
    coded = re.sub(r"(?<![\w`-])(--?[a-zA-Z][\w-]*|[A-Z]+=[A-Z]+)(?![\w`])", r"``\1``", text)
    return inline(re.sub(r"docs/[\w/-]+\.md", r"`\g<0>`", coded), _page)


def _page(text: str) -> str | None:
    found = re.fullmatch(r"docs/([\w/-]+)\.md", text)
    return f":doc:`{text} </{found[1]}>`" if found else None


def command_page(command: Command) -> str:
    """Return the page of a command."""
    parts = [f"{command.title}\n{'=' * len(command.title)}\n", f".. program:: {command.title}\n"]
    parts.append(f".. code-block:: text\n\n   {command.usage}\n")
    for example, text in command.says:
        parts.append(f".. code-block:: console\n\n{indent(text, '   ')}\n" if example else f"{marked(text)}\n")
    parts.append("Options\n-------\n")
    parts += [f".. option:: {head}\n\n   {marked(says)}\n" for head, says in command.options]
    return "\n".join(parts)


def index_page() -> str:
    """Return the list of all commands."""
    found = {one.name: one for one in commands()}
    title = "All commands"
    parts = [f"{title}\n{'=' * len(title)}\n"]
    parts.append("What ``--help`` says, a page a command. ``make man`` writes the same as man pages.\n")
    placed = {name for names in GROUPS.values() for name in names}
    groups = GROUPS | {"Others": tuple(name for name in found if name and name not in placed)}
    for head, names in groups.items():
        if names:
            rows = "".join(f"   * - :doc:`{name} <{name}>`\n     - {marked(found[name].short)}\n" for name in names)
            parts.append(f"{head}\n{'-' * len(head)}\n\n.. list-table::\n   :class: names\n   :widths: 20 80\n\n{rows}")
    tree = "\n".join(f"   {one.title} <{one.name or PROGRAM}>" for one in found.values())
    return "\n".join(parts) + f"\n.. toctree::\n   :hidden:\n\n{tree}\n"
