"""The header of a model file: its fields and digests; parameters and labels as JSON, exactly and without code."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from fractions import Fraction
from hashlib import sha256
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from littlestone.core.errors import InvalidParameter
from littlestone.engine.learning import duals
from littlestone.learners import COMPOSITES, LEARNERS, Learner, command_name
from littlestone.learners.regressors import REGRESSORS, Regressor
from littlestone.models.files._archive import Archive, npy
from littlestone.parts import links
from littlestone.parts.links import Link

__all__ = [
    "FORMAT",
    "GAME",
    "MODEL",
    "NESTED",
    "check_nesting",
    "counts_of",
    "is_code",
    "kind_of",
    "may_be_same_code",
    "read",
    "read_header",
    "sealed",
    "written",
]

Arrays = dict[str, NDArray[Any]]
Test = Callable[[Any], bool]

FORMAT = 1
NESTED = 2  # with learners inside the learner, which have a part of their own
MODEL = 3  # a model: how raw input becomes attributes, and decisions of activations
MOST_INSIDE, MOST_DEEP = 1000, 8  # learners inside, and inside each other
MOST_HEADER, MOST_VALUES = 1 << 24, 1 << 20  # bytes and values: nearly a million classes fit
NEWER = "it was written by a newer littlestone: upgrade this one"
MOST = (1 << 63) - 1
GAME = ("trials", "mistakes", "width", "n", "weighted")
COUNTS = ("trials", "mistakes", "updates", "promotions", "demotions")

KERNELS = ("Conjunctions", "Gaussian", "Linear", "Polynomial")
SCALARS = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64")
MOST_BITS = 1 << 16  # of a whole number
LONG = 1000  # lists of more floats than that are kept as arrays
PROBES = (-2.0, -1.0, 0.0, 1.0, 2.0)  # where a user's link is remembered


# The fields


def _is(kind: type) -> Test:
    return lambda value: isinstance(value, kind)


def _anything(value: Any) -> bool:
    del value
    return True


def _count(value: Any) -> bool:
    return type(value) is int and 0 <= value <= MOST


def _or_none(test: Test) -> Test:
    return lambda value: value is None or test(value)


def _fields(**tests: Test) -> Test:
    """Return the test of an object with exactly these fields."""
    return lambda value: (
        isinstance(value, dict) and value.keys() == tests.keys() and all(t(value[k]) for k, t in tests.items())
    )


def _each(test: Test) -> Test:
    """Return the test of an object with any fields of one kind."""
    return lambda value: isinstance(value, dict) and all(map(test, value.values()))


def _shape(value: Any) -> bool:
    return isinstance(value, list) and len(value) <= 4 and all(map(_count, value))


def _pairs(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(pair, list) and [type(part) for part in pair] == [str, float] for pair in value
    )


_text, _flag = _is(str), _is(bool)
_two_labels, _classes = _fields(negative=_anything, positive=_anything, settled=_flag), _fields(classes=_is(list))

# The name of each field: what is expected of it, and a test
FIELDS: dict[str, tuple[str, Test]] = {
    "format": ("the number of a format", _count),
    "littlestone": ("a version", _text),
    "learner": ("a learner's name", _text),
    "params": ("parameters by name", _each(_anything)),
    "labels": ("two labels, classes or null", _or_none(lambda value: _two_labels(value) or _classes(value))),
    "promise": ("pairs of a name and a number", _pairs),
    "game": (
        "what the learner has seen",
        _fields(trials=_count, mistakes=_count, width=_count, n=_or_none(_count), weighted=_flag),
    ),
    "counts": ("the counts of a game", _fields(**dict.fromkeys(COUNTS, _count))),
    "names": ("the number of names or null", _or_none(_count)),
    "provenance": (
        "where it comes from",
        _fields(source=_or_none(_text), date=_or_none(_text), position=_or_none(_count)),
    ),
    "arrays": ("the shapes of arrays", _each(_fields(shape=_shape, sparse=_flag))),
    "members": ("digests by name", _each(_text)),
    "sha256": ("a digest", _text),
}
PART = {"labels", "promise", "game", "counts", "names"}  # fields of every learner, the outer one and those inside


def _inside(value: Any, deep: int = 1) -> int | None:
    """Return how many learners are inside a learner, if these are their parts; None: they are not, or too deep."""
    if not isinstance(value, dict) or deep > MOST_DEEP:
        return None
    number = 0
    for part in value.values():
        if not isinstance(part, dict) or not PART <= part.keys() <= {*PART, "inside"}:
            return None
        inner = _inside(part.get("inside", {}), deep + 1)
        if inner is None or not all(FIELDS[name][1](part[name]) for name in PART):
            return None
        number += 1 + inner
    return number


def _few_inside(value: Any) -> bool:
    return 1 <= (_inside(value) or 0) <= MOST_INSIDE


LEARNERS_INSIDE = f"the parts of at most {MOST_INSIDE} learners inside, at most {MOST_DEEP} deep"
FIELDS_OF = {
    FORMAT: FIELDS,
    NESTED: {**FIELDS, "inside": (LEARNERS_INSIDE, _few_inside)},
    MODEL: {
        **FIELDS,
        "inside": (LEARNERS_INSIDE, lambda value: value == {} or _few_inside(value)),
        "model": ("what a model has besides its learner", _each(_anything)),
    },
}


# The header as a whole


def _bytes(header: Mapping[str, Any]) -> bytes:
    """Return a header as text, in the only accepted spelling."""
    return json.dumps(header, sort_keys=True, separators=(",", ":"), allow_nan=False).encode("ascii")


def _excess(text: bytes) -> str | None:
    """Return what is too large in a header, before it is parsed."""
    if len(text) > MOST_HEADER:
        return f"expected at most {MOST_HEADER:,} bytes, got {len(text):,}"
    values = sum(map(text.count, (b",", b"[", b"{")))  # at least
    return f"expected at most {MOST_VALUES:,} values, got {values:,}" if values > MOST_VALUES else None


def sealed(header: Mapping[str, Any]) -> bytes:
    """Return the member that holds a header, with its digest in it."""
    text = _bytes({**header, "sha256": sha256(_bytes(header)).hexdigest()})
    excess = _excess(text)
    if excess is not None:
        raise InvalidParameter(
            f"save: the labels, parameters and source, as text: {excess}; shorten them, or give arrays for parameters"
        )
    return npy(np.frombuffer(text, dtype=np.uint8))


def read_header(archive: Archive) -> dict[str, Any]:
    """Return the header of an archive, checked on its own; the arrays are not read."""
    data = archive.array("header", archive.member("header"))
    if data.dtype != np.uint8 or data.ndim != 1:
        raise archive.refusal(f"header: expected bytes, got {data.dtype} of {data.shape}")
    text = data.tobytes()
    excess = _excess(text)
    if excess is not None:
        raise archive.refusal(f"header: {excess}")
    try:
        header = json.loads(text.decode("ascii"))
        canonical = isinstance(header, dict) and _bytes(header) == text
    except (ValueError, RecursionError):
        canonical = False
    if not canonical:
        raise archive.refusal("header: expected JSON as littlestone writes it, got something else")
    return _checked(archive, header)


def _checked(archive: Archive, header: dict[str, Any]) -> dict[str, Any]:
    """Return the header if it has all fields, and its digest is right."""
    version = header.get("format")
    if isinstance(version, int) and version not in FIELDS_OF:
        remedy = NEWER if version > MODEL else "formats begin at 1"
        raise archive.refusal(f"format: expected at most {MODEL}, got {version}", remedy)
    fields = FIELDS_OF.get(version, FIELDS) if type(version) is int else FIELDS
    for name, (expected, test) in fields.items():
        if name not in header or not test(header[name]):
            raise archive.refusal(f"header: {name}: expected {expected}, got {repr(header.get(name))[:80]}")
    if header.keys() != fields.keys():
        raise archive.refusal(f"header: expected no more fields, got {sorted(header.keys() - fields.keys())}")
    digest = sha256(_bytes({name: value for name, value in header.items() if name != "sha256"})).hexdigest()
    if digest != header["sha256"]:
        raise archive.refusal(f"header: expected the digest {digest[:16]}..., got {header['sha256'][:16]!r}...")
    if archive.names != {"header", *header["members"]}:
        raise archive.refusal(f"expected the arrays {sorted(header['members'])}, got {sorted(archive.names)}")
    return header


# Values


def written(value: Any, name: str, arrays: Arrays) -> Any:
    """Return a value as JSON has it; an array goes to ``arrays``, and of code only a description is kept.

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
        # its parameters, not what it has learned
        inner = {key: written(part, f"{name}.{key}", arrays) for key, part in value.params().items()}
        if any(map(is_code, inner.values())):
            raise InvalidParameter(f"save: {name}: expected a learner inside without code of its own, got {value!r}")
        return {"learner": [command_name(type(value)), inner]}
    if isinstance(value, list | tuple) and len(value) > LONG and {type(part) for part in value} == {float}:
        arrays[name] = np.array(value)
        return {type(value).__name__: {"array": name}}
    if isinstance(value, list | tuple):
        parts = [written(part, f"{name}.{i}", arrays) for i, part in enumerate(value)]
        return parts if isinstance(value, list) else {"tuple": parts}
    if isinstance(value, Link) and value.code == duals.USER:
        return {"given": value.name, "at": [written(w, "link", {}) for w in value(PROBES).tolist()]}
    if isinstance(value, Link):
        return {"link": [value.name, *(written(number, "link", {}) for number in (value.a, value.b, value.c))]}
    from littlestone.parts import kernels

    if any(type(value) is getattr(kernels, kind) for kind in KERNELS):
        fields = {key: written(part, name, {}) for key, part in asdict(value).items()}
        return {"kernel": [type(value).__name__, fields]}
    if callable(value) or isinstance(value, kernels.Kernel):
        return {"given": repr(value)[:200]}
    raise InvalidParameter(f"save: {name}: expected numbers, text, arrays, a link or a kernel, got {value!r}")


