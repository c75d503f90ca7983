"""Learners that keep a weight for every disjunction, directly: what Weighted Majority and Bayes share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterable
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from littlestone.core.errors import InvalidData, TooLarge
from littlestone.core.hypothesis import Hypothesis
from littlestone.core.messages import Remedy
from littlestone.core.parameters import choice, whole
from littlestone.learners.base import Learner
from littlestone.machines.machine import Machine, of_kind
from littlestone.machines.sets.votes import Voters, Voting

__all__ = ["CAP", "Direct"]

MOST_BITS = 4096  # of a fraction's denominator
CAP = 1 << 18
MOST_IN_MAP = 10_000  # attributes: the numbers of subsets have as many bits


def _readable(probability: Fraction) -> Fraction | float:
    """Return a probability that can be printed: Python writes down no whole number of more than 4,300 digits."""
    return probability if probability.denominator.bit_length() < MOST_BITS else float(probability)


class Direct(Learner):
    """A learner that weighs all monotone disjunctions, the empty one too, by beta^errors."""

    domain = "Boolean"

    max_size: int | None = whole(
        default=None, least=0, says="Only disjunctions of at most so many attributes; None: all."
    )
    policy: str = choice(
        default="always",
        among=("mistakes", "always"),
        says="Update on every trial, as Bayes does, or only on the learner's own mistakes.",
    )
    tie: int = whole(default=1, least=0, most=1, says="The prediction where both sides weigh the same.")
    cap: int = whole(
        default=CAP, says="The most closed sets that the map may keep; a block that needs more is refused as a whole."
    )
    backend: str | None = choice(
        default=None,
        among=("table", "map", None),
        says="A table of all disjunctions' errors (up to 22 attributes; with a max_size, as many disjunctions), or the "
        "closure map, whose size depends on the rows: small where they are dense. They predict the same; None: "
        "the table where it fits.",
    )

    @abstractmethod
    def _beta(self) -> Fraction:
        """Return what an error costs."""

    def _needs_n(self) -> bool:
        return True

    def _build(self, n: int | None) -> Machine:
        # Here, so that whoever plays with other learners does not wait for these.
        from littlestone.machines.sets.closed_sets import ClosedSets
        from littlestone.machines.sets.error_table import LARGEST_TABLE, ErrorTable, table_size

        coins = {name: getattr(self, name) for name in ("randomized", "seed") if hasattr(self, name)}
        voting = Voting(
            self._owner, self._beta(), self.max_size, self.policy == "always", self.tie, cap=self.cap, **coins
        )
        n = n or 0
        fits = table_size(n, self.max_size) is not None
        if self.backend == "table" and not fits:
            raise TooLarge(
                f"{self._owner}: a table takes at most {LARGEST_TABLE:,} disjunctions, all of 22 attributes; with "
                f"n={n} and max_size={self.max_size} there are more",
                Remedy("take {backend}, or a smaller max_size", learner=True, backend="map"),
            )
        if fits and self.backend != "map":  # at 22 attributes still faster than the map, and never refused
            return ErrorTable(voting, n)
        if n > MOST_IN_MAP:
            raise TooLarge(
                f"{self._owner}: a map takes at most {MOST_IN_MAP:,} attributes, got n={n}; choose attributes "
                "first, or take an indirect learner, such as ThresholdedBEG"
            )
        return ClosedSets(voting, n)

    def hypothesis(self) -> Hypothesis | None:
        """None: a vote among disjunctions is no linear threshold function."""
        return None

    def weights(self) -> dict[Hashable, float]:
        """Return the probability, by weight, that each attribute is in the disjunction; see `marginals`."""
        return super().weights()

    def marginals(self) -> NDArray[np.float64]:
        """Return the probability of each attribute: the share of the weight that has it in the disjunction."""
        voters = self._voters()
        return voters.weights(voters.size)[0]

    def posterior(self, attributes: Iterable[Hashable]) -> Fraction | float:
        """Return the probability of one disjunction, given by the names of its attributes (else their positions).

        It is exact; after a game so long that it has thousands of digits, the float nearest to it.
        """
        voters = self._voters()
        if isinstance(attributes, str) or not isinstance(attributes, Iterable):
            raise InvalidData(f"{self._owner}: posterior: expected several attributes, got {attributes!r}")
        disjunction = 0
        for attribute in attributes:
            if not isinstance(attribute, Hashable):
                raise InvalidData(f"{self._owner}: posterior: expected names or positions, got {attribute!r}")
            column = attribute if self._vocabulary is None else self._vocabulary.column(attribute)
            if not isinstance(column, int | np.integer) or not 0 <= column < voters.size:
                known = "one of its names" if self._vocabulary is not None else f"a position below {voters.size}"
                raise InvalidData(f"{self._owner}: posterior: expected {known}, got {attribute!r}")
            disjunction |= 1 << int(column)
        return _readable(voters.weight(disjunction))

    def most_probable(self) -> tuple[tuple[Hashable, ...], Fraction | float]:
        """Return the most probable disjunction and its probability, as `posterior` gives it.

        Of equally probable ones it is that of the fewest attributes, then of the smallest positions. In a table this is
        a look; with the map it is a search, which is refused where it would take too long.
        """
        voters = self._voters()
        best = voters.heaviest()
        columns = [i for i in range(voters.size) if best >> i & 1]
        words = self._vocabulary
        return tuple(i if words is None else words.name(i) for i in columns), _readable(voters.weight(best))

    def _voters(self) -> Voters:
        return of_kind(self._started(None, fix=False)[0], Voters)
