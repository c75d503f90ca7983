"""All pages of the site: those that are written, and those that are made of the code."""

from __future__ import annotations

from docs.building.api import api_pages
from docs.building.commands import command_pages
from docs.building.staging import Pages, gathered

__all__ = ["pages"]

# Pages below others that a forge shows too, where a table of contents in the text would look odd
BELOW = {"learners.md": ("which-learner",), "command-line.md": ("commands/index",)}


def pages() -> Pages:
    """Return every page by its place in the site."""
    found = gathered()
    for page, below in BELOW.items():
        text = found[page]
        assert isinstance(text, str)
        found[page] = text + "\n```{toctree}\n:hidden:\n\n" + "\n".join(below) + "\n```\n"
    return found | api_pages() | command_pages()
