"""Learners of many classes: a target a class, the largest activation wins."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from littlestone.core.arrays import Floats
from littlestone.core.block import Block
from littlestone.core.errors import InvalidLabel, InvalidParameter
from littlestone.core.hypothesis import Hypothesis
from littlestone.core.labels import Classes, plain
from littlestone.core.parameters import anything, check_number, flag
from littlestone.core.rows import NOTHING, check_size, one_row, rows_of
from littlestone.learners.base import Learner
from littlestone.machines.machine import Machine, of_kind
from littlestone.machines.targets import Contest, Targets
from littlestone.parts.links import Rule

__all__ = ["ClassCounts", "ClassWeights", "Many", "class_factors", "counts_by_class"]

Codes = NDArray[np.int32]
ClassWeights = Mapping[Any, float] | str | None


class ClassCounts(NamedTuple):
    """What happened to one class."""

    examples: int
    mistakes: int
    promotions: int
    demotions: int
    links: int


def counts_by_class(labels: Sequence[Any], targets: Targets | None) -> dict[Any, ClassCounts]:
    """Return what happened to each class; those that have no target yet come last."""
    counts = [] if targets is None else targets.tally.tolist()
    rows = counts + [[0] * 5] * (len(labels) - len(counts))
    return {label: ClassCounts(*row) for label, row in zip(labels, rows, strict=True)}


def class_factors(owner: str, weights: ClassWeights, labels: Classes | None) -> Floats:
    """Return the weight of each class, where some have one."""
    if labels is None or weights is None or isinstance(weights, str):
        return NOTHING
    factors = {plain(label): weight for label, weight in weights.items()}
    if len({isinstance(label, str) for label in (*labels.all, *factors)}) > 1:  # True may be written as 1
        raise InvalidLabel(
            f"{owner}: class_weights: expected labels such as {labels.all[0]!r}, got {next(iter(factors))!r}"
        )
    return np.array([float(factors.get(label, 1.0)) for label in labels.all])


def _class_weights(owner: str, name: str, weights: Any) -> ClassWeights:
    """Return the weights of classes: None, "balanced", or a dict from label to a number >= 0; refuse anything else."""
    if weights is None or weights == "balanced":
        return weights  # type: ignore[no-any-return]
    if not isinstance(weights, Mapping):
        raise InvalidParameter(f"{owner}: {name} must be None, 'balanced' or a dict, got {weights!r}")
    for label, weight in weights.items():
        check_number(owner, f"the class weight of {label!r}", weight, above=0.0, ends="[)")
    try:
        Classes().with_more(plain(label) for label in weights)
    except InvalidLabel as error:
        raise InvalidParameter(f"{owner}: {name}: {error}") from error
    return weights


class Many(Learner):
    """What learners of many classes share. A concrete one says what rule its targets play by (`_rule`).

    Classes are numbered as they first come, and may come at any time; `begin(labels=...)` names some beforehand. Of
    equal activations the class that came first wins. Before any class is known there is nothing to predict: the
    prediction is None, and a mistake.
    """

    _coding = Classes
    policy = "uniform"  # each has it as a parameter
    many_classes = True
    class_weights: ClassWeights = anything(
        default=None,
        takes='None, "balanced" or dict',
        check=_class_weights,
        says="What an example of a class counts: a factor by label (others: 1), or running weights t / (k t_y) after t "
        "examples of k classes, t_y of this one. Times the example's own weight it counts as 1e100 at most.",
    )
    calibrated: bool = flag(default=True, says="Learn the scale of `predict_proba` on-line.")
    linked = False
    _factors: Floats = NOTHING

    @abstractmethod
    def _rule(self, n: int | None) -> Rule:
        """Return what each target plays by."""

    def _build(self, n: int | None) -> Machine:
        balanced = isinstance(self.class_weights, str)
        contest = Contest(self.policy, self.linked, self.calibrated, balanced)
        return Targets(self._rule(n), contest)

    @property
    def tie(self) -> int:
        """Of two classes with equal activations the first wins."""
        return 0

    def begin(self, n: int | None = None, labels: Any = None, names: Iterable[Hashable] | None = None) -> Self:
        """Say how many attributes there are, classes that are known beforehand, and the names; resolve parameters.

        The targets of classes named here are there from the first trial on; others may still come.
        """
        super().begin(n, labels, names)
        self._targets.know(len(self._labels or ()))
        return self

    def activation(self, X: Any) -> Floats:
        """Return ``w.x - theta`` of the rows of ``X``: a column for each class, in the order of `classes`."""
        return self._scored(X)[1]

    def predict_proba(self, X: Any) -> Floats:
        """Return a probability for each row of ``X`` (rows) and class (columns, in the order of `classes`).

        The softmax of the activations (of two classes: the sigmoid of their difference), times a scale that is learned
        on-line if ``calibrated``: in units of their mean spread so far, it moves on each trial, before the update, down
        the gradient of the log loss. Nothing is guaranteed of these numbers but that they sum to 1.
        """
        return self._shares(self._scored(X)[1])

    def predict_proba_one(self, x: Any) -> dict[Any, float]:
        """Return a probability for each class, as `predict_proba` does, of one example given as to `learn_one`."""
        named = not isinstance(x, np.ndarray)
        shares = self._shares(self._scored_one(x)[1]) if named else self.predict_proba(one_row(x))
        return dict(zip(self.classes, shares[0].tolist(), strict=True))

    def _shares(self, activations: Floats) -> Floats:
        """Return the shares of activations; before any class is known the number of attributes need not be, either."""
        return self._targets.shares(activations) if activations.shape[1] else activations

    @property
    def classes(self) -> tuple[Any, ...]:
        """The classes, in the order in which they came."""
        return self.labels or ()

    def class_counts(self) -> dict[Any, ClassCounts]:
        """Return for each class its examples, the mistakes on them, its target's promotions, demotions and links."""
        return counts_by_class(self.classes, None if self._machine is None else self._targets)

    @property
    def links(self) -> int:
        """How many weights there are, of attributes in classes."""
        return sum(counts.links for counts in self.class_counts().values())

    def hypothesis(self) -> Hypothesis | None:
        """Return None: what it predicts is no linear threshold function; see `hypotheses`."""
        return None

    def hypotheses(self) -> dict[Any, Hypothesis]:
        """Return the weights and the threshold of each class's target, written out."""
        size = max(self._width, self._n or 0, len(self._vocabulary or ()))
        if self._machine is None:
            return {}
        numbers, owners, weights = self._targets.links()
        check_size(size * max(1, len(self.classes)))
        w = np.zeros((len(self.classes), max(size, len(numbers))))
        w[owners, np.repeat(np.arange(len(numbers)), numbers)] = weights
        theta = self._machine.theta - self._targets.constants()
        return {label: Hypothesis(w[c, :size], float(theta[c])) for c, label in enumerate(self.classes[: len(theta)])}

    def weights(self) -> dict[Hashable, Any]:
        """Return for each attribute, by name or position, its weight in each class that it is linked to."""
        size = max(self._width, self._n or 0)
        names: Iterable[Hashable] = range(size) if self._vocabulary is None else self._vocabulary
        found: dict[Hashable, Any] = {name: {} for name in names}
        if self._machine is None:
            return found
        numbers, owners, weights = self._targets.links()
        labels = [self.classes[c] for c in owners.tolist()]
        ends = np.cumsum(numbers).tolist()
        for name, number, end in zip(names, numbers.tolist(), ends, strict=False):
            part = slice(end - number, end)
            found[name] = dict(zip(labels[part], weights[part].tolist(), strict=True))
        return found

    # Inside

    @property
    def _targets(self) -> Targets:
        return of_kind(self._started(None, fix=False)[0], Targets)

    def _started(self, n: int | None, *, fix: bool) -> tuple[Machine, int | None]:
        machine, fixed = super()._started(n, fix=fix)
        machine.factors = self._factors  # type: ignore[attr-defined]
        return machine, fixed

    def _outcome(self, y: Any) -> tuple[Any, Any]:
        codes, labels = super()._outcome(y)
        self._factors = class_factors(self._owner, self.class_weights, labels)
        return codes, labels

    def _outcomes(self, block: Block, y: ArrayLike | None) -> tuple[Any, Any]:
        codes, labels = super()._outcomes(block, y)
        self._factors = class_factors(self._owner, self.class_weights, labels)
        return codes, labels

    def _scored(self, X: Any) -> tuple[Any, Floats]:
        block, machine, _ = self._asked(X)
        if block.width > machine.size:  # an attribute that nobody has seen looks like the spare one
            block = replace(block, indices=np.minimum(block.indices, np.uint32(machine.size)))
        return machine.score(rows_of(block))
