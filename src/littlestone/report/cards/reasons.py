"""The card of reasons: why a model decides as it does on one row, the words of its texts marked."""

from __future__ import annotations

from typing import Any

from littlestone.models.explanation import Reason, Reasons
from littlestone.report.cards.card import Card, Grid, Mark, bars, told

__all__ = ["reasons_card"]

STRONGEST = 0.55  # a ground on which words can still be read
LEAST = 0.03  # a mark that is fainter is none
SAYS = {"weights": "weight times value", "left out": "by how much the log-odds fall without it"}


def reasons_card(found: Reasons) -> Card:
    """Return the card of reasons: the decision and what would change it, the texts, what each attribute brings."""
    probability = found.probabilities.get(found.prediction)
    facts = {"Probability": "" if probability is None else told(probability)}
    if found.change is not None:
        least = "no fewer would do" if found.change.exact else "found step by step: there may be fewer"
        names = ", ".join(map(str, found.change.without))
        facts[f"{found.change.prediction!s} without"] = f"{names} ({least})"
    if found.total is not None and found.theta is not None:
        facts |= {"Sum": f"{found.total:.6g}", "Threshold": f"{found.theta:.6g}"}
    heads = ("attribute", "value", "brings", "", "")
    caption = f"For {found.toward!s} (+) and for {found.against!s} (-), {SAYS.get(found.by, found.by)}"
    grids = [Grid(caption, heads, _rows(found))]
    return Card(f"Predicts {found.prediction!s}", found.learner, facts, grids, found.notes, texts=_texts(found))


def _rows(found: Reasons) -> list[tuple[str, str, str, Any, str]]:
    listed = [(str(one.attribute), _value(one), one.brings, one.note) for one in found.listed]
    if found.constant:
        listed.append(("(the constant)", "", found.constant, ""))
    sizes = [brings for _, _, brings, _ in listed]
    drawn = bars(sizes, [size > 0 for size in sizes])
    return [
        (name, value, f"{brings:+.4g}", bar, note)
        for (name, value, brings, note), bar in zip(listed, drawn, strict=True)
    ]


def _value(one: Reason) -> str:
    scaled = "" if one.scaled is None else f" ({one.scaled:+.3g} s.d.)"
    return f"{one.value:.6g}{scaled}"


def _texts(found: Reasons) -> dict[str, list[Mark]]:
    """Return the texts with their words marked, the strongest as strong as can be read.

    The strength goes by the square root, so that one word does not hide all others.
    """
    texts = found.texts or {}
    most = max((abs(piece.brings) for pieces in texts.values() for piece in pieces), default=0.0) or 1.0
    marked: dict[str, list[Mark]] = {}
    for column, pieces in texts.items():
        strengths = [round(STRONGEST * (abs(piece.brings) / most) ** 0.5, 2) for piece in pieces]
        marked[column] = [
            Mark(piece.text, strength if strength >= LEAST else 0.0, piece.brings > 0)
            for piece, strength in zip(pieces, strengths, strict=True)
        ]
    return marked
