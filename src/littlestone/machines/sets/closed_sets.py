"""Votes counted from a closure map over what the rows leave free: no disjunction is written down."""

from fractions import Fraction
from typing import ClassVar

import numpy as np

from littlestone.core.arrays import State
from littlestone.core.errors import InvalidModel, TooLarge
from littlestone.core.messages import Remedy
from littlestone.core.rational import decoded, encoded
from littlestone.machines.sets.closures import MAP, ClosureMap, Subsets, check_map, check_sets
from littlestone.machines.sets.extents import smallest_sum
from littlestone.machines.sets.votes import Vote, Voters, Voting
from littlestone.machines.sound import Kinds, Loaded, check_counts, need

__all__ = ["ClosedSets"]


class ClosedSets(Voters):
    """The closure map of all disjunctions: an error of those within ``free`` multiplies what is below it by beta."""

    kinds: ClassVar[Kinds] = {**MAP, "net": ("<i8", 1), "rows": ("|u1", 2)}

    def __init__(self, voting: Voting, n: int) -> None:
        super().__init__(voting, n)
        self._map = ClosureMap(Subsets(n, largest=voting.max_size), cap=voting.cap)
        self._total = self._map.numerator(self._top)
        self._net: dict[int, int] = {}  # errors, less the reverse, of the disjunctions within each free set

    def __len__(self) -> int:
        return len(self._map)

    def vote(self, free: int) -> Vote:
        """Count the votes: those within ``free`` say 0."""
        total, sums = self._total, self._map.sums(free) if self.voting.always else None
        ones = total - self._map.numerator(free, sums)
        if not 0 <= ones <= total or not total:
            raise InvalidModel(f"{self.voting.owner}: its weights are not those of a game; take another copy of it")
        return Vote(ones / total, lambda p, q: (ones * q - total * p, total * q), (total - ones, sums))

    def shift(self, free: int, by: int, vote: Vote) -> None:
        """Give ``by`` more errors to those that say 0."""
        voting = self.voting
        factor, (silent, sums) = voting.beta**by, vote.found
        try:
            self._map.add(free, factor, sums)
        except TooLarge:
            raise TooLarge(
                f"{voting.owner}: trial {int(self._counts[0])}: the map of closed sets would outgrow "
                f"cap={voting.cap:,}",
                Remedy("raise cap, bound max_size for a table, or take {policy}", learner=True, policy="mistakes"),
            ) from None
        self._total = self._total * factor.denominator + silent * (factor.numerator - factor.denominator)
        net = self._net.pop(free, 0) + by
        if net:
            self._net[free] = net

    def weight(self, disjunction: int) -> Fraction:
        """Return the share of the weight that one disjunction has."""
        if self.voting.max_size is not None and disjunction.bit_count() > self.voting.max_size:
            return Fraction(0)
        above = sum(c for closed, c in self._map.coefficients.items() if closed & disjunction == disjunction)
        return Fraction(above, self._total)

    def heaviest(self) -> int:
        """Return the disjunction of the fewest errors."""
        try:
            return smallest_sum(self._net, self.size, largest=self.voting.max_size)[0]
        except TooLarge:
            raise TooLarge(
                f"{self.voting.owner}: the most probable disjunction is one of too many; ask posterior(attributes) or "
                "marginals(), bound max_size, or take backend='table' where n allows it"
            ) from None

    def kept(self) -> tuple[dict[int, int], int, int, dict[int, int]]:
        """Return copies of all that an update changes."""
        return dict(self._map.coefficients), self._map.denominator, self._total, dict(self._net)

    def back(self, kept: tuple[dict[int, int], int, int, dict[int, int]]) -> None:
        """Return to what was kept."""
        self._map.coefficients, self._map.denominator, self._total, self._net = kept

    def state(self) -> State:
        """Return all that has been learned, as arrays; whole numbers of any size are rows of bytes."""
        closed = sorted(self._map.coefficients)
        return {
            "closed": encoded(closed),
            "coefficients": encoded(self._map.coefficients[J] for J in closed),
            "denominator": encoded([self._map.denominator]),
            "rows": encoded(self._net),
            "net": np.array(list(self._net.values()), dtype=np.int64),
            "counts": self._counts.copy(),
        }

    def restore(self, state: Loaded) -> None:
        """Go on from what `state` gave."""
        self._map.coefficients = dict(zip(decoded(state["closed"]), decoded(state["coefficients"]), strict=True))
        self._map.denominator = decoded(state["denominator"])[0]
        self._total = self._map.numerator(self._top)
        self._net = dict(zip(decoded(state["rows"]), state["net"].tolist(), strict=True))
        self._counts = state["counts"].copy()

    def check(self, state: Loaded) -> None:
        """Check sets of attributes, and a map of what they have in common that tells the same weights."""
        super().check(state)
        rows, nets = check_sets("rows", self.size, state), state["net"].tolist()
        closed = check_sets("closed", self.size, state)
        check_map(self._map.lattice, dict(zip(rows, nets, strict=False)), self.voting.beta, closed, state)
        need(len(rows) == len(nets) and all(nets), "a net number for each row")
        check_counts(state, 4)
