"""The pages of the API: one a public name, one a group of names, and the index of all."""

from __future__ import annotations

import inspect
from collections.abc import Iterable

from docs.building.called import link
from docs.building.docstrings import body, first_line, inline
from docs.building.name_page import name_page, titled
from docs.building.names import GROUPS, Group, Name, modules, names, page_of
from docs.building.staging import Pages
from littlestone.learners.purposes import by_purpose
from littlestone.learners.register import COMPOSITES, LEARNERS

__all__ = ["api_pages"]

HEAD = """API
===

Everything that ``import littlestone as ls`` offers, and what its modules do. Each name has a page with its parameters
and an example.
"""


def api_pages() -> Pages:
    """Return all pages of the API by their place in the site."""
    found: Pages = {f"{page_of(name)}.rst": name_page(name) for name in names()}
    found |= {f"api/{group.key}.rst": group_page(group) for group in GROUPS}
    found["api/index.rst"] = index_page()
    return found


def within(group: Group) -> list[Name]:
    """Return the names of a group: those at the top first, classes before functions, by the alphabet."""
    kinds = ("class", "function", "exception", "data")
    found = [name for name in names() if name.group is group]
    return sorted(found, key=lambda one: (one.short.rpartition(".")[0], kinds.index(one.kind), one.last.lower()))


def _listed(found: Iterable[Name]) -> str:
    """Return a table of names with what each is."""
    rows = "".join(f"   * - :py:obj:`{one.last} <{one.full}>`\n     - {_summary(one) or '..'}\n" for one in found)
    return f".. list-table::\n   :class: names\n   :widths: 30 70\n\n{rows}\n" if rows else ""


def _summary(name: Name) -> str:
    if name.kind == "data":
        return "Data."
    return inline(first_line(name.thing.__doc__))


def group_page(group: Group) -> str:
    """Return the page of a group: its names with a line each, by purpose or by module."""
    found = within(group)
    parts = [titled(group.title), f"{group.says.replace('`', '``')}\n"]
    if group.key == "learners":
        parts += _learners(found)
    else:
        parts.append(_listed(name for name in found if "." not in name.short))
        for shown, module in modules().items():
            inner = [name for name in found if name.full.rpartition(".")[0] == shown and shown != "littlestone"]
            if inner:
                head = titled(shown.removeprefix("littlestone."), "-") if len(parts) else ""
                said = body(module.__doc__, link)
                parts.append(f"{head}.. py:module:: {shown}\n\n{said}\n\n{_listed(inner)}")
    pages = "\n".join(f"   {name.last} <{page_of(name).removeprefix('api/')}>" for name in found)
    return "\n".join(parts) + f"\n.. toctree::\n   :hidden:\n\n{pages}\n"


def _learners(found: list[Name]) -> list[str]:
    by_class = {name.thing: name for name in found if inspect.isclass(name.thing)}
    parts = [
        titled(purpose.title, "-") + _listed(by_class.pop(LEARNERS[key]) for key in purpose.names)
        for purpose in by_purpose(LEARNERS)
    ]
    parts.append(titled("Learners around others", "-") + _listed(by_class.pop(COMPOSITES[key]) for key in COMPOSITES))
    left = [name for name in found if not inspect.isclass(name.thing) or name.thing in by_class]
    return [*parts, titled("What learners share, and how to find one", "-") + _listed(left)]


def index_page() -> str:
    """Return the index: all groups, and all learners at once."""
    rows = []
    for group in GROUPS:
        shown = ", ".join(f":py:obj:`{name.last} <{name.full}>`" for name in within(group))
        head = titled(f":doc:`{group.title} <{group.key}>`", "-")
        rows.append(f"{head}{group.says.replace('`', '``')}\n\n.. rst-class:: many\n\n{shown}\n")
    tree = "\n".join(f"   {group.key}" for group in GROUPS)
    return f"{HEAD}\n" + "\n".join(rows) + f"\n.. toctree::\n   :hidden:\n\n{tree}\n"
