"""Kernels that were compiled when littlestone was installed: one extension module, `_native`, if there is one.

It is used only where nothing can differ: it was made for this Python and this processor, and from these very sources.
Otherwise it is passed over, with a warning that names the remedy, and Numba compiles what is called; with
``LITTLESTONE_NATIVE=none`` in the environment, without one. Nothing is imported here that has to be installed.
"""

import json
import os
import sys
from hashlib import blake2b
from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Any
from warnings import warn

__all__ = ["ENGINE", "PACKAGE", "address_of", "checksum", "digest", "function_of", "is_plain", "native"]

PACKAGE = Path(__file__).parent.parent
ENGINE = Path(__file__).parent
CHECKSUM = 16  # bytes
REMEDY = "kernels are compiled as they are called; install littlestone again (pip install .) to have them at once"


def digest(*paths: Path) -> str:
    """Return the digest of the names and texts of files, and of all Python files in folders."""
    found = blake2b(digest_size=16)
    for path in paths:
        for file in _python_files(str(path)) if path.is_dir() else [str(path)]:
            with open(file, "rb") as text:  # noqa: PTH123 - at each start: a Path costs as much as the reading
                found.update(f"{os.path.relpath(file, PACKAGE)}\0".encode() + text.read() + b"\0")
    return found.hexdigest()


def _python_files(folder: str) -> list[str]:
    files: list[str] = []
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(".py"):
                files.append(entry.path)
            elif entry.name != "__pycache__" and entry.is_dir():
                files.extend(_python_files(entry.path))
    return sorted(files)


def checksum(data: bytes | memoryview) -> bytes:
    """Return what is at the end of a module's file: the digest of all before it."""
    return blake2b(data, digest_size=CHECKSUM).digest()


def _is_whole(file: str) -> bool:
    """Tell whether a file is as it was written: to load a part of a module may end the process."""
    with open(ENGINE / file, "rb") as opened:  # noqa: PTH123 - as above
        data = memoryview(opened.read())
    return checksum(data[:-CHECKSUM]) == data[-CHECKSUM:]


def is_plain() -> bool:
    """Tell whether kernels are to run as plain Python, for whoever looks for a fault in one."""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") not in {"", "0"}


def _is_asked_for() -> bool:
    """Tell whether kernels may be had ahead of time: code that checks its indices is compiled anew."""
    checked = os.environ.get("NUMBA_BOUNDSCHECK", "0") not in {"", "0"}
    return not is_plain() and not checked and os.environ.get("LITTLESTONE_NATIVE") != "none"


def _load() -> Any:
    """Return the module, or None."""
    with os.scandir(ENGINE) as entries:
        files = [entry.name for entry in entries if entry.name.startswith("_native.")]
    if not files or not _is_asked_for():
        return None
    found = next((name for suffix in EXTENSION_SUFFIXES if (name := f"_native{suffix}") in files), None)
    if found is None:
        version = f"{sys.implementation.name} {sys.version_info[0]}.{sys.version_info[1]}"
        return _passed_over(f"are of another Python than this one, {version}")
    if not _is_whole(found):
        return _passed_over(f"are in a file that is damaged, {found}")
    try:
        module = import_module("littlestone.engine._native")
    except ImportError as error:
        return _passed_over(f"cannot be loaded ({error})")
    if not module.runs_here():
        return _passed_over(f"are for another processor ({_facts(module)['cpu']})")
    if _facts(module)["engine"] != digest(ENGINE):
        return _passed_over("were made from other sources")
    return module


def _facts(module: Any) -> dict[str, Any]:
    """Return what the module knows of how it was made."""
    found: dict[str, Any] = json.loads(module.FACTS)
    return found


def _passed_over(reason: str) -> None:
    warn(f"the kernels that were compiled ahead of time {reason}: {REMEDY}", RuntimeWarning, stacklevel=2)


native: Any = _load()
_facts_of_it = {} if native is None else _facts(native)
_checked: dict[str, bool] = {}  # files outside the engine that have kernels: whether they are as they were


def _is_unchanged(module: str) -> bool:
    """Tell whether the file of a kernel is the one that was compiled; those of the engine are."""
    if native is None or module.startswith("littlestone.engine."):
        return native is not None
    if module not in _checked:
        known = _facts_of_it["files"].get(module)
        file = getattr(sys.modules.get(module), "__file__", None)
        _checked[module] = known is not None and file is not None and digest(Path(file)) == known
    return _checked[module]


def function_of(module: str, name: str) -> Any:
    """Return the compiled function of a kernel; None where there is none."""
    return getattr(native, f"{module}.{name}", None) if _is_unchanged(module) else None


def address_of(module: str, name: str) -> int | None:
    """Return where the compiled rule is that kernels call by its address; None where there is none."""
    return native.addresses().get(f"{module}.{name}") if _is_unchanged(module) else None
