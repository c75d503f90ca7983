"""The header of a model file: what it must say, and the digests that hold it together."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any

import numpy as np

from littlestone.core.errors import InvalidParameter
from littlestone.models.files._archive import Archive, npy

__all__ = ["FORMAT", "MOST_DEEP", "MOST_INSIDE", "NESTED", "checked", "read_header", "sealed"]

FORMAT = 1
NESTED = 2  # with learners inside the learner, which have a part of their own
MOST_INSIDE, MOST_DEEP = 1000, 8  # learners inside, and inside each other
MOST_HEADER, MOST_VALUES = 1 << 24, 1 << 20  # bytes and values: nearly a million classes fit
NEWER = "it was written by a newer littlestone: upgrade this one"
MOST = (1 << 63) - 1


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _count(value: Any) -> bool:
    return type(value) is int and 0 <= value <= MOST


def _maybe(test: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: value is None or test(value)


def _either(*tests: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: any(test(value) for test in tests)


def _list(value: Any) -> bool:
    return isinstance(value, list)


def _fields(**tests: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Return the test of an object with exactly these fields."""

    def test(value: Any) -> bool:
        return isinstance(value, dict) and value.keys() == tests.keys() and all(t(value[k]) for k, t in tests.items())

    return test


def _each(inner: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Return the test of an object with any fields of one kind."""
    return lambda value: isinstance(value, dict) and all(map(inner, value.values()))


def _shape(value: Any) -> bool:
    return isinstance(value, list) and len(value) <= 4 and all(map(_count, value))


def _pairs(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(pair, list) and [type(part) for part in pair] == [str, float] for pair in value
    )


def _anything(value: Any) -> bool:
    del value
    return True


def _flag(value: Any) -> bool:
    return isinstance(value, bool)


FIELDS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "format": ("the number of a format", _count),
    "littlestone": ("a version", _text),
    "learner": ("a learner's name", _text),
    "params": ("parameters by name", _each(_anything)),
    "labels": (
        "two labels, classes or null",
        _maybe(_either(_fields(negative=_anything, positive=_anything, settled=_flag), _fields(classes=_list))),
    ),
    "promise": ("pairs of a name and a number", _pairs),
    "game": (
        "what the learner has seen",
        _fields(trials=_count, mistakes=_count, width=_count, n=_maybe(_count), weighted=_flag),
    ),
    "counts": (
        "the counts of a game",
        _fields(trials=_count, mistakes=_count, updates=_count, promotions=_count, demotions=_count),
    ),
    "names": ("the number of names or null", _maybe(_count)),
    "provenance": ("where it comes from", _fields(source=_maybe(_text), date=_maybe(_text), position=_maybe(_count))),
    "arrays": ("the shapes of arrays", _each(_fields(shape=_shape, sparse=_flag))),
    "members": ("digests by name", _each(_text)),
    "sha256": ("a digest", _text),
}


PART = (
    "labels",
    "promise",
    "game",
    "counts",
    "names",
)  # what is said of each learner, the one outside and those inside


def _inside(value: Any, deep: int = 1) -> bool:
    """Tell whether these are the parts of learners inside a learner, not too deep."""
    if not isinstance(value, dict) or deep > MOST_DEEP:
        return False
    for part in value.values():
        if not isinstance(part, dict) or not {*PART} <= part.keys() <= {*PART, "inside"}:
            return False
        if not all(FIELDS[name][1](part[name]) for name in PART) or not _inside(part.get("inside", {}), deep + 1):
            return False
    return True


def _inside_at_all(value: dict[str, Any]) -> int:
    """Return how many learners there are inside."""
    return sum(1 + _inside_at_all(part.get("inside", {})) for part in value.values())


def _few_inside(value: Any) -> bool:
    return _inside(value) and 1 <= _inside_at_all(value) <= MOST_INSIDE


LEARNERS_INSIDE = f"the parts of at most {MOST_INSIDE} learners inside, at most {MOST_DEEP} deep"
FIELDS_OF = {FORMAT: FIELDS, NESTED: {**FIELDS, "inside": (LEARNERS_INSIDE, _few_inside)}}


def _bytes(header: Mapping[str, Any]) -> bytes:
    """Return the one way to write a header down."""
    return json.dumps(header, sort_keys=True, separators=(",", ":"), allow_nan=False).encode("ascii")


def _excess(text: bytes) -> str | None:
    """Return what there is too much of in a header, before anything is made of it."""
    if len(text) > MOST_HEADER:
        return f"expected at most {MOST_HEADER:,} bytes, got {len(text):,}"
    values = sum(map(text.count, (b",", b"[", b"{")))  # at least
    return f"expected at most {MOST_VALUES:,} values, got {values:,}" if values > MOST_VALUES else None


def sealed(header: Mapping[str, Any]) -> bytes:
    """Return the member that holds a header, with its digest in it."""
    digest = sha256(_bytes(header)).hexdigest()
    text = _bytes({**header, "sha256": digest})
    excess = _excess(text)
    if excess is not None:
        raise InvalidParameter(
            f"save: the labels, parameters and source, as text: {excess}; shorten them, or give arrays for parameters"
        )
    return npy(np.frombuffer(text, dtype=np.uint8))


def read_header(archive: Archive) -> dict[str, Any]:
    """Return the header of an archive, checked by itself; the arrays are not read."""
    written = archive.array("header", archive.member("header"))
    if written.dtype != np.uint8 or written.ndim != 1:
        raise archive.refusal(f"header: expected bytes, got {written.dtype} of {written.shape}")
    text = written.tobytes()
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
    return checked(archive, header)


def checked(archive: Archive, header: dict[str, Any]) -> dict[str, Any]:
    """Return the header if it says all it must say, and its digest is right."""
    version = header.get("format")
    if isinstance(version, int) and version not in FIELDS_OF:
        remedy = NEWER if version > NESTED else "formats begin at 1"
        raise archive.refusal(f"format: expected at most {NESTED}, got {version}", remedy)
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
