"""Learners of a contest from words on the command line: names, parameters, and alternatives to choose among."""

from __future__ import annotations

import inspect
from itertools import product
from typing import TYPE_CHECKING, Any

import click

from littlestone.cli._regressors import PAPERS, PLAIN, filled_in, is_regressor, regressor_of, usual_regressors
from littlestone.cli._remedies import typed
from littlestone.core.spelling import hyphened, split_names, split_settings

if TYPE_CHECKING:
    from littlestone.learners import Learner
    from littlestone.streams import Stream

__all__ = ["players", "usual"]

TUNED, RANDOMIZED = "tuned-", "randomized-"

Players = dict[str, "list[Learner]"]


def usual(source: Stream, *, computed: bool) -> str:
    """Return the learners that play by default: of a file the practical ones, of a ``computed`` stream the theory's.

    If the file has more than two classes, it is those that can take them.
    """
    from littlestone.learners.purposes import MANY_CLASSES, PRACTICAL, THEORY

    if source.labels == ():
        return usual_regressors(computed=computed)
    first = next(source.blocks(), None) if source.again else None
    many = first is not None and first.labels is not None and len(first.labels) > 2
    return ",".join(MANY_CLASSES if many else THEORY if computed else PRACTICAL)


def players(
    names: str, source: Stream, k: int | None, errors: int, seed: int, *, computed: bool
) -> tuple[Players, dict[str, str]]:
    """Return the learners by their names, and the names of those that cannot play this stream with the reason.

    In a ``computed`` stream n and k are known, and a learner that cannot be made for them is a wrong call.
    """
    from littlestone.core.errors import LittlestoneError

    found: Players = {}
    unfit: dict[str, str] = {}
    for name in _listed(names, of_numbers=source.labels == ()):
        try:
            found[name] = _alternatives(name, source, k, errors, seed, computed)
        except _Unfit as error:
            unfit[name] = str(error)
        except LittlestoneError as error:
            told = typed(error)
            if not told.startswith(("learner:", f"{split_settings(name)[0]}:")):
                told = f"{name}: {told}; choose the learners with -l"
            raise click.BadParameter(told, param_hint="--learners") from error
    if not found and not unfit:
        raise click.BadParameter("expected at least one name", param_hint="--learners")
    return found, unfit


def _listed(names: str, *, of_numbers: bool) -> list[str]:
    """Return the names of a list, each once; practical, theory and all stand for several."""
    from littlestone.learners.purposes import LISTS

    known = {"practical": PLAIN, "theory": PAPERS, "all": (*PLAIN, *PAPERS)} if of_numbers else LISTS
    several = (known.get(word.lower(), (word,)) for word in split_names(names))
    return list(dict.fromkeys(name for some in several for name in some))


class _Unfit(Exception):
    """A learner that cannot be made for this stream."""


def _alternatives(name: str, source: Stream, k: int | None, errors: int, seed: int, computed: bool) -> list[Learner]:
    """Return a learner, or one for every choice of values where a parameter has several."""
    from littlestone.learners.named import learner_of

    plain, settings = split_settings(name)
    regressing = is_regressor(plain)
    if not settings and not regressing:
        return [_plain(name, source, k, errors, seed, computed)]
    if hyphened(plain).startswith((TUNED, RANDOMIZED)):
        raise click.BadParameter(
            f"expected parameters only for a name without prefix, got {name!r}", param_hint="--learners"
        )
    values: dict[str, list[str]] = {}
    for setting in settings:
        several = values.setdefault(setting.partition("=")[0], [])
        if setting in several:
            raise click.BadParameter(f"expected different values, got {setting} twice", param_hint="--learners")
        several.append(setting)
    if regressing:
        texts = [f"{plain}:{','.join(chosen)}" if chosen else plain for chosen in product(*values.values())]
        return [filled_in(regressor_of(text), source) for text in texts]
    made_all = [learner_of(plain, *chosen) for chosen in product(*values.values())]
    return [one.begin(source.n_attributes or 1) for one in made_all] if computed else made_all


def _plain(name: str, source: Stream, k: int | None, errors: int, seed: int, computed: bool) -> Learner:
    """Return a learner with its defaults, or with the parameters that theory recommends for n and k."""
    from littlestone.core.errors import LittlestoneError
    from littlestone.learners import BayesBEG, by_name

    word = hyphened(name)
    tuned, plain = word.startswith(TUNED), word.removeprefix(TUNED)
    coins: dict[str, Any] = {"randomized": True, "seed": seed} if plain.startswith(RANDOMIZED) else {}
    kind = by_name(plain.removeprefix(RANDOMIZED) if tuned or coins else name)
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
