"""Which public name a text means by what it calls it, and the link to its page."""

from __future__ import annotations

import inspect
from functools import cache

from docs.building.members import members
from docs.building.names import Name, names

__all__ = ["known", "link"]


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
