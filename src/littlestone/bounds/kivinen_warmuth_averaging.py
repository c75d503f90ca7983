"""Kivinen and Warmuth's weighted mean of experts' predictions, for the square loss; and with a rate that adapts."""

from __future__ import annotations

from math import log

from littlestone.bounds.bound import theorem

__all__ = ["averaging", "averaging_adaptive"]

SOURCE = "Kivinen and Warmuth, Averaging expert predictions, EuroCOLT 1999"
HEDGED = "de Rooij, van Erven, Grunwald and Koolen, Follow the leader if you can, hedge if you must, JMLR 15 (2014)"
LOSS = ("L_b", "the square loss of the best expert")


@theorem(
    "Kivinen-Warmuth, averaging",
    formula=r"L_b + 8 Y^2 \ln N",
    symbols={"Y": ("Y", "the largest outcome, by its size"), "loss": LOSS},
    source=SOURCE,
    assumptions="outcomes and experts' predictions in [-Y, Y]; the mean weighted by exp(-eta loss_i), eta = 1/(8 Y^2)",
    of="loss",
    positive="experts Y",
    not_negative="loss",
)
def averaging(*, experts: int, Y: float, loss: float = 0.0) -> float:
    """``L <= L_b + 8 Y^2 ln N``: with all numbers in an interval of width B = 2 Y, ln N/eta for eta = 1/(2 B^2).

    For exp(-eta (p - y)^2) is concave in p where eta (p - y)^2 <= 1/2: so, of a trial, the mean's is at least the mean
    of the experts', by which the sum of all weights falls; and this never falls below the weight of the best one.

    >>> round(averaging(experts=12, Y=1.0, loss=5.0).value, 2)
    24.88
    """
    return loss + 8.0 * Y * Y * log(experts)


@theorem(
    "Kivinen-Warmuth, averaging with AdaHedge",
    formula=r"L_b + 4 B^2 \ln N + 2 B^2",
    symbols={"width": ("B", "how far the least and the largest outcome are from each other"), "loss": LOSS},
    source=f"{SOURCE}; {HEDGED}",
    assumptions="from the second trial on, outcomes and experts' predictions are in an interval of width B; in the "
    "first all experts predict the same; the mean weighted by exp(-eta loss_i), eta = ln N/gap",
    of="loss",
    derived=True,
    positive="experts",
    not_negative="width loss",
)
def averaging_adaptive(*, experts: int, width: float, loss: float = 0.0) -> float:
    """``L <= L_b + 4 B^2 ln N + 2 B^2``, for no B that is known before.

    The mix losses ``-ln(sum of w_i exp(-eta loss_i))/eta`` of all trials, with etas that only fall, are at most L_b +
    ln N/eta, for the last eta: as functions of eta, such means of powers of e only fall. Then the loss is at most L_b +
    ln N/eta and the gaps. With eta = ln N/G, G the gaps before that are positive, that is L_b + 2 G. A gap is positive
    only where eta > 1/(2 B^2), as in `averaging`, so that G < 2 B^2 ln N before it; and it is at most B^2.

    >>> round(averaging_adaptive(experts=12, width=2.0, loss=5.0).value, 2)
    52.76
    """
    square = width * width
    return loss + 4.0 * square * log(experts) + 2.0 * square
