"""Rows of names that a model knows, all of them: most rows are such, and become a block in its columns at once."""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Sequence
from itertools import accumulate, chain
from typing import Any

import numpy as np

from littlestone.core.block import LARGEST_VALUE, Block
from littlestone.core.vocabulary import Vocabulary
from littlestone.engine import dicts

__all__ = ["of_known"]


def of_known(rows: Sequence[dict[Hashable, Any]], words: Vocabulary) -> Block | None:
    """Return dicts as a block in the columns of a vocabulary.

    None where one of them has a new name, or a value that is no number, or no finite one: who reads it in another way
    says what is wrong.

    >>> of_known([{"b": 2}, {"b": 0.5, "a": 1, "c": 0}], Vocabulary(["a", "b", "c"])).indices.tolist()
    [1, 0, 1]
    >>> of_known([{"d": 1}], Vocabulary(["a"])) is None, of_known([{"a": "1"}], Vocabulary(["a"])) is None
    (True, True)
    """
    ends = np.zeros(len(rows) + 1, dtype=np.int64)
    try:
        ends[1:] = [*accumulate(map(len, rows))]
        columns = np.fromiter(map(words.columns.__getitem__, chain.from_iterable(rows)), np.uint32, int(ends[-1]))
        values = np.frombuffer(array("d", chain.from_iterable(map(dict.values, rows))))
    except (KeyError, TypeError, OverflowError):
        return None
    found = dicts.arrange_rows(ends, columns, values, LARGEST_VALUE)
    if found == dicts.LONG_WAY:
        return None
    block = Block(ends, columns, None if found == dicts.ONES else values, names=words.all, checked=True)
    vars(block)["known"] = len(words)  # none is wider
    return block
