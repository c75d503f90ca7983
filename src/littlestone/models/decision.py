"""Decision: from probabilities to a label, by a threshold, by costs, or for a precision."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from littlestone.core.arrays import Floats, Ints
from littlestone.core.errors import InvalidModel, InvalidParameter
from littlestone.core.messages import did_you_mean

__all__ = ["FEW_POSITIVES", "Decision", "check_precision"]

COSTS = ("false-positive", "false-negative")
FEW_POSITIVES = 30  # of fewer predicted positives a share of right ones says little


@dataclass(frozen=True)
class Decision:
    """How a label is decided on: by the learner's own prediction, or where the positive label is probable enough.

    ``threshold`` is the least probability of the positive label at which it is predicted; None: the learner predicts.
    ``because`` says where it comes from.

    >>> Decision.by_cost({"false-positive": 10})
    Decision(threshold=0.9090909090909091, because='a false positive costs 10, a false negative 1')
    >>> Decision(0.9).label(np.array([[0.2, 0.8], [0.05, 0.95]]), ("ham", "spam")).tolist()
    ['ham', 'spam']
    """

    threshold: float | None = None
    because: str = ""

    def __post_init__(self) -> None:
        value = self.threshold
        if value is not None and not (isinstance(value, int | float) and 0.0 <= value <= 1.0):
            raise InvalidParameter(f"threshold: expected a probability, from 0 to 1, got {value!r}")

    @classmethod
    def of(cls, threshold: float | None, cost: Mapping[str, float] | None) -> Self:
        """Return the decision by a threshold or by costs, whichever is given; without either the learner decides."""
        if threshold is not None and cost is not None:
            raise InvalidParameter("train: expected a threshold or costs, got both; a threshold follows from costs")
        if cost is not None:
            return cls.by_cost(cost)
        return cls() if threshold is None else cls(threshold, "given")

    @classmethod
    def by_cost(cls, cost: Mapping[str, float]) -> Self:
        """Return the decision that costs least on average, given what a false positive and a false negative cost."""
        if not isinstance(cost, Mapping):
            raise InvalidParameter(
                f"cost: expected what each kind of mistake costs, as in {{'false-positive': 10}}, got {cost!r}"
            )
        costs = dict.fromkeys(COSTS, 1.0)
        for name, value in cost.items():
            key = str(name).replace("_", "-")
            if key not in COSTS:
                close = filter(None, [did_you_mean(key, COSTS)])
                raise InvalidParameter(f"cost: expected {' or '.join(COSTS)}, got {name!r}", *close)
            if isinstance(value, bool) or not (isinstance(value, int | float) and 0.0 <= value < float("inf")):
                raise InvalidParameter(f"cost: {key}: expected a number >= 0, got {value!r}")
            costs[key] = float(value)
        false_positive, false_negative = costs.values()
        if not false_positive + false_negative > 0.0:
            raise InvalidParameter("cost: expected a cost above 0, got none")
        share = false_positive / (false_positive + false_negative)
        return cls(share, f"a false positive costs {false_positive:g}, a false negative {false_negative:g}")

    @classmethod
    def for_precision(cls, precision: float, positive: ArrayLike, truth: ArrayLike) -> Self:
        """Return the lowest threshold at which this share of the predicted positives of some rows is right.

        ``positive`` are their probabilities of the positive label, ``truth`` whether they are. They should be rows that
        the model has not learned from; where fewer than 30 are predicted positive, ``because`` says that they are few.

        >>> Decision.for_precision(0.75, [0.9, 0.8, 0.7, 0.6, 0.5], [1, 1, 0, 1, 0]).threshold
        0.6
        """
        check_precision(precision)
        shares, right = np.asarray(positive, dtype=np.float64), np.asarray(truth, dtype=np.bool_)
        order = np.argsort(-shares, kind="stable")
        hits, predicted = np.cumsum(right[order]), np.arange(1, len(order) + 1)
        last = np.append(shares[order][1:] < shares[order][:-1], True)[: len(order)]  # of equal ones
        good = np.flatnonzero(last & (hits >= precision * predicted))
        if not len(good):
            raise InvalidParameter(
                f"precision: expected a threshold with a precision of {precision:g} on the {_rows(len(order))} that "
                f"{_were(len(order))} not learned from, got none; ask for less, or train on more"
            )
        at, number = good[-1], int(predicted[good[-1]])
        found = f"precision {hits[at] / number:.4f} on {_rows(len(order))} that {_were(len(order))} not learned from"
        found += f", recall {hits[at] / max(1, int(right.sum())):.4f}"
        few = f"; only {number} of them {_were(number)} predicted positive, so that it may be far off"
        return cls(float(shares[order][at]), found + (few if number < FEW_POSITIVES else ""))

    def label(self, probabilities: Floats, labels: tuple[Any, ...]) -> NDArray[Any]:
        """Return the label of each row by its probabilities, a column each of the two labels."""
        return np.array(labels)[self.codes(probabilities)]

    def codes(self, probabilities: Floats) -> Ints:
        """Return 1 for each row whose positive label is probable enough, 0 for the others."""
        least = 0.5 if self.threshold is None else self.threshold
        return np.asarray(probabilities[:, 1] >= least, dtype=np.int64)

    def as_dict(self) -> dict[str, Any]:
        """Return it for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Any) -> Self:
        """Return what `as_dict` gave; refuse anything else."""
        try:
            made = cls(**data)
        except (TypeError, InvalidParameter) as error:
            raise InvalidModel(f"decision: {error}") from error
        if not isinstance(made.because, str):
            raise InvalidModel(f"decision: expected words, got {made.because!r}")
        return made

    def __str__(self) -> str:
        if self.threshold is None:
            return "as the learner predicts"
        return f"positive from a probability of {self.threshold:.4g} on" + (
            f" ({self.because})" if self.because else ""
        )


def check_precision(precision: Any) -> None:
    """Refuse what is no share of right predictions."""
    sound = isinstance(precision, int | float) and not isinstance(precision, bool) and 0.0 < precision <= 1.0
    if not sound:
        raise InvalidParameter(f"precision: expected a share above 0, at most 1, got {precision!r}")


def _rows(number: int) -> str:
    return f"{number:,} row{'' if number == 1 else 's'}"


def _were(number: int) -> str:
    return "was" if number == 1 else "were"
