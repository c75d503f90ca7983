"""Winnow: the multiplicative learner that hardly minds attributes that do not matter."""

from __future__ import annotations

from math import inf, isclose, log
from typing import Self

from littlestone import bounds
from littlestone.bounds import Bound
from littlestone.core.errors import InvalidParameter
from littlestone.core.parameters import check_flag, check_whole, flag, number, promised, seed_parameter, whole
from littlestone.core.rational import Number
from littlestone.learners.quasi_additive import QuasiAdditiveLearner
from littlestone.machines.duals import Duals
from littlestone.machines.exponents import Exponents
from littlestone.machines.machine import Machine
from littlestone.machines.power_table import WinnowTable
from littlestone.parts import links
from littlestone.parts.links import Rule

__all__ = ["Winnow", "balanced_theta", "best_alpha"]


def balanced_theta(alpha: float) -> float:
    """Return Auer and Warmuth's threshold ``alpha ln(alpha) / (alpha^2 - 1)``: both kinds of mistake gain the same."""
    return alpha * log(alpha) / (alpha * alpha - 1.0)


def best_alpha(distance: float, attribute_errors: int, *, randomized: bool = False) -> float:
    """Return the alpha that minimises ``(alpha+1) (distance + A ln alpha) / ln alpha``, or alpha for alpha+1.

    It is where the derivative is 0: where ``ln alpha + (A/distance) ln(alpha)^2 = 1 + 1/alpha`` (or 1), whose left side
    rises from 0 and whose right side falls.

    >>> round(best_alpha(10.0, 0), 6), round(best_alpha(10.0, 100), 6), best_alpha(10.0, 0, randomized=True)
    (3.591121, 1.440025, 2.718281828459045)
    """
    if distance <= 0.0 and attribute_errors:
        return 2.0
    more, share = 0.0 if randomized else 1.0, attribute_errors / max(distance, 1.0)
    low, high = 1.0, 4.0  # with the most, without attribute errors, it is 3.59...
    while low < (middle := (low + high) / 2) < high:
        rate = log(middle)
        low, high = (middle, high) if rate + share * rate * rate < 1.0 + more / middle else (low, middle)
    return high


