"""Build the extension module: compile kernels to objects, write their wrappers in C, link.

``python -m native.build FOLDER [host | v2 | v3 | v4]`` puts the module into a folder, for this machine's processor or
for a level of x86-64; elsewhere than on x86-64, for any processor of the machine's kind.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
import sysconfig
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from importlib.metadata import version
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from warnings import catch_warnings, simplefilter

from native.roots import of_dicts, roots, rules
from native.wrappers import module_text

__all__ = ["NoCompiler", "build"]

HERE = Path(__file__).parent
PACKAGE = HERE.parent / "src" / "littlestone"
NEEDED = {  # of a processor, by the level of x86-64
    4: {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"},
    3: {"avx2", "bmi", "bmi2", "fma"},
}


class NoCompiler(Exception):
    """There is nothing here that links an extension module."""


def linker() -> list[str]:
    """Return the command of the C compiler that is here, or of ziglang's, if that is installed."""
    given = os.environ.get("CC", "").split()
    for command in (given, ["cc"], ["gcc"], ["clang"]):
        if command and shutil.which(command[0]):
            return command
    zig = _zig()
    if zig is None:
        raise NoCompiler("no C compiler (cc, gcc, clang) on the path, and no ziglang installed")
    # Left to itself it compiles for the very processor and the very C library that are here
    portable = ["-target", f"{platform.machine()}-linux-gnu.2.17"] if "linux-gnu" in _suffix() else ["-mcpu=baseline"]
    return [str(zig), "cc", *portable]


def _zig() -> Path | None:
    """Return where ziglang's compiler is; pip builds in an environment of its own, which hides what is installed."""
    spec, installed = find_spec("ziglang"), Path(sysconfig.get_paths()["purelib"], "ziglang")
    places = [installed] if spec is None or spec.origin is None else [Path(spec.origin).parent, installed]
    return next((zig for place in places for name in ("zig", "zig.exe") if (zig := place / name).exists()), None)


def _suffix() -> str:
    """Return how the name of an extension module ends."""
    return str(sysconfig.get_config_var("EXT_SUFFIX"))


def level_of(asked: str) -> int:
    """Return the level of x86-64 to compile for; 0 on any other kind of processor."""
    if platform.machine().lower() not in {"x86_64", "amd64"}:
        return 0
    if asked != "host":
        return int(asked.removeprefix("v"))
    import llvmlite.binding as llvm

    has = {name for name, there in llvm.get_host_cpu_features().items() if there}
    return next((level for level, needed in NEEDED.items() if needed <= has), 2)


def build(folder: Path, asked: str = "host") -> Path:
    """Put the module into ``folder``, unless it is there already; return where it is."""
    command, level = linker(), level_of(asked)
    cpu = f"x86-64-v{level}" if level else "generic"
    kernels = _by_module()
    facts = _facts(cpu, list(kernels))
    found = folder / f"_native{_suffix()}"
    if found.exists() and _facts_of(found) == facts:
        return found
    with TemporaryDirectory() as room:
        compiled = _compile(kernels, cpu, room)
        source = Path(room, "native.c")
        source.write_text(module_text(compiled, of_dicts(PACKAGE), facts, level), encoding="utf-8")
        made = _link(command, source, [one.file for one in compiled], found.name)
        _check(made, facts)
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy2(made, found.with_suffix(".new"))
        found.with_suffix(".new").replace(found)
    return found


def _by_module() -> dict[str, tuple[list[str], list[str]]]:
    """Return the kernels and the rules of each module."""
    found: dict[str, tuple[list[str], list[str]]] = defaultdict(lambda: ([], []))
    for which, names in enumerate((roots(PACKAGE), rules(PACKAGE))):
        for name in names:
            module, _, function = name.rpartition(".")
            found[module][which].append(function)
    return found


