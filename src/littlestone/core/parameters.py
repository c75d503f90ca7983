"""Parameters, declared once: the default, the range and the meaning, in the class whose parameter it is.

    alpha: Number = number(default=2.0, above=1, says="The promotion factor.")

From that follow the check and its message, the signature, the docstring's list of parameters, the command line's
help and the stubs. Whether None may be given, the annotation says. A parameter without a default must be given.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, partial
from inspect import Parameter, Signature
from math import inf, isfinite
from operator import attrgetter
from textwrap import fill
from typing import Any, ClassVar, Self, dataclass_transform

import numpy as np

from littlestone.core.errors import InvalidParameter
from littlestone.core.messages import did_you_mean

__all__ = [
    "Declared",
    "Declaring",
    "anything",
    "check_flag",
    "check_number",
    "check_numbers",
    "check_whole",
    "choice",
    "documented",
    "flag",
    "number",
    "promised",
    "seed_parameter",
    "unknown_parameter",
    "whole",
]

HUGE = 1 << 60  # a limit beyond this one is not mentioned
EMPTY: Any = Parameter.empty
Check = Callable[[str, str, Any], Any]  # of owner, name and value: what is kept of the value, or a refusal


@dataclass(frozen=True)
class Declared:
    """A parameter: what it is by default, what it may be (``takes``), and what it means (``says``)."""

    default: Any
    takes: str
    says: str
    check: Check | None = None
    keyword: bool = True
    name: str = ""
    type: str = ""

    def of(self, name: str, annotation: Any) -> Declared:
        """Return it with its name, and with what its annotation says of it."""
        shown = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
        takes = self.takes if "Number" in shown else re.sub(r"^number\b", "float", self.takes)
        if takes and "None" in shown and "None" not in takes:
            takes += ", or None"
        return replace(self, name=name, type=shown, takes=takes)

    def taken(self, owner: str, value: Any) -> Any:
        """Return what is kept of a value; refuse one that is out of the range."""
        if self.check is None or (value is None and "None" in self.type):
            return value
        return self.check(owner, self.name, value)


# Checks of values, one sentence each: whose parameter, which, what was expected, what came


def check_number(
    owner: str, name: str, value: Any, *, above: float = -inf, below: float = inf, ends: str = "()"
) -> Any:
    """Return a finite number between ``above`` and ``below``, refuse all else; ``ends``: which count, as in "[)"."""
    number = isinstance(value, int | float | Fraction | np.integer | np.floating) and not isinstance(value, bool)
    if number and value and value not in (inf, -inf) and (_size(value) < 1e-100 or _size(value) > 1e100):
        raise InvalidParameter(f"{owner}: {name} must be 0 or of a size from 1e-100 to 1e100, got {repr(value)[:40]}")
    low = number and (above <= value if ends[0] == "[" else above < value)
    if low and isfinite(_size(value)) and (value <= below if ends[1] == "]" else value < below):
        return value
    expected = "a finite number" if (above, below) == (-inf, inf) else f"a {_range(above, below, ends)}"
    raise InvalidParameter(f"{owner}: {name} must be {expected}, got {value!r}")


def _range(above: float, below: float, ends: str) -> str:
    if below != inf:
        return f"number in {ends[0]}{above:g}, {below:g}{ends[1]}"
    return f"number {'>=' if ends[0] == '[' else '>'} {above:g}" if above != -inf else "number"


def check_numbers(owner: str, name: str, values: Any) -> None:
    """Refuse a list or an array of which one entry is not a finite number; a long one of floats is seen at once."""
    floats = values.dtype.kind == "f" if isinstance(values, np.ndarray) else {*map(type, values)} == {float}
    if floats:
        sizes = np.abs(np.asarray(values, dtype=np.float64))
        odd = np.flatnonzero(~((sizes == 0.0) | ((sizes >= 1e-100) & (sizes <= 1e100))))
        values = [values[at] for at in odd[:1].tolist()]
    for value in values:
        check_number(owner, name, value)


def _size(value: Any) -> float:
    try:
        return abs(float(value))
    except OverflowError:
        return inf


def check_whole(owner: str, name: str, value: Any, *, least: int = 1, most: float = inf) -> int:
    """Refuse what is not a whole number from ``least`` to ``most``."""
    if isinstance(value, int | np.integer) and not isinstance(value, bool) and least <= value <= most:
        return int(value)
    upper = "" if most == inf else f" and <= {most:g}"
    raise InvalidParameter(f"{owner}: {name} must be a whole number >= {least}{upper}, got {value!r}")


def promised(owner: str, k: int | None, n: float = inf, attribute_errors: int = 0) -> dict[str, float]:
    """Return what is known of the target, for a constructor from theory; without k where that is None."""
    errors: dict[str, float] = {"attribute_errors": attribute_errors}
    return errors if k is None else {"k": check_whole(owner, "k", k, most=n), **errors}


def check_flag(owner: str, name: str, value: Any) -> Any:
    """Return True or False, as given; refuse all else."""
    if not isinstance(value, bool | np.bool_):
        raise InvalidParameter(f"{owner}: {name} must be True or False, got {value!r}")
    return value


def unknown_parameter(owner: str, name: str, known: list[str]) -> InvalidParameter:
    """Return the error about a parameter that nobody knows, with those it may have been meant for."""
    takes = f"it takes {', '.join(known)}" if known else "it takes none"
    remedy = did_you_mean(name, known)
    return InvalidParameter(f"{owner}: no parameter {name!r}; {f'{remedy} ' if remedy else ''}{takes}")


# How a parameter is declared. A default is always given by its name, which type checkers look for.


def number(*, says: str, default: Any = EMPTY, above: float = -inf, below: float = inf, ends: str = "()") -> Any:
    """Declare a number between ``above`` and ``below``; ``ends``: which of them count, as in "[)"."""
    check = partial(check_number, above=above, below=below, ends=ends)
    return Declared(default, _range(above, below, ends), says, check)


def whole(*, says: str, default: Any = EMPTY, least: int = 1, most: float = inf) -> Any:
    """Declare a whole number from ``least`` to ``most``."""
    takes = f"int >= {least}" if most > HUGE else f"int from {least} to {most:,}"
    check = partial(check_whole, least=least, most=most)
    return Declared(default, f"{least} or {most}" if most == least + 1 else takes, says, check)


def seed_parameter(
    *, says: str = "Of the coins: the one of a trial depends on nothing but the seed and the trial's number."
) -> Any:
    """Declare the seed of what is drawn at random."""
    return whole(default=0, least=0, most=2**62, says=says)


def flag(*, says: str, default: Any = EMPTY) -> Any:
    """Declare what is True or False."""
    return Declared(default, "bool", says, check_flag)


def choice(*, says: str, among: Iterable[str | None], default: Any = EMPTY, listed: bool = False) -> Any:
    """Declare one of several words; ``listed``: the message names them as in a list, without quotation marks."""
    known = tuple(among)
    words = [repr(word) for word in known]
    either = f"{', '.join(words[:-1])} or {words[-1]}"
    expected = f"one of {', '.join(map(str, known))}" if listed else either

    def check(owner: str, name: str, value: Any) -> Any:
        if value not in known:
            raise InvalidParameter(f"{owner}: {name} must be {expected}, got {value!r}")
        return value

    return Declared(default, either.replace("'", '"'), says, check)


def anything(*, says: str, takes: str, default: Any = EMPTY, check: Check | None = None, kw_only: bool = True) -> Any:
    """Declare a parameter with a check of its own, which is given owner, name and value, and returns what is kept."""
    return Declared(default, takes, says, check, keyword=kw_only)


# What follows from it


class _Signature:
    """The signature of a class whose parameters are declared; None: that of its ``__init__``."""

    def __get__(self, instance: object, cls: type[Declaring]) -> Signature | None:
        return _signature(cls.declared) if cls.__init__ is Declaring.__init__ else None


@dataclass_transform(kw_only_default=True, field_specifiers=(number, whole, flag, choice, anything))
class Declaring:
    """What has declared parameters, and keeps them under their names.

    A class may have an ``__init__`` of its own; then its signature says what its parameters are.
    """

    declared: ClassVar[Mapping[str, Declared]] = {}  # by name: those of a class, then those that it inherits
    readable: ClassVar[frozenset[str]] = frozenset()  # those of them that can be read only, as in its base class
    __signature__: ClassVar[Any] = _Signature()

    def __new__(cls, *_: Any, **params: Any) -> Self:
        """Refuse parameters that nobody knows, with the remedy, before Python does."""
        known = cls.parameters()
        for name in params:
            if name not in known:
                raise unknown_parameter(cls.__name__, name, [*known])
        return super().__new__(cls)

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        cls.declared = _collected(cls, cls.declared)
        cls.readable = frozenset(name for name in cls.declared if isinstance(getattr(cls, name, None), property))
        if cls.__doc__ and cls.__init__ is Declaring.__init__:
            cls.__doc__ = documented(cls.__doc__, cls.declared)

    def __init__(self, *args: Any, **params: Any) -> None:
        self._prepare()
        for name, value in _kept(type(self).__name__, self.declared, args, params).items():
            # One by one: asked for its __dict__, an object would have slower attributes for good.
            setattr(self, name if name not in self.readable else f"_{name}", value)
        self._check()

    def _prepare(self) -> None:
        """Make what there is besides parameters."""

    def _check(self) -> None:
        """Refuse parameters that do not go together; each of them has been checked."""

    @classmethod
    def parameters(cls) -> Mapping[str, Declared]:
        """Return the parameters by name: each has a ``default``, ``takes`` values and ``says`` what it means.

        >>> from littlestone.learners import Winnow
        >>> alpha = Winnow.parameters()["alpha"]
        >>> alpha.default, alpha.takes, alpha.says
        (2.0, 'number > 1', 'The promotion factor.')
        """
        return cls.declared if cls.__init__ is Declaring.__init__ else _from_signature(cls.__init__, cls.__doc__ or "")

    @classmethod
    def parameter_names(cls) -> list[str]:
        """Return the names of the parameters, those that it shares with its family last."""
        return [*cls.parameters()]

    def params(self) -> dict[str, Any]:
        """Return the parameters, as they were given."""
        return {name: getattr(self, name) for name in self.parameters()}


def _collected(cls: type, inherited: Mapping[str, Declared]) -> dict[str, Declared]:
    """Return the parameters that a class declares, and then those it inherits; the defaults are left in the class."""
    annotations = inspect.get_annotations(cls)
    own = {name: one.of(name, annotations[name]) for name, one in vars(cls).items() if isinstance(one, Declared)}
    for name, one in own.items():
        if any(isinstance(vars(base).get(name), property) for base in cls.__mro__[1:]):  # there it can only be read
            setattr(cls, name, _read_only(one))
        elif one.default is EMPTY:
            delattr(cls, name)
        else:
            setattr(cls, name, one.default)
    return {**{name: own[name] for name in own if name not in inherited}, **inherited, **own}


def _read_only(one: Declared) -> property:
    return property(attrgetter(f"_{one.name}"), doc=one.says)


def _kept(
    owner: str, declared: Mapping[str, Declared], args: tuple[Any, ...], params: dict[str, Any]
) -> dict[str, Any]:
    if args:
        places = [name for name, one in declared.items() if not one.keyword]
        if len(args) > len(places):
            raise TypeError(f"{owner}: expected at most {len(places)} parameters without a name, got {len(args)}")
        for name in params.keys() & places[: len(args)]:
            raise TypeError(f"{owner}: {name} is given twice, without its name and with it")
        params = {**dict(zip(places, args, strict=False)), **params}
    values = {name: one.default for name, one in declared.items()}
    for name, value in params.items():
        if name not in declared:
            raise unknown_parameter(owner, name, [*declared])
        values[name] = declared[name].taken(owner, value)
    for name, value in values.items():
        if value is EMPTY:
            raise InvalidParameter(f"{owner}: {name} must be given: {declared[name].takes}")
    return values


def _signature(declared: Mapping[str, Declared]) -> Signature:
    kinds = {True: Parameter.KEYWORD_ONLY, False: Parameter.POSITIONAL_OR_KEYWORD}
    found = sorted(declared.values(), key=lambda one: one.keyword)
    return Signature(
        [Parameter(one.name, kinds[one.keyword], default=one.default, annotation=one.type) for one in found]
    )


@cache
def _from_signature(function: Callable[..., Any], doc: str) -> dict[str, Declared]:
    """Return the parameters of a function that declares none, as far as its signature and a docstring tell."""
    _, *found = inspect.signature(function).parameters.values()
    described = {}
    for one in found:
        if one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL):
            entry = re.search(rf"^ *{one.name} : (.*)\n((?:^ +.*\n)*)", inspect.cleandoc(doc) + "\n", re.MULTILINE)
            takes, says = (entry[1], " ".join(entry[2].split())) if entry else ("", "")
            kind = "" if one.annotation is EMPTY else one.annotation
            described[one.name] = Declared(one.default, takes, says).of(one.name, kind)
    return described


def documented(doc: str, declared: Mapping[str, Declared]) -> str:
    """Return a docstring with a list of the parameters, before the first section that it has.

    >>> eta = number(default=1.0, above=0, says="The step.").of("eta", "float")
    >>> documented("It learns.", {"eta": eta}).splitlines()[2:]
    ['Parameters', '----------', 'eta : float > 0, default 1.0', '    The step.']
    """
    doc = inspect.cleandoc(doc)
    if not declared or re.search(r"^Parameters\n-+$", doc, re.MULTILINE):
        return doc
    lines = ["Parameters", "----------"]
    for name, one in declared.items():
        lines.append(f"{name} : {one.takes}" + ("" if one.default is EMPTY else f", default {one.default!r}"))
        lines.append(fill(one.says, 112, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False))
    found = re.search(r"^\w+\n---+$", doc, re.MULTILINE)
    head, rest = (doc, "") if found is None else (doc[: found.start()], "\n" + doc[found.start() :])
    return f"{head.rstrip()}\n\n" + "\n".join(lines) + f"\n{rest}"
