"""The picture of README.md: mistakes on real sets, and against the number of attributes, by package.

It is drawn from docs/peers.json by ``python benchmarks/readme_facts.py``, in both themes.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from statistics import mean
from typing import Any

from growth import DOCS, RELEVANT, TRIALS, bounds
from readme_facts import OURS, champions

SIZE = 11.5  # points: one panel above the other, letters can be read where the picture is 400 pixels wide
THEMES = {"front.svg": ("#1f2328", "#ffffff"), "front-dark.svg": ("#e6edf3", "#0d1117")}  # ink and page of GitHub
# Colours that colour-blind people can tell apart, 3:1 at least on either page; lines have a mark each, too.
COLOURS = {OURS: "#009E73", "Vowpal Wabbit": "#D55E00", "scikit-learn": "#A67C00", "river": "#8C8C8C"}
MARKS = {OURS: "o", "Vowpal Wabbit": "v", "scikit-learn": "s", "river": "h"}
TITLE = {"fontsize": SIZE, "loc": "left", "x": 0.0}
WIDE = {  # who plays the rows in which n/50 attributes are on
    OURS: "Winnow", "Vowpal Wabbit": "VW hinge", "scikit-learn": "sklearn Perceptron", "river": "river Perceptron",
}  # fmt: skip


def draw(found: Mapping[str, Any], folder: Path = DOCS) -> None:
    """Draw the picture in both themes."""
    import matplotlib as mpl

    mpl.use("svg")
    from matplotlib import pyplot as plt

    for name, (ink, page) in THEMES.items():
        colours = dict.fromkeys(("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color"), ink)
        rules = {**colours, "svg.hashsalt": "littlestone", "font.size": SIZE, "axes.facecolor": page}
        with plt.rc_context({**rules, "axes.spines.top": False, "axes.spines.right": False}):
            figure, (upper, lower) = plt.subplots(
                2, 1, figsize=(5.6, 7.0), height_ratios=[1, 1.4], layout="constrained", facecolor=page
            )
            figure.get_layout_engine().set(hspace=0.06)
            _bars(upper, found["real"])
            _lines(lower, found["generated"]["wide"], ink)
            figure.savefig(folder / name, metadata={"Date": None, "Creator": None})
            plt.close(figure)


def _bars(axis: Any, real: Mapping[str, Any]) -> None:
    best = champions(real)
    titles = [f"{package}\n{name.split(' ', 1)[-1]}" for package, (name, _) in best.items()]
    shares = [100 * share for _, share in best.values()]
    bars = axis.barh(titles, shares, color=[COLOURS[package] for package in best], height=0.62)
    axis.bar_label(bars, fmt="{:.1f}%", padding=4)
    axis.invert_yaxis()
    axis.spines["bottom"].set_visible(False)
    axis.tick_params(bottom=False, labelbottom=False, left=False)
    axis.set_xlim(0, 1.15 * max(shares))
    axis.set_title(f"Mistakes in one pass, mean of {len(real)} real sets", **TITLE)


def _lines(axis: Any, by_size: Mapping[str, Mapping[str, list[int]]], ink: str) -> None:
    for package, name in WIDE.items():
        points = [(int(n), mean(counts[name])) for n, counts in by_size.items() if name in counts]
        width = 2.6 if package == OURS else 1.6
        label = f"{package}, {name.split(' ', 1)[-1]}"
        axis.plot(*zip(*points, strict=True), marker=MARKS[package], color=COLOURS[package], lw=width, label=label)
    sizes = [int(n) for n in by_size]
    bound = [bounds("wide", n)["Winnow's bound"] for n in sizes]
    axis.plot(sizes, bound, "--", color=COLOURS[OURS], lw=1.4, label="Winnow's bound")
    axis.set(xscale="log", ylim=(0, TRIALS / 2 * 1.05), xlabel="attributes", ylabel=f"mistakes in {TRIALS:,} examples")
    axis.set_title(f"{RELEVANT} relevant attributes among ever more others", **TITLE)
    for numbers in (axis.xaxis, axis.yaxis):
        numbers.set_major_formatter("{x:,.0f}")
    axis.figure.legend(frameon=False, labelcolor=ink, loc="outside lower left", ncols=2, columnspacing=1.2)