def _facts(cpu: str, modules: list[str]) -> dict[str, Any]:
    """Return all that the module depends on: sources, these files here, the compiler's versions, the processor."""
    sys.path.insert(0, str(PACKAGE.parent))
    with catch_warnings():
        simplefilter("ignore")  # an older module may lie there
        from littlestone.engine.ahead import ENGINE, digest
    paths = {name: PACKAGE.parent.joinpath(*name.split(".")).with_suffix(".py") for name in modules}
    files = {name: digest(path) for name, path in paths.items() if ENGINE not in path.parents}
    made_with = {name: version(name) for name in ("numba", "llvmlite", "numpy")}
    builder = digest(HERE, HERE / "glue.h")
    return {"engine": digest(ENGINE), "files": files, "builder": builder, "cpu": cpu, "made_with": made_with}


def _facts_of(module: Path) -> Any:
    """Return what a module says of itself, asked in another process; None if it cannot be imported."""
    done = _imported(module)
    return json.loads(done.stdout) if done.returncode == 0 else None


def _imported(module: Path) -> subprocess.CompletedProcess[str]:
    code = f"import numpy, sys; sys.path.insert(0, {str(module.parent)!r}); import _native; print(_native.FACTS)"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)  # noqa: S603 - ours


def _check(made: Path, facts: dict[str, Any]) -> None:
    """Import the module: a linker leaves open what Python has, and what nobody has, and the latter is noticed here.

    Python asks for all names at once when it imports a module, also for those that are called much later.
    """
    done = _imported(made)
    if done.returncode or json.loads(done.stdout) != facts:
        why = (done.stderr.strip() or "it says other things of itself").splitlines()[-1]
        raise NoCompiler(f"the module that was linked cannot be imported: {why}")


def _compile(kernels: dict[str, tuple[list[str], list[str]]], cpu: str, room: str) -> list[Any]:
    """Compile all kernels, a module at a time, on all cores."""
    os.environ.update(NUMBA_CPU_NAME=cpu, NUMBA_CPU_FEATURES="")
    for name in ("NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK", "NUMBA_CACHE_DIR"):
        os.environ.pop(name, None)
    # Beside what is there: pip tells by it where the packages are that it has installed for building alone.
    paths = [str(PACKAGE.parent), str(HERE.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    os.environ["PYTHONPATH"] = os.pathsep.join(paths)
    longest_first = sorted(kernels, key=lambda module: -len("".join(kernels[module][0])))
    from native.objects import compile_module

    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    with ProcessPoolExecutor(cores, mp_context=get_context("spawn")) as pool:
        tasks = [pool.submit(compile_module, module, *kernels[module], cpu, room) for module in longest_first]
        return [one for task in tasks for one in task.result()]


def _link(command: list[str], source: Path, objects: list[str], name: str) -> Path:
    """Compile the wrappers, and link all into the module, whose only visible name is that of its start."""
    import numpy as np

    made = source.with_name(name)
    includes = [f"-I{path}" for path in (sysconfig.get_paths()["include"], np.get_include(), HERE)]
    options = ["-O2", "-fPIC", "-shared", "-fvisibility=hidden", "-Wall", "-Wno-unused-label", "-Wno-unused-function"]
    if sys.platform.startswith("linux"):
        visible = source.with_name("visible")
        visible.write_text("{ global: PyInit__native; local: *; };\n", encoding="utf-8")
        options += ["-Wl,--gc-sections", "-Wl,-s", f"-Wl,--version-script={visible}"]
    elif sys.platform == "darwin":
        options += ["-undefined", "dynamic_lookup"]
    run = [*command, *options, *includes, str(source), *objects, "-o", str(made), "-lm"]
    done = subprocess.run(run, capture_output=True, text=True, check=False)  # noqa: S603 - the compiler that is here
    if done.returncode:
        raise NoCompiler(f"{' '.join(command)} failed: {done.stderr[-2000:]}")
    from littlestone.engine.ahead import checksum

    data = made.read_bytes()
    made.write_bytes(data + checksum(data))  # whoever loads it looks at this first
    return made


if __name__ == "__main__":
    print(build(Path(sys.argv[1]), *sys.argv[2:3]))  # noqa: T201 - a command
