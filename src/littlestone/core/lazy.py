"""Names that are imported when they are asked for (PEP 562)."""

import sys
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Any

__all__ = ["importer", "in_order"]


def importer(
    package: str,
    places: Mapping[str, str],
    modules: Mapping[str, str] = MappingProxyType({}),
    otherwise: Callable[[str], Any] | None = None,
) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a package: ``places`` has the module of each name, ``modules`` names of modules.

    ``otherwise`` is asked for any other name, and returns None where there is no such thing; ``__all__`` are the names
    of ``places`` and ``modules``, unless it returns others.
    """

    def find(name: str) -> Any:
        found: Any
        if name in modules:
            found = import_module(modules[name])
        elif name in places:
            found = getattr(import_module(places[name]), name)
        else:
            found = None if otherwise is None else otherwise(name)
            if found is None and name == "__all__":
                found = in_order([*places, *modules])
            if found is None:
                raise AttributeError(f"module {package!r} has no attribute {name!r}")
        setattr(sys.modules[package], name, found)
        return found

    return find


def in_order(names: Iterable[str]) -> list[str]:
    """Return names in the order of an ``__all__``: constants, classes, then all others.

    >>> in_order(["play", "Winnow", "ALMA", "Auto"])
    ['ALMA', 'Auto', 'Winnow', 'play']
    """
    return sorted(set(names), key=lambda name: (not name.isupper(), not name[0].isupper(), name))
