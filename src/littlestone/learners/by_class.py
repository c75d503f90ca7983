"""What a bounded learner of many classes is asked of its classes: what `Many` is asked, where weights are in slots."""

from __future__ import annotations

from typing import Any

from littlestone.core.arrays import Floats
from littlestone.core.block import LARGEST_VALUE
from littlestone.core.guard import asks
from littlestone.core.names import one_block
from littlestone.learners.base import Learner
from littlestone.learners.many_classes import ClassCounts, counts_by_class
from littlestone.machines.machine import of_kind
from littlestone.machines.targets import Targets

__all__ = ["OF_CLASSES", "ByClass"]

OF_CLASSES = frozenset({"class_counts", "classes", "links", "predict_proba", "predict_proba_one"})


class ByClass:
    """A learner of many classes whose machine is one over slots, asked about its classes; nothing changes."""

    def __init__(self, learner: Learner) -> None:
        self._learner = learner

    @property
    def classes(self) -> tuple[Any, ...]:
        """The classes, in the order in which they came."""
        return self._learner.labels or ()

    @property
    def links(self) -> int:
        """How many weights there are, of attributes that are kept in classes."""
        targets = self._targets()
        return 0 if targets is None else int(targets.tally[:, -1].sum())

    def class_counts(self) -> dict[Any, ClassCounts]:
        """Return for each class its examples, the mistakes on them, its target's promotions, demotions and links."""
        return asks(lambda _: counts_by_class(self.classes, self._targets()))(self._learner)

    def predict_proba(self, X: Any) -> Floats:
        """Return a probability for each row of ``X`` (rows) and class (columns), as the learner inside would."""
        return asks(self._shares)(self._learner, X)

    def predict_proba_one(self, x: Any) -> dict[Any, float]:
        """Return a probability for each class of one example, given as to `learn_one`."""
        row = one_block(type(self._learner).__name__, x, self._learner.domain, LARGEST_VALUE)
        return dict(zip(self.classes, self.predict_proba(row)[0].tolist(), strict=True))

    def _shares(self, learner: Learner, X: Any) -> Floats:
        activations, targets = learner.activation(X), self._targets()
        return activations if targets is None else targets.shares(activations)

    def _targets(self) -> Targets | None:
        """Return the machine over the slots, once there is one."""
        machine = None if self._learner.machine is None else self._learner.machine.alone()
        return None if machine is None else of_kind(machine, Targets)
