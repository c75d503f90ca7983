"""`Pairs`: a stream with the conjunctions (products) of every two attributes of a row added to them."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from littlestone.core.block import Block
from littlestone.core.errors import InvalidData, InvalidParameter
from littlestone.core.messages import Blank, Remedy
from littlestone.core.parameters import check_flag
from littlestone.core.rows import MOST_ATTRIBUTES
from littlestone.core.vocabulary import LaterNames
from littlestone.engine.text import pairs as engine
from littlestone.streams.base import Stream
from littlestone.streams.wrappers.wrapped import WrappedStream

__all__ = ["MOST_PAIRS", "Pairs"]

MOST_PAIRS = 500_000  # of one row
AT_ONCE = 1 << 21  # non-zeros made at once: blocks of long rows come out in parts


class Pairs(WrappedStream):
    r"""A stream whose rows have, beside their attributes, every pair of them that is on: x_i x_j for i < j.

    A pair of Boolean attributes is their conjunction, one of values their product. An attribute is not paired with
    itself: x^2 = x for Booleans. A pair is called ``a&b``, its names in the order of their texts, and an attribute
    without a name goes by its number; an ampersand or a backslash within a name gets a backslash before it, so that
    different pairs have different names. Columns are given in order of first appearance, row by row, the row's
    attributes before its pairs; names are made only when they are asked for. A column takes about 60 bytes, a name
    another 100 once it is made.

    Parameters
    ----------
    stream : any stream
    between : (a, b) or None
        Only pairs of an attribute of ``a`` with one of ``b``: namespaces of Vowpal Wabbit text (``a^name``) or columns
        of a table (``a=value``, or ``a`` itself where it has values). a = b pairs the attributes of one.
    absent : bool
        Whether a stream without any attribute of ``a`` or ``b`` is taken, such as a small one to be predicted.

    Example
    -------
    >>> import littlestone as ls
    >>> xor = ls.from_arrays([[0, 0], [0, 1], [1, 0], [1, 1]] * 9, [0, 1, 1, 0] * 9)
    >>> ls.play(ls.Perceptron(), xor).mistakes, ls.play(ls.Perceptron(), Pairs(xor)).mistakes
    (34, 17)
    >>> [block] = Pairs(xor).blocks()
    >>> block.names, block.row(3)[0].tolist()
    (('1', '0', '0&1'), [0, 1, 2])
    """

    def __init__(self, stream: Stream, *, between: Sequence[str] | None = None, absent: bool = False) -> None:
        super().__init__(stream)
        texts = isinstance(between, tuple | list) and [isinstance(part, str) and part for part in between]
        if between is not None and not (texts and len(texts) == 2 and all(texts)):
            raise InvalidParameter(f"Pairs: between must be two namespaces or columns, ('a', 'b'), got {between!r}")
        check_flag("Pairs", "absent", absent)
        self.between, self.absent = between, absent
        self._columns = _Columns()
        self._size: int | None = None  # once it is known

    @property
    def n_attributes(self) -> int | None:  # type: ignore[override]
        """The number of attributes and pairs, where the stream knows its own: it is read for it."""
        if self._size is None and self.stream.n_attributes is not None:
            for _ in self.blocks():
                pass
        return self._size

    def read_as(self) -> dict[str, Any]:
        """Return how the stream was read, and that there are pairs."""
        pairs = {"pairs": True} if self.between is None else {"pairs": list(self.between), "absent": True}
        return {**self.stream.read_as(), **pairs}

    def blocks(self, rows: int = 8192) -> Iterator[Block]:
        """Yield the examples in order, at most ``rows`` at a time."""
        groups = _Groups(self.between)
        if self.between is not None and not self.absent and self.stream.names is not None:
            groups.of(self.stream.names)
            groups.check()
        for block in self.stream.blocks(rows):
            names = self.stream.names if block.names is None else block.names
            self._columns.names = names
            marks = groups.of(names)
            for part in _parts(block, groups, marks):
                yield self._paired(part, marks, groups.every)
        if not self.absent:
            groups.check()
        self._size = len(self._columns)

    def __repr__(self) -> str:
        return f"Pairs({self.stream!r}{'' if self.between is None else f', between={self.between!r}'})"

    def _paired(self, block: Block, marks: NDArray[np.uint8], every: bool) -> Block:
        first = block.indptr[0]
        indptr, indices = block.indptr - first, block.indices[first : block.indptr[-1]]
        real = block.values is not None
        values = np.zeros(0) if block.values is None else block.values[first : block.indptr[-1]]
        counts = np.empty(len(block), dtype=np.int64)
        engine.sizes(indptr, indices, marks, every, counts)
        out = np.empty(int(counts.sum()), dtype=np.uint32)
        ends, products = np.zeros(len(block) + 1, dtype=np.int64), np.empty(len(out) if real else 0)
        wrong = self._columns.expand(
            engine.Rows(indptr, indices, values, marks),
            int(counts.max(initial=0)),
            engine.Expanded(ends, out, products),
            real=real,
            every=every,
        )
        if wrong is not None:
            place = replace(block, indptr=indptr, indices=indices).place(wrong)
            raise InvalidData(f"{place}: expected products of at most 1e100, got a larger one; scale the values first")
        stored = int(ends[-1])
        products = products[:stored]
        ones = not real or bool((products == 1.0).all())
        names = LaterNames(self._columns, 0, len(self._columns))
        cells: dict[str, Any] = {"indptr": ends, "indices": out[:stored], "values": None if ones else products}
        return replace(block, **cells, n_attributes=self._size, names=names, spoken=None, checked=True)


class _Columns:
    """Single attributes and pairs with their columns: a table that only grows; and their names."""

    def __init__(self) -> None:
        self._table = engine.Table(np.zeros(1 << 13, dtype=np.uint64), np.zeros(1 << 12, dtype=np.uint64))
        self._meta = np.zeros(3, dtype=np.int64)
        self.names: Sequence[Hashable] | None = None  # of the single attributes

    def __len__(self) -> int:
        return int(self._meta[engine.COUNT])

    def expand(self, rows: engine.Rows, longest: int, out: engine.Expanded, *, real: bool, every: bool) -> int | None:
        """Expand rows to at most ``longest`` columns each; return where a product is too large, if there is one."""
        room = engine.Room(np.empty(longest, dtype=np.uint64), np.empty(longest), np.empty(longest, dtype=np.int64))
        self._meta[engine.ROW] = 0
        while code := engine.expand(rows, real, every, self._table, self._meta, room, out):
            if code == engine.LARGE:
                return int(self._meta[engine.AT])
            self._grow()
        return None

    def some(self, start: int, stop: int) -> list[Hashable]:
        """Return the names of these columns."""
        keys = self._table.members[start:stop]
        one, other = (keys >> np.uint64(32)).tolist(), (keys & np.uint64(0xFFFFFFFF)).tolist()
        if self.names is None:
            texts: Any = {i: str(i) for i in {*one, *other}}
        elif 4 * (stop - start) < len(self.names):
            texts = {i: _text(self.names[i]) for i in {*one, *other}}
        else:
            texts = list(map(_text, self.names))
        return [texts[i] if i == j else "&".join(sorted((texts[i], texts[j]))) for i, j in zip(one, other, strict=True)]

    def _grow(self) -> None:
        count = len(self)
        if count >= MOST_ATTRIBUTES:
            remedy = Remedy("take between=", typed="take {pairs_between}", pairs_between=Blank())
            raise InvalidData(f"Pairs: expected at most {MOST_ATTRIBUTES} different pairs, got more", remedy)
        slots, members = self._table
        if count >= len(members):
            members = np.concatenate((members, np.zeros_like(members)))
        if 4 * count >= len(slots):
            slots = np.zeros(2 * len(slots), dtype=np.uint64)
            engine.refill(engine.Table(slots, members), count)
        self._table = engine.Table(slots, members)


def _text(name: Hashable) -> str:
    text = name if isinstance(name, str) else str(name)
    return text.replace("\\", "\\\\").replace("&", "\\&") if "&" in text or "\\" in text else text


class _Groups:
    """To which of two namespaces or columns the attributes belong: 1, 2, both (3) or none (0)."""

    def __init__(self, between: Sequence[str] | None) -> None:
        self.every, self._between = between is None, tuple(between or ())
        self._marks = np.zeros(0, dtype=np.uint8)

    def of(self, names: Sequence[Hashable] | None) -> NDArray[np.uint8]:
        """Return the marks of all attributes."""
        if self.every:
            return self._marks
        if names is None:
            raise InvalidParameter(f"Pairs: between={self._between!r} needs attributes with names, got numbers")
        new = [self._mark(str(name)) for name in names[len(self._marks) :]]
        self._marks = np.append(self._marks, np.array(new, dtype=np.uint8))
        return self._marks

    def check(self) -> None:
        """Refuse a namespace of which no attribute has come."""
        for bit, name in enumerate(self._between, start=1):
            if len(self._marks) and not (self._marks & bit).any():
                raise InvalidParameter(
                    f"Pairs: between: expected a namespace or a column of the stream, got {name!r}; "
                    f"attributes are called {name}^..., {name}=... or {name}"
                )

    def _mark(self, name: str) -> int:
        spaces = enumerate(self._between, start=1)
        return sum(bit for bit, space in spaces if name == space or name.startswith((f"{space}^", f"{space}=")))


def _parts(block: Block, groups: _Groups, marks: NDArray[np.uint8]) -> Iterator[Block]:
    """Yield a block in parts of limited size; refuse a row that is too long."""
    counts = np.empty(len(block), dtype=np.int64)
    engine.sizes(block.indptr, block.indices, marks, groups.every, counts)
    if len(counts) and counts.max() > MOST_PAIRS:
        row = int(np.argmax(counts > MOST_PAIRS))
        size = int(block.indptr[row + 1] - block.indptr[row])
        raise InvalidData(
            f"row {block.start + row}: expected at most {MOST_PAIRS:,} pairs, got {int(counts[row]) - size:,} of its "
            f"{size:,} attributes",
            Remedy("take pairs of two namespaces (between=)", typed="take {pairs_between}", pairs_between=Blank()),
            "choose attributes first",
        )
    totals, start = np.cumsum(counts), 0
    while start < len(block):
        before = totals[start - 1] if start else 0
        stop = max(start + 1, int(np.searchsorted(totals, before + AT_ONCE, side="right")))
        yield block[start:stop]
        start = stop
