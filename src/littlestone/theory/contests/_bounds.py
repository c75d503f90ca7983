"""The bounds beside the counts of a contest: one search with hindsight for all learners and all games."""

from __future__ import annotations

from dataclasses import replace

from littlestone.core.errors import InvalidParameter, LittlestoneError, TooLarge
from littlestone.core.messages import Message, Remedy
from littlestone.games.run import Run
from littlestone.streams import Stream
from littlestone.teachers import disjunction_of
from littlestone.theory.hindsight import Comparator, Verdict, comparators, tightest

__all__ = ["Judge"]

MOST_NONZEROS = 20_000_000  # a greedy search beyond it would take longer than the games
WAYS = ("auto", "greedy", "exact", "none")


class Judge:
    """The disjunctions that runs are held against, or why there are none."""

    def __init__(self, stream: Stream, how: str, time_limit: float | None) -> None:
        if how not in WAYS:
            raise InvalidParameter(f"contest: hindsight must be one of {', '.join(WAYS)}, got {how!r}")
        self.how, self.time_limit = how, 60.0 if time_limit is None else time_limit
        self.target, self.terms = disjunction_of(stream), stream.terms
        self.found: list[Comparator] = []
        self.why: Message | None = None

    def search(self, source: Stream, nonzeros: int) -> None:
        """Look for disjunctions, unless that would take too long, or again more than a pipe can give."""
        if self.how == "none":
            self.why = Message("no disjunction was looked for", Remedy("{hindsight} asks for none", hindsight="none"))
        elif not source.again:
            self.why = Message("the rows came through a pipe and cannot be read again to look for a disjunction")
        elif self.how == "auto" and nonzeros > MOST_NONZEROS:
            self.why = Message(
                f"no disjunction was looked for among more than {MOST_NONZEROS:,} active attributes, which takes long",
                Remedy("{hindsight} does", hindsight="greedy"),
            )
        else:
            try:
                exact = self.how == "exact"
                self.found = comparators(source, target=self.target, exact=exact, time_limit=self.time_limit)
            except TooLarge:
                raise
            except LittlestoneError as error:
                self.why = error.message

    @property
    def best(self) -> Comparator | None:
        """The disjunction with the fewest attribute errors."""
        return min(self.found, key=lambda one: (one.attribute_errors, one.lower is None, one.k), default=None)

    def verdict(self, run: Run) -> Verdict:
        """Return the smallest bound that had to hold, or why there is none."""
        found = tightest(run, self.found, terms=self.terms)
        if self.why is not None and run.guarantee is not None and found.bound is None:
            return replace(found, why_not=self.why)
        return found
