"""Names at the edge of a learner. Everything here is pure: a refusal leaves no trace."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from littlestone.core.arrays import Floats
from littlestone.core.block import Block
from littlestone.core.errors import InvalidData
from littlestone.core.messages import repeated, shown
from littlestone.core.rows import named_values, one_more
from littlestone.core.vocabulary import LaterNames, Vocabulary

__all__ = ["aligned", "literal", "named_block", "new_in_each_row", "unseen", "with_names", "within"]


def aligned(block: Block, words: Vocabulary) -> tuple[Block, Sequence[Hashable]]:
    """Return a block with names in the columns of a vocabulary, and the names that are new to it.

    A block that does not say how many attributes there are does not say it afterwards either: names may be to come.
    """
    names = block.names or ()
    if isinstance(names, LaterNames):
        return _later(block, words, names)
    if len(names) >= len(words) and list(words) == list(names[: len(words)]):  # as in a stream whose names grow
        return replace(block, n_attributes=_size(block, len(names))), list(names[len(words) :])
    new = [name for name in names if name not in words]
    order = {**words.columns, **{name: len(words) + i for i, name in enumerate(new)}}
    columns = np.array([order[name] for name in names], dtype=np.uint32)
    n = _size(block, len(order))
    if np.array_equal(columns, np.arange(len(columns))):
        return replace(block, names=tuple(order), n_attributes=n), new
    return replace(block.mapped(columns, tuple(order)), n_attributes=n), new


def _size(block: Block, known: int) -> int | None:
    return None if block.n_attributes is None else max(block.n_attributes, known)


def _later(block: Block, words: Vocabulary, names: LaterNames) -> tuple[Block, Sequence[Hashable]]:
    """Return the same of names that are made later: none is made if they are the only ones a vocabulary knows."""
    if words.shares(names):
        longest = names if len(names) >= len(words) else LaterNames(names.source, 0, len(words))
        return replace(block, names=longest, n_attributes=_size(block, len(longest))), longest.after(len(words))
    columns, new = words.places(names)
    order = LaterNames(_Longer(words, new), 0, len(words) + len(new))
    n = _size(block, len(order))
    if np.array_equal(columns, np.arange(len(columns))):
        return replace(block, names=order, n_attributes=n), new
    return replace(block.mapped(columns, order), n_attributes=n), new


class _Longer:
    """The names of a vocabulary, and more."""

    def __init__(self, words: Vocabulary, more: list[Hashable]) -> None:
        self.words, self.known, self.more = words, len(words), more

    def some(self, start: int, stop: int) -> list[Hashable]:
        """Return the names of these columns."""
        known = [self.words.name(column) for column in range(start, min(stop, self.known))]
        return known + self.more[max(start - self.known, 0) : max(stop - self.known, 0)]


def within(block: Block, new: Sequence[Hashable], n: int | None) -> tuple[Block, Sequence[Hashable]]:
    """Return checked rows and their new names without the names that come after the first ``n``: these are all 0."""
    if n is None or block.names is None or len(block.names) <= n:
        return block, new
    known = len(block.names) - len(new)
    size = None if block.n_attributes is None else n
    return replace(block, names=_first(block.names, n), n_attributes=size), _first(new, n - known)


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


def unseen(
    owner: str, words: Vocabulary, x: Iterable[Hashable], values: Floats, n: int | None, *, kept: bool
) -> list[Hashable]:
    """Return the names in ``x`` that are new, as many as a fixed n leaves room for; any other must have the value 0.

    Where they are to be ``kept``, those that come first in ``x`` have the room, as in a stream.
    """
    new = words.unseen(x)
    if n is None or len(words) + len(new) <= n:
        return new
    room, off = n - len(words), {name for name, value in zip(x, values, strict=False) if value == 0.0}
    in_order = [name for name in x if name not in words and (kept or name not in off)]
    beyond = next((name for name in in_order[room:] if name not in off), None)
    if beyond is not None:
        raise one_more(owner, f"attribute {beyond!r}", n)
    return words.unseen(in_order[:room])


def literal(words: Vocabulary | None, negated: int | None, i: int, unnamed: str = "") -> Hashable:
    """Return the name of attribute i, or of its negation from ``negated`` on; ``unnamed`` goes before a position.

    >>> literal(Vocabulary(["wet"]), 2, 0), literal(None, 2, 3), literal(None, 2, 3, "x")
    ('wet', 'not 1', 'not x1')
    """
    at = i if negated is None else i % negated
    known = words is not None and at < len(words)
    name: Hashable = words.name(at) if words is not None and known else f"{unnamed}{at}" if unnamed else at
    return name if at == i else f"not {name}"
