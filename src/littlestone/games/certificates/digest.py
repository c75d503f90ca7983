"""The digest of a stream, and what else certificates of mistakes and of losses have in common."""

from __future__ import annotations

import hashlib
import json
from itertools import pairwise
from math import isfinite
from typing import Any

from numpy.typing import NDArray

from littlestone.core.errors import InvalidCertificate
from littlestone.games.certificates.rules import whole

__all__ = ["Digest", "fields_of", "finite", "rising"]


class Digest:
    """The digest of a stream so far: of lengths, indices, values and outcomes apart, so that blocks leave no trace.

    >>> import numpy as np
    >>> both, apart = Digest(), Digest()
    >>> both.add(*np.arange(8).reshape(4, 2))
    >>> apart.add(*np.arange(8).reshape(4, 2)[:, :1]), apart.add(*np.arange(8).reshape(4, 2)[:, 1:])
    (None, None)
    >>> both.hexdigest() == apart.hexdigest()
    True
    """

    def __init__(self) -> None:
        self._parts = [hashlib.sha256() for _ in range(4)]

    def add(self, lengths: NDArray[Any], indices: NDArray[Any], values: NDArray[Any], outcomes: NDArray[Any]) -> None:
        """Add rows."""
        for part, array in zip(self._parts, (lengths, indices, values, outcomes), strict=True):
            part.update(array.tobytes())

    def hexdigest(self) -> str:
        """Return the digest of all rows so far."""
        return hashlib.sha256(b"".join(part.digest() for part in self._parts)).hexdigest()


def fields_of(text: str, names: set[str], form: str) -> dict[str, Any]:
    """Return the fields of a certificate in JSON, each of which is there once, and no other.

    >>> fields_of('{"format": "one", "n": 3}', {"format", "n"}, "one")
    {'format': 'one', 'n': 3}
    """
    try:
        found = json.loads(text, object_pairs_hook=_once)
    except (ValueError, TypeError, RecursionError) as error:
        raise InvalidCertificate(f"certificate: expected JSON that to_json wrote ({error})") from error
    if not isinstance(found, dict) or set(found) != names or found["format"] != form:
        got = sorted(set(found) ^ names) if isinstance(found, dict) else type(found).__name__
        raise InvalidCertificate(f"certificate: expected the fields of {form!r}, each once; wrong: {got}")
    return found


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse a key that comes twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key comes twice")
    return found


def finite(value: Any) -> bool:
    """Tell whether something is a finite number.

    >>> finite(1.5), finite(True), finite(float("inf"))
    (True, False, False)
    """
    return whole(value) or (isinstance(value, float) and isfinite(value))


def rising(numbers: Any) -> bool:
    """Tell whether these are whole numbers that rise from 0 on.

    >>> rising((0, 3, 4)), rising((3, 3)), rising([0, 1])
    (True, False, False)
    """
    return (
        isinstance(numbers, tuple)
        and all(whole(one) for one in numbers)
        and all(a < b for a, b in pairwise((-1, *numbers)))
    )
