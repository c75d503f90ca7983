"""A run as a plot: mistakes against trials, with the bound."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from textwrap import fill
from typing import Any

import numpy as np

from littlestone.bounds import Bound, OpenBound
from littlestone.core.errors import InvalidParameter
from littlestone.games.run import Run
from littlestone.parts.changes import Change
from littlestone.report.figure import FIRST, SOFT, line_style, plain_axes
from littlestone.report.plots.axes import check_kind, legend, on_axes, title
from littlestone.report.plots.names import word

__all__ = ["POINTS", "curve_of", "draw_run", "limit_of", "plot_run"]

POINTS = 400  # of a curve
FAR = 4  # times as many as the mistakes: a bound beyond that would press the curve to the ground
LINE = 48  # letters of a line in a legend


def plot_run(run: Run, ax: Any = None, *, kind: str = "mistakes", **numbers: Any) -> Any:
    """Draw the mistakes of a run against its trials, and the bound; ``kind="rate"``: in percent of the trials so far.

    Dotted lines stand where mistakes became more frequent (`Run.changes`). A bound whose target nobody has described is
    drawn for the numbers that describe it, such as ``k=3``.

    >>> import littlestone as ls
    >>> run = ls.play(ls.Winnow(), ls.teachers.Disjunction(n=100, k=3, trials=1000))
    >>> axes = run.plot(k=3)
    >>> axes.get_xlabel(), axes.get_ylabel(), len(axes.lines)
    ('trials', 'mistakes so far', 2)
    """
    check_kind(kind, ("mistakes", "rate"))
    limit = limit_of(run, **numbers)

    def draw(figure: Any, axes: Any) -> None:
        draw_run(run, figure, axes, kind, limit, run.changes())
        if axes.get_legend_handles_labels()[0]:
            legend(figure, axes, columns=1)

    return on_axes(ax, draw)


def limit_of(run: Run, **numbers: Any) -> Bound | None:
    """Return the bound on the mistakes of a run, for a target with these numbers; None where there is none."""
    bound = run.guarantee
    if numbers and not isinstance(bound, Bound | OpenBound):
        raise InvalidParameter(f"plot: expected a run with a bound to put {', '.join(numbers)} into, got one without")
    if numbers and bound is not None:
        _check(numbers, bound)
        bound = bound.at(**numbers)
    known = isinstance(bound, Bound) and isfinite(bound.value) and bound.kind != "lower"
    return bound if known and isinstance(bound, Bound) and bound.of.endswith("mistakes") else None


def _check(numbers: dict[str, Any], bound: Bound | OpenBound) -> None:
    known = (bound.example if isinstance(bound, OpenBound) else bound).arguments
    for name in numbers:
        if name not in known:
            raise InvalidParameter(
                f"plot: expected ax, kind, or a number of the bound ({', '.join(known)}), got {name!r}"
            )


def curve_of(run: Run, size: int = POINTS) -> tuple[Any, Any]:
    """Return numbers of trials, close together at first, and the mistakes within each."""
    spaced = (np.linspace(1, run.trials, size), np.geomspace(1, run.trials, size))
    points = np.unique(np.concatenate(spaced).astype(np.int64)) if run.trials else np.zeros(0, dtype=np.int64)
    return points, np.searchsorted(run.mistake_trials, points)


def draw_run(
    run: Run, figure: Any, axes: Any, kind: str, limit: Bound | None = None, changes: Sequence[Change] = ()
) -> None:
    """Draw one kind of curve; a bound that is far above it is only told. Changes are dotted lines."""
    points, counts = curve_of(run)
    colour, _ = line_style(0)
    if kind == "rate":
        late = points >= min(FIRST, run.trials / 10)
        axes.plot(points[late], 100.0 * (counts / points)[late], color=colour)
        title(figure, axes, "Mistakes per trial")
        axes.set(xlabel="trials", ylabel="% of the trials so far", xscale="log")
    else:
        steps = run.trials <= POINTS  # where every trial is a point, counts jump
        if steps:
            points, counts = np.append(0, points), np.append(0, counts)
        axes.plot(points, counts, color=colour, drawstyle="steps-pre" if steps else "default")
        title(figure, axes, "Mistakes")
        axes.set(xlabel="trials", ylabel="mistakes so far")
        if limit is not None:
            _bound(axes, run, limit)
    for change in changes:
        axes.axvline(change.began + 1, color=SOFT, linestyle=":", linewidth=1.2)
    axes.set_ylim(bottom=0.0, top=max(1.0, axes.get_ylim()[1]))
    plain_axes(axes, whole="x" if kind == "rate" else "xy")


def _bound(axes: Any, run: Run, limit: Bound) -> None:
    assumed = "" if limit.target is None else f" if {limit.assumes}"
    words = f"at most {limit.value:,.4g} {limit.of}{assumed}"
    axes.lines[-1].set_label(word(f"{run.learner.partition('(')[0]}: {run.mistakes:,} mistakes", most=LINE))
    near = limit.value <= FAR * max(run.mistakes, 1)
    style = {"color": SOFT, "linestyle": (0, (5, 2)), "linewidth": 1.2}
    axes.plot([1, run.trials] if near else [], [limit.value] * 2 if near else [], label=_told(words, near), **style)


def _told(words: str, near: bool) -> str:
    return fill(word(words if near else f"{words} (above the figure)", most=4 * LINE), LINE)
