"""An evaluation as a page: the figures, the curves, the classes, the confusion table."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import PurePath
from typing import Any

import numpy as np

from littlestone.core.errors import InvalidParameter
from littlestone.games.evaluation import Evaluation
from littlestone.report.cards.card import told
from littlestone.report.cards.evaluations import classes_grid, confusion_grid, figures_of, lead_of
from littlestone.report.figure import Drawn, figure
from littlestone.report.page import page
from littlestone.report.plots.evaluations import (
    confusion_height,
    draw_confusion,
    draw_precision_recall,
    draw_reliability,
)

__all__ = ["evaluation_page"]

TABLE = 30  # classes up to which the confusion table is written out
MOST = 20  # kinds of mistakes that are listed


def evaluation_page(
    found: Evaluation, *, model: str = "", learner: str = "", source: str = "", command: str = ""
) -> str:
    """Return an evaluation as one HTML page that needs no network and no scripts.

    ``model`` and ``source`` are the files, ``learner`` is the learner in words, ``command`` what was typed. The same
    evaluation gives the same bytes.

    >>> import littlestone as ls
    >>> player, stream = ls.Perceptron(), ls.teachers.Disjunction(n=20, k=2, trials=300, noise=0.1)
    >>> _ = ls.play(player, stream)
    >>> evaluation_page(ls.evaluate(player, stream), model="mail.npz").count("<figure>")
    2
    """
    if not isinstance(found, Evaluation):
        raise InvalidParameter(f"report: expected an Evaluation, as evaluate returns it, got {type(found).__name__}")
    names = [PurePath(name).name for name in (model, source) if name]
    return page(
        "report/templates/evaluation.html",
        title=" on ".join(names) or "Evaluation",
        footer=f"Made by littlestone {version('littlestone')}.",
        lead=f"{lead_of(found)}.",
        known={"Model": model, "Learner": learner, "Examples": source, "Number of examples": f"{found.examples:,}"},
        command=command,
        figures_of=figures_of(found),
        drawn=_curves(found) if found.examples else [],
        classes=classes_grid(found),
        confusion=confusion_grid(found) if len(found.labels) <= TABLE else None,
        confused=_confused(found),
        notes=_notes(found),
        bins=_bins(found),
        whose=_whose(found),
    )


def _whose(found: Evaluation) -> str:
    return "the most probable class" if found.reliability_of is None else str(found.reliability_of)


def _curves(found: Evaluation) -> list[Drawn]:
    drawn = []
    if found.curves:
        precision = f"average precision {told(found.average_precision)}"
        caption = (
            "Precision against recall, at every threshold: how many of those that are taken for it are right, and "
        )
        caption += "how many of all are found."
        drawn.append(
            figure(
                lambda made, axes: draw_precision_recall(found, made, axes),
                name="precision-recall",
                says=f"Precision against recall: {precision}.",
                caption=caption,
            )
        )
    if found.calibration_error is not None:
        error = f"calibration error {told(found.calibration_error)}"
        drawn.append(
            figure(
                lambda made, axes: draw_reliability(found, made, axes),
                name="reliability",
                says=f"How often {_whose(found)} came against its probability: {error}.",
                caption=f"How often {_whose(found)} came against its probability, in 15 bins; the fewer examples "
                "a bin has, the smaller and fainter its point. Below the broken line, probabilities are too high.",
            )
        )
    drawn.append(
        figure(
            lambda made, axes: draw_confusion(found, made, axes),
            name="confusion",
            says=f"Labels against predictions: {lead_of(found)}.",
            caption="Labels against predictions; a stronger colour is a larger share of the label's examples.",
            height=confusion_height(found),
        )
    )
    return drawn


def _confused(found: Evaluation) -> list[tuple[str, str, str, str]]:
    """Return the most frequent mistakes, with their shares of the label's examples."""
    wrong = found.confusion.copy()
    np.fill_diagonal(wrong, 0)
    order = np.argsort(-wrong, axis=None, kind="stable")[:MOST]
    sums, listed = found.confusion.sum(axis=1), []
    for row, column in zip(*np.unravel_index(order, wrong.shape), strict=True):
        if count := int(wrong[row, column]):
            share = f"{100 * count / int(sums[row]):.1f}%"
            listed.append((str(found.labels[row]), str(found.labels[column]), f"{count:,}", share))
    return listed


def _notes(found: Evaluation) -> dict[str, str]:
    """Return what is not in the page, by the table that lacks it."""
    size, kinds = len(found.labels), int(np.count_nonzero(found.confusion - np.diag(np.diag(found.confusion))))
    table = f"A table of {size} labels would not fit: {TABLE} are the most. evaluate --json has it."
    return {
        "confusion": table if size > TABLE else "",
        "confused": f"Kinds of mistakes that are not listed: {kinds - MOST:,}." if kinds > MOST else "",
    }


def _bins(found: Evaluation) -> list[dict[str, Any]]:
    return [
        {
            "range": f"{one.low:.2f} to {one.high:.2f}".replace(" ", "\N{NO-BREAK SPACE}"),
            "mean": told(one.probability),
            "share": told(one.share),
            "examples": f"{one.examples:,}",
        }
        for one in found.reliability
        if one.examples
    ]
