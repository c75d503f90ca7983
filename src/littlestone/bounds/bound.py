"""Bound: what a theorem says of a number of mistakes; and the register of all theorems."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, ParamSpec

from littlestone.bounds._numbers import checked, plain
from littlestone.errors import InvalidParameter

if TYPE_CHECKING:
    from littlestone.bounds.inverse import Needed

__all__ = ["STATEMENTS", "THEOREMS", "Bound", "Statement", "check", "theorem"]

P = ParamSpec("P")
Kind = Literal["upper", "lower", "exact"]
SIGNS: dict[Kind, str] = {"upper": "<=", "lower": ">=", "exact": "="}


@dataclass(frozen=True)
class Statement:
    """A theorem before its numbers are put in; ``required`` and ``optional`` are the names of its arguments."""

    name: str
    theorem: str
    kind: Kind
    of: str
    assumptions: str
    source: str
    required: tuple[str, ...]
    optional: Mapping[str, Any]
    whole: frozenset[str]
    """The arguments that are whole numbers."""


THEOREMS: dict[str, Callable[..., Bound]] = {}
STATEMENTS: dict[str, Statement] = {}


@dataclass(frozen=True)
class Bound:
    """A theorem about mistakes, with its numbers put in.

    >>> from littlestone import bounds
    >>> bound = bounds.elimination(n=100, k=3)
    >>> bound.value, bound.kind, bound.at(k=10).value
    (97, 'upper', 90)
    >>> print(bound)
    mistakes <= 97 (Kivinen-Warmuth, elimination)
    """

    value: float
    kind: Kind
    theorem: str
    assumptions: str
    source: str
    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    of: str = "mistakes"

    def at(self, **changes: Any) -> Bound:
        """Return the same theorem with other numbers."""
        return THEOREMS[self.name](**{**self.arguments, **changes})

    def needed(self, parameter: str, target: float) -> Needed | None:
        """Return the value of one parameter that meets a target, the others as they are; see `bounds.needed`.

        >>> from littlestone import bounds
        >>> print(bounds.perceptron_disjunction(k=3, X=20).needed("X", 1000))
        X <= 75 (mistakes <= 988, Kivinen-Warmuth, Perceptron)
        """
        from littlestone.bounds.inverse import needed

        others = {name: number for name, number in self.arguments.items() if name != parameter}
        return needed(self.name, parameter, target, **others)

    @property
    def claim(self) -> str:
        """What is bounded, from which side, by what."""
        return f"{self.of} {SIGNS[self.kind]} {self.value:g}"

    def __str__(self) -> str:
        return f"{self.claim} ({self.theorem})"


def theorem(
    statement: str, *, source: str, assumptions: str, kind: Kind = "upper", of: str = "mistakes"
) -> Callable[[Callable[P, float]], Callable[P, Bound]]:
    """Register a function of numbers as a theorem: it returns a Bound, and refuses numbers it does not know.

    Arguments annotated ``int`` must be whole and ``float`` finite; they reach the function as plain ints and floats.
    What leaves the floats is infinite.
    """

    def register(function: Callable[P, float]) -> Callable[P, Bound]:
        signature, owner = inspect.signature(function), function.__name__
        types = {name: _words(parameter.annotation) for name, parameter in signature.parameters.items()}

        def bound(*args: P.args, **kwargs: P.kwargs) -> Bound:
            try:
                given = signature.bind(*args, **kwargs)
            except TypeError as error:
                known = ", ".join(signature.parameters)
                raise InvalidParameter(f"{owner}: {error}; it takes {known}") from None
            given.apply_defaults()
            for name, number in given.arguments.items():
                given.arguments[name] = checked(owner, name, types[name], number)
            errors = given.arguments.get("attribute_errors", 0)
            check(errors >= 0, owner, "attribute_errors >= 0", errors)
            value = plain(owner, kind, lambda: function(*given.args, **given.kwargs))
            return Bound(value, kind, statement, assumptions, source, owner, dict(given.arguments), of)

        bound.__name__, bound.__qualname__, bound.__doc__ = function.__name__, function.__qualname__, function.__doc__
        bound.__module__ = function.__module__
        bound.__signature__ = signature  # type: ignore[attr-defined]
        defaults = {name: p.default for name, p in signature.parameters.items() if p.default is not p.empty}
        required = tuple(name for name in types if name not in defaults)
        whole = frozenset(name for name, words in types.items() if words.startswith("int"))
        THEOREMS[owner] = bound
        STATEMENTS[owner] = Statement(
            owner, statement, kind, of, assumptions, source, required, defaults, whole
        )  # fmt: skip
        return bound

    return register


def _words(annotation: Any) -> str:
    return annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)


def check(condition: bool, function: str, expected: str, got: Any) -> None:
    """Refuse numbers outside a theorem's assumptions."""
    if not condition:
        raise InvalidParameter(f"{function}: expected {expected}, got {got}")
