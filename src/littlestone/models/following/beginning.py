"""A model that has learned nothing, for a live source of lines that bring their attributes with them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from littlestone.core.errors import InvalidParameter
from littlestone.core.labels import BOTH
from littlestone.core.messages import Blank, Remedy
from littlestone.learners import Learner
from littlestone.learners.regressors import Regressor
from littlestone.models.calibration import Calibration
from littlestone.models.model import Model
from littlestone.models.recipe import outcomes_for
from littlestone.streams.formats.outcomes import REGRESSION

__all__ = ["new_model"]

USUAL = {"vw": {"names": True}, "svmlight": {"zero_based": False}}  # what nobody says, and no line alone shows
AT_SIGHT = (-1, 1)
TABLES = ("csv", "tsv", "parquet")


def new_model(learner: Learner, format: str | None, reading: Mapping[str, Any]) -> Model:  # noqa: A002
    """Return a model of a learner that has learned nothing; of a table's columns one can only be trained.

    ``reading`` may have ``labels`` and ``attributes``, which the learner is told.

    >>> import littlestone as ls
    >>> new_model(ls.Winnow(theta=8), "vw", {}).reading, new_model(ls.Winnow(theta=8), "vw", {}).labels
    ({'format': 'vw', 'names': True}, (-1, 1))
    """
    if format in TABLES:
        problem = f"follow: expected a model that knows the columns of a table ({format}), got {learner!r}"
        trained = Remedy(
            "train one on rows that are there", typed="train one on rows that are there: littlestone train"
        )
        raise InvalidParameter(problem, trained)
    if format is None:
        problem = "follow: expected the format of the lines, which a model that has learned nothing does not know"
        raise InvalidParameter(problem, Remedy("say {format}", format=Blank("vw, svmlight, jsonl or snow")))
    options = USUAL.get(format, {}) | dict(reading)
    labels, n = options.pop("labels", None), options.pop("attributes", None)
    if isinstance(learner, Regressor):
        made = learner.copy() if n is None else learner.copy().begin(n)
        known = {"format": format, **options, "task": REGRESSION}
        return Model(made, known, outcomes=outcomes_for(learner, scale=True))
    if labels is None and not learner.many_classes:
        if format == "jsonl":
            raise InvalidParameter(f"follow: expected both labels for {learner!r}", Remedy("say {labels}", labels=BOTH))
        labels = (0, 1) if format == "snow" else AT_SIGHT
    if labels is not None or n is not None:
        learner = learner.copy().begin(n, labels=labels)
    return Model(learner, {"format": format, **options}, calibration=Calibration.of(learner))