def read(value: Any, arrays: Mapping[str, NDArray[Any]]) -> Any:
    """Return the value that `written` wrote; any exception: `written` cannot have written this."""
    if isinstance(value, list):
        return [read(part, arrays) for part in value]
    if not isinstance(value, dict):
        return value
    ((kind, data),) = value.items()
    if kind == "int":
        return _number(data)
    if kind == "float":
        return {"inf": float("inf"), "-inf": float("-inf"), "nan": float("nan")}[data]
    if kind == "fraction":
        return Fraction(*map(_number, data))
    if kind == "scalar":
        return np.dtype(SCALARS[SCALARS.index(data[0])]).type(read(data[1], arrays))
    if kind == "array":
        return arrays[data]
    if kind in ("list", "tuple"):
        parts = read(data, arrays)
        found = parts if isinstance(parts, list) else parts.tolist()
        return tuple(found) if kind == "tuple" else found
    if kind == "dict":
        return {read(key, {}): read(part, {}) for key, part in data}
    name, *rest = data
    if kind == "learner":
        learner = kind_of(name)
        assert learner is not None, name
        (params,) = rest
        return learner(**{key: read(part, arrays) for key, part in params.items()})
    if kind == "kernel":
        from littlestone.parts import kernels

        (params,) = rest
        return getattr(kernels, KERNELS[KERNELS.index(name)])(**{key: read(part, {}) for key, part in params.items()})
    assert kind == "link", kind
    a, b, c = (read(number, {}) for number in rest)
    if not all(isinstance(number, int | float) and number == number for number in (a, b, c)):  # noqa: PLR0124
        raise TypeError(f"link {name}: expected three numbers")
    return links.p_norm(a) if name == "p_norm" else replace(links.LINKS[name], a=a, b=b, c=c)


