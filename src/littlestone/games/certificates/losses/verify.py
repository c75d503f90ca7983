"""A certificate of losses checked against its stream, by code that shares nothing with the learners."""

from __future__ import annotations

import numpy as np

from littlestone.core.errors import InvalidCertificate
from littlestone.games.certificates.compared import same
from littlestone.games.certificates.ledger import ROUNDING
from littlestone.games.certificates.losses.certificate import LossCertificate, check_losses_sound
from littlestone.games.certificates.losses.ledger import LossGame, LossReplay, loss_ledger
from littlestone.streams.base import Stream

__all__ = ["compare_losses", "losses_again"]


def losses_again(claimed: LossCertificate, stream: Stream) -> tuple[LossCertificate, LossReplay]:
    """Return the certificate of the same claim, computed from the stream."""
    check_losses_sound(claimed)
    rules = claimed.rules
    game = LossGame(stream, rules, claimed.trials)
    game.check_width()
    u = np.zeros(rules.n + int(rules.bias))
    if claimed.attributes and claimed.attributes[-1] >= len(u):
        raise InvalidCertificate(f"verify: expected attributes from 0 to {len(u) - 1}, got {claimed.attributes[-1]}")
    u[list(claimed.attributes)] = claimed.weights
    return loss_ledger(game, u)


def compare_losses(claimed: LossCertificate, again: LossCertificate, played: LossReplay) -> None:
    """Refuse a certificate that differs from the one computed anew, naming the first trial that does."""
    paid = abs(again.start) + sum(abs(entry.fall) for entry in again.entries)
    lost = played.largest**2
    sizes = {"loss": lost, "against": lost, "before": paid, "fall": paid, "required": paid + lost / again.rules.price}
    for trial, (one, other) in enumerate(zip(claimed.entries, again.entries, strict=True)):
        if one.digest != other.digest:
            raise InvalidCertificate(f"trial {trial}: the stream up to here is not the one that was certified")
        for name, size in sizes.items():
            same(f"trial {trial}: {name}", getattr(one, name), getattr(other, name), ROUNDING * size)
    for name in ("stream", "learner", "theorem", "attributes", "weights", "trials"):
        if getattr(claimed, name) != getattr(again, name):
            raise InvalidCertificate(
                f"verify: {name}: the certificate has {getattr(claimed, name)!r}, and it is {getattr(again, name)!r}"
            )
    if claimed.terms.keys() != again.terms.keys():
        raise InvalidCertificate(f"verify: expected the terms {', '.join(again.terms)}, got {', '.join(claimed.terms)}")
    for name, value in claimed.terms.items():
        same(name, value, again.terms[name], 0.0)
    same("start", claimed.start, again.start, ROUNDING * paid)
    for name in ("loss", "against", "bound"):
        same(name, getattr(claimed, name), getattr(again, name), ROUNDING * lost)
