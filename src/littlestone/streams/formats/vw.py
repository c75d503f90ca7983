"""Files of Vowpal Wabbit's text: ``[label [weight [base]]] [tag]|namespace[:scale] name[:value] ... |...``."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from littlestone.core.block import Block
from littlestone.core.errors import InvalidData
from littlestone.core.messages import Message, Remedy
from littlestone.core.rows import MOST_ATTRIBUTES
from littlestone.core.vocabulary import continued
from littlestone.engine.text import hashing
from littlestone.engine.text import names as names_engine
from littlestone.engine.text import vw as engine
from littlestone.engine.text.names import Spelled
from littlestone.streams.base import Stream
from littlestone.streams.formats.chunks import ChunkReader, Parsed, Spaces, shown
from littlestone.streams.formats.growing import heard_of
from littlestone.streams.formats.name_table import NameTable, first_of
from littlestone.streams.formats.text import TextOptions, TextStream
from littlestone.streams.wrappers.hashed import Seen, folded
from littlestone.streams.writers import decimal, heads, write_lines

__all__ = ["VWStream", "write_vw"]

SHORTEST = 2  # bytes of a feature: "a "
BLANKS = bytes.maketrans(b"\t\r", b"  ")
SIMPLE = "write [label [weight]] ['tag] | features"

# What was expected, by the kernel's code; the remedy
EXPECTED: dict[int, tuple[str, str | Remedy]] = {
    engine.NO_LABEL: (
        "expected a label before the bar",
        Remedy(
            "put a blank between it and the bar (a word that touches the bar is a tag), or give {unlabelled}",
            typed="put a blank between it and the bar (a word that touches the bar is a tag)",
            unlabelled=True,
        ),
    ),
    engine.LABEL: ("expected a number of at most 1e100 as label", SIMPLE),
    engine.WEIGHT: ("expected a weight from 0 to 1e100", SIMPLE),
    engine.BASE: ("expected no initial prediction other than 0", "no learner here takes one: remove it"),
    engine.MANY: ("expected at most a label, a weight and an initial prediction", SIMPLE),
    engine.TAG: ("expected the tag last before the bar", SIMPLE),
    engine.NO_BAR: ("expected a bar | before the features", SIMPLE),
    engine.SPACE: ("expected a namespace's name before ':'", "write |name:scale"),
    engine.SCALE: ("expected a number of at most 1e100 behind a namespace's ':'", "write |name:scale"),
    engine.NAME: ("expected a feature's name before ':'", "write name:value"),
    engine.VALUE: (
        "expected a number of at most 1e100 behind a feature's ':'",
        "write name:value, or name=text for a category",
    ),
    engine.LARGE: ("expected values that add up to at most 1e100", "drop, fill or scale such values first"),
    engine.MIXED: (
        "expected a whole number as attribute, for the first line has numbers and no namespace",
        Remedy("give {names}, and all numbers are names", names=True),
    ),
    engine.TEXT: ("expected UTF-8 without zero bytes", "convert the file, say with iconv"),
}


@dataclass
class _Named(Parsed):
    """Rows of which some columns are not known yet, those of names that are new; of hashed rows: the new hashes."""

    new: Spelled | None = None
    unseen: NDArray[np.uint64] | None = None


class VWStream(TextStream):
    r"""The examples of a file in Vowpal Wabbit's text format, read in order with memory for the names only.

    A feature of namespace ``ns`` is called ``ns^name``, one without namespace just ``name`` (so that ``| a^b`` is
    the same attribute as ``|a b``); names are kept exactly. Where the first line that has features
    has only whole numbers and no namespace, attributes are numbers, counted from 0 as there. A value left out is 1,
    one that is 0 is dropped, values of a feature that comes twice are added up, a namespace's scale multiplies its
    values. Blank lines are skipped; a carriage return or a tab is a blank. The last word before the first bar is a
    tag if it begins with ' or touches the bar. Bad lines are InvalidData with file and line, or, with
    ``on_error="skip"``, counted in ``skipped``, the first of them in ``complaints``.

    Parameters
    ----------
    source : a path, "-" for stdin, or a binary file; plain or compressed (gzip, bzip2, xz, zstd)
    attributes : the number of attributes; None: as a scan finds it, when it is asked for
    labels : all labels, the negative one first; None: known at sight (-1 or 0, and 1), else found by a scan;
        (): they are not looked at, and blocks have no outcomes
    unlabelled : whether rows without a label are taken (their outcome is -1; only good for predicting)
    on_error : "raise" or "skip"
    task : "classification"; "regression": labels are numbers to be predicted; "auto": the first lines of a file tell
    names : whether attributes have names; None: as the first line has it
    threads : how many parse at once

    Example
    -------
    >>> import io
    >>> stream = VWStream(io.BytesIO(b"1 2.0 'first |word sun rain:0.5\n-1 |word snow\n"))
    >>> [block] = stream.blocks()
    >>> block.names, block.weights.tolist(), block.tags
    (('word^sun', 'word^rain', 'word^snow'), [2.0, 1.0], ('first', ''))
    """

    def __init__(self, source: Any, *, names: bool | None = None, **options: Unpack[TextOptions]) -> None:
        super().__init__(source, **options)
        self._names = names
        self._numbered = names is False
        self._table = NameTable()
        self._spaces = Spaces(_Space)
        self._hashing: tuple[int, Seen] | None = None  # bits, and the hashes that have come

    def hashed(self, bits: int, seen: Seen) -> VWStream:
        """Return the same file with attributes hashed to 2^bits columns, as `Hashed` says; ``seen`` counts them."""
        made = copy(self)
        vars(made).update(_hashing=(bits, seen), _size=1 << bits)
        return made

    def read_as(self) -> dict[str, Any]:
        """Return whether attributes have names."""
        return {"format": "vw", "names": not self._numbered, **self._as_task()}

    def _found(self, width: int) -> int:
        if self._hashing is not None:
            return 1 << self._hashing[0]
        return width if self._numbered else len(self._table)

    def _settled(self) -> bool:
        return super()._settled() and self._names is not None

    def _begin(self, chunk: bytes) -> None:
        if self._names is None:
            self._numbered = _has_numbers(chunk)

    def _parse(self, chunk: bytes) -> Parsed:
        with self._spaces.room(len(chunk)) as space:
            reader = _Reader(
                chunk, space, self.attributes, numbered=self._numbered, unlabelled=self.unlabelled,
                stops=self.on_error == "raise",
            )  # fmt: skip
            return reader.parsed(self._table, self._hashing)

    def _placed(self, parsed: Parsed, line: int) -> Parsed:
        super()._placed(parsed, line)
        if self._hashing is not None:
            if isinstance(parsed, _Named) and parsed.unseen is not None:
                self._hashing[1].add(parsed.unseen)
        elif not self._numbered:
            if isinstance(parsed, _Named) and parsed.new is not None:
                self._named(parsed.block, parsed.new, parsed)
                parsed.block, parsed.new = _tidied(parsed.block), None
            parsed.block = heard_of(replace(parsed.block, names=self._table.names()), 0)
        return parsed

    def _named(self, block: Block, new: Spelled, parsed: Parsed) -> None:
        columns = self._table.add(new)
        unknown = block.indices >= names_engine.UNKNOWN
        block.indices[unknown] = columns[block.indices[unknown] - np.uint32(names_engine.UNKNOWN)]
        if self.attributes is not None and len(self._table) > self.attributes:
            at = int(np.argmax(block.indices >= self.attributes))
            row = int(np.searchsorted(block.indptr, at, side="right")) - 1
            raise InvalidData(
                f"{self.name}:{parsed.lines[row]}: expected at most {self.attributes} names, got one more, "
                f"{self._table.names()[self.attributes]!r}; give more attributes"
            )

    def _finish(self, parsed: Parsed) -> Block:
        if self._numbered or self._hashing is not None:
            return super()._finish(parsed)
        names = self._table.names() if self._read_whole else parsed.block.names
        return replace(parsed.block, names=names, n_attributes=self._size)


def _has_numbers(chunk: bytes) -> bool:
    """Tell whether the first line that has features has whole numbers only, and no namespace."""
    for line in chunk.translate(BLANKS).split(b"\n"):
        spaces = line.split(b"|")[1:]
        if any(space and space[:1] != b" " for space in spaces):
            return False
        words = [word.split(b":")[0] for space in spaces for word in space.split(b" ") if word]
        if words:
            return all(word.isdigit() for word in words)
    return False


def _tidied(block: Block) -> Block:
    """Return rows as a Block has them: sorted, each attribute once, without zeros; the block's arrays are used up."""
    longest, stored = int(np.diff(block.indptr).max(initial=0)), len(block.indices)
    real, values = block.values is not None, np.empty(stored) if block.values is None else block.values
    keys, sums = np.empty(longest, dtype=np.int64), np.empty(longest)
    real = names_engine.tidy(block.indptr, block.indices, values, real, keys, sums)
    kept = int(block.indptr[-1])
    ones = not real or bool((values[:kept] == 1.0).all())
    return replace(block, indices=block.indices[:kept], values=None if ones else values[:kept], checked=True)


