"""Growing Winnow: Winnow that begins with single attributes and adds conjunctions of them as it needs them."""

from __future__ import annotations

from collections.abc import Hashable
from math import floor, log, log10

from littlestone.core.arrays import Floats
from littlestone.core.errors import InvalidParameter
from littlestone.core.hypothesis import Hypothesis
from littlestone.core.names import literal
from littlestone.core.parameters import check_whole, flag, number, whole
from littlestone.core.rational import Number, whole_times
from littlestone.engine.learning import growing as engine
from littlestone.learners.base import Learner
from littlestone.machines.growing import BAND, MOST_CONJUNCTIONS, Growing
from littlestone.machines.machine import Machine, of_kind

__all__ = ["GrowingWinnow"]

LEAST_ALPHA = 1.00001  # exponents are numbers of 32 bits
LARGEST_POWER = 200  # of ten: weights stay between 1e-200 and 1e200
MOST_MEMBERS, MOST_CANDIDATES, MOST_REMEMBERED = 64, 4096, 1 << 16


class GrowingWinnow(Learner):
    """Winnow over the attributes and over conjunctions of them that are added during the game: it learns sparse DNF.

    Features are the attributes, each of weight 1 at first, and at most ``budget`` conjunctions, none at first. Predict
    1 iff the weights of the features that are true sum to at least theta; a sum within 1e-12 of theta, relatively,
    counts as equal. On a mistake these weights are multiplied by alpha (promotion) or 1/alpha (demotion). After a
    promotion at most one conjunction is added, made of the heaviest attributes of the row:

    - the *net* of a conjunction is the number of promotions less that of demotions, among the mistakes that are
      remembered, in which it was true: how much its weight would have grown;
    - begin with the pair of the largest net, if it is positive; add the attribute that raises the net most, while one
      does and there are fewer than ``max_size``;
    - if this is not a feature yet, it becomes one, of weight ``alpha^net theta/budget`` (its exponent rounded down to a
      whole one), but at most theta. With the budget spent it takes the place of the lightest conjunction, if that is
      lighter.

    All new conjunctions together weigh at first no more than theta, but for what they have earned.

    Rows must be Boolean, and example weights whole numbers. A trial costs the attributes that are on, and those
    conjunctions of which the rarest attribute is on; a promotion about candidates^2 memory / 128 steps more.

    `heaviest` gives the heaviest features, `rule` the DNF that they make; `conjunctions` says how many there are.

    Bound
    -----
    None: no theorem says that the terms will be found. Where more than ``candidates`` attributes are on, a term is
    found only if its attributes are among the heaviest: whether x0 equals x1, which neither tells alone, is not found
    by 64 candidates among 1,000 attributes and their negations, but is by 512.

    Example
    -------
    >>> import littlestone as ls
    >>> from littlestone.learners import GrowingWinnow
    >>> stream = ls.teachers.DNF(n=200, k=3, size=3, trials=5000)
    >>> learner = GrowingWinnow()
    >>> ls.play(learner, stream).mistakes, ls.play(ls.Winnow(), stream).mistakes
    (104, 1672)
    >>> learner.rule(3)
    'x3 & x4 & x5 or x6 & x7 & x8 or x0 & x1 & x2'

    Reference
    ---------
    DNF as Winnow over conjunctions: Kivinen and Warmuth, COLT 1995, Section 1. How they are added is of this package;
    `KernelWinnow` has all of them from the start.
    """

    domain = "Boolean"
    narrow = True
    exchangeable = False  # of equal attributes the first is taken
    alpha: Number = number(
        default=2.0,
        above=LEAST_ALPHA,
        ends="[)",
        says="The promotion factor; demotion divides by it. Weights stay between 1e-200 and 1e200.",
    )
    theta: Number | None = number(
        default=None, above=0, says="The threshold; None: the number of attributes (with negations: twice as many)."
    )
    budget: int = whole(default=1000, most=MOST_CONJUNCTIONS, says="The most conjunctions.")
    max_size: int = whole(default=8, least=2, most=MOST_MEMBERS, says="The most attributes of a conjunction.")
    candidates: int = whole(
        default=64,
        least=2,
        most=MOST_CANDIDATES,
        says="Of how many attributes of a row, the heaviest, conjunctions are made.",
    )
    memory: int = whole(
        default=512,
        least=64,
        most=MOST_REMEMBERED,
        says="How many mistakes are remembered, a multiple of 64; the oldest 64 are forgotten at once.",
    )
    negations: bool = flag(default=False, says="Learn from (x, 1 - x); n must be known.")

    def _check(self) -> None:
        self.negations = bool(self.negations)
        if self.memory % 64:
            raise InvalidParameter(f"{self._owner}: memory must be a multiple of 64, got {self.memory}")

    def _needs_n(self) -> bool:
        return self.theta is None

    def _build(self, n: int | None) -> Machine:
        theta, alpha = float((n or 0) if self.theta is None else self.theta), float(self.alpha)
        furthest = floor(LARGEST_POWER / log10(alpha))
        limits = engine.Limits(
            alpha=alpha, theta=theta * (1.0 - BAND), lowest=-furthest, highest=furthest,
            newcomer=largest_exponent(alpha, theta / self.budget), most=largest_exponent(alpha, theta),
            candidates=self.candidates,
        )  # fmt: skip
        return Growing(self._owner, theta, limits, self.budget, self.max_size, self.memory)

    def _check_weights(self, importance: Floats) -> None:
        whole_times(self._owner, importance, 0)

    def hypothesis(self) -> Hypothesis | None:
        """None: a vote among conjunctions is no linear threshold function."""
        return None

    @property
    def conjunctions(self) -> int:
        """How many conjunctions there are."""
        return self._growing().used if self._machine else 0

    @property
    def introduced(self) -> int:
        """How many conjunctions have been added so far, those that have been replaced among them."""
        return self._growing().introduced if self._machine else 0

    def heaviest(self, count: int = 10, *, size: int | None = None) -> list[tuple[tuple[Hashable, ...], float]]:
        """Return the heaviest features, by the names of their attributes (else positions), with their weights.

        Single attributes are among them; with ``size``, only those of exactly so many. Equal weights go by size, then
        by positions.
        """
        return [(tuple(map(self._literal, members)), w) for members, w in self._heaviest(count, size)]

    def rule(self, count: int = 10, *, size: int | None = None) -> str:
        """Return the `heaviest` features that weigh more than an attribute does at first, as the text of a DNF."""
        return " or ".join(
            " & ".join(str(self._literal(i, "x")) for i in members)
            for members, weight in self._heaviest(count, size)
            if weight > 1.0
        )

    def _heaviest(self, count: int, size: int | None) -> list[tuple[tuple[int, ...], float]]:
        count = check_whole(self._owner, "count", count)
        if size is not None:
            size = check_whole(self._owner, "size", size, most=self.max_size)
        machine = self._growing()
        spoken = len(self.coordinates()[0])
        found = [(members, w) for members, w in machine.features(spoken) if size is None or len(members) == size]
        found.sort(key=lambda feature: (-feature[1], len(feature[0]), feature[0]))
        return found[:count]

    def _literal(self, i: int, unnamed: str = "") -> Hashable:
        """Return the name of an attribute or its negation; ``unnamed`` goes before a position."""
        return literal(self._vocabulary, self._n if self.negations else None, i, unnamed)

    def _growing(self) -> Growing:
        return of_kind(self._started(None, fix=False)[0], Growing)


def largest_exponent(alpha: float, bound: float) -> int:
    """Return the largest whole exponent with alpha^exponent <= bound, in floats.

    >>> [largest_exponent(2.0, bound) for bound in (0.3, 1.0, 8.0, 9.0)]
    [-2, 0, 3, 3]
    """
    exponent = floor(log(bound) / log(alpha))  # but for rounding, which is a step or two
    while alpha ** (exponent + 1) <= bound:
        exponent += 1
    while alpha**exponent > bound:
        exponent -= 1
    return exponent
