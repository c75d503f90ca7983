"""Regret: which weights a regressor is held against, how much more it lost than they, and the bound that follows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import isfinite, log
from typing import Any

import numpy as np

from littlestone.core.arrays import Floats
from littlestone.games.loss_run import LossRun
from littlestone.learners.regressors.base import Regressor
from littlestone.learners.regressors.beg_regression import BEGRegression
from littlestone.learners.regressors.eg_plus_minus import EGPlusMinus
from littlestone.learners.regressors.exponentiated_gradient import ExponentiatedGradient
from littlestone.learners.regressors.gradient_descent import GradientDescent
from littlestone.learners.regressors.p_norm_regression import PNormRegression
from littlestone.theory.hindsight.linear import BestWeights

__all__ = [
    "CLASSES",
    "LossVerdict",
    "belongs",
    "bound_against",
    "class_in_words",
    "class_of",
    "exponent_of",
    "loss_verdict",
    "price_of",
]

CLASSES = {
    "least squares": "any weights",
    "simplex": "weights on the simplex",
    "l1 ball": "weights whose sizes sum to U",
    "box": "weights between 0 and 1",
}
ROUNDING = 1e-9


@dataclass(frozen=True)
class LossVerdict:
    """How a regressor fared against the best weights of its class: the regret, and the bound that had to hold.

    ``comparator`` are these weights, None where they are not known; ``bound`` is on the loss or, where its ``of`` says
    so, on the regret, and there is None without a theorem, for which ``why_not`` has the reason; ``no_regret`` has it
    where no weights are known.

    >>> import littlestone as ls
    >>> stream = ls.teachers.Linear(n=20, k=2, noise=0.1, trials=1000)
    >>> verdict = ls.contest([ls.GradientDescent(X=stream.sizes().length)], stream).best.verdict
    >>> round(verdict.regret, 1), round(verdict.bound.value, 1), verdict.bound.of, verdict.why_not
    (57.7, 101.8, 'loss', None)
    """

    bound: Any
    comparator: BestWeights | None
    regret: float | None
    why_not: str | None
    no_regret: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return it in plain numbers and words."""
        parts = {"bound": "value", "of": "of", "theorem": "theorem", "assumes": "assumes"}
        found = {key: None if self.bound is None else getattr(self.bound, name) for key, name in parts.items()}
        against = None if self.comparator is None else self.comparator.as_dict()
        return {"regret": self.regret, **found, "comparator": against, "why_not": self.why_not,
                "no_regret": self.no_regret}  # fmt: skip


def class_of(learner: Regressor) -> tuple[str, float | None]:
    """Return the class of weights that a regressor is held against, as `BestWeights.kind` names it, and its U.

    >>> import littlestone as ls
    >>> class_of(ls.GradientDescent()), class_of(ls.EGPlusMinus(U=2.0))
    (('least squares', None), ('l1 ball', 2.0))
    """
    if isinstance(learner, EGPlusMinus):
        return "l1 ball", float(learner.U)
    if isinstance(learner, ExponentiatedGradient):
        return "simplex", None
    return ("box" if isinstance(learner, BEGRegression) else "least squares"), None


def class_in_words(kind: str, U: float | None = None) -> str:
    """Return a class of weights in words.

    >>> class_in_words("l1 ball", 3.0), class_in_words("box")
    ('weights whose sizes sum to 3 at most', 'weights between 0 and 1')
    """
    return CLASSES[kind] if U is None else CLASSES[kind].replace("to U", f"to {U:g} at most")


def price_of(learner: Regressor) -> float | None:
    """Return what a squared length of u costs as much as in the bound of gradient descent, by the loss of u.

    The bound, ``(1 + c) L(u) + (1 + 1/c) X^2 |u|^2``, is least where ``L(u) + |u|^2 X^2/c`` is. None: of another one.

    >>> import littlestone as ls
    >>> price_of(ls.GradientDescent(X=3.0, c=2.0)), price_of(ls.GradientDescent()), price_of(ls.EGPlusMinus(X=3.0))
    (4.5, None, None)
    """
    X = getattr(learner, "X", None) if isinstance(learner, GradientDescent) else None
    return None if X is None else float(X) ** 2 / float(learner.params()["c"])


def belongs(u: Floats, kind: str, U: float | None) -> bool:
    """Tell whether weights are of a class, up to rounding.

    >>> belongs(np.array([0.5, 0.5]), "simplex", None), belongs(np.array([0.5, -1.5]), "l1 ball", 1.0)
    (True, False)
    """
    low, high = float(u.min(initial=0.0)), float(u.max(initial=0.0))
    if kind == "simplex":
        return low >= -ROUNDING and abs(float(u.sum()) - 1.0) <= ROUNDING
    if kind == "l1 ball":
        return float(np.abs(u).sum()) <= (U or 0.0) * (1.0 + ROUNDING)
    return kind == "least squares" or (low >= -ROUNDING and high <= 1.0 + ROUNDING)


