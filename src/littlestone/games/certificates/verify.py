"""verify: a certificate checked against its stream, by code that shares nothing with the learners."""

from __future__ import annotations

from typing import Any, overload

import numpy as np

from littlestone.core.errors import InvalidCertificate, LittlestoneError
from littlestone.games.certificates.certificate import Certificate, check_sound
from littlestone.games.certificates.compared import same
from littlestone.games.certificates.ledger import ROUNDING, ledger
from littlestone.games.certificates.losses.certificate import LossCertificate
from littlestone.games.certificates.losses.verify import compare_losses, losses_again
from littlestone.games.certificates.replay import Game
from littlestone.streams.base import Stream

__all__ = ["verify"]

# What a proof comes to that is not the algorithm's, or has numbers that no run has
UNFIT = (ArithmeticError, AttributeError, LookupError, NotImplementedError, TypeError, ValueError)


@overload
def verify(certificate: Certificate, stream: Stream, *, link: Any = None) -> Certificate: ...


@overload
def verify(certificate: LossCertificate, stream: Stream, *, link: Any = None) -> LossCertificate: ...


def verify(
    certificate: Certificate | LossCertificate, stream: Stream, *, link: Any = None
) -> Certificate | LossCertificate:
    """Recompute a certificate from its rules, its comparator and the stream; refuse it if anything differs.

    No code of the learners or of their engine is used: the game is played again in plain NumPy, every prediction is
    made again, near theta in as many digits as it takes, and every number of the ledger compared. What cannot be
    decided is refused. ``link`` is needed where the potential was a user's own.

    >>> import littlestone as ls
    >>> stream = ls.teachers.Disjunction(n=50, k=3, trials=400)
    >>> certificate = ls.play(ls.Winnow(), stream).certificate({0, 1, 2})
    >>> ls.verify(certificate, stream).mistakes == certificate.mistakes
    True
    >>> ls.verify(certificate, ls.teachers.Disjunction(n=50, k=3, trials=400, seed=1))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    littlestone.core.errors.InvalidCertificate: trial ...
    """
    if not isinstance(certificate, Certificate | LossCertificate):
        raise InvalidCertificate(
            f"verify: expected a Certificate, got {type(certificate).__name__}; use from_json first"
        )
    if not isinstance(stream, Stream):
        raise InvalidCertificate(f"verify: expected the Stream that was played, got {type(stream).__name__}")
    try:
        if isinstance(certificate, LossCertificate):
            compare_losses(certificate, *losses_again(certificate, stream))
        else:
            check_sound(certificate)
            again = _again(certificate, stream, link)
    except LittlestoneError as error:
        if isinstance(error, InvalidCertificate):
            raise
        raise InvalidCertificate(f"verify: the proof does not go through: {error}") from error
    except (*UNFIT, MemoryError) as error:
        raise InvalidCertificate(f"verify: this is not a certificate of any run ({error!r})") from error
    if isinstance(certificate, Certificate):
        _compare(certificate, again)
    if certificate.seal() != certificate.digest:
        raise InvalidCertificate("verify: the digest is not that of this certificate: something in it was altered")
    return certificate


def _again(claimed: Certificate, stream: Stream, link: Any) -> Certificate:
    """Return the certificate of the same claim, computed from the stream."""
    if sorted(map(repr, claimed.labels)) != sorted(map(repr, stream.labels)):
        raise InvalidCertificate(f"verify: the labels are {claimed.labels}, and the stream's are {stream.labels}")
    mistakes = np.array([entry.trial for entry in claimed.entries], dtype=np.int64)
    game = Game(stream, claimed.rules, claimed.labels, claimed.trials, mistakes)
    game.check_width()
    u = np.zeros(claimed.rules.n + int(claimed.rules.bias))
    if claimed.attributes and claimed.attributes[-1] >= len(u):
        raise InvalidCertificate(f"verify: expected attributes from 0 to {len(u) - 1}, got {claimed.attributes[-1]}")
    u[list(claimed.attributes)] = claimed.weights
    return ledger(game, claimed.kind, u, claimed.terms.get("gamma"), link)


def _compare(claimed: Certificate, again: Certificate) -> None:
    """Refuse a certificate that differs from the one computed anew, naming the first trial that does."""
    size = abs(again.start) + sum(abs(entry.fall) for entry in again.entries)
    for one, other in zip(claimed.entries, again.entries, strict=True):
        if one.digest != other.digest:
            raise InvalidCertificate(f"trial {one.trial}: the stream up to here is not the one that was certified")
        if one.outcome != other.outcome:
            raise InvalidCertificate(f"trial {one.trial}: the outcome is {other.outcome}, not {one.outcome}")
        for name in ("before", "fall", "required"):
            same(f"trial {one.trial}: {name}", getattr(one, name), getattr(other, name), ROUNDING * size)
    if claimed.stream != again.stream:
        last = claimed.entries[-1].trial if claimed.entries else -1
        raise InvalidCertificate(f"trial {last + 1} or later: the stream is not the one that was certified")
    for name in ("learner", "kind", "theorem", "counts", "attributes", "weights", "trials"):
        if getattr(claimed, name) != getattr(again, name):
            raise InvalidCertificate(
                f"verify: {name}: the certificate has {getattr(claimed, name)!r}, and it is {getattr(again, name)!r}"
            )
    if claimed.terms.keys() != again.terms.keys():
        raise InvalidCertificate(f"verify: expected the terms {', '.join(again.terms)}, got {', '.join(claimed.terms)}")
    same("start", claimed.start, again.start, ROUNDING * size)
    for name, value in claimed.terms.items():
        same(name, value, again.terms[name], 0.0)
    same("bound", claimed.bound, again.bound, 0.0)