class Winnow(QuasiAdditiveLearner):
    """Multiply the weights it misses, divide those that misled it (Winnow2).

    Update on a mistake: ``w_i <- w_i alpha^x_i`` on a positive (promotion), ``w_i <- w_i demotion^x_i`` on a negative.
    Predict 1 iff ``w.x >= theta``.

    Values must not be negative. On Boolean rows the exponents are whole numbers and a score within 1e-12 of theta is
    decided exactly (a float parameter stands for the simplest fraction that rounds to it: 1.35 is 27/20); values
    other than 0 and 1, example weights and averaging go by floats.

    Bound
    -----
    On a disjunction of k attributes: promotions <= k ceil(log_alpha(theta/w1)), and the total weight limits the
    demotions, see `bounds.winnow_disjunction`; with alpha 2, theta n less than 3 k ceil(log2 n) + 2.

    Example
    -------
    >>> import littlestone as ls
    >>> run = ls.play(ls.Winnow(), ls.teachers.Disjunction(n=1000, k=3, trials=1000))
    >>> run.mistakes, run.guarantee.at(k=3).value
    (36, 91)

    Reference
    ---------
    Littlestone, "Learning quickly when irrelevant attributes abound", Machine Learning 2 (1988); Kivinen and Warmuth,
    COLT 1995 (whose example "Winnow is not additive" needs theta > 3).
    """

    domain = "non-negative"
    narrow = True
    alpha: Number = number(default=2.0, above=1, says="The promotion factor.")
    demotion: Number | None = number(
        default=None,
        above=0,
        below=1,
        ends="[)",
        says="The demotion factor; None: 1/alpha. With 0 a demoted attribute is out for good.",
    )
    theta: Number | None = number(default=None, above=0, says="The threshold; None: the number of coordinates.")
    w1: Number = number(default=1.0, above=0, says="The weight of every attribute before it is seen.")
    bias: bool = flag(default=False, says="Add a constant coordinate, learned like any other.")
    tie: int = whole(
        default=1,
        least=0,
        most=1,
        says="The prediction on equality: 1 in Kivinen and Warmuth, 0 in Helmbold, Panizza and Warmuth.",
    )
    randomized: bool = flag(
        default=False,
        says="Predict 1 with probability ``min(1, w.x/theta * alpha/(alpha+1))``, and update unless the prediction was "
        "certain and right. Halves the price of an attribute error in expectation; needs the demotion factor "
        "1/alpha.",
    )
    seed: int = seed_parameter()

    def _check(self) -> None:
        super()._check()
        if self.randomized and self.demotion is not None:
            raise InvalidParameter(
                f"{self._owner}: randomized needs the demotion factor 1/alpha (None), got {self.demotion!r}"
            )

    def _needs_n(self) -> bool:
        return self.theta is None

    def _resolved_theta(self, coordinates: int | None) -> Number:
        return (coordinates or 0) if self.theta is None else self.theta

    def _build(self, n: int | None) -> Machine:
        theta = self._resolved_theta(None if n is None else n + self.bias)
        alpha, down = float(self.alpha), -1.0
        if self.demotion is not None:
            down = log(self.demotion) / log(alpha) if self.demotion > 0 else -inf
        certain = float(theta) * (1.0 + 1.0 / alpha) if self.randomized else 0.0
        given = {**links.options_of(self), "theta": float(theta), "certain": certain, "seed": self.seed}
        rule = Rule(link=links.power(alpha, float(self.w1)), up=1.0, down=down, start=0.0, **given)
        if self.averaged or self.randomized:
            return Duals(rule, n)
        return Exponents(rule, WinnowTable(self.alpha, self.demotion, self.w1), theta=theta, margin=self.margin)

    def _bound(self, n: int, k: int, attribute_errors: int) -> Bound | None:
        theta, alpha, w1 = self._resolved_theta(n), float(self.alpha), float(self.w1)
        if self.randomized:  # the theorem is for the balanced threshold; weights in another unit change nothing
            unit = balanced_theta(alpha) / float(theta)
            return bounds.winnow_randomized(n=n, k=k, alpha=alpha, w1=w1 * unit, attribute_errors=attribute_errors)
        if self.demotion is None and isclose(float(theta), balanced_theta(alpha), rel_tol=1e-12):
            return bounds.winnow_attribute_errors(n=n, k=k, alpha=alpha, w1=w1, attribute_errors=attribute_errors)
        if self.tie == 0:
            return bounds.winnow_attribute_errors(
                n=n, k=k, alpha=alpha, w1=w1, attribute_errors=attribute_errors, theta=float(theta),
                demotion=None if self.demotion is None else float(self.demotion),
            )  # fmt: skip
        return bounds.winnow_disjunction(
            n=n, k=k, alpha=self.alpha, demotion=self.demotion, theta=theta, w1=self.w1,
            attribute_errors=attribute_errors,
        )  # fmt: skip

    @classmethod
    def for_disjunctions(
        cls, n: int, k: int, attribute_errors: int = 0, *, randomized: bool = False, seed: int = 0
    ) -> Self:
        """Return Winnow tuned for k-literal disjunctions over n attributes with at most that many attribute errors.

        Auer and Warmuth's threshold, the start w1 = k/n, and the alpha that makes the bound smallest; without errors
        3.59 k ln(n/k), about half of what alpha 3/2, theta n/k buy. Randomised, the bound is on the expected mistakes.

        >>> learner = Winnow.for_disjunctions(n=200, k=20)
        >>> round(learner.guarantee.value, 1), round(learner.guarantee.at(attribute_errors=10).value, 1)
        (165.4, 211.3)
        >>> print(Winnow.for_disjunctions(n=200, k=20, attribute_errors=10, randomized=True).guarantee)
        expected mistakes <= 150.152 if a disjunction of k = 20 attributes has at most 10 attribute errors
        (Auer-Warmuth, Winnow, randomised, derived)
        """
        n, k = check_whole("Winnow", "n", n), check_whole("Winnow", "k", k)
        errors = check_whole("Winnow", "attribute_errors", attribute_errors, least=0)
        if k > n:
            raise InvalidParameter(f"Winnow: k must be a whole number <= n={n}, got {k}")
        check_flag("Winnow", "randomized", randomized)
        alpha = best_alpha(k * log(n / k), errors, randomized=randomized)
        learner = cls(alpha=alpha, theta=balanced_theta(alpha), w1=k / n, tie=0, randomized=randomized, seed=seed)
        learner._promise = {"k": k, "attribute_errors": errors}
        return learner.begin(n)

    @classmethod
    def preset(cls, name: str, *, n: int | None = None, k: int | None = None) -> Self:
        """Return Winnow as a well-known system sets it: "snow", "lbjava" or "mallet".

        On disjunctions without noise all three keep the bound by promotions and total weight, once n is known:

        - "snow": alpha 1.35, demotion 0.8, theta 4, w1 0.2; the bound is n/4 + 27.5 k, linear in n;
        - "lbjava": alpha 2, theta 16, w1 1; n/8 + 12 k, linear in n;
        - "mallet": alpha 2, theta n/2, w1 1 (needs n); 3 k ceil(log2(n/2)) + 4, logarithmic.

        >>> [Winnow.preset(name, n=1000, k=3).guarantee.value for name in ("snow", "lbjava", "mallet")]
        [332, 160, 84]
        """
        known: dict[str, dict[str, Number]] = {
            "snow": {"alpha": 1.35, "demotion": 0.8, "theta": 4.0, "w1": 0.2},
            "lbjava": {"alpha": 2.0, "theta": 16.0},
            "mallet": {"alpha": 2.0},
        }
        if not isinstance(name, str) or name not in known:
            raise InvalidParameter(f"Winnow: preset must be one of {', '.join(known)}, got {name!r}")
        settings = known[name]
        if name == "mallet":
            if n is None:
                raise InvalidParameter("Winnow: the preset 'mallet' sets theta to n/2; give n=...")
            settings["theta"] = check_whole("Winnow", "n", n) / 2
        learner = cls(**settings)  # type: ignore[arg-type]
        learner._promise = promised("Winnow", k, inf if n is None else n)
        return learner if n is None else learner.begin(n)
