"""Examples that are in memory already."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from littlestone.core.block import Block
from littlestone.core.errors import InvalidData, InvalidLabel, InvalidParameter
from littlestone.core.labels import all_labels, plain
from littlestone.core.messages import did_you_mean, shown
from littlestone.core.numbers import numbers
from littlestone.core.parameters import check_whole
from littlestone.streams.base import Stream

__all__ = ["ArrayStream", "from_arrays"]

TASKS = ("classification", "regression")
FEW = 16  # labels that are looked for one after the other


class ArrayStream(Stream):
    """A Block with outcomes, to be played any number of times. Where they are numbers, ``labels`` is empty.

    >>> from_arrays([[1, 0], [0, 1]], [0, 1])
    ArrayStream(2 rows, 2 attributes, labels (0, 1))
    >>> from_arrays([[1, 0], [0, 1]], [0.5, 2], task="regression")
    ArrayStream(2 rows, 2 attributes, numbers as outcomes)
    """

    def __init__(self, block: Block) -> None:
        if block.outcomes is None or block.labels is None:
            raise InvalidLabel("ArrayStream: expected a Block with outcomes and labels, got one without")
        self.block = block
        self.n_attributes, self.labels, self.names = block.n_attributes, block.labels, block.names

    def blocks(self, rows: int = 65_536) -> Iterator[Block]:
        """Yield the rows in order, at most ``rows`` at a time, without copying them: more than where rows are read."""
        yield from self.block.split(check_whole("ArrayStream", "rows", rows))

    def __len__(self) -> int:
        return len(self.block)

    def __repr__(self) -> str:
        outcomes = f"labels {self.labels}" if self.labels else "numbers as outcomes"
        return f"ArrayStream({len(self)} rows, {self.n_attributes} attributes, {outcomes})"


def from_arrays(
    X: Any, y: ArrayLike, *, labels: tuple[Any, ...] | None = None, task: str = "classification"
) -> ArrayStream:
    """Return the rows of ``X`` with the labels ``y`` as a stream, or with numbers where the task is regression.

    ``X`` is an array (bool, int or float), a SciPy sparse matrix with any index type, or a data frame; data that are
    all ones where they are not zero are seen to be Boolean. ``labels`` names the labels, the negative one first, where
    they are not recognised. With ``task="regression"`` the outcomes are finite numbers, and there are no labels.

    >>> stream = from_arrays([[1, 0], [0, 1]], [1, -1])
    >>> stream.labels, stream.n_attributes, len(stream)
    ((-1, 1), 2, 2)
    >>> from_arrays([[1, 0], [0, 1]], [0.5, 2], task="regression").block.outcomes.tolist()
    [0.5, 2.0]
    """
    if task not in TASKS:
        close = did_you_mean(str(task), TASKS)
        raise InvalidParameter(
            f"from_arrays: task must be {' or '.join(map(repr, TASKS))}, got {shown(task)}", *filter(None, [close])
        )
    block = Block.from_arrays(X)
    if task == "regression":
        return _numbered(block, y, labels)
    outcomes = np.asarray(y)
    if outcomes.ndim != 1 or len(outcomes) != len(block):
        raise InvalidData(f"y: expected one label for each row ({len(block)}), got an array of shape {outcomes.shape}")
    if outcomes.dtype.kind == "f" and np.isnan(outcomes).any():
        raise InvalidLabel(f"y: expected a label in row {int(np.flatnonzero(np.isnan(outcomes))[0])}, got nan")
    found = all_labels(outcomes) if labels is None else labels
    if not isinstance(found, tuple | list) or len(found) < 2 or len(set(found)) < len(found):
        raise InvalidLabel(f"labels: expected a tuple of different labels, the negative one first, got {shown(labels)}")
    found = tuple(plain(label) for label in found)
    codes = _codes(outcomes, found)
    if len(codes) and codes.min() < 0:
        row = int(np.flatnonzero(codes < 0)[0])
        raise InvalidLabel(f"y: row {row}: expected one of {shown(found)}, got {shown(outcomes[row])}")
    return ArrayStream(block.labelled(codes, found))


def _numbered(block: Block, y: ArrayLike, labels: tuple[Any, ...] | None) -> ArrayStream:
    """Return rows with numbers as outcomes."""
    if labels is not None:
        raise InvalidParameter(
            f"from_arrays: labels must be left out with task='regression', got {shown(labels)}; numbers have none"
        )
    try:
        outcomes = np.asarray(y)
    except ValueError as error:
        raise InvalidData(
            f"y: expected one number for each row ({len(block)}), got {error}; give a flat list"
        ) from None
    if outcomes.ndim != 1 or len(outcomes) != len(block):
        flat = outcomes.ndim == 2 and outcomes.size == len(block)
        remedy = "flatten it with y.ravel()" if flat else "give as many numbers as X has rows"
        raise InvalidData(
            f"y: expected one number for each row ({len(block)}), got an array of shape {outcomes.shape}; {remedy}"
        )
    return ArrayStream(block.numbered(numbers(y, len(block))))


def _codes(outcomes: NDArray[Any], labels: tuple[Any, ...]) -> NDArray[np.int64]:
    """Return the place of each outcome among the labels, -1 where it has none."""
    codes = np.full(len(outcomes), -1, dtype=np.int64)
    if len(labels) <= FEW:
        for code, label in enumerate(labels):
            codes[outcomes == label] = code
        return codes
    place = {label: code for code, label in enumerate(labels)}
    with suppress(TypeError):  # no label, and nothing that could be looked up
        codes[:] = [place.get(label, -1) for label in outcomes.tolist()]
    return codes
