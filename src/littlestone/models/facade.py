"""What the facades share: classes made from learners, with their parameters as signature and their docstrings."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from inspect import Parameter, Signature
from typing import Any

from littlestone.core.errors import InvalidParameter
from littlestone.core.lazy import importer, in_order
from littlestone.core.messages import did_you_mean, install, shown
from littlestone.core.spelling import split_settings
from littlestone.learners.base import Learner
from littlestone.learners.named import learner_of, settings_of
from littlestone.learners.register import can_be_named, known_learner, ours
from littlestone.learners.regressors.base import Regressor
from littlestone.learners.regressors.register import by_name, our_regressor, our_regressors

__all__ = ["called", "described", "estimators", "initialiser", "missing", "of_labels", "of_name", "of_regressor_name"]

SETTINGS = {"NormalizedWinnow": "theta=0.5"}  # of examples: weights that sum to 1 are never below the usual theta, 0


def missing(module: str, package: str) -> ModuleNotFoundError:
    """Return the error, with the remedy, where the package that a facade is for is not there."""
    needs = f"littlestone.{module} needs {package}, which is not installed: {install(module)}"
    return ModuleNotFoundError(needs, name=module)


def called(learner: type[Learner]) -> str:
    """Return the name of a learner's estimator: `WinnowClassifier` of `Winnow`, `GradientDescentRegressor`.

    A regressor that is called a regression or a regressor already loses that word first.

    >>> from littlestone.learners.regressors import REGRESSORS
    >>> called(REGRESSORS["gradient-descent"]), called(REGRESSORS["p-norm-regression"])
    ('GradientDescentRegressor', 'PNormRegressor')
    """
    if not issubclass(learner, Regressor):
        return f"{learner.__name__}Classifier"
    return f"{learner.__name__.removesuffix('Regression').removesuffix('Regressor')}Regressor"


def estimators(
    package: str, classifier: Callable[[type[Learner]], Any], regressor: Callable[[type[Regressor]], Any],
    own: Iterable[str],
) -> Callable[[str], Any]:  # fmt: skip
    """Return the ``__getattr__`` of a facade: `WinnowClassifier` is made of `Winnow` when it is asked for.

    ``own`` are names that are there anyway; with those of our learners they are its ``__all__``.
    """

    def found(name: str) -> Any:
        if name == "__all__":
            everybody = (*ours().values(), *our_regressors().values())
            return in_order([*own, *(called(learner) for learner in everybody if can_be_named(learner))])
        if name.endswith("Classifier"):
            learner = known_learner(name.removesuffix("Classifier"))
            return None if learner is None else classifier(learner)
        if name.endswith("Regressor"):
            stem = name.removesuffix("Regressor")
            named = (our_regressor(f"{stem}{word}") for word in ("", "Regression", "Regressor"))
            kind = next((one for one in named if one is not None and called(one) == name and can_be_named(one)), None)
            return None if kind is None else regressor(kind)
        return None

    return importer(package, {}, otherwise=found)


def of_name(package: str, given: Any) -> Any:
    """Return the classifier of a facade for the name of a learner with its parameters; refuse what is none.

    >>> of_name("littlestone.sklearn", "winnow:alpha=1.5")
    WinnowClassifier(alpha=1.5)
    """
    if not isinstance(given, str):
        raise InvalidParameter(
            f"classifier: expected a learner, its class, or its name, such as 'winnow:alpha=1.5', got {shown(given)}"
        )
    kind = type(learner_of(given, where="classifier: "))  # which refuses what it does not take
    made = getattr(import_module(package), called(kind))
    return made(**settings_of(kind, split_settings(given.strip())[1]))


def of_regressor_name(package: str, given: Any) -> Any:
    """Return the regressor of a facade for the name of one of ours with its parameters; refuse what is none.

    >>> of_regressor_name("littlestone.sklearn", "p-norm-regression:p=3")
    PNormRegressor(p=3)
    """
    if not isinstance(given, str):
        raise InvalidParameter(
            "regressor: expected a regressor, its class, or its name, such as 'gradient-descent:eta=0.1', got "
            f"{shown(given)}"
        )
    name, settings = split_settings(given.strip())
    kind = by_name(name)
    params = settings_of(kind, settings)
    kind(**params)  # which refuses what it does not take
    return getattr(import_module(package), called(kind))(**params)


def of_labels(owner: str, learner: Learner, *, many: bool) -> Learner:
    """Return a classifier's learner; refuse one of many classes in a classifier of two."""
    if learner.many_classes and not many:
        raise InvalidParameter(
            f"{owner}: expected a learner of two labels, got {learner!r} of many classes; give it whole: "
            f"classifier({learner!r})"
        )
    return learner


