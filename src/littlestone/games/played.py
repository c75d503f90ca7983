"""Played: what a game leaves for its certificate. Nothing that goes on learning is in it."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from littlestone.parts.links import Rule
from littlestone.streams import Stream

__all__ = ["LossPlayed", "Played"]


class Played(NamedTuple):
    """What a game leaves for its certificate."""

    learner: str
    rule: Rule | None  # None: not of the quasi-additive family
    n: int  # coordinates, negated ones included, the constant one not
    negations: bool
    theorem: str | None  # the name of the guarantee's theorem
    labels: tuple[Any, Any]
    fresh: bool  # whether the learner knew nothing before
    stream: Stream | None  # what was played; None: it can be played no more
    factors: tuple[Fraction, Fraction] | None = None  # of a promotion and a demotion, where they are kept exactly


class LossPlayed(NamedTuple):
    """What a game of a regressor leaves for its certificate."""

    learner: str
    kind: str  # the name of its class
    parameters: Mapping[str, Any]
    loss: str
    n: int  # coordinates, the constant one not
    fresh: bool  # whether the learner knew nothing before
    stream: Stream | None  # what was played; None: it can be played no more
