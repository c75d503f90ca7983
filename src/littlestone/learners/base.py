"""Learner: the public face of every algorithm. What it computes with is a Machine, built once n is known."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from littlestone.core.arrays import Codes, Columns, Floats
from littlestone.core.block import Block
from littlestone.core.errors import InvalidData, InvalidLabel, LittlestoneError
from littlestone.core.guard import NOBODY, SOMEBODY, asks, guarded_by_hand, learns
from littlestone.core.labels import plain
from littlestone.core.names import aligned, new_in_each_row, with_names, with_room, within
from littlestone.core.parameters import Declaring, check_whole
from littlestone.core.rows import (
    KINDS,
    MOST_ATTRIBUTES,
    NOTHING,
    PLAIN,
    Rows,
    by_blocks,
    check_block,
    check_importance,
    ends,
    named_row,
    named_values,
    negated,
    one_row,
    parts,
)  # fmt: skip
from littlestone.core.vocabulary import Vocabulary
from littlestone.engine.dicts import LONG_WAY
from littlestone.learners.knowledge import Knowledge
from littlestone.machines.machine import Machine

__all__ = ["Learner"]

# The last example with names, and its row
NO_EXAMPLE: tuple[Any, Columns, Floats] = (object(), np.zeros(0, dtype=np.uint32), NOTHING)
TAKE_STREAMS = frozenset({"learn", "predict", "activation"})  # methods that take rows, and streams of them too
ALL_KNOWN: Sequence[Hashable] = ()  # the new names of an example whose names all have columns: nothing to look after


class Learner(Knowledge, Declaring):
    """An on-line learner: it predicts, sees the label, and pays for each mistake.

    A concrete learner declares its parameters (`littlestone.core.parameters`) and builds its `Machine`; everything else
    (labels, names, blocks, one row at a time, state) is here and in `Knowledge`, once.

    Any number of threads may ask it at once; while one learns, a call from another one raises `InUse`.

    >>> import littlestone as ls
    >>> learner = ls.Winnow(theta=2.0).begin(labels=("ham", "spam"))
    >>> learner.predict_one({"prize", "now"}), learner.learn_one({"lunch", "now"}, "ham")
    ('spam', 'spam')
    >>> learner.mistakes, learner.weights(), isinstance(learner, ls.Learner)
    (1, {'lunch': 0.5, 'now': 0.5}, True)
    """

    def __init_subclass__(cls, **more: Any) -> None:
        for name in TAKE_STREAMS & vars(cls).keys():
            setattr(cls, name, by_blocks(vars(cls)[name]))
        super().__init_subclass__(**more)

    def _prepare(self) -> None:
        super()._prepare()
        self._recent = NO_EXAMPLE

    # The game

    def begin(self, n: int | None = None, labels: Any = None, names: Iterable[Hashable] | None = None) -> Self:
        """Say how many attributes there are, the labels (negative, positive), and the names; resolve parameters.

        An attribute beyond ``n`` is refused from now on. `play` and `learn` fix it only where parameters depend on it.
        """
        n = None if n is None else check_whole(self._owner, "n", n)
        known = self._labels if labels is None else self._coding.given(labels, self._labels)
        machine, fixed = self._started(n, fix=True)
        words = self._vocabulary
        if names is not None:
            words = with_names(self._owner, self._words(), names)
            if fixed is not None and len(words) > fixed:
                raise InvalidData(f"{self._owner}: expected at most the fixed n={fixed} names, got {len(words)}")
        if words is not None:
            machine.grow(len(words))  # every name has a weight
        self._keep(machine, fixed, known, words)
        return self

    @by_blocks
    def learn(self, X: Any, y: ArrayLike | None = None, *, weight: ArrayLike | None = None) -> NDArray[Any]:
        """Play each row in turn: predict, then update; return the predictions, in the caller's labels.

        ``X`` is an array, a sparse matrix, a data frame, a Block or a Stream; ``y`` the labels (a Block and a Stream
        bring their own); ``weight`` multiplies each row's update. A refusal leaves nothing; of a Stream, which is read
        block by block, it leaves what was learned from the blocks before.
        """
        block, new_names = self._aligned(X)
        codes, labels = self._outcomes(block, y)
        importance = check_importance(block.weights if weight is None else weight, len(block))
        self._check_weights(importance)
        machine, n = self._started(block.n_attributes, fix=False)
        crowded = self._crowded
        if new_names and n is not None:
            block, new_names, crowded = within(self._owner, block, new_names, n, crowded=crowded)
        check_block(self._owner, block, n, self._domain(), self._most())
        declared = min(block.n_attributes or 0, MOST_ATTRIBUTES) if self._counts_all else 0
        seen = 0 if block.is_within(machine.size) else block.width
        machine.grow(max(seen, declared, len(block.names or ())))  # every name has a weight
        assert block.is_within(machine.size)  # the engine does not look
        predictions = np.zeros(len(block), dtype=codes.dtype)
        words = self._words() if block.names is not None and (new_names or len(block)) else self._vocabulary
        try:
            for rows, at in parts(block, n if self.negations else None):
                predictions[at] = machine.learn(rows, codes[at], importance[at])
            self._keep(machine, n, labels, words, new_names)
        except BaseException as error:
            self._stopped(error, machine, n, labels, words, new_names)
            raise
        # Nothing is refused from here on.
        self._weighted = self._weighted or len(importance) > 0
        if len(block) and not (block.n_attributes is None and block.is_within(self._width)):
            self._width = max(self._width, block.n_attributes or block.width)
        self._crowded = crowded
        self._trials += len(block)
        self._pay(predictions, codes)
        return self.decoded(predictions)

    def check(self, X: Any, y: ArrayLike | None = None, *, weight: ArrayLike | None = None) -> None:
        """Refuse what `learn` refuses of rows, labels and weights before it learns; nothing changes."""
        block, new_names = self._aligned(X)
        self._outcomes(block, y)
        self._check_weights(check_importance(block.weights if weight is None else weight, len(block)))
        n = self._started(block.n_attributes, fix=False)[1]
        if new_names and n is not None:
            block = within(self._owner, block, new_names, n, crowded=self._crowded)[0]
        check_block(self._owner, block, n, self._domain(), self._most())

    def outcomes(self, X: Any, y: ArrayLike | None = None) -> Codes:
        """Return the outcome of each row as the machine takes it: 0 or 1, or the number of its class."""
        return self._outcomes(Block.from_arrays(X), y)[0]

    def labelled(self, rows: Block, y: ArrayLike | None = None) -> tuple[Block, ArrayLike | None]:
        """Return rows and labels as `learn` takes them, which in parts mean what they mean as a whole.

        Two labels are known from the first part on, if one part needs the other to tell; nothing changes.
        """
        codes, labels = self._outcomes(rows, y)
        if labels is None:
            return rows, y
        if getattr(labels, "settled", True):
            return rows.labelled(codes, labels.all), None
        return rows, labels.decode(codes)

    @by_blocks
    def predict(self, X: Any) -> NDArray[Any]:
        """Return the predictions of the rows of ``X``, given as to `learn`; nothing changes."""
        return self.decoded(self._scored(X)[0])

    @by_blocks
    def activation(self, X: Any) -> Floats:
        """Return ``w.x - theta`` of the rows of ``X``, given as to `learn`; nothing changes."""
        return self._scored(X)[1]

    # One example at a time must cost little. The last one is kept with its row: whoever predicts it and then learns it
    # pays once. What `learns` and `asks` do for other methods is written out here, or it would cost as much again.

    @guarded_by_hand
    def learn_one(self, x: Any, y: Any) -> Any:
        """Play one trial: predict ``x``, then learn that it is ``y``; return the prediction.

        ``x`` is a dict from names to values, a set, list or tuple of the names that are on, or a 1-D array by position.
        """
        valued = isinstance(x, dict)
        if not valued and isinstance(x, np.ndarray):
            return plain(self.learn(one_row(x), np.array([y]))[0])
        users = self._users
        if users.learner or users.askers:
            return self._learn_one(x, y)
        users.learner = SOMEBODY
        try:
            machine: Any = self._machine
            if valued and machine is not None and machine.quick and (x or not self.negations):
                labels, words = self._labels, self._vocabulary
                if words is not None and labels is not None and (code := labels.code(y)) >= 0:
                    columns, predicted = words.columns, LONG_WAY
                    if len(columns) == self._named_columns:  # every name has a weight, or somebody has added one
                        predicted = machine.learn_one(x, columns, code)
                    if predicted >= 0:  # known names, a known label and sound values: nothing could be refused
                        self._trials += 1
                        self._mistakes += predicted != code
                        return labels.label(predicted)
            return self._learn_named(x, y)
        finally:
            users.learner = NOBODY

    @guarded_by_hand
    def predict_one(self, x: Any) -> Any:
        """Return the prediction of one example, given as to `learn_one`; nothing changes."""
        valued = isinstance(x, dict)
        if not valued and isinstance(x, np.ndarray):
            return plain(self.predict(one_row(x))[0])
        users = self._users
        if users.learner:
            return self._predict_one(x)
        users.askers += 1
        try:
            machine: Any = self._machine
            if valued and machine is not None and machine.quick and (x or not self.negations):
                labels, words = self._labels, self._vocabulary
                if words is not None and labels is not None:
                    columns, predicted = words.columns, LONG_WAY
                    if len(columns) == self._named_columns:
                        predicted = machine.predict_one(x, columns)
                    if predicted >= 0:
                        return labels.label(predicted)
            return self._predict_named(x)
        finally:
            users.askers -= 1

    def check_one(self, x: Any, y: Any) -> None:
        """Refuse what `learn_one` refuses of an example and its label, before it would learn; nothing changes."""
        if isinstance(x, np.ndarray):
            self._outcome(y)
            self.predict(one_row(x))
            return
        machine: Any = self._machine
        if isinstance(x, dict) and machine is not None and machine.quick and (x or not self.negations):
            labels, words = self._labels, self._vocabulary
            if words is not None and labels is not None and labels.code(y) >= 0:
                columns = words.columns
                if len(columns) == self._named_columns and machine.predict_one(x, columns) >= 0:
                    return  # known names, a known label and sound values
        self._outcome(y)
        self._named(x, self._started(None, fix=False)[1])

    def activation_one(self, x: Any) -> float:
        """Return ``w.x - theta`` of one example, given as to `learn_one`; nothing changes."""
        found = self.activation(one_row(x)) if isinstance(x, np.ndarray) else self._scored_one(x)[1]
        return float(found[0])

    def row(self, x: Any) -> tuple[Rows, Sequence[Hashable]]:
        """Return one example in this learner's columns, and the names new to it, of the next ones; nothing changes."""
        if isinstance(x, Block | np.ndarray):
            block, new = self._aligned(x if isinstance(x, Block) else one_row(x))
            if self._n is not None:
                block, new, _ = within(self._owner, block, new, self._n, crowded=self._crowded)
            first, last = block.indptr[0], block.indptr[-1]
            values = NOTHING if block.values is None else block.values[first:last]
            return Rows(block.indptr - first, block.indices[first:last], values), new
        return self._placed(x, self._n)[1:]

    @classmethod
    def from_state(cls, params: Mapping[str, Any], state: Mapping[str, NDArray[Any]]) -> Self:
        """Return a learner that goes on where `params` and `state` were taken."""
        learner = cls(**params)
        learner._take(state)
        return learner

    def __repr__(self) -> str:
        defaults = type(self)().params()
        changed = {name: value for name, value in self.params().items() if repr(value) != repr(defaults[name])}
        return f"{self._owner}({', '.join(f'{name}={value!r}' for name, value in changed.items())})"

    def aligned(self, X: Any) -> Block:
        """Return the rows of ``X`` in this learner's columns, those of unknown names last; nothing changes."""
        return self._aligned(X)[0]

    # Inside

    def _aligned(self, X: Any) -> tuple[Block, Sequence[Hashable]]:
        """Return the rows in this learner's columns, and the names that are new to it."""
        block = Block.from_arrays(X)
        if block.names is not None:
            return aligned(block, self._words())
        if self._vocabulary is not None and len(block):
            raise InvalidData(f"{self._owner}: it knows attributes by name, got positions; give names")
        return block, []

    def _outcomes(self, block: Block, y: ArrayLike | None) -> tuple[Codes, Any]:
        coding, known = self._coding, self._labels
        if y is not None:
            return coding.encode(y, known, len(block))
        if block.outcomes is None or block.labels is None:
            raise InvalidLabel(f"{self._owner}: y is missing; give y, or a Block with outcomes")
        return coding.recoded(block.outcomes, block.labels, known, len(block))

    def _asked(self, X: Any) -> tuple[Block, Machine, int | None]:
        """Return rows that are only asked about, checked and in this learner's columns; the machine, and the fixed n.

        Attributes that nobody has seen have columns beyond those that are known.
        """
        block, new = self._aligned(X)
        machine, n = self._started(block.n_attributes, fix=False)
        if block.names is None or n is None or (len(block.names) <= n and not self._crowded):
            check_block(self._owner, block, n, self._domain(), self._most())
            return block, machine, n
        check_block(self._owner, block, None, self._domain(), self._most())
        return new_in_each_row(self._owner, block, len(block.names) - len(new), n), machine, n

    def _scored(self, X: Any) -> tuple[Codes, Floats]:
        block, machine, n = self._asked(X)
        predictions, activations = np.zeros(len(block), self._coding.dtype), np.zeros(len(block))
        if not self.negations and block.width > machine.size:
            block = replace(block, indices=np.minimum(block.indices, np.uint32(machine.size)))
        for rows, at in parts(block, n if self.negations else None):
            predictions[at], activations[at] = machine.score(rows)
        return predictions, activations

    @learns
    def _learn_one(self, x: Any, y: Any) -> Any:
        """Play one trial in the middle of a call, or refuse to."""
        return self._learn_named(x, y)

    @asks
    def _predict_one(self, x: Any) -> Any:
        """Return a prediction in the middle of a call, or refuse to."""
        return self._predict_named(x)

    def _learn_named(self, x: Any, y: Any) -> Any:
        """Play one trial whose names or labels may be new."""
        outcome, labels = self._outcome(y)
        machine, n = self._started(None, fix=False)
        words, rows, new = self._named(x, n) if self.negations else self._placed(x, n)
        more = len(words) + len(new) != self._named_columns
        if more or self._machine is None:
            machine.grow(len(words) + len(new))
        try:
            predicted = machine.learn(rows, outcome, NOTHING)
            if more or labels is not self._labels or words is not self._vocabulary:
                self._keep(machine, n, labels, words, new)
        except BaseException as error:
            self._stopped(error, machine, n, labels, words, new)
            raise
        if n is not None and new is not ALL_KNOWN and not self._crowded:
            self._crowded = not words.columns.keys() >= set(x)
        self._trials += 1
        self._pay(predicted, outcome)
        return labels.label(predicted[0].item())

    def _stopped(
        self, error: BaseException, machine: Machine, n: int | None, labels: Any, words: Vocabulary | None,
        new: Iterable[Hashable],
    ) -> None:  # fmt: skip
        """See to it that what was learned before an interrupt keeps its names and labels; a refusal leaves nothing."""
        if machine is self._machine and not isinstance(error, LittlestoneError):
            self._keep(machine, n, labels, words, new)

    def _predict_named(self, x: Any) -> Any:
        return (self._labels or self._coding()).label(self._scored_one(x)[0][0].item())

    def _scored_one(self, x: Any) -> tuple[Codes, Floats]:
        """Return the prediction and the activation of one example with names, as arrays of one row."""
        machine, n = self._started(None, fix=False)
        words, rows, new = self._named(x, n) if self.negations else self._placed(x, n)
        if self.negations or (not new and len(words) == self._named_columns):
            return machine.score(rows)  # an attribute that nobody has seen looks like the spare one
        return machine.score(rows._replace(indices=np.minimum(rows.indices, np.uint32(machine.size))))

    def _named(self, x: Any, n: int | None) -> tuple[Vocabulary, Rows, Sequence[Hashable]]:
        """Return the words, one example as a row of their columns, negated too, and the new names: the next columns."""
        words, rows, new = self._placed(x, n)
        return words, negated(rows, n) if self.negations and n is not None else rows, new

    def _placed(self, x: Any, n: int | None) -> tuple[Vocabulary, Rows, Sequence[Hashable]]:
        """Return the same of an example whose literals are not negated."""
        words, new = self._words() if self._vocabulary is None else self._vocabulary, ALL_KNOWN
        try:
            rows = self._named_row(x, words.columns)
        except KeyError:
            values = named_values(self._owner, x, self._domain(), self._most())
            new = words.unseen(x)
            if n is not None:
                new = with_room(self._owner, words, x, values, new, n, crowded=self._crowded)
            columns = {name: words.columns.get(name, 0) for name in x}  # what is left out is 0, and in no row
            columns |= zip(new, range(len(words), len(words) + len(new)), strict=True)
            rows = named_row(x, values, columns)
        return words, rows, new

    def _outcome(self, y: Any) -> tuple[Codes, Any]:
        """Return the outcome, as an array, and the labels as they are then known; nothing is changed."""
        return self._coding.one(y, self._labels)

    def _named_row(self, x: Any, columns: Mapping[Hashable, int]) -> Rows:
        """Return the row of any example with names, checked; a name without a column raises KeyError."""
        kept, indices, values = self._recent
        try:
            same = type(x) is type(kept) and kept == x
        except ValueError:  # an array among the values
            same = False
        if not same:
            checked = named_values(self._owner, x, self._domain(), self._most())
            _, indices, values = named_row(x, checked, columns)
            if type(x) in KINDS and (type(x) is not dict or PLAIN.issuperset(map(type, x.values()))):
                self._recent = copy(x), indices, values
        return Rows(ends(len(indices)), indices, values)
