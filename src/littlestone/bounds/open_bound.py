"""Bounds without a number: of a target that nobody has described yet, and of a game that left what was assumed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isclose, isfinite
from typing import TYPE_CHECKING, Any

from littlestone.bounds.bound import SIGNS, Bound, Kind
from littlestone.bounds.targets import spoken
from littlestone.core.display import Shown
from littlestone.core.errors import InvalidParameter

if TYPE_CHECKING:
    from littlestone.bounds.inverse import Needed

__all__ = ["OpenBound", "VoidBound"]

PROBES = (1, 2, 3, 4, 7)  # where a bound is looked at, to tell how it grows


@dataclass(frozen=True)
class OpenBound(Shown):
    """A theorem whose number depends on the target, which nobody has described: its ``value`` is None.

    ``at(k=...)`` gives the `Bound` for a target of k attributes. ``free`` names what is left open, ``also`` what else
    is where several numbers describe a target; ``example`` is the bound for the smallest target.

    >>> from littlestone import bounds
    >>> bound = OpenBound(bounds.winnow_disjunction(n=1024, k=1), "k")
    >>> bound.value, bound.at(k=5).value
    (None, 151)
    >>> print(bound)
    mistakes <= 30 k + 1 if a disjunction of k attributes gives the labels; 31 for k = 1
    (Kivinen-Warmuth, Winnow, derived)
    >>> bound = OpenBound(bounds.gradient_descent(X=2.0, c=1.0, norm=1.0), "loss", ("norm",))
    >>> print(bound)
    loss <= 2 L + 8 D^2 if some u with |u - w1| <= D loses at most L; 8 for L = 0, D = 1
    (Cesa-Bianchi-Long-Warmuth, gradient descent)
    >>> bound.at(loss=5.0, norm=2.0).value
    42.0
    """

    example: Bound
    free: str
    also: tuple[str, ...] = ()
    value: None = None

    @property
    def open(self) -> tuple[str, ...]:
        """The names of all numbers that are left open."""
        return (self.free, *self.also)

    @property
    def name(self) -> str:
        """The name of the theorem in `THEOREMS`."""
        return self.example.name

    @property
    def kind(self) -> Kind:
        """From which side it bounds: "upper", "lower" or "exact"."""
        return self.example.kind

    @property
    def of(self) -> str:
        """What is bounded."""
        return self.example.of

    @property
    def theorem(self) -> str:
        """The theorem, in short."""
        return self.example.theorem

    @property
    def source(self) -> str:
        """Where it was published."""
        return self.example.source

    @property
    def assumptions(self) -> str:
        """All that it assumes."""
        return self.example.assumptions

    @property
    def arguments(self) -> Mapping[str, Any]:
        """The numbers that are known."""
        return {name: number for name, number in self.example.arguments.items() if name not in self.open}

    @property
    def assumes(self) -> str:
        """What it assumes of the target, in short."""
        return self.example.assuming(**self.arguments)

    @property
    def claim(self) -> str:
        """What is bounded, from which side, by what, as far as that is known."""
        return f"{self.of} {SIGNS[self.kind]} {self._grows()}"

    def at(self, **numbers: Any) -> Bound:
        """Return the bound for a target: ``at(k=5)``."""
        missing = [name for name in self.open if name not in numbers]
        if missing:
            described = "which describes the target" if len(self.open) == 1 else "which describe the target"
            wanted = ", ".join(f"{name}=..." for name in missing)
            raise InvalidParameter(f"{self.name}: expected {wanted}, {described}, got none")
        return self.example.at(**numbers)

    def needed(self, parameter: str, target: float, **numbers: Any) -> Needed | None:
        """Return the value of one parameter that meets a target: of what is left open, or at ``numbers``.

        >>> from littlestone import bounds
        >>> print(OpenBound(bounds.winnow_disjunction(n=1000, k=1), "k").needed("k", 100))
        k <= 3 (mistakes <= 91, Kivinen-Warmuth, Winnow, derived)
        """
        if parameter in self.open:
            numbers.setdefault(parameter, self.example.arguments[parameter])
        return self.at(**numbers).needed(parameter, target)

    def _grows(self) -> str:
        """Return the bound as a function of what is left open, if it is a simple one."""
        if self.also:
            return self._sum() or f"a number that grows with {' and '.join(map(self._called, self.open))}"
        found = self._probed(self.free, {})
        if len(found) > 2 and 1 in found and 2 in found:
            step, first = found[2] - found[1], found[1]
            if all(isclose(value, first + (at - 1) * step, rel_tol=1e-12) for at, value in found.items()):
                return _line(step, first - step, self._called(self.free))
            called, step = self._called(self.free), step / 3.0
            square = all(isclose(value, first + (at * at - 1) * step, rel_tol=1e-9) for at, value in found.items())
            if square and called != self.free:
                return _line(step, max(first - step, 0.0), called).replace(called, f"{called}^2")
        return f"a number that grows with {self._called(self.free)}"

    def _probed(self, name: str, others: Mapping[str, float]) -> dict[int, float]:
        """Return the bound for some values of one number, where it applies."""
        found: dict[int, float] = {}
        for number in PROBES:
            try:
                value = self.at(**{**others, name: number}).value
            except InvalidParameter:
                continue
            if isfinite(value):
                found[number] = value
        return found

    def _sum(self) -> str | None:
        """Return the bound as a sum of multiples of what is left open, or of squares; None: it is none."""
        terms, total, ones = [], 0.0, dict.fromkeys(self.open, 1.0)
        for name in self.open:
            found = self._probed(name, dict.fromkeys(self.open, 0.0))
            fits = [
                power
                for power in (1, 2)
                if len(found) > 2 and all(isclose(v, found[1] * at**power, rel_tol=1e-9) for at, v in found.items())
            ]
            if not fits:
                return None
            terms.append(_line(found[1], 0.0, self._called(name)) + ("^2" if fits == [2] else ""))
            total += found[1]
        return " + ".join(terms) if isclose(total, self.at(**ones).value, rel_tol=1e-9) else None

    def _called(self, name: str) -> str:
        return spoken(self.example.target, name)

    def __str__(self) -> str:
        given = ", ".join(f"{self._called(name)} = {self.example.arguments[name]:g}" for name in self.open)
        shown = f"{self.example.value:g} for {given}"
        return f"{self.claim} if {self.assumes}; {shown} ({self.theorem})"


def _line(slope: float, rest: float, name: str) -> str:
    """Return a line in words.

    >>> _line(30, 1, "k"), _line(-1, 10, "k"), _line(2.5, 0, "k")
    ('30 k + 1', '10 - k', '2.5 k')
    """
    size = "" if abs(slope) == 1 else f"{abs(slope):g} "
    if slope < 0:
        return f"{rest:g} - {size}{name}"
    return f"{size}{name}" if rest == 0 else f"{size}{name} {'+' if rest > 0 else '-'} {abs(rest):g}"


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
