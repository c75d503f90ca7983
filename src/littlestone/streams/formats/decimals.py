"""Decimals: read exactly where a parser's quick way does not settle them, and written so that they read back."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from littlestone.core.arrays import Bytes, Ints
from littlestone.core.errors import InvalidData
from littlestone.engine.text import svmlight as engine

__all__ = ["Known", "decimal", "read"]


class Known:
    """Numbers by the places where they begin, as the kernels want them: two arrays, in order."""

    def __init__(self) -> None:
        self.at = np.zeros(0, dtype=np.int64)
        self.values = np.zeros(0)

    def add(self, at: Ints, values: NDArray[np.float64]) -> None:
        """Know more numbers."""
        at, values = np.append(self.at, at), np.append(self.values, values)
        order = np.argsort(at)
        self.at, self.values = at[order], values[order]

    def add_text(self, data: Bytes, words: Ints) -> None:
        """Know the numbers from ``words[2 k]`` to ``words[2 k + 1]``, which are decimals, by Python's own reading."""
        self.add(words[::2], np.array([float(data[a:b].tobytes()) for a, b in words.reshape(-1, 2).tolist()]))


def read(data: Bytes, words: Ints) -> NDArray[np.float64]:
    """Return the number from ``words[2 k]`` to ``words[2 k + 1]``, for each k; NaN where there is none.

    >>> text = np.frombuffer(b"1e-3|12345678901234567890123|0x10|", dtype=np.uint8)
    >>> read(text, np.array([0, 4, 5, 28, 29, 33])).tolist()
    [0.001, 1.2345678901234568e+22, nan]
    """
    known, out = Known(), np.empty(len(words) // 2)
    while True:
        spans, meta = np.empty(len(words), dtype=np.int64), np.zeros(engine.SIZE, dtype=np.int64)
        engine.decimals(data, words, known.at, known.values, spans, out, meta)
        if not meta[engine.HARD]:
            return out
        known.add_text(data, spans[: 2 * meta[engine.HARD]])


def decimal(owner: str, value: Any) -> str:
    """Return a number as text that reads back as itself, whole ones without a point.

    >>> decimal("", 1.0), decimal("", 0.1), decimal("", 1e99), decimal("", -3)
    ('1', '0.1', '1e+99', '-3')
    """
    if isinstance(value, str):
        raise InvalidData(f"{owner}: expected labels that are numbers, got {value!r}; give numbers to the classes")
    number = float(value)
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)
