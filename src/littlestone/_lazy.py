"""Names that are imported when they are asked for (PEP 562)."""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

__all__ = ["importer"]


def importer(package: str, places: Mapping[str, str]) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a package whose names live in other modules; a place that is "" is the module."""

    def find(name: str) -> Any:
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        place = places[name]
        found = getattr(import_module(place), name) if place else import_module(f"{package}.{name}")
        setattr(sys.modules[package], name, found)
        return found

    return find
