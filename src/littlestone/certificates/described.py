"""The rules that are read off a game, or why it has no certificate."""

from __future__ import annotations

from fractions import Fraction
from math import exp, inf, log

import numpy as np

from littlestone.certificates.rules import Rules
from littlestone.engine import csr
from littlestone.errors import InvalidParameter
from littlestone.learners.quasi_additive import Rule
from littlestone.played import Played

__all__ = ["described"]

ALGORITHMS = {
    csr.IDENTITY: "perceptron",
    csr.P_NORM: "p-norm",
    csr.POWER: "winnow",
    csr.EXP: "normalized-winnow",
    csr.SIGMOID: "thresholded-beg",
    csr.BAYES: "bayes-beg",
    csr.SINH: "two-sided",
    csr.USER: "own-potential",
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
    natural = link.code in (csr.EXP, csr.SIGMOID, csr.BAYES)
    base = log(link.a) if link.code in (csr.POWER, csr.SINH) else 1.0
    up, down = rule.up * base, rule.down * base
    multiplicative = natural or link.code in (csr.POWER, csr.SINH)
    if max(abs(up), abs(down) if down > -inf else 0.0, abs(start)) > 700.0 and multiplicative:
        raise InvalidParameter(f"certificate: {played.learner}: steps beyond a factor of e^700 are not followed")
    first = {csr.POWER: link.c * link.a**start if link.code == csr.POWER else 0.0, csr.SINH: link.c, csr.EXP: 1.0}
    promotion, demotion = (_factor(up), _factor(down)) if multiplicative else (up, -down)
    if played.factors is not None:  # exactly those that the learner was given
        promotion, demotion = (float(factor) for factor in played.factors)
    odds = exp(link.c) * (exp(up) - 1.0) / (1.0 - exp(down)) if link.code == csr.BAYES else 1.0
    return Rules(
        algorithm=ALGORITHMS[link.code], n=played.n, promotion=float(promotion), demotion=float(demotion),
        theta=float(rule.theta), tie=int(rule.tie), bias=bool(rule.bias), negations=bool(played.negations),
        start=first.get(link.code, _factor(start) if natural else start),
        p=float(link.a) if link.code == csr.P_NORM else 2.0, gamma=odds / (1.0 + odds),
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
    if rule.link.code == csr.POWER and not rule.theta > 0.0:
        return f"Winnow's proof is for theta > 0, got {rule.theta:g}"
    if np.ndim(rule.start) or (rule.link.code in (csr.IDENTITY, csr.P_NORM, csr.EXP, csr.SINH) and rule.start != 0.0):
        return "the proof starts at zero"
    if rule.link.code == csr.USER and rule.link.function is None:
        return "its link has no potential; make it with from_potential"
    return None
