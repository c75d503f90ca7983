"""A model that is asked about a row, and about it without some of its attributes."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from littlestone.core.arrays import Floats
from littlestone.core.block import Block
from littlestone.core.labels import plain
from littlestone.core.names import literal
from littlestone.learners import Bounded
from littlestone.models.explanation._linear import AsDict, Names

if TYPE_CHECKING:
    from littlestone.models.model import Model

__all__ = ["Asked", "Change", "Reason"]

SURE = 1e-12  # as near to 0 or 1 as odds are taken
MOST_STEPS = 40  # attributes that are tried together, to change a decision
AT_ONCE = 1 << 20  # entries of rows that are predicted at once


@dataclass(frozen=True)
class Reason(AsDict):
    """What one attribute of a row does: ``brings`` speaks for one label where it is positive, else for the other.

    ``value`` is as it came, ``scaled`` as the learner sees it, where that is another; ``weight`` is None where there
    is no one weight.

    >>> import littlestone as ls
    >>> model = ls.Model(ls.Perceptron())
    >>> _ = model.learn([{"rain": 2.0, "wind": 1.0}, {"sun": 1.0}, {"sun": 1.0, "wind": 3.0}], [1, 0, 0])
    >>> model.explain({"wind": 2.0, "sun": 1.0}).listed[0]
    Reason(attribute='sun', value=1.0, scaled=None, weight=-1.0, brings=-1.0, note='')
    """

    attribute: Hashable
    value: float
    scaled: float | None
    weight: float | None
    brings: float
    note: str = ""


@dataclass(frozen=True)
class Change(AsDict):
    """The fewest attributes without which the decision is another; ``exact``: there are surely no fewer.

    >>> import littlestone as ls
    >>> model = ls.Model(ls.Perceptron())
    >>> _ = model.learn([{"rain": 2.0, "wind": 1.0}, {"sun": 1.0}, {"rain": 1.0}] * 3, [1, 0, 1] * 3)
    >>> model.explain({"rain": 2.0, "sun": 1.0}).change
    Change(without=('rain',), prediction=0, exact=True)
    """

    without: tuple[Hashable, ...]
    prediction: Any
    exact: bool


class Asked:
    """A model that is asked about a row, and about it without some of its attributes."""

    def __init__(self, model: Model, block: Block, names: Names) -> None:
        self.model, self.block, self._names, self.rows = model, block, names, model.rows(block)
        self.calibrated, self.linear = model.has_probabilities, _is_linear(model)
        first = int(self.rows.indptr[0])
        self._indices = self.rows.indices[first:]
        self._values = None if self.rows.values is None else self.rows.values[first:]
        self.shares, predictions = self._decided(self.rows)
        self.prediction, labels = plain(predictions[0]), model.labels
        order = np.argsort(-self.shares[0], kind="stable").tolist() if self.shares.shape[1] > 1 else []
        after = next((labels[code] for code in order if labels[code] != self.prediction), None)
        self.toward, self.against = (labels[1], labels[0]) if len(labels) == 2 else (self.prediction, after)

    def _decided(self, rows: Block) -> tuple[Floats, Any]:
        model = self.model
        if model.outcomes is not None:
            numbers = model.decided(rows)
            return numbers[:, np.newaxis], numbers
        if not self.calibrated:
            activations = model.learner.activation(rows)
            shares = np.stack((-activations, activations), axis=1) if activations.ndim == 1 else activations
            return shares, model.learner.predict(rows)
        shares = model.probabilities_of(rows)
        decision = model.decision
        decided = model.learner.predict(rows) if decision.threshold is None else decision.label(shares, model.labels)
        return shares, decided

    def _odds(self, shares: Floats) -> Floats:
        """Return how far one label is before the other."""
        labels = self.model.labels
        if self.model.outcomes is not None:
            return shares[:, 0]
        if self.against is None:
            return np.zeros(len(shares))
        own, other = (shares[:, labels.index(label)] for label in (self.toward, self.against))
        if not self.calibrated:
            return np.asarray(own - other)
        return np.asarray(np.log(np.clip(own, SURE, 1.0)) - np.log(np.clip(other, SURE, 1.0)))

    def _tried(self, sets: Sequence[Sequence[int]]) -> tuple[Floats, list[Any]]:
        """Return how far the odds and the lead are, and what is decided, of the row without each set of places."""
        odds, decided = list[Floats](), list[Any]()
        step = max(1, AT_ONCE // max(1, len(self._indices)))
        for first in range(0, len(sets), step):
            rows = self._without(sets[first : first + step])
            shares, predictions = self._decided(rows)
            odds.append(np.stack((self._odds(shares), self._lead(rows, shares))))
            decided += map(plain, predictions)
        return np.concatenate(odds, axis=1) if odds else np.zeros((2, 0)), decided

    def _without(self, sets: Sequence[Sequence[int]]) -> Block:
        """Return the row once for each set of places, without the attributes there."""
        keeps = []
        for places in sets:
            keep = np.ones(len(self._indices), dtype=np.bool_)
            keep[list(places)] = False
            keeps.append(keep)
        kept = np.array(keeps, dtype=np.bool_).reshape(len(sets), len(self._indices))
        indptr = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(kept.sum(axis=1))))
        at = np.nonzero(kept)[1]
        values = None if self._values is None else self._values[at]
        return Block(
            indptr, self._indices[at].copy(), values, n_attributes=self.rows.n_attributes, names=self.rows.names,
            checked=True,
        )  # fmt: skip

    def left_out(self) -> list[Reason]:
        """Return by how much the odds fall without each attribute."""
        return [
            Reason(name, value, scaled, None, float(fall))
            for (name, value, scaled), fall in zip(self.cells(), self._falls[0], strict=True)
        ]

    @cached_property
    def _falls(self) -> Floats:
        """By how much the odds and the lead fall without each attribute."""
        whole = np.concatenate((self._odds(self.shares), self._lead(self.rows, self.shares)))
        return whole[:, np.newaxis] - self._tried([[place] for place in range(len(self._indices))])[0]

    def cells(self) -> list[tuple[Hashable, float, float | None]]:
        """Return each attribute of the row: its name, its value as it came, and as it is scaled, where it is."""
        scaling, words = self.model.scaling, self.model.learner.vocabulary
        names = self.rows.names or self._names
        values = np.ones(len(self._indices)) if self._values is None else self._values
        found: list[tuple[Hashable, float, float | None]] = []
        for column, value in zip(self._indices.tolist(), values.tolist(), strict=True):
            known = names is not None and column < len(names)
            name = names[column] if names is not None and known else literal(words, None, column)
            if scaling is not None and name in scaling:
                found.append((name, _raw_value(self.block, name, scaling.undone(str(name), value)), value))
            else:
                found.append((name, value, None))
        return found

    def probabilities(self) -> dict[Any, float]:
        """Return the probability of each label, where the model has any."""
        return dict(zip(self.model.labels, self.shares[0].tolist(), strict=True)) if self.calibrated else {}

    def change(self) -> Change | None:
        """Return the fewest attributes without which the decision is another; None where none are found.

        Of a linear rule those whose loss moves the sum most: no others do it sooner. Of any other, step by step the one
        whose loss brings another label nearest.
        """
        exact, falls = self._adds_up(), self._falls[1]
        order = [place for place in np.argsort(-falls, kind="stable").tolist() if falls[place] > 0.0]
        found = self._at_once(order) if exact else self._step_by_step(order[:MOST_STEPS])
        if found is None:
            return None
        out, prediction = found
        names = [name for name, *_ in self.cells()]
        return Change(tuple(names[place] for place in out), prediction, exact or len(out) == 1)

    def _adds_up(self) -> bool:
        """Tell whether every attribute brings the same whatever others are left out, and the largest sum decides."""
        model, machine = self.model, self.model.learner.machine
        if not self.linear or machine is None:
            return False
        values = np.ones(len(self._indices)) if self._values is None else self._values
        divided = machine.divisor(values) != 1.0 or machine.divisor(values[:0]) != 1.0
        rising = model.calibration is not None and bool((model.calibration.theta[:2] >= 0.0).all())
        return not divided and (model.decision.threshold is None or rising)

    def _lead(self, rows: Block, shares: Floats) -> Floats:
        """Return how far the prediction is before any other label: of a linear rule, in its own sum."""
        labels, learner = self.model.labels, self.model.learner
        if len(labels) == 2:
            sign = 1.0 if self.prediction == labels[1] else -1.0
            return sign * (np.asarray(learner.activation(rows)) if self.linear else self._odds(shares))
        if len(labels) < 2:
            return np.zeros(len(shares))
        own = labels.index(self.prediction)
        scores = np.log(np.clip(shares, SURE, 1.0)) if self.calibrated else shares
        return np.asarray(scores[:, own] - np.delete(scores, own, axis=1).max(axis=1))

    def _at_once(self, order: Sequence[int]) -> tuple[list[int], Any] | None:
        """Return the first places that must go: the sum falls with each, so that halving finds how many."""

        def changes(size: int) -> bool:
            return bool(self._tried([order[:size]])[1][0] != self.prediction)

        size = 1 + bisect_left(range(1, len(order) + 1), True, key=changes)
        return None if size > len(order) else (list(order[:size]), self._tried([order[:size]])[1][0])

    def _step_by_step(self, places: Sequence[int]) -> tuple[list[int], Any] | None:
        """Return places whose loss, one after the other, brings another label nearest."""
        out, left = list[int](), list(places)
        while left:
            (_, leads), decided = self._tried([[*out, place] for place in left])
            others = [prediction != self.prediction for prediction in decided]
            best = int(np.argmin(np.where(others, -np.inf, leads)))
            out.append(left.pop(best))
            if others[best]:
                return out, decided[best]
        return None


def _raw_value(block: Block, name: Hashable, otherwise: float) -> float:
    """Return the value of an attribute before it was scaled."""
    if block.names is None:
        return otherwise
    first = int(block.indptr[0])
    at = np.flatnonzero(block.indices[first:] == list(block.names).index(name))
    if not len(at):
        return otherwise
    return 1.0 if block.values is None else float(block.values[first + int(at[0])])


def _is_linear(model: Model) -> bool:
    """Tell whether the learner's prediction is a sum of weights times values, compared with a threshold."""
    learner = model.learner
    if model.outcomes is not None:
        return not learner.inner and learner.hypothesis() is not None
    if learner.many_classes or learner.inner or len(model.labels) != 2:
        return False
    return isinstance(learner, Bounded) or learner.hypothesis() is not None
