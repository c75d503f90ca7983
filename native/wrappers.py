"""The wrappers of compiled kernels in C: they look at what Python gives, and hand it over as plain numbers."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import groupby
from typing import Any

from native.objects import Compiled, Described

__all__ = ["module_text"]

C = {
    "float64": "double", "float32": "float", "boolean": "int8_t", "bool": "int8_t",
    **{f"{sign}int{bits}": f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)},
}  # fmt: skip
NUMPY = {
    "float64": "NPY_DOUBLE", "float32": "NPY_FLOAT", "boolean": "NPY_BOOL", "bool": "NPY_BOOL",
    **{f"{sign}int{bits}": f"NPY_{sign.upper()}INT{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)},
}  # fmt: skip
SIZES = {"double": 8, "float": 4} | {f"{sign}int{bits}_t": bits // 8 for sign in ("", "u") for bits in (8, 16, 32, 64)}
READERS = {"double": ("as_float", "double"), "uint64_t": ("as_word", "uint64_t"), "int8_t": ("as_bool", "int8_t")}
ROW = ("uint32_t", "double")  # the two arrays that are read from a dict


class _Wrapper:
    """One signature of a kernel: how its arguments are checked, and how it is called."""

    def __init__(self, number: int, compiled: Compiled, *, of_dict: bool) -> None:
        self.number, self.compiled = number, compiled
        self.prototype: list[str] = []
        self.checks: list[str] = []
        self.call: list[str] = []
        self._variables = 0
        takes = compiled.takes
        if of_dict:
            for item, array in zip(ROW, ("row.indices", "row.values"), strict=True):
                self._array(item, array, ["row.size"], [str(SIZES[item])])
            takes = takes[2:]
        self.count = len(takes) + 2 * of_dict
        for i, described in enumerate(takes):
            self._take(described, f"given[{i + 2 * of_dict}]")
        self.of_dict = of_dict

    def _array(self, item: str, data: str, shape: list[str], strides: list[str]) -> None:
        """Hand over an array: its owner, who is nobody, its size, where it lies, its shape and its strides."""
        self.prototype += ["void *", "void *", "int64_t", "int64_t", "void *", *["int64_t"] * (2 * len(shape))]
        self.call += ["NULL", "NULL", "*".join(shape), str(SIZES[item]), data, *shape, *strides]

    def _take(self, described: Described, given: str) -> None:
        """Check one argument, and hand it over."""
        self._variables += 1
        name, miss = f"a{self._variables}", f"goto no{self.number};"
        if "parts" in described:
            parts = described["parts"]
            self.checks.append(f"if (!PyTuple_Check({given}) || PyTuple_GET_SIZE({given}) != {len(parts)}) {miss}")
            for i, part in enumerate(parts):
                self._take(part, f"PyTuple_GET_ITEM({given}, {i})")
        elif "array" in described:
            item, dimensions = described["array"], described["dimensions"]
            flags = "NPY_ARRAY_CARRAY_RO" if described["read"] else "NPY_ARRAY_CARRAY"
            self.checks.append(f"PyArrayObject *{name} = (PyArrayObject *){given};")
            self.checks.append(f"if (!is_array({given}, {NUMPY[item]}, {dimensions}, {flags})) {miss}")
            shape = [f"PyArray_DIM({name}, {d})" for d in range(dimensions)]
            strides = [f"PyArray_STRIDE({name}, {d})" for d in range(dimensions)]
            self._array(C[item], f"PyArray_DATA({name})", shape, strides)
        else:
            kind = C[described["scalar"]]
            reader, wide = READERS.get("double" if kind == "float" else kind, ("as_int", "int64_t"))
            self.checks.append(f"{wide} {name};\n    if (!{reader}({given}, &{name})) {miss}")
            self.prototype.append(kind)
            self.call.append(f"({kind}){name}")

    @property
    def declared(self) -> str:
        """The kernel, as C knows it."""
        gives, number = self.compiled.gives, self.number
        struct = ""
        if "parts" in gives:
            fields = " ".join(f"{C[part['scalar']]} f{i};" for i, part in enumerate(gives["parts"]))
            struct = f"struct result{number} {{ {fields} }};\n"
        arguments = ", ".join(["void *", "struct failure **", *self.prototype])
        return f'{struct}extern int32_t kernel{number}({arguments}) __asm__("{self.compiled.symbol}");\n'

    @property
    def body(self) -> str:
        """What is done if the arguments are of this signature."""
        gives, number = self.compiled.gives, self.number
        if "parts" in gives:
            kind = f"struct result{number} result;"
            values = ", ".join(_object(part["scalar"], f"result.f{i}") for i, part in enumerate(gives["parts"]))
            value = f'Py_BuildValue("({"N" * len(gives["parts"])})", {values})'
        elif gives["scalar"] == "none":
            kind, value = "void *result;", "Py_NewRef(Py_None)"
        else:
            kind, value = f"{C[gives['scalar']]} result;", _object(gives["scalar"], "result")
        call = f"status = kernel{number}(&result, &what, {', '.join(self.call)});"
        checks = "\n    ".join(self.checks)
        if self.of_dict:
            run = f"""struct row row;
    int read = read_dict(given[0], given[1], &row);
    if (read <= 0) return read < 0 ? PyErr_NoMemory() : PyLong_FromLong(-1);
    {call}
    PyMem_Free(row.more);"""
        else:
            run = f"Py_BEGIN_ALLOW_THREADS\n    {call}\n    Py_END_ALLOW_THREADS"
        return f"""{{
    if (count != {self.count}) goto no{number};
    {checks}
    {kind}
    struct failure *what = NULL;
    int32_t status;
    {run}
    if (status != 0 && status != -2) return failed(status, what);
    return {value};
}}
no{number}:
    PyErr_Clear();
