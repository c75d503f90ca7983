"""Rows that are asked, or asked and learned in one go: what a model says of each before it learns it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from littlestone.core.arrays import Floats
from littlestone.core.block import Block
from littlestone.models.model import Model

__all__ = ["asked", "learn_asked"]


def asked(model: Model, block: Block) -> tuple[list[Any], Floats | None]:
    """Return a model's predictions of rows, and its probabilities; None where it knows no label. Nothing changes.

    >>> import littlestone as ls
    >>> model = ls.Model.train([[1, 0], [0, 1]] * 50, [1, 0] * 50)
    >>> asked(model, ls.from_arrays([[1, 0], [0, 1]], [1, 0]).block)[0]
    [1, 0]
    """
    if model.outcomes is not None:
        return model.predict_block(block).tolist(), None
    if not model.labels:
        return [None] * len(block), None
    rows = model.rows(block)
    if not model.has_probabilities:
        return model.decided(rows).tolist(), None
    shares = model.probabilities_of(rows)
    by_threshold = model.decision.threshold is not None
    decided = model.decision.label(shares, model.labels) if by_threshold else model.learner.predict(rows)
    return decided.tolist(), shares


def learn_asked(model: Model, block: Block) -> tuple[NDArray[Any], Floats | None]:
    """Let a model learn rows; return its decision on each and the probabilities of its labels, both from before.

    They are what `Model.predict_block` and `Model.probabilities_block` say when the rows come one by one. A label that
    comes only later has the probability 0; of a model without any probabilities there are none. A refusal changes
    nothing.

    >>> import littlestone as ls
    >>> model = ls.Model.train([[1, 0], [0, 1]] * 50, [1, 0] * 50)
    >>> decided, shares = learn_asked(model, ls.from_arrays([[1, 0], [1, 1]], [1, 0]).block)
    >>> decided.tolist(), model.trials, (shares.sum(axis=1) == 1.0).tolist()
    ([1, 0], 102, [True, True])
    """
    if model.calibration is not None:
        decided, shares = model.learned(block, model.calibration.learn_asked)
        return (decided if model.decision.threshold is None else model.decision.label(shares, model.labels)), shares
    return _in_turn(model, block) if model.has_probabilities else (model.learn_block(block), None)


def _in_turn(model: Model, block: Block) -> tuple[NDArray[Any], Floats]:
    """Do it row by row, for a learner that has probabilities of its own."""
    if not len(block):
        return model.learn_block(block), model.probabilities_block(block)
    after = model.copy()  # a refusal of a later row is to change nothing
    shares, decided = list[Floats](), list[NDArray[Any]]()
    for row in block.split(1):
        shares.append(after.probabilities_block(row)[0])
        decided.append(after.learn_block(row))
    model.become(after)
    wide = np.zeros((len(block), max([len(model.labels), *map(len, shares)])))
    for said, share in zip(wide, shares, strict=True):
        said[: len(share)] = share
    return np.concatenate(decided), wide
