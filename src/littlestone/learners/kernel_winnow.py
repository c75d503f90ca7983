"""Kernel Winnow: Winnow over all conjunctions of the attributes, exactly."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from math import inf, isfinite
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from littlestone import bounds
from littlestone.bounds import Bound
from littlestone.core.arrays import Floats
from littlestone.core.block import Block
from littlestone.core.errors import InvalidParameter, LittlestoneError, TooLarge
from littlestone.core.hypothesis import Hypothesis
from littlestone.core.labels import Labels
from littlestone.core.messages import Remedy
from littlestone.core.names import literal
from littlestone.core.parameters import anything, check_whole, choice, flag, number, seed_parameter, whole
from littlestone.core.rational import Number, conjunctions, ln, readable, simplest_fraction, whole_times
from littlestone.core.rows import NEGATED_AT_ONCE, Rows, one_row, parts
from littlestone.learners.base import Learner
from littlestone.machines.machine import Machine, of_kind
from littlestone.machines.sets.conjunctions import Conjunctions
from littlestone.machines.sets.mapped_winnow import Rules

__all__ = ["KernelWinnow"]

CAP = 1 << 18
MOST_LITERALS = 10_000  # the numbers of their subsets have as many bits
LARGER = Remedy("raise cap, bound max_size, or take {method}", learner=True, method="gibbs")
METHODS = ("exact", "gibbs")
BACKENDS = ("map", "local", None)


def _theta(owner: str, name: str, value: Any) -> Any:
    """Refuse what is no positive number; it may be larger than any float."""
    real = isinstance(value, int | float | Fraction | np.integer | np.floating) and not isinstance(value, bool)
    if not real or (isinstance(value, float | np.floating) and not isfinite(value)) or value <= 0:
        raise InvalidParameter(f"{owner}: {name} must be a number > 0, got {value!r}")
    return value


class KernelWinnow(Learner):
    """Winnow with a weight for every conjunction of attributes that is not empty: it learns DNF.

    Every conjunction has the weight 1 at first. The value of a row is the sum of the weights of all conjunctions that
    are true of it; predict 1 iff it is at least theta. On a mistake each of these weights is multiplied by alpha
    (promotion) or 1/alpha (demotion). There are 2^n - 1 conjunctions (with negations 3^n - 1) and none is written down:
    a sum over the intersections of the rows of mistakes gives the same number, exactly.

    Rows must be Boolean, and example weights whole numbers. A run of equal rows costs as much as one (not with gibbs).
    `value` gives the exact value of a row, `estimate` that of the sampler with its error, `heaviest` the DNF that the
    learner has come to believe, `sets` the size of the map (of "local" and "gibbs": the number of distinct rows kept).

    Bound
    -----
    On a DNF of k terms, all of them among the N conjunctions: ``alpha/(alpha-1) N/theta + k (alpha+1) (1 + log_alpha
    theta)`` mistakes, see `bounds.kernel_winnow_dnf`. To compute the value is #P-hard in general (Theorem 9); what it
    takes here is the number of intersections.

    Example
    -------
    >>> import numpy as np, littlestone as ls
    >>> learner = ls.KernelWinnow()
    >>> ls.play(learner, ls.teachers.DNF(n=12, k=2, trials=300, seed=1)).mistakes, learner.sets
    (33, 565)
    >>> learner.rule(2), learner.heaviest(1), learner.value(np.ones(12))
    ('x0 & x1 or x2 & x3', [((0, 1), Fraction(4096, 1))], Fraction(167603, 8))

    Reference
    ---------
    Khardon, Roth and Servedio, "Efficiency versus convergence of Boolean kernels for on-line learning algorithms",
    Journal of Artificial Intelligence Research 24 (2005); the map is not theirs.
    """

    domain = "Boolean"
    narrow = True
    alpha: Number = number(
        default=2, above=1, says="The promotion factor, taken as the simplest fraction that rounds to it."
    )
    theta: Number | None = anything(
        default=None, takes="number > 0", check=_theta, says="The threshold; None: the number of conjunctions."
    )
    monotone: bool = flag(
        default=True,
        says="Whether conjunctions are of attributes only; if not, of their negations too, and n must be known.",
    )
    max_size: int | None = whole(default=None, says="Only conjunctions of at most so many literals; None: all.")
    method: str = choice(
        default="exact",
        among=METHODS,
        says='"gibbs" estimates the values, by a telescoping product of means over sets drawn by a Gibbs sampler: for '
        "data on which the exact maps outgrow their cap. No theorem is claimed for it.",
    )
    cap: int = whole(default=CAP, says="The most elements of a map.")
    backend: str | None = choice(
        default=None,
        among=BACKENDS,
        says='"map": one map of all intersections, kept from trial to trial. "local": only the distinct rows of '
        "mistakes are kept, and a map inside the row is made to predict it. None: the map while it has at most "
        "cap elements (and a denominator of at most 4,096 bits), then local. The predictions are the same.",
    )
    sweeps: int = whole(
        default=400,
        least=20,
        says="Of the sampler: how often every literal is drawn anew in each of its stages (as many as net mistakes "
        "meet the row).",
    )
    seed: int = seed_parameter(
        says="Of the sampler: what is drawn depends on nothing but the seed and the trial's number."
    )

    def _check(self) -> None:
        if self.method == "gibbs" and self.max_size == 1:
            raise InvalidParameter(f"{self._owner}: max_size=1 is no work for a sampler; take method='exact'")
        self.monotone = bool(self.monotone)
        self.negations = not self.monotone

    @property
    def exchangeable(self) -> bool:  # type: ignore[override]
        """Whether permuting the attributes changes nothing else: what is drawn goes by their positions."""
        return self.method == "exact"

    def _needs_n(self) -> bool:
        return True

    def _build(self, n: int | None) -> Machine:
        literals = n or 0
        if literals > MOST_LITERALS:
            raise TooLarge(
                f"{self._owner}: expected at most {MOST_LITERALS:,} literals, got {literals:,}; choose attributes first"
            )
        gibbs = self.method == "gibbs"
        rules = Rules(
            self._owner, simplest_fraction(self.alpha), self._threshold(literals), self.cap,
            "local" if gibbs else self.backend, LARGER,
        )  # fmt: skip
        if gibbs:
            from littlestone.machines.sets.conjunctions import SampledConjunctions

            return SampledConjunctions(rules, literals, self.max_size, self.sweeps, self.seed)
        return Conjunctions(rules, literals, self.max_size)

    def _threshold(self, literals: int) -> Fraction:
        if self.theta is not None:
            return simplest_fraction(self.theta)
        kinds = 1 if self.monotone else 2
        return Fraction(conjunctions(literals // kinds, literals=kinds, max_size=self.max_size))

    def _bound(self, n: int, k: int, attribute_errors: int) -> Bound | None:
        if attribute_errors or self.method == "gibbs":
            return None
        kinds = 1 if self.monotone else 2
        return bounds.kernel_winnow_dnf(
            n=n // kinds, k=k, alpha=self.alpha, theta=self.theta, literals=kinds, max_size=self.max_size
        )

    def _check_weights(self, importance: Floats) -> None:
        whole_times(self._owner, importance, 0)

    def learn(self, X: Any, y: ArrayLike | None = None, *, weight: ArrayLike | None = None) -> NDArray[Any]:
        """Play each row in turn: predict, then update; return the predictions, in the caller's labels."""
        block, machine = Block.from_arrays(X), None if self._machine is None else of_kind(self._machine, Conjunctions)
        in_parts = self.negations and len(block) * (self._n or 0) > NEGATED_AT_ONCE
        kept = machine.kept() if in_parts and machine is not None else None
        try:
            return super().learn(block, y, weight=weight)
        except LittlestoneError:
            if kept is not None and machine is not None:
                machine.back(kept)  # the parts before
            raise

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the predictions of the rows of ``X``; nothing changes."""
        block, machine, n = self._asked(X)
        sets = of_kind(machine, Conjunctions)
        said = [sets.predict(rows) for rows, _ in parts(block, n if self.negations else None)]
        return (self._labels or Labels()).decode(np.concatenate([np.zeros(0, dtype=np.uint8), *said]))

    def hypothesis(self) -> Hypothesis | None:
        """None: a vote among conjunctions is no linear threshold function."""
        return None

    @property
    def sets(self) -> int:
        """The number of elements of the map; of the local backend and of gibbs, that of distinct rows that are kept."""
        if self._machine is None:
            return int(self.backend != "local" and self.method == "exact")
        return len(self._conjunctions())

    def value(self, x: Any) -> Fraction:
        """Return the sum of the weights of all conjunctions that are true of ``x``, given as to `learn_one`; exact."""
        machine, rows = self._row(x)
        return machine.value(machine.element(rows.indices, rows.values)).exact(machine.rules.alpha)

    def estimate(self, x: Any) -> tuple[float, float]:
        """Return the natural logarithm of the value of ``x`` and its standard error, 0 where it is exact."""
        machine, rows = self._row(x)
        element = machine.element(rows.indices, rows.values)
        if self.method == "gibbs":
            found: tuple[float, float] = machine.estimate(element)  # type: ignore[attr-defined]
            return found
        value = self.value(x)
        return (ln(value) if value else -inf), 0.0

    def heaviest(
        self, count: int = 10, *, size: int | None = None
    ) -> list[tuple[tuple[Hashable, ...], Fraction | float]]:
        """Return the heaviest conjunctions, by the names of their literals (else positions), with their weights.

        Left out are those with a part that weighs as much or more; with ``size``, all of exactly so many literals are
        compared. Equal weights go by size, then by positions; one of thousands of digits is a float.
        """
        alpha = self._conjunctions().rules.alpha
        named = [(tuple(map(self._literal, chosen)), net) for chosen, net in self._heaviest(count, size)]
        return [(literals, readable(alpha, net)) for literals, net in named]

    def rule(self, count: int = 10, *, size: int | None = None) -> str:
        """Return those of the `heaviest` conjunctions that weigh more than at first, as the text of a DNF."""
        found = [chosen for chosen, net in self._heaviest(count, size) if net > 0]
        return " or ".join(" & ".join(str(self._literal(i, "x")) for i in chosen) for chosen in found)

    def _heaviest(self, count: int, size: int | None) -> list[tuple[tuple[int, ...], int]]:
        machine, owner = self._conjunctions(), self._owner
        if size is not None:
            size = check_whole(owner, "size", size, most=min(machine.largest, self._n or 0))
        return machine.heaviest(check_whole(owner, "count", count), size, negations=self.negations)

    def _literal(self, i: int, unnamed: str = "") -> Hashable:
        """Return the name of a literal; ``unnamed`` goes before a position."""
        return literal(self._vocabulary, self._n, i, unnamed)

    def _row(self, x: Any) -> tuple[Conjunctions, Rows]:
        """Return the machine and one example as it takes it."""
        if isinstance(x, np.ndarray):
            block, machine, n = self._asked(one_row(x))
            rows = next(parts(block, n if self.negations else None))[0]
        else:
            machine, n = self._started(None, fix=False)
            _, rows, _ = self._named(x, n)
        return of_kind(machine, Conjunctions), rows

    def _conjunctions(self) -> Conjunctions:
        return of_kind(self._started(None, fix=False)[0], Conjunctions)
