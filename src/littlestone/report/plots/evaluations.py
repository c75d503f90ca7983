"""An evaluation as a plot: precision against recall, reliability, the confusion table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from littlestone.core.errors import InvalidParameter
from littlestone.games.evaluation import Evaluation
from littlestone.report.figure import HEIGHT, line_style
from littlestone.report.plots.axes import check_kind, legend, on_axes, word

__all__ = [
    "confusion_height",
    "curves_height",
    "draw_confusion",
    "draw_precision_recall",
    "draw_reliability",
    "plot_evaluation",
]

WRITTEN = 12  # classes up to which the counts stand in the cells of a confusion table
NAMED = 40  # classes up to which all have their names at the axes
GREY = "#767676"


def plot_evaluation(found: Evaluation, ax: Any = None, *, kind: str = "precision-recall") -> Any:
    """Draw an evaluation: ``kind`` is "precision-recall", "reliability" (of probabilities) or "confusion".

    >>> import littlestone as ls
    >>> learner, stream = ls.Perceptron(), ls.teachers.Disjunction(n=20, k=2, trials=300, noise=0.1)
    >>> _ = ls.play(learner, stream)
    >>> axes = ls.evaluate(learner, stream).plot(kind="confusion")
    >>> axes.get_xlabel(), axes.get_ylabel()
    ('prediction', 'label')
    """
    check_kind(kind, ("precision-recall", "reliability", "confusion"))
    if kind == "precision-recall" and not found.curves:
        raise InvalidParameter(
            "plot: precision-recall: expected positive examples, and 12 classes or fewer; got others"
        )
    if kind == "reliability" and found.calibration_error is None:
        raise InvalidParameter("plot: reliability: expected probabilities, got none; give evaluate probabilities=")
    if kind == "confusion":
        return on_axes(ax, lambda figure, axes: draw_confusion(found, figure, axes), height=confusion_height(found))
    draw: Callable[[Evaluation, Any, Any], None] = draw_reliability
    if kind == "precision-recall":
        draw = draw_precision_recall
    return on_axes(ax, lambda figure, axes: draw(found, figure, axes), height=curves_height(found, kind))


def draw_precision_recall(found: Evaluation, figure: Any, axes: Any) -> None:
    """Draw a curve for each class that has one; with one of them, also the precision of taking all for positive."""
    precisions = dict(zip(found.labels, found.average_precisions, strict=True))
    for number, (label, curve) in enumerate(found.curves.items()):
        colour, dashes = line_style(number)
        style = (0, tuple(float(part) for part in dashes.split(","))) if dashes else "solid"
        told = word(f"{word(label, most=16)}: average precision {precisions[label]:.3f}", most=60)
        recall, precision = np.append(0.0, curve.recall), np.append(curve.precision[0], curve.precision)
        axes.plot(recall, precision, drawstyle="steps-pre", color=colour, linestyle=style, label=told)
    if len(found.curves) == 1:
        [curve] = found.curves.values()
        base = float(curve.precision[-1])
        axes.axhline(base, color=GREY, linewidth=1.0, linestyle=(0, (5, 2)), label=f"all taken for it: {base:.3f}")
    axes.set(title="Precision and recall", xlabel="recall", ylabel="precision")
    _unit(axes)
    legend(figure, axes)


def draw_reliability(found: Evaluation, figure: Any, axes: Any) -> None:
    """Draw how often it happened against how probable it was said to be; bars are the shares of the examples."""
    bins = [one for one in found.reliability if one.examples]
    total = sum(one.examples for one in bins)
    for one in bins:
        axes.bar((one.low + one.high) / 2, one.examples / total, width=0.9 * (one.high - one.low), color="#c9d6df")
    axes.patches[0].set_label("share of the examples")
    axes.plot([0, 1], [0, 1], color=GREY, linewidth=1.0, linestyle=(0, (5, 2)), label="perfectly calibrated")
    colour, _ = line_style(0)
    points = [one.probability for one in bins], [one.share for one in bins]
    told = f"calibration error {found.calibration_error:.3f}"
    axes.plot(*points, color=colour, linewidth=1.0, alpha=0.6, marker="o", markersize=3, label=told)
    axes.scatter(*points, s=[12 + 70 * one.examples / total for one in bins], color=colour, linewidth=0, zorder=3)
    whose = "the most probable class" if found.reliability_of is None else word(found.reliability_of)
    axes.set(title="Reliability", xlabel=f"probability of {whose}", ylabel="how often it came")
    _unit(axes)
    legend(figure, axes)


def draw_confusion(found: Evaluation, figure: Any, axes: Any) -> None:
    """Draw the confusion table: darker is a larger share of the examples of a label."""
    del figure
    counts, size = found.confusion, len(found.labels)
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    axes.imshow(shares, cmap="Blues", vmin=0.0, vmax=1.0, aspect="auto" if size < 4 else "equal")
    if size <= WRITTEN:
        for row in range(size):
            for column in range(size):
                colour = "white" if shares[row, column] > 0.5 else "#1b1b1b"
                told = f"{counts[row, column]:,}"
                axes.text(column, row, told, ha="center", va="center", color=colour, fontsize=8 if size < 7 else 6)
    every = max(1, -(-size // NAMED))
    names = [word(label, most=12) for label in found.labels[::every]]
    turned = size > 5 or max(map(len, names), default=0) > 8
    axes.set_xticks(range(0, size, every), names, rotation=90 if turned else 0)
    axes.set_yticks(range(0, size, every), names)
    axes.tick_params(labelsize=8 if size <= WRITTEN else 6, length=0)
    axes.grid(visible=False)
    axes.set(title="Confusion", xlabel="prediction", ylabel="label")


def confusion_height(found: Evaluation) -> float:
    """Return the height of the figure of a confusion table."""
    return HEIGHT if len(found.labels) < 4 else 4.6


def curves_height(found: Evaluation, kind: str) -> float:
    """Return the height of a figure of curves, with room for its legend."""
    lines = len(found.curves) + 1 if kind == "precision-recall" else 3
    return HEIGHT + 0.17 * ((lines + 1) // 2)


def _unit(axes: Any) -> None:
    """Let both axes go from 0 to 1, with a little room."""
    axes.set(xlim=(-0.02, 1.02), ylim=(0.0, 1.04))
