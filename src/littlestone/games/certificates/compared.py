"""Two numbers of certificates compared: the one that is claimed and the one that was found."""

from __future__ import annotations

from math import isclose

from littlestone.core.errors import InvalidCertificate
from littlestone.games.certificates.ledger import CLOSE

__all__ = ["same"]


def same(what: str, claimed: float, found: float, within: float) -> None:
    """Refuse a number that differs by more than rounding; ``within`` is what may come of the numbers it was made of.

    >>> same("start", 1.0, 1.0 + 1e-12, 0.0)
    """
    exactly = isinstance(found, int) and claimed != found
    if exactly or not isclose(claimed, found, rel_tol=CLOSE, abs_tol=within):
        raise InvalidCertificate(f"{what}: the certificate has {claimed!r}, and it is {found!r}")
