"""The bounds of Adagrad (Duchi, Hazan and Singer)."""

from __future__ import annotations

from math import log

from littlestone.bounds.bound import theorem

__all__ = ["adagrad", "adagrad_logistic", "adagrad_regret"]

SOURCE = "Duchi, Hazan and Singer, Adaptive subgradient methods for online learning, JMLR 2011"


@theorem(
    "Duchi-Hazan-Singer, Theorem 5",
    formula=r"L + \frac{\delta \lVert u \rVert^2 + D^2 \Lambda}{2 \eta} + \eta \Lambda",
    symbols={
        "lengths": (r"\Lambda", "the sum over the attributes of the root of the sum of x_i^2 over the updates"),
        "distance": ("D", "the largest |u_i - w_i| before an update"),
        "delta": (r"\delta", "the learner's parameter delta"),
        "loss": ("L", "the sum of (1 - y u.x)+ over the updates"),
    },
    source=SOURCE,
    assumptions="any u; loss is the sum of (1 - y u.x)+ over the updates, lengths the sum over the attributes of "
    "sqrt(the sum of x_i^2 over the updates), distance the largest |u_i - w_i| before an update; zero start, theta 0",
    positive="eta",
    not_negative="lengths distance delta norm loss",
)
def adagrad(
    *, eta: float, lengths: float, distance: float, delta: float = 0.0, norm: float = 0.0, loss: float = 0.0
) -> float:
    """``M <= loss + (delta |u|^2 + distance^2 lengths)/(2 eta) + eta lengths``: the hinge losses of w are at least M.

    The bound is that of composite mirror descent; ``norm`` is |u|, which only counts where delta > 0.

    >>> adagrad(eta=0.5, lengths=10.0, distance=1.0, loss=3.0).value
    18.0
    """
    return _losses(eta, lengths, distance, delta, norm, loss)


@theorem(
    "Duchi-Hazan-Singer, Theorem 5, logistic loss",
    formula=(
        r"\frac{1}{\ln 2} \left(L + \frac{\delta \lVert u \rVert^2 + D^2 \Lambda}{2 \eta} + \eta "
        r"\Lambda\right)"
    ),
    symbols={
        "lengths": (
            r"\Lambda",
            "the sum over the attributes of the root of the sum of (q x_i)^2, q = 1/(1 + e^(y w.x))",
        ),
        "distance": ("D", "the largest |u_i - w_i| before a trial"),
        "delta": (r"\delta", "the learner's parameter delta"),
        "loss": ("L", "the sum of ln(1 + e^(-y u.x)) over all trials"),
    },
    source=SOURCE,
    assumptions="any u; loss is the sum of ln(1 + e^(-y u.x)) over all trials, lengths the sum over the attributes of "
    "sqrt(the sum of (q x_i)^2), q = 1/(1 + e^(y w.x)), distance the largest |u_i - w_i| before a trial; zero start, "
    "theta 0",
    derived=True,
    positive="eta",
    not_negative="lengths distance delta norm loss",
)
def adagrad_logistic(
    *, eta: float, lengths: float, distance: float, delta: float = 0.0, norm: float = 0.0, loss: float = 0.0
) -> float:
    """``M <= (loss + (delta |u|^2 + distance^2 lengths)/(2 eta) + eta lengths)/ln 2``: a mistake's loss is >= ln 2.

    >>> round(adagrad_logistic(eta=0.5, lengths=10.0, distance=1.0, loss=3.0).value, 3)
    25.969
    """
    return _losses(eta, lengths, distance, delta, norm, loss) / log(2.0)


@theorem(
    "Duchi-Hazan-Singer, Theorem 5, regret",
    formula=r"\frac{\delta \lVert u \rVert^2 + D^2 \Lambda}{2 \eta} + \eta \Lambda",
    symbols={
        "lengths": (r"\Lambda", "the sum over the attributes of the root of the sum of (g x_i)^2, g the slope"),
        "distance": ("D", "the largest |u_i - w_i| before a trial"),
        "delta": (r"\delta", "the learner's parameter delta"),
    },
    source=SOURCE,
    assumptions="any convex loss of w.x, g its slope; any u; lengths is the sum over the attributes of sqrt(the sum of "
    "(g x_i)^2), distance the largest |u_i - w_i| before a trial; zero start; G_i <- G_i + (g x_i)^2, then "
    "w_i <- w_i - eta g x_i/(delta + sqrt(G_i))",
    of="regret",
    derived=True,
    positive="eta",
    not_negative="lengths distance delta norm",
)
def adagrad_regret(*, eta: float, lengths: float, distance: float, delta: float = 0.0, norm: float = 0.0) -> float:
    """``(delta |u|^2 + distance^2 lengths)/(2 eta) + eta lengths`` above the loss of every u.

    ``norm`` is |u|, which only counts where delta > 0.

    >>> adagrad_regret(eta=0.5, lengths=10.0, distance=1.0).value
    15.0
    """
    return _losses(eta, lengths, distance, delta, norm, 0.0)


def _losses(eta: float, lengths: float, distance: float, delta: float, norm: float, loss: float) -> float:
    """Return what the losses of w are at most, given those of u; not rounded, as the value of a bound is."""
    return loss + (delta * norm * norm + distance * distance * lengths) / (2.0 * eta) + eta * lengths
