"""Cards of a learner and of explanations."""

from __future__ import annotations

from collections.abc import Sequence

from littlestone.core.errors import LittlestoneError
from littlestone.learners import Learner
from littlestone.learners.regressors import Regressor
from littlestone.models.explanation import Evidence, Explained, Explanation
from littlestone.report.cards.card import Card, Grid, aligned, bars, counted, filled_columns, largest
from littlestone.report.cards.games import bound_facts
from littlestone.report.weights import reach, scale_note, weights_of

__all__ = ["explained_card", "explanation_card", "learner_card"]

TOP, FEW = 8, 3  # weights of each side of a learner, which nobody has asked for; of each of many classes
CLASSES = 6  # of a learner
LABELS = 12
SIDE = 5  # weights of each side of a class where there are many classes
COLUMNS = 10  # scaled ones, of which more are folded


def learner_card(learner: Learner) -> Card:
    """Return the card of a learner: its game so far, its bound, its largest weights."""
    if not learner.trials:
        bound = learner.guarantee  # which may need to know the number of attributes
        return Card(repr(learner), "It has learned nothing yet.", {} if bound is None else bound_facts(bound))
    labels = learner.labels or ()
    words = learner.vocabulary
    numbers = isinstance(learner, Regressor)  # it makes no mistakes
    mistakes = 0 if numbers else learner.mistakes
    facts = {
        "Trials": f"{learner.trials:,}",
        "Mistakes": "" if numbers else f"{mistakes:,}, or {100 * mistakes / learner.trials:.2f}%",
        "Loss": f"{learner.loss:,.6g} ({learner.measure})" if isinstance(learner, Regressor) else "",
        "Updates": f"{learner.updates:,}",
        "Attributes": f"{max(learner.width, learner.n or 0) if words is None else len(words):,}",
        "Labels": ", ".join(map(str, labels[:LABELS])) + (" …" if len(labels) > LABELS else ""),
        "Made of": ", ".join(learner.inner),
    }
    grids, notes = _weights(learner)
    return Card(repr(learner), "", facts | bound_facts(learner.guarantee, mistakes), grids, notes)


def _weights(learner: Learner) -> tuple[list[Grid], list[str]]:
    """Return tables of the largest weights, none where they cannot be had at the moment."""
    try:
        found = weights_of(learner, top=FEW if len(learner.labels or ()) > 2 else TOP)
    except LittlestoneError:  # it is made of others, too large to look into, or learning in another thread
        return [], []
    notes = scale_note(found.start)
    if len(found.classes) > CLASSES:
        notes.append(f"Classes that are not listed: {len(found.classes) - CLASSES}.")
    return _grids(found)[:CLASSES], notes


def explanation_card(found: Explanation) -> Card:
    """Return the card of an explanation: its rule and the heaviest evidence."""
    facts = {"Threshold": "" if found.theta is None else f"{found.theta:.6g}"}
    facts["Constant"] = f"{found.constant:.6g}" if found.constant else ""
    wrong = counted(found.mistakes, "mistake")
    if found.kind == "numbers":
        wrong = f"{counted(found.promotions, 'update')} upwards, {found.demotions:,} downwards"
    counts = f"{counted(found.trials, 'trial')}, {wrong}"
    lead = f"{counts}, {counted(found.attributes, 'attribute')}"
    notes = list(found.notes)
    if len(found.classes) > CLASSES:
        notes.append(f"Of each class the {SIDE} largest weights of each side are listed.")
    grids = [*_grids(found, SIDE if len(found.classes) > CLASSES else None), *_scales(found)]
    return Card(found.learner, lead, facts, grids, [*notes, *scale_note(found.start)])


def _scales(found: Explanation) -> list[Grid]:
    """Return a table of the scaled columns, if there are any."""
    rows = [(one.name, f"{one.mean:.6g}", f"{one.deviation:.6g}") for one in found.scales]
    caption = "Columns that count in standard deviations from their mean"
    return [Grid(caption, ("column", "mean", "deviation"), rows, folded=len(rows) > COLUMNS)] if rows else []


