"""What a class has for its users: which members, of which kind, and on which page each is described."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from docs.building.names import Name, names
from docs.building.types import qualified

__all__ = ["Member", "annotated", "members", "signature"]

MARKS: dict[Any, str] = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}


@dataclass(frozen=True)
class Member:
    """A member of a class: where it is defined, and the public class whose page describes it."""

    name: str
    thing: Any
    owner: Name

    @property
    def kind(self) -> str:
        """What Sphinx calls it."""
        if isinstance(self.thing, property | cached_property):
            return "property"
        if isinstance(self.thing, classmethod):
            return "classmethod"
        if isinstance(self.thing, staticmethod):
            return "staticmethod"
        return "method" if inspect.isroutine(self.thing) else "attribute"

    @property
    def doc(self) -> str | None:
        """Its docstring."""
        plain = self.kind == "attribute"
        return None if plain else inspect.getdoc(getattr(self.owner.thing, self.name, self.thing)) or self.thing.__doc__


def members(name: Name) -> list[Member]:
    """Return the public members of a class, its own and those that it inherits, in the order of their definitions."""
    cls, found = name.thing, {}
    for place in cls.__mro__:
        if not place.__module__.startswith("littlestone"):
            continue
        for key, thing in vars(place).items():
            documented = inspect.isroutine(thing) or isinstance(thing, property | cached_property | classmethod)
            if key.startswith("_") or key in found or not (documented or isinstance(thing, staticmethod)):
                continue
            if getattr(getattr(thing, "__func__", thing), "__module__", "littlestone").startswith("littlestone"):
                found[key] = Member(key, thing, _owner(place, cls, name))
    return list(found.values())


def _owner(place: type, cls: type, name: Name) -> Name:
    """Return the most basic public class that has what ``place`` defines: its page describes it."""
    public = {id(one.thing): one for one in names() if inspect.isclass(one.thing)}
    holders = [public[id(one)] for one in cls.__mro__ if id(one) in public and place in one.__mro__]
    return holders[-1] if holders else name


def signature(thing: Any, *, bound: bool = False, types: bool = True) -> str:
    """Return the parameters of a function, a method or a class as they are written; "()" where Python knows none."""
    function = getattr(thing, "__func__", thing)
    try:
        found = inspect.signature(function)
    except (TypeError, ValueError):
        return "()"
    taken = list(found.parameters.values())
    if bound and taken and taken[0].kind in (taken[0].POSITIONAL_ONLY, taken[0].POSITIONAL_OR_KEYWORD):
        del taken[0]
    module = getattr(function, "__module__", "")
    kept = [one.replace(annotation=_annotation(one.annotation, module) if types else one.empty) for one in taken]
    returned = _annotation(found.return_annotation, module) if types else found.empty
    return _shown(found.replace(parameters=kept, return_annotation=returned))


def annotated(found: Any, module: str) -> str:
    """Return an annotation as it is written in a module, with public classes by their full names."""
    shown = found if isinstance(found, str) else getattr(found, "__forward_arg__", None)
    return qualified(shown or inspect.formatannotation(found), module)


def _annotation(found: Any, module: str) -> Any:
    return found if found is inspect.Signature.empty else annotated(found, module)


def _shown(found: inspect.Signature) -> str:
    parts, starred = [], False
    for one in found.parameters.values():
        if one.kind == one.KEYWORD_ONLY and not starred:
            parts.append("*")
            starred = True
        starred = starred or one.kind == one.VAR_POSITIONAL
        mark = MARKS.get(one.kind, "")
        kind = "" if one.annotation is one.empty else f": {one.annotation}"
        default = "" if one.default is one.empty else f"{' = ' if kind else '='}{_default(one.default)}"
        parts.append(f"{mark}{one.name}{kind}{default}")
    returned = found.return_annotation
    return f"({', '.join(parts)})" + ("" if returned is found.empty else f" -> {returned}")


def _default(value: Any) -> str:
    if inspect.isroutine(value) or inspect.isclass(value):
        return str(value.__name__)
    shown = repr(value)
    return "..." if len(shown) > 60 or " at 0x" in shown else shown
