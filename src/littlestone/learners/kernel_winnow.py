"""Kernel Winnow: Winnow over all conjunctions of the attributes, exactly."""

from __future__ import annotations

from fractions import Fraction
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from littlestone import bounds
from littlestone.bounds import Bound
from littlestone.bounds._numbers import conjunctions
from littlestone.engine.closures import Subsets
from littlestone.errors import InvalidParameter, TooLarge
from littlestone.learners._edge import Rows, check_block, negated, one_row, parts
from littlestone.learners._mapped_winnow import MappedWinnow, Rules
from littlestone.learners._parameters import check_flag, check_number, check_whole
from littlestone.learners._whole import decoded, encoded
from littlestone.learners.base import Learner
from littlestone.learners.machine import Floats, Hypothesis, Machine
from littlestone.rational import Number, simplest_fraction, times_powers

__all__ = ["KernelWinnow"]

CAP = 1 << 18
MOST_LITERALS = 10_000  # the numbers of their subsets have as many bits
METHODS = ("exact", "gibbs")
BACKENDS = (None, "map", "local")


class Conjunctions(MappedWinnow[int]):
    """All conjunctions of ``n`` literals; a row is the set of those that hold in it, as bits."""

    def __init__(self, rules: Rules, n: int, max_size: int | None) -> None:
        super().__init__(rules, Subsets(n, smallest=1, largest=max_size), n)

    def element(self, indices: NDArray[np.uint32], values: Floats) -> int:
        """Return the literals that hold, as bits."""
        del values  # all 1
        on = np.zeros(self.size, dtype=np.uint8)
        on[indices] = 1
        return int.from_bytes(np.packbits(on, bitorder="little").tobytes(), "little")

    def written(self, elements: list[int]) -> NDArray[Any]:
        """Return sets as rows of bytes."""
        return encoded(elements)

    def read(self, array: NDArray[Any]) -> list[int]:
        """Return sets from rows of bytes."""
        return decoded(array)

    def net(self, conjunction: int) -> int:
        """Return the exponent of alpha in the weight of one conjunction."""
        return sum(net for row, net in self.nets.items() if row & conjunction == conjunction)

    def weights(self, size: int) -> tuple[Floats, float]:
        """Return the weights of the conjunctions of one literal; one beyond the floats is the largest float."""
        alpha, one = self.rules.alpha, Fraction(1)
        weights = [times_powers(one, (alpha, self.net(1 << i))) for i in range(min(size, self.size))]
        return np.minimum(np.array(weights, dtype=np.float64), np.finfo(np.float64).max), 0.0


