"""An evaluation as a plot: precision against recall, reliability, the confusion table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from littlestone.core.arrays import Floats
from littlestone.core.errors import InvalidParameter
from littlestone.games.evaluation import Evaluation
from littlestone.games.probabilities import Bin
from littlestone.report.figure import HEIGHT, SOFT, line_style
from littlestone.report.plots.axes import FOR, check_kind, legend, on_axes, title
from littlestone.report.plots.names import word, words

__all__ = [
    "confusion_height",
    "draw_confusion",
    "draw_precision_recall",
    "draw_reliability",
    "ground",
    "plot_evaluation",
]

ROOM, LETTER = 230.0, 6.0  # points of a confusion table, and of a letter: counts are written where they fit
NAMED = 20  # names that fit at an axis
BARS = "#8fa3b0"
FAINTEST, STRONGEST = 0.15, 0.75  # grounds: the least can be seen, and ink be read on the strongest, in light and dark


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
    return on_axes(ax, lambda figure, axes: draw(found, figure, axes))


def ground(share: float) -> float:
    """Return how strong the ground of a share is, from 0 to 1.

    >>> ground(0.0), ground(0.1), ground(1.0)
    (0.0, 0.21, 0.75)
    """
    return round(FAINTEST + (STRONGEST - FAINTEST) * share, 3) if share else 0.0


def draw_precision_recall(found: Evaluation, figure: Any, axes: Any) -> None:
    """Draw a curve for each class that has one; with one of them, also the precision of taking all for positive."""
    precisions = dict(zip(found.labels, found.average_precisions, strict=True))
    several = len(found.curves) > 1
    names = words(found.curves, 16 if several else 24)
    for number, (name, (label, curve)) in enumerate(zip(names, found.curves.items(), strict=True)):
        colour, dashes = line_style(number)
        style = (0, tuple(float(part) for part in dashes.split(","))) if dashes else "solid"
        told = f"{name}: {'' if several else 'average precision '}{precisions[label]:.3f}"
        recall, precision = np.append(0.0, curve.recall), np.append(curve.precision[0], curve.precision)
        axes.plot(recall, precision, drawstyle="steps-pre", color=colour, linestyle=style, label=told)
    if not several:
        [curve] = found.curves.values()
        base = float(curve.precision[-1])
        axes.axhline(base, color=SOFT, linewidth=1.0, linestyle=(0, (5, 2)), label=f"all taken for it: {base:.3f}")
    title(figure, axes, "Precision and recall")
    axes.set(xlabel="recall", ylabel="precision")
    _unit(axes)
    legend(figure, axes, heading="average precision" if several else None)


def draw_reliability(found: Evaluation, figure: Any, axes: Any) -> None:
    """Draw how often it happened against how probable it was said to be; bars are the shares of the examples."""
    bins = [one for one in found.reliability if one.examples]
    parts = np.array([one.examples for one in bins]) / sum(one.examples for one in bins)
    _shares(axes, bins, parts)
    axes.plot([0, 1], [0, 1], color=SOFT, linewidth=1.0, linestyle=(0, (5, 2)), label="perfectly calibrated")
    colour, _ = line_style(0)
    points = [one.probability for one in bins], [one.share for one in bins]
    told = f"predicted against seen (calibration error {found.calibration_error:.3f})"
    axes.plot(*points, color=colour, linewidth=1.0, alpha=0.8, label=told)
    seen = np.clip(np.sqrt(parts / parts.max()), 0.25, 1.0)  # what few examples say is smaller and fainter
    axes.scatter(*points, s=12.0 + 54.0 * seen**2, color=colour, alpha=seen, linewidth=0, zorder=3)
    whose = "the most probable class" if found.reliability_of is None else word(found.reliability_of)
    title(figure, axes, "Reliability")
    axes.set(xlabel=f"probability of {whose}", ylabel="how often it came")
    _unit(axes)
    legend(figure, axes, columns=1)


def _shares(axes: Any, bins: Sequence[Bin], parts: Floats) -> None:
    """Draw the shares of the examples as bars at the bottom, with an axis of their own to the right."""
    beside = axes.twinx()
    for one, part in zip(bins, parts.tolist(), strict=True):
        beside.bar((one.low + one.high) / 2, part, width=0.9 * (one.high - one.low), color=BARS, alpha=0.45)
    most = float(parts.max())
    beside.set(ylim=(0.0, 3.5 * most), ylabel="share of the examples (bars)")
    beside.set_yticks([0.0, most], ["0", f"{100 * most:.0f}%"])
    beside.grid(visible=False)
    beside.spines["right"].set_visible(False)
    axes.set_zorder(beside.get_zorder() + 1)  # points lie over bars
    axes.patch.set_visible(False)


def draw_confusion(found: Evaluation, figure: Any, axes: Any) -> None:
    """Draw the confusion table: a stronger colour is a larger share of the examples of a label."""
    from matplotlib.colors import to_rgb

    counts, size = found.confusion, len(found.labels)
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    cells = np.array([[(*to_rgb(FOR), ground(share)) for share in row] for row in shares.tolist()])
    axes.imshow(cells.reshape(size, size, 4), aspect="auto" if size < 4 else "equal")
    if LETTER * len(f"{counts.max(initial=0):,}") <= ROOM / max(size, 1):
        for row in range(size):
            for column in range(size):
                axes.text(column, row, f"{counts[row, column]:,}", ha="center", va="center")
    every = max(1, -(-size // NAMED))
    names = words(found.labels, most=12)[::every]
    turned = LETTER * max(map(len, names), default=0) > 0.9 * ROOM / max(len(names), 1)
    axes.set_xticks(range(0, size, every), names, rotation=90 if turned else 0)
    axes.set_yticks(range(0, size, every), names)
    axes.tick_params(length=0)
    axes.grid(visible=False)
    title(figure, axes, "Confusion")
    axes.set(xlabel="prediction", ylabel="label")


def confusion_height(found: Evaluation) -> float:
    """Return the height of the figure of a confusion table."""
    return HEIGHT if len(found.labels) < 4 else 4.6


def _unit(axes: Any) -> None:
    """Let both axes go from 0 to 1, with a little room."""
    axes.set(xlim=(-0.02, 1.02), ylim=(0.0, 1.04))
