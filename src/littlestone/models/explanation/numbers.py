"""Why a model predicts a number: what each attribute adds to it, in the outcome's own unit."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from littlestone.core.names import literal
from littlestone.learners.regressors import Regressor
from littlestone.models.explanation._linear import Names
from littlestone.models.explanation.asked import Asked, Reason
from littlestone.models.explanation.example import explain_example
from littlestone.models.explanation.marking import marked_texts
from littlestone.models.explanation.reasons import Reasons
from littlestone.models.explanation.rules import Evidence, Explanation
from littlestone.models.scaling import Scale

if TYPE_CHECKING:
    from littlestone.core.block import Block
    from littlestone.models.model import Model

__all__ = ["ADDED", "WITHOUT", "explain_numbers", "number_reasons"]

ADDED, WITHOUT = "added", "without"  # what the numbers of reasons are
MORE, LESS = "a higher number", "a lower number"
BENT = "The prediction is 1/(1 + e^-sum)."
OWN = Scale(0.0, 1.0)


def explain_numbers(learner: Regressor, *, top: int, names: Names = None, scale: Scale = OWN) -> Explanation:
    """Return the weights of a regressor, the largest first, in the unit of outcomes that are scaled so.

    >>> import littlestone as ls
    >>> learner = ls.GradientDescent(eta=0.1, bias=False)
    >>> for _ in range(99):
    ...     _ = learner.learn([[1, 0], [0, 1]], [2.0, -1.0])
    >>> found = explain_numbers(learner, top=5)
    >>> found.kind, round(found.supports[0].weight, 3), round(found.opposes[0].weight, 3)
    ('numbers', 2.0, -1.0)
    """
    size = len(learner.vocabulary) if learner.vocabulary is not None else max(learner.width, learner.n or 0)
    start = Explanation(repr(learner), "numbers", size, learner.trials, 0, learner.promotions, learner.demotions)
    if learner.machine is None:
        return replace(start, notes=("It has learned nothing yet.",))
    constant, pairs = scale.mean, list[tuple[Hashable, float]]()
    if not learner.inner and learner.hypothesis() is not None:
        weights, own, _ = learner.coordinates()
        constant = scale.mean + scale.deviation * own
        called = [literal(learner.vocabulary, None, at) for at in range(len(weights))]
        if names is not None and learner.vocabulary is None:
            called[: len(names)] = list(names)[: len(called)]
        pairs = list(zip(called, (scale.deviation * weights).tolist(), strict=True))
        notes = [] if getattr(learner, "measure", None) is None or learner.measure.name != "logistic" else [BENT]
    else:
        notes = ["Several regressors are combined: there is no one weight an attribute."]
    up = sorted((pair for pair in pairs if pair[1] > 0.0), key=lambda pair: -pair[1])
    down = sorted((pair for pair in pairs if pair[1] < 0.0), key=lambda pair: pair[1])
    if len(up) > top or len(down) > top:
        more, less = (max(0, len(side) - top) for side in (up, down))
        notes.append(f"Not listed: {more} more that raise it, {less} more that lower it.")
    raise_it, lower_it = (tuple(Evidence(*one) for one in side[:top]) for side in (up, down))
    return replace(start, constant=float(constant), notes=tuple(notes), supports=raise_it, opposes=lower_it)


def number_reasons(
    model: Model, block: Block, *, top: int = 20, raw: Mapping[str, Any] | None = None, names: Names = None
) -> Reasons:
    """Return what each attribute of a row adds to the number that a model predicts; nothing changes.

    >>> import littlestone as ls
    >>> rows = [{"size": 0.5 * i, "price": 2.0 * i} for i in range(200)]
    >>> model = ls.Model.train(rows, task="regression", learner="gradient-descent")
    >>> found = model.explain({"size": 10.0})
    >>> found.by, [one.attribute for one in found.listed]
    ('added', ['size'])
    >>> abs(found.constant + found.listed[0].brings - found.prediction) < 1e-9
    True
    """
    assert model.outcomes is not None
    scale, learner, asked = model.outcomes.scale, model.learner, Asked(model, block, names)
    notes, total, constant = list[str](), None, None
    if asked.linear:
        told = explain_example(learner, asked.rows, names=names)
        cells = {name: (value, own) for name, value, own in asked.cells()}
        found = []
        for one in told.contributions:
            value, own = cells.get(one.attribute, (one.value, None))
            weight, brings = scale.deviation * one.weight, scale.deviation * one.product
            found.append(Reason(one.attribute, value, own, weight, brings, one.note))
        constant = float(scale.mean + scale.deviation * (told.constant or 0.0))
        total = constant + float(sum(one.brings for one in found))
        if isinstance(learner, Regressor) and learner.measure.name == "logistic":
            notes.append(BENT)
    else:
        found = asked.left_out()
        notes.append("Several regressors are combined: there is no one weight an attribute.")
    found.sort(key=lambda one: -abs(one.brings))
    if len(found) > top:
        notes.append(f"Not listed: {len(found) - top} more, each of which does less.")
    each = {str(one.attribute): one.brings for one in found}
    marked = None if raw is None else marked_texts(model.reading, raw, each)
    by = ADDED if asked.linear else WITHOUT
    return Reasons(
        repr(learner), float(np.asarray(asked.prediction)), {}, MORE, LESS, by, tuple(found[:top]), constant, total,
        texts=marked, notes=tuple(notes),
    )  # fmt: skip