class _Space:
    """Room for what a chunk can come to; used again and again, for fresh memory costs as much as parsing."""

    def __init__(self, size: int) -> None:
        self.size, features, lines = size, size // SHORTEST + 2, size // 2 + 1
        self.words = Spelled(
            data=np.zeros(0, dtype=np.uint8),  # those of the chunk
            places=np.empty(features, dtype=np.uint32),
            lengths=np.empty(features, dtype=np.uint32),
            owners=np.empty(features, dtype=np.uint32),
            hashes=np.empty(features, dtype=np.uint64),
            spaces=np.empty(2 * features, dtype=np.int64),
        )
        self.rows = engine.Rows(
            indptr=np.zeros(lines + 1, dtype=np.int64),
            values=np.empty(features),
            labels=np.empty(lines),
            weights=np.empty(lines),
            tags=np.empty((lines, 2), dtype=np.int64),
            lines=np.empty(lines, dtype=np.int64),
        )
        self.spans = np.empty(2 * features, dtype=np.int64)


class _Reader(ChunkReader[_Space]):
    """The rows of one chunk."""

    def __init__(
        self, chunk: bytes, space: _Space, attributes: int | None, *, numbered: bool, unlabelled: bool, stops: bool
    ) -> None:
        self.attributes, self.most, self.numbered = attributes, attributes or MOST_ATTRIBUTES, numbered
        foreign = not chunk.isascii() or b"\0" in chunk
        settings = {engine.LIMIT: self.most, engine.UNLABELLED: unlabelled}
        settings |= {engine.NUMBERED: numbered, engine.FOREIGN: foreign}
        super().__init__(chunk, space, engine.SIZE, settings, stops=stops)
        self.words = space.words._replace(data=self.data)

    def parsed(self, table: NameTable, hashing: tuple[int, Seen] | None) -> Parsed:
        """Read all lines; attributes are found in the table, or hashed."""
        bad = self.read()
        meta, found, count, stored = self.meta, self.space.rows, self.rows, self.stored
        values, tags = self.values(found.values), None
        weights = found.weights[:count].copy() if meta[engine.WEIGHTED] else None
        if meta[engine.TAGGED]:
            tags = tuple(self.chunk[a:b].decode() for a, b in found.tags[:count].tolist())
        new, unseen = None, None
        if self.numbered or hashing is not None:
            indices = self.words.places[:stored].copy()
        else:
            indices, new = table.find(first_of(self.words, stored, int(meta[engine.SPACES])))
        block = Block(found.indptr[: count + 1].copy(), indices, values, weights=weights, tags=tags, checked=True)
        y, lines = found.labels[:count].copy(), found.lines[:count].copy()
        if hashing is None:
            block = _tidied(block)
        else:
            block, unseen = self._hashed(block, *hashing)
        return _Named(block, y, lines, *self.span(), bad, new=new, unseen=unseen)

    def _hashed(self, block: Block, bits: int, seen: Seen) -> tuple[Block, NDArray[np.uint64]]:
        hashes = self.words.hashes[: len(block.indices)]
        if self.numbered:
            hashing.hash_numbers(block.indices, hashes)
        else:
            hashing.mix(hashes)
        return folded(block, hashes, bits, seen)

    def go_on(self) -> int:
        """Let the kernel read from where it is."""
        return engine.lines(self.words, self.known, self.space.rows, self.meta)

    def error(self, code: int) -> Message:
        """Say what is wrong with the line where the kernel stopped."""
        got = shown(self.chunk, self.place)
        remedy: str | Remedy
        if code == engine.RANGE:
            expected = f"expected a whole number from 0 to {self.most - 1} as attribute"
            remedy = Remedy("give {names}", names=True) if self.attributes is None else "give more attributes"
        else:
            expected, remedy = EXPECTED[code]
        return Message(f"{expected}, got {got}", remedy)


