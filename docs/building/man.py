"""Man pages of the command line, in .cache/man: python -m docs.building.man."""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime
from pathlib import Path
from textwrap import fill

from docs.building.commands import Command, commands
from docs.building.places import MAN
from littlestone import __version__

__all__ = ["man_page", "man_pages", "write"]

ROFF = {"\\": r"\e", "-": r"\-", "'": r"\(aq", "`": r"\(ga", "^": r"\(ha", "~": r"\(ti"}
STATUS = (
    ("0", "All went well."),
    ("1", "The data or a file is wrong."),
    ("2", "The call is wrong."),
)


def escaped(text: str) -> str:
    r"""Return text that roff shows as it is.

    >>> escaped(".5 -l")
    '\\&.5 \\-l'
    """
    plain = "".join(ROFF.get(one, one) for one in text)
    return re.sub(r"^(?=\.)", r"\\&", plain, flags=re.MULTILINE)


def filled(text: str) -> str:
    """Return a paragraph in lines that are not too long, as roff shows it."""
    return escaped(fill(text, 72, break_long_words=False, break_on_hyphens=False))


def day() -> str:
    """Return the day that the pages are of: today, or that of SOURCE_DATE_EPOCH, where a build is to be repeated."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    return str(datetime.fromtimestamp(int(epoch), UTC).date() if epoch else datetime.now(UTC).date())


def man_pages() -> dict[str, str]:
    """Return all pages by the names of their files."""
    found = commands()
    return {f"{one.title.replace(' ', '-')}.1": man_page(one, found) for one in found}


def man_page(command: Command, all_of: tuple[Command, ...]) -> str:
    """Return the page of a command."""
    title = command.title.replace(" ", "-")
    short = next((text for _, text in command.says), "") if not command.name else command.short
    lines = [
        f'.TH {escaped(title.upper())} 1 "{day()}" "littlestone {__version__}" "littlestone"',
        ".SH NAME",
        filled(f"{title} - {short.rstrip('.')}"),
        ".SH SYNOPSIS",
        f".B {escaped(command.usage)}",
        ".SH DESCRIPTION",
    ]
    for at, (example, text) in enumerate(command.says):
        lines += [".PP"] if at else []
        lines += [".RS 4", ".nf", escaped(text), ".fi", ".RE"] if example else [filled(text)]
    if not command.name:
        lines.append(".SH COMMANDS")
        for one in all_of[1:]:
            lines += [".TP", f"\\fB{escaped(one.title.replace(' ', '-'))}\\fR(1)", filled(one.short)]
    lines.append(".SH OPTIONS")
    for head, says in command.options:
        lines += [".TP", option(head), filled(says)]
    lines.append(".SH EXIT STATUS")
    for code, says in STATUS:
        lines += [".TP", f"\\fB{code}\\fR", escaped(says)]
    others = [one.title.replace(" ", "-") for one in all_of if one is not command and (command.name or one.name)]
    seen = others[:1] if command.name else others
    lines += [".SH SEE ALSO", ",\n".join(f".BR {escaped(one)} (1)" for one in seen).replace(" (1),", " (1),")]
    return "\n".join(lines) + "\n"


def option(head: str) -> str:
    """Return the head of an option: its names bold, what it takes in italics."""
    taken = re.sub(r"\b([A-Z][A-Z=_]+)\b", r"\\fI\1\\fR", escaped(head))
    return re.sub(r"(?<![\w\\])(\\-[\w\\-]*)", r"\\fB\1\\fR", taken)


def write(folder: Path) -> None:
    """Write all pages to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, page in man_pages().items():
        (folder / name).write_text(page, encoding="utf-8")


if __name__ == "__main__":
    write(MAN)
