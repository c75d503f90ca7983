"""The bound of a game that left what was assumed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from littlestone.bounds.bound import Bound, Kind, OpenBound
from littlestone.core.display import Shown

__all__ = ["VoidBound"]


@dataclass(frozen=True)
class VoidBound(Shown):
    """A theorem that says nothing of a game any more, since the game left what it assumes: its ``value`` is None.

    ``why`` says what was left, ``trial`` in which trial, counted from 1. Of the trials before, the theorem still holds.

    >>> import littlestone as ls
    >>> learner = ls.GradientDescent(X=2.0, bias=False)
    >>> learner.learn([[1.0, 1.0], [3.0, 0.0]], [1.0, 2.0]).tolist()
    [0.0, 0.375]
    >>> print(learner.guarantee)
    none from trial 2 on, where a row is larger than X = 2; until then loss <= 2 L + 8 D^2
    (Cesa-Bianchi-Long-Warmuth, gradient descent)
    >>> learner.guarantee.value, learner.guarantee.trial
    (None, 2)
    """

    bound: Bound | OpenBound
    why: str
    trial: int
    value: None = None

    @property
    def name(self) -> str:
        """The name of the theorem in `THEOREMS`."""
        return self.bound.name

    @property
    def kind(self) -> Kind:
        """From which side it would bound: "upper", "lower" or "exact"."""
        return self.bound.kind

    @property
    def of(self) -> str:
        """What would be bounded."""
        return self.bound.of

    @property
    def theorem(self) -> str:
        """The theorem, in short."""
        return self.bound.theorem

    @property
    def source(self) -> str:
        """Where it was published."""
        return self.bound.source

    @property
    def assumptions(self) -> str:
        """All that it assumes."""
        return self.bound.assumptions

    @property
    def arguments(self) -> Mapping[str, Any]:
        """The numbers that are known."""
        return self.bound.arguments

    @property
    def assumes(self) -> str:
        """What was left, and where."""
        return f"void: in trial {self.trial} {self.why}"

    @property
    def claim(self) -> str:
        """What is bounded: nothing."""
        return f"none from trial {self.trial} on, where {self.why}"

    def at(self, **numbers: Any) -> VoidBound:
        """Return itself: there is no number for any target."""
        del numbers
        return self

    def needed(self, parameter: str, target: float, **numbers: Any) -> None:
        """Return None: no value of a parameter meets a target."""
        del parameter, target, numbers

    def __str__(self) -> str:
        return f"{self.claim}; until then {self.bound.claim} ({self.theorem})"
