"""Which theorem is whose: the guarantees of learners, made with parameters that buy one, and what docstrings name."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

import littlestone as ls
from littlestone.bounds import THEOREMS, Bound, OpenBound
from littlestone.learners.register import ours
from littlestone.learners.regressors.register import our_regressors

__all__ = ["Guarantee", "guarantees", "named", "returned"]

N = 20  # attributes of what is made here
ROWS, LABELS = [[1] * N, [0] * N], [1, 0]
# Learners besides those made without parameters; one for each theorem that the learner may give
MADE = {
    "AutoRegressor": ["AutoRegressor(Y=1.0)"],
    "BEGRegression": ["BEGRegression(X=1.0)"],
    "BayesBEG": ["BayesBEG.theorem3(n=20)", "BayesBEG.theorem4(n=20)"],
    "Bounded": ["Bounded(ls.Winnow())"],
    "Calibrated": ["Calibrated(ls.Winnow())"],
    "EGPlusMinus": ["EGPlusMinus(X=1.0)"],
    "Experts": ["Experts([ls.Winnow(), ls.Perceptron()])", "Experts([ls.Winnow(), ls.Perceptron()], randomized=True)"],
    "ExponentiatedGradient": [
        "ExponentiatedGradient(X=1.0)", 'ExponentiatedGradient(X=1.0, loss_function="absolute")',
        'ExponentiatedGradient(X=1.0, loss_function="logistic")',
    ],
    "GradientDescent": [
        "GradientDescent(X=1.0)", 'GradientDescent(X=1.0, loss_function="absolute")',
        'GradientDescent(X=1.0, loss_function="logistic")',
    ],
    "Hedge": ["Hedge(experts=10, beta=0.9)", "Hedge(experts=10)"],
    "NormalizedWinnow": [
        "NormalizedWinnow.for_disjunctions(n=20, k=3)", "NormalizedWinnow.for_margin(n=20, gamma=0.5)",
    ],
    "PNormRegression": ["PNormRegression(X=1.0)"],
    "PassiveAggressive": ['PassiveAggressive(variant="PA")', 'PassiveAggressive(variant="PA-II")'],
    "Restarting": ["Restarting(ls.Winnow())"],
    "SecondOrderPerceptron": ['SecondOrderPerceptron(covariance="full")'],
    "ThresholdedBEG": [
        "ThresholdedBEG.for_disjunctions(n=20, k=3)", "ThresholdedBEG(randomized=True)",
        "ThresholdedBEG(beta1=math.e, beta0=0.0)",
    ],
    "WeightedMajority": ['WeightedMajority(randomized=True, policy="always")'],
    "Winnow": ["Winnow.for_disjunctions(n=20, k=3)", "Winnow(randomized=True)"],
}  # fmt: skip
ABOUT = {  # theorems about learners whose docstrings have their formulas, but do not name them
    "OGD": {"ogd_regret"},
    "PassiveAggressive": {"passive_aggressive", "passive_aggressive_1", "passive_aggressive_2"},
    "ROMMA": {"romma"},
}
NEEDS_MORE = {
    "Calibrated",
    "Delayed",
    "Experts",
    "Forgetting",
    "Hedge",
    "Restarting",
}  # cannot be made without parameters
SAYING = ("_bound", "_theorem", "_on_squares", "_on_slopes", "_on_logistic")  # methods that return a theorem
ROOMS = ("teachers", "theory.contests", "theory.diagnostics", "theory.drift", "theory.hindsight",
         "theory.online_to_batch", "theory.reductions")  # fmt: skip


class Guarantee(NamedTuple):
    """A learner as it was made, and the bound that it then has."""

    made: str
    bound: Bound | OpenBound

    @property
    def when(self) -> str:
        """What the bound assumes, of a target that is not described any further."""
        bound = self.bound.example if isinstance(self.bound, OpenBound) else self.bound
        known = {name: number for name, number in bound.arguments.items() if name not in bound.describing}
        return bound.assuming(**known)


@cache
def guarantees() -> dict[str, list[Guarantee]]:
    """Return for each learner its guarantees, a theorem once, in the order of the learners' names."""
    names = sorted({*ours(), *our_regressors(), *MADE}, key=str.lower)
    return {name: list(_of(name)) for name in names}


def _of(name: str) -> Iterator[Guarantee]:
    known = set()
    for made in [*([] if name in NEEDS_MORE else [f"{name}()"]), *MADE.get(name, [])]:
        bound = _begun(eval(f"ls.{made}", {"ls": ls, "math": math})).guarantee  # noqa: S307 - it is our own text
        if bound is not None and bound.name not in known:
            known.add(bound.name)
            yield Guarantee(f"ls.{made}", bound)


def _begun(learner: Any) -> Any:
    """Return a learner that knows how many attributes there are; one whose bound counts trials has had some."""
    if not isinstance(learner, ls.Hedge | ls.Experts):
        learner.begin(N, labels=None if isinstance(learner, ls.Regressor) else (0, 1))
    if isinstance(learner, ls.Auto | ls.AutoRegressor):
        learner.learn(ROWS, LABELS)
    return learner


def returned(name: str) -> set[str]:
    """Return the theorems that the code of a learner names where it says what it guarantees."""
    learner = getattr(ls, name)
    texts = [inspect.getsource(getattr(learner, name)) for name in SAYING if hasattr(learner, name)]
    return _theorems("".join([*texts, inspect.getsource(learner.guarantee.fget)]))


@cache
def named() -> dict[str, set[str]]:
    """Return for each public name, such as "Winnow" or "teachers.Hadamard", the theorems that its docstring names."""
    found = {name: _theorems(inspect.getdoc(getattr(ls, name)) or "") | ABOUT.get(name, set()) for name in guarantees()}
    for room in ROOMS:
        module = import_module(f"littlestone.{room}")
        found |= {f"{room}.{name}": _theorems(inspect.getdoc(getattr(module, name)) or "") for name in module.__all__}
    return {name: theorems for name, theorems in found.items() if theorems}


def _theorems(text: str) -> set[str]:
    return set(re.findall(r"\bbounds\.(\w+)", text)) & set(THEOREMS)
