"""Mistakes against the number of attributes: everybody on streams with 5 relevant attributes, and the figure.

``python benchmarks/growth.py`` draws docs/growth.svg and docs/growth-dark.svg from the numbers in docs/peers.json,
which ``benchmarks/peers.py`` measures. The streams, half of the rows positive, those with one of the 5 relevant
attributes on:

- "wide": n/50 of the n attributes are on in a row, so that an irrelevant attribute comes again and again;
- "narrow": 75 are on however many there are, so that with many of them most have never been seen before.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import mean
from typing import Any

import littlestone as ls
from common import ACTIVE, RELEVANT, make_data
from rivals import MULTIPLICATIVE, OURS, PEERS

DOCS = Path(__file__).parents[1] / "docs"
SIZES = (1_000, 10_000, 100_000, 1_000_000)
TRIALS = 2_000
SHARE = 50  # one in so many attributes is on in a wide row
SEEDS = (0, 1, 2)
# A dict of 20,000 names a row takes it minutes.
TOO_SLOW = {("wide", 1_000_000): tuple(name for name in PEERS if name.startswith("river"))}
# The colours of Okabe and Ito, which colour-blind people can tell apart, with a mark each.
STYLES = {
    "Winnow": ("#009E73", "o", 2.6), "Perceptron": ("#0072B2", "s", 1.4), "PassiveAggressive": ("#56B4E9", "D", 1.4),
    "AROW": ("#CC79A7", "P", 1.4), "VW logistic": ("#D55E00", "^", 1.4), "VW hinge": ("#D55E00", "v", 1.4),
    "sklearn SGD": ("#E69F00", "X", 1.4), "sklearn Perceptron": ("#E69F00", "<", 1.4),
    "river Perceptron": ("#999999", "h", 1.4),
}  # fmt: skip
THEMES = {"growth.svg": ("#1f2328", "#ffffff"), "growth-dark.svg": ("#e6edf3", "#0d1117")}  # ink and page of GitHub


def active(kind: str, n: int) -> int:
    """Return how many attributes are on in a row."""
    return n // SHARE if kind == "wide" else ACTIVE


def tasks(sizes: tuple[int, ...], seeds: tuple[int, ...]) -> Iterator[tuple[str, int, int, str]]:
    """Yield who is to play what, the long ones first: kind, n, seed, player."""
    for n in sorted(sizes, reverse=True):
        for kind in ("wide", "narrow"):
            for seed in seeds:
                yield from (
                    (kind, n, seed, name) for name in [*PEERS, *OURS] if name not in TOO_SLOW.get((kind, n), ())
                )


def stream(kind: str, n: int, seed: int, trials: int = TRIALS) -> Any:
    """Return the rows and labels of one stream."""
    return make_data(trials, n, active(kind, n), RELEVANT, seed)


def additive(names: Any) -> list[str]:
    """Return those that add to their weights, ours and others'; who combines others is left out, and who counts."""
    return [name for name in names if name not in {*MULTIPLICATIVE, "Auto", "NaiveBayes"}]


def bounds(kind: str, n: int) -> dict[str, float]:
    """Return what the theorems allow Winnow, as it is and tuned for k, and the Perceptron."""
    k, X = RELEVANT, active(kind, n)
    return {
        "Winnow's bound": float(ls.bounds.winnow_disjunction(n=n, k=k).value),
        "Perceptron's bound": float(ls.bounds.perceptron_disjunction(k=k, X=X).value),
    }


def draw(played: dict[str, dict[str, dict[str, list[int]]]], folder: Path = DOCS) -> None:
    """Draw the figure in both themes; ``played`` has kind, n, player and the mistakes seed by seed."""
    import matplotlib as mpl

    mpl.use("svg")
    from matplotlib import pyplot as plt

    for name, (ink, page) in THEMES.items():
        colours = dict.fromkeys(("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color"), ink)
        with plt.rc_context({**colours, "svg.hashsalt": "littlestone", "font.size": 10, "axes.facecolor": page}):
            figure, axes = plt.subplots(1, 3, figsize=(13.5, 5), layout="constrained", facecolor=page)
            for axis, kind in zip(axes, ("wide", "narrow"), strict=False):
                _panel(axis, kind, played[kind], ink)
            figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=6, frameon=False)
            _straight(axes[2], played, ink)
            figure.savefig(folder / name, metadata={"Date": None, "Creator": None})
            plt.close(figure)


def _panel(axis: Any, kind: str, by_size: dict[str, dict[str, list[int]]], ink: str) -> None:
    sizes = [int(n) for n in by_size]
    for name, (colour, mark, width) in STYLES.items():
        known = [(int(n), found[name]) for n, found in by_size.items() if name in found]
        middle = [mean(each) for _, each in known]
        reach = [[m - min(each) for m, (_, each) in zip(middle, known, strict=True)],
                 [max(each) - m for m, (_, each) in zip(middle, known, strict=True)]]  # fmt: skip
        axis.errorbar([n for n, _ in known], middle, reach, color=colour, marker=mark, lw=width, ms=5, label=name)
    for name, dashes in (("Winnow's bound", "--"), ("Perceptron's bound", ":")):
        colour = STYLES[name.split("'")[0]][0]
        axis.plot(sizes, [bounds(kind, n)[name] for n in sizes], dashes, color=colour, lw=1.6, label=name)
    axis.axhline(TRIALS / 2, color=ink, lw=0.7, alpha=0.6)
    axis.text(sizes[0], TRIALS / 2 * 1.08, "guessing", fontsize=8, alpha=0.8)
    axis.set(xscale="log", yscale="log", ylim=(10, 1_000_000), xlabel="attributes n", ylabel="mistakes")
    told = "n/50 of n attributes on" if kind == "wide" else f"{ACTIVE} of n attributes on"
    axis.set_title(f"{told}: mistakes in {TRIALS:,} trials", fontsize=10)


def _straight(axis: Any, played: dict[str, dict[str, dict[str, list[int]]]], ink: str) -> None:
    sizes = [int(n) for n in played["wide"]]
    colour = STYLES["Winnow"][0]
    for kind, mark in (("wide", "o-"), ("narrow", "s--")):
        each = [found["Winnow"] for found in played[kind].values()]
        axis.plot(sizes, [mean(seeds) for seeds in each], mark, color=colour, label=f"Winnow, {kind} rows")
        axis.fill_between(sizes, [min(s) for s in each], [max(s) for s in each], color=colour, alpha=0.2)
    limit = [bounds("wide", n)["Winnow's bound"] for n in sizes]
    axis.plot(sizes, limit, "--", color=ink, lw=1.2, label="Winnow's bound, 3k ceil(log2 n) + 2")
    axis.set(xscale="log", ylim=(0, None), xlabel="attributes n", ylabel="mistakes")
    axis.set_title("Winnow alone: a straight line is growth with log n", fontsize=10)
    axis.legend(fontsize=8, frameon=False, loc="upper left")


if __name__ == "__main__":
    sys.exit(draw(json.loads((DOCS / "peers.json").read_text(encoding="utf-8"))["generated"]))
