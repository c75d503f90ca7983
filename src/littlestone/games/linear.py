"""A fixed linear function on a stream: what it predicts, and what it would have lost."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from littlestone.core.arrays import Floats
from littlestone.core.block import Block
from littlestone.core.errors import InvalidParameter
from littlestone.core.messages import shown
from littlestone.core.numbers import Numbers
from littlestone.parts.losses import Loss
from littlestone.streams.base import Stream, complete_blocks

__all__ = ["blocks_of", "linear", "loss_on", "outcomes_of", "scores"]


def scores(block: Block, w: Floats, constant: float) -> Floats:
    """Return ``w.x + constant`` of each row; attributes beyond ``w`` weigh nothing.

    >>> scores(Block.from_arrays([[1, 2], [0, 1]]), np.array([1.0, 0.5]), 1.0).tolist()
    [3.0, 1.5]
    """
    first, last = block.indptr[0], block.indptr[-1]
    weights = np.append(w, 0.0)[np.minimum(block.indices[first:last], len(w))]
    terms = weights if block.values is None else weights * block.values[first:last]
    rows = np.repeat(np.arange(len(block)), np.diff(block.indptr))
    return np.asarray(np.bincount(rows, terms, minlength=len(block)) + constant)


def outcomes_of(block: Block) -> Floats:
    """Return the outcomes of a block as numbers: those of labels that are numbers, too."""
    return Numbers.recoded(block.outcomes, block.labels or (), None, len(block))[0]


def blocks_of(stream: Stream, trials: int | None) -> Iterator[Block]:
    """Yield the blocks of a stream that is played again, up to a number of trials."""
    left = trials
    for block in complete_blocks(stream, sized=False):
        part = block if left is None else block[:left]
        yield part
        if left is not None:
            left -= len(part)
            if left <= 0:
                return


def loss_on(stream: Stream, w: Floats, constant: float, loss: Loss, *, trials: int | None = None) -> float:
    """Return what predicting ``w.x + constant`` all the time would have lost.

    >>> import littlestone as ls
    >>> stream = ls.from_arrays([[1, 0], [0, 1]], [1.0, 3.0])
    >>> loss_on(stream, np.array([1.0, 1.0]), 0.0, ls.losses.square())
    4.0
    """
    total = 0.0
    for block in blocks_of(stream, trials):
        losses = loss.of_scores(scores(block, w, constant), outcomes_of(block))
        total = float(np.cumsum(np.append(total, losses))[-1])
    return total


def linear(comparator: Any, names: Sequence[Hashable] | None) -> tuple[Floats, float]:
    """Return the weights and the constant of a comparator.

    It is a `Hypothesis` or what has one, a dict of weights by name or position, or weights by position.
    """
    found = getattr(comparator, "hypothesis", comparator)
    found = found() if callable(found) else found
    if isinstance(found, tuple) and hasattr(found, "theta"):
        return np.asarray(found[0], dtype=np.float64), -float(found[1])
    if isinstance(found, Mapping):
        places = {name: i for i, name in enumerate(names or ())}
        at: list[Any] = [places.get(name, name) for name in found]
        odd = next((one for one in at if not isinstance(one, int | np.integer) or one < 0), None)
        if odd is not None:
            raise InvalidParameter(f"comparator: expected attributes by name or by position, got {shown(odd)}")
        w = np.zeros(1 + max(at, default=-1))
        w[at] = [float(weight) for weight in found.values()]
        return w, 0.0
    try:
        w = np.asarray(found, dtype=np.float64)
    except (TypeError, ValueError):
        w = np.zeros((0, 0))
    if w.ndim != 1 or not np.isfinite(w).all():
        raise InvalidParameter(
            f"comparator: expected a Hypothesis, weights by name, or one finite weight an attribute, got {shown(found)}"
        )
    return w, 0.0
