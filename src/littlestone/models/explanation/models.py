"""Why a model decides as it does: of one row, or of all that it has learned."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from littlestone.core.errors import InvalidData, InvalidParameter
from littlestone.models import raw as raws
from littlestone.models import recipe
from littlestone.models.explanation.numbers import explain_numbers, number_reasons
from littlestone.models.explanation.reasons import Reasons, reasons
from littlestone.models.explanation.rules import Explanation, ScaledColumn, explain
from littlestone.models.scaling import Scaling

if TYPE_CHECKING:
    from littlestone.core.block import Block
    from littlestone.learners.regressors import Regressor
    from littlestone.models.explanation._linear import Names
    from littlestone.models.model import Model

__all__ = ["explained", "reasons_of"]


def explained(model: Model, row: Any, top: int, options: Mapping[str, Any]) -> Explanation | Reasons:
    """Return what `Model.explain` does.

    >>> import littlestone as ls
    >>> model = ls.Model.train([{"sky": "grey", "rain": 1}, {"sky": "blue", "rain": 0}] * 20, label="rain")
    >>> explained(model, {"sky": "grey"}, 5, {}).prediction
    1
    """
    if row is None:
        found = _learned(model, top, options)
        scaling = model.scaling or Scaling(())
        return replace(found, scales=tuple(ScaledColumn(name, *scaling[name]) for name in scaling.columns))
    if options:
        raise InvalidParameter(f"explain: one row is explained without {', '.join(options)}; only top= is known")
    rows = row if hasattr(row, "tocsr") else [row]
    blocks = [block for block in model.blocks(rows, "explain") if len(block)]
    if not blocks:
        raise InvalidData("explain: expected a row, got none")
    cells = raws.record_of(row, model.reading) if recipe.is_table(model.reading) else None
    return reasons_of(model, blocks[0], top=top, raw=cells)


def reasons_of(
    model: Model, block: Block, *, top: int = 20, raw: Mapping[str, Any] | None = None, names: Names = None
) -> Reasons:
    """Return why a model decides on a label, or predicts a number, of the one row of a block.

    >>> import littlestone as ls
    >>> model = ls.Model.train([[1, 0], [0, 1]] * 50, [2.5, 1.0] * 50, task="regression", learner="gradient-descent")
    >>> reasons_of(model, ls.Block.from_arrays([[1, 0]])).by
    'added'
    """
    return (reasons if model.outcomes is None else number_reasons)(model, block, top=top, raw=raw, names=names)


def _learned(model: Model, top: int, options: Mapping[str, Any]) -> Explanation:
    """Return what the learner has learned; of numbers, in the outcomes' own unit."""
    if model.outcomes is None:
        return explain(model.learner, top=top, **options)
    learner = cast("Regressor", model.learner)
    if options.get("stream") is not None:
        raise InvalidParameter(f"explain: stream: updates are counted for learners of two labels, got {learner!r}")
    return explain_numbers(learner, top=top, names=options.get("names"), scale=model.outcomes.scale)
