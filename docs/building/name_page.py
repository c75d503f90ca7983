"""The page of a public name: how it is reached, its signature, its docstring and its members."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from textwrap import indent

from docs.building.called import link
from docs.building.docstrings import body, first_line, inline
from docs.building.members import Member, annotated, members, signature
from docs.building.names import MORE, Name, modules
from docs.building.places import DOCS
from littlestone.bounds import THEOREMS

__all__ = ["name_page", "titled"]

ONE_LINE = "   :single-line-parameter-list:\n"
# The sections of members: their titles, and the kinds that are in them
SECTIONS = {"Made otherwise": ("classmethod", "staticmethod"), "Methods": ("method",), "Properties": ("property",)}


def titled(title: str, line: str = "=") -> str:
    """Return a heading."""
    return f"{title}\n{line * len(title)}\n\n"


def name_page(name: Name) -> str:
    """Return the page of one public name."""
    thing, kind = name.thing, name.kind
    text = _about_data(name) if kind == "data" else body(thing.__doc__, lambda text: link(text, name))
    parts = [titled(name.last), _imported(name), f".. py:currentmodule:: {name.full.rpartition('.')[0]}\n"]
    if name.group.key == "bounds" and (theorem := _theorem(name)):
        text = f"{text}\n\n{theorem}"
    if inspect.isclass(thing):
        parts += [_directive(kind, name.last + _made(thing), text, options=ONE_LINE), _members(name)]
    else:
        parts.append(_directive(kind, name.last + ("" if kind == "data" else signature(thing)), text))
    return "\n".join(parts)


def _theorem(name: Name) -> str:
    """Return a link to the page that has a theorem in mathematics; "" where there is none."""
    page = f"theorems/{name.thing.__module__.rpartition('.')[2]}" if name.kind == "function" else ""
    found = bool(page) and (DOCS / f"{page}.md").is_file()
    return f"In mathematics: :doc:`/{page}`." if found and name.last in THEOREMS else ""


def _imported(name: Name) -> str:
    """Return the line that says how a name is reached."""
    place = name.full.rpartition(".")[0]
    module = modules()[place].__name__
    reached = "" if place in MORE else f"``ls.{name.short}``"
    called = f"``from {module} import {name.last}``"
    group = f":doc:`{name.group.title} <{name.group.key}>`"
    return f".. rst-class:: reached\n\n{' or '.join(filter(None, (reached, called)))} · {group}\n"


def _directive(kind: str, head: str, text: str, *, options: str = "") -> str:
    return f".. py:{kind}:: {head}\n{options}\n{indent(text, '   ')}\n"


def _made(cls: type) -> str:
    """Return how an object of a class is made; nothing is said of those that users do not make."""
    if inspect.isabstract(cls) or getattr(cls, "_is_protocol", False) or issubclass(cls, BaseException):
        return ""
    return signature(cls, types=False).partition(" -> ")[0]


def _about_data(name: Name) -> str:
    module = name.full.rpartition(".")[0]
    keys = [str(key) for key in name.thing] if hasattr(name.thing, "keys") else []
    shown = ", ".join(f"``{key}``" for key in keys)
    value = f"Its keys: {shown}." if keys else f"``{name.thing!r}``" if isinstance(name.thing, int) else ""
    kinds = [link(one.__name__, name) or f"``{one.__name__}``" for one in getattr(name.thing, "__args__", ())]
    value = value or f"One of {', '.join(kinds)}."
    return f"{value}\n\n{body(modules()[module].__doc__, lambda text: link(text, name))}"


def _members(name: Name) -> str:
    """Return the members of a class: its own in full, the others as a table with links to where they are described."""
    found = members(name)
    own = [one for one in found if one.owner is name]
    fields = [_field(name, one) for one in _fields(name.thing)]
    parts = []
    if fields:
        parts.append(titled("Fields", "-") + "\n".join(fields))
    for title, kinds in SECTIONS.items():
        chosen = [one for one in own if one.kind in kinds]
        if chosen:
            parts.append(titled(title, "-") + "\n".join(_member(name, one) for one in chosen))
    others: dict[str, list[Member]] = {}
    for one in found:
        if one.owner is not name:
            others.setdefault(one.owner.full, []).append(one)
    for owner, inherited in others.items():
        parts.append(titled(f"As every {owner.rpartition('.')[2]}", "-") + _table(inherited))
    return "\n".join(parts)


def _fields(cls: type) -> list[str]:
    found: Iterable[str] = getattr(cls, "_fields", None) or getattr(cls, "__dataclass_fields__", None) or ()
    return [one for one in found if not one.startswith("_")]


def _field(name: Name, field: str) -> str:
    kinds = ((place, inspect.get_annotations(place)) for place in name.thing.__mro__)
    shown = next((annotated(kind[field], place.__module__) for place, kind in kinds if field in kind), "")
    return _directive("attribute", f"{name.last}.{field}", "", options=f"   :type: {shown}\n" if shown else "")


def _member(name: Name, one: Member) -> str:
    text = body(one.doc, lambda text: link(text, name))
    if one.kind == "property":
        return _directive("property", f"{name.last}.{one.name}", text)
    option = "" if one.kind == "method" else f"   :{one.kind}:\n"
    taken = signature(one.thing, bound=one.kind != "staticmethod")
    return _directive("method", f"{name.last}.{one.name}{taken}", text, options=option)


def _table(found: Iterable[Member]) -> str:
    rows = "".join(
        f"   * - :py:obj:`{one.name} <{one.owner.full}.{one.name}>`\n     - {inline(first_line(one.doc)) or '..'}\n"
        for one in found
    )
    return f".. list-table::\n   :class: names\n   :widths: 25 75\n\n{rows}\n"
