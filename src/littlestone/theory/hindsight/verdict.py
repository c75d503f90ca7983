"""Verdict: the bound that had to hold on a stream, by the comparator that makes it smallest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

from littlestone.bounds import Bound, OpenBound, on_stream
from littlestone.games.run import Run
from littlestone.streams import Stream
from littlestone.theory.hindsight.comparator import Comparator, attribute_errors
from littlestone.theory.hindsight.covering import greedy_path
from littlestone.theory.hindsight.disjunction import best_disjunction

__all__ = ["Verdict", "comparators", "tightest"]

OF_EXPERTS = "weighted_majority_shares"


@dataclass(frozen=True)
class Verdict:
    """A bound with its comparator; or neither, and why not.

    >>> import littlestone as ls
    >>> stream = ls.teachers.Disjunction(n=50, k=3, trials=2000)
    >>> run = ls.play(ls.Winnow(), stream)
    >>> verdict = ls.hindsight.tightest(run, ls.hindsight.greedy_path(stream))
    >>> round(verdict.bound.value, 1), verdict.comparator.k, verdict.why_not
    (49.8, 3, None)
    """

    bound: Bound | None
    comparator: Comparator | None
    why_not: str | None
    terms: int | None = None  # of the DNF, where that is the comparator

    def as_dict(self) -> dict[str, Any]:
        """Return it in plain numbers and words."""
        bound, comparator = self.bound, None if self.comparator is None else self.comparator.as_dict()
        if self.terms is not None:
            comparator = {"k": self.terms, "attribute_errors": 0, "method": "the DNF that the stream follows"}
        if bound is not None and bound.name == OF_EXPERTS:
            comparator = {"loss": bound.arguments["loss"], "method": "the best expert"}
        parts = {"bound": "value", "of": "of", "theorem": "theorem", "assumes": "assumes"}
        found = {key: None if bound is None else getattr(bound, name) for key, name in parts.items()}
        return found | {"comparator": comparator, "why_not": self.why_not}


def comparators(
    stream: Stream, *, target: Iterable[int] | None = None, exact: bool = False, time_limit: float | None = None
) -> list[Comparator]:
    """Return disjunctions to hold a learner's run against: the greedy path, the ``target``, and the best if ``exact``.

    >>> import littlestone as ls
    >>> stream = ls.teachers.Disjunction(n=50, k=3, trials=2000, noise=0.05)
    >>> [(found.method, found.k) for found in comparators(stream, target=stream.target)][-2:]
    [('greedy', 3), ('given', 3)]
    """
    best = [best_disjunction(stream, time_limit=time_limit)] if exact else []
    given = [] if target is None else [attribute_errors(stream, target)]
    return [*greedy_path(stream), *given, *best]


def tightest(run: Run, comparators: Iterable[Comparator], *, terms: Sequence[tuple[int, ...]] | None = None) -> Verdict:
    """Return the smallest bound that the learner's guarantee gives on the stream of these comparators.

    Any comparator gives a valid bound, so the smallest of them is one too. With ``terms``, all labels are those of the
    monotone DNF with these terms, which a learner of DNF is held against.

    >>> import littlestone as ls
    >>> stream = ls.teachers.Disjunction(n=50, k=3, trials=2000, noise=0.05)
    >>> run = ls.play(ls.ThresholdedBEG(), stream)
    >>> verdict = tightest(run, ls.hindsight.greedy_path(stream))
    >>> verdict.bound.theorem, run.mistakes <= verdict.bound.value
    ('Helmbold et al., Theorem 5', True)
    """
    if run.guarantee is None:
        return Verdict(None, None, "no theorem is known for these parameters")
    guarantee = run.guarantee.example if isinstance(run.guarantee, OpenBound) else run.guarantee
    if guarantee.name == OF_EXPERTS:
        return Verdict(guarantee, None, None)  # it is about this very game
    best: tuple[Bound, Comparator] | None = None
    why = "no comparator was given"
    negated = run.played is not None and run.played.negations  # then every row has n literals on
    for comparator in comparators:
        found = on_stream(
            guarantee,
            k=comparator.k,
            attribute_errors=comparator.attribute_errors,
            X=comparator.n if negated else comparator.largest,
            losses=comparator.losses,
            squared_losses=comparator.squared_losses,
            mistakes=comparator.mistakes,
        )
        if isinstance(found, str):
            why = found
        elif best is None or found.value < best[0].value:
            best = found, comparator
    dnf = _of_terms(guarantee, terms)
    if dnf is not None and dnf.value == inf:
        why = f"{dnf.theorem} gives a number beyond the floats"
        dnf = None
    if dnf is not None and (best is None or dnf.value < best[0].value):
        return Verdict(dnf, None, None, terms=dnf.arguments["k"])
    return Verdict(*best, None) if best is not None else Verdict(None, None, why)


def _of_terms(guarantee: Bound, terms: Sequence[tuple[int, ...]] | None) -> Bound | None:
    """Return the bound against a DNF, if the guarantee is about them and every term is one of its conjunctions."""
    if terms is None or guarantee.name not in ("kernel_perceptron_dnf", "kernel_winnow_dnf"):
        return None
    largest = guarantee.arguments["max_size"]
    if largest is not None and any(len(term) > largest for term in terms):
        return None
    return guarantee.at(k=len(terms))
