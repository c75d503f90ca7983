"""verify: a certificate checked against its stream, by code that shares nothing with the learners."""

from __future__ import annotations

from itertools import pairwise
from math import inf, isclose
from typing import Any

import numpy as np

from littlestone.certificates.certificate import Certificate
from littlestone.certificates.ledger import CLOSE, ledger
from littlestone.errors import InvalidCertificate, InvalidParameter
from littlestone.streams.base import Stream

__all__ = ["verify"]


def verify(certificate: Certificate, stream: Stream, *, link: Any = None) -> Certificate:
    """Recompute a certificate from its rules, its comparator and the stream; refuse it if anything differs.

    No code of the learners or of their engine is used: the game is played again in plain NumPy, every prediction is
    made again, and every number of the ledger compared. ``link`` is needed where the potential was a user's own.

    >>> import littlestone as ls
    >>> stream = ls.teachers.Disjunction(n=50, k=3, trials=400)
    >>> certificate = ls.play(ls.Winnow(), stream).certificate({0, 1, 2})
    >>> ls.verify(certificate, stream).mistakes == certificate.mistakes
    True
    >>> ls.verify(certificate, ls.teachers.Disjunction(n=50, k=3, trials=400, seed=1))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    littlestone.errors.InvalidCertificate: trial ...
    """
    if not isinstance(certificate, Certificate):
        raise InvalidCertificate(
            f"verify: expected a Certificate, got {type(certificate).__name__}; use from_json first"
        )
    u = np.zeros(certificate.rules.n + int(certificate.rules.bias))
    _rising("attributes", certificate.attributes, len(u))
    u[list(certificate.attributes)] = certificate.weights
    _rising("trials", (*(entry.trial for entry in certificate.entries), certificate.trials), inf)
    mistakes = np.array([entry.trial for entry in certificate.entries], dtype=np.int64)
    try:
        again = ledger(
            certificate.learner, certificate.kind, certificate.rules, u, certificate.terms.get("gamma"),
            stream, certificate.labels, certificate.trials, mistakes, link,
        )  # fmt: skip
    except InvalidParameter as error:
        raise InvalidCertificate(f"verify: the proof does not go through: {error}") from error
    _compare(certificate, again)
    if certificate.seal() != certificate.digest:
        raise InvalidCertificate("verify: the digest is not that of this certificate: something in it was altered")
    return certificate


def _rising(what: str, numbers: tuple[Any, ...], end: float) -> None:
    """Refuse what are not whole numbers that rise from 0 and stay below ``end``."""
    whole = all(isinstance(number, int) and not isinstance(number, bool) for number in numbers)
    if not whole or any(a >= b for a, b in pairwise((-1, *numbers, end))):
        raise InvalidCertificate(f"verify: {what}: expected whole numbers that rise from 0 on")


def _compare(told: Certificate, again: Certificate) -> None:
    """Refuse a certificate that differs from the one computed anew, naming the first trial that does."""
    for one, other in zip(told.entries, again.entries, strict=True):
        if one.digest != other.digest:
            raise InvalidCertificate(f"trial {one.trial}: the stream up to here is not the one that was certified")
        for name in ("outcome", "before", "fall", "required"):
            _same(f"trial {one.trial}: {name}", getattr(one, name), getattr(other, name))
    if told.stream != again.stream:
        last = told.entries[-1].trial if told.entries else -1
        raise InvalidCertificate(f"trial {last + 1} or later: the stream is not the one that was certified")
    for name in ("start", "bound"):
        _same(name, getattr(told, name), getattr(again, name))
    if told.terms.keys() != again.terms.keys() or told.theorem != again.theorem or told.counts != again.counts:
        raise InvalidCertificate("verify: the theorem, its terms or the counts of promotions are not those of this run")
    for name, value in told.terms.items():
        _same(name, value, again.terms[name])


def _same(what: str, told: float, found: float) -> None:
    if not isclose(told, found, rel_tol=CLOSE, abs_tol=CLOSE):
        raise InvalidCertificate(f"{what}: the certificate has {told!r}, and it is {found!r}")
