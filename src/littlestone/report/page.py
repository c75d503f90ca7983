"""A page: a template filled in, as one HTML file that needs nothing else."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = ["filled", "page"]

ROOT = Path(__file__).parents[1]  # templates are named from here: "report/templates/base.html"


def page(template: str, *, title: str, footer: str = "", **values: Any) -> str:
    """Return a page: a template of the package with these values in it, which are escaped.

    Templates extend "report/templates/base.html", the skeleton of all pages; what they share is in "parts.html" beside
    it. A value that a template asks for and nobody gives is an error.

    >>> values = {"lead": "", "known": {"Trials": "10"}, "command": "", "drawn": [], "theorem": ""}
    >>> text = page("report/templates/run.html", title="Winnow & I", **values)
    >>> "<h1>Winnow &amp; I</h1>" in text, "<dt>Trials</dt><dd>10</dd>" in text
    (True, True)
    """
    return filled(template, title=title, footer=footer, **values)


def filled(template: str, **values: Any) -> str:
    """Return a template of the package with these values in it, which are escaped."""
    return _templates().get_template(template).render(**values)


@cache
def _templates() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(ROOT),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
