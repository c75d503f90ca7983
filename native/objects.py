"""Kernels compiled to object files, each with a description from which its wrapper in C is written.

Runs in processes of its own: which processor Numba compiles for is decided when it is imported.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

__all__ = ["Compiled", "compile_module"]

Described = dict[str, Any]  # of a type: {"scalar": name}, {"array": item, "dimensions": 2, "read": True}, {"parts": []}


@dataclass(frozen=True)
class Compiled:
    """One signature of a kernel, or one rule, in an object file."""

    name: str  # of the function, in full
    symbol: str
    file: str
    takes: list[Described]
    gives: Described
    is_rule: bool = False


def compile_module(module: str, names: list[str], rules: list[str], cpu: str, folder: str) -> list[Compiled]:
    """Compile kernels and rules of one module, for all signatures that their annotations allow."""
    warnings.simplefilter("ignore")  # an older extension module may lie about
    from littlestone.engine.compiling import OPTIONS

    # What Python would call a kernel through is written in C
    OPTIONS.update(cache=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)
    from native.signatures import signatures

    found: list[Compiled] = []
    loaded = import_module(module)
    for name in names:
        kernel = getattr(loaded, name)
        kernel = getattr(kernel, "code", kernel)
        for number, signature in enumerate(signatures(kernel.py_func)):
            read = iter(signature.read)
            takes = [_described(kind, read) for kind in signature.arguments]
            file = Path(folder, f"{module}.{name}.{number}.o")
            found.append(_emit(f"{module}.{name}", kernel.dispatcher, signature.arguments, takes, file, cpu))
    made = [_rule(module, name, getattr(loaded, name), Path(folder, f"{module}.{name}.o"), cpu) for name in rules]
    return found + made


def _rule(module: str, name: str, rule: Any, file: Path, cpu: str) -> Compiled:
    from numba import types

    from littlestone.engine.compiling import passing

    arguments = (types.float64,) * rule.takes
    made: Any = passing(rule.code)
    takes = [{"scalar": "float64"}] * rule.takes
    return _emit(f"{module}.{name}", made.dispatcher, arguments, takes, file, cpu, is_rule=True)


def _emit(
    name: str, dispatcher: Any, arguments: tuple[Any, ...], takes: list[Described], file: Path, cpu: str, **more: Any
) -> Compiled:
    """Compile one signature, and write its object file."""
    dispatcher.compile(arguments)
    made = dispatcher.overloads[arguments]
    module = made.library._final_module  # noqa: SLF001 - Numba has no other way
    for function in module.functions:
        if function.name.startswith("__excinfo") and not function.is_declaration:
            function.linkage = "internal"  # other objects may have one of the same name
    file.write_bytes(_machine(cpu).emit_object(module))
    gives = _described(made.signature.return_type, iter(()))
    return Compiled(name, made.fndesc.llvm_func_name, str(file), takes, gives, **more)


def _machine(cpu: str) -> Any:
    """Return LLVM's machine that writes code which may lie anywhere in memory."""
    import llvmlite.binding as llvm

    target = llvm.Target.from_default_triple()
    return target.create_target_machine(cpu=cpu, features="", opt=3, reloc="pic", codemodel="default")


def _described(kind: Any, read: Any) -> Described:
    from numba import types as _types

    types: Any = _types
    kind = types.unliteral(kind)
    if isinstance(kind, types.Array):
        return {"array": str(kind.dtype), "dimensions": kind.ndim, "read": next(read)}
    if isinstance(kind, types.BaseTuple):
        return {"parts": [_described(part, read) for part in kind]}
    return {"scalar": str(kind)}
