"""The register: every learner by the name that goes on a command line, imported when it is asked for.

A learner of ours is registered by its file in this room: ``p_norm.py`` has the class `PNorm`, "p-norm" on a command
line. It gets there if it is a `Learner` of which every parameter has a default; a base that cannot be made is none.

Another package registers its learners by entry points, in its ``pyproject.toml``, under the same kind of name::

    [project.entry-points."littlestone.learners"]
    lazy-perceptron = "lazy.learners:LazyPerceptron"

They have names on the command line and classifiers in `littlestone.sklearn` and `littlestone.river`, as ours have.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from littlestone.core.errors import InvalidParameter
from littlestone.core.messages import Remedy, did_you_mean, shown
from littlestone.core.spelling import hyphened, meant, squeezed
from littlestone.learners.base import Learner

if TYPE_CHECKING:
    from importlib import metadata

__all__ = [
    "COMPOSITES",
    "GROUP",
    "LEARNERS",
    "by_name",
    "can_be_named",
    "command_name",
    "known_learner",
    "our_learner",
    "ours",
    "registered_name",
]

GROUP = "littlestone.learners"  # of entry points
HERE = "learners"  # this room; regressors have a folder of their own, and the same rules


def command_name(learner: type[Learner]) -> str:
    """Return the name that goes on a command line: lower case, hyphened.

    >>> from littlestone.learners import PNorm, ThresholdedBEG
    >>> command_name(PNorm), command_name(ThresholdedBEG)
    ('p-norm', 'thresholded-beg')
    """
    return hyphened(learner.__name__)


# Ours, by their files


@cache
def _files(room: str = HERE) -> tuple[str, ...]:
    return tuple(module.name for module in iter_modules([str(Path(__file__).parents[1] / room)]))


@cache
def _in_file(name: str, room: str = HERE) -> type[Learner] | None:
    """Return the learner that a file of a room is called after; None: there is none."""
    file = name.replace("-", "_")
    if file not in _files(room):
        return None
    module = import_module(f"littlestone.{room.replace('/', '.')}.{file}")
    there = (thing for thing in vars(module).values() if isinstance(thing, type) and issubclass(thing, Learner))
    own = (thing for thing in there if thing.__module__ == module.__name__ and not inspect.isabstract(thing))
    return next((learner for learner in own if command_name(learner) == name), None)


def our_learner(class_name: str, room: str = HERE) -> type[Learner] | None:
    """Return the learner of this package that has this class name; None: there is none.

    >>> our_learner("Winnow").__name__, our_learner("Winow")
    ('Winnow', None)
    """
    found = _in_file(hyphened(class_name), room)
    return found if found is not None and found.__name__ == class_name else None


@cache
def ours(room: str = HERE) -> Mapping[str, type[Learner]]:
    """Return all learners of a room by the names of their classes; this imports every one of them."""
    found = (_in_file(file.replace("_", "-"), room) for file in _files(room))
    return {learner.__name__: learner for learner in found if learner is not None}


def can_be_named(learner: type[Learner]) -> bool:
    """Tell whether a learner can be made by its name alone: every parameter has a default."""
    return all(one.default is not inspect.Parameter.empty for one in learner.parameters().values())


# Those of other packages, by entry points


@cache
def _theirs() -> Mapping[str, metadata.EntryPoint]:
    """Return the entry points of other packages by name; names of ours are refused."""
    from importlib import metadata  # only where a name is not ours: it takes longer than learning from a small file

    found: dict[str, metadata.EntryPoint] = {}
    for point in metadata.entry_points(group=GROUP):
        taken = "which is the name of littlestone's own" if _in_file(point.name) else None
        if point.name in found and found[point.name].value != point.value:
            taken = f"as {_package(found[point.name])} does"
        if taken:
            message = f"{_package(point)} registers {point.value} as the learner {point.name!r}, {taken}"
            warnings.warn(f"{message}; it is left out: it needs a name of its own", stacklevel=2)
        else:
            found[point.name] = point
    return found


def _package(point: metadata.EntryPoint) -> str:
    return f"the package {point.dist.name} {point.dist.version}" if point.dist else "a package"


def _from(point: metadata.EntryPoint) -> type[Learner]:
    """Return the learner of another package; an error names the package."""
    who = f"learner: {point.name!r} is registered by {_package(point)} as {point.value}, which"
    try:
        found = point.load()
    except Exception as error:  # whatever happens in the code of others, it is theirs
        raise InvalidParameter(f"{who} cannot be imported: {type(error).__name__}: {error}") from error
    if not (isinstance(found, type) and issubclass(found, Learner)) or inspect.isabstract(found):
        raise InvalidParameter(f"{who} is {found!r}; expected a class that is a littlestone.Learner")
    if command_name(found) != point.name:
        raise InvalidParameter(f"{who} must go by the name {command_name(found)!r}, as its class does")
    if not can_be_named(found):
        raise InvalidParameter(f"{who} cannot be made by its name alone; expected a default of every parameter")
    return found


# All


class _Register(Mapping[str, type[Learner]]):
    """Names and classes; a class is imported when its name is looked up."""

    def __init__(self, *, composite: bool) -> None:
        self._composite = composite

    def __getitem__(self, name: str) -> type[Learner]:
        found = _in_file(name) if isinstance(name, str) else None
        if found is not None and can_be_named(found) is not self._composite:
            return found
        if self._composite:
            raise KeyError(name)
        return _from(_theirs()[name])

    def __contains__(self, name: object) -> bool:
        if not isinstance(name, str):
            return False
        found = _in_file(name)
        if found is not None:
            return can_be_named(found) is not self._composite
        return not self._composite and name in _theirs()

    def __iter__(self) -> Iterator[str]:
        yield from (command_name(one) for one in ours().values() if can_be_named(one) is not self._composite)
        yield from () if self._composite else _theirs()

    def __len__(self) -> int:
        return sum(1 for _ in self)


LEARNERS: Mapping[str, type[Learner]] = _Register(composite=False)
# Ours that are made of other learners: model files have them by name, but no command line can say what is in them
COMPOSITES: Mapping[str, type[Learner]] = _Register(composite=True)


def registered_name(name: str) -> str | None:
    """Return the name on a command line of which ``name`` is a spelling; None: there is no such learner.

    >>> registered_name("Balanced_Winnow"), registered_name("BALANCEDWINNOW"), registered_name("winow")
    ('balanced-winnow', 'balanced-winnow', None)
    """
    if name in LEARNERS:
        return name
    file = next((file for file in _files() if squeezed(file) == squeezed(name)), None)
    ours = None if file is None else file.replace("_", "-")
    return ours if ours in LEARNERS else meant(name, _theirs())


def by_name(name: str) -> type[Learner]:
    """Return the learner of this name, in any case, with hyphens, with underscores, or as its class is called.

    >>> by_name("balanced-winnow").__name__, by_name("Balanced_Winnow").__name__
    ('BalancedWinnow', 'BalancedWinnow')
    """
    found = registered_name(name) if isinstance(name, str) else None
    if found is not None:
        return LEARNERS[found]
    if isinstance(name, str) and (made_of := meant(name, COMPOSITES)) is not None:
        remedy = f"make it in Python: {COMPOSITES[made_of].__name__}(...)"
        raise InvalidParameter(f"learner: {made_of} is made of other learners, which no name can say; {remedy}")
    listed = Remedy("ls.learners.LEARNERS has them all", typed="littlestone learners lists them")
    close = did_you_mean(hyphened(name), LEARNERS) if isinstance(name, str) else ""
    raise InvalidParameter(f"learner: expected the name of a learner, got {shown(name)}", close or listed)


def known_learner(class_name: str) -> type[Learner] | None:
    """Return the learner that has this class name, ours or of another package; None: there is none.

    >>> known_learner("BayesBEG").__name__
    'BayesBEG'
    """
    found = LEARNERS.get(hyphened(class_name))
    return found if found is not None and found.__name__ == class_name else None
