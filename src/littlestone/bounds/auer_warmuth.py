"""Winnow with floored weights on disjunctions that change (Auer and Warmuth)."""

from __future__ import annotations

from math import inf, log

from littlestone.bounds.bound import check, theorem

__all__ = ["comparator", "shifting_winnow"]

SOURCE = "Auer and Warmuth, Tracking the best disjunction, Machine Learning 32, 1998"


def comparator(alpha: float, demotion: float, theta: float, lifted: float) -> float:
    """Return the weight c of a relevant attribute, for which both kinds of mistake gain the same.

    ``c ln alpha = (alpha - 1) theta + (1 - demotion) (theta - lifted)``, where lifted is n floor.
    """
    return ((alpha - 1.0) * theta + (1.0 - demotion) * (theta - lifted)) / log(alpha)


@theorem(
    "Auer-Warmuth, shifting",
    formula=(
        r"\frac{k \left(c \ln\frac{c}{w_1} - c\right) + n w_1 + k_+ a + k_- b + A c m}{(1 - "
        r"\beta)(\theta - n w_0)}"
    ),
    where=(
        r"c = \frac{(\alpha - 1) \theta + (1 - \beta)(\theta - n w_0)}{\ln \alpha}",
        r"a = \max\left(0, c \ln\frac{c}{w_0} - c\right)",
        r"b = \max\left(0, c + c \ln\frac{\max(\alpha \theta, w_1)}{c}\right)",
        r"m = \max\left(\ln \alpha, \ln\frac{1}{\beta}\right)",
    ),
    symbols={
        "k": ("k", "the attributes of the target at first"),
        "added": ("k_+", "the attributes that are added to it"),
        "removed": ("k_-", "the attributes that are removed from it"),
        "floor": ("w_0", "the floor, below which no weight falls"),
    },
    usual={"demotion": r"\frac{1}{\alpha}", "theta": "n"},
    source=SOURCE,
    assumptions="x in {0,1}^n; the target is a monotone disjunction, of k attributes at first, to which over the game "
    "so many are added and from which so many are removed; at most A attribute errors on the mistakes; w1 >= floor, "
    "n floor < theta",
    target="changing disjunction",
    derived=True,
    not_negative="added removed",
)
def shifting_winnow(
    *, n: int, k: int, added: int = 0, removed: int = 0, alpha: float = 2.0, demotion: float | None = None,
    theta: float | None = None, w1: float = 1.0, floor: float, attribute_errors: int = 0,
) -> float:  # fmt: skip
    """``M <= (k (c ln(c/w1) - c) + n w1 + added a + removed b + A c m) / ((1-demotion)(theta - n floor))``.

    With ``a = c ln(c/floor) - c``, ``b = c + c ln(max(alpha theta, w1)/c)``, both at least 0, ``m = max(ln alpha,
    ln(1/demotion))`` and c as in `comparator`; demotion None: 1/alpha, theta None: n. The proof: let u be c on the
    target, 0 elsewhere, and ``D = sum u ln(u/w) + w - u``. A promotion adds at most (alpha-1) theta to the weights and
    raises a relevant one, a demotion takes at least (1-demotion)(theta - n floor) away, for the floor lifts no weight
    by more than (1-demotion) floor: D falls by that much with each mistake, an attribute error costs at most c m; a
    weight is between the floor and max(alpha theta, w1), so an attribute that is added raises D by at most a, one that
    is removed by at most b.

    >>> [round(shifting_winnow(n=100, k=2, floor=0.1, added=added, removed=added).value) for added in (0, 1)]
    [43, 78]
    """
    owner = "shifting_winnow"
    check(n >= 1 and 0 <= k <= n, owner, "n >= 1 and 0 <= k <= n", f"k={k}, n={n}")
    check(alpha > 1.0, owner, "alpha > 1", f"alpha={alpha}")
    d = 1.0 / alpha if demotion is None else demotion
    t = float(n) if theta is None else theta
    check(0.0 < d < 1.0, owner, "0 < demotion < 1", f"demotion={demotion}")
    check(0.0 < floor <= w1, owner, "0 < floor <= w1", f"floor={floor}, w1={w1}")
    check(n * floor < t, owner, "n floor < theta", f"n={n}, floor={floor}, theta={t}")
    c = comparator(alpha, d, t, n * floor)
    if not 0.0 < c < inf:
        return inf
    start = max(0.0, (k * c * (log(c) - log(w1) - 1.0) if k else 0.0) + n * w1)
    add = max(0.0, c * (log(c) - log(floor) - 1.0))
    remove = max(0.0, c * (1.0 + log(max(alpha * t, w1)) - log(c)))
    noise = attribute_errors * c * max(log(alpha), -log(d))
    return (start + added * add + removed * remove + noise) / ((1.0 - d) * (t - n * floor))
