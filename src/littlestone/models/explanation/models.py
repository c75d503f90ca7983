"""Why a model decides as it does: of one row, or of all that it has learned."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from littlestone.core.errors import InvalidData, InvalidParameter
from littlestone.models import raw as raws
from littlestone.models import recipe
from littlestone.models.explanation.reasons import Reasons, reasons
from littlestone.models.explanation.rules import Explanation, ScaledColumn, explain
from littlestone.models.scaling import Scaling

if TYPE_CHECKING:
    from littlestone.models.model import Model

__all__ = ["explained"]


def explained(model: Model, row: Any, top: int, options: Mapping[str, Any]) -> Explanation | Reasons:
    """Return what `Model.explain` does.

    >>> import littlestone as ls
    >>> model = ls.Model.train([{"sky": "grey", "rain": 1}, {"sky": "blue", "rain": 0}] * 20, label="rain")
    >>> explained(model, {"sky": "grey"}, 5, {}).prediction
    1
    """
    if row is None:
        found = explain(model.learner, top=top, **options)
        scaling = model.scaling or Scaling(())
        return replace(found, scales=tuple(ScaledColumn(name, *scaling[name]) for name in scaling.columns))
    if options:
        raise InvalidParameter(f"explain: one row is explained without {', '.join(options)}; only top= is known")
    rows = row if hasattr(row, "tocsr") else [row]
    blocks = [block for block in model.blocks(rows, "explain") if len(block)]
    if not blocks:
        raise InvalidData("explain: expected a row, got none")
    cells = raws.record_of(row, model.reading) if recipe.is_table(model.reading) else None
    return reasons(model, blocks[0], top=top, raw=cells)
