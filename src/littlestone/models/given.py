"""Rows in memory, and labels or numbers that come apart from rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from littlestone.core.block import Block
from littlestone.core.errors import InvalidData, InvalidLabel
from littlestone.core.labels import all_labels
from littlestone.core.messages import did_you_mean, shown
from littlestone.core.numbers import numbers
from littlestone.streams import Stream
from littlestone.streams.formats.outcomes import REGRESSION
from littlestone.streams.wrappers.wrapped import WrappedStream

__all__ = ["Given", "Numbered", "Rows", "check_two", "known_labels", "labels_of", "with_y"]


class Rows(Stream):
    """Blocks in memory."""

    def __init__(self, blocks: Sequence[Block], labels: tuple[Any, ...] | None = None) -> None:
        self._blocks = blocks
        self.labels = (0, 1) if labels is None else labels

    def blocks(self, rows: int = 8192) -> Iterator[Block]:
        """Yield the rows in order."""
        for block in self._blocks:
            yield from block.split(rows)

    def __repr__(self) -> str:
        return f"{sum(map(len, self._blocks)):,} rows"


class Numbered(WrappedStream):
    """The rows of a stream with numbers as outcomes that come apart from them."""

    task = REGRESSION
    labels = ()

    def __init__(self, stream: Stream, y: Any, owner: str) -> None:
        super().__init__(stream)
        given = y if hasattr(y, "__len__") else list(y)
        self._y, self._owner = numbers(given, len(given), f"{owner}: y"), owner

    def read_as(self) -> dict[str, Any]:
        """Return how the rows are read."""
        return {**self.stream.read_as(), "task": REGRESSION}

    def blocks(self, rows: int = 8192) -> Iterator[Block]:
        """Yield the rows in order, with their outcomes."""
        at, number = 0, len(self._y)
        for block in self.stream.blocks(rows):
            if at + len(block) > number:
                raise InvalidData(f"{self._owner}: expected a number for each row, got {number} numbers for more rows")
            yield replace(block, outcomes=self._y[at : at + len(block)], labels=())
            at += len(block)
        if at < number:
            raise InvalidData(f"{self._owner}: expected a number for each row, got {number} numbers for {at} rows")

    def __repr__(self) -> str:
        return repr(self.stream)


class Given(WrappedStream):
    """The rows of a stream with labels that come apart from them; ``known`` are those of the model."""

    def __init__(self, stream: Stream, labels: Any, known: tuple[Any, ...], owner: str) -> None:
        super().__init__(stream)
        y, self._owner = labels_of(labels, owner), owner
        self._labels = tuple(dict.fromkeys((*known, *y.tolist()))) if known else tuple(all_labels(y))
        self._codes = np.zeros(len(y), dtype=np.int64)
        for code, label in enumerate(self._labels):
            self._codes[y == label] = code

    @property
    def labels(self) -> tuple[Any, ...]:  # type: ignore[override]
        """All labels, the negative one first."""
        return self._labels

    def read_as(self) -> dict[str, Any]:
        """Return how the rows are read."""
        return self.stream.read_as()

    def blocks(self, rows: int = 8192) -> Iterator[Block]:
        """Yield the rows in order, with their labels."""
        at, number = 0, len(self._codes)
        for block in self.stream.blocks(rows):
            if at + len(block) > number:
                raise InvalidData(f"{self._owner}: expected a label for each row, got {number} labels for more rows")
            yield block.labelled(self._codes[at : at + len(block)], self._labels)
            at += len(block)
        if at < number:
            raise InvalidData(f"{self._owner}: expected a label for each row, got {number} labels for {at} rows")

    def __repr__(self) -> str:
        return repr(self.stream)


def check_two(block: Block, before: tuple[Any, ...]) -> None:
    """Refuse a third label, where a threshold decides between two."""
    if block.labels is None or block.outcomes is None:
        return
    came = [block.labels[code] for code in np.unique(block.outcomes).tolist() if code >= 0]
    known = list(dict.fromkeys((*before, *came)))
    if len(known) > 2:
        raise InvalidLabel(
            f"learn: expected {known[0]!r} or {known[1]!r}, between which the model decides by a threshold, got "
            f"{known[2]!r}; train a model without one"
        )


def with_y(stream: Stream, y: Any, known: tuple[Any, ...], owner: str, *, task: str) -> Stream:
    """Return the rows of a stream with labels, or with numbers, that come apart from them."""
    return Numbered(stream, y, owner) if task == REGRESSION else Given(stream, y, known, owner)


def known_labels(block: Block, stream: Stream, known: tuple[Any, ...]) -> Block:
    """Return rows with all their labels; refuse a row whose label is not among those that are known, if some are."""
    labels = stream.labels if block.labels is None else block.labels
    for code, label in enumerate(labels) if len(known) > 1 and block.outcomes is not None else ():
        rows = np.flatnonzero(block.outcomes == code)
        if label not in known and len(rows):
            close = did_you_mean(str(label), map(str, known))
            expected = f"expected a label of {', '.join(map(repr, known))}, got {label!r}"
            raise InvalidLabel(
                f"learn: row {block.start + int(rows[0])}: {expected}",
                *([close] if close else []), "say new_labels=True if it is a new one",
            )  # fmt: skip
    return replace(block, labels=labels)


def labels_of(y: Any, owner: str) -> NDArray[Any]:
    """Return labels as an array; refuse what is none, and a row without."""
    if isinstance(y, str):
        raise InvalidData(f"{owner}: expected a label for each row, got {y!r}; for a column say label={y!r}")
    _check_kinds(y := y if hasattr(y, "__len__") else list(y), owner)
    try:
        found = np.asarray(y)
    except ValueError:
        raise InvalidData(f"{owner}: expected a label for each row, got rows of several") from None
    if found.ndim == 2 and found.shape[1] == 1:
        found = found[:, 0]
    if found.ndim != 1:
        raise InvalidData(f"{owner}: expected a label for each row, got an array of {found.ndim} dimensions")
    missing = np.isnan(found) if found.dtype.kind == "f" else np.zeros(len(found), dtype=np.bool_)
    if found.dtype.kind == "O":
        missing = np.array([label is None or label != label for label in found.tolist()], dtype=np.bool_)  # noqa: PLR0124
    if missing.any():
        row = int(np.flatnonzero(missing)[0])
        raise InvalidLabel(f"{owner}: row {row}: expected a label, got {shown(found.tolist()[row])}; leave the row out")
    return found


def _check_kinds(y: Any, owner: str) -> None:
    """Refuse labels in a list that are none, or not all texts where some are: an array would make texts of them."""
    if not isinstance(y, list | tuple):
        return
    for at, label in enumerate(y):
        if label is None or (isinstance(label, float) and label != label):  # noqa: PLR0124
            raise InvalidLabel(f"{owner}: row {at}: expected a label, got {label}; leave the row out")
        if isinstance(label, str) != isinstance(y[0], str):
            raise InvalidLabel(
                f"{owner}: row {at}: expected labels of one kind, got {shown(label)} besides {shown(y[0])}"
            )
