"""The inequalities of the proofs: by how much a mistake must lower the potential, whatever the hypothesis was.

A proof is of the kind "divergence": each mistake lowers the distance to the comparator by at least ``gain``, less what
the comparator's own losses take back; or of the kind "weight": a promotion adds at most ``rise`` to the total weight, a
demotion takes at least ``fall`` away, and a relevant attribute is promoted at most ``cap`` times, and ``again`` times
more for each time it was demoted.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor, inf, isclose, log, log1p, sqrt

import numpy as np
from numpy.typing import NDArray

from littlestone.bounds import STATEMENTS
from littlestone.bounds.agarwal import ln_cosh
from littlestone.bounds.ledger import Ledger, theorem3_ledger, theorem3_parameters, theorem4_ledger, theorem4_parameters
from littlestone.core.arrays import Floats
from littlestone.core.errors import InvalidParameter
from littlestone.core.rational import simplest_fraction, snapped, steps
from littlestone.games.certificates.rules import Rules

__all__ = ["Proof", "Survey", "divergence", "measured", "weight"]

LEDGERS = {3: theorem3_ledger, 4: theorem4_ledger}
PARAMETERS = {3: theorem3_parameters, 4: theorem4_parameters}
TIGHT = 1e-9  # what rounding may do to an inequality


@dataclass(frozen=True)
class Survey:
    """What the comparator has to do with the stream: the largest row, and u.x, |x| and the outcome of each mistake."""

    radius: float  # in the norm of the proof, over all trials
    largest: float  # the largest |x_i|
    least: float  # the least x_i that is not 0
    reach: Floats
    sizes: Floats
    positive: NDArray[np.bool_]

    @property
    def margins(self) -> Floats:
        """The margin y u.x of each mistake."""
        return np.where(self.positive, self.reach, -self.reach)


@dataclass(frozen=True)
class Proof:
    """A proof about one run: its numbers, the comparator it follows, and what each mistake has to pay."""

    theorem: str
    terms: dict[str, float]
    u: Floats  # scaled as the proof wants it
    required: Floats
    slope: float  # bound = slope * start + rest
    rest: float
    whole: int | None = None  # the bound, where it is known exactly

    def bound(self, start: float) -> float:
        """Return the bound that follows from the potential at the start; in whole mistakes where it is by weight."""
        if self.whole is not None:
            return self.whole
        bound = self.slope * start + self.rest
        return floor(bound * (1.0 + TIGHT)) if "cap" in self.terms else snapped(bound)


def divergence(rules: Rules, u: Floats, gamma: float, survey: Survey) -> Proof:
    """Return the proof by the distance to the comparator ``u`` with margin ``gamma``."""
    if rules.algorithm == "bayes-beg":
        raise InvalidParameter("certificate: Bayes-BEG has no proof by divergence; ask for kind='weight'")
    if rules.algorithm in ("perceptron", "p-norm"):
        return _additive(rules, u, gamma, survey)
    if np.any(u < 0.0):
        raise InvalidParameter("certificate: expected a comparator without negative weights")
    if rules.algorithm == "normalized-winnow" and rules.theta == 0.0:
        return _margin_of_entropy(rules, u, gamma, survey)
    if survey.largest > 1.0 or survey.least < 0.0:
        got = survey.least if survey.least < 0.0 else survey.largest
        raise InvalidParameter(f"certificate: the proof is for values from 0 to 1, got {got:g}; scale them")
    return _thresholded(rules, u, gamma, survey)


def _finished(theorem: str, gain: float, u: Floats, required: Floats, **terms: float) -> Proof:
    """Return the proof from what each mistake must pay: M gain <= start + losses."""
    if not gain > 0.0:
        raise InvalidParameter(
            f"certificate: {theorem} proves nothing with these parameters: a mistake gains {gain:.3g}"
        )
    losses = np.maximum(0.0, gain - required)
    losses[losses < TIGHT * gain] = 0.0
    if not np.all(np.isfinite(losses)):
        raise InvalidParameter(
            f"certificate: {theorem} bears no attribute errors (demotion 0), and the comparator has one "
            f"at mistake {int(np.argmax(~np.isfinite(losses)))}; choose another comparator"
        )
    total = float(np.sum(losses))
    return Proof(theorem, {"gain": gain, "losses": total, **terms}, u, required, 1.0 / gain, total / gain)


def _additive(rules: Rules, u: Floats, gamma: float, survey: Survey) -> Proof:
    """Agarwal's Theorems 2.1 and 2.2 by the divergence; the scale of u is the one that makes the bound smallest."""
    if rules.theta != 0.0:
        raise InvalidParameter(f"certificate: the Perceptron's proof is for theta 0, got {rules.theta:g}; use bias")
    q = rules.p / (rules.p - 1.0)
    norm = float(np.sum(np.abs(u) ** q) ** (2.0 / q))
    if norm == 0.0 or not gamma > 0.0:
        raise InvalidParameter(f"certificate: expected a comparator that is not 0 and gamma > 0, got gamma={gamma:g}")
    eta, curve = rules.promotion, (rules.p - 1.0) * rules.promotion**2
    e, d = max(curve * survey.radius**2, 1e-300), 2.0 * eta * gamma
    losses = 2.0 * eta * float(np.sum(np.maximum(0.0, gamma - survey.margins)))
    scale = e / d * (1.0 + sqrt(1.0 + losses * d / (norm * e)))
    required = eta * scale * survey.margins - 0.5 * curve * survey.sizes**2
    name = "perceptron_hinge" if losses else "perceptron_margin"
    if rules.p != 2.0:
        name = "p_norm_losses" if losses else "p_norm_margin"
    gain = eta * scale * gamma - 0.5 * e
    terms = {"gamma": gamma, "scale": scale, "radius": survey.radius}
    return _finished(STATEMENTS[name].theorem, gain, scale * u, required, **terms)


