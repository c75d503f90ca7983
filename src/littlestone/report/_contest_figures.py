"""The figures of a contest: mistakes, mistakes per trial, differences from the best."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from littlestone.report.figure import Drawn, figure, line_style
from littlestone.theory.contests import Contest, Entry

__all__ = ["differences", "mistakes", "rates"]

LABELLED = 24  # letters of a name in a legend
FAR = 8  # times as many mistakes: on plain axes the best would lie on the bottom
FIRST = 20  # trials before which a percentage says nothing


def mistakes(contest: Contest, entries: Sequence[Entry]) -> Drawn:
    """Return the curves of mistakes against trials, on logarithmic axes where learners are far apart."""
    means = [float(entry.counts.mean()) for entry in entries]
    far = max(means) > FAR * max(min(means), 1.0)

    def draw(drawn: Any, axes: Any) -> None:
        _curves(contest, entries, axes, contest.points > 0, lambda counts: counts)
        axes.set(title="Mistakes", xlabel="trials", ylabel="mistakes so far")
        if far:
            axes.set(xscale="log", yscale="log")
        axes.set_ylim(bottom=0.9 if far else 0.0)
        _finish(drawn, axes)

    scale = ", both axes logarithmic" if far else ""
    caption = f"Mistakes against trials{scale}{_band(contest)}. A curve that turns flat has learned."
    return figure(draw, name="mistakes", says=f"Mistakes against trials. {_ranking(contest, entries)}",
                  caption=caption, height=_height(entries))  # fmt: skip


def rates(contest: Contest, entries: Sequence[Entry]) -> Drawn:
    """Return the curves of mistakes per trial so far, without the first trials, of which percentages say nothing."""
    shown = contest.points >= min(FIRST, contest.trials / 10)

    def draw(drawn: Any, axes: Any) -> None:
        _curves(contest, entries, axes, shown, lambda counts: 100.0 * counts / contest.points)
        axes.set(xscale="log", title="Mistakes per trial", xlabel="trials", ylabel="% of the trials so far")
        axes.set_ylim(bottom=0.0, top=min(100.0, axes.get_ylim()[1]))
        _finish(drawn, axes)

    caption = f"Mistakes per trial so far, in percent{_band(contest)}; the axis of trials is logarithmic."
    return figure(draw, name="rates", says=f"Mistakes per trial. {_ranking(contest, entries)}",
                  caption=caption, height=_height(entries))  # fmt: skip


def differences(contest: Contest, entries: Sequence[Entry]) -> Drawn:
    """Return the differences from the best: each game a dot, the mean with its interval."""
    others = [(number, entry) for number, entry in enumerate(entries) if entry is not contest.best]

    def draw(drawn: Any, axes: Any) -> None:
        del drawn
        for place, (number, entry) in enumerate(others):
            colour, _ = line_style(number)
            apart = entry.counts - contest.best.counts
            found = contest.difference(entry)
            assert found is not None
            axes.plot(apart, np.full(len(apart), place), "o", color=colour, alpha=0.35, markersize=3.5, mew=0)
            low, high = found.sample.low, found.sample.high
            axes.plot([low, high], [place, place], color=colour, linewidth=2.4, solid_capstyle="butt")
            axes.plot([found.sample.mean], [place], "|", color="#000000", markersize=10, mew=1.4)
        axes.axvline(0.0, color="#555555", linewidth=1.0)
        axes.set_yticks(range(len(others)), [_short(entry.name) for _, entry in others])
        axes.set_ylim(len(others) - 0.5, -0.5)
        axes.grid(visible=False, axis="y")
        axes.set(title="More mistakes than the best", xlabel="mistakes, game by game")

    caption = (
        f"Mistakes minus those of {contest.best.name} in the same permutation: a dot a game, a stroke for the mean, "
        "a bar for its 95% interval."
    )
    said = []
    for _, entry in others:
        found = contest.difference(entry)
        assert found is not None
        said.append(f"{entry.name} {found.sample.mean:+,.1f}")
    return figure(draw, name="differences", says=f"Mean differences from {contest.best.name}: {', '.join(said)}.",
                  caption=caption, height=1.3 + 0.3 * len(others))  # fmt: skip


def _curves(contest: Contest, entries: Sequence[Entry], axes: Any, shown: Any, scaled: Callable[[Any], Any]) -> None:
    points = contest.points[shown]
    for number, entry in enumerate(entries):
        mean, spread = contest.curve(entry)
        colour, dashes = line_style(number)
        style = (0, tuple(float(part) for part in dashes.split(","))) if dashes else "solid"
        axes.plot(points, scaled(mean)[shown], color=colour, linestyle=style, label=_short(entry.name))
        if contest.permutations > 1:
            low, high = scaled(np.maximum(mean - spread, 0.0)), scaled(mean + spread)
            axes.fill_between(points, low[shown], high[shown], color=colour, alpha=0.12, linewidth=0)


def _finish(drawn: Any, axes: Any) -> None:
    from matplotlib.ticker import FuncFormatter

    plain = FuncFormatter(lambda value, _: f"{value:,.0f}" if value >= 1 or value == 0 else f"{value:g}")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(plain)
    axes.margins(x=0.02)
    drawn.legend(loc="outside lower center", ncols=2, handlelength=2.6, columnspacing=1.2, labelspacing=0.3)


def _height(entries: Sequence[Entry]) -> float:
    return 3.0 + 0.17 * (len(entries) + 1) // 2


def _band(contest: Contest) -> str:
    if contest.permutations < 2:
        return ""
    return f"; mean of {contest.permutations} permutations, the band is one standard deviation to each side"


def _ranking(contest: Contest, entries: Sequence[Entry]) -> str:
    told = (f"{entry.name} {float(entry.counts.mean()):,.1f}" for entry in entries)
    return f"After {contest.trials:,} trials: {', '.join(told)}."


def _short(name: str) -> str:
    return name if len(name) <= LABELLED else name[: LABELLED - 1] + "…"
