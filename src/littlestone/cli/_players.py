"""Learners of a contest from words on the command line: names, parameters, and alternatives to choose among."""

from __future__ import annotations

import inspect
import re
from itertools import product
from typing import TYPE_CHECKING, Any

import click

from littlestone.cli._remedies import typed
from littlestone.cli._settings import made

if TYPE_CHECKING:
    from littlestone.learners import Learner
    from littlestone.streams import Stream

__all__ = ["TUNED", "players", "usual"]

USUAL = (
    "perceptron,p-norm,balanced-winnow,winnow,tuned-winnow,tuned-normalized-winnow,thresholded-beg,"
    "tuned-thresholded-beg,bayes-beg,tuned-bayes-beg,elimination"
)
MANY = "winner-takes-all,winner-takes-all:learner=perceptron,multiclass-perceptron,multiclass-perceptron:averaged=true"
TUNED, RANDOMIZED = "tuned-", "randomized-"

Players = dict[str, "list[Learner]"]


def usual(source: Stream) -> str:
    """Return the learners that play by default; if the file has more than two classes, those that can take them."""
    first = next(source.blocks(), None) if source.again else None
    return MANY if first is not None and first.labels is not None and len(first.labels) > 2 else USUAL


def players(
    names: str, source: Stream, k: int | None, errors: int, seed: int, *, computed: bool
) -> tuple[Players, dict[str, str]]:
    """Return the learners by their names, and the names of those that cannot play this stream with the reason.

    In a ``computed`` stream n and k are known, and a learner that cannot be made for them is a wrong call.
    """
    from littlestone.core.errors import LittlestoneError

    found: Players = {}
    unfit: dict[str, str] = {}
    for name in filter(None, (word.strip() for word in names.split(","))):
        try:
            found[name] = _alternatives(name, source, k, errors, seed, computed)
        except _Unfit as error:
            unfit[name] = str(error)
        except LittlestoneError as error:
            raise click.BadParameter(
                f"{name}: {typed(error)}; choose the learners with -l", param_hint="--learners"
            ) from error
    if not found and not unfit:
        raise click.BadParameter("expected at least one name", param_hint="--learners")
    return found, unfit


class _Unfit(Exception):
    """A learner that cannot be made for this stream."""


def _alternatives(name: str, source: Stream, k: int | None, errors: int, seed: int, computed: bool) -> list[Learner]:
    """Return a learner, or one for every choice of values where a parameter has several."""
    from littlestone.learners import LEARNERS

    plain, *settings = re.split(r":(?=\w+=)", name)  # a kernel's name may have a colon of its own
    if not settings:
        return [_plain(name, source, k, errors, seed, computed)]
    if plain.startswith((TUNED, RANDOMIZED)):
        raise click.BadParameter(
            f"expected parameters only for a name without prefix, got {name!r}", param_hint="--learners"
        )
    values: dict[str, list[str]] = {}
    for setting in settings:
        several = values.setdefault(setting.partition("=")[0], [])
        if setting in several:
            raise click.BadParameter(f"expected different values, got {setting} twice", param_hint="--learners")
        several.append(setting)
    made_all: list[Learner] = [made("learner", plain, LEARNERS, chosen) for chosen in product(*values.values())]
    return [one.begin(source.n_attributes or 1) for one in made_all] if computed else made_all


def _plain(name: str, source: Stream, k: int | None, errors: int, seed: int, computed: bool) -> Learner:
    """Return a learner with its defaults, or with the parameters that theory recommends for n and k."""
    from littlestone.core.errors import LittlestoneError
    from littlestone.learners import BayesBEG, by_name

    tuned, plain = name.startswith(TUNED), name.removeprefix(TUNED)
    coins: dict[str, Any] = {"randomized": True, "seed": seed} if plain.startswith(RANDOMIZED) else {}
    kind = by_name(plain.removeprefix(RANDOMIZED))
    if coins and "randomized" not in kind.parameter_names():
        raise click.BadParameter(f"there are no randomised predictions for {name!r}", param_hint="--learners")
    if not tuned:
        return kind(**coins).begin(source.n_attributes or 1) if computed else kind(**coins)
    tuner: Any = kind.theorem3 if issubclass(kind, BayesBEG) else getattr(kind, "for_disjunctions", None)
    if tuner is None:
        raise click.BadParameter(f"theory recommends no parameters for {name!r}", param_hint="--learners")
    if "attribute_errors" in inspect.signature(tuner).parameters:
        coins["attribute_errors"] = errors
    n = source.n_attributes
    if n is None:
        raise _Unfit("the number of attributes of a pipe is not known beforehand; give --attributes N")
    relevant = min(getattr(getattr(source, "stream", source), "k", 1) if k is None else k, n)
    try:
        learner: Learner = tuner(n=n, k=relevant, **coins)
    except LittlestoneError as error:
        if computed:
            raise
        raise _Unfit(typed(error)) from error
    return learner
