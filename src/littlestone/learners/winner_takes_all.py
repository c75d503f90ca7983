"""Winner takes all: a linear threshold unit a class, and the highest activation says which class it is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from littlestone.core.errors import InvalidParameter
from littlestone.core.parameters import anything, choice, flag
from littlestone.engine.learning import duals
from littlestone.learners.base import Learner
from littlestone.learners.bounded import Bounded
from littlestone.learners.knowledge import refuse_numbers
from littlestone.learners.many_classes import Many
from littlestone.learners.winnow import Winnow
from littlestone.machines.targets import POLICIES
from littlestone.parts.links import Rule

__all__ = ["WinnerTakesAll"]

TAKES = "Perceptron, Winnow, BalancedWinnow or ThresholdedBEG (or the name of one, as in 'winnow:alpha=1.5,theta=4')"
# SNoW's Winnow, made thick by half its threshold, and averaged
USUAL: dict[str, Any] = {"alpha": 1.35, "demotion": 0.8, "theta": 4.0, "w1": 0.2, "margin": 2.0, "averaged": True}
PROBE = 2  # a number of attributes to try a learner's parameters with


class WinnerTakesAll(Many):
    """One target a class, each a linear threshold unit that plays by the rule of ``learner``; the highest one wins.

    Predict the class c with the largest ``w_c.x - theta``. What an example of class y changes is the ``policy``'s:
    "each" lets every target learn by itself whether this is its class (as SNoW does); the others keep the constraint
    that the target of y be higher than those of other classes: with ``E = {c != y : w_c.x >= w_y.x - margin}`` not
    empty, y is promoted, and the classes in E are demoted by a whole step together.

    Classes may appear at any time; of equal activations the class that came first wins; before any class is known the
    prediction is None, and a mistake. Memory is that of the links: 12 to 28 bytes each, up to about three times that
    while they grow, whatever the number of classes times attributes; and 24 bytes for each attribute. For names that
    never end, `Bounded` keeps some attributes only: ``Bounded(WinnerTakesAll(), max_attributes=100_000)``.

    Bound
    -----
    None is known for the game of all targets together.

    Example
    -------
    >>> learner = WinnerTakesAll()
    >>> rows = [["rain", "cold"], ["sun", "hot"], ["snow", "cold"], ["rain", "hot"], ["snow"]]
    >>> [learner.learn_one(row, y) for row, y in zip(rows, ["wet", "dry", "white", "wet", "white"])]
    [None, 'wet', 'wet', 'wet', 'white']
    >>> learner.class_counts()["white"]
    ClassCounts(examples=2, mistakes=1, promotions=2, demotions=0, links=2)

    Reference
    ---------
    Carlson, Cumby, Rosen and Roth, "The SNoW learning architecture", UIUC (1999); Har-Peled, Roth and Zimak,
    "Constraint classification for multiclass classification and ranking", NIPS 2002 (the other policies).
    """

    narrow = True
    learner: Learner | str | None = anything(
        default=None,
        takes="Learner, str",
        kw_only=False,
        says="Whose parameters each target has: Perceptron, Winnow, BalancedWinnow or ThresholdedBEG, not randomised, "
        'without negations; or the name of one with its parameters, "winnow:alpha=1.5:theta=4" (where colons '
        'have another meaning, as after -l on the command line, "winnow/alpha=1.5/theta=4"). None: SNoW\'s '
        "Winnow, thick and averaged, Winnow(alpha=1.35, demotion=0.8, theta=4, w1=0.2, margin=2, averaged=True), "
        "whose values must not be negative.",
    )
    policy: str = choice(
        default="each",
        among=POLICIES,
        listed=True,
        says="Who is changed; of a demotion the last three give all to the highest of E, equal parts, or parts in "
        "proportion to how far each is too high.",
    )
    linked: bool = flag(
        default=True,
        says="As in SNoW: an attribute has a weight in a class only when it has been active in an example of that "
        "class; until then it counts nothing there, and demotions pass it by. False: a weight comes with its "
        "first update (only for weights that begin at 0).",
    )
    averaged: bool | None = flag(  # type: ignore[assignment]
        default=None, says="Predict with the mean of all hypotheses so far; None: as the learner has it."
    )

    def _check(self) -> None:
        self._inner = _made(self.learner)
        _check_fresh(self._inner)
        self.bias, self.margin = self._inner.bias, self._inner.margin
        if np.ndim(getattr(self._inner, "w1", 0.0)):
            raise _refusal(self._inner)
        _check(self._inner, self._rule(PROBE), self.linked)

    @property
    def domain(self) -> str:  # type: ignore[override]
        """The values that the learner takes."""
        return self._inner.domain

    def _needs_n(self) -> bool:
        return self._inner.needs_n

    def _rule(self, n: int | None) -> Rule:
        rule = self._inner.new_machine(n).rule
        if rule is None:
            raise _refusal(self._inner)
        rule = rule.in_weights()  # probabilities depend on the rate
        return rule if self.averaged is None else replace(rule, averaged=bool(self.averaged))


def _made(given: Any) -> Learner:
    """Return the learner whose parameters the targets take."""
    if given is None:
        return Winnow(**USUAL)
    if isinstance(given, Learner):
        refuse_numbers("WinnerTakesAll: learner", given)
        return given
    if not isinstance(given, str):
        raise InvalidParameter(f"WinnerTakesAll: learner must be {TAKES}, got {given!r}")
    from littlestone.learners.named import learner_of

    return learner_of(given, where="WinnerTakesAll: ")


def _check_fresh(learner: Learner) -> None:
    """Refuse a learner of which more than the rule would be expected to count."""
    if isinstance(learner, Bounded):
        raise InvalidParameter(
            f"WinnerTakesAll: learner must be {TAKES}, got {learner!r}, whose limits targets do not keep each by "
            "itself; bound all of them together: Bounded(WinnerTakesAll(...), max_attributes=...)"
        )
    if learner.trials:
        raise InvalidParameter(
            f"WinnerTakesAll: learner: expected one that has learned nothing, for targets take its parameters only, "
            f"got {learner!r} after {learner.trials} trials; give a new one"
        )


def _check(learner: Learner, rule: Rule, linked: bool) -> None:
    """Refuse a learner that cannot be a target."""
    codes = (duals.IDENTITY, duals.POWER, duals.SINH, duals.SIGMOID)
    if rule.link.code not in codes or rule.link.scale != duals.UNSCALED or rule.certain or learner.negations:
        raise _refusal(learner)
    if rule.dtype != "float64":
        raise InvalidParameter(f"WinnerTakesAll: its targets have float64 weights, got {learner!r}")
    if not linked and float(rule.link(float(rule.start))) != 0.0:
        raise InvalidParameter(
            f"WinnerTakesAll: linked=False is for weights that begin at 0, not for those of {learner!r}; leave it out"
        )


def _refusal(learner: Learner) -> InvalidParameter:
    return InvalidParameter(
        f"WinnerTakesAll: learner must be {TAKES}, not randomised, without negations, all "
        f"weights with one start, got {learner!r}"
    )
