"""Theorems about mistakes, each a function of numbers that returns a `Bound`. All of them are in `THEOREMS`.

A theorem is registered by its file, one a paper. Nothing else is to be written down: every file here is imported;
``make stubs`` writes the names for type checkers.
"""

from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from littlestone.bounds.bound import THEOREMS
from littlestone.core.lazy import importer, in_order

_PLACES = {
    "agarwal": "optimal_eta",
    "bound": "STATEMENTS THEOREMS Bound OpenBound Statement",
    "fang_venkatesh": "directed_drift_growth",
    "inverse": "Needed needed",
    "ledger": "Ledger theorem3_ledger theorem4_ledger",
    "on_streams": "on_stream",
}
_HOME = {name: f"littlestone.bounds.{place}" for place, names in _PLACES.items() for name in names.split()}

for _found in iter_modules(__path__):
    import_module(f"littlestone.bounds.{_found.name}")


def _otherwise(name: str) -> Any:
    return in_order([*_HOME, *THEOREMS]) if name == "__all__" else THEOREMS.get(name)


__getattr__ = importer("littlestone.bounds", _HOME, otherwise=_otherwise)


def __dir__() -> list[str]:
    return [*__getattr__("__all__"), *globals()]
