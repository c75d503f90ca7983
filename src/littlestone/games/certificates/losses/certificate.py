"""LossCertificate: the ledger of a regressor's run, to be written down, sent away and checked."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from math import isfinite
from typing import Any, NamedTuple

from littlestone.core.display import Shown
from littlestone.core.errors import InvalidCertificate
from littlestone.games.certificates.digest import fields_of, finite, rising
from littlestone.games.certificates.losses.rules import LossRules
from littlestone.games.certificates.rules import whole

__all__ = ["LossCertificate", "LossEntry", "check_losses_sound"]

FORMAT = "littlestone loss certificate 1"


class LossEntry(NamedTuple):
    """What one trial cost the learner and the comparator; the potential before, by how much it fell and had to.

    It had to fall by ``(loss - share * against) / price``, with the numbers of the theorem; where that is negative, it
    may rise so far.

    >>> import littlestone as ls
    >>> stream = ls.from_arrays([[1, 0], [1, 1]], [1.0, 2.0], task="regression")
    >>> entry = ls.play(ls.GradientDescent(X=2.0), stream).certificate([1.0, 1.0]).entries[0]
    >>> entry.loss, entry.against, entry.fall >= entry.required
    (1.0, 0.0, True)
    """

    loss: float
    against: float
    before: float
    fall: float
    required: float
    digest: str  # of the stream up to and including this trial


@dataclass(frozen=True)
class LossCertificate(Shown):
    """The proof of a bound on a loss in numbers: what a trial costs is paid by a potential, or by the comparator.

    ``learner`` names the algorithm with its numbers, ``attributes`` and ``weights`` are the comparator's, of which the
    attribute after the last is the constant coordinate. ``terms`` are the numbers of the theorem: a loss of the
    comparator counts ``share``, the potential ``price``. ``start`` is the potential before the first trial, ``entries``
    the ledger, ``loss`` what was lost, ``against`` what the comparator would have lost, ``bound`` what follows:
    ``share * against + price * start``.

    >>> import littlestone as ls
    >>> stream = ls.from_arrays([[1, 0], [0, 1], [1, 1]], [1.0, 2.0, 3.5], task="regression")
    >>> certificate = ls.play(ls.GradientDescent(X=2.0, bias=False), stream).certificate([1.0, 2.0])
    >>> certificate.terms["share"], certificate.terms["price"], certificate.start, certificate.against
    (2.0, 16.0, 2.5, 0.25)
    >>> certificate.bound, round(certificate.loss, 3), ls.verify(certificate, stream) is certificate
    (40.5, 14.766, True)
    """

    learner: str
    theorem: str
    rules: LossRules
    attributes: tuple[int, ...]
    weights: tuple[float, ...]
    trials: int
    terms: Mapping[str, float]
    start: float
    entries: tuple[LossEntry, ...] = field(repr=False)
    loss: float
    against: float
    bound: float
    stream: str
    digest: str = ""

    @property
    def slack(self) -> float:
        """How much more the bound would have allowed."""
        return self.bound - self.loss

    def sealed(self) -> LossCertificate:
        """Return the certificate with the digest of all that it says."""
        return replace(self, digest=self.seal())

    def seal(self) -> str:
        """Return the digest of everything but the digest."""
        content = {key: value for key, value in self._plain().items() if key != "digest"}
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()

    def to_json(self) -> str:
        """Return the certificate as one JSON object; no number is rounded."""
        return json.dumps(self._plain(), indent=1)

    @classmethod
    def from_json(cls, text: str) -> LossCertificate:
        """Return the certificate that `to_json` wrote."""
        found = fields_of(text, {"format", *cls.__dataclass_fields__, "slack"}, FORMAT)
        try:
            read = cls(**_built({key: found[key] for key in cls.__dataclass_fields__}))
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise InvalidCertificate(f"certificate: this is not one that to_json wrote ({error})") from error
        check_losses_sound(read)
        if found["slack"] != read.slack:
            raise InvalidCertificate(f"certificate: expected a slack of {read.slack}, got {found['slack']}")
        return read

    def _plain(self) -> dict[str, Any]:
        plain = {key: getattr(self, key) for key in self.__dataclass_fields__}
        return {"format": FORMAT, **plain, "rules": asdict(self.rules), "slack": self.slack}

    def __str__(self) -> str:
        return (
            f"loss {self.loss:.4g} in {self.trials} trials, at most {self.bound:.4g} by {self.theorem} "
            f"against one that loses {self.against:.4g}"
        )


def _built(read: dict[str, Any]) -> dict[str, Any]:
    """Return the fields as they were before JSON made lists of them."""
    if set(read["rules"]) != set(LossRules.__dataclass_fields__):
        raise ValueError("expected all the rules")
    entries = tuple(LossEntry(*entry) for entry in read["entries"])
    lists = {key: tuple(read[key]) for key in ("attributes", "weights")}
    return read | {"rules": LossRules(**read["rules"]), "entries": entries, **lists}


def check_losses_sound(certificate: LossCertificate) -> None:
    """Refuse a certificate of which some part is not what it should be."""
    texts = (certificate.learner, certificate.theorem, certificate.stream, certificate.digest)
    numbers = (certificate.start, certificate.loss, certificate.against, certificate.bound)
    parts = {
        "learner, theorem, stream, digest": all(isinstance(part, str) for part in texts),
        "rules": isinstance(certificate.rules, LossRules),
        "attributes": rising(certificate.attributes),
        "weights": isinstance(certificate.weights, tuple)
        and len(certificate.weights) == len(certificate.attributes)
        and all(isinstance(weight, float) and isfinite(weight) and weight != 0.0 for weight in certificate.weights),
        "start, loss, against, bound": all(isinstance(one, float) and isfinite(one) for one in numbers),
        "terms": isinstance(certificate.terms, dict)
        and all(isinstance(name, str) and finite(value) for name, value in certificate.terms.items()),
        "entries": isinstance(certificate.entries, tuple) and all(map(_entry, certificate.entries)),
        "trials": whole(certificate.trials) and certificate.trials > 0,
    }
    for name, sound in parts.items():
        if not sound:
            raise InvalidCertificate(f"certificate: {name}: this is not what a certificate has there")
    if len(certificate.entries) != certificate.trials:
        raise InvalidCertificate(f"certificate: expected an entry for each of {certificate.trials} trials")


def _entry(entry: Any) -> bool:
    if not isinstance(entry, LossEntry):
        return False
    *numbers, digest = entry
    return all(isinstance(one, float) and isfinite(one) for one in numbers) and isinstance(digest, str)
