"""Theorems asked the other way round: the k, the margin, the rate that still meets a number of mistakes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isfinite
from struct import pack, unpack
from typing import Any, Literal

from littlestone.bounds.bound import Bound
from littlestone.core.errors import InvalidParameter
from littlestone.core.messages import Remedy, did_you_mean
from littlestone.core.spelling import meant

__all__ = ["Needed", "known_theorem", "needed"]

TUNING = frozenset({"B", "C", "alpha", "beta", "beta0", "beta1", "c", "demotion", "eta", "floor", "p", "theta", "w1"})
LARGEST_WHOLE = 2**62
LARGEST_FLOAT = 0x7FEFFFFFFFFFFFFF
Side = Literal["at most", "at least", "best"]
Probe = Callable[[float], Bound | None]


@dataclass(frozen=True)
class Needed:
    """The value of a parameter that meets a target, and the bound there.

    >>> import littlestone as ls
    >>> found = ls.bounds.needed("winnow_disjunction", target=100, parameter="k", n=1000)
    >>> found.parameter, found.side, found.value, found.bound.value
    ('k', 'at most', 3, 91)
    """

    parameter: str
    value: float
    side: Side
    bound: Bound

    def __str__(self) -> str:
        sign = {"at most": "<=", "at least": ">=", "best": "="}[self.side]
        value = self.value if isinstance(self.value, int) else f"{self.value:.6g}"
        return f"{self.parameter} {sign} {value} ({self.bound.claim}, {self.bound.theorem})"


def known_theorem(name: str) -> str:
    """Return the name of a theorem, hyphens and any case allowed, or refuse it and say which names are close.

    >>> known_theorem("winnow-disjunction")
    'winnow_disjunction'
    """
    from littlestone.bounds import THEOREMS

    found = meant(name, THEOREMS)
    if found is not None:
        return found
    listed = Remedy("bounds.THEOREMS has them all", typed="littlestone bound lists them all")
    close = did_you_mean(name.replace("-", "_").lower(), THEOREMS)
    raise InvalidParameter(f"bound: expected the name of a theorem, got {name!r}", close or listed)


def needed(name: str, parameter: str, target: float, **numbers: Any) -> Needed | None:
    """Return the value of one parameter for which a theorem still meets a target, or None where none is found.

    An upper bound or an exact value meets a target that it does not exceed, a lower bound one that it reaches. For n,
    k, gamma and their like the answer is the extreme value that will do, to the last unit: "at most" it and all below,
    or "at least" it.
    For a parameter of the learner (alpha, eta, theta, ...) and where only values in between will do, it is the "best"
    that a fine grid finds; where the bound is a step function, a better one may hide between its points.
    (The sharper forms of Theorems 3 and 4 fall a little between their jumps in n; there the answer will do and the next
    n will not, but a few below it may not either.)

    >>> print(needed("winnow_disjunction", "k", 100, n=1000))
    k <= 3 (mistakes <= 91, Kivinen-Warmuth, Winnow, derived)
    >>> print(needed("perceptron_margin", "gamma", 400, radius=1, norm=2))
    gamma >= 0.1 (mistakes <= 400, Agarwal, Theorem 2.1)
    >>> print(needed("thresholded_beg", "alpha", 100, n=1000, k=3))
    alpha = 3.59112 (mistakes <= 78.0019, Helmbold et al., Theorem 5)
    >>> needed("elimination", "k", -1, n=10)
    """
    from littlestone.bounds import STATEMENTS, THEOREMS

    name = known_theorem(name)
    statement, theorem = STATEMENTS[name], THEOREMS[name]
    known = (*statement.required, *statement.optional)
    if parameter not in known or parameter in numbers:
        others = ", ".join(known)
        raise InvalidParameter(f"{name}: expected one unknown among {others}, got {parameter!r}")
    if isinstance(target, bool) or not isinstance(target, int | float) or not isfinite(target):
        raise InvalidParameter(f"{name}: expected a finite number as target, got {target!r}")
    missing = [other for other in statement.required if other not in numbers and other != parameter]
    unknown = [other for other in numbers if other not in known]
    if missing or unknown:
        wrong = [*(f"no {other}" for other in missing), *(f"an unknown {other}" for other in unknown)]
        raise InvalidParameter(f"{name}: expected numbers for {', '.join(known)}, got {', '.join(wrong)}")
    refusals: list[InvalidParameter | None] = []

    def probe(value: float) -> Bound | None:
        try:
            bound = theorem(**numbers, **{parameter: value})
        except InvalidParameter as error:
            refusals.append(error)
            return None
        refusals.append(None)
        return bound

    search = _Search(probe, float(target), -1.0 if statement.kind == "lower" else 1.0)
    if parameter in TUNING:
        found = search.tuned()
    elif parameter in statement.whole:
        found = search.extreme(int, _doubling())
    else:
        found = search.extreme(_float, [*range(0, LARGEST_FLOAT, 1 << 54), LARGEST_FLOAT])
    if errors := _reasons(refusals, parameter):
        raise errors[-1]
    return None if found is None else Needed(parameter, *found)


def _reasons(refusals: list[InvalidParameter | None], parameter: str) -> list[InvalidParameter]:
    """Return why a theorem applies at no value of the parameter: best those reasons that are about another one."""
    errors = [error for error in refusals if error is not None]
    if len(errors) < len(refusals):
        return []
    return [error for error in errors if f"{parameter}=" not in str(error)] or errors


def _doubling() -> list[int]:
    """Return 0 to 16, and from there four numbers to each doubling."""
    return [*range(16), *(2**i * j // 4 for i in range(4, 62) for j in (4, 5, 6, 7)), LARGEST_WHOLE]


def _float(index: int) -> float:
    """Return the non-negative float of that index: they are numbered in their order, so integers bisect them."""
    value: float = unpack("<d", pack("<q", index))[0]
    return value


Found = tuple[float, Side, Bound]


@dataclass(frozen=True)
class _Search:
    """A search for values at which ``sign * bound <= sign * target``."""

    probe: Probe
    target: float
    sign: float

    def meets(self, bound: Bound | None) -> bool:
        return bound is not None and self.sign * bound.value <= self.sign * self.target

    def extreme(self, number: Callable[[int], float], grid: Sequence[int]) -> Found | None:
        """Return the end of the values that will do: of whole numbers, or of floats by their index."""

        def applies(index: int) -> bool:
            return self.probe(number(index)) is not None

        def meets(index: int) -> bool:
            return self.meets(self.probe(number(index)))

        inside = [index for index in grid if applies(index)]
        if not inside:
            return None
        first, last = grid.index(inside[0]), grid.index(inside[-1])
        low = _edge(applies, inside[0], grid[first - 1] if first else inside[0])
        high = _edge(applies, inside[-1], grid[last + 1] if last + 1 < len(grid) else inside[-1])
        points = sorted({low, *inside, high})
        will_do = [index for index in points if meets(index)]
        ends = [self.sign * _value(self.probe(number(end))) for end in (low, high)]
        if meets(low) and (not meets(high) or ends[0] <= ends[1]):
            return self._end(number, points, will_do, meets, "at most")
        if meets(high):
            return self._end(number, points[::-1], will_do[::-1], meets, "at least")
        return self._between(number, points)

    def _end(
        self,
        number: Callable[[int], float],
        points: list[int],
        will_do: list[int],
        meets: Callable[[int], bool],
        side: Side,
    ) -> Found:
        """Return the last value of the run that starts at one end of the points."""
        run = next((i for i, index in enumerate(points) if index not in will_do), len(points))
        edge = points[-1] if run == len(points) else _edge(meets, points[run - 1], points[run])
        bound = self.probe(number(edge))
        assert bound is not None
        return number(edge), side, bound

    def _between(self, number: Callable[[int], float], points: list[int]) -> Found | None:
        """Return the best value in between, where neither end will do; finer and finer about the best point."""

        def cost(index: int) -> float:
            return self.sign * _value(self.probe(number(index)), self.sign)

        while True:
            best = min(range(len(points)), key=lambda i: cost(points[i]))
            low, high = points[max(best - 1, 0)], points[min(best + 1, len(points) - 1)]
            if high - low <= 64:
                return self._if_met(number(min(range(low, high + 1), key=cost)))
            points = sorted({low + (high - low) * i // 64 for i in range(65)} | {points[best]})

    def _if_met(self, value: float) -> Found | None:
        bound = self.probe(value)
        return (value, "best", bound) if bound is not None and self.meets(bound) else None

    def tuned(self) -> Found | None:
        """Return the value that makes the bound smallest: the best of a grid, then of finer ones."""
        from scipy.optimize import minimize_scalar

        def cost(value: float) -> float:
            return min(self.sign * _value(self.probe(float(value)), self.sign), 1e100)  # the method wants it finite

        def about(values: list[float], reach: int) -> tuple[float, float, float]:
            costs = [cost(value) for value in values]
            best = min(range(len(values)), key=costs.__getitem__)
            return values[max(best - reach, 0)], values[best], values[min(best + reach, len(values) - 1)]

        sizes = [10.0 ** (i / 8) for i in range(-96, 97)]
        grid = sorted({0.0, 1.0, *sizes, *(1.0 + size for size in sizes), *(1.0 - s for s in sizes if s < 1.0)})
        low, best, high = about(grid, 4)
        low, best, high = about(sorted({best, *(low + (high - low) * i / 400 for i in range(401))}), 1)
        found = float(minimize_scalar(cost, bounds=(low, high), method="bounded", options={"xatol": 1e-12 * high}).x)
        return self._if_met(found if cost(found) < cost(best) else best)


def _value(bound: Bound | None, sign: float = 1.0) -> float:
    """Return a bound's value; where the theorem does not apply, a value that meets nothing."""
    return sign * float("inf") if bound is None else bound.value


def _edge(holds: Callable[[int], bool], inside: int, outside: int) -> int:
    """Return the last index, on the way from ``inside``, where it holds, to ``outside``, that still does."""
    while abs(outside - inside) > 1:
        middle = (inside + outside) // 2
        inside, outside = (middle, outside) if holds(middle) else (inside, middle)
    return outside if holds(outside) else inside
