"""evaluate_numbers: what a regressor's predictions of a stream are worth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import isfinite, sqrt
from typing import Any

import numpy as np

from littlestone.core.arrays import Floats
from littlestone.core.block import Block
from littlestone.core.display import Shown
from littlestone.core.errors import InvalidData, InvalidLabel, InvalidParameter
from littlestone.core.messages import shown
from littlestone.games.known import known_to
from littlestone.games.linear import outcomes_of
from littlestone.learners.regressors import Regressor
from littlestone.streams import Stream

__all__ = ["LEVELS", "RegressionEvaluation", "evaluate_numbers"]

LEVELS = (0.05, 0.25, 0.5, 0.75, 0.95)  # of the quantiles of errors


@dataclass(frozen=True, eq=False)
class RegressionEvaluation(Shown):
    """How predictions and numbers went together. An error is the prediction less the outcome.

    ``mae`` is the mean size of the errors, ``rmse`` the root of their mean square, ``bias`` their mean; ``r2`` the
    share of the outcomes' variance that the predictions explain, ``1 - sum of squared errors / sum of squared
    deviations from the mean``: 1 is best, 0 is what their mean would have, None where all outcomes are equal. Examples
    count once each, whatever their weights. ``errors`` are all errors, in the order of the rows.

    >>> import littlestone as ls
    >>> rows = [{"x": 0.5 * i, "price": 1.5 * i} for i in range(400)]
    >>> model = ls.Model.train(rows[:300], task="regression", label="price")
    >>> found = model.evaluate(rows[300:])
    >>> found.examples, found.mae <= found.rmse, found.quantiles()[0.5] == float(np.median(found.errors))
    (100, True, True)
    """

    errors: Floats = field(repr=False)
    spread: float  # the sum of the squared deviations of the outcomes from their mean
    skipped: int = 0

    @property
    def examples(self) -> int:
        """The number of examples."""
        return len(self.errors)

    @property
    def mae(self) -> float:
        """The mean size of the errors; nan without examples."""
        return float(np.mean(np.abs(self.errors))) if self.examples else float("nan")

    @property
    def rmse(self) -> float:
        """The root of the mean squared error; nan without examples."""
        return sqrt(self._squares / self.examples) if self.examples else float("nan")

    @property
    def bias(self) -> float:
        """The mean error: above 0 where predictions are too high; nan without examples."""
        return float(np.mean(self.errors)) if self.examples else float("nan")

    @property
    def r2(self) -> float | None:
        """The share of the variance that is explained; None where there is none."""
        return 1.0 - self._squares / self.spread if self.spread > 0.0 else None

    @property
    def _squares(self) -> float:
        with np.errstate(over="ignore"):
            return float(np.sum(np.square(self.errors)))

    def quantiles(self, levels: tuple[float, ...] = LEVELS) -> dict[float, float]:
        """Return the quantiles of the errors: below the one at 0.05 lie 5% of them.

        >>> RegressionEvaluation(np.array([-2.0, 0.0, 1.0]), 1.0).quantiles((0.0, 0.5, 1.0))
        {0.0: -2.0, 0.5: 0.0, 1.0: 1.0}
        """
        if not self.examples:
            return {}
        return dict(zip(levels, np.quantile(self.errors, levels).tolist(), strict=True))

    def as_dict(self) -> dict[str, Any]:
        """Return all of it, but the single errors, for JSON."""
        found = {name: getattr(self, name) for name in ("mae", "rmse", "r2", "bias")}
        plain = {name: value if value is not None and isfinite(value) else None for name, value in found.items()}
        largest = float(np.max(np.abs(self.errors))) if self.examples else None
        told = {"examples": self.examples, **plain, "quantiles": {str(q): e for q, e in self.quantiles().items()}}
        return told | {"largest": largest, "skipped": self.skipped}


def evaluate_numbers(
    learner: Regressor,
    stream: Stream,
    *,
    predict: Callable[[Block], Any] | None = None,
    on_block: Callable[[Block], None] | None = None,
) -> RegressionEvaluation:
    """Let a regressor predict a stream, learning nothing; ``on_block`` is called after each block.

    Attributes beyond those that it knows count nothing. ``predict`` makes predictions of rows, in place of the
    learner: such as those of a model that scales outcomes. Labels that are numbers are outcomes, too.

    >>> import littlestone as ls
    >>> learner = ls.GradientDescent(eta=0.1)
    >>> _ = learner.learn([[1, 0], [0, 1]] * 50, [1.0, 3.0] * 50)
    >>> evaluate_numbers(learner, ls.from_arrays([[1, 0], [0, 1]], [1.0, 3.5])).errors.round(2).tolist()
    [0.0, -0.5]
    """
    if not isinstance(learner, Regressor):
        raise InvalidParameter(f"evaluate: expected a regressor, got {learner!r}; evaluate takes it")
    if not hasattr(stream, "blocks"):
        raise InvalidData(f"evaluate: expected a stream, got {shown(stream)}; for a file give open(path)")
    errors, first, count, total, squares = list[Floats](), 0.0, 0, 0.0, 0.0
    for block in stream.blocks():
        block = block if block.labels is not None else replace(block, labels=stream.labels)  # noqa: PLW2901
        if block.outcomes is None or (len(block) and _without(block)):
            raise InvalidLabel(f"{stream!r}: expected a number for each example, got rows without; predict takes them")
        y = outcomes_of(block)
        rows = known_to(learner, replace(block, names=stream.names) if block.names is None else block)
        predictions = np.asarray(learner.predict(rows) if predict is None else predict(rows))
        with np.errstate(over="ignore", invalid="ignore"):
            errors.append(predictions - y)
        if len(y):
            first = first if count else float(y[0])
            more = y - first
            count, total, squares = count + len(y), total + float(more.sum()), squares + float((more * more).sum())
        if on_block is not None:
            on_block(block)
    spread = max(squares - total * total / count, 0.0) if count else 0.0
    spread = spread if spread > 1e-12 * squares else 0.0  # what rounding leaves of equal outcomes
    return RegressionEvaluation(np.concatenate([np.zeros(0), *errors]), spread, int(getattr(stream, "skipped", 0)))


def _without(block: Block) -> bool:
    """Tell whether some row has no outcome."""
    assert block.outcomes is not None
    return bool(np.isnan(block.outcomes).any()) if block.is_numbered else bool(block.outcomes.min() < 0)
