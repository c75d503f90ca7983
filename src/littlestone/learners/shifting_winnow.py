"""Winnow with a floor under its weights: for disjunctions that change."""

from __future__ import annotations

from math import exp, log
from typing import Self

from littlestone import bounds
from littlestone.bounds import Bound
from littlestone.core.arrays import Floats
from littlestone.core.errors import InvalidParameter
from littlestone.core.parameters import check_whole, number
from littlestone.learners.base import Learner
from littlestone.machines.machine import Machine
from littlestone.machines.stepping import Floored

__all__ = ["ShiftingWinnow"]


class ShiftingWinnow(Learner):
    """Winnow whose weights never fall below a floor, so that any attribute can come back soon.

    Update on a mistake: ``w_i <- w_i alpha^x_i`` on a positive, ``w_i <- max(w_i demotion^x_i, floor)`` on a negative.
    Predict 1 iff ``w.x >= theta``.

    Values must not be negative. Weights go by floats. An example's weight is the power to which its factor is raised.

    Bound
    -----
    Let the target be a disjunction of k attributes at first, and so many be ``added`` and ``removed`` as it changes:
    the mistakes are at most a constant times k ln n + added ln(theta/floor) + removed + A, with A attribute errors;
    see `bounds.shifting_winnow`; ``guarantee.at(k=2)`` for no change, ``guarantee.at(k=2, added=3, removed=3)`` else.

    Example
    -------
    >>> import littlestone as ls
    >>> from littlestone.learners import ShiftingWinnow
    >>> stream = ls.teachers.Shifting(n=100, k=2, every=500, trials=5000)
    >>> learner = ShiftingWinnow()
    >>> ls.play(ls.Winnow(), stream).mistakes, ls.play(learner, stream).mistakes
    (367, 280)
    >>> round(learner.guarantee.at(k=2, added=18, removed=18).value)
    679

    Reference
    ---------
    Auer and Warmuth, "Tracking the best disjunction", Machine Learning 32 (1998).
    """

    domain = "non-negative"
    narrow = True
    alpha: float = number(default=2.0, above=1, says="The promotion factor.")
    demotion: float | None = number(default=None, above=0, below=1, says="The demotion factor; None: 1/alpha.")
    theta: float | None = number(default=None, above=0, says="The threshold; None: the number of attributes.")
    w1: float = number(
        default=1.0, above=0, says="The weight of every attribute before it is seen, at least the floor."
    )
    floor: float | None = number(
        default=None, above=0, says="The least weight; None: a tenth of theta/n. The theorem needs n floor < theta."
    )

    def _check(self) -> None:
        if self.floor is not None and self.floor > self.w1:
            raise InvalidParameter(f"{self._owner}: floor must be at most w1={self.w1}, got {self.floor!r}")

    def _needs_n(self) -> bool:
        return self.theta is None or self.floor is None

    def _resolved(self, n: int | None) -> dict[str, float]:
        """Return the parameters as numbers."""
        theta = float(n or 0) if self.theta is None else float(self.theta)
        floor = min(0.1 * theta / (n or 1), float(self.w1)) if self.floor is None else float(self.floor)
        demotion = 1.0 / float(self.alpha) if self.demotion is None else float(self.demotion)
        return {
            "theta": theta, "alpha": float(self.alpha), "demotion": demotion, "floor": floor, "w1": float(self.w1)
        }  # fmt: skip

    def _build(self, n: int | None) -> Machine:
        return Floored(**self._resolved(n))

    def _bound(self, n: int, k: int, attribute_errors: int) -> Bound | None:
        numbers = self._resolved(n)
        if n * numbers["floor"] >= numbers["theta"]:
            return None
        added, removed = (int(self._promise.get(name, 0)) for name in ("added", "removed"))
        return bounds.shifting_winnow(
            n=n, k=k, **numbers, added=added, removed=removed, attribute_errors=attribute_errors
        )

    @classmethod
    def for_shifts(cls, n: int, k: int, added: int, removed: int | None = None, attribute_errors: int = 0) -> Self:
        """Return the learner with the alpha, w1 and floor that make its bound smallest; removed None: as added.

        >>> learner = ShiftingWinnow.for_shifts(n=100, k=2, added=18)
        >>> usual = ShiftingWinnow().begin(100)
        >>> round(learner.guarantee.value), round(usual.guarantee.at(k=2, added=18, removed=18).value)
        (596, 679)
        """
        from scipy.optimize import minimize

        owner = "ShiftingWinnow"
        n, k = check_whole(owner, "n", n), check_whole(owner, "k", k, most=n)
        added = check_whole(owner, "added", added, least=0)
        removed = added if removed is None else check_whole(owner, "removed", removed, least=0)
        errors = check_whole(owner, "attribute_errors", attribute_errors, least=0)
        changes = {"added": added, "removed": removed, "attribute_errors": errors}

        def settings(point: Floats) -> dict[str, float]:
            alpha, share = 1.0 + exp(min(point[0], 3.0)), 1.0 / (1.0 + exp(-point[1]))
            size = bounds.auer_warmuth.comparator(alpha, 1.0 / alpha, 1.0, share)
            return {"alpha": alpha, "theta": 1.0, "floor": share / n, "w1": max(k * size, share) / n}

        def price(point: Floats) -> float:
            return bounds.THEOREMS["shifting_winnow"](n=n, k=k, **settings(point), **changes).value

        options = {"xatol": 1e-6, "fatol": 1e-9}
        found = minimize(price, (log(1.5), -2.0), method="Nelder-Mead", options=options)
        learner = cls(**settings(found.x))
        learner._promise = {"k": k, **changes}
        return learner.begin(n)
