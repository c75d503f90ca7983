"""Losses: what a prediction p of a number costs when the outcome is y, and how steep the cost is there.

A loss is written as a text, in parameters, on the command line and in files: "square", "huber:1.5", "quantile:0.9".

>>> from littlestone.parts.losses import LOSSES, loss_of
>>> sorted(LOSSES)
['absolute', 'huber', 'insensitive', 'linear-hinge', 'logistic', 'quantile', 'square']
>>> loss_of("huber:1.5"), loss_of("quantile")
(huber(1.5), quantile(0.5))
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from littlestone.core.arrays import Floats
from littlestone.core.errors import InvalidLabel, InvalidParameter
from littlestone.core.messages import did_you_mean
from littlestone.core.parameters import check_number
from littlestone.engine.learning import losses as engine

__all__ = [
    "LOSSES",
    "Loss",
    "absolute",
    "huber",
    "insensitive",
    "linear_hinge",
    "logistic",
    "loss_of",
    "quantile",
    "square",
]


@dataclass(frozen=True)
class Loss:
    """A loss: its name, its number ``at`` where it has one, and its code in the engine.

    >>> import littlestone as ls
    >>> ls.losses.huber(1.0)([0.5, 3.0], [0.0, 0.0]).tolist()
    [0.25, 5.0]
    >>> ls.losses.quantile(0.9).slope([1.0, 1.0], [0.0, 3.0]).round(9).tolist()
    [0.1, -0.9]
    """

    name: str
    code: int
    at: float = 0.0
    tie: int = 1
    has_number: bool = False

    def __call__(self, predictions: ArrayLike, outcomes: ArrayLike) -> Floats:
        """Return the loss of each prediction."""
        p, y = _pairs(predictions, outcomes)
        found = np.empty(len(p))
        engine.add_up(self.code, self.at, p, y, found, 0.0)
        return found

    def slope(self, predictions: ArrayLike, outcomes: ArrayLike) -> Floats:
        """Return the derivative of each loss by ``w.x``."""
        p, y = _pairs(predictions, outcomes)
        found = np.empty(len(p))
        engine.slopes(self.code, self.at, float(self.tie), p, y, found)
        return found

    def added(self, predictions: Floats, outcomes: Floats, total: float) -> tuple[Floats, float]:
        """Return the losses, and their sum and ``total``, which does not depend on where blocks end."""
        found = np.empty(len(predictions))
        return found, float(engine.add_up(self.code, self.at, predictions, outcomes, found, total))

    def of_scores(self, scores: Floats, outcomes: Floats) -> Floats:
        """Return what ``w.x`` costs: of the logistic loss also where its prediction is no float below 1 any more.

        >>> logistic().of_scores(np.array([50.0, 0.0]), np.array([0.0, 1.0])).round(4).tolist()
        [50.0, 0.6931]
        """
        if self.code != engine.LOGISTIC:
            return self(scores, outcomes)
        y, rest = outcomes, 1.0 - outcomes
        with np.errstate(divide="ignore", invalid="ignore"):
            least = np.where(y > 0.0, y * np.log(y), 0.0) + np.where(rest > 0.0, rest * np.log(rest), 0.0)
        return np.asarray(y * np.logaddexp(0.0, -scores) + rest * np.logaddexp(0.0, scores) + least)

    def predicted(self, scores: ArrayLike) -> Floats:
        """Return the predictions that belong to ``w.x``: of the logistic loss 1/(1 + e^-w.x), else the same."""
        each = np.array(scores, dtype=np.float64, order="C")
        found = np.empty(each.size)
        engine.predictions_of(self.code, each.ravel(), found)
        return found.reshape(each.shape)

    @property
    def range(self) -> tuple[float, float]:
        """The least and the largest outcome that it is defined for."""
        return (0.0, 1.0) if self.code in (engine.LOGISTIC, engine.LINEAR_HINGE) else (-inf, inf)

    @property
    def steepest(self) -> float:
        """The largest slope that it has.

        >>> import littlestone as ls
        >>> ls.losses.quantile(0.75).steepest, ls.losses.huber(1.5).steepest, ls.losses.square().steepest
        (0.75, 3.0, inf)
        """
        known = {
            engine.SQUARE: inf,
            engine.HUBER: 2.0 * self.at,
            engine.QUANTILE: max(self.at, 1.0 - self.at),
        }
        return known.get(self.code, 1.0)

    def check(self, owner: str, outcomes: Floats) -> None:
        """Refuse outcomes that the loss is not defined for."""
        low, high = self.range
        if low == -inf:
            return
        binary = self.code == engine.LINEAR_HINGE
        bad = ~((outcomes == 0.0) | (outcomes == 1.0)) if binary else ~((outcomes >= low) & (outcomes <= high))
        if bad.any():
            row = int(np.flatnonzero(bad)[0])
            expected = "0 or 1" if binary else "a number from 0 to 1"
            raise InvalidLabel(
                f"{owner}: y: row {row}: expected {expected}, which the {self.name} loss takes, got {outcomes[row]:g}; "
                "scale the outcomes, or take another loss_function"
            )

    def __str__(self) -> str:
        number = f":{self.at!r}" + ("" if self.tie else ":0") if self.has_number else ""
        return self.name + number

    def __repr__(self) -> str:
        name = self.name.replace("-", "_")
        return f"{name}({self.at:g})" if self.has_number else f"{name}()"


def _pairs(predictions: ArrayLike, outcomes: ArrayLike) -> tuple[Floats, Floats]:
    p, y = np.broadcast_arrays(
        np.atleast_1d(np.asarray(predictions, dtype=np.float64)),
        np.atleast_1d(np.asarray(outcomes, dtype=np.float64)),
    )
    return np.ascontiguousarray(p).ravel(), np.ascontiguousarray(y).ravel()


def square() -> Loss:
    """``(p - y)^2``.

    >>> square()([3.0], [1.0]).tolist()
    [4.0]
    """
    return Loss("square", engine.SQUARE)


def absolute() -> Loss:
    """``|p - y|``.

    >>> absolute()([3.0], [1.0]).tolist()
    [2.0]
    """
    return Loss("absolute", engine.ABSOLUTE)


def insensitive(epsilon: float = 0.1) -> Loss:
    """``max(0, |p - y| - epsilon)``: errors up to epsilon are free.

    >>> insensitive(0.5)([3.0, 1.2], [1.0, 1.0]).tolist()
    [1.5, 0.0]
    """
    check_number("insensitive", "epsilon", epsilon, above=0.0, ends="[)")
    return Loss("insensitive", engine.INSENSITIVE, float(epsilon), has_number=True)


def huber(delta: float = 1.0) -> Loss:
    """``(p - y)^2`` up to an error of delta, from there on the line ``delta (2 |p - y| - delta)``.

    >>> huber(1.0)([0.5, 3.0], [0.0, 0.0]).tolist()
    [0.25, 5.0]
    """
    check_number("huber", "delta", delta, above=0.0)
    return Loss("huber", engine.HUBER, float(delta), has_number=True)


def quantile(q: float = 0.5) -> Loss:
    """``q (y - p)`` where p is too low, ``(1 - q) (p - y)`` where it is too high: least at the q-quantile ("pinball").

    >>> quantile(0.75)([0.0, 3.0], [1.0, 1.0]).tolist()
    [0.75, 0.5]
    """
    check_number("quantile", "q", q, above=0.0, below=1.0)
    return Loss("quantile", engine.QUANTILE, float(q), has_number=True)


def logistic() -> Loss:
    """``y ln(y/p) + (1 - y) ln((1 - y)/(1 - p))`` for y in [0, 1] and ``p = 1/(1 + e^-w.x)``, which it matches.

    >>> logistic()([0.5], [1.0]).round(4).tolist()
    [0.6931]
    """
    return Loss("logistic", engine.LOGISTIC)


def linear_hinge(theta: float = 0.0, *, tie: int = 1) -> Loss:
    """``|w.x - theta|`` where the sign of it is wrong about y in {0, 1}, else 0.

    At ``w.x = theta``, where nothing is lost, its slope is that of the side on which a classifier with this ``tie``
    errs: so to go down the linear hinge is to be a Perceptron, or Winnow.

    >>> linear_hinge(1.0)([3.0, 3.0], [0.0, 1.0]).tolist()
    [2.0, 0.0]
    """
    check_number("linear_hinge", "theta", theta)
    if tie not in (0, 1):
        raise InvalidParameter(f"linear_hinge: tie must be 0 or 1, got {tie!r}")
    return Loss("linear-hinge", engine.LINEAR_HINGE, float(theta), int(tie), has_number=True)


LOSSES = {
    "square": square,
    "absolute": absolute,
    "insensitive": insensitive,
    "huber": huber,
    "quantile": quantile,
    "logistic": logistic,
    "linear-hinge": linear_hinge,
}


def loss_of(text: str | Loss, owner: str = "loss_of", name: str = "loss") -> Loss:
    """Return the loss that a text names: its name and, behind a colon, its number.

    >>> loss_of("insensitive:0.25")
    insensitive(0.25)
    """
    if isinstance(text, Loss):
        return text
    word, colon, number = str(text).partition(":")
    made = LOSSES.get(word.strip().lower().replace("_", "-")) if isinstance(text, str) else None
    if made is None:
        close = did_you_mean(word, LOSSES) if isinstance(text, str) else ""
        raise InvalidParameter(
            f"{owner}: {name} must be one of {', '.join(LOSSES)}, some with a number as in 'huber:1.5', got {text!r}",
            *filter(None, [close]),
        )
    if not colon:
        return made()
    value, _, tie = number.partition(":")
    given: Any = made
    try:
        return linear_hinge(float(value), tie=int(tie or 1)) if made is linear_hinge else given(float(number))
    except InvalidParameter as error:
        raise InvalidParameter(f"{owner}: {name}: {error}") from None
    except (TypeError, ValueError):
        takes = "one number" if made().has_number else "no number"
        raise InvalidParameter(f"{owner}: {name}: the {word} loss takes {takes}, got {number!r}") from None
