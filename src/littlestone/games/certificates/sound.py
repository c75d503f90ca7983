"""What a certificate must be made of before anything of it is computed."""

from __future__ import annotations

from itertools import pairwise
from math import isfinite
from typing import TYPE_CHECKING, Any

from littlestone.core.errors import InvalidCertificate

if TYPE_CHECKING:
    from littlestone.games.certificates.certificate import Certificate

__all__ = ["KINDS", "check_sound", "number", "whole"]

KINDS = ("divergence", "weight")
FIELDS = ("trial", "outcome", "before", "fall", "required", "digest")


def whole(value: Any) -> bool:
    """Tell whether something is a whole number of usual size."""
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1 << 62


def number(value: Any) -> bool:
    """Tell whether something is a finite number."""
    return whole(value) or (isinstance(value, float) and isfinite(value))


def check_sound(told: Certificate) -> None:
    """Refuse a certificate of which some part is not what it should be."""
    parts = {
        "learner, theorem, stream, digest": all(
            isinstance(part, str) for part in (told.learner, told.theorem, told.stream, told.digest)
        ),
        "kind": told.kind in KINDS,
        "attributes": _rising(told.attributes),
        "weights": isinstance(told.weights, tuple)
        and len(told.weights) == len(told.attributes)
        and all(isinstance(weight, float) and isfinite(weight) and weight != 0.0 for weight in told.weights),
        "labels": isinstance(told.labels, tuple) and len(told.labels) == 2 and told.labels[0] != told.labels[1],
        "start, bound": number(told.start) and number(told.bound),
        "terms": isinstance(told.terms, dict)
        and all(isinstance(name, str) and number(value) for name, value in told.terms.items()),
        "entries": isinstance(told.entries, tuple) and all(_entry(entry) for entry in told.entries),
        "counts": isinstance(told.counts, dict) and all(_count(*item) for item in told.counts.items()),
    }
    for name, sound in parts.items():
        if not sound:
            raise InvalidCertificate(f"certificate: {name}: this is not what a certificate has there")
    if not _rising((*(entry.trial for entry in told.entries), told.trials)):
        raise InvalidCertificate("certificate: trials: expected whole numbers that rise from 0 on")


def _rising(numbers: Any) -> bool:
    """Tell whether these are whole numbers that rise from 0 on."""
    return (
        isinstance(numbers, tuple)
        and all(whole(one) for one in numbers)
        and all(a < b for a, b in pairwise((-1, *numbers)))
    )


def _entry(entry: Any) -> bool:
    if not isinstance(entry, tuple) or getattr(entry, "_fields", ()) != FIELDS:
        return False
    trial, outcome, *numbers, digest = entry
    return whole(trial) and whole(outcome) and all(number(value) for value in numbers) and isinstance(digest, str)


def _count(attribute: Any, pair: Any) -> bool:
    return whole(attribute) and isinstance(pair, tuple) and len(pair) == 2 and all(whole(times) for times in pair)
