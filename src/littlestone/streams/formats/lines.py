"""Streams with an example on each line, read line by line."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from littlestone.core.arrays import Floats
from littlestone.core.block import Block
from littlestone.core.errors import InvalidData, InvalidLabel
from littlestone.core.messages import Message
from littlestone.streams.formats.growing import assembled
from littlestone.streams.formats.outcomes import CLASSIFICATION, REGRESSION, of_cells, outcome_refusal
from littlestone.streams.formats.scanned import Pass, Raw, ScannedStream
from littlestone.streams.sources.lines import lines_of
from littlestone.streams.sources.opened import BOM, Source

__all__ = ["Example", "LineStream", "Wrong", "decoded", "numbered"]


class Wrong(Exception):
    """What is wrong with a line: what was expected, and what was found."""


class Example(NamedTuple):
    """What one line says; ``values`` is None where all are 1."""

    names: list[Any]
    values: list[float] | None = None
    label: Any = None
    weight: float = 1.0
    tag: str = ""


class _Lines(Raw):
    def __init__(self, numbers: list[int], examples: list[Example]) -> None:
        self.numbers, self.examples = numbers, examples

    def __len__(self) -> int:
        return len(self.examples)

    def first(self, count: int) -> _Lines:
        return _Lines(self.numbers[:count], self.examples[:count])


class LineStream(ScannedStream):
    """Examples in UTF-8, one on each line; empty lines are skipped."""

    source: Source

    def __init__(
        self, source: Any, *, labels: Any, unlabelled: bool, on_error: str, task: str = CLASSIFICATION
    ) -> None:
        found = Source.of(source)
        super().__init__(found.name, found, labels=labels, unlabelled=unlabelled, on_error=on_error, task=task)

    @abstractmethod
    def _example(self, line: str) -> Example:
        """Return what a line says, or raise `Wrong`."""

    def _layout(self, raws: Iterable[Raw]) -> None:
        del raws

    def _label_cells(self, raws: Sequence[Any], layout: Any) -> Iterator[Any]:
        del layout
        return (example.label for raw in raws for example in raw.examples)

    def _raws(self, rows: int) -> Generator[_Lines]:
        found = _Lines([], [])
        wrong: InvalidData | None = None
        try:
            with self.source.open() as file:
                for first, block in lines_of(self.source, file):
                    if not block:  # more may be long in coming
                        if len(found):
                            yield found
                            found = _Lines([], [])
                        yield _Lines([], [])
                    for at, line in numbered(first, block):
                        example = self._read(at, line)
                        if example is not None:
                            found.numbers.append(at)
                            found.examples.append(example)
                            if len(found) == rows:
                                yield found
                                found = _Lines([], [])
                self.source.given(self.source.mark)  # before anybody is given a row of a file, it is read to its end
        except InvalidData as error:
            wrong = error
        if len(found):  # an error in these lines comes first
            yield found
        if wrong is not None:
            raise wrong

    def _read(self, at: int, line: bytes) -> Example | None:
        try:
            text = decoded(line)
            return self._example(text) if text and not text.isspace() else None
        except Wrong as problem:
            self._refuse(Message(problem.args[0]).after(f"{self.name}:{at}: "))
            return None

    def _block(self, raw: Any, reading: Pass) -> Block:
        numbers = None
        if self.labelled and self.task == REGRESSION:
            raw, numbers = self._numbers(raw)
        elif self.labelled and not all(map(reading.book.knows, {example.label for example in raw.examples})):
            raw = self._known_labels(raw, reading)
        examples = raw.examples
        lengths = np.fromiter((len(example.names) for example in examples), np.int64, len(examples))
        names = list(chain.from_iterable(example.names for example in examples))
        values = None
        if any(example.values is not None for example in examples):
            ones = ([1.0] * len(one.names) if one.values is None else one.values for one in examples)
            values = np.array(list(chain.from_iterable(ones)), dtype=np.float64)
        rows = np.repeat(np.arange(len(examples)), lengths)
        block = assembled(len(examples), [(rows, self._columns(names, reading), values)], reading.rows)
        reading.rows += len(examples)
        if numbers is not None:
            block = replace(block, outcomes=numbers, labels=())
        elif self.labelled:
            block = replace(block, outcomes=reading.book.encode([example.label for example in examples]))
        if any(example.weight != 1.0 for example in examples):
            block = replace(block, weights=np.array([example.weight for example in examples]))
        if any(example.tag for example in examples):
            block = replace(block, tags=tuple(example.tag for example in examples))
        return block

    def _columns(self, names: list[Any], reading: Pass) -> Any:
        """Return the columns of names; new ones get theirs in the order in which they come."""
        known = reading.names.columns
        new = set(names) - known.keys()
        if new:
            for name in names:
                if name in new:
                    reading.names.column(name)
        return np.fromiter(map(known.__getitem__, names), np.int64, len(names))

    def _numbers(self, raw: _Lines) -> tuple[_Lines, Floats]:
        """Return the lines whose outcomes are numbers, and these."""
        found = of_cells([example.label for example in raw.examples])
        if found is not None:
            return raw, found
        kept = _Lines([], [])
        for at, example in zip(raw.numbers, raw.examples, strict=True):
            wrong = outcome_refusal(example.label, frozenset([""]), file=True)
            if wrong is None:
                kept.numbers.append(at)
                kept.examples.append(example)
            else:
                self._refuse(wrong.after(f"{self.name}:{at}: "), InvalidLabel)
        found = of_cells([example.label for example in kept.examples])
        assert found is not None
        return kept, found

    def _known_labels(self, raw: _Lines, reading: Pass) -> _Lines:
        kept = _Lines([], [])
        for at, example in zip(raw.numbers, raw.examples, strict=True):
            if reading.book.knows(example.label):
                kept.numbers.append(at)
                kept.examples.append(example)
            else:
                self._refuse(f"{self.name}:{at}: {self._unknown(example.label, reading)}", InvalidLabel)
        return kept


def numbered(first: int, block: bytes) -> Iterator[tuple[int, bytes]]:
    """Return the lines of a block with their numbers, the first of which is given."""
    return enumerate((block.removeprefix(BOM) if first == 1 else block)[:-1].split(b"\n"), start=first)


def decoded(line: bytes) -> str:
    """Return a line as text, or raise `Wrong`."""
    try:
        return line.decode()
    except UnicodeDecodeError:
        raise Wrong("expected text in UTF-8, got other bytes; convert the file (iconv -t UTF-8)") from None