def _margin_of_entropy(rules: Rules, u: Floats, gamma: float, survey: Survey) -> Proof:
    """Agarwal's Theorem 3.1."""
    eta, norm = log(rules.promotion), float(np.sum(u))
    if not norm > 0.0 or not gamma > 0.0:
        raise InvalidParameter(f"certificate: expected a comparator that is not 0 and gamma > 0, got gamma={gamma:g}")
    if not isclose(rules.promotion * rules.demotion, 1.0, rel_tol=TIGHT):
        raise InvalidParameter(
            "certificate: with theta 0 the proof is for equal steps, beta0 = 1/beta1; give theta > 0"
        )
    worst = ln_cosh(eta * survey.largest)
    required = eta * survey.margins / norm - worst
    name = STATEMENTS["normalized_winnow_margin"].theorem
    return _finished(name, eta * gamma / norm - worst, u / norm, required, gamma=gamma, radius=survey.largest)


def _thresholded(rules: Rules, u: Floats, gamma: float, survey: Survey) -> Proof:
    """Auer and Warmuth's Winnow, Helmbold et al.'s Theorem 5, Corollary 1 and Normalized Winnow; values in [0, 1]."""
    up, down, theta = rules.promotion, rules.demotion, rules.theta
    if rules.algorithm == "normalized-winnow":
        norm = float(np.sum(u))
        scale = 1.0 / norm if norm > 0.0 else 0.0
        rest = 1.0 - (1.0 - down) * theta
        pay0, pay1 = -log(rest) if rest > 0.0 else inf, -log1p((up - 1.0) * theta)
        name = "normalized_winnow_disjunction"
    else:
        pay0, pay1 = (1.0 - down) * theta, -(up - 1.0) * theta
        balanced = theta * ((up - 1.0) + (1.0 - down)) / log(up) if up > 1.0 else 1.0
        scale = balanced / gamma if rules.algorithm == "winnow" else 1.0
        name = "winnow_attribute_errors" if rules.algorithm == "winnow" else "thresholded_beg"
        name = "thresholded_beg_corollary1" if rules.algorithm == "thresholded-beg" and down == 0.0 else name
        if rules.algorithm == "thresholded-beg" and np.any(u > 1.0):
            raise InvalidParameter("certificate: expected a comparator with weights from 0 to 1")
    price = -log(down) if down > 0.0 else inf
    reach = scale * survey.reach
    over = np.maximum(reach, 0.0)
    taken = price * over if price < inf else np.where(over > 0.0, inf, 0.0)
    required = np.where(survey.positive, log(up) * reach + pay1, pay0 - taken)
    gain = min(log(up) * scale * gamma + pay1, pay0)
    return _finished(STATEMENTS[name].theorem, gain, scale * u, required, gamma=gamma, scale=scale)


