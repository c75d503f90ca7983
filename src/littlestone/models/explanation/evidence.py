"""Evidence: the heaviest weights for and against, with how often each attribute was promoted and demoted."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from littlestone.models.explanation._linear import Linear, plain
from littlestone.models.explanation.counting import Counts

__all__ = ["Evidence", "evidence"]


@dataclass(frozen=True)
class Evidence:
    """An attribute and its weight; ``net`` is promotions less demotions, and what is not known is None.

    ``on`` is in how many examples it was on.
    """

    attribute: Hashable
    weight: float
    net: int | None = None
    promotions: int | None = None
    demotions: int | None = None
    on: int | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {**asdict(self), "attribute": plain(self.attribute)}


def evidence(
    rule: Linear, counts: Counts | None, top: int
) -> tuple[tuple[Evidence, ...], tuple[Evidence, ...], int, int]:
    """Return the heaviest evidence for and against, and how much there is of each.

    Where all weights are positive, what is heavier than an attribute at first is for, and what is lighter against.
    """
    up, down = np.flatnonzero(rule.weights > rule.usual), np.flatnonzero(rule.weights < rule.usual)
    up = up[np.argsort(-rule.weights[up], kind="stable")]
    down = down[np.argsort(rule.weights[down], kind="stable")]
    told = [tuple(_told(rule, counts, int(i)) for i in side[:top]) for side in (up, down)]
    return told[0], told[1], len(up), len(down)


def _told(rule: Linear, counts: Counts | None, i: int) -> Evidence:
    name, weight = rule.name(i), float(rule.weights[i])
    if counts is not None:
        on, promotions, demotions = counts.of(name)
        return Evidence(name, weight, promotions - demotions, promotions, demotions, on)
    if rule.exponents is None:
        return Evidence(name, weight)
    p, q = rule.exponents[i].tolist()
    return Evidence(name, weight, p - q, p, q) if rule.apart else Evidence(name, weight, None if q else p)