def initialiser(learner: type[Learner], more: Mapping[str, Any], after: Callable[[Any], None] | None = None) -> Any:
    """Return an ``__init__`` with ``more`` parameters and then the learner's own, under their names.

    It stores every parameter unchanged, since cloning and parameter search rely on that, and then
    calls ``after``, if there is such a function. The signature is the true one: ``inspect.signature`` shows each
    parameter and its default.

    >>> from littlestone.learners import Perceptron
    >>> class Facade:
    ...     __init__ = initialiser(Perceptron, {"n": None})
    >>> list(inspect.signature(Facade).parameters)[:4], Facade(eta=0.5).eta
    (['n', 'eta', 'theta', 'bias'], 0.5)
    """
    defaults = {**more, **learner().params()}
    keyword = [Parameter(name, Parameter.KEYWORD_ONLY, default=value) for name, value in defaults.items()]
    signature = Signature([Parameter("self", Parameter.POSITIONAL_OR_KEYWORD), *keyword])

    def __init__(self: Any, **parameters: Any) -> None:  # noqa: N807
        for name in parameters:
            if name not in defaults:
                takes = f"it takes {', '.join(defaults)}"
                raise TypeError(
                    f"{type(self).__name__}: no parameter {name!r}; {did_you_mean(name, defaults) or takes}"
                )
        for name, default in defaults.items():
            setattr(self, name, parameters.get(name, default))
        if after is not None:
            after(self)

    __init__.__signature__ = signature  # type: ignore[attr-defined]
    return __init__


def described(learner: type[Learner], parameters: str, more: str, example: str, given: str = "") -> str:
    """Return a docstring: what the learner is, ``parameters`` of the facade and its own, ``more``, its reference.

    ``example`` is that of all learners of a host: {name} stands for the class, {made} for an object of it, which needs
    ``given``.

    >>> from littlestone.learners import Perceptron
    >>> print(described(Perceptron, "n : int", "More.", ">>> {made}")[:74])
    Add the examples it misses, subtract those it takes for positive.
    <BLANKLINE>
    Update
    """
    sections = re.split(r"\n(?=(?:Parameters|Bound|Example|Reference)\n-+\n)", inspect.getdoc(learner) or "")
    parts = {section.split("\n", 1)[0]: section.rstrip() for section in sections[1:]}
    own = parts.get("Parameters", "Parameters\n----------")
    head, line, rest = (*own.split("\n", 2), "")[:3]
    own = "\n".join(part for part in (head, line, parameters, rest) if part)
    # Under the headings that the hosts' tools know, which warn of others.
    bound = parts.get("Bound", "").replace("Bound\n-----", "Notes\n-----", 1)
    reference = parts.get("Reference", "").replace("Reference\n---------", "References\n----------", 1)
    name = called(learner)
    made = f"{name}({', '.join(filter(None, (given, SETTINGS.get(learner.__name__))))})"
    shown = f"Examples\n--------\n{example.format(name=name, made=made)}"
    return "\n\n".join(filter(None, (sections[0].rstrip(), own, more, bound, shown, reference)))
