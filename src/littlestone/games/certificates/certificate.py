"""Certificate: the ledger of a run's proof, to be written down, sent away and checked."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, NamedTuple

from littlestone.core.errors import InvalidCertificate
from littlestone.games.certificates.rules import Rules
from littlestone.games.certificates.sound import check_sound, whole

__all__ = ["Certificate", "Entry"]

FORMAT = "littlestone certificate 1"


class Entry(NamedTuple):
    """What one mistake paid: the potential before it, by how much it fell, and by how much it had to."""

    trial: int
    outcome: int
    before: float
    fall: float
    required: float
    digest: str  # of the stream up to and including this trial


@dataclass(frozen=True)
class Certificate:
    """A run's proof in numbers: each mistake lowers a potential, and the potential has only so far to fall.

    ``learner`` names the algorithm with its numbers. ``kind`` is "divergence" (the potential is a distance to the
    comparator) or "weight" (it is the total weight, and promotions are limited for each relevant attribute). ``terms``
    are the numbers of the theorem, ``start`` the potential before the first trial, ``entries`` the ledger, ``bound``
    what follows from it, ``slack`` the mistakes that it would have allowed besides.
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
        try:
            told = json.loads(text, object_pairs_hook=_once)
        except (ValueError, TypeError, RecursionError) as error:
            raise InvalidCertificate(f"certificate: expected JSON that to_json wrote ({error})") from error
        fields = {"format", *cls.__dataclass_fields__, "mistakes", "slack"}
        if not isinstance(told, dict) or set(told) != fields or told["format"] != FORMAT:
            got = sorted(set(told) ^ fields) if isinstance(told, dict) else type(told).__name__
            raise InvalidCertificate(f"certificate: expected the fields of {FORMAT!r}, each once; wrong: {got}")
        derived = told["mistakes"], told["slack"]
        try:
            read = cls(**_built({key: told[key] for key in cls.__dataclass_fields__}))
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


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse a key that comes twice."""
    told = dict(pairs)
    if len(told) < len(pairs):
        raise ValueError("a key comes twice")
    return told


def _built(told: dict[str, Any]) -> dict[str, Any]:
    """Return the fields as they were before JSON made lists and strings of them."""
    if set(told["rules"]) != set(Rules.__dataclass_fields__):
        raise ValueError("expected all the rules")
    counts = {int(key): tuple(value) for key, value in told["counts"].items()}
    if [str(key) for key in counts] != list(told["counts"]):
        raise ValueError("expected counts by position")
    return told | {
        "rules": Rules(**told["rules"]),
        "entries": tuple(Entry(*entry) for entry in told["entries"]),
        "counts": counts,
        **{key: tuple(told[key]) for key in ("attributes", "weights", "labels")},
    }
