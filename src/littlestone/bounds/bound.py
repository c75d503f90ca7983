"""Bound: what a theorem says of a number of mistakes; and the register of all theorems."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, ParamSpec

import numpy as np

from littlestone.errors import InvalidParameter

__all__ = ["THEOREMS", "Bound", "check", "theorem"]

P = ParamSpec("P")
Kind = Literal["upper", "lower"]

THEOREMS: dict[str, Callable[..., Bound]] = {}


@dataclass(frozen=True)
class Bound:
    """A theorem about mistakes, with its numbers put in.

    >>> from littlestone import bounds
    >>> bound = bounds.elimination(n=100, k=3)
    >>> bound.value, bound.kind, bound.at(k=10).value
    (97, 'upper', 90)
    """

    value: float
    kind: Kind
    theorem: str
    assumptions: str
    source: str
    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)

    def at(self, **changes: Any) -> Bound:
        """Return the same theorem with other numbers."""
        return THEOREMS[self.name](**{**self.arguments, **changes})

    def __str__(self) -> str:
        return f"mistakes {'<=' if self.kind == 'upper' else '>='} {self.value:g} ({self.theorem})"


def theorem(
    statement: str, *, source: str, assumptions: str, kind: Kind = "upper"
) -> Callable[[Callable[P, float]], Callable[P, Bound]]:
    """Register a function of numbers as a theorem: it returns a Bound, and refuses numbers it does not know."""

    def register(function: Callable[P, float]) -> Callable[P, Bound]:
        signature = inspect.signature(function)

        def bound(*args: P.args, **kwargs: P.kwargs) -> Bound:
            try:
                arguments = signature.bind(*args, **kwargs)
            except TypeError as error:
                known = ", ".join(signature.parameters)
                raise InvalidParameter(f"{function.__name__}: {error}; it takes {known}") from None
            arguments.apply_defaults()
            for name, number in arguments.arguments.items():
                if number is not None and not isinstance(number, int | float | Fraction | np.integer | np.floating):
                    raise InvalidParameter(f"{function.__name__}: expected a number for {name}, got {number!r}")
            errors = arguments.arguments.get("attribute_errors", 0)
            check(errors >= 0, function.__name__, "attribute_errors >= 0", errors)
            value = function(*arguments.args, **arguments.kwargs)
            return Bound(value, kind, statement, assumptions, source, function.__name__, dict(arguments.arguments))

        bound.__name__, bound.__qualname__, bound.__doc__ = function.__name__, function.__qualname__, function.__doc__
        bound.__module__ = function.__module__
        bound.__signature__ = signature  # type: ignore[attr-defined]
        THEOREMS[function.__name__] = bound
        return bound

    return register


def check(condition: bool, function: str, expected: str, got: Any) -> None:
    """Refuse numbers outside a theorem's assumptions."""
    if not condition:
        raise InvalidParameter(f"{function}: expected {expected}, got {got}")
