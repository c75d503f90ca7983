"""Theorems about mistakes and losses, each a function of numbers that returns a `Bound`. All of them are in `THEOREMS`.

A theorem is registered by its file, one a paper, which is imported when the theorem is asked for by its name; with
`THEOREMS` all of them are. Nothing else is to be written down; ``make stubs`` writes the names for type checkers.

`STATEMENTS` has what each assumes and says.

>>> from littlestone.bounds import STATEMENTS, THEOREMS
>>> THEOREMS["winnow_disjunction"](n=1000, k=5).value
151
>>> STATEMENTS["winnow_disjunction"].theorem
'Kivinen-Warmuth, Winnow, derived'
"""

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from littlestone.core.lazy import importer, in_order

_PLACES = {
    "agarwal": "optimal_eta",
    "bound": "Bound OpenBound STATEMENTS Statement THEOREMS",
    "fang_venkatesh": "directed_drift_growth",
    "inverse": "Needed needed",
    "ledger": "Ledger theorem3_ledger theorem4_ledger",
    "on_streams": "on_stream",
    "void_bound": "VoidBound",
}
_HOME = {name: f"littlestone.bounds.{place}" for place, names in _PLACES.items() for name in names.split()}
_OF_ALL = {"STATEMENTS", "THEOREMS", "__all__"}


def _import_all() -> None:
    """Import every file, and bring the theorems into the order of the files, whichever came first."""
    files = [f"littlestone.bounds.{found.name}" for found in iter_modules(__path__)]
    for file in files:
        import_module(file)
    from littlestone.bounds.bound import STATEMENTS, THEOREMS

    ordered = sorted(THEOREMS, key=lambda name: files.index(THEOREMS[name].__module__))
    for register in (THEOREMS, STATEMENTS):
        both: dict[str, Any] = register  # type: ignore[assignment]
        for name in ordered:
            both[name] = both.pop(name)


def _file_of(name: str) -> str | None:
    """Return the file that is called so, or that has a theorem of this name; None: no file says so."""
    folder = Path(__file__).parent
    if (folder / f"{name}.py").is_file():
        return name
    head = f"\ndef {name}("
    return next((file.stem for file in sorted(folder.glob("*.py")) if head in file.read_text("utf-8")), None)


def _otherwise(name: str) -> Any:
    from littlestone.bounds.bound import THEOREMS

    if name == "__all__":
        return in_order([*_HOME, *THEOREMS])
    if not name.startswith("_") and name not in THEOREMS:
        file = _file_of(name)
        if file is None:
            _import_all()
        else:
            found = import_module(f"littlestone.bounds.{file}")
            if file == name:
                return found
    return THEOREMS.get(name)


_find = importer("littlestone.bounds", _HOME, otherwise=_otherwise)


def __getattr__(name: str) -> Any:
    if name in _OF_ALL:
        _import_all()
    return _find(name)


def __dir__() -> list[str]:
    return [*__getattr__("__all__"), *globals()]