def _grids(found: Explanation, side: int | None = None) -> list[Grid]:
    """Return the tables of an explanation, of each class so many weights of each side."""
    whose = f" of {found.whose}, the best of the experts" if found.whose else ""
    grids = _clauses(found)
    if found.supports or found.opposes:
        toward = f", for {found.labels[-1]!s} and against it" if found.labels else ""
        toward = ", which raise a number and lower it" if found.kind == "numbers" else toward
        grids.append(_evidence(f"Largest weights{whose}{toward}", found.supports, found.opposes, found.start))
    if found.conjunctions:
        rows = [(" and ".join(map(str, one.literals)) or "(the empty one)", f"{float(one.weight):.6g}")
                for one in found.conjunctions]  # fmt: skip
        grids.append(Grid(f"Heaviest {found.kind}", (found.kind, "weight"), rows))
    most = largest(one.weight for _, up, down in found.classes for one in (*up, *down))  # one scale for all classes
    return grids + [_evidence(f"Class \N{LEFT DOUBLE QUOTATION MARK}{label!s}\N{RIGHT DOUBLE QUOTATION MARK}"
                              f"{whose and f': weights{whose}'}", up[:side], down[:side], most=most)
                    for label, up, down in found.classes]  # fmt: skip


def _clauses(found: Explanation) -> list[Grid]:
    """Return the sets of attributes that suffice for a positive prediction."""
    if found.clauses is None or not found.clauses.listed or not found.clauses.listed[0].attributes:
        return []
    positive = 1 if found.labels is None else found.labels[-1]
    rows = [
        (
            " and ".join(map(str, clause.attributes)),
            f"{float(clause.weight):.6g}",
            "" if clause.always else f"{float(clause.slack):.6g}",
            "" if clause.holds is None else f"{clause.holds:,}",
        )
        for clause in found.clauses.listed
    ]
    return [
        filled_columns(
            Grid(f"Predict {positive!s} if these are on", ("attributes", "weight", "slack", "examples"), rows)
        )
    ]


def _evidence(
    caption: str, up: Sequence[Evidence], down: Sequence[Evidence], start: float = 0.0, most: float | None = None
) -> Grid:
    """Return the evidence for, then that against, with bars and counts of updates."""
    listed = [*((one, True) for one in up), *((one, False) for one in reversed(down))]
    drawn = bars([reach(one.weight, start) for one, _ in listed], [side for _, side in listed], most)
    weights = aligned([one.weight for one, _ in listed], 5)
    rows = [
        (str(one.attribute), weight, bar, _count(one.net, "+,"), _count(one.promotions), _count(one.demotions),
         _count(one.on))
        for (one, _), weight, bar in zip(listed, weights, drawn, strict=True)
    ]  # fmt: skip
    return filled_columns(Grid(caption, ("attribute", "weight", "", "net", "promotions", "demotions", "on in"), rows))


def _count(number: int | None, how: str = ",") -> str:
    return "" if number is None else f"{number:{how}}"


def explained_card(found: Explained) -> Card:
    """Return the card of an example explained: what each attribute brings, and the sum."""
    brought = [(str(one.attribute), f"{one.value:.6g}", f"{one.weight:.6g}", one.product, one.note)
               for one in found.contributions]  # fmt: skip
    if found.constant:
        brought.append(("(the constant)", "", "", found.constant, ""))
    products = [product for *_, product, _ in brought]
    drawn = bars(products, [product > 0 for product in products])
    rows = [
        (name, told, bar, value, weight, note)
        for (name, value, weight, _, note), told, bar in zip(brought, aligned(products, 5, "+"), drawn, strict=True)
    ]
    facts = {}
    if found.total is not None and found.theta is not None:
        facts = {"Sum": f"{found.total:.6g}", "Threshold": f"{found.theta:.6g}"}
    held = [(" and ".join(map(str, one.literals)) or "(the empty one)", f"{float(one.weight):.6g}")
            for one in found.conjunctions]  # fmt: skip
    heads = ("attribute", "brings", "", "value", "weight", "")
    grids = [
        filled_columns(Grid("What each attribute brings", heads, rows)),
        Grid("Conjunctions", ("conjunction", "weight"), held),
    ]
    return Card(f"Predicts {found.prediction!s}", found.learner, facts, grids, found.notes)
