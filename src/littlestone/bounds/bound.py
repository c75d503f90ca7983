"""What a theorem says of a number of mistakes or of a loss: Bound, and the register."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import isclose, isfinite
from typing import TYPE_CHECKING, Any, Literal, ParamSpec

from littlestone.bounds.symbols import BOUNDED, DESCRIBED_BY, RELATIONS, SYMBOLS, Target, assumption, spoken
from littlestone.core.display import Shown
from littlestone.core.errors import InvalidParameter
from littlestone.core.rational import checked, plain

if TYPE_CHECKING:
    from littlestone.bounds.inverse import Needed

__all__ = ["DISJUNCTION", "SPARSE", "STATEMENTS", "THEOREMS", "Bound", "OpenBound", "Statement", "check", "theorem"]

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


PROBES = (1, 2, 3, 4, 7)  # where a bound is looked at, to tell how it grows


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
