"""One example at a time, with names: what of a learner must cost little, for nothing shares the cost."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from copy import copy
from math import inf
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from littlestone.core import labels as two_labels
from littlestone.core.arrays import Codes, Columns, Floats
from littlestone.core.errors import LittlestoneError
from littlestone.core.guard import NOBODY, SOMEBODY, Users, asks, learns
from littlestone.core.names import unseen
from littlestone.core.rows import NOTHING, Rows, ends, named_row, named_values, negated, one_row
from littlestone.core.vocabulary import Vocabulary
from littlestone.engine.dicts import LONG_WAY, USABLE
from littlestone.machines.machine import Machine, Single, takes_every_row

__all__ = ["NO_EXAMPLE", "OneAtATime"]

Taken = tuple[Any, Columns, Floats]  # an example with names, and its row

NO_EXAMPLE: Taken = (object(), np.zeros(0, dtype=np.uint32), NOTHING)
QUICK: Any = (Single,) if USABLE else ()
# What can be kept of an example: kinds that are copied whole, with values that stay what they are
KINDS = frozenset({dict, set, frozenset, list, tuple})
NUMPY = (kind for kind in np.sctypeDict.values() if issubclass(kind, np.number | np.bool_))
PLAIN = frozenset({int, float, bool, *NUMPY})
# The values with which a dict is read by compiled code; a Boolean one without zeros, the others by the long way
RANGES = {"any": (-inf, inf), "non-negative": (0.0, inf), "Boolean": (1.0, 1.0)}


class OneAtATime:
    """The part of a learner that takes one example with names at a time; `Learner` is all of it.

    The last example is kept with its row: whoever predicts it and then learns it pays for it once. What `learns` and
    `asks` do for other methods is written out here: where compiled code reads a dict, it would cost as much again.
    """

    _coding: ClassVar[Any]
    _users: Users
    negations: bool
    _counts_all: bool
    labels: Any
    _n: int | None
    _vocabulary: Vocabulary | None
    _named_columns: int
    _machine: Machine | None
    _trials: int
    _mistakes: int
    _recent: Taken

    def learn_one(self, x: Any, y: Any) -> Any:
        """Play one trial: predict ``x``, then learn that it is ``y``; return the prediction.

        ``x`` is a dict from names to values, a set, list or tuple of the names that are on, or a 1-D array by position.
        """
        valued = isinstance(x, dict)
        if not valued and isinstance(x, np.ndarray):
            return two_labels.plain(self.learn(one_row(x), np.array([y]))[0])
        users = self._users
        if users.learner or users.askers:
            return self._learn_one(x, y)
        users.learner = SOMEBODY
        try:
            machine: Any = self._machine
            if valued and isinstance(machine, QUICK) and (x or not self.negations):
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

    def predict_one(self, x: Any) -> Any:
        """Return the prediction of one example, given as to `learn_one`; nothing changes."""
        valued = isinstance(x, dict)
        if not valued and isinstance(x, np.ndarray):
            return two_labels.plain(self.predict(one_row(x))[0])
        users = self._users
        if users.learner:
            return self._predict_one(x)
        users.askers += 1
        try:
            machine: Any = self._machine
            if valued and isinstance(machine, QUICK) and (x or not self.negations):
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

    @learns
    def _learn_one(self, x: Any, y: Any) -> Any:
        """Play one trial in the middle of a call, or refuse to."""
        return self._learn_named(x, y)

    @asks
    def _predict_one(self, x: Any) -> Any:
        """Return a prediction in the middle of a call, or refuse to."""
        return self._predict_named(x)

    @asks
    def check_one(self, x: Any, y: Any) -> None:
        """Refuse what `learn_one` refuses of an example and its label, before it would learn; nothing changes."""
        if isinstance(x, np.ndarray):
            self._outcome(y)
            self.predict(one_row(x))
            return
        machine: Any = self._machine
        if isinstance(x, dict) and isinstance(machine, QUICK) and (x or not self.negations):
            labels, words = self._labels, self._vocabulary
            if words is not None and labels is not None and labels.code(y) >= 0:
                columns = words.columns
                if len(columns) == self._named_columns and machine.predict_one(x, columns) >= 0:
                    return  # known names, a known label and sound values
        self._outcome(y)
        self._named(x, self._started(None, fix=False)[1], kept=True)

    @asks
    def activation_one(self, x: Any) -> float:
        """Return the activation of one example, given as to `learn_one`; nothing changes."""
        found = self.activation(one_row(x)) if isinstance(x, np.ndarray) else self._scored_one(x)[1]
        return float(found[0])

    def _ranged(self) -> tuple[float, float]:
        """Return the least and the largest value that a dict may be read with by compiled code."""
        least, largest = (inf, -inf) if self.negations else RANGES.get(self._domain(), (inf, -inf))
        return max(least, -self._most()), min(largest, self._most())

    def _learn_named(self, x: Any, y: Any) -> Any:
        """Play one trial whose names or labels may be new."""
        outcome, labels = self._outcome(y)
        machine, n = self._started(None, fix=False)
        words, rows, new = self._named(x, n, kept=True)
        more = len(words) + len(new) != self._named_columns
        if more or self._machine is None:
            machine.grow(len(words) + len(new))
        try:
            predicted = int(machine.learn(rows, outcome, NOTHING)[0])
        except BaseException as error:
            self._stopped(error, machine, n, labels, words, new)
            raise
        if more or labels is not self._labels or words is not self._vocabulary:
            self._keep(machine, n, labels, words, new)
        self._trials += 1
        self._mistakes += predicted != int(outcome[0])
        return labels.label(predicted)

    def _keep(
        self, machine: Machine, n: int | None, labels: Any, words: Vocabulary | None, new: Iterable[Hashable] = ()
    ) -> None:
        """Go on with a machine that has weights for all names, the new ones among them."""
        if words is not None:
            words.add(new)
            self._named_columns = len(words)
        self._machine, self._n, self._labels, self._vocabulary = machine, n, labels, words

    def _stopped(
        self, error: BaseException, machine: Machine, n: int | None, labels: Any, words: Vocabulary | None,
        new: Iterable[Hashable],
    ) -> None:  # fmt: skip
        """See to it that what was learned before an interrupt keeps its names and labels; a refusal leaves nothing."""
        if machine is self._machine and not isinstance(error, LittlestoneError):
            self._keep(machine, n, labels, words, new)

    def _predict_named(self, x: Any) -> Any:
        """Return the prediction of any example with names."""
        return (self._labels or self._coding.UNKNOWN).label(int(self._scored_one(x)[0][0]))

    def _scored_one(self, x: Any) -> tuple[Codes, Floats]:
        """Return the prediction and the activation of one example with names, as arrays of one row."""
        machine, n = self._started(None, fix=False)
        words, rows, new = self._named(x, n)
        if self.negations or (not new and len(words) == self._named_columns):
            return machine.score(rows)  # an attribute that nobody has seen looks like the spare one
        return machine.score(rows._replace(indices=np.minimum(rows.indices, np.uint32(machine.size))))

    def _named(self, x: Any, n: int | None, *, kept: bool = False) -> tuple[Vocabulary, Rows, list[Hashable]]:
        """Return the words, one example as a row of their columns, and the names that are new: the next columns.

        Names that are ``kept`` have their columns from then on, others for the moment.
        """
        words, new = self._words() if self._vocabulary is None else self._vocabulary, []
        try:
            rows = self._named_row(x, words.columns)
        except KeyError:
            values = named_values(self._owner, x, self._domain(), self._most())
            new = unseen(self._owner, words, x, values, n, kept=kept)
            columns = {name: words.columns.get(name, 0) for name in x}  # what is left out is 0, and in no row
            columns |= zip(new, range(len(words), len(words) + len(new)), strict=True)
            rows = named_row(x, values, columns)
        return words, negated(rows, n) if self.negations and n is not None else rows, new

    def _outcome(self, y: Any) -> tuple[Codes, Any]:
        """Return the outcome, as an array, and the labels as they are then known; nothing is changed."""
        return self._coding.one(y, self._labels)  # type: ignore[no-any-return]

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

    # What it needs to know before, and what it may still refuse

    @property
    def machine(self) -> Machine | None:
        """What it computes with, once it has begun."""
        return self._machine

    @property
    def needs_n(self) -> bool:
        """Whether its parameters cannot be resolved without the number of attributes."""
        return self.negations or self._needs_n()

    @property
    def waits_for_n(self) -> bool:
        """Whether it has not begun, and needs the number of attributes to begin or to count with."""
        return self._machine is None and (self.needs_n or self._counts_all)

    @property
    def refuses_late(self) -> bool:
        """Whether it may refuse, while it learns, an example that `check_one` takes: one for which there is no room.

        True as long as that is not known.
        """
        return self._machine is None or not takes_every_row(self._machine)

    # What is asked of the learner

    def _needs_n(self) -> bool:
        raise NotImplementedError

    @property
    def _owner(self) -> str:
        return type(self).__name__

    def learn(self, X: Any, y: ArrayLike | None = None, *, weight: ArrayLike | None = None) -> NDArray[Any]:
        """Play each row in turn."""
        raise NotImplementedError

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the predictions of the rows."""
        raise NotImplementedError

    def activation(self, X: Any) -> Floats:
        """Return the activations of the rows."""
        raise NotImplementedError

    def _started(self, n: int | None, *, fix: bool) -> tuple[Machine, int | None]:
        raise NotImplementedError

    def _words(self) -> Vocabulary:
        raise NotImplementedError

    def _domain(self) -> str:
        raise NotImplementedError

    def _most(self) -> float:
        raise NotImplementedError
