"""All pages of the site: those that are written, and those that are made of the code."""

from __future__ import annotations

import re
from posixpath import dirname, join, normpath

from docs.building.api import api_pages
from docs.building.commands import command_pages
from docs.building.staging import Pages, gathered

__all__ = ["pages"]

# Pages below others that a forge shows too, where a table of contents in the text would look odd
BELOW = {"learners.md": ["which-learner"], "command-line.md": ["commands/index"]}


def pages() -> Pages:
    """Return every page by its place in the site."""
    found = gathered()
    for place, page in found.items():
        if isinstance(page, str) and (below := BELOW.get(place) or contents(place, page, found)):
            found[place] = page + "\n```{toctree}\n:hidden:\n\n" + "\n".join(below) + "\n```\n"
    return found | api_pages() | command_pages()


def contents(place: str, page: str, found: Pages) -> list[str]:
    """Return what belongs below the index of a folder that says nothing of it: its pages, and the indexes of folders.

    They stand in the order in which the index links to them; those that it does not link to come last.

    >>> contents("a/index.md", "[c](c.md), [b](b/index.md#x)", {"a/b/index.md": "", "a/c.md": "", "a/d.md": ""})
    ['c', 'b/index', 'd']
    """
    folder = dirname(place)
    if not folder or not place.endswith("/index.md") or "{toctree}" in page:
        return []
    inside = [one for one in found if one != place and one.endswith(".md") and folder in (dirname(one), around(one))]
    linked = [normpath(join(folder, link)) for link in re.findall(r"\]\(([^)#\s]+)", page)]
    order = {one: at for at, one in reversed(list(enumerate(linked)))}
    inside.sort(key=lambda one: (order.get(one, len(linked)), one))
    return [one.removeprefix(f"{folder}/").removesuffix(".md") for one in inside]


def around(place: str) -> str | None:
    """Return the folder whose index is above that of another folder."""
    return dirname(dirname(place)) if place.endswith("/index.md") else None
