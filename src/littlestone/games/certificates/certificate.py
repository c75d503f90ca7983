"""Certificate: the ledger of a run's proof, to be written down, sent away and checked."""

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
from littlestone.games.certificates.rules import Rules, whole

__all__ = ["Certificate", "Entry", "check_sound"]

FORMAT = "littlestone certificate 1"
KINDS = ("divergence", "weight")


class Entry(NamedTuple):
    """What one mistake paid: the potential before it, by how much it fell, and by how much it had to.

    >>> import littlestone as ls
    >>> stream = ls.teachers.Disjunction(n=50, k=2, trials=1000)
    >>> certificate = ls.play(ls.Winnow(), stream).certificate({0, 1})
    >>> first = certificate.entries[0]
    >>> first.trial, first.outcome, first.fall >= first.required
    (0, 1, True)
    """

    trial: int
    outcome: int
    before: float
    fall: float
    required: float
    digest: str  # of the stream up to and including this trial


@dataclass(frozen=True)
class Certificate(Shown):
    """A run's proof in numbers: each mistake lowers a potential, and the potential has only so far to fall.

    ``learner`` names the algorithm with its numbers. ``kind`` is "divergence" (the potential is a distance to the
    comparator) or "weight" (it is the total weight, and promotions are limited for each relevant attribute). ``terms``
    are the numbers of the theorem, ``start`` the potential before the first trial, ``entries`` the ledger, ``bound``
    what follows from it, ``slack`` the mistakes that it would have allowed besides.

    >>> import littlestone as ls
    >>> stream = ls.teachers.Disjunction(n=50, k=2, trials=1000)
    >>> run = ls.play(ls.Winnow(), stream)
    >>> certificate = run.certificate({0, 1})
    >>> certificate.kind, certificate.mistakes, certificate.bound, len(certificate.entries)
    ('weight', 22, 37, 22)
    >>> ls.verify(certificate, stream).bound
    37
    """

    learner: str
    kind: str
    theorem: str
    rules: Rules
    attributes: tuple[int, ...]
    weights: tuple[float, ...]
    labels: tuple[Any, Any]
    trials: int
    terms: Mapping[str, float]
    start: float
    entries: tuple[Entry, ...] = field(repr=False)
    counts: Mapping[int, tuple[int, int]] = field(repr=False)  # of each relevant attribute: promotions, demotions
    bound: float
    stream: str
    digest: str = ""

    @property
    def mistakes(self) -> int:
        """How many mistakes the ledger holds."""
        return len(self.entries)

    @property
    def slack(self) -> float:
        """How many more mistakes the bound would have allowed."""
        return self.bound - self.mistakes

    def sealed(self) -> Certificate:
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
    def from_json(cls, text: str) -> Certificate:
        """Return the certificate that `to_json` wrote."""
        found = fields_of(text, {"format", *cls.__dataclass_fields__, "mistakes", "slack"}, FORMAT)
        derived = found["mistakes"], found["slack"]
        try:
            read = cls(**_built({key: found[key] for key in cls.__dataclass_fields__}))
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise InvalidCertificate(f"certificate: this is not one that to_json wrote ({error})") from error
        check_sound(read)
        if derived != (read.mistakes, read.slack) or not whole(derived[0]):
            raise InvalidCertificate(
                f"certificate: expected {read.mistakes} mistakes and a slack of {read.slack}, got {derived}"
            )
        return read

    def _plain(self) -> dict[str, Any]:
        plain = {key: getattr(self, key) for key in self.__dataclass_fields__}
        plain |= {"rules": asdict(self.rules), "counts": {str(key): value for key, value in self.counts.items()}}
        return {"format": FORMAT, **plain, "mistakes": self.mistakes, "slack": self.slack}

    def __str__(self) -> str:
        return (
            f"{self.mistakes} mistakes in {self.trials} trials, at most {self.bound:.4g} by {self.theorem} "
            f"against {len(self.attributes)} attributes"
        )


def _built(read: dict[str, Any]) -> dict[str, Any]:
    """Return the fields as they were before JSON made lists and strings of them."""
    if set(read["rules"]) != set(Rules.__dataclass_fields__):
        raise ValueError("expected all the rules")
    counts = {int(key): tuple(value) for key, value in read["counts"].items()}
    if [str(key) for key in counts] != list(read["counts"]):
        raise ValueError("expected counts by position")
    return read | {
        "rules": Rules(**read["rules"]),
        "entries": tuple(Entry(*entry) for entry in read["entries"]),
        "counts": counts,
        **{key: tuple(read[key]) for key in ("attributes", "weights", "labels")},
    }


def check_sound(certificate: Certificate) -> None:
    """Refuse a certificate of which some part is not what it should be."""
    parts = {
        "learner, theorem, stream, digest": all(
            isinstance(part, str)
            for part in (certificate.learner, certificate.theorem, certificate.stream, certificate.digest)
        ),
        "kind": certificate.kind in KINDS,
        "attributes": rising(certificate.attributes),
        "weights": isinstance(certificate.weights, tuple)
        and len(certificate.weights) == len(certificate.attributes)
        and all(isinstance(weight, float) and isfinite(weight) and weight != 0.0 for weight in certificate.weights),
        "labels": isinstance(certificate.labels, tuple)
        and len(certificate.labels) == 2
        and certificate.labels[0] != certificate.labels[1],
        "start, bound": finite(certificate.start) and finite(certificate.bound),
        "terms": isinstance(certificate.terms, dict)
        and all(isinstance(name, str) and finite(value) for name, value in certificate.terms.items()),
        "entries": isinstance(certificate.entries, tuple) and all(_entry(entry) for entry in certificate.entries),
        "counts": isinstance(certificate.counts, dict) and all(_count(*item) for item in certificate.counts.items()),
    }
    for name, sound in parts.items():
        if not sound:
            raise InvalidCertificate(f"certificate: {name}: this is not what a certificate has there")
    if not rising((*(entry.trial for entry in certificate.entries), certificate.trials)):
        raise InvalidCertificate("certificate: trials: expected whole numbers that rise from 0 on")


def _entry(entry: Any) -> bool:
    if not isinstance(entry, tuple) or getattr(entry, "_fields", ()) != Entry._fields:
        return False
    trial, outcome, *numbers, digest = entry
    return whole(trial) and whole(outcome) and all(finite(value) for value in numbers) and isinstance(digest, str)


def _count(attribute: Any, pair: Any) -> bool:
    return whole(attribute) and isinstance(pair, tuple) and len(pair) == 2 and all(whole(times) for times in pair)