def loss_verdict(learner: Regressor, run: LossRun, candidates: Iterable[BestWeights], why: str | None) -> LossVerdict:
    """Return the verdict on a run: the regret against the least loss, and the smallest bound by any of the candidates.

    All of them are of the learner's class, so that each gives a valid bound. ``why`` says why there are none.

    >>> import littlestone as ls
    >>> stream = ls.teachers.Linear(n=20, k=2, noise=0.1, trials=1000)
    >>> found = loss_verdict(
    ...     ls.GradientDescent(), ls.play(ls.GradientDescent(), stream), [ls.hindsight.least_squares(stream)], None
    ... )
    >>> round(found.comparator.loss, 2), round(found.regret, 1)
    (9.83, 57.7)
    """
    several = list(candidates)
    best = min(several, key=lambda one: one.loss, default=None)
    regret = None if best is None else run.loss - best.loss
    unknown = (why or "no weights are known to hold it against") if best is None else None
    guarantee = run.guarantee
    if guarantee is None:
        return LossVerdict(None, best, regret, "no theorem is known for these parameters", unknown)
    if best is not None and guarantee.of == "regret":
        several = [best]  # against which the regret is counted
    bounds = [found for one in several if (found := bound_against(guarantee, one, learner)) is not None]
    known = [found for found in bounds if found.value is not None and isfinite(found.value)]
    if known:
        return LossVerdict(min(known, key=lambda found: float(found.value)), best, regret, None)
    return LossVerdict(None, best, regret, unknown or str(guarantee.assumes), unknown)


def bound_against(guarantee: Any, u: BestWeights, learner: Regressor) -> Any:
    """Return what a guarantee says if its target is u: its numbers are u's loss, and how far it is from the start.

    They go by the names that theorems have for them: ``loss``, ``norm`` and ``divergence``. None where nothing is to be
    said: of a learner without a theorem.

    >>> import littlestone as ls
    >>> stream = ls.from_arrays([[1, 0], [0, 1]], [3.0, 4.0], task="regression")
    >>> learner = ls.GradientDescent(X=1.0, bias=False)
    >>> u = ls.hindsight.least_squares(stream, constant=False)
    >>> print(bound_against(learner.guarantee, u, learner))
    loss <= 50 if some u with |u - w1| <= 5 loses at most 0 (Cesa-Bianchi-Long-Warmuth, gradient descent)
    """
    arguments = getattr(getattr(guarantee, "example", guarantee), "arguments", None)
    if arguments is None:
        return None
    describing = {"loss": u.loss, **_distances(u, learner)}
    numbers = {name: number for name, number in describing.items() if name in arguments}
    return guarantee.at(**numbers)


def _distances(u: BestWeights, learner: Regressor) -> dict[str, float]:
    """Return how far weights are from a learner's first ones, as its theorem measures it."""
    n, constant = len(u.weights), getattr(learner, "bias", True)
    w, theta = type(learner)(**learner.params()).begin(n).hypothesis() or (np.zeros(n), 0.0)
    start, end = (np.append(w, -theta), np.append(u.weights, u.constant)) if constant else (w, u.weights)
    if isinstance(learner, EGPlusMinus):
        total, N = float(learner.U), 2 * len(end)
        parts = np.concatenate((np.maximum(end, 0.0), np.maximum(-end, 0.0)))
        shares = (parts + max(0.0, total - float(parts.sum())) / N) / total  # what is left of U, on all alike
        return {"divergence": max(0.0, _entropy(shares, np.full(N, 1.0 / N)))}
    if isinstance(learner, ExponentiatedGradient):
        return {"divergence": max(0.0, _entropy(end, np.full(len(end), 1.0 / len(end))))}
    if isinstance(learner, BEGRegression):
        sound = np.clip(end, 0.0, 1.0)
        return {"divergence": max(0.0, _entropy(sound, start) + _entropy(1.0 - sound, 1.0 - start))}
    if isinstance(learner, PNormRegression):
        p = exponent_of(learner, n)
        return {"norm": float((np.abs(end) ** (p / (p - 1.0))).sum() ** (1.0 - 1.0 / p))}
    return {"norm": float(np.linalg.norm(end - start))}


def exponent_of(learner: PNormRegression, n: int) -> float:
    """Return the p of a p-norm regressor of n attributes.

    >>> import littlestone as ls
    >>> exponent_of(ls.PNormRegression(p=3), 10), round(exponent_of(ls.PNormRegression(), 100), 3)
    (3.0, 9.21)
    """
    return float(learner.p) if learner.p is not None else max(2.0, 2.0 * log(n or 1))


def _entropy(u: Floats, w: Floats) -> float:
    """Return the sum of ``u ln(u/w)``, where u = 0 adds nothing."""
    on = u > 0.0
    return float((u[on] * np.log(u[on] / w[on])).sum())
