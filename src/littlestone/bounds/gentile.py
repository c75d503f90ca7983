"""The bounds of the p-norm algorithms (Grove, Littlestone and Schuurmans; Gentile) and of Gentile's ALMA."""

from __future__ import annotations

from math import sqrt

from littlestone.bounds.agarwal import hinge_form
from littlestone.bounds.bound import SPARSE, check, theorem
from littlestone.bounds.cesa_bianchi_long_warmuth import LOSS, C, loss_bound

__all__ = [
    "alma_disjunction",
    "alma_margin",
    "p_norm_disjunction",
    "p_norm_losses",
    "p_norm_margin",
    "p_norm_regression",
]

SOURCE = (
    "Grove, Littlestone and Schuurmans, General convergence results for linear discriminant updates, 2001; "
    "Gentile, The robustness of the p-norm algorithms, 2003"
)
ALMA = "Gentile, A new approximate maximal margin classification algorithm, JMLR 2, 2001"


P_NORMS = {
    "norm": (r"\lVert u \rVert_q", "the q-norm of u, 1/p + 1/q = 1"),
    "radius": ("R", "the largest p-norm of a row"),
}
OF_ALMA = {
    "alpha": (r"\alpha", "the part of the largest margin that is sought, 1 for all of it"),
    "B": ("B", "the learner's parameter B"),
}
WIDTH = {"B": r"\frac{1}{\alpha}"}


@theorem(
    "Gentile, p-norm",
    formula=r"(p - 1) \frac{R^2 \lVert u \rVert_q^2}{\gamma^2}",
    symbols=P_NORMS,
    source=SOURCE,
    assumptions="some u has y (u.x) >= gamma on every trial; |x|_p <= R; zero start, theta 0",
    positive="gamma",
    not_negative="radius norm",
)
def p_norm_margin(*, p: float, radius: float, norm: float, gamma: float) -> float:
    """``M <= (p-1) R^2 |u|_q^2 / gamma^2`` with q = p/(p-1); p = 2 is the Perceptron's bound.

    >>> p_norm_margin(p=2, radius=3.0, norm=1.0, gamma=0.5).value
    36.0
    """
    check(p >= 2.0, "p_norm_margin", "p >= 2", f"p={p}")
    return (p - 1.0) * (radius * norm / gamma) ** 2


@theorem(
    "Gentile, p-norm, hinge loss",
    formula=r"\left(\frac{B + \sqrt{B^2 + 4 \gamma L}}{2 \gamma}\right)^2",
    where=(r"B = R \lVert u \rVert_q \sqrt{p - 1}",),
    symbols=P_NORMS,
    source=SOURCE,
    assumptions="any u and gamma > 0; loss is the sum of (gamma - y u.x)+ over the trials with a mistake; |x|_p <= R; "
    "zero start, theta 0",
    derived=True,
    positive="gamma",
    not_negative="radius norm loss",
)
def p_norm_losses(*, p: float, radius: float, norm: float, gamma: float, loss: float) -> float:
    """``M <= ((B + sqrt(B^2 + 4 gamma loss)) / (2 gamma))^2`` with ``B = R |u|_q sqrt(p-1)``; p = 2 is the Perceptron.

    Over the mistakes the sum of y (u.x) is at least gamma M - loss, and at most B sqrt(M); solved for M.

    >>> p_norm_losses(p=2, radius=3.0, norm=1.0, gamma=0.5, loss=0.0).value
    36.0
    >>> p_norm_losses(p=2, radius=3.0, norm=1.0, gamma=0.5, loss=8.0).value
    64.0
    """
    check(p >= 2.0, "p_norm_losses", "p >= 2", f"p={p}")
    return hinge_form(radius * norm * sqrt(p - 1.0) / gamma, loss / gamma)


@theorem(
    "Gentile, p-norm, disjunctions",
    formula=r"4 (p - 1) (X + 1)^{2/p} \left(k + 2^{-q}\right)^{2/q}",
    where=(r"q = \frac{p}{p - 1}",),
    source=SOURCE,
    **SPARSE | {"assumptions": SPARSE["assumptions"] + ", theta 0"},
)
def p_norm_disjunction(*, k: int, X: int, p: float) -> float:
    """The bound above for u = (u, -1/2), margin 1/2: ``4 (p-1) (X+1)^(2/p) (k + 2^-q)^(2/q)``.

    >>> p_norm_disjunction(k=3, X=20, p=2).value  # the Perceptron's (4k+1)(X+1)
    273.0
    """
    check(p >= 2.0, "p_norm_disjunction", "p >= 2", f"p={p}")
    q = p / (p - 1.0)
    return float(4.0 * (p - 1.0) * (X + 1.0) ** (2.0 / p) * (k + 0.5**q) ** (2.0 / q))


def _corrections(owner: str, p: float, alpha: float, B: float | None, C: float, gamma: float, loss: float) -> float:
    check(p >= 2.0, owner, "p >= 2", f"p={p}")
    check(0.0 < alpha <= 1.0, owner, "0 < alpha <= 1", f"alpha={alpha}")
    margin = 1.0 / alpha if B is None else B
    apart = 1.0 if loss == 0.0 else 2.0
    size = sqrt(p - 1.0) * (2.0 * (1.0 - alpha) * margin + apart / C + C)
    return hinge_form(size / gamma, loss / gamma)


