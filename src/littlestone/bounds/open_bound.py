"""OpenBound: a theorem about a target that nobody has described yet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isclose, isfinite
from typing import TYPE_CHECKING, Any

from littlestone.bounds.bound import SIGNS, Bound, Kind
from littlestone.core.errors import InvalidParameter

if TYPE_CHECKING:
    from littlestone.bounds.inverse import Needed

__all__ = ["OpenBound"]

PROBES = (1, 2, 3, 4, 7)  # where a bound is looked at, to tell how it grows


@dataclass(frozen=True)
class OpenBound:
    """A theorem whose number depends on the target, which nobody has described: its ``value`` is None.

    ``at(k=...)`` gives the `Bound` for a target of k attributes. ``free`` names what is left open, ``example`` is the
    bound for the smallest target.

    >>> from littlestone import bounds
    >>> bound = OpenBound(bounds.winnow_disjunction(n=1024, k=1), "k")
    >>> bound.value, bound.at(k=5).value
    (None, 151)
    >>> print(bound)
    mistakes <= 30 k + 1 if a disjunction of k attributes gives the labels; 31 for k = 1
    (Kivinen-Warmuth, Winnow, derived)
    """

    example: Bound
    free: str
    value: None = None

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
        return {name: number for name, number in self.example.arguments.items() if name != self.free}

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
        if self.free not in numbers:
            raise InvalidParameter(f"{self.name}: expected {self.free}=..., which describes the target, got none")
        return self.example.at(**numbers)

    def needed(self, parameter: str, target: float, **numbers: Any) -> Needed | None:
        """Return the value of one parameter that meets a target: of what is left open, or at ``numbers``.

        >>> from littlestone import bounds
        >>> print(OpenBound(bounds.winnow_disjunction(n=1000, k=1), "k").needed("k", 100))
        k <= 3 (mistakes <= 91, Kivinen-Warmuth, Winnow, derived)
        """
        bound = self.example if parameter == self.free and not numbers else self.at(**numbers)
        return bound.needed(parameter, target)

    def _grows(self) -> str:
        """Return the bound as a function of what is left open: a line, where it is one, or its first numbers."""
        found: dict[int, float] = {}
        for number in PROBES:
            try:
                value = self.at(**{self.free: number}).value
            except InvalidParameter:
                continue
            if isfinite(value):
                found[number] = value
        if len(found) > 2 and 1 in found and 2 in found:
            step, first = found[2] - found[1], found[1]
            if all(isclose(value, first + (at - 1) * step, rel_tol=1e-12) for at, value in found.items()):
                return _line(step, first - step, self.free)
        return f"a number that grows with {self.free}"

    def __str__(self) -> str:
        shown = f"{self.example.value:g} for {self.free} = {self.example.arguments[self.free]}"
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
