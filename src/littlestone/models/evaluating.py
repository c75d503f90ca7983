"""What a model's predictions are worth on rows with labels, or with numbers."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from littlestone.core.errors import InvalidLabel
from littlestone.games.evaluation import evaluate
from littlestone.games.number_evaluation import evaluate_numbers
from littlestone.learners.regressors import Regressor
from littlestone.models.given import with_y
from littlestone.models.recipe import Scaled

if TYPE_CHECKING:
    from littlestone.models.model import Model

__all__ = ["evaluated"]


def evaluated(model: Model, raw: Any, y: ArrayLike | None = None) -> Any:
    """Return what `Model.evaluate` does.

    >>> import littlestone as ls
    >>> rows = [{"x": 0.5 * i, "y": 1.5 * i} for i in range(200)]
    >>> model = ls.Model.train(rows, task="regression")
    >>> evaluated(model, rows).examples
    200
    """
    stream = model.stream(raw, "evaluate", labelled=y is None)
    if y is not None:
        stream = with_y(stream, y, model.labels, "evaluate", task=model.task)
    if isinstance(model.learner, Regressor):
        return evaluate_numbers(model.learner, Scaled(stream, model.scaling), predict=model.decided)
    found = evaluate(
        model.learner,
        Scaled(stream, model.scaling),
        probabilities=None if model.calibration is None else partial(model.calibration.probabilities, model.learner),
        decide=None if model.decision.threshold is None else model.decision.codes,
    )
    strange = model.unmet(found)
    if found.examples and sum(strange.values()) == found.examples:
        expected, got = (", ".join(map(repr, labels)) for labels in (model.labels, strange))
        raise InvalidLabel(f"evaluate: expected labels among {expected}, got only {got}")
    return found
