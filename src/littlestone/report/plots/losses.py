"""A run of a regressor as a plot: what was lost against trials, beside a comparator and the bound."""

from __future__ import annotations

from math import isfinite
from textwrap import fill
from typing import Any

import numpy as np

from littlestone.core.amounts import amount
from littlestone.core.arrays import Floats, Ints
from littlestone.core.errors import InvalidParameter
from littlestone.games.linear import blocks_of, linear, outcomes_of, scores
from littlestone.games.loss_run import LossRun
from littlestone.report.figure import FIRST, SOFT, line_style, plain_axes
from littlestone.report.plots.axes import check_kind, legend, on_axes, title
from littlestone.report.plots.names import word
from littlestone.report.plots.runs import FAR, LINE, POINTS

__all__ = ["compared", "draw_loss_run", "loss_limit", "plot_loss_run", "points_of"]

RATE_FALLS = 8  # times as much lost a trial at first as in the end: on plain axes the end would lie on the ground


def plot_loss_run(run: LossRun, ax: Any = None, *, kind: str = "loss", comparator: Any = None, **numbers: Any) -> Any:
    """Draw what was lost up to each trial; ``kind="rate"``: a trial, so far, on logarithmic axes if it falls far.

    ``comparator`` is drawn beside it: weights that predict all the time, as `LossRun.regret` takes them. A bound whose
    target nobody has described is drawn for the numbers that describe it, such as ``loss=5, norm=2``.

    >>> import littlestone as ls
    >>> stream = ls.teachers.Linear(n=20, k=2, noise=0.1, trials=500)
    >>> axes = ls.play(ls.GradientDescent(), stream).plot(comparator=ls.hindsight.least_squares(stream))
    >>> axes.get_ylabel(), len(axes.lines)
    ('square loss so far', 2)
    """
    check_kind(kind, ("loss", "rate"))
    limit, beside = loss_limit(run, **numbers), None if comparator is None else compared(run, comparator)

    def draw(figure: Any, axes: Any) -> None:
        draw_loss_run(run, figure, axes, kind, limit, beside)
        if axes.get_legend_handles_labels()[0]:
            legend(figure, axes, columns=1)

    return on_axes(ax, draw)


def loss_limit(run: LossRun, **numbers: Any) -> Any:
    """Return the bound on the loss of a run, for a target with these numbers; None where there is none."""
    bound = run.guarantee
    if numbers:
        known = {} if bound is None else getattr(bound, "example", bound).arguments
        odd = next((name for name in numbers if name not in known), None)
        if odd is not None:
            takes = ", ".join(("ax", "kind", "comparator", *known))
            raise InvalidParameter(f"plot: expected one of {takes}, got {odd!r}")
        bound = bound.at(**numbers)
    value = None if bound is None else bound.value
    return bound if value is not None and isfinite(value) and bound.of == "loss" and bound.kind != "lower" else None


def points_of(run: LossRun, size: int = POINTS) -> Ints:
    """Return numbers of trials, close together at first."""
    if not run.trials:
        return np.zeros(0, dtype=np.int64)
    spaced = (np.linspace(1, run.trials, size), np.geomspace(1, run.trials, size))
    return np.unique(np.concatenate(spaced).astype(np.int64))


def compared(run: LossRun, comparator: Any) -> Floats:
    """Return what a comparator would have lost up to and including each trial."""
    if run.stream is None:
        raise InvalidParameter("plot: comparator: the game cannot be played again; play it with record=True")
    w, constant = linear(comparator, run.stream.names)
    blocks = blocks_of(run.stream, run.trials)
    each = [run.measure(run.measure.predicted(scores(one, w, constant)), outcomes_of(one)) for one in blocks]
    return np.cumsum(np.concatenate(each)) if each else np.zeros(0)


def draw_loss_run(
    run: LossRun, figure: Any, axes: Any, kind: str, limit: Any = None, beside: Floats | None = None
) -> None:
    """Draw one kind of curve; a bound that is far above it is only told."""
    points = points_of(run)
    points = points[points >= min(FIRST, run.trials / 10)] if kind == "rate" else points
    curves = [run.curve()[points - 1], *([] if beside is None else [beside[points - 1]])]
    names = [f"{run.learner.partition('(')[0]}: {amount(run.loss)} lost"]
    if beside is not None:
        names.append(f"comparator: {amount(float(beside[-1]) if len(beside) else 0.0)} lost")
    for number, (curve, name) in enumerate(zip(curves, names, strict=True)):
        colour, _ = line_style(number)
        shown = curve / points if kind == "rate" else curve
        label = word(name, most=LINE) if beside is not None or limit is not None else None
        axes.plot(points, shown, color=colour, label=label)
    if kind == "rate":
        _rate(run, figure, axes, curves[0] / points)
    else:
        title(figure, axes, "Loss")
        axes.set(xlabel="trials", ylabel=f"{run.measure} loss so far")
        if limit is not None:
            _bound(axes, run, limit)
        axes.set_ylim(bottom=0.0)
    plain_axes(axes, whole="x")


def _rate(run: LossRun, figure: Any, axes: Any, rates: Floats) -> None:
    title(figure, axes, "Loss per trial")
    axes.set(xlabel="trials", ylabel=f"{run.measure} loss a trial, so far", xscale="log")
    falls = len(rates) > 0 and rates.min() > 0.0 and rates.max() > RATE_FALLS * rates.min()
    if falls:
        axes.set_yscale("log")
    else:
        axes.set_ylim(bottom=0.0)


def _bound(axes: Any, run: LossRun, limit: Any) -> None:
    near = limit.value <= FAR * max(run.loss, 1e-300)
    words = f"at most {amount(limit.value)} lost, by {limit.theorem}" + ("" if near else " (above the figure)")
    style = {"color": SOFT, "linestyle": (0, (5, 2)), "linewidth": 1.2}
    ends = ([1, run.trials], [limit.value] * 2) if near else ([], [])
    axes.plot(*ends, label=fill(word(words, most=4 * LINE), LINE), **style)
