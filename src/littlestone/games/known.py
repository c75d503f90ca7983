"""Rows as a learner with a fixed n can predict them: without the attributes for which it has no weights."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from littlestone.core.block import Block
from littlestone.core.errors import InvalidData
from littlestone.core.names import aligned
from littlestone.learners import Learner

__all__ = ["known_to"]


def known_to(learner: Learner, block: Block) -> Block:
    """Return the rows without the attributes that have no weight in a learner with a fixed n.

    It refuses to learn what is beyond its n; when it only predicts, numbers from n on and names that it has not met
    count nothing.

    >>> import littlestone as ls
    >>> rows = Block.from_arrays([[1, 0, 1], [0, 1, 1]])
    >>> known_to(ls.Winnow().begin(2), rows).indices.tolist()
    [0, 1]
    """
    n = learner.n
    if n is None:
        return block
    most = n
    if block.names is not None:
        if learner.vocabulary is None:
            raise InvalidData("expected attributes by number, as the model has learned them, got names")
        block, most = aligned(block, learner.vocabulary)[0], len(learner.vocabulary)
    if max(block.width, block.n_attributes or 0) <= min(n, most):
        return block
    first, last = block.indptr[0], block.indptr[-1]
    kept = block.indices[first:last] < most
    indptr = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(kept)))[block.indptr - first]
    values = None if block.values is None else block.values[first:last][kept]
    names = None if block.names is None else block.names[:most]
    indices = block.indices[first:last][kept]
    return replace(block, indptr=indptr, indices=indices, values=values, names=names, n_attributes=n)