def write_vw(stream: Stream, target: Any) -> int:
    r"""Write a stream as Vowpal Wabbit text to a path (compressed as its suffix says) or a binary file; count the rows.

    Values are written so that they read back exactly. A name ``ns^name`` is written under ``|ns``, another one and a
    number without namespace. A name or a tag with a blank, a colon, a bar or a line feed is refused.

    >>> import io
    >>> from littlestone.streams import from_arrays
    >>> file = io.BytesIO()
    >>> write_vw(from_arrays([[1, 0, 0.25], [0, 1, 0]], [1, -1]), file)
    2
    >>> file.getvalue()
    b'1 | 0 2:0.25\n-1 | 1\n'
    """
    names: Sequence[Hashable] | None = None
    words: list[tuple[str, str]] | None = None

    def lines(block: Block, labels: tuple[Any, ...]) -> Iterator[str]:
        nonlocal names, words
        found = stream.names if block.names is None else block.names
        if found is not None and found is not names:
            known = words if words is not None and continued(names, found) else []
            names, words = found, [*known, *map(_spelled, found[len(known) :])]
        return _lines(block, labels, words)

    return write_lines(stream, target, lines)


def _spelled(name: Any) -> tuple[str, str]:
    """Return the namespace and the rest of a name that can be written."""
    space, hat, word = str(name).partition("^")
    if not (hat and space and word):
        space, word = "", str(name)
    _check_word("name", str(name))
    return space, word


