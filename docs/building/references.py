"""Links that nobody writes: public names in the code of a page lead to their pages in the API."""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx

from docs.building.called import known

__all__ = ["setup"]

NAME = re.compile(r"(?:ls\.|littlestone\.)?([A-Za-z_][\w.]*)(?:\(\))?")
NOWHERE = (nodes.reference, nodes.title, pending_xref)


def _names(doctree: nodes.document) -> None:
    """Let links to names lead to the one page that describes each; a type that is no public name gets none."""
    for node in list(doctree.findall(pending_xref)):
        if node.get("refdomain") == "py":
            name = known(node["reftarget"]) if node["reftarget"].startswith("littlestone.") else None
            if name is not None:
                node["reftarget"] = name.full
            elif node["reftype"] == "class":  # Sphinx would guess one
                node.replace_self(addnodes.desc_sig_name("", node["reftarget"]))


def _code(app: Sphinx, doctree: nodes.document) -> None:
    """Make a link of each piece of code that is a public name, as `Winnow` or `ls.play`."""
    for node in list(doctree.findall(nodes.literal)):
        match = NAME.fullmatch(node.astext())
        name = known(node.astext().removesuffix("()")) if match else None
        capital = match is not None and (match[1][0].isupper() or node.astext().startswith("ls."))
        if name is None or not capital or isinstance(node.parent, NOWHERE):
            continue
        page = app.env.docname
        reference = pending_xref(
            "", refdomain="py", reftype="obj", reftarget=name.full, refexplicit=True, refwarn=True, refdoc=page
        )
        node.replace_self(reference)
        reference += node


def _read(app: Sphinx, doctree: nodes.document) -> None:
    _names(doctree)
    if not app.env.docname.startswith("api/"):  # there links are made with the page
        _code(app, doctree)


def setup(app: Sphinx) -> dict[str, Any]:
    """Tell Sphinx whom to ask."""
    app.connect("doctree-read", _read)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
