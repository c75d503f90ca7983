"""Examples as blocks of a model's attributes: whichever are wrong, the others are read; and rows that wait."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import groupby
from typing import Any

import numpy as np

from littlestone.core.block import Block
from littlestone.core.errors import InvalidData, InvalidLabel
from littlestone.core.vocabulary import LaterNames
from littlestone.learners import Learner
from littlestone.models.following.examples import Bad, Example
from littlestone.models.following.known import of_known
from littlestone.models.following.policies import inside
from littlestone.models.following.texts import Text, without_place
from littlestone.models.model import Model
from littlestone.models.raw import stream_of
from littlestone.models.recipe import is_table, read_like
from littlestone.streams.formats.growing import assembled

__all__ = ["Reader", "alone", "gathered", "in_own_order"]

Read = tuple[list[Example], Block]  # examples and their rows


class Reader:
    """Reads examples as a model does; ``name`` is how their source is called, ``reading`` how its lines are read.

    ``numbered``: the keys of dicts are positions; None: as the model knows attributes when it begins to follow.
    """

    def __init__(self, model: Model, name: str, reading: Mapping[str, Any], *, numbered: bool | None = None) -> None:
        self.model, self.name, self._reading = model, name, reading
        # that of a learner that keeps a limited number of attributes is made when it is asked for
        by_position = model.trials > 0 and model.learner.vocabulary is None
        self.numbered = by_position if numbered is None else numbered

    @property
    def reading(self) -> dict[str, Any]:
        """How rows are read: what was given, which may still find out the format."""
        order = {"order": self.model.columns} if self.model.columns else {}
        return {**self._reading, **order}

    def read(self, examples: Sequence[Example]) -> Iterator[Read | Bad]:
        """Yield examples with their rows, in order, and what is wrong with the others."""
        if len({type(example.x) for example in examples}) == 1:
            yield from self._divided([*examples])
            return
        for _, some in groupby(examples, _kind):
            yield from self._divided([*some])

    def _divided(self, examples: list[Example]) -> Iterator[Read | Bad]:
        """Read all at once; if one of them is wrong, each half of them."""
        try:
            block = self._block(examples)
        except (InvalidData, InvalidLabel) as error:
            if len(examples) == 1:
                yield Bad(examples[0].line, without_place(error.message, self.name))
                return
            middle = len(examples) // 2
            yield from self._divided(examples[:middle])
            yield from self._divided(examples[middle:])
            return
        yield examples, block

    def _block(self, examples: list[Example]) -> Block:
        x = [example.x for example in examples]
        block = self._of_known(x)
        if block is None:
            block = self._of_any(x)
        if len(block) != len(examples):
            raise InvalidData(f"{self.name}: expected a row, got {len(block)} of {len(examples)}")
        weights = [example.weight for example in examples]
        if any(weight is not None for weight in weights):
            own = np.ones(len(block)) if block.weights is None else block.weights
            given = [w if weight is None else weight for w, weight in zip(own.tolist(), weights, strict=True)]
            block = replace(block, weights=np.array(given))
        return block

    def _of_known(self, x: list[Any]) -> Block | None:
        """Return dicts of attributes whose names the model knows, all of them, in its columns: most rows are such."""
        model = self.model
        words = model.learner.vocabulary
        if words is None or self.numbered or type(x[0]) is not dict or is_table(self._reading):
            return None
        return None if model.scaling is not None or inside(model.learner).in_slots else of_known(x, words)

    def _of_any(self, x: list[Any]) -> Block:
        zeros, reading = self.model.scaling is not None, self.reading
        if isinstance(x[0], bytes):
            more = {"zeros": True} if zeros else {}
            text = Text(b"".join(line + b"\n" for line in x))
            stream = read_like(text, reading, more, reading.get("format"), predicting=True)
        else:
            stream = stream_of(x, reading, labelled=False, zeros=zeros, numbered=self.numbered, owner=self.name)
        blocks = list(stream.blocks())
        block = blocks[0] if len(blocks) == 1 else Block.joined([_bare(one) for one in blocks])
        # how many attributes the others have is of no account
        return replace(block, outcomes=None, labels=None, n_attributes=None, tags=None)


def _bare(block: Block) -> Block:
    return replace(block, outcomes=np.zeros(len(block), dtype=np.int64), labels=(0, 1), tags=None)


KINDS = (bytes, str, Mapping, AbstractSet)  # what is read together is of one kind: what it is read as depends on it


def _kind(example: Example) -> type:
    return next((kind for kind in KINDS if isinstance(example.x, kind)), object)


def alone(block: Block, row: int) -> dict[Any, float]:
    """Return one row as a dict from names, or positions, to values, in their order: that of a block is by chance."""
    first, last = int(block.indptr[row]), int(block.indptr[row + 1])
    columns = block.indices[first:last].tolist()
    names = columns if block.names is None else [block.names[column] for column in columns]
    values = [1.0] * len(names) if block.values is None else block.values[first:last].tolist()
    return dict(sorted(zip(names, values, strict=True), key=lambda pair: str(pair[0]) if block.names else pair[0]))


def gathered(rows: Sequence[Mapping[Any, float]], learner: Learner) -> Block:
    """Return rows that `alone` gave as a block for a learner.

    >>> import littlestone as ls
    >>> gathered([{"b": 1.0}, {"a": 0.5, "b": 2.0}], ls.Winnow()).names
    ('b', 'a')
    """
    first = next((name for row in rows for name in row), None)
    named = isinstance(first, str) if first is not None else learner.vocabulary is not None
    known: dict[Any, int] = {}
    columns = [known.setdefault(name, len(known)) if named else name for row in rows for name in row]
    lengths = np.array([len(row) for row in rows], dtype=np.int64)
    values = np.array([value for row in rows for value in row.values()], dtype=np.float64)
    part = (np.repeat(np.arange(len(rows)), lengths), np.array(columns, dtype=np.int64), values)
    return replace(assembled(len(rows), [part], zeros=True), names=tuple(known) if named else None)


def in_own_order(block: Block, learner: Learner) -> Block:
    """Return rows whose names come in an order that does not depend on which other rows were read with them.

    It is that of the first rows that have them and, in a row, that of their texts; for a learner with slots, where a
    name may come and go, only that of their texts. So a model that learns them is the same, however many lines came at
    a time. Names that the learner knows, all of them, stay as they are.
    """
    if block.names is None or (isinstance(block.names, LaterNames) and block.names.source is learner.vocabulary):
        return block
    slots = inside(learner).in_slots
    first, last = block.indptr[0], block.indptr[-1]
    columns = block.indices[first:last]
    used, places = np.unique(columns, return_index=True)
    rows = np.zeros(len(used), dtype=np.int64) if slots else np.searchsorted(block.indptr, first + places, side="right")
    names = [block.names[column] for column in used.tolist()]
    order = sorted(range(len(used)), key=lambda i: (rows[i], str(names[i])))
    moved = np.zeros(int(used[-1]) + 1 if len(used) else 0, dtype=np.int64)
    moved[used[order]] = np.arange(len(used))
    part = (
        np.repeat(np.arange(len(block)), np.diff(block.indptr)), moved[columns],
        None if block.values is None else block.values[first:last],
    )  # fmt: skip
    ordered = assembled(len(block), [part], zeros=True)
    return replace(ordered, names=tuple(names[i] for i in order), weights=block.weights)
