"""A contest as a plot: mistakes against trials, mistakes per trial, differences from the best."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from littlestone.core.errors import InvalidParameter
from littlestone.report.figure import FIRST, INK, SOFT, line_style, plain_axes
from littlestone.report.plots.axes import check_kind, legend, on_axes, title
from littlestone.report.plots.names import words
from littlestone.report.plots.runs import POINTS
from littlestone.theory.contests import Contest, Entry, Sample

__all__ = [
    "banded",
    "behind_the_best",
    "draw_differences",
    "draw_mistakes",
    "draw_rates",
    "far_apart",
    "plot_contest",
    "ranked",
]

FAR = 8  # times as many mistakes: on plain axes the best would lie on the bottom
BANDS = 4  # learners up to which each curve has a band: more of them cover each other
FEW, LONG, SHORT = 6, 44, 21  # learners that have a line each in a legend, letters of their names, and of those of more


def plot_contest(contest: Contest, ax: Any = None, *, kind: str | None = None) -> Any:
    """Draw the mistakes of all learners; ``kind="rate"``: in percent; "differences": from the best, game by game.

    Of regressors it is the loss (``kind="loss"``), and the rate is the loss per trial.

    >>> import littlestone as ls
    >>> stream = ls.teachers.Disjunction(n=20, k=2, trials=200)
    >>> axes = ls.contest([ls.Winnow(), ls.Perceptron()], stream).plot()
    >>> axes.get_title(loc="left"), len(axes.lines)
    ('Mistakes', 2)
    """
    kinds = ("mistakes" if contest.measure is None else "loss", "rate", "differences")
    kind = kinds[0] if kind is None else kind
    check_kind(kind, kinds)
    entries = [entry for entry in ranked(contest) if entry.runs]
    if kind == "differences":
        if contest.permutations < 2 or len(entries) < 2:
            raise InvalidParameter(
                "plot: differences: expected games of two learners or more in two permutations or more"
            )
        height = 1.3 + 0.3 * len(entries)
        return on_axes(ax, lambda figure, axes: draw_differences(contest, entries, figure, axes), height=height)
    draw = draw_rates if kind == "rate" else draw_mistakes
    return on_axes(ax, lambda figure, axes: draw(contest, entries, figure, axes))


def ranked(contest: Contest) -> list[Entry]:
    """Return the entries, the fewest mistakes or the least loss first; those that left are last."""
    return sorted(contest.entries, key=lambda entry: np.inf if entry.sample is None else entry.sample.mean)


def far_apart(entries: Sequence[Entry]) -> bool:
    """Tell whether learners are so far apart that axes are logarithmic."""
    means = [float(entry.counts.mean()) for entry in entries]
    least = 0.0 if entries[0].loss is not None else 1.0
    return max(means) > FAR * max(min(means), least) > 0.0


def banded(contest: Contest, entries: Sequence[Entry]) -> bool:
    """Tell whether curves have a band, of one standard deviation to each side."""
    return contest.permutations > 1 and len(entries) <= BANDS


def draw_mistakes(contest: Contest, entries: Sequence[Entry], figure: Any, axes: Any) -> None:
    """Draw the curves of mistakes, or losses, against trials, on logarithmic axes where learners are far apart."""
    far, lost = far_apart(entries), contest.measure is not None
    _curves(contest, entries, axes, contest.points > 0, lambda counts: counts)
    if contest.trials <= POINTS and not contest.permutations:  # every trial is a point, and counts jump
        for line in axes.lines[-len(entries) :]:
            line.set_drawstyle("steps-pre")
    title(figure, axes, "Loss" if lost else "Mistakes")
    axes.set(xlabel="trials", ylabel=f"{contest.measure} loss so far" if lost else "mistakes so far")
    if far:
        axes.set(xscale="log", yscale="log")
    if not lost:
        axes.set_ylim(bottom=0.9 if far else 0.0, top=max(1.0, axes.get_ylim()[1]))
    elif not far:
        axes.set_ylim(bottom=0.0)
    plain_axes(axes, whole="x" if lost else "xy")
    legend(figure, axes)


def draw_rates(contest: Contest, entries: Sequence[Entry], figure: Any, axes: Any) -> None:
    """Draw the curves of mistakes or losses per trial so far, without the first trials, which say nothing."""
    shown = contest.points >= min(FIRST, contest.trials / 10)
    if contest.measure is not None:
        _curves(contest, entries, axes, shown, lambda losses: losses / contest.points)
        title(figure, axes, "Loss per trial")
        axes.set(xscale="log", xlabel="trials", ylabel=f"{contest.measure} loss a trial, so far")
        axes.set(yscale="log") if far_apart(entries) else axes.set_ylim(bottom=0.0)
        plain_axes(axes, whole="x")
        legend(figure, axes)
        return
    _curves(contest, entries, axes, shown, lambda counts: 100.0 * counts / contest.points)
    title(figure, axes, "Mistakes per trial")
    axes.set(xscale="log", xlabel="trials", ylabel="% of the trials so far")
    axes.set_ylim(bottom=0.0, top=min(100.0, axes.get_ylim()[1]))
    plain_axes(axes, whole="x")
    legend(figure, axes)


def behind_the_best(contest: Contest, entries: Sequence[Entry]) -> list[tuple[int, Entry, Sample]]:
    """Return all but the best, each with its place and its differences from the best."""
    places = [(number, entry, contest.difference(entry)) for number, entry in enumerate(entries)]
    return [(number, entry, found.sample) for number, entry, found in places if found is not None]


def draw_differences(contest: Contest, entries: Sequence[Entry], figure: Any, axes: Any) -> None:
    """Draw the differences from the best: each game a dot, the mean with its interval."""
    others = behind_the_best(contest, entries)
    for place, (number, entry, sample) in enumerate(others):
        colour, _ = line_style(number)
        apart = entry.counts - contest.best.counts
        axes.plot(apart, np.full(len(apart), place), "o", color=colour, alpha=0.35, markersize=3.5, mew=0)
        axes.plot([sample.low, sample.high], [place, place], color=colour, linewidth=2.4, solid_capstyle="butt")
        axes.plot([sample.mean], [place], "|", color=INK, markersize=10, mew=1.4)
    axes.axvline(0.0, color=SOFT, linewidth=1.0)
    axes.set_ylim(len(others) - 0.5, -0.5)
    axes.grid(visible=False, axis="y")
    lost = contest.measure is not None
    title(figure, axes, "More loss than the best" if lost else "More mistakes than the best")
    axes.set(xlabel=f"{contest.measure} loss, game by game" if lost else "mistakes, game by game")
    plain_axes(axes, whole="" if lost else "x")
    axes.set_yticks(range(len(others)), words(entry.name for _, entry, _ in others))


def _curves(contest: Contest, entries: Sequence[Entry], axes: Any, shown: Any, scaled: Callable[[Any], Any]) -> None:
    points = contest.points[shown]
    names = words((entry.name for entry in entries), LONG if len(entries) <= FEW else SHORT)
    for number, entry in enumerate(entries):
        mean, spread = contest.curve(entry)
        colour, dashes = line_style(number)
        style = (0, tuple(float(part) for part in dashes.split(","))) if dashes else "solid"
        axes.plot(points, scaled(mean)[shown], color=colour, linestyle=style, label=names[number])
        if banded(contest, entries):
            low, high = scaled(np.maximum(mean - spread, 0.0)), scaled(mean + spread)
            axes.fill_between(points, low[shown], high[shown], color=colour, alpha=0.12, linewidth=0)
