"""The bound of Adagrad on the hinge loss (Duchi, Hazan and Singer)."""

from __future__ import annotations

from littlestone.bounds.bound import check, theorem

__all__ = ["adagrad"]


@theorem(
    "Duchi-Hazan-Singer, Theorem 5",
    source="Duchi, Hazan and Singer, Adaptive subgradient methods for online learning, JMLR 2011",
    assumptions="any u; loss is the sum of (1 - y u.x)+ over the updates, lengths the sum over the attributes of "
    "sqrt(the sum of x_i^2 over the updates), distance the largest |u_i - w_i| before an update; zero start, theta 0",
)
def adagrad(
    *, eta: float, lengths: float, distance: float, delta: float = 0.0, norm: float = 0.0, loss: float = 0.0
) -> float:
    """``M <= loss + (delta |u|^2 + distance^2 lengths)/(2 eta) + eta lengths``: the hinge losses of w are at least M.

    The bound is that of composite mirror descent; ``norm`` is |u|, which only counts where delta > 0.

    >>> adagrad(eta=0.5, lengths=10.0, distance=1.0, loss=3.0).value
    18.0
    """
    check(eta > 0.0, "adagrad", "eta > 0", f"eta={eta}")
    sizes = f"lengths={lengths}, distance={distance}, delta={delta}, norm={norm}, loss={loss}"
    check(min(lengths, distance, delta, norm, loss) >= 0.0, "adagrad", "no negative numbers", sizes)
    return loss + (delta * norm * norm + distance * distance * lengths) / (2.0 * eta) + eta * lengths
