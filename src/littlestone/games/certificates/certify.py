"""certify: from a game to its certificate. The rules are read off the learner, the comparator off what is given."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction
from math import exp, inf, log
from typing import Any

import numpy as np

from littlestone.core.arrays import Floats, Ints
from littlestone.core.errors import InvalidParameter
from littlestone.core.parameters import check_number
from littlestone.engine.learning import duals
from littlestone.games.certificates.certificate import KINDS, Certificate
from littlestone.games.certificates.ledger import ledger
from littlestone.games.certificates.replay import Game
from littlestone.games.certificates.rules import MEASURED, Rules
from littlestone.games.played import Played
from littlestone.parts.links import Rule
from littlestone.streams.base import Stream

__all__ = ["certify", "rules_of"]

ALGORITHMS = {
    duals.IDENTITY: "perceptron",
    duals.P_NORM: "p-norm",
    duals.POWER: "winnow",
    duals.EXP: "normalized-winnow",
    duals.SIGMOID: "thresholded-beg",
    duals.BAYES: "bayes-beg",
    duals.SINH: "two-sided",
    duals.USER: "own-potential",
}
SIGNED = ("perceptron", "p-norm", *MEASURED)  # their disjunctions need the constant coordinate


def certify(
    played: Played, trials: int, mistakes: Ints, comparator: Any, *, gamma: float | None, kind: str | None
) -> Certificate:
    """Return the ledger of a game against ``comparator``; see `Run.certificate`.

    >>> import littlestone as ls
    >>> run = ls.play(ls.Winnow(), ls.teachers.Disjunction(n=50, k=2, trials=1000))
    >>> certify(run.played, run.trials, run.mistake_trials, {0, 1}, gamma=None, kind=None).mistakes == run.mistakes
    True
    """
    rules = rules_of(played)
    if played.stream is None:
        raise InvalidParameter("certificate: the game cannot be played again; play it with record=True")
    if kind not in (None, *KINDS):
        raise InvalidParameter(f"certificate: kind must be 'divergence' or 'weight', got {kind!r}")
    attributes = _attributes(comparator, rules, played.stream.names)
    u = _weights(comparator, rules) if attributes is None else _disjunction(attributes, rules)
    kind = kind or _usual(rules, played.theorem, boolean=_boolean(played.stream, trials))
    if kind == "weight" and attributes is None:
        raise InvalidParameter("certificate: a proof by total weight is about a disjunction; give a set of attributes")
    if gamma is not None:
        check_number("certificate", "gamma", gamma, above=0.0)
        gamma = float(gamma)
    elif attributes is not None:
        gamma = 0.5 if rules.algorithm in SIGNED else 1.0
    own = played.rule.link if played.rule is not None and rules.algorithm == "own-potential" else None
    game = Game(played.stream, rules, played.labels, trials, mistakes)
    return ledger(game, kind, u, gamma, own).sealed()


def _boolean(stream: Stream, trials: int) -> bool:
    """Tell whether all values of the first rows of a stream are 1."""
    seen = 0
    for block in stream.blocks():
        if seen >= trials:
            break
        part = block[: trials - seen]
        if part.values is not None and not np.all(part.values[part.indptr[0] : part.indptr[-1]] == 1.0):
            return False
        seen += len(part)
    return True


def _usual(rules: Rules, theorem: str | None, *, boolean: bool) -> str:
    """Return the kind of proof that the learner's own theorem has; by total weight on Boolean rows alone."""
    if rules.algorithm == "bayes-beg":
        if theorem not in ("bayes_beg_theorem3_sharper", "bayes_beg_theorem4_sharper"):
            raise InvalidParameter("certificate: Bayes-BEG has a proof with the parameters of Theorem 3 or 4 alone")
        return "weight"
    return (
        "weight" if rules.algorithm == "winnow" and boolean and theorem != "winnow_attribute_errors" else "divergence"
    )


# The rules


def rules_of(played: Played) -> Rules:
    """Return the rules of a game that can be certified, or say why it cannot."""
    rule = None if played.rule is None else played.rule.in_weights()
    if rule is None:
        raise InvalidParameter(f"certificate: {played.learner} is not quasi-additive, and has no ledger")
    why = _why_not(played, rule)
    if why is not None:
        raise InvalidParameter(f"certificate: {played.learner}: {why}")
    link, start = rule.link, float(rule.start)
    natural = link.code in (duals.EXP, duals.SIGMOID, duals.BAYES)
    base = log(link.a) if link.code in (duals.POWER, duals.SINH) else 1.0
    up, down = rule.up * base, rule.down * base
    multiplicative = natural or link.code in (duals.POWER, duals.SINH)
    if max(abs(up), abs(down) if down > -inf else 0.0, abs(start)) > 700.0 and multiplicative:
        raise InvalidParameter(f"certificate: {played.learner}: steps beyond a factor of e^700 are not followed")
    first = {
        duals.POWER: link.c * link.a**start if link.code == duals.POWER else 0.0,
        duals.SINH: link.c,
        duals.EXP: 1.0,
    }
    promotion, demotion = (_factor(up), _factor(down)) if multiplicative else (up, -down)
    if played.factors is not None:  # exactly those that the learner was given
        promotion, demotion = (float(factor) for factor in played.factors)
    odds = exp(link.c) * (exp(up) - 1.0) / (1.0 - exp(down)) if link.code == duals.BAYES else 1.0
    return Rules(
        algorithm=ALGORITHMS[link.code],
        n=played.n,
        promotion=float(promotion),
        demotion=float(demotion),
        theta=float(rule.theta),
        tie=int(rule.tie),
        start=first.get(link.code, _factor(start) if natural else start),
        bias=bool(rule.bias),
        negations=bool(played.negations),
        p=float(link.a) if link.code == duals.P_NORM else 2.0,
        gamma=odds / (1.0 + odds),
    )


