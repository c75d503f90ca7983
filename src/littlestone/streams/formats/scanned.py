"""Streams that must be read once to know all their labels and names: files by a scan, pipes by their first rows."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Generator, Hashable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from littlestone.core.block import Block
from littlestone.core.errors import InvalidData, InvalidLabel
from littlestone.core.labels import BOTH
from littlestone.core.messages import Blank, Message, Remedy, shown
from littlestone.core.parameters import check_whole
from littlestone.streams.base import ReadStream
from littlestone.streams.formats.growing import LabelBook, Names, joined
from littlestone.streams.formats.outcomes import AUTO, CLASSIFICATION, REGRESSION, are_numbers
from littlestone.streams.formats.reading_rules import listed, read_labels
from littlestone.streams.sources.opened import Source

__all__ = ["FIRST_ROWS", "Pass", "Raw", "ScannedStream", "cut", "first_of"]

FIRST_ROWS = 1000  # from which the kinds of columns, and a pipe's labels, are guessed
MOST_LABELS = 1 << 16
CHUNK = 512  # rows read at once: the cells of more would leave the cache


class Raw:
    """Some rows as a format has them, before it is known what their cells mean.

    None at all say that more must be waited for, so that nobody is to keep those before. ``refused`` is what was
    skipped before them.
    """

    refused: Sequence[str] = ()

    def __len__(self) -> int:
        raise NotImplementedError

    def first(self, count: int) -> Raw:
        """Return the first ``count`` rows."""
        raise NotImplementedError


@dataclass
class Pass:
    """One reading of a stream: what it has found so far."""

    layout: Any
    names: Names = field(default_factory=Names)
    book: LabelBook = field(default_factory=lambda: LabelBook(()))
    rows: int = 0
    largest: int = -1  # the largest column, where attributes have numbers
    tables: dict[str, Any] = field(default_factory=dict)  # what a format remembers of the cells of columns


@dataclass(frozen=True)
class Known:
    """What is known of a stream before it is played; ``names`` is None where only its first rows were seen."""

    layout: Any
    cells: tuple[Any, ...]
    names: tuple[Hashable, ...] | None
    size: int | None


class ScannedStream(ReadStream):
    """Rows with names and labels of any kind, read block by block in constant memory (apart from names).

    A source that can be read again is scanned once, when its labels, its names or its blocks are first asked for; of
    another one the first 1,000 rows decide on labels and kinds of columns, and names grow from block to block.
    """

    _numbered = False  # whether attributes have numbers instead of names

    def __init__(
        self, name: str, source: Source | None, *, labels: Any, unlabelled: bool, on_error: str,
        task: str = CLASSIFICATION,
    ) -> None:  # fmt: skip
        super().__init__(name, source, labels=labels, unlabelled=unlabelled, on_error=on_error, task=task)
        if labels is not None:
            LabelBook.given(labels)
        self.labelled = not unlabelled
        self._held: tuple[list[Raw], Generator[Raw]] | None = None

    # What a format brings

    @abstractmethod
    def _raws(self, rows: int) -> Generator[Raw]:
        """Yield the rows of the source from its beginning, at most ``rows`` at a time."""

    @abstractmethod
    def _layout(self, raws: Iterable[Raw]) -> Any:
        """Return what must be known before rows can be read, decided from some of them."""

    @abstractmethod
    def _block(self, raw: Raw, reading: Pass) -> Block:
        """Return rows as a block; names and labels grow."""

    def _ready(self, raws: Generator[Raw], reading: Pass) -> Generator[Raw]:
        """Yield rows in order, with what can be found of them in threads, before `_block`."""
        del reading
        return raws

    def _settled(self) -> bool:
        """Tell whether nothing has to be found out from the first rows of a pipe."""
        known = self.given_labels is not None or len(self.met) > 1 or self._task == REGRESSION
        return not self.labelled or known

    @abstractmethod
    def _label_cells(self, raws: Sequence[Any], layout: Any) -> Iterator[Any]:
        """Yield the labels of some rows as they stand there; none, where no row has one."""

    def _recognise(self) -> None:
        _ = self._known

    # What follows

    def blocks(self, rows: int = 8192) -> Iterator[Block]:
        """Yield the examples in order, at most ``rows`` at a time; each call begins anew, where the source can."""
        rows = check_whole(type(self).__name__, "rows", rows)
        known = self._known
        reading = Pass(known.layout, Names(known.names or ()), self._book(known.cells))
        held, self._held = self._held, None
        if held is None:  # else what was wrong with the first rows of a pipe has been counted
            self._forget()
        at_once = -(-rows // -(-rows // CHUNK))  # equal parts of a block
        parts: list[Block] = []
        with closing(self._ready(self._raws(at_once) if held is None else _both(*held), reading)) as raws:
            try:
                for raw in raws:
                    if len(raw):
                        parts.append(self._block(raw, reading))
                    if parts and (not len(raw) or sum(map(len, parts)) >= rows):  # nothing is kept while one waits
                        yield from self._finished(joined(parts), reading, known).split(rows)
                        parts = []
            except (InvalidData, InvalidLabel):
                if parts:  # what came before a bad row comes first
                    yield from self._finished(joined(parts), reading, known).split(rows)
                raise
        if parts:
            yield from self._finished(joined(parts), reading, known).split(rows)

    @cached_property
    def _known(self) -> Known:
        raws = self._raws(CHUNK)
        first = _begun(raws, 1 if self._settled() and not self.again else FIRST_ROWS)
        if not self.again:  # it is over with the pauses between them
            first = [raw for raw in first if len(raw) or raw.refused]
        some = cut(first, FIRST_ROWS)
        if not self.again:
            self._held = (first, raws)
            layout = self._looked(some)
            if self._settled():
                return Known(layout, (), None, None)
            counted = self.skipped, self.complaints.copy()
            reading = self._gathered((raw for raw in some), layout)
            self.skipped, self.complaints = counted  # these rows are to be read once more
            return Known(reading.layout, reading.book.cells, None, None)
        raws.close()
        reading = self._whole(self._looked(some))
        if self._numbered:
            return Known(reading.layout, reading.book.cells, None, reading.largest + 1)
        return Known(reading.layout, reading.book.cells, reading.names.all(), len(reading.names.columns))

    def _looked(self, some: list[Any]) -> Any:
        """Return the layout that some rows show, and settle the task by their labels."""
        layout = self._layout(some)
        if self._task == AUTO:
            self._task = REGRESSION if are_numbers([*self._label_cells(some, layout)]) else CLASSIFICATION
        return layout

    def scan(self) -> None:
        """Find the labels and the number of names (of numbered attributes: the largest plus one), once."""
        self._size = self._known.size
        self._labels = self._book(self._known.cells).labels

    def _whole(self, layout: Any) -> Pass:
        """Read everything; a format whose layout proves wrong overrides this to begin again."""
        self._forget()
        return self._gathered(self._raws(CHUNK), layout)

    def _gathered(self, raws: Generator[Raw], layout: Any) -> Pass:
        reading = Pass(layout)
        if self.given_labels is not None:
            reading.book = LabelBook.given(self.given_labels)
        with closing(self._ready(raws, reading)) as ready:
            for raw in ready:
                if len(raw):
                    self._block(raw, reading)
                if len(reading.book.labels) > MOST_LABELS:
                    raise InvalidLabel(
                        f"{self.name}: expected at most {MOST_LABELS} different labels, got more",
                        "is it the wrong column, or has the file no header?",
                        Remedy("say {label}", label=Blank("COLUMN")),
                        Remedy("{columns}", columns=Blank("NAMES")),
                    )
        return reading

    def _book(self, cells: Iterable[Any]) -> LabelBook:
        if self._task == REGRESSION:
            return LabelBook(())
        if self.given_labels is not None:
            return LabelBook.given(self.given_labels)
        if len(self.met) > 1:
            book = LabelBook(self.met)
            book.encode(list(cells))
            return book
        try:
            return LabelBook.found(cells)
        except InvalidLabel as error:
            known = set(read_labels(cells).values())
            got = f"expected two labels, got only {known.pop()!r}" if len(known) == 1 else str(error)
            raise InvalidLabel(f"{self.name}: {got}", Remedy("say {labels}", labels=BOTH)) from None

    def _finished(self, block: Block, reading: Pass, known: Known) -> Block:
        size = max(known.size or 0, len(reading.names.columns), reading.largest + 1)
        return replace(
            block,
            names=None if self._numbered else reading.names.all(),
            labels=reading.book.labels if self.labelled else None,
            n_attributes=None if known.size is None else size,
        )

    @cached_property
    def names(self) -> tuple[Hashable, ...] | None:  # type: ignore[override]
        """The names of all attributes; None where the source can be read only once."""
        return self._known.names

    @staticmethod
    def _unknown(label: Any, reading: Pass) -> Message:
        """Say that a label is none of those there are."""
        return Message(f"expected a label of ({listed(reading.book.labels)}), got {shown(label)}")


def _both(first: list[Raw], rest: Generator[Raw]) -> Generator[Raw]:
    with closing(rest):
        yield from first
        yield from rest


def first_of(raws: Iterable[Any]) -> tuple[list[Any], Iterator[Any]]:
    """Return the first 1,000 rows, with some more where they came together, and then the rest."""
    rest = iter(raws)
    return _begun(rest), rest


def _begun(raws: Iterator[Raw], rows: int = FIRST_ROWS) -> list[Raw]:
    first: list[Raw] = []
    for raw in raws:
        first.append(raw)
        if sum(map(len, first)) >= rows:
            break
    return first


def cut(raws: list[Any], count: int) -> list[Any]:
    """Return the first ``count`` rows, however they were divided."""
    kept: list[Any] = []
    for raw in raws:
        kept.append(raw.first(count))
        count -= len(kept[-1])
    return kept
