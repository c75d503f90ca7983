"""Files of svmlight, libsvm and liblinear: ``label [qid:q] index:value ... # comment``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Unpack

import numpy as np

from littlestone.core.block import Block
from littlestone.core.errors import InvalidData, InvalidParameter
from littlestone.core.messages import Message, Remedy
from littlestone.core.rows import MOST_ATTRIBUTES
from littlestone.engine.text import svmlight as engine
from littlestone.engine.text.numbers import DIGITS
from littlestone.streams.base import Stream
from littlestone.streams.formats.chunks import ChunkReader, Parsed, Spaces, shown
from littlestone.streams.formats.text import TextOptions, TextStream
from littlestone.streams.writers import decimal, heads, write_lines

__all__ = ["SvmlightStream", "write_svmlight"]

SHORTEST = 4  # bytes of a feature: "1:1 "
PAIR = "expected index:value"
LABEL = "expected a number as label"

UNLABELLED = Remedy("for rows without labels give {unlabelled}", unlabelled=True)
# What was expected, by the kernel's code; the remedy
EXPECTED: dict[int, tuple[str, str | Remedy]] = {
    engine.NO_LABEL: ("expected a label before the first index:value", UNLABELLED),
    engine.LABEL: (LABEL, "write +1, -1, a class number or an outcome first"),
    engine.LABELS: ("expected one label", "for a row of several classes write a line each"),
    engine.PAIR: (PAIR, "separate features by blanks, begin comments with #"),
    engine.VALUE: (f"{PAIR} with a number as value", "write a decimal such as 0.5 or 1e-3"),
    engine.INFINITE: ("expected a finite number", "drop, fill or scale such values first"),
    engine.LARGE: ("expected a number of at most 1e100", "drop, fill or scale such values first"),
    engine.QUERY: ("expected qid:number behind the label, or index:value", "number the queries"),
}


class SvmlightStream(TextStream):
    r"""The examples of an svmlight or libsvm file, read in order with constant memory.

    Blank lines and comments (from # on) are skipped; qid:q behind a label is ignored; a line may end in a carriage
    return; indices may come in any order, but each once; values of 0 are dropped, though their indices count. Labels
    stay numbers. Bad lines are InvalidData with file and line, or, with ``on_error="skip"``, counted in ``skipped``,
    the first of them in ``complaints``.

    Parameters
    ----------
    source : a path, "-" for stdin, or a binary file; plain or compressed (gzip, bzip2, xz, zstd)
    attributes : the number of attributes; None: the largest index, for which a file is scanned when it is asked for
    labels : all labels, the negative one first; None: known at sight (-1 or 0, and 1), else found by a scan;
        (): they are not looked at, and blocks have no outcomes
    zero_based : whether the first attribute is 0; None: it is 1, unless the first megabyte has an index 0
    unlabelled : whether rows without a label are taken (their outcome is -1; only good for predicting)
    on_error : "raise" or "skip"
    task : "classification"; "regression": labels are numbers to be predicted; "auto": the first lines of a file tell
    threads : how many parse at once

    Example
    -------
    >>> import io
    >>> stream = SvmlightStream(io.BytesIO(b"+1 1:1 3:1\n-1 2:0.5 # a comment\n"))
    >>> stream.n_attributes, stream.labels
    (3, (-1, 1))
    >>> [block] = stream.blocks()
    >>> block.indices.tolist(), block.values.tolist(), block.outcomes.tolist()
    ([0, 2, 1], [1.0, 1.0, 0.5], [1, 0])
    """

    def __init__(self, source: Any, *, zero_based: bool | None = None, **options: Unpack[TextOptions]) -> None:
        super().__init__(source, **options)
        if zero_based not in {None, True, False}:
            raise InvalidParameter(f"SvmlightStream: zero_based must be True, False or None, got {zero_based!r}")
        self.zero_based = zero_based
        self._base = 0 if zero_based else 1
        self._spaces = Spaces(_Space)

    def read_as(self) -> dict[str, Any]:
        """Return from where the indices are counted: another file may have no index 0 by chance."""
        return {"format": "svmlight", "zero_based": self._base == 0, **self._as_task()}

    def _settled(self) -> bool:
        return super()._settled() and self.zero_based is not None

    def _begin(self, chunk: bytes) -> Parsed | None:
        if self.zero_based is not None:
            return None
        with self._spaces.room(len(chunk)) as space:
            self._base = 1
            parsed = self._reader(chunk, space).parsed()
            if not parsed.bad:  # and so no index is 0
                return parsed
            self._base = 0 if self._reader(chunk, space).meets_zero() else 1
        return None

    def _parse(self, chunk: bytes) -> Parsed:
        with self._spaces.room(len(chunk)) as space:
            return self._reader(chunk, space).parsed()

    def _reader(self, chunk: bytes, space: _Space) -> _Reader:
        stops = self.on_error == "raise"
        return _Reader(chunk, space, self._base, self.attributes, unlabelled=self.unlabelled, stops=stops)


class _Space:
    """Room for what a chunk can come to; used again and again, for fresh memory costs as much as parsing."""

    def __init__(self, size: int) -> None:
        self.size, features, lines = size, size // SHORTEST + 1, size // 2 + 1
        self.rows = engine.Rows(
            indptr=np.zeros(lines + 1, dtype=np.int64),
            indices=np.empty(features, dtype=np.uint32),
            values=np.empty(features),
            labels=np.empty(lines),
            lines=np.empty(lines, dtype=np.int64),
        )
        self.spans = np.empty(2 * (size // DIGITS + 1), dtype=np.int64)


class _Reader(ChunkReader[_Space]):
    """The rows of one chunk, whose indices begin at ``base``."""

    def __init__(
        self, chunk: bytes, space: _Space, base: int, attributes: int | None, *, unlabelled: bool, stops: bool
    ) -> None:
        self.base, self.attributes, self.most = base, attributes, attributes or MOST_ATTRIBUTES
        settings = {engine.BASE: base, engine.LIMIT: self.most, engine.UNLABELLED: unlabelled}
        super().__init__(chunk, space, engine.SIZE, settings, stops=stops)

    def parsed(self) -> Parsed:
        """Read all lines."""
        bad = self.read()
        count, found = self.rows, self.space.rows
        values = self.values(found.values)
        if values is not None and bool((values == 1.0).all()):
            values = None
        block = Block(found.indptr[: count + 1].copy(), found.indices[: self.stored].copy(), values, checked=True)
        return Parsed(block, found.labels[:count].copy(), found.lines[:count].copy(), *self.span(), bad)

    def meets_zero(self) -> bool:
        """Tell whether some index is 0."""
        self.restart()
        code = self.go_on()
        while code not in {engine.DONE, engine.ZERO}:
            self.skip()
            code = self.go_on()
        return code == engine.ZERO

    def go_on(self) -> int:
        """Let the kernel read from where it is."""
        return engine.svmlight(self.data, self.known, self.space.rows, self.meta)

    def error(self, code: int) -> Message:
        """Say what is wrong with the line where the kernel stopped."""
        got = shown(self.chunk, self.place)
        remedy: str | Remedy
        if code == engine.TWICE:
            index = int(self.meta[engine.WHAT]) + self.base
            expected, got, remedy = "expected each index at most once", f"{index} twice", "add the values up"
        elif code == engine.ZERO:
            expected = "expected indices from 1 on"
            remedy = Remedy("for a file that counts from 0 give {zero_based}", zero_based=True)
        elif code == engine.RANGE:
            expected = f"expected indices from {self.base} to {self.most - 1 + self.base}"
            remedy = "renumber the attributes" if self.attributes is None else "give more attributes"
        else:
            expected, remedy = EXPECTED[code]
        return Message(f"{expected}, got {got}", remedy)


def write_svmlight(stream: Stream, target: Any, *, zero_based: bool = False) -> int:
    r"""Write a stream as svmlight text to a path (compressed as its suffix says) or a binary file; count the rows.

    Values are written so that they read back exactly; columns count from 1. A label that is no number, a name or a
    weight has no place in the format: labels must be numbers, names and weights are refused.

    >>> import io
    >>> from littlestone.streams import from_arrays
    >>> file = io.BytesIO()
    >>> write_svmlight(from_arrays([[1, 0, 0.25], [0, 1, 0]], [1, -1]), file)
    2
    >>> file.getvalue()
    b'1 1:1 3:0.25\n-1 2:1\n'
    """
    return write_lines(stream, target, lambda block, labels: _lines(stream, block, labels, 0 if zero_based else 1))


def _lines(stream: Stream, block: Block, labels: tuple[Any, ...], base: int) -> Iterator[str]:
    if block.names is not None or block.weights is not None:
        what = "names" if block.names is not None else "weights"
        raise InvalidData(f"write_svmlight: {stream!r} has {what}, and svmlight text has none; use write_vw")
    first, last = block.indptr[0], block.indptr[-1]
    numbers = (block.indices[first:last].astype(np.int64) + base).tolist()
    if block.values is None:
        pairs = [f" {i}:1" for i in numbers]
    else:
        values = block.values[first:last].tolist()
        pairs = [f" {i}:{decimal('write_svmlight', v)}" for i, v in zip(numbers, values, strict=True)]
    ends = (block.indptr - first).tolist()
    for r, head in enumerate(heads("write_svmlight", block, labels)):
        if not head and ends[r] == ends[r + 1]:
            raise InvalidData(f"write_svmlight: row {block.start + r} has no label and no attribute; use write_vw")
        yield f"{head}{''.join(pairs[ends[r] : ends[r + 1]])}\n"
