"""Verdict: the bound that had to hold on a stream, by the comparator that makes it smallest."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from littlestone.bounds import Bound, on_stream
from littlestone.hindsight.comparator import Comparator

__all__ = ["Verdict", "tightest"]


@dataclass(frozen=True)
class Verdict:
    """A bound with its comparator; or neither, and why not."""

    bound: Bound | None
    comparator: Comparator | None
    why_not: str | None


def tightest(guarantee: Bound | None, comparators: Iterable[Comparator]) -> Verdict:
    """Return the smallest bound that a learner's guarantee gives on the stream of these comparators.

    Any comparator gives a valid bound, so the smallest of them is one too.

    >>> import littlestone as ls
    >>> stream = ls.teachers.Disjunction(n=50, k=3, trials=2000, noise=0.05)
    >>> run = ls.play(ls.ThresholdedBEG(), stream)
    >>> verdict = tightest(run.guarantee, ls.hindsight.greedy_path(stream))
    >>> verdict.bound.theorem, run.mistakes <= verdict.bound.value
    ('Helmbold et al., Theorem 5', True)
    """
    if guarantee is None:
        return Verdict(None, None, "no theorem is known for these parameters")
    best: tuple[Bound, Comparator] | None = None
    why = "no comparator was given"
    for comparator in comparators:
        found = on_stream(
            guarantee,
            k=comparator.k,
            attribute_errors=comparator.attribute_errors,
            X=comparator.largest,
            losses=comparator.losses,
            squared_losses=comparator.squared_losses,
        )
        if isinstance(found, str):
            why = found
        elif best is None or found.value < best[0].value:
            best = found, comparator
    return Verdict(*best, None) if best is not None else Verdict(None, None, why)
