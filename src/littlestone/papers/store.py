"""What has been computed already: one JSON file a unit of work, found again while code and parameters are the same."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from littlestone.papers.result import Paper, Result
from littlestone.papers.writing import prepare, write

__all__ = ["Store", "versions"]

ROOT = Path(__file__).parents[1]
# Rooms that draw, print and store: what they do changes no number.
ELSEWHERE = {"cli", "report", "papers", "sklearn", "river"}
FRAME = ("comparisons.py", "outcome.py", "result.py", "runs.py")


@cache
def versions() -> dict[str, str]:
    """Return the versions that numbers may depend on, of scikit-learn where it is there."""
    found = {name: version(name) for name in ("littlestone", "numpy", "numba", "scipy")}
    with suppress(PackageNotFoundError):
        found["scikit-learn"] = version("scikit-learn")
    return {**found, "python": platform.python_version(), "machine": platform.machine()}


def _hashed(files: Iterable[Path]) -> str:
    found = sha256()
    for path in files:
        found.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()


@cache
def _library() -> str:
    """Return a hash of all code that computes."""
    files = sorted(path for path in ROOT.rglob("*.py") if path.relative_to(ROOT).parts[0] not in ELSEWHERE)
    return _hashed([*files, *(ROOT / "papers" / name for name in FRAME)])


class Store:
    """A folder in which finished units are kept."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def prepare(self) -> None:
        """Make the folder, and refuse one that cannot be written to: before the work, not after it."""
        prepare(self.folder)
        write({self.folder / "README.txt": "What littlestone reproduce has computed. It may be deleted.\n"})

    def path(self, paper: Paper, result: Result, unit: Mapping[str, Any], seed: int) -> Path:
        """Return where a unit is kept: a name made of everything that its numbers depend on."""
        part = result.part  # results may share their pieces
        work = result.key if part is None else part.__qualname__
        module = result.check.__module__ if part is None else part.__module__
        depends_on = [paper.key, module, work, dict(unit), seed, versions(), _library(), _code(tuple(paper.files))]
        name = sha256(json.dumps(depends_on, sort_keys=True).encode()).hexdigest()[:24]
        return self.folder / f"{paper.key}-{work}-{name}.json"

    def keep(self, path: Path, found: Mapping[str, Any]) -> None:
        """Keep a unit's answer and seconds, with a sum by which a damaged file is known."""
        write({path: json.dumps({**found, "sum": _sum(found)}, allow_nan=False)})

    def read(self, path: Path) -> dict[str, Any] | None:
        """Return a unit's answer and seconds, if it is there and whole."""
        try:
            found = json.loads(path.read_bytes())
        except (OSError, ValueError):
            return None
        if not isinstance(found, dict) or found.pop("sum", None) != _sum(found):
            return None
        return found


def _sum(found: Mapping[str, Any]) -> str:
    return sha256(json.dumps(dict(found), sort_keys=True).encode()).hexdigest()[:16]


@cache
def _code(files: tuple[Path, ...]) -> str:
    return _hashed(files)
