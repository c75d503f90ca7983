"""Names at the edge of a learner. Everything here is pure: a refusal leaves no trace."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from littlestone.core.arrays import Columns, Floats, Ints
from littlestone.core.block import Block
from littlestone.core.errors import InvalidData
from littlestone.core.messages import repeated, shown
from littlestone.core.rows import named_values, one_more, one_row
from littlestone.core.vocabulary import LaterNames, Vocabulary

__all__ = ["aligned", "literal", "named_block", "new_in_each_row", "one_block", "with_names", "with_room", "within"]


def aligned(block: Block, words: Vocabulary) -> tuple[Block, Sequence[Hashable]]:
    """Return a block with names in the columns of a vocabulary, and the names that are new to it.

    A block that does not say how many attributes there are does not say it afterwards either: names may be to come.
    """
    names = block.names or ()
    if isinstance(names, LaterNames):
        if names.source is words:  # its own, all of which it knows
            return (block if len(names) == len(words) else replace(block, names=words.all)), []
        return _later(block, words, names)
    if len(names) >= len(words) and list(words) == list(names[: len(words)]):  # as in a stream whose names grow
        return replace(block, n_attributes=_size(block, len(names))), list(names[len(words) :])
    known = words.columns
    new = [name for name in names if name not in known]
    later = {name: len(known) + i for i, name in enumerate(new)}
    columns = np.array([known[name] if name in known else later[name] for name in names], dtype=np.uint32)
    # A copy of all names would cost more than a row.
    return _moved(block, columns, len(known), LaterNames(_Longer(words, new), 0, len(known) + len(new))), new


def _size(block: Block, known: int) -> int | None:
    return None if block.n_attributes is None else max(block.n_attributes, known)


def _moved(block: Block, columns: Columns, known: int, names: Sequence[Hashable]) -> Block:
    """Return a block whose columns move to those of longer names, ``known`` of which are not new."""
    n, spoken = _size(block, len(names)), block.spoken
    if spoken is not None:
        spoken = known + np.append(0, np.cumsum(columns >= known))[spoken]
    if not np.array_equal(columns, np.arange(len(columns))):
        block = block.mapped(columns, names)
    return replace(block, names=names, n_attributes=n, spoken=spoken)


def _later(block: Block, words: Vocabulary, names: LaterNames) -> tuple[Block, Sequence[Hashable]]:
    """Return the same of names that are made later: none is made if they are the only ones a vocabulary knows."""
    if words.shares(names):
        longest = names if len(names) >= len(words) else LaterNames(names.source, 0, len(words))
        return replace(block, names=longest, n_attributes=_size(block, len(longest))), longest.after(len(words))
    columns, new = words.places(names)
    order = LaterNames(_Longer(words, new), 0, len(words) + len(new))
    return _moved(block, columns, len(words), order), new


class _Longer:
    """The names of a vocabulary, and more."""

    def __init__(self, words: Vocabulary, more: list[Hashable]) -> None:
        self.words, self.known, self.more = words, len(words), more

    def some(self, start: int, stop: int) -> list[Hashable]:
        """Return the names of these columns."""
        known = [self.words.name(column) for column in range(start, min(stop, self.known))]
        return known + self.more[max(start - self.known, 0) : max(stop - self.known, 0)]


def within(
    owner: str, block: Block, new: Sequence[Hashable], n: int, *, crowded: bool
) -> tuple[Block, Sequence[Hashable], bool]:
    """Return rows and their new names within a fixed n, and whether by now a name has come that had no room.

    As long as all names fit that have come, each has its column, also one of value 0. From the first row on in which
    they do not (it is in the past if the learner is ``crowded``), only a name that is on gets one, row after row, and
    in a row in the order of the names; it is refused if no column is left. So it does not matter how many rows come at
    a time.
    """
    names = block.names
    if names is None or not new or (len(names) <= n and not crowded):
        return block, new, crowded
    known = len(names) - len(new)
    taken, first = (known, 0) if crowded else _fitting(block, known, n)
    on = _first_on(block, first, taken)
    if len(on) > n - taken:
        beyond = block.indices[block.indptr[first] : block.indptr[-1]] == on[n - taken]
        raise one_more(owner, block.place(int(block.indptr[first]) + int(np.argmax(beyond))), n)
    count, size = taken + len(on), None if block.n_attributes is None else n
    if np.array_equal(on, np.arange(taken, count)):
        block, new = replace(block, names=_first(names, count)), _first(new, count - known)
    else:
        columns = np.zeros(len(names), dtype=np.uint32)  # of what is not on, nobody asks
        columns[:taken], columns[on] = np.arange(taken), np.arange(taken, count)
        new = [*new[: taken - known], *(new[column - known] for column in on.tolist())]
        block = block.mapped(columns, (*names[:known], *new))
    return replace(block, n_attributes=size, spoken=None), new, crowded or first < len(block)


def _fitting(block: Block, known: int, n: int) -> tuple[int, int]:
    """Return how many names have come before the first row in which they are more than ``n``, and that row."""
    if block.spoken is None:
        return known, 0  # every row has them all
    come = np.maximum.accumulate(np.maximum(block.spoken, known))
    first = int(np.searchsorted(come, n, side="right"))
    return int(come[first - 1]) if first else known, first


def _first_on(block: Block, first: int, known: int) -> Ints:
    """Return the columns from ``known`` on, in the order in which they are first on from row ``first`` on."""
    columns = block.indices[block.indptr[first] : block.indptr[-1]]
    on, places = np.unique(columns[columns >= known], return_index=True)
    return on[np.argsort(places)].astype(np.int64)


def _first(names: Sequence[Hashable], count: int) -> Sequence[Hashable]:
    if isinstance(names, LaterNames):
        return LaterNames(names.source, names.start, names.start + count)
    return names[:count]


def new_in_each_row(owner: str, block: Block, known: int, n: int) -> Block:
    """Return rows whose new names, from column ``known`` on, have the next columns, in each row anew.

    That is for rows that are only asked about: nobody keeps their names, and one row's take no room from another's.
    """
    first, last = block.indptr[0], block.indptr[-1]
    columns, ends = block.indices[first:last].astype(np.int64), block.indptr - first
    rows = np.repeat(np.arange(len(block)), np.diff(ends))
    new = columns >= known  # they are the last of their rows
    numbers = np.bincount(rows[new], minlength=len(block))
    columns[new] = (known + np.arange(len(columns)) - (ends[1:] - numbers)[rows])[new]
    if (columns >= n).any():
        raise one_more(owner, block.find(columns >= n), n)
    values = None if block.values is None else block.values[first:last]
    return replace(block, indptr=ends, indices=columns.astype(np.uint32), values=values, names=None)


def named_block(owner: str, x: Any, domain: str, most: float) -> Block:
    """Return one example with named attributes, checked, as a block; new names in the order of `Vocabulary.unseen`."""
    values = named_values(owner, x, domain, most)
    names = Vocabulary().unseen(x)
    if len(values):
        values = np.array([float(x[name]) for name in names])
    block = Block.from_csr(np.array([0, len(names)]), np.arange(len(names)), values if len(values) else None)
    return replace(block, names=tuple(names))


def one_block(owner: str, x: Any, domain: str, most: float) -> Block:
    """Return one example as a block: a 1-D array by position, anything with names, or a Block of it."""
    if isinstance(x, Block | np.ndarray):
        return Block.from_arrays(x if isinstance(x, Block) else one_row(x))
    return named_block(owner, x, domain, most)


def with_names(owner: str, words: Vocabulary, names: Iterable[Hashable]) -> Vocabulary:
    """Return a copy of a vocabulary with more names."""
    try:
        more = list(names)
        different = len(set(more)) == len(more)
    except TypeError:
        raise InvalidData(f"{owner}: names: expected names that can be looked up, got {shown(names)}") from None
    if not different:
        raise InvalidData(f"{owner}: names: expected each name once, got {repeated(more)} twice")
    longer = Vocabulary(words)
    longer.add(more)
    return longer


def with_room(
    owner: str, words: Vocabulary, x: Iterable[Hashable], values: Floats, new: list[Hashable], n: int, *, crowded: bool
) -> list[Hashable]:
    """Return those of the new names in ``x`` that get a column, as `within` has it for a row."""
    if len(words) + len(new) <= n and not crowded:
        return new
    off = {name for name, value in zip(x, values, strict=False) if value == 0.0}
    on, room = [name for name in new if name not in off], n - len(words)
    if len(on) > room:
        fresh = set(on)
        beyond = [name for name in x if name in fresh][room]  # in the order in which the caller has them
        raise one_more(owner, f"attribute {beyond!r}", n)
    return on


def literal(words: Vocabulary | None, negated: int | None, i: int, unnamed: str = "") -> Hashable:
    """Return the name of attribute i, or of its negation from ``negated`` on; ``unnamed`` goes before a position.

    >>> literal(Vocabulary(["wet"]), 2, 0), literal(None, 2, 3), literal(None, 2, 3, "x")
    ('wet', 'not 1', 'not x1')
    """
    at = i if negated is None else i % negated
    known = words is not None and at < len(words)
    name: Hashable = words.name(at) if words is not None and known else f"{unnamed}{at}" if unnamed else at
    return name if at == i else f"not {name}"
