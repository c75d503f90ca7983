"""Counting: how often each attribute was on, promoted and demoted, found by learning the stream again."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from littlestone.core.arrays import Ints
from littlestone.core.block import Block
from littlestone.core.names import aligned
from littlestone.core.vocabulary import Vocabulary
from littlestone.learners import Learner
from littlestone.streams import Stream
from littlestone.streams.base import complete_blocks

__all__ = ["Counts", "count_clauses", "count_updates"]

FEW = 256  # rows that are played one by one where not only mistakes are updates
GIVEN = ("promise", "promised", "settled")  # parts of a state that are given from outside, and no game changes


@dataclass(frozen=True)
class Counts:
    """For each attribute, in how many examples it was on, in how many promotions, and in how many demotions.

    ``exact``: the new learner ended in the same state as the given one, so that these are the counts of both. Otherwise
    they are those of a new learner with the same parameters on these examples.

    >>> import littlestone as ls
    >>> stream = ls.from_arrays([[1, 1, 0], [0, 1, 1], [1, 0, 0]], [1, 0, 1])
    >>> learner = ls.Winnow()
    >>> _ = ls.play(learner, stream)
    >>> counts = ls.explanation.count_updates(learner, stream)
    >>> counts.examples, counts.exact, counts.of(1)
    (3, True, (2, 1, 1))
    """

    columns: dict[Hashable, int]
    numbers: Ints  # a row for each attribute
    examples: int
    passes: int
    exact: bool

    def of(self, name: Hashable) -> tuple[int, int, int]:
        """Return in how many examples an attribute was on, in how many updates on positive and on negative ones."""
        column = self.columns.get(name, -1)
        if column < 0:
            return 0, 0, 0
        on, promoted, demoted = self.numbers[column].tolist()
        return on, promoted, demoted


def count_updates(learner: Learner, stream: Stream, names: Sequence[Hashable] | None = None) -> Counts:
    """Return the counts of a new learner with the same parameters that learns the stream as often as this one did.

    The learner is not changed. It is taken to have learned the stream once, or in as many passes as its number of
    trials has room for.

    >>> import littlestone as ls
    >>> stream = ls.from_arrays([[1, 1, 0], [0, 1, 1], [1, 0, 0]], [1, 0, 1])
    >>> learner = ls.Winnow()
    >>> _ = ls.play(learner, stream)
    >>> counts = count_updates(learner, stream)
    >>> counts.of(0), counts.of(1), counts.exact
    ((2, 2, 0), (2, 1, 1), True)
    """
    twin = type(learner)(**learner.params())
    twin.begin(learner.n, labels=learner.labels)
    numbers, rows, passes, words = np.zeros((0, 3), dtype=np.int64), 0, 0, Vocabulary()
    while passes == 0 or (rows and twin.trials + rows <= learner.trials):
        for block in complete_blocks(stream):
            numbers = _played(twin, block, numbers, words)
        passes += 1
        rows = rows or twin.trials
    if len(words):
        columns = dict(words.columns)
    else:
        own = range(len(numbers)) if names is None else names[: len(numbers)]
        columns = {name: i for i, name in enumerate(own)}
    return Counts(columns, numbers, rows, passes, _same(twin, learner))


def count_clauses(
    stream: Stream, clauses: Sequence[Sequence[Hashable]], names: Sequence[Hashable] | None = None
) -> list[int]:
    """Return in how many examples all attributes of each clause are on; ``not x`` is on where ``x`` is not.

    >>> import littlestone as ls
    >>> count_clauses(ls.from_arrays([[1, 1, 0], [0, 1, 1], [1, 0, 0]], [1, 0, 1]), [[0], [0, 1], [0, "not 2"]])
    [2, 1, 2]
    """
    columns = None if names is None else {name: i for i, name in enumerate(names)}
    found = np.zeros(len(clauses), dtype=np.int64)
    for block in complete_blocks(stream):
        if block.names is not None:
            columns = {name: i for i, name in enumerate(block.names)}
        rows = np.repeat(np.arange(len(block)), np.diff(block.indptr))
        indices = block.indices[block.indptr[0] : block.indptr[-1]]
        on: dict[Hashable, NDArray[np.bool_]] = {}
        for name in {name for clause in clauses for name in clause}:
            on[name] = _on(name, columns, indices, rows, len(block))
        everywhere = np.ones(len(block), dtype=np.bool_)
        for at, clause in enumerate(clauses):
            found[at] += np.all([everywhere, *(on[name] for name in clause)], axis=0).sum()
    return found.tolist()


def _on(
    name: Hashable, columns: dict[Hashable, int] | None, indices: NDArray[np.uint32], rows: Ints, size: int
) -> NDArray[np.bool_]:
    """Return in which rows a literal is on."""
    known = isinstance(name, int) if columns is None else name in columns
    if not known and isinstance(name, str) and name.startswith("not "):
        plain: Hashable = int(name[4:]) if columns is None and name[4:].isdecimal() else name[4:]
        if columns is not None and plain not in columns and name[4:].isdecimal() and int(name[4:]) in columns:
            plain = int(name[4:])
        return ~_on(plain, columns, indices, rows, size)
    on = np.zeros(size, dtype=np.bool_)
    if known:
        column = name if columns is None else columns[name]
        on[rows[indices == column]] = True
    return on


def _played(twin: Learner, block: Block, numbers: Ints, words: Vocabulary) -> Ints:
    """Play a block, and add it to the counts."""
    outcomes = twin.outcomes(block).astype(np.bool_)
    updated = _updated(twin, block, outcomes)
    placed = block
    if block.names is not None:
        placed, new = aligned(block, words)
        words.add(new)
    columns = placed.indices[placed.indptr[0] : placed.indptr[-1]]
    size = max(len(numbers), placed.width)
    more = np.zeros((size, 3), dtype=np.int64)
    more[: len(numbers)] = numbers
    lengths = np.diff(placed.indptr)
    for i, which in enumerate((np.ones(len(block), dtype=np.bool_), updated & outcomes, updated & ~outcomes)):
        more[:, i] += np.bincount(columns[np.repeat(which, lengths)], minlength=size)
    return more


def _updated(twin: Learner, block: Block, outcomes: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Learn a block; return which rows were updates: the mistakes, if they are as many; else by halves of the block."""
    apart = twin.averaged or twin.domain == "sign"  # then a mistake need not be an update
    if apart or len(block) <= FEW:
        updated = np.zeros(len(block), dtype=np.bool_)
        for row in range(len(block)):
            updates = twin.updates
            twin.learn(block[row : row + 1])
            updated[row] = twin.updates > updates
        return updated
    before, updates, mistakes = twin.copy(), twin.updates, twin.mistakes
    predicted = twin.learn(block)
    assert twin.labels is not None
    if twin.updates - updates == twin.mistakes - mistakes:
        return np.asarray((predicted == twin.labels[1]) != outcomes, dtype=np.bool_)
    half = len(block) // 2
    parts = [_updated(before, block[at], outcomes[at]) for at in (slice(None, half), slice(half, None))]
    return np.concatenate(parts)


def _same(one: Learner, other: Learner) -> bool:
    """Tell whether two learners are in the same state."""
    a, b = ({key: array for key, array in it.state().items() if key not in GIVEN} for it in (one, other))
    return a.keys() == b.keys() and all(np.array_equal(a[key], b[key]) for key in a)
