"""What theorems and public names are called on pages, and how pages lead to them."""

from __future__ import annotations

from littlestone.bounds import STATEMENTS, THEOREMS
from littlestone.bounds.bound import Statement

__all__ = ["api", "paper_of", "theorem", "title"]

# Sources that are not the names of their authors with commas between
TITLES = {
    "cesa_bianchi_conconi_gentile": "Cesa-Bianchi, Conconi, Gentile",
    "kivinen_warmuth_regression": "Kivinen, Warmuth: regression",
    "vovk": "Vovk; Azoury, Warmuth",
    "crammer": "Crammer, Dekel, Keshet, Shalev-Shwartz, Singer",
    "online_to_batch": "On-line to batch: Littlestone; Cesa-Bianchi, Conconi, Gentile",
}


def paper_of(statement: Statement) -> str:
    """Return the file in `littlestone.bounds` that has a theorem."""
    return THEOREMS[statement.name].__module__.rsplit(".", maxsplit=1)[-1]


def title(paper: str) -> str:
    """Return what a paper is called: its authors."""
    return TITLES.get(paper, paper.replace("_", ", ").title())


def api(name: str) -> str:
    """Return a link to the page of a public name: a role of MyST, which a forge shows as code.

    Those of a room of `theory` are public under the name of that room.
    """
    return f"{{py:obj}}`littlestone.{name.removeprefix('theory.')}`"


def theorem(name: str) -> str:
    """Return a link, from a page of theorems, to one of them."""
    return f"[`{name}`]({paper_of(STATEMENTS[name])}.md#{name})"
