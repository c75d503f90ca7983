"""The card of a complete model: how rows are read and scaled, what was learned, how it decides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from littlestone.models.model import Model
from littlestone.models.scaling import Scaling
from littlestone.report.cards.card import Card
from littlestone.report.cards.models import learner_card

__all__ = ["model_card"]

COLUMNS = 12  # that are named
ROLES = {
    "label": "Label",
    "weight": "Weight of a row",
    "numeric": "Numbers",
    "categorical": "Categories",
    "text": "Texts",
    "ignore": "Left out",
}
WORDS = {
    "lower": "capitals as they are",
    "ngrams": "runs of up to {} words",
    "characters": "runs of {} characters",
}


def model_card(model: Model) -> Card:
    """Return the card of a model: the learner's, with how its rows are read and scaled, and how it decides."""
    learned = learner_card(model.learner)
    reading = {says: _listed(model.reading[role]) for role, says in ROLES.items() if model.reading.get(role)}
    if "Texts" in reading:
        reading["Texts"] += _words(model.reading)
    facts = {"Learner": learned.title, "Read as": _format(model.reading)} | reading
    facts["Scaled"] = "" if model.scaling is None else _scaled(model.scaling)
    decides = _of_numbers(model) if model.outcomes is not None else {
        "Probabilities": "yes, calibrated on-line" if model.calibration is not None
        else "yes, the learner's own" if model.has_probabilities else "none",
        "Decision": str(model.decision),
    }  # fmt: skip
    notes = list(learned.notes)
    if model.scaling is not None and model.guarantee is not None:
        notes.append("The bound speaks of the rows as they are scaled.")
    return Card("Model", learned.lead, facts | dict(learned.facts) | decides, learned.grids, notes)


def _of_numbers(model: Model) -> dict[str, str]:
    """Return how outcomes are scaled, and how far predictions were from them."""
    assert model.outcomes is not None
    scale, paid = model.outcomes.scale, model.paid
    told = f"mean {scale.mean:.6g}, deviation {scale.deviation:.6g}" if model.outcomes.scaled else "as they are"
    errors = f"MAE {paid.mae:.6g}, RMSE {paid.rmse:.6g}, each before it was learned" if paid.examples else ""
    return {"Outcomes": told, "Errors": errors}


def _format(reading: Mapping[str, Any]) -> str:
    """Return the format of the rows; frames, dicts and Parquet are all read as tables."""
    found = str(reading.get("format", ""))
    return "a table" if found == "parquet" else found


def _listed(columns: Any) -> str:
    """Return the names of columns, not too many."""
    names = [columns] if isinstance(columns, str | int) else list(columns)
    return ", ".join(map(str, names[:COLUMNS])) + _more(names)


def _more(names: Sequence[Any]) -> str:
    return f" and {len(names) - COLUMNS} more" if len(names) > COLUMNS else ""


def _words(reading: Mapping[str, Any]) -> str:
    """Return how texts become words."""
    told = [says.format(reading[name]) for name, says in WORDS.items() if name in reading]
    return f" (as words{', ' if told else ''}{', '.join(told)})"


def _scaled(scaling: Scaling) -> str:
    """Return the mean and the deviation of each scaled column, not too many."""
    told = [
        f"{name} (mean {scaling[name].mean:.6g}, deviation {scaling[name].deviation:.6g})"
        for name in scaling.columns[:COLUMNS]
    ]
    return ", ".join(told) + _more(scaling.columns)
