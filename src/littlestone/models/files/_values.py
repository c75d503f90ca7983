"""Parameters and labels as JSON has them: exactly, with their types, and no code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from fractions import Fraction
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from littlestone.core.errors import InvalidParameter
from littlestone.engine.learning import duals
from littlestone.learners import COMPOSITES, LEARNERS, Learner, command_name
from littlestone.models.files._header import MOST_DEEP, MOST_INSIDE
from littlestone.parts import links
from littlestone.parts.kernels import Conjunctions, Gaussian, Kernel, Linear, Polynomial
from littlestone.parts.links import Link

__all__ = ["check_nesting", "is_given", "kind_of", "read", "same_as_given", "written"]

Arrays = dict[str, NDArray[Any]]

KERNELS: dict[str, type[Kernel]] = {kind.__name__: kind for kind in (Conjunctions, Gaussian, Linear, Polynomial)}
SCALARS = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64")
MOST_BITS = 1 << 16  # of a whole number
LONG = 1000  # lists of more floats than that are kept as arrays
PROBES = (-2.0, -1.0, 0.0, 1.0, 2.0)  # where a user's link is remembered


def written(value: Any, name: str, arrays: Arrays) -> Any:
    """Return a value as JSON has it; an array goes to ``arrays``, and code leaves no more than its description.

    >>> written(Fraction(1, 3), "alpha", {}), written((0.5, None), "theta", {})
    ({'fraction': ['0x1', '0x3']}, {'tuple': [0.5, None]})
    """
    if value is None or isinstance(value, str) or type(value) is bool:
        return value
    if type(value) is int:
        return value if abs(value) < 1 << 63 else {"int": _digits(value, name)}
    if type(value) is float:
        return value if isfinite(value) else {"float": repr(value)}
    if isinstance(value, Fraction):
        return {"fraction": [_digits(value.numerator, name), _digits(value.denominator, name)]}
    if isinstance(value, np.generic) and value.dtype.name in SCALARS:
        return {"scalar": [value.dtype.name, written(value.item(), name, arrays)]}
    if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
        arrays[name] = value
        return {"array": name}
    if isinstance(value, Mapping):  # of labels
        return {"dict": [[written(part, name, {}) for part in pair] for pair in value.items()]}
    if isinstance(value, Learner) and kind_of(command_name(type(value))) is type(value):
        # whose parameters are meant, not what it has learned
        inner = {key: written(part, f"{name}.{key}", arrays) for key, part in value.params().items()}
        if any(map(is_given, inner.values())):
            raise InvalidParameter(f"save: {name}: expected a learner inside without code of its own, got {value!r}")
        return {"learner": [command_name(type(value)), inner]}
    if isinstance(value, list | tuple) and len(value) > LONG and {type(part) for part in value} == {float}:
        arrays[name] = np.array(value)
        return {type(value).__name__: {"array": name}}
    if isinstance(value, list | tuple):
        parts = [written(part, f"{name}.{i}", arrays) for i, part in enumerate(value)]
        return parts if isinstance(value, list) else {"tuple": parts}
    if isinstance(value, Link):
        return _link_written(value)
    if type(value) in KERNELS.values():
        fields = {key: written(part, name, {}) for key, part in asdict(value).items()}
        return {"kernel": [type(value).__name__, fields]}
    if callable(value) or isinstance(value, Kernel):
        return {"given": repr(value)[:200]}
    raise InvalidParameter(f"save: {name}: expected numbers, text, arrays, a link or a kernel, got {value!r}")


def kind_of(name: Any) -> type[Learner] | None:
    """Return the class of learners that goes by this name in a file."""
    return LEARNERS.get(name) or COMPOSITES.get(name)


def check_nesting(params: Any) -> None:
    """Refuse parameters with too many learners in them, or too deep inside each other, before any is made."""
    number, left = 0, [(params, 0)]
    while left:
        value, deep = left.pop()
        if isinstance(value, dict):
            deep += "learner" in value and isinstance(value["learner"], list)
            number += "learner" in value and isinstance(value["learner"], list)
        if number > MOST_INSIDE or deep > MOST_DEEP:
            raise ValueError(f"expected at most {MOST_INSIDE} learners inside, at most {MOST_DEEP} deep, got more")
        parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        left += [(part, deep) for part in parts]


def _digits(number: int, name: str) -> str:
    """Return a whole number as text; one so long that nobody would wait for it is refused."""
    if number.bit_length() > MOST_BITS:
        raise InvalidParameter(f"save: {name}: expected a number of at most {MOST_BITS:,} bits, got more; round it")
    return hex(number)


def _number(digits: str) -> int:
    """Return the whole number that `_digits` wrote down."""
    if len(digits) > MOST_BITS // 4 + 3:
        raise ValueError(f"expected a number of at most {MOST_BITS:,} bits, got more")
    return int(digits, 16)


def _link_written(link: Link) -> Any:
    if link.code == duals.USER:
        return {"given": link.name, "at": [written(w, "link", {}) for w in link(PROBES).tolist()]}
    return {"link": [link.name, *(written(number, "link", {}) for number in (link.a, link.b, link.c))]}


def is_given(value: Any) -> bool:
    """Tell whether a value from a header is code that must be given again."""
    return isinstance(value, dict) and "given" in value


def same_as_given(value: Any, again: Any) -> bool:
    """Tell whether what is given again may be what was there when the file was written: a link's values say so."""
    if "at" not in value or not isinstance(again, Link):
        return True
    return bool(np.array_equal(again(PROBES), [read(w, {}) for w in value["at"]], equal_nan=True))


def read(value: Any, arrays: Mapping[str, NDArray[Any]]) -> Any:
    """Return the value that `written` wrote down; what it could not have written raises some exception."""
    if isinstance(value, list):
        return [read(part, arrays) for part in value]
    if not isinstance(value, dict):
        return value
    ((kind, said),) = value.items()
    if kind == "int":
        return _number(said)
    if kind == "float":
        return {"inf": float("inf"), "-inf": float("-inf"), "nan": float("nan")}[said]
    if kind == "fraction":
        return Fraction(*map(_number, said))
    if kind == "scalar":
        return np.dtype(SCALARS[SCALARS.index(said[0])]).type(read(said[1], arrays))
    if kind == "array":
        return arrays[said]
    if kind in ("list", "tuple"):
        parts = read(said, arrays)
        found = parts if isinstance(parts, list) else parts.tolist()
        return tuple(found) if kind == "tuple" else found
    if kind == "dict":
        return {read(key, {}): read(part, {}) for key, part in said}
    if kind == "learner":
        name, params = said
        kind = kind_of(name)
        assert kind is not None, name
        return kind(**{key: read(part, arrays) for key, part in params.items()})
    if kind == "kernel":
        name, fields = said
        return KERNELS[name](**{key: read(part, {}) for key, part in fields.items()})
    assert kind == "link", kind
    return _link_read(*said)


def _link_read(name: str, *numbers: Any) -> Link:
    a, b, c = (read(number, {}) for number in numbers)
    if not all(isinstance(number, int | float) and number == number for number in (a, b, c)):  # noqa: PLR0124
        raise TypeError(f"link {name}: expected three numbers")
    return links.p_norm(a) if name == "p_norm" else replace(links.LINKS[name], a=a, b=b, c=c)
