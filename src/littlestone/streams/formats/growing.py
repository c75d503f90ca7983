"""What grows while a stream is read: names of attributes and labels; and the blocks made with them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from littlestone.core.arrays import Floats, Ints
from littlestone.core.block import LARGEST_INDEX, Block
from littlestone.core.errors import InvalidData, InvalidLabel
from littlestone.core.labels import all_labels, plain
from littlestone.core.messages import Blank, Remedy, shown
from littlestone.streams.formats.reading_rules import number_or_text, read_labels

__all__ = ["LabelBook", "Names", "Part", "assembled", "heard_of", "joined"]

Part = tuple[Ints, Ints, Floats | None]  # rows, columns, values (None: all 1)


class Names:
    """Names in the order in which they came, each with its column.

    >>> names = Names(["a"])
    >>> names.column("b"), names.column("a"), names.all()
    (1, 0, ('a', 'b'))
    """

    def __init__(self, names: Iterable[Hashable] = ()) -> None:
        self.columns: dict[Hashable, int] = {name: column for column, name in enumerate(names)}
        self._all: tuple[Hashable, ...] = ()

    def column(self, name: Hashable) -> int:
        """Return the column of a name, a new one if it has none."""
        return self.columns.setdefault(name, len(self.columns))

    def all(self) -> tuple[Hashable, ...]:
        """Return all names so far; the same tuple as long as none is added."""
        if len(self._all) < len(self.columns):
            if len(self.columns) > LARGEST_INDEX:
                remedy = Remedy("leave out a column ({ignore})", ignore=Blank())
                raise InvalidData(f"names: expected at most {LARGEST_INDEX} of them", remedy)
            self._all = tuple(self.columns)
        return self._all


class LabelBook:
    """The labels of a stream and their codes; ``closed`` where a new one is an error.

    Labels that a caller has named keep their order. Labels that are found are sorted, the negative one first; one
    that is found later comes after them.

    >>> book = LabelBook.found(["spam", "ham", "ham"])
    >>> book.labels, book.encode(["ham", "spam"]).tolist()
    (('ham', 'spam'), [0, 1])
    """

    def __init__(self, labels: Sequence[Any], *, closed: bool = False, cells: dict[Any, Any] | None = None) -> None:
        self.closed = closed
        self._code = {plain(label): code for code, label in enumerate(labels)}
        self._labels = tuple(self._code)
        self._cells = {} if cells is None else {cell: self._code[label] for cell, label in cells.items()}
        self._textual = bool(labels) and all(isinstance(label, str) for label in self._labels)

    @classmethod
    def given(cls, labels: Any) -> LabelBook:
        """Return the labels that a caller has named."""
        if not isinstance(labels, tuple | list) or len(labels) < 2 or len(set(labels)) < len(labels):
            raise InvalidLabel(
                f"labels: expected a tuple of different labels, the negative one first, got {shown(labels)}"
            )
        return cls(labels, closed=True)

    @classmethod
    def found(cls, cells: Iterable[Any]) -> LabelBook:
        """Return the labels that these cells stand for."""
        read = read_labels(dict.fromkeys(cells))
        if not read:
            return cls((0, 1))
        kinds = {type(label) for label in read.values()}
        one_kind = len(kinds) == 1 and str not in kinds
        return cls(all_labels(np.array(list(read.values()), dtype=None if one_kind else object)), cells=read)

    @property
    def labels(self) -> tuple[Any, ...]:
        """All labels so far; the same tuple as long as none is added."""
        if len(self._labels) < len(self._code):
            self._labels = tuple(self._code)
        return self._labels

    @property
    def cells(self) -> tuple[Any, ...]:
        """The labels met so far, as they stand in the source."""
        return tuple(self._cells)

    def knows(self, cell: Any) -> bool:
        """Tell whether a label is one of those there are, or may be added to them."""
        return not self.closed or self.read(cell) in self._code

    def encode(self, cells: Sequence[Any]) -> Ints:
        """Return the codes of labels; a new one is added, unless the book is closed."""
        try:
            return np.fromiter(map(self._cells.__getitem__, cells), np.int64, len(cells))
        except KeyError:
            for cell in dict.fromkeys(cells):
                if cell not in self._cells:
                    self._cells[cell] = self._code.setdefault(self.read(cell), len(self._code))
            return self.encode(cells)

    def read(self, cell: Any) -> Any:
        """Return the label that a cell stands for, whether it is known or not."""
        if isinstance(cell, str):
            text = cell.strip()
            if self._textual or text in self._code:
                return text
            if text in {"True", "true", "TRUE", "False", "false", "FALSE"} and True in self._code:
                return text.lower() == "true"
        return number_or_text(cell)


def assembled(count: int, parts: Sequence[Part], start: int = 0, *, zeros: bool = False) -> Block:
    """Return entries (row, column, value) in any order as a block of ``count`` rows; all-ones are Boolean.

    Entries of 0 go, unless ``zeros`` are kept.

    >>> block = assembled(2, [(np.array([1, 0]), np.array([7, 3]), None), (np.array([0]), np.array([1]), None)])
    >>> block.indptr.tolist(), block.indices.tolist()
    ([0, 2, 3], [1, 3, 7])
    """
    nothing = np.zeros(0, dtype=np.int64)
    rows = np.concatenate([nothing, *(part[0] for part in parts)])
    columns = np.concatenate([nothing, *(part[1] for part in parts)])
    values, spoken = None, np.zeros(count, dtype=np.int64)
    if any(part[2] is not None for part in parts):
        values = np.concatenate([np.ones(len(part[0])) if part[2] is None else part[2] for part in parts])
        kept = values != 0.0
        if not (zeros or kept.all()):
            np.maximum.at(spoken, rows[~kept], columns[~kept] + 1)
            rows, columns, values = rows[kept], columns[kept], values[kept]
    key = (rows << 32) | columns  # one sort for rows and columns
    if values is None or bool((values == 1.0).all()):
        values = None
        key.sort()
    else:
        order = key.argsort(kind="stable")
        key, values = key[order], values[order]
    twice = np.flatnonzero(key[1:] == key[:-1])
    if len(twice):
        raise InvalidData(f"row {start + int(key[twice[0]] >> 32)}: expected each attribute once, got one twice")
    indptr = np.zeros(count + 1, dtype=np.int64)
    np.cumsum(np.bincount(rows, minlength=count), out=indptr[1:])
    indices = (key & 0xFFFFFFFF).astype(np.uint32)
    return heard_of(Block(indptr, indices, values, start=start, checked=True), spoken)


def heard_of(block: Block, least: Ints | int) -> Block:
    """Return a block that says how many names each row knows of: up to the last that is on, and at least so many."""
    spoken = np.zeros(len(block), dtype=np.int64)
    filled = np.flatnonzero(np.diff(block.indptr))
    spoken[filled] = block.indices[block.indptr[filled + 1] - 1].astype(np.int64) + 1
    return replace(block, spoken=np.maximum(spoken, least))


def joined(blocks: Sequence[Block]) -> Block:
    """Return consecutive blocks, with or without outcomes, as one."""
    if len(blocks) == 1:
        return blocks[0]
    if blocks[0].outcomes is None:
        nothing = [replace(block, outcomes=np.zeros(len(block), dtype=np.int64)) for block in blocks]
        return replace(Block.joined(nothing), outcomes=None)
    return Block.joined(blocks)