def measured(rules: Rules, u: Floats, gamma: float, survey: Survey, remainders: Floats) -> Proof:
    """Return the proof for a potential without a theorem: what G rose beyond its tangent is measured, not bounded."""
    eta = rules.promotion if rules.algorithm == "own-potential" else log(rules.promotion)
    if not gamma > 0.0:
        raise InvalidParameter(f"certificate: expected gamma > 0, got {gamma:g}")
    margins = survey.margins - np.where(survey.positive, rules.theta, -rules.theta)
    return _finished("Bregman divergence, remainders measured", eta * gamma, u, eta * margins - remainders, gamma=gamma)


def weight(rules: Rules, u: Floats, survey: Survey, relevant_demotions: int) -> Proof:
    """Return the proof by promotions and total weight, for the disjunction of the attributes in ``u``."""
    k, n = int(np.count_nonzero(u)), rules.n + int(rules.bias)
    astray = int(np.count_nonzero(survey.positive & (survey.reach == 0.0)))
    ledger, name, rest = _ledger(rules, n, k)
    if rules.demotion == 0.0 and relevant_demotions:
        raise InvalidParameter(
            f"certificate: {name} bears no attribute errors (demotion 0), and a relevant attribute was demoted "
            f"{relevant_demotions} times; choose another comparator"
        )
    again = _again(rules) if relevant_demotions else 0
    promotions = k * ledger.cap + astray + again * relevant_demotions
    required = np.where(survey.positive, -ledger.rise, ledger.fall)
    terms = {"rise": ledger.rise, "fall": ledger.fall, "cap": ledger.cap, "rest": rest, "again": again}
    terms |= {"astray": astray, "demoted": relevant_demotions, "promotions": promotions}
    beside = promotions + (promotions * ledger.rise - rest) / ledger.fall
    whole = _whole(rules, n, k if rest else 0, promotions) if rules.algorithm == "winnow" else None
    return Proof(name, terms, u, required, 1.0 / ledger.fall, beside, whole)


def _ledger(rules: Rules, n: int, k: int) -> tuple[Ledger, str, float]:
    if rules.algorithm == "bayes-beg":
        which = 3 if rules.demotion == 0.0 else 4
        used = (rules.promotion, rules.demotion, rules.gamma, rules.theta, rules.start)
        if n < 2 or not np.allclose(used, (*PARAMETERS[which](n), 1.0 / (n - 1.0)), rtol=TIGHT, atol=0.0):
            raise InvalidParameter("certificate: Bayes-BEG has a proof with the parameters of Theorem 3 or 4 alone")
        return LEDGERS[which](n), STATEMENTS[f"bayes_beg_theorem{which}_sharper"].theorem, 0.0
    if rules.algorithm != "winnow":
        raise InvalidParameter(f"certificate: {rules.algorithm} has no proof by promotions and total weight")
    rise, fall = (rules.promotion - 1.0) * rules.theta, (1.0 - rules.demotion) * rules.theta
    eliminates = rules.promotion == 1.0  # and the demotion factor is then 0: nothing relevant is ever lost
    cap = 0 if eliminates else _cap(rules)
    name = "elimination" if eliminates else "winnow_disjunction"
    return Ledger(n * rules.start, rise, fall, cap), STATEMENTS[name].theorem, k * rules.start if eliminates else 0.0


def _whole(rules: Rules, n: int, kept: int, promotions: int) -> int:
    """Return the bound in rationals: ``D (1 - demotion) theta <= (n - kept) w1 + P (alpha - 1) theta``."""
    w1, theta = simplest_fraction(rules.start), simplest_fraction(rules.theta)
    alpha, demotion = rules.factors
    limit = ((n - kept) * w1 + promotions * (alpha - 1) * theta) / ((1 - demotion) * theta)
    return promotions + (ceil(limit) - 1 if demotion > 0 else floor(limit))


def _cap(rules: Rules) -> int:
    """Return how often a weight that is never demoted is promoted: while it is below theta (at it, if a tie is 0)."""
    ratio, factor = simplest_fraction(rules.theta) / simplest_fraction(rules.start), simplest_fraction(rules.promotion)
    cap = steps(ratio, factor)
    return cap + 1 if rules.tie == 0 and ratio >= 1 and cap < 1000 and factor**cap == ratio else cap


def _again(rules: Rules) -> int:
    """Return how many promotions make good for one demotion."""
    if rules.promotion <= 1.0 or rules.demotion <= 0.0:
        return 0
    times = -log(rules.demotion) / log(rules.promotion)
    return max(1, round(times) if abs(times - round(times)) < TIGHT else ceil(times))