def _check_word(kind: str, word: str) -> None:
    if not word or any(c in word for c in " \t\r\n\0|") or (kind == "name" and ":" in word):
        raise InvalidData(f"write_vw: expected a {kind} without blanks, bars and colons, got {word!r}; rename it")


def _lines(block: Block, labels: tuple[Any, ...], words: list[tuple[str, str]] | None) -> Iterator[str]:
    for r, outcome in enumerate(heads("write_vw", block, labels)):
        head = outcome
        if block.weights is not None and block.weights[r] != 1.0:
            if not head:
                raise InvalidData(f"write_vw: row {block.start + r}: a weight needs a label before it, got none")
            head += f" {decimal('write_vw', block.weights[r])}"
        if block.tags is not None and block.tags[r]:
            _check_word("tag", block.tags[r])
            head += f" '{block.tags[r]}"
        yield f"{head} {_features(block, r, words)}\n".lstrip(" ")


def _features(block: Block, r: int, words: list[tuple[str, str]] | None) -> str:
    columns, values = block.row(r)
    texts = [""] * len(columns) if values is None else [f":{decimal('write_vw', v)}" for v in values.tolist()]
    spaces: dict[str, list[str]] = {}
    for column, text in zip(columns.tolist(), texts, strict=True):
        space, word = ("", str(column)) if words is None else words[column]
        spaces.setdefault(space, []).append(word + ("" if text == ":1" else text))
    return " ".join(f"|{space} {' '.join(some)}" for space, some in spaces.items()) or "|"
