"""The pages of the API: one a public name, one a group of names, and the index of all."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from functools import cache
from textwrap import indent

from docs.building.docstrings import body, first_line, inline
from docs.building.members import Member, annotated, members, signature
from docs.building.names import GROUPS, Group, Name, modules, names, page_of
from docs.building.staging import Pages
from littlestone.learners.purposes import by_purpose
from littlestone.learners.register import COMPOSITES, LEARNERS

__all__ = ["api_pages", "known", "link"]

HEAD = """API
===

Everything that ``import littlestone as ls`` offers, and what its modules do. Each name has a page with its parameters
and an example.
"""


@cache
def _known() -> dict[str, Name | None]:
    """Return the names by every way in which a text may call them; None for what may be several things."""
    found: dict[str, Name | None] = {}
    for name in names():
        for called in {name.full, name.short, f"ls.{name.short}", name.last}:
            found[called] = None if called in found and called == name.last else name
    for name in names():  # what stands at the top is meant by its bare name
        if "." not in name.short:
            found[name.short] = name
        home = getattr(name.thing, "__module__", "") if name.kind != "data" else ""
        found.setdefault(f"{home}.{name.last}", name)
        found.setdefault(f"{home}.{name.last}".removeprefix("littlestone."), name)
    return found


def known(text: str) -> Name | None:
    """Return the public name that a text calls by its name, or None where it is none, or may be several."""
    return _known().get(text)


def link(text: str, near: Name | None = None) -> str | None:
    """Return a link to the page of what a text calls by its name, or None where it is no public name."""
    bare = text.removesuffix("()")
    name = None
    if near is not None:
        module = near.full.rpartition(".")[0]
        name = _known().get(f"{module}.{bare}") if module != "littlestone" else None
        if inspect.isclass(near.thing) and any(one.name == bare for one in members(near)):
            owner = next(one.owner for one in members(near) if one.name == bare)
            return f":py:obj:`{text} <{owner.full}.{bare}>`"
    name = name or _known().get(bare)
    if name is not None:
        return f":py:obj:`{text} <{name.full}>`"
    head, _, last = bare.rpartition(".")
    holder = _known().get(head)
    if holder is not None and inspect.isclass(holder.thing):
        found = next((one for one in members(holder) if one.name == last), None)
        return None if found is None else f":py:obj:`{text} <{found.owner.full}.{last}>`"
    return None


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


def titled(title: str, line: str = "=") -> str:
    """Return a heading."""
    return f"{title}\n{line * len(title)}\n\n"


def name_page(name: Name) -> str:
    """Return the page of one public name."""
    thing, kind = name.thing, name.kind
    parts = [titled(name.last), _imported(name), f".. py:currentmodule:: {name.full.rpartition('.')[0]}\n"]
    if kind == "data":
        parts.append(_directive("data", name.last, _about_data(name)))
    elif inspect.isclass(thing):
        parts.append(_directive(kind, name.last + _made(thing), body(thing.__doc__, lambda text: link(text, name))))
        parts.append(_members(name))
    else:
        text = body(thing.__doc__, lambda text: link(text, name))
        parts.append(_directive("function", name.last + signature(thing), text))
    return "\n".join(parts)


def _imported(name: Name) -> str:
    """Return the line that says how a name is reached."""
    place = name.full.rpartition(".")[0]
    module = modules()[place].__name__
    reached = f"``ls.{name.short}``" if place == "littlestone" or place.count(".") == 1 else ""
    if reached and module.split(".")[1:2] in (["sklearn"], ["river"]):
        reached = ""
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
    for title, kinds in (("Made otherwise", ("classmethod", "staticmethod")), ("Methods", ("method",)), ("Properties", ("property",))):
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
    names = getattr(cls, "__match_args__", ()) if hasattr(cls, "_fields") or hasattr(cls, "__dataclass_fields__") else ()
    found = getattr(cls, "_fields", None) or getattr(cls, "__dataclass_fields__", None) or names
    return [one for one in found if not one.startswith("_")]


def _field(name: Name, field: str) -> str:
    kinds = ((place, inspect.get_annotations(place)) for place in name.thing.__mro__)
    shown = next((annotated(kind[field], place.__module__) for place, kind in kinds if field in kind), "")
    return _directive("attribute", f"{name.last}.{field}", "", options=f"   :type: {shown}\n" if shown else "")


def _member(name: Name, one: Member) -> str:
    text = body(one.doc, lambda text: link(text, name))
    if one.kind == "property":
        return _directive("property", f"{name.last}.{one.name}", text)
    kind, option = {"classmethod": ("method", "   :classmethod:\n"), "staticmethod": ("method", "   :staticmethod:\n")}.get(
        one.kind, ("method", "")
    )
    taken = signature(one.thing, bound=one.kind != "staticmethod")
    return _directive(kind, f"{name.last}.{one.name}{taken}", text, options=option)


def _table(found: Iterable[Member]) -> str:
    rows = "".join(
        f"   * - :py:obj:`{one.name} <{one.owner.full}.{one.name}>`\n     - {inline(first_line(one.doc)) or '..'}\n" for one in found
    )
    return f".. list-table::\n   :class: names\n   :widths: 25 75\n\n{rows}\n"


def _listed(found: Iterable[Name]) -> str:
    """Return a table of names with what each is."""
    rows = "".join(
        f"   * - :py:obj:`{one.last} <{one.full}>`\n     - {_summary(one) or '..'}\n" for one in found
    )
    return f".. list-table::\n   :class: names\n   :widths: 30 70\n\n{rows}\n" if rows else ""


def _summary(name: Name) -> str:
    if name.kind == "data":
        return "Data."
    return inline(first_line(name.thing.__doc__), lambda text: None)


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
