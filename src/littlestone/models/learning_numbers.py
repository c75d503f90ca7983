"""How a model learns numbers: the learner sees them scaled, everybody else in their own unit."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from littlestone.core.block import Block
from littlestone.games.linear import outcomes_of
from littlestone.learners.regressors import Regressor

if TYPE_CHECKING:
    from littlestone.learners import Learner
    from littlestone.models.model import Model
    from littlestone.models.outcomes import Outcomes

__all__ = ["learn_numbers"]


def learn_numbers(model: Model, block: Block, outcomes: Outcomes) -> NDArray[Any]:
    """Let a model predict rows with numbers, each before it is learned; ``outcomes`` becomes the model's own.

    >>> import numpy as np
    >>> import littlestone as ls
    >>> from littlestone.models.outcomes import Outcomes
    >>> model = ls.Model(ls.GradientDescent(eta=0.1, bias=False), outcomes=Outcomes(scaled=False))
    >>> block = ls.Block.from_arrays([[1.0], [1.0]]).numbered([5.0, 5.0])
    >>> learn_numbers(model, block, model.outcomes.copy()).tolist(), model.paid.mae
    ([0.0, 1.0], 4.5)
    """
    y, regressor = outcomes_of(block), model.learner
    assert isinstance(regressor, Regressor)
    regressor.measure.check(type(regressor).__name__, y)  # before they are scaled
    learned = outcomes.learned(y)

    def learn(learner: Learner, rows: Block) -> NDArray[Any]:
        return learner.learn(replace(rows, outcomes=learned.scaled, labels=()))

    predictions = outcomes.undone(model.learned(block, learn), learned)
    outcomes.pay(predictions, y, regressor.measure, learned.deviations)
    model.outcomes = outcomes
    return predictions
