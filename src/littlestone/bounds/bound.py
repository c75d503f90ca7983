"""What a theorem says of a number of mistakes or of a loss: Bound, and the register."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, ParamSpec

from littlestone.bounds.symbols import BOUNDED, RELATIONS, SYMBOLS
from littlestone.bounds.targets import DESCRIBED_BY, Target, assumption
from littlestone.core.display import Shown
from littlestone.core.errors import InvalidParameter
from littlestone.core.rational import checked, plain

if TYPE_CHECKING:
    from littlestone.bounds.inverse import Needed

__all__ = ["DISJUNCTION", "SIGNS", "SPARSE", "STATEMENTS", "THEOREMS", "Bound", "Kind", "Statement", "check", "theorem"]

P = ParamSpec("P")
Kind = Literal["upper", "lower", "exact"]
SIGNS: dict[Kind, str] = {"upper": "<=", "lower": ">=", "exact": "="}
DISJUNCTION = "x in {0,1}^n; the labels are those of a monotone disjunction of k attributes, without noise"
# What theorems about additive learners on disjunctions say besides their names and sources
SPARSE: dict[str, Any] = {
    "assumptions": DISJUNCTION + "; at most X attributes on in a row; constant coordinate, zero start",
    "target": "disjunction",
    "derived": True,
    "not_negative": "k X",
}


@dataclass(frozen=True)
class Statement:
    """A theorem before its numbers are put in; ``required`` and ``optional`` are the names of its arguments.

    >>> from littlestone.bounds import STATEMENTS
    >>> found = STATEMENTS["winnow_disjunction"]
    >>> found.kind, found.of, found.required
    ('upper', 'mistakes', ('n', 'k'))
    """

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
    ranges: Mapping[str, str]
    """The arguments that must be "> 0" or ">= 0"."""
    formula: str
    """What bounds it, in LaTeX; of one that is an inequality itself the bound is the largest number that meets it."""
    where: tuple[str, ...]
    """What the formula's other symbols are, and the conditions without which it says nothing."""
    symbols: Mapping[str, tuple[str, str]]
    """For each argument its symbol in the formula, and what it is."""
    usual: Mapping[str, str]
    """What arguments are that are None, as formulas."""

    @property
    def implicit(self) -> bool:
        """Whether what is bounded is on both sides of the formula."""
        return r" \le " in self.formula.split(r"\lbrace")[0]

    @property
    def says(self) -> str:
        """The whole statement in LaTeX: what is bounded, from which side, by what."""
        return self.formula if self.implicit else f"{BOUNDED[self.of]} {RELATIONS[self.kind]} {self.formula}"


THEOREMS: dict[str, Callable[..., Bound]] = {}
STATEMENTS: dict[str, Statement] = {}


@dataclass(frozen=True)
class Bound(Shown):
    """A theorem about mistakes or losses, with its numbers put in.

    >>> from littlestone import bounds
    >>> bound = bounds.elimination(n=100, k=3)
    >>> bound.value, bound.kind, bound.at(k=10).value
    (97, 'upper', 90)
    >>> print(bound)
    mistakes <= 97 if a disjunction of k = 3 attributes gives the labels (Kivinen-Warmuth, elimination)
    """

    value: float
    kind: Kind
    theorem: str
    assumptions: str
    source: str
    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    of: str = "mistakes"
    target: Target | None = None

    def at(self, **changes: Any) -> Bound:
        """Return the same theorem with other numbers."""
        from littlestone import bounds

        found: Bound = getattr(bounds, self.name)(**{**self.arguments, **changes})
        return found

    def needed(self, parameter: str, target: float) -> Needed | None:
        """Return the value of one parameter that meets a target, the others as they are; see `bounds.needed`.

        >>> from littlestone import bounds
        >>> print(bounds.perceptron_disjunction(k=3, X=20).needed("X", 1000))
        X <= 75 (mistakes <= 988, Kivinen-Warmuth, Perceptron, derived)
        """
        from littlestone.bounds.inverse import needed

        others = {name: number for name, number in self.arguments.items() if name != parameter}
        return needed(self.name, parameter, target, **others)

    @property
    def claim(self) -> str:
        """What is bounded, from which side, by what."""
        return f"{self.of} {SIGNS[self.kind]} {self.value:g}"

    @property
    def described_by(self) -> str | None:
        """The number that describes its target, such as "k" or "loss", the first if there are several; None: none."""
        return next(iter(self.describing), None)

    @property
    def describing(self) -> tuple[str, ...]:
        """All numbers that describe its target.

        >>> from littlestone import bounds
        >>> bounds.gradient_descent(X=2.0, norm=3.0).describing
        ('loss', 'norm')
        """
        return () if self.target is None else DESCRIBED_BY.get(self.target, ("k",))

    @property
    def assumes(self) -> str:
        """What it assumes of the target, in short; all that it assumes is in ``assumptions``."""
        return self.assuming(**self.arguments)

    def assuming(self, **known: Any) -> str:
        """Return what it assumes of the target, with the numbers that are known."""
        if self.target is None:
            return self.assumptions
        return assumption(self.target, known)

    def __str__(self) -> str:
        assumed = "" if self.target is None else f" if {self.assumes}"
        return f"{self.claim}{assumed} ({self.theorem})"


