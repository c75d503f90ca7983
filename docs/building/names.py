"""Every public name of the package, once, with the place of its page."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

import littlestone

__all__ = ["GROUPS", "MORE", "Group", "Name", "modules", "names", "page_of"]

# Public modules that are not reached as littlestone.<name>
MORE = ("littlestone.games.certificates", "littlestone.sklearn", "littlestone.river")


@dataclass(frozen=True)
class Group:
    """Names that are for the same, and the rooms where they are at home."""

    key: str
    title: str
    says: str
    rooms: tuple[str, ...]


GROUPS = (
    Group("learners", "Learners", "All algorithms, by what they are for.", ("learners", "machines")),
    Group(
        "regressors",
        "Regressors",
        "Learners that predict numbers, and the losses.",
        ("learners.regressors", "parts.losses"),
    ),
    Group("models", "Models", "From raw data to decisions: train, save, explain, prune, freeze.", ("models",)),
    Group("live", "Live streams", "A model that follows a file that grows, a pipe or a queue.", ("models.following",)),
    Group("streams", "Streams and data", "Where examples come from, and what they are.", ("streams", "core")),
    Group("games", "Games and evaluation", "A learner plays, and what its predictions are worth.", ("games",)),
    Group("certificates", "Certificates", "The proof that a bound holds for one run.", ("games.certificates",)),
    Group("teachers", "Teachers", "Who chooses the examples: at random, or against the learner.", ("teachers",)),
    Group("bounds", "Bounds", "Every theorem is a function of numbers.", ("bounds",)),
    Group("theory", "Questions about games", "Contests, worst cases, hindsight, drift, reductions.", ("theory",)),
    Group("parts", "Links, rules and kernels", "What algorithms are made of; a rule of your own.", ("parts",)),
    Group("report", "Reports", "A contest, a run or an evaluation as a page.", ("report",)),
    Group("service", "Service", "Models that others use over HTTP.", ("service",)),
    Group("papers", "Results of papers", "What is checked by `littlestone reproduce`.", ("papers",)),
    Group("sklearn", "scikit-learn", "Every learner as a classifier or a regressor of scikit-learn.", ("sklearn",)),
    Group("river", "river", "Every learner as a classifier or a regressor of river.", ("river",)),
    Group("errors", "Errors", "What is raised, and when.", ("core.errors",)),
)


@dataclass(frozen=True)
class Name:
    """A public name: as users write it, what it stands for, and which group it is in."""

    full: str
    thing: Any
    group: Group

    @property
    def short(self) -> str:
        """The name without the package: `Winnow`, `bounds.winnow_disjunction`."""
        return self.full.removeprefix("littlestone.")

    @property
    def last(self) -> str:
        """The name without its module."""
        return self.full.rpartition(".")[2]

    @property
    def kind(self) -> str:
        """What Sphinx calls such a thing."""
        if inspect.isclass(self.thing):
            return "exception" if issubclass(self.thing, BaseException) else "class"
        return "function" if inspect.isroutine(self.thing) else "data"


@cache
def modules() -> dict[str, ModuleType]:
    """Return the public modules, littlestone itself first, by the name under which they are reached."""
    found = {"littlestone": littlestone}
    for name in dir(littlestone):
        if inspect.ismodule(thing := getattr(littlestone, name)):
            found[f"littlestone.{name}"] = thing
    return found | {name: import_module(name) for name in MORE}


def _group(place: str) -> Group:
    """Return the group that is at home in the closest room around a module."""
    inner = place.removeprefix("littlestone.")
    around = [(len(room), group) for group in GROUPS for room in group.rooms if f"{inner}.".startswith(f"{room}.")]
    return max(around, key=lambda one: one[0])[1]


@cache
def names() -> tuple[Name, ...]:
    """Return all public names but those of modules; what has several is here under the first."""
    found: dict[int | str, Name] = {}
    for shown, module in modules().items():
        for name in module.__all__:
            thing, full = getattr(module, name), f"{shown}.{name}"
            if not inspect.ismodule(thing):
                called = inspect.isclass(thing) or inspect.isroutine(thing)
                home = thing.__module__ if called and shown == "littlestone" else module.__name__
                if home == "littlestone":
                    home = "littlestone.core"
                found.setdefault(id(thing) if called else full, Name(full, thing, _group(home)))
    return tuple(found.values())


@cache
def _pages() -> dict[str, str]:
    pages: dict[str, str] = {}
    taken: set[str] = {group.key for group in GROUPS} | {"index"}
    for name in sorted(names(), key=lambda one: one.short):  # classes first: some file systems know no capitals
        page = name.short
        while page.lower() in taken:
            page += "-function"
        taken.add(page.lower())
        pages[name.full] = f"api/{page}"
    return pages


def page_of(name: Name) -> str:
    """Return the page of a name, as Sphinx names it: `api/Winnow`."""
    return _pages()[name.full]