def kind_of(name: Any) -> type[Learner] | None:
    """Return the class of learners that has this name in a file."""
    return LEARNERS.get(name) or REGRESSORS.get(name) or COMPOSITES.get(name)


def counts_of(learner: Learner) -> dict[str, int]:
    """Return the counts of a game; a regressor, which has a loss, has made no mistakes."""
    none = {"mistakes"} if isinstance(learner, Regressor) else set()
    return {name: 0 if name in none else getattr(learner, name) for name in COUNTS}


def check_nesting(params: Any) -> None:
    """Refuse parameters with too many learners in them, or too deep inside each other, before any is made."""
    number, left = 0, [(params, 0)]
    while left:
        value, deep = left.pop()
        learner = isinstance(value, dict) and isinstance(value.get("learner"), list)
        number, deep = number + learner, deep + learner
        if number > MOST_INSIDE or deep > MOST_DEEP:
            raise ValueError(f"expected at most {MOST_INSIDE} learners inside, at most {MOST_DEEP} deep, got more")
        parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        left += [(part, deep) for part in parts]


def _digits(number: int, name: str) -> str:
    """Return a whole number as text; an absurdly long one is refused."""
    if number.bit_length() > MOST_BITS:
        raise InvalidParameter(f"save: {name}: expected a number of at most {MOST_BITS:,} bits, got more; round it")
    return hex(number)


def _number(digits: str) -> int:
    if len(digits) > MOST_BITS // 4 + 3:
        raise ValueError(f"expected a number of at most {MOST_BITS:,} bits, got more")
    return int(digits, 16)


def is_code(value: Any) -> bool:
    """Tell whether a value from a header stands for code, which the caller must give again."""
    return isinstance(value, dict) and "given" in value


def may_be_same_code(value: Any, again: Any) -> bool:
    """Tell whether what the caller gives may be what the file was written with: a link must have the same values."""
    if "at" not in value or not isinstance(again, Link):
        return True
    return bool(np.array_equal(again(PROBES), [read(w, {}) for w in value["at"]], equal_nan=True))