"""


def _object(kind: str, value: str) -> str:
    """Return how a number becomes one of Python's."""
    if kind in {"bool", "boolean"}:
        return f"PyBool_FromLong({value})"
    if kind.startswith("float"):
        return f"PyFloat_FromDouble({value})"
    return f"PyLong_From{'UnsignedLongLong' if kind.startswith('u') else 'LongLong'}({value})"


def _rule(number: int, compiled: Compiled) -> str:
    """Return a rule as kernels call it by its address: numbers in, one or two out."""
    count = len(compiled.gives.get("parts", [0]))
    given = [f"a{i}" for i in range(len(compiled.takes))]
    kind = f"struct rule{number}"
    return f"""{kind} {{ double f[{count}]; }};
extern int32_t asked{number}(void *, struct failure **, {", ".join(["double"] * len(given))}) \
__asm__("{compiled.symbol}");
static {kind if count > 1 else "double"} rule{number}({", ".join(f"double {a}" for a in given)})
{{
    {kind} result = {{{{0.0}}}};
    struct failure *what = NULL;
    asked{number}(&result, &what, {", ".join(given)});
    return result{"" if count > 1 else ".f[0]"};
}}
"""


def module_text(compiled: Iterable[Compiled], of_dicts: set[str], facts: dict[str, Any], level: int) -> str:
    """Return the C source of the module."""
    parts, methods, rules = [f'#define LEVEL {level}\n#include "glue.h"\n'], [], []
    number = 0
    for name, several in groupby(sorted(compiled, key=lambda one: (one.name, one.file)), lambda one: one.name):
        bodies, started = [], number
        for one in several:
            number += 1
            if one.is_rule:
                parts.append(_rule(number, one))
                rules.append(f'put(found, "{name}", PyLong_FromVoidPtr((void *)rule{number}))')
                continue
            wrapper = _Wrapper(number, one, of_dict=name in of_dicts)
            parts.append(wrapper.declared)
            bodies.append(wrapper.body)
        if bodies:
            function = f"call{started}"
            head = f"static PyObject *{function}(PyObject *module, PyObject *const *given, Py_ssize_t count)\n{{\n"
            parts.append(head + "".join(bodies) + "    Py_RETURN_NOTIMPLEMENTED;\n}\n")
            methods.append(f'    {{"{name}", (PyCFunction)(void *){function}, METH_FASTCALL, NULL}},\n')
    parts.append(f"""static PyObject *addresses(PyObject *module, PyObject *nothing)
{{
    PyObject *found = PyDict_New();
    if (found && ({" || ".join(rules) or "0"}))
        Py_CLEAR(found);
    return found;
}}

static PyMethodDef methods[] = {{
{"".join(methods)}    {{"runs_here", runs_here, METH_NOARGS, NULL}},
    {{"addresses", addresses, METH_NOARGS, NULL}},
    {{NULL, NULL, 0, NULL}},
}};
static struct PyModuleDef definition = {{PyModuleDef_HEAD_INIT, "_native", NULL, -1, methods}};

PyMODINIT_FUNC PyInit__native(void)
{{
    import_array();
    PyObject *module = PyModule_Create(&definition);
    if (module && PyModule_AddStringConstant(module, "FACTS", {_quoted(json.dumps(facts))}))
        Py_CLEAR(module);
    return module;
}}
""")
    return "\n".join(parts)


def _quoted(text: str) -> str:
    return json.dumps(text)  # in plain ASCII, as C has it
