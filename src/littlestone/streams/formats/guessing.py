"""What the columns of a table seem to be, where nobody says it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from littlestone.core.arrays import Floats
from littlestone.streams.formats.columns import CATEGORY, IDENTIFIER, NUMBER, TEXT, TRUTH, floats, stripped
from littlestone.streams.formats.reading_rules import FALSE, TRUE, is_code, number
from littlestone.streams.formats.scanned import FIRST_ROWS

__all__ = ["FEW_ROWS", "Guess", "kind_of_texts"]

FEW_ROWS = 50  # of fewer rows no column is an identifier
NEARLY_ALL = 0.95  # of the values of an identifier are different
MOST_ODD, FEW = 5, 0.02  # different cells that are no numbers, and their share of all, in a column of numbers

_spoken = re.compile(r"\S*[^\W\d_]\S*").findall
_unspaced = re.compile(r"[\u0e01-\u0eff\u3041-\u30ff\u3400-\u9fff]").findall  # scripts without spaces between words


class Guess:
    """What the cells of a column allow it to be; ``kind`` is what its type says, ``whole``: that of whole numbers.

    A column is of numbers if all its cells are, or all but a few: at most 5 different ones, below 2% of the cells,
    which then count as missing (``odd``: how often each came). Else it is of True and False if all its cells are;
    else it is what `kind_of_texts` says of the first 1,000 rows. Whole numbers that count the rows, from 0 or 1, are
    an identifier.

    >>> guess = Guess(frozenset([""]))
    >>> guess.see([*map(str, range(5, 104)), "unknown", ""])
    >>> guess.kind, dict(guess.odd)
    ('number', {'unknown': 1})
    """

    def __init__(self, missing: frozenset[Any], kind: str | None = None, *, whole: bool = True) -> None:
        self._missing = missing
        self._texts = kind == CATEGORY  # cells that are numbers all the same are texts there
        self._number, self._truth = kind != TRUTH, kind in {None, TRUTH}
        self._counts_rows, self._next = whole, -1  # whether all cells so far are k, k+1, ...; what comes next then
        self._present, self._first = 0, list[Any]()
        self._odd: Counter[str] = Counter()

    def see(self, cells: Any) -> None:
        """Take some cells into account."""
        texts = not isinstance(cells, np.ndarray)
        if texts and len(self._first) < FIRST_ROWS:
            self._first.extend(cells[: FIRST_ROWS - len(self._first)])
        if self._number and texts and any(map(is_code, set(cells) - self._missing)):
            self._number = False  # 01234 and 1234 are not the same
        if self._number:
            self._see_numbers(cells)
        if self._truth and texts and not {stripped(cell) for cell in set(cells)} <= {*TRUE, *FALSE, *self._missing}:
            self._truth = False

    def _see_numbers(self, cells: Any) -> None:
        values = cells if isinstance(cells, np.ndarray) else floats(cells)
        if values is not None:
            self._present += len(values)
            self._counts_rows = self._counts_rows and self._goes_on(values, cells)
            return
        self._counts_rows = False
        for cell, count in Counter(map(stripped, cells)).items():
            if cell not in self._missing:
                self._present += count
                if number(cell) is None:
                    self._odd[cell] += count
        self._number = len(self._odd) <= MOST_ODD

    def _goes_on(self, values: Floats, cells: Any) -> bool:
        if not len(values):
            return True
        first = self._next if self._next >= 0 else values[0]
        self._next = int(first) + len(values) if first in {0.0, 1.0} or self._next >= 0 else -1
        counted = self._next >= 0 and bool((values == np.arange(self._next - len(values), self._next)).all())
        return counted and (isinstance(cells, np.ndarray) or "".join(cells).isdigit())

    @property
    def kind(self) -> str:
        """The kind; a column without any value counts as numbers."""
        if self._number and not self._odd and not self._texts:
            return IDENTIFIER if self._counts_rows and self._present >= FEW_ROWS else NUMBER
        if self._truth:
            return TRUTH
        return NUMBER if self.odd else kind_of_texts(self._first, self._missing)

    @property
    def odd(self) -> Counter[str]:
        """The few cells that are no numbers in a column of numbers, with their counts."""
        few = self._number and sum(self._odd.values()) < FEW * self._present
        return self._odd if few else Counter()


def kind_of_texts(cells: Sequence[Any], missing: frozenset[Any]) -> str:
    """Return what a column of texts seems to be: text, identifier or category.

    It is text if more than half of its different cells have three words or more, and at least half of all cells are
    different; two words are enough if nearly all are different. An identifier has different values nearly everywhere,
    which are neither words nor real numbers. In fewer than 50 rows, two words and different values mean nothing.

    >>> kind_of_texts(["see you at noon", "call me now", "ok", "I am at home"], frozenset())
    'text'
    >>> kind_of_texts([f"A-{row}" for row in range(50)], frozenset()), kind_of_texts(["red", "blue"], frozenset())
    ('id', 'category')
    """
    present = [cell for cell in map(stripped, cells) if cell not in missing]
    different = set(present)
    if 2 * len(different) < len(present) or not different:
        return CATEGORY
    lengths = [max(len(_spoken(str(cell))), len(_unspaced(str(cell))) // 2) for cell in different]
    if 2 * sum(length >= 3 for length in lengths) > len(different):
        return TEXT
    if len(present) < FEW_ROWS or len(different) < NEARLY_ALL * len(present):
        return CATEGORY
    if 2 * sum(length >= 2 for length in lengths) > len(different):
        return TEXT
    real = sum(not str(cell).isdigit() and number(str(cell)) is not None for cell in different)
    return CATEGORY if 2 * real > len(different) else IDENTIFIER