class KernelWinnow(Learner):
    """Winnow with a weight for every conjunction of attributes that is not empty: it learns DNF.

    Every conjunction has the weight 1 at first. The value of a row is the sum of the weights of all conjunctions that
    are true of it; predict 1 iff it is at least theta. On a mistake each of these weights is multiplied by alpha
    (promotion) or 1/alpha (demotion). There are 2^n - 1 conjunctions (with negations 3^n - 1) and none is written down:
    a sum over the intersections of the rows of mistakes gives the same number, exactly.

    Parameters
    ----------
    alpha : number > 1
        The promotion factor, taken as the simplest fraction that rounds to it.
    theta : number > 0, or None
        The threshold; None: the number of conjunctions.
    monotone : bool
        Whether conjunctions are of attributes only; if not, of their negations too, and n must be known.
    max_size : int >= 1, or None
        Only conjunctions of at most so many literals; None: all.
    cap : int
        The most elements of a map.
    backend : "map", "local" or None
        "map": one map of all intersections, kept from trial to trial. "local": only the distinct rows of mistakes are
        kept, and a map inside the row is made to predict it. None: the map while it has at most cap elements (and a
        denominator of at most 4,096 bits), then local. The predictions are the same.

    Rows must be Boolean, and example weights whole numbers. A run of equal rows costs as much as one. `value` gives the
    exact value of a row, `sets` the size of the map (of "local": the number of distinct rows kept).

    Bound
    -----
    On a DNF of k terms, all of them among the N conjunctions: ``alpha/(alpha-1) N/theta + k (alpha+1) (1 + log_alpha
    theta)`` mistakes, see `bounds.kernel_winnow_dnf`. To compute the value is #P-hard in general (Theorem 9); what it
    takes here is the number of intersections.

    Example
    -------
    >>> import numpy as np
    >>> from littlestone.learners import KernelWinnow
    >>> rng = np.random.default_rng(0)
    >>> X = rng.random((300, 12)) < 0.5
    >>> y = X[:, 0] & X[:, 1] | X[:, 2] & X[:, 3]
    >>> learner = KernelWinnow()
    >>> _ = learner.learn(X, y)
    >>> learner.mistakes, learner.sets, learner.value(np.ones(12, dtype=bool))
    (33, 328, Fraction(157483, 8))

    Reference
    ---------
    Khardon, Roth and Servedio, "Efficiency versus convergence of Boolean kernels for on-line learning algorithms",
    Journal of Artificial Intelligence Research 24 (2005); the map is not theirs.
    """

    domain = "Boolean"

    def __init__(
        self,
        *,
        alpha: Number = 2,
        theta: Number | None = None,
        monotone: bool = True,
        max_size: int | None = None,
        cap: int = CAP,
        backend: str | None = None,
    ) -> None:
        super().__init__()
        owner = self._owner
        check_number(owner, "alpha", alpha, above=1.0)
        if theta is not None:
            _check_theta(owner, theta)
        check_flag(owner, "monotone", monotone)
        if backend not in BACKENDS:
            raise InvalidParameter(f"{owner}: backend must be 'map', 'local' or None, got {backend!r}")
        self.alpha, self.theta, self.monotone = alpha, theta, bool(monotone)
        self.max_size = None if max_size is None else check_whole(owner, "max_size", max_size)
        self.cap, self.backend = check_whole(owner, "cap", cap), backend
        self.negations = not monotone

    def _needs_n(self) -> bool:
        return True

    def _build(self, n: int | None) -> Machine:
        literals = n or 0
        if literals > MOST_LITERALS:
            raise TooLarge(
                f"{self._owner}: expected at most {MOST_LITERALS:,} literals, got {literals:,}; choose attributes first"
            )
        rules = Rules(
            self._owner, simplest_fraction(self.alpha), self._threshold(literals), self.cap, self.backend,
            "raise cap, bound max_size, or take method='gibbs'",
        )  # fmt: skip
        return Conjunctions(rules, literals, self.max_size)

    def _threshold(self, literals: int) -> Fraction:
        if self.theta is not None:
            return simplest_fraction(self.theta)
        kinds = 1 if self.monotone else 2
        return Fraction(conjunctions(literals // kinds, literals=kinds, max_size=self.max_size))

    def _bound(self, n: int, k: int, attribute_errors: int) -> Bound | None:
        if attribute_errors:
            return None
        kinds = 1 if self.monotone else 2
        return bounds.kernel_winnow_dnf(
            n=n // kinds, k=k, alpha=self.alpha, theta=self.theta, literals=kinds, max_size=self.max_size
        )

    def hypothesis(self) -> Hypothesis | None:
        """None: a vote among conjunctions is no linear threshold function."""
        return None

    @property
    def sets(self) -> int:
        """The number of elements of the map; of the local backend, that of distinct rows that are kept."""
        return int(self.backend != "local") if self._machine is None else len(self._conjunctions())

    def value(self, x: Any) -> Fraction:
        """Return the sum of the weights of all conjunctions that are true of ``x``, given as to `learn_one`; exact."""
        machine, rows = self._row(x)
        return machine.value(machine.element(rows.indices, rows.values)).exact(machine.rules.alpha)

    def _row(self, x: Any) -> tuple[Conjunctions, Rows]:
        """Return the machine and one example as it takes it."""
        if isinstance(x, np.ndarray):
            block, _ = self._aligned(one_row(x))
            machine, n = self._started(block.n_attributes, fix=False)
            check_block(self._owner, block, n, self._domain(), self._most())
            rows = next(parts(block, n if self.negations else None))[0]
        else:
            machine, n = self._started(None, fix=False)
            _, rows, _ = self._named(x, n)
            if self.negations and n is not None:
                rows = negated(rows, n)
        assert isinstance(machine, Conjunctions)
        return machine, rows

    def _conjunctions(self) -> Conjunctions:
        machine, _ = self._started(None, fix=False)
        assert isinstance(machine, Conjunctions)
        return machine


def _check_theta(owner: str, theta: Any) -> None:
    """Refuse what is no positive number; it may be larger than any float."""
    number = isinstance(theta, int | float | Fraction | np.integer | np.floating) and not isinstance(theta, bool)
    if not number or (isinstance(theta, float | np.floating) and not isfinite(theta)) or theta <= 0:
        raise InvalidParameter(f"{owner}: theta must be a number > 0, got {theta!r}")
