"""The experts of a pool, as its engine has them, and which of them stay when it is cut."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np

from littlestone.core.arrays import Bools, Floats, Ints
from littlestone.engine.learning import pool
from littlestone.parts.updates import Update

__all__ = ["Kind", "Roster", "given_0", "parameters", "staying"]


class Kind(NamedTuple):
    """An expert: the learner that it is, and what the engine has to know of it."""

    name: str
    rule: Update | int  # its learner's own; an int where the engine has it: Adagrad's loss
    numbers: tuple[float, ...]
    start: tuple[float, float] = (0.0, 1.0)
    of: int = pool.SECOND  # what it is


@dataclass(frozen=True)
class Roster:
    """The experts of a pool: those with two numbers an attribute, those with matrices, those on what the others say."""

    diagonal: tuple[Kind, ...]
    full: tuple[Kind, ...]
    combinations: tuple[Kind, ...]

    @cached_property
    def rules(self) -> tuple[Ints, Ints, Ints]:
        """The rules of all experts as the engine has them, in this process."""
        return _rules(self.diagonal), _rules(self.full), _rules(self.combinations)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.diagonal, self.full, self.combinations)  # without addresses

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    @property
    def single(self) -> int:
        """How many experts look at the rows themselves."""
        return len(self.diagonal) + len(self.full)

    @property
    def names(self) -> tuple[str, ...]:
        """The experts, in the order of their votes."""
        return tuple(kind.name for kind in (*self.diagonal, *self.full, *self.combinations))


def parameters(kinds: tuple[Kind, ...]) -> Floats:
    """Return the parameters of experts, a row each."""
    found = np.zeros((len(kinds), pool.MARGIN + 1))
    for row, kind in zip(found, kinds, strict=True):
        row[: len(kind.numbers)] = kind.numbers
    return found


def _rules(kinds: tuple[Kind, ...]) -> Ints:
    """Return the address of each rule and when it is asked, or the number that stands for it; what its expert is."""
    rules = [kind.rule for kind in kinds]
    found = [(rule, 0) if isinstance(rule, int) else (rule.address, rule.when) for rule in rules]
    return np.array([(*one, kind.of) for one, kind in zip(found, kinds, strict=True)], dtype=np.int64)


def staying(mu: Floats, sigma: Floats, best: int, groups: tuple[tuple[Bools, int], ...]) -> Ints:
    """Return the best expert, and those that a combination would miss most: the Gaussian is that of its weights.

    Of each group so many stay at most. Whose weight is the fewest standard deviations from 0 goes first; then the
    Gaussian is that of the others, given that this weight is 0.

    >>> everybody = np.array([True, True, True])
    >>> staying(np.array([3.0, 0.5, 1.0]), np.eye(3), 0, ((everybody, 2),))
    array([0, 2])
    """
    left = np.arange(len(mu))
    while True:
        crowded = np.zeros(len(left), dtype=np.bool_)
        for members, most in groups:
            crowded |= members[left] & (np.count_nonzero(members[left]) > most)
        crowded &= left != best
        if not crowded.any():
            return left
        variances = sigma.diagonal()
        far = np.where(variances > 0.0, mu * mu / np.where(variances > 0.0, variances, 1.0), 0.0)
        out = int(np.argmin(np.where(crowded, far, np.inf)))
        mu, sigma = given_0(mu, sigma, out)
        left = np.delete(left, out)


def given_0(mu: Floats, sigma: Floats, out: int) -> tuple[Floats, Floats]:
    """Return the Gaussian of all coordinates but ``out``, given that this one is 0.

    >>> given_0(np.array([1.0, 2.0]), np.array([[2.0, 1.0], [1.0, 4.0]]), 1)
    (array([0.5]), array([[1.75]]))
    """
    others = np.arange(len(mu)) != out
    along, variance, rest = sigma[others, out], sigma[out, out], sigma[np.ix_(others, others)]
    if not variance > 0.0:  # rounding has used it up
        return mu[others], rest
    return mu[others] - along * (mu[out] / variance), rest - np.outer(along, along / variance)
