"""The ledger: a game played again, what each mistake paid, and the bound that follows."""

from __future__ import annotations

from math import inf, isfinite
from typing import Any

import numpy as np

from littlestone.core.arrays import Floats
from littlestone.core.errors import InvalidCertificate, InvalidParameter
from littlestone.games.certificates import proofs
from littlestone.games.certificates.certificate import Certificate, Entry
from littlestone.games.certificates.proofs import Proof
from littlestone.games.certificates.replay import Game, replayed, surveyed
from littlestone.games.certificates.rules import MEASURED

__all__ = ["CLOSE", "ROUNDING", "ledger"]

CLOSE = 1e-9  # what rounding may do to a number of the ledger, relatively
ROUNDING = 1e-12  # and to one that is a difference of others, relatively to those


def ledger(game: Game, kind: str, u: Floats, gamma: float | None, link: Any) -> Certificate:
    """Play the game again and write down its ledger."""
    game.check_width()
    rules = game.rules
    survey, least = surveyed(game, u)
    if gamma is None:
        if not 0.0 < least < inf and kind == "divergence":
            raise InvalidParameter(
                f"certificate: the comparator's least margin y u.x is {least:g}; "
                "give gamma > 0, below which a margin is a loss"
            )
        gamma = least
    potential = rules.potential(link)
    if kind == "weight":
        boolean = (survey.largest, survey.least) in ((1.0, 1.0), (1.0, inf), (0.0, inf))
        if not boolean or np.any((u != 0.0) & (u != 1.0)):
            raise InvalidParameter(
                "certificate: the proof by total weight is for disjunctions and Boolean rows; ask for kind='divergence'"
            )
        played = replayed(game, u, potential, kind)
        proof = proofs.weight(rules, u, survey, int(played.demoted[u != 0.0].sum()))
    elif rules.algorithm in MEASURED:
        played = replayed(game, u, potential, kind)
        proof = proofs.measured(rules, u, gamma, survey, np.array(played.remainders))
    else:
        proof = proofs.divergence(rules, u, gamma, survey)
        played = replayed(game, proof.u, potential, kind)
    outcomes, required = survey.positive.astype(int).tolist(), proof.required.tolist()
    columns = (game.mistakes.tolist(), outcomes, played.before, played.falls, required, played.digests)
    entries = tuple(map(Entry._make, zip(*columns, strict=True)))
    relevant = np.flatnonzero(u)
    counts = {int(i): (int(played.promoted[i]), int(played.demoted[i])) for i in relevant} if kind == "weight" else {}
    bound = _audit(entries, counts, proof, played.start, played.end)
    return Certificate(
        learner=str(rules),
        kind=kind,
        theorem=proof.theorem,
        rules=rules,
        attributes=tuple(relevant.tolist()),
        weights=tuple(u[relevant].tolist()),
        labels=game.labels,
        trials=game.trials,
        terms=proof.terms,
        start=played.start,
        entries=entries,
        counts=counts,
        bound=bound,
        stream=played.stream,
    )


def _audit(
    entries: tuple[Entry, ...], counts: dict[int, tuple[int, int]], proof: Proof, start: float, end: float
) -> float:
    """Refuse a ledger in which a mistake paid less than the theorem says, or more was paid than there was.

    Return the bound that follows.
    """
    size = abs(start) + sum(abs(entry.fall) for entry in entries)
    if not isfinite(size + end):
        raise InvalidParameter("certificate: the potential leaves the floats; the comparator is outside its domain")
    for entry in entries:
        slack = CLOSE * max(abs(entry.fall), abs(entry.required)) + ROUNDING * size
        if not entry.fall >= entry.required - slack:
            raise InvalidCertificate(
                f"trial {entry.trial}: the mistake paid {entry.fall:.9g}, and the theorem asks for {entry.required:.9g}"
            )
    left = start - sum(entry.fall for entry in entries)
    rest = proof.terms.get("rest", 0.0)
    if not abs(left - end) <= CLOSE * size or not end >= rest - CLOSE * size:
        raise InvalidCertificate(f"certificate: {left:.9g} of the potential should be left, and {end:.9g} is")
    for attribute, (promotions, demotions) in counts.items():
        if promotions > proof.terms["cap"] + proof.terms["again"] * demotions:
            raise InvalidCertificate(
                f"certificate: attribute {attribute} was promoted {promotions} times, and the theorem allows "
                f"{proof.terms['cap']}"
            )
    bound = proof.bound(start)
    if not len(entries) <= bound * (1.0 + CLOSE):
        raise InvalidCertificate(f"certificate: {len(entries)} mistakes, and the bound that follows is {bound:.9g}")
    return bound
