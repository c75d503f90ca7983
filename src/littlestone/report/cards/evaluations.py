"""The card of an evaluation, and its figures in words, which its page has too."""

from __future__ import annotations

from math import log

import numpy as np

from littlestone.games.evaluation import Evaluation, RegressionEvaluation
from littlestone.report.cards.card import Card, Cell, Grid, Share, counted, told
from littlestone.report.plots.evaluations import ground

__all__ = ["classes_grid", "confusion_grid", "evaluation_card", "figures_of", "lead_of", "numbers_card"]

SMALL = 8  # classes up to which a card has the confusion table
MOST = 20  # classes in a card


def evaluation_card(found: Evaluation) -> Card:
    """Return the card of an evaluation: accuracy, scores, a row for each class, the confusion table."""
    grids = [classes_grid(found, MOST)]
    if len(found.labels) <= SMALL:
        grids.append(confusion_grid(found))
    hidden = len(found.labels) - MOST
    notes = [f"Classes that are not listed: {hidden}."] if hidden > 0 else []
    if len(found.labels) > SMALL:
        notes.append(f"The confusion table of {len(found.labels)} labels is not shown here: plot(kind='confusion').")
    return Card(lead_of(found), "", figures_of(found), grids, notes)


def numbers_card(found: RegressionEvaluation) -> Card:
    """Return the card of an evaluation of numbers: the errors, in all and by their quantiles.

    >>> import littlestone as ls
    >>> rows = [{"x": 0.5 * i, "y": 1.5 * i} for i in range(200)]
    >>> "MAE" in ls.Model.train(rows, task="regression").evaluate(rows)._repr_html_()
    True
    """
    facts = {
        "MAE": f"{found.mae:.6g} (the mean size of the errors)",
        "RMSE": f"{found.rmse:.6g} (the root of their mean square)",
        "R2": "" if found.r2 is None else f"{found.r2:.6g} (the share of the variance that is explained; 1 is best)",
        "Bias": f"{found.bias:.6g} (the mean error)",
        "Bad lines left out": f"{found.skipped:,}" if found.skipped else "",
    }
    levels = found.quantiles()
    rows = [[f"{error:.6g}" for error in levels.values()]] if levels else []
    heads = [f"{level:.0%}" for level in levels]
    grids = [Grid("Quantiles of the errors, prediction less outcome", heads, rows)] if rows else []
    return Card(counted(found.examples, "example"), "", facts if found.examples else {}, grids)


def lead_of(found: Evaluation) -> str:
    """Return the accuracy in words."""
    right = found.examples - found.mistakes
    return f"{100 * found.accuracy:.2f}% right: {right:,} of {counted(found.examples, 'example')}"


def figures_of(found: Evaluation) -> dict[str, str]:
    """Return all figures that are known, by name, each with what it is."""
    many, even = len(found.labels) > 2, log(max(1, len(found.labels)))
    mean = ", the mean over the classes" if many else ""
    figures = {
        "AUC": ("auc", f"the probability that a positive example ranks above a negative one{mean}"),
        "Average precision": ("average_precision", f"the area under precision and recall{mean}"),
        "Log loss": ("log_loss", f"0 is best; the same probability for each label has {even:.4f}"),
        "Brier score": ("brier", "the mean squared distance of the probabilities; 0 is best"),
        "Calibration error": ("calibration_error", "the mean distance of probability and share; 0 is best"),
    }
    values = {name: (getattr(found, field), says) for name, (field, says) in figures.items()}
    shown = {name: f"{told(value)} ({says})" for name, (value, says) in values.items() if value is not None}
    return shown | {"Bad lines left out": f"{found.skipped:,}" if found.skipped else ""}


def classes_grid(found: Evaluation, most: int | None = None) -> Grid:
    """Return precision, recall and the like of each class, at most so many, the most frequent ones."""
    report = found.as_dict()
    names = ("precision", "recall", "f1", "auc", "average_precision")
    classes = report["classes"]
    if most is not None and len(classes) > most:
        classes = sorted(classes, key=lambda one: -one["examples"])[:most]
    rows = [
        [str(one["label"]), f"{one['examples']:,}", f"{one['predicted']:,}", *(told(one[name]) for name in names)]
        for one in classes
    ]
    if len(found.labels) > 2:
        means = report["macro"] | {"auc": found.auc, "average_precision": found.average_precision}
        rows.append(["mean over the classes", "", "", *(told(means[name]) for name in names)])
    heads = ("label", "examples", "predicted", "precision", "recall", "F1", "AUC", "average precision")
    return Grid("Classes", heads, rows)


def confusion_grid(found: Evaluation) -> Grid:
    """Return the confusion table; the ground of a cell is its share of the examples of the label."""
    shares = found.confusion / np.maximum(found.confusion.sum(axis=1, keepdims=True), 1)
    rows: list[list[Cell]] = [
        [str(label), *(Share(f"{count:,}", ground(share)) for count, share in zip(counts, parts, strict=True))]
        for label, counts, parts in zip(found.labels, found.confusion.tolist(), shares.tolist(), strict=True)
    ]
    caption = "Confusion table: a row for each label, a column for each prediction; a stronger colour is a larger share"
    return Grid(caption, ["", *map(str, found.labels)], rows)