def _factor(logarithm: float) -> float:
    """Return the number that somebody took the logarithm of: 3.0, where exp(log(3.0)) is 3.0000000000000004."""
    factor = exp(logarithm)
    meant = float(Fraction(factor).limit_denominator(1 << 20))
    return meant if meant > 0.0 and log(meant) == logarithm else factor


def _why_not(played: Played, rule: Rule) -> str | None:
    code, zero = rule.link.code, (duals.IDENTITY, duals.P_NORM, duals.EXP, duals.SINH)
    reasons = {
        "it had learned before this game; a ledger begins at the first trial: play a new learner": not played.fresh,
        "averaged predictions are not those of the hypothesis that the proof follows": rule.averaged,
        "it also updates where it made no mistake (a margin, ties, or always), and the proof is about mistakes": (
            rule.margin > -inf
        ),
        "the proof of randomised predictions is about expectations; a single run has no ledger": rule.certain,
        "its weights are float32; play one with float64 weights": rule.dtype != "float64",
        f"Winnow's proof is for theta > 0, got {rule.theta:g}": code == duals.POWER and not rule.theta > 0.0,
        "the proof starts at zero": np.ndim(rule.start) or (code in zero and rule.start != 0.0),
        "its link has no potential; make it with from_potential": code == duals.USER and rule.link.function is None,
    }
    return next((reason for reason, applies in reasons.items() if applies), None)


# The comparator


def _attributes(comparator: Any, rules: Rules, names: Sequence[Hashable] | None) -> list[int] | None:
    """Return the positions of a disjunction's attributes; None: the comparator is a vector of weights."""
    given = getattr(comparator, "attributes", comparator)
    kind = given.dtype.kind if isinstance(given, np.ndarray) else None
    if isinstance(given, tuple) and hasattr(given, "theta"):
        return None
    if kind == "b":
        given = np.flatnonzero(given).tolist()
    elif kind is not None and kind in "iu":
        given = given.ravel().tolist()
    elif kind is not None or isinstance(given, str) or not isinstance(given, Iterable):
        return None
    places = {name: i for i, name in enumerate(names or ())}
    found = [places.get(one, one) for one in given]
    for one in found:
        if not isinstance(one, int | np.integer) or isinstance(one, bool) or not 0 <= one < rules.n:
            raise InvalidParameter(
                f"comparator: expected attributes by name or by position (0 to {rules.n - 1}), got {one!r}; "
                "weights are given as an array of floats"
            )
    if len(set(found)) < len(found):
        raise InvalidParameter("comparator: expected each attribute once; weights are given as an array of floats")
    return sorted(int(one) for one in found)


def _disjunction(attributes: list[int], rules: Rules) -> Floats:
    """Return a disjunction as weights: 1 on its attributes, -1/2 on the constant coordinate of an additive learner."""
    u = np.zeros(rules.n + int(rules.bias))
    u[attributes] = 1.0
    if rules.algorithm in SIGNED:
        if not rules.bias:
            raise InvalidParameter(
                "comparator: without the constant coordinate a disjunction has no margin around theta; give weights"
            )
        u[-1] = -0.5
    return u


def _weights(comparator: Any, rules: Rules) -> Floats:
    """Return the weights of a comparator, checked; a hypothesis (w, theta) has -theta on the constant coordinate."""
    size = rules.n + int(rules.bias)
    if isinstance(comparator, tuple) and hasattr(comparator, "theta"):
        if not rules.bias:
            raise InvalidParameter("comparator: a hypothesis has a threshold; the learner has no constant coordinate")
        comparator = np.append(comparator[0], -comparator[1])
    try:
        u = np.asarray(comparator, dtype=np.float64)
    except (TypeError, ValueError):
        u = np.full(1, np.nan)
    if u.shape != (size,) or not np.all(np.isfinite(u)):
        raise InvalidParameter(f"comparator: expected a set of attributes, or {size} weights, got {comparator!r}")
    return u
