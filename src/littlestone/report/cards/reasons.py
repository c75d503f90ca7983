"""The card of one row explained: the prediction, its texts with the words marked, and what each attribute brings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any

from littlestone.models.explanation import Marked, Reason, Reasons
from littlestone.models.explanation.reasons import LEFT_OUT, SAYS
from littlestone.report.cards.card import Card, Cell, Grid, Mark, aligned, bars, filled_columns

__all__ = ["reasons_card"]

LABELS = 5  # whose probabilities are told
FAINTEST = 0.08  # a mark that can still be seen
FULL, LEAST = 1.0, 0.05  # in log-odds: what has full colour even if nothing brings more, and what has none
ZEROS, NAMED = 2, 8  # attributes that bring nothing: so many have rows, of more so many are named in a sentence


def reasons_card(found: Reasons) -> Card:
    """Return the card of one row explained."""
    sure = f", with probability {found.probabilities[found.prediction]:.4f}" if found.probabilities else ""
    facts = {"Learner": found.learner, "Probabilities": _probabilities(found.probabilities)}
    facts["What would change it"] = found.what_changes_it
    texts = {column: _marks(pieces, found) for column, pieces in (found.texts or {}).items()}
    nothing = [one for one in found.listed if f"{one.brings:+.4g}" in {"+0", "-0"}]
    shown = [one for one in found.listed if one not in nothing] if len(nothing) > ZEROS else list(found.listed)
    notes = [*found.notes, *([_bring_nothing(nothing)] if len(nothing) > ZEROS else [])]
    grids = [_grid(found, shown)] if shown or found.constant else []
    title = f"Predicts {found.prediction!s}{sure}"
    return Card(title, "", facts, grids, notes, texts=texts, key=_key(found, texts))


def _bring_nothing(listed: Sequence[Reason]) -> str:
    """Return which attributes bring nothing, in a sentence rather than as so many rows of zeros."""
    names = [f"{one.attribute!s}{one.note and f' ({one.note})'}" for one in listed[:NAMED]]
    more = f" and {len(listed) - NAMED} more" if len(listed) > NAMED else ""
    return f"{len(listed)} attributes bring nothing: {', '.join(names)}{more}."


def _probabilities(shares: Mapping[Any, float]) -> str:
    """Return the probabilities of the most probable labels."""
    listed = sorted(shares.items(), key=lambda one: -one[1])[:LABELS]
    more = f", and {len(shares) - LABELS} more labels" if len(shares) > LABELS else ""
    return ", ".join(f"{label!s} {share:.4f}" for label, share in listed) + more


def _marks(pieces: Sequence[Marked], found: Reasons) -> list[Mark]:
    """Return the pieces of a text, each with the strength of its mark, from 0 to 1."""
    odds = found.by == LEFT_OUT and bool(found.probabilities)
    most = max((abs(piece.brings) for piece in pieces), default=0.0) or 1.0
    marks = []
    for piece in pieces:
        share = _strength(abs(piece.brings), most, odds)
        whose = found.toward if piece.brings > 0.0 else found.against
        says = f"{piece.brings:+.4g}, for {whose!s}" if piece.brings else ""
        marks.append(Mark(piece.text, round(max(FAINTEST, share), 2) if share else 0.0, piece.brings > 0.0, says))
    return marks


def _strength(brings: float, most: float, odds: bool) -> float:
    """Return how strongly a word is marked: of log-odds one knows what is little, of weights only what is largest."""
    if odds:
        return 0.0 if brings < LEAST else brings / max(FULL, most)
    return sqrt(brings / most)  # what brings a quarter is still seen to bring something


def _key(found: Reasons, texts: Mapping[str, Sequence[Mark]]) -> tuple[str, str] | None:
    """Return for what the two kinds of marks speak, where there are any."""
    marked = any(mark.strength for marks in texts.values() for mark in marks)
    return (f"for {found.toward!s}", f"for {found.against!s}") if marked else None


def _grid(found: Reasons, shown: Sequence[Reason]) -> Grid:
    """Return what each attribute brings, the constant, the sum and the threshold; no column is empty."""
    brought = [one.brings for one in shown] + ([found.constant] if found.constant else [])
    drawn = bars(brought, [value > 0.0 for value in brought])
    sums = [] if found.total is None or found.theta is None else [found.total, found.theta]
    told = aligned([*brought, *sums], 4, "+")
    rows: list[list[Cell]] = [
        [str(one.attribute), number, bar, *_cells(one)] for one, number, bar in zip(shown, told, drawn, strict=False)
    ]
    if found.constant:
        rows.append(["(the constant)", told[len(shown)], drawn[-1], "", "", "", ""])
    if sums:
        rows.append(["sum", told[-2], "", "", "", "", ""])
        rows.append([f"threshold of {found.toward!s}", told[-1].removeprefix("+"), "", "", "", "", ""])
    heads = ["attribute", "brings", "", "value", "standard deviations", "weight", ""]
    caption = f"For {found.toward!s} (+) and for {found.against!s} (-): {SAYS[found.by]}"
    return filled_columns(Grid(caption, heads, rows))


def _cells(one: Reason) -> list[str]:
    """Return the value as it came, as it is scaled, the weight and the note; a value of 1 goes without saying."""
    value = "" if one.value == 1.0 and one.scaled is None else f"{one.value:.6g}"
    scaled = "" if one.scaled is None else f"{one.scaled:+.3g}"
    return [value, scaled, "" if one.weight is None else f"{one.weight:.5g}", one.note]