@theorem(
    "Gentile, ALMA",
    formula=r"\left(\frac{b + \sqrt{b^2 + 4 \gamma L}}{2 \gamma}\right)^2",
    where=(
        r"b = \sqrt{p - 1} \left(2 (1 - \alpha) B + \frac{d}{C} + C\right)",
        r"d = \begin{cases} 1, & L = 0 \cr 2, & L > 0 \end{cases}",
    ),
    symbols=OF_ALMA | {"loss": ("L", "the sum of (gamma - y u.x/|x|_p)+ over the corrections")},
    usual=WIDTH,
    source=ALMA,
    assumptions="any u with |u|_q <= 1, 1/p + 1/q = 1, and gamma > 0; loss is the sum of (gamma - y u.x/|x|_p)+ over "
    "the corrections; zero start",
    derived=True,
    positive="C gamma B",
    not_negative="loss",
)
def alma_margin(
    *, gamma: float, p: float = 2.0, alpha: float = 0.9, B: float | None = None, C: float = 2.0**0.5, loss: float = 0.0
) -> float:
    """``M <= (p-1) b^2 / gamma^2``, ``b = 2 (1-alpha) B + 1/C + C``, where loss is 0; B None: 1/alpha.

    A correction lowers the divergence d of u and w by at least eta (y u.x' - y w.x') - (p-1) eta^2/2, and the return
    into the ball does not raise it; y w.x' is at most (1-alpha) gamma_k. Divided by eta_k and summed over m
    corrections, ``gamma m - loss <= sqrt(p-1) sqrt(m) (2 (1-alpha) B + max d/C + C)``, where d is at most 1 as long as
    u.f(w) >= 0, which holds without loss, and at most 2 in any case. Mistakes are corrections.

    >>> round(alma_margin(gamma=0.1).value), round(alma_margin(gamma=0.1, loss=1.0).value)
    (549, 951)
    """
    return _corrections("alma_margin", p, alpha, B, C, gamma, loss)


@theorem(
    "Gentile, ALMA, disjunctions",
    formula=r"\frac{(p - 1) b^2}{\gamma^2}",
    where=(
        r"b = 2 (1 - \alpha) B + \frac{1}{C} + C",
        r"\gamma = \frac{1}{2 \left(k + 2^{-q}\right)^{1/q} (X + 1)^{1/p}}",
        r"q = \frac{p}{p - 1}",
    ),
    symbols=OF_ALMA,
    usual=WIDTH,
    source=ALMA,
    positive="C B",
    **SPARSE,
)
def alma_disjunction(
    *, k: int, X: int, p: float = 2.0, alpha: float = 0.9, B: float | None = None, C: float = 2.0**0.5
) -> float:
    """The bound above for u = (1, ..., 1, -1/2): ``gamma = 1/(2 |u|_q (X+1)^(1/p))``, ``|u|_q^q = k + 2^-q``.

    >>> round(alma_disjunction(k=3, X=20).value)
    1499
    """
    owner = "alma_disjunction"
    check(p >= 2.0, owner, "p >= 2", f"p={p}")
    q = p / (p - 1.0)
    gamma = 0.5 / ((k + 0.5**q) ** (1.0 / q) * (X + 1.0) ** (1.0 / p))
    return _corrections(owner, p, alpha, B, C, gamma, 0.0)


@theorem(
    "Kivinen-Warmuth, Gentile, p-norm regression",
    formula=r"(1 + c) L_u + \left(1 + \frac{1}{c}\right) X^2 D^2",
    symbols={
        "loss": LOSS,
        "norm": ("D", "the q-norm of u, 1/p + 1/q = 1"),
        "X": ("X", "the largest p-norm of a row, times the root of p - 1"),
        "c": C,
    },
    usual={"c": r"\frac{X D}{\sqrt{L_u}}"},
    source="Kivinen and Warmuth, Relative loss bounds for multidimensional regression problems, Machine Learning 45, "
    "2001; Gentile, The robustness of the p-norm algorithms, Machine Learning 53, 2003",
    assumptions="square loss (p - y)^2; any u; all rows have sqrt(p - 1) |x|_p <= X, p >= 2; z <- z - 2 eta (p - y) x "
    "with eta = c/(2 X^2 (1 + c)), w the gradient of |z|_p^2/2, z = 0 at the start",
    of="loss",
    target="linear in a q-norm",
    derived=True,
    positive="c",
    not_negative="loss norm X",
)
def p_norm_regression(*, loss: float = 0.0, norm: float, X: float, c: float | None = None) -> float:
    """``(1 + c) loss + (1 + 1/c) X^2 |u|_q^2`` for every u; p = 2 is `gradient_descent`'s.

    >>> p_norm_regression(loss=4.0, norm=3.0, X=1.0, c=1.0).value
    26.0
    """
    size = X * norm
    return (sqrt(loss) + size) ** 2 if c is None else loss_bound(c, loss, size * size)
