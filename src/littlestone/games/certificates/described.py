"""The rules that are read off a game, or why it has no certificate."""

from __future__ import annotations

from fractions import Fraction
from math import exp, inf, log

import numpy as np

from littlestone.core.errors import InvalidParameter
from littlestone.engine.learning import duals
from littlestone.games.certificates.played import Played
from littlestone.games.certificates.rules import Rules
from littlestone.parts.links import Rule

__all__ = ["described"]

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


def described(played: Played) -> Rules:
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
        algorithm=ALGORITHMS[link.code], n=played.n, promotion=float(promotion), demotion=float(demotion),
        theta=float(rule.theta), tie=int(rule.tie), bias=bool(rule.bias), negations=bool(played.negations),
        start=first.get(link.code, _factor(start) if natural else start),
        p=float(link.a) if link.code == duals.P_NORM else 2.0, gamma=odds / (1.0 + odds),
    )  # fmt: skip


def _factor(logarithm: float) -> float:
    """Return the number that somebody took the logarithm of: 3.0, where exp(log(3.0)) is 3.0000000000000004."""
    factor = exp(logarithm)
    meant = float(Fraction(factor).limit_denominator(1 << 20))
    return meant if meant > 0.0 and log(meant) == logarithm else factor


def _why_not(played: Played, rule: Rule) -> str | None:
    if not played.fresh:
        return "it had learned before this game; a ledger begins at the first trial: play a new learner"
    if rule.averaged:
        return "averaged predictions are not those of the hypothesis that the proof follows"
    if rule.margin > -inf:
        return (
            "it updates where it made no mistake as well (a margin, ties, or always), and the proof is about mistakes"
        )
    if rule.certain:
        return "the proof of randomised predictions is about expectations; a single run has no ledger"
    if rule.dtype != "float64":
        return "its weights are float32; play one with float64 weights"
    if rule.link.code == duals.POWER and not rule.theta > 0.0:
        return f"Winnow's proof is for theta > 0, got {rule.theta:g}"
    if np.ndim(rule.start) or (
        rule.link.code in (duals.IDENTITY, duals.P_NORM, duals.EXP, duals.SINH) and rule.start != 0.0
    ):
        return "the proof starts at zero"
    if rule.link.code == duals.USER and rule.link.function is None:
        return "its link has no potential; make it with from_potential"
    return None