def theorem(
    statement: str, *, formula: str, where: tuple[str, ...] = (), symbols: Mapping[str, tuple[str, str]] | None = None,
    usual: Mapping[str, str] | None = None, source: str, assumptions: str, kind: Kind = "upper", of: str = "mistakes",
    target: Target | None = None, derived: bool = False, positive: str = "", not_negative: str = "",
) -> Callable[[Callable[P, float]], Callable[P, Bound]]:  # fmt: skip
    """Register a function of numbers as a theorem: it returns a Bound, and refuses numbers it does not know.

    Arguments annotated ``int`` must be whole and ``float`` finite; they reach the function as plain ints and floats.
    Those named in ``positive`` must be > 0, those in ``not_negative`` >= 0. What leaves the floats is infinite.
    ``target`` says what kind of target the theorem is about, where it is about one. What the source proves with other
    constants, or only implies, is ``derived`` here, and its name says so.

    ``formula`` is what bounds, in LaTeX and the paper's symbols, ``where`` defines its other symbols, a line each, or
    says a condition without which the theorem says nothing. ``symbols`` has the symbols and meanings of arguments, if
    they are not those of `symbols.SYMBOLS`; ``usual`` what an argument is that is None. A test computes all of it.
    """
    statement = f"{statement}, derived" if derived else statement

    def register(function: Callable[P, float]) -> Callable[P, Bound]:
        signature, owner = inspect.signature(function), function.__name__
        counted = "attribute_errors " if "attribute_errors" in signature.parameters else ""
        ranges = dict.fromkeys(positive.split(), "> 0") | dict.fromkeys((counted + not_negative).split(), ">= 0")
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
            for name, ends in ranges.items():
                number = given.arguments[name]
                sound = number is None or (number > 0 if ends == "> 0" else number >= 0)
                check(sound, owner, f"{name} {ends}", f"{name}={number}")
            value = plain(owner, kind, lambda: function(*given.args, **given.kwargs))
            return Bound(value, kind, statement, assumptions, source, owner, dict(given.arguments), of, target)

        bound.__name__, bound.__qualname__, bound.__doc__ = function.__name__, function.__qualname__, function.__doc__
        bound.__module__ = function.__module__
        bound.__signature__ = signature  # type: ignore[attr-defined]
        defaults = {name: p.default for name, p in signature.parameters.items() if p.default is not p.empty}
        required = tuple(name for name in types if name not in defaults)
        whole = frozenset(name for name, words in types.items() if words.startswith("int"))
        THEOREMS[owner] = bound
        meant = {name: (symbols or {}).get(name) or SYMBOLS[name] for name in types}
        STATEMENTS[owner] = Statement(
            owner, statement, kind, of, assumptions, source, required, defaults, whole, ranges, formula, where, meant,
            usual or {},
        )  # fmt: skip
        return bound

    return register


def _words(annotation: Any) -> str:
    return annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)


def check(condition: bool, function: str, expected: str, got: Any) -> None:
    """Refuse numbers outside a theorem's assumptions."""
    if not condition:
        raise InvalidParameter(f"{function}: expected {expected}, got {got}")
