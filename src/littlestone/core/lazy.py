"""Names that are imported when they are asked for (PEP 562)."""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Any

__all__ = ["importer"]


def importer(
    package: str, places: Mapping[str, str], modules: Mapping[str, str] = MappingProxyType({})
) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a package: ``places`` has the module of each name, ``modules`` names of modules."""

    def find(name: str) -> Any:
        if name in modules:
            found = import_module(modules[name])
        elif name in places:
            found = getattr(import_module(places[name]), name)
        else:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        setattr(sys.modules[package], name, found)
        return found

    return find
