"""Section 4, Figure 1: 20 relevant attributes of 200 or 400, under every reading of what was drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from littlestone.papers.comparisons import Comparison, less, mean_is
from littlestone.papers.kivinen_warmuth._streams import curves, games, gathered, play_games
from littlestone.papers.outcome import Outcome, Table
from littlestone.papers.result import Result, claim

__all__ = ["RESULTS"]

TRIO = ["Perceptron", "Winnow(1.5, N/k)", "elimination"]
RUNS = 20  # of the reference
# Reference means and standard deviations over 20 runs of 20,000 trials, N = 200 and 400
REFERENCE: dict[str, dict[str, list[tuple[float, float]]]] = {
    "R1": {"Perceptron": [(376.3, 11.4), (667.1, 10.5)], "Winnow(1.5, N/k)": [(186.1, 4.9), (250.3, 5.3)],
           "elimination": [(71.7, 3.5), (91.0, 4.7)]},
    "R2": {"Perceptron": [(2827, 52), (4875, 55)], "Winnow(1.5, N/k)": [(189.8, 6.4), (239.6, 4.8)],
           "elimination": [(7.8, 0.9), (8.2, 0.8)]},
    "R3": {"Perceptron": [(134.8, 11.4), (234.0, 13.7)], "Winnow(1.5, N/k)": [(22.9, 2.1), (35.2, 3.4)],
           "elimination": [(7.8, 1.0), (8.8, 1.3)]},
}  # fmt: skip
HORIZON = 20_000  # trials of the reference
DRAWN = {
    "R1": "every attribute on with probability 1 - 2^(-1/k), as in Figure 2",
    "R2": "relevant attributes on with probability 1 - 2^(-1/k), the others with 1/2",
    "R3": "a fair coin for the label, all attributes fair but the relevant ones off on negative rows",
    "R4": "as R3, but exactly one relevant attribute on in a positive row",
}


def _reading(reading: str) -> Result:
    sizes: dict[str, Any] = {"reading": reading, "ns": [200, 400], "k": 20, "trials": HORIZON, "players": TRIO}

    def check(done: Sequence[Any], seed: int, trials: int, ns: Sequence[int], **_: Any) -> Outcome:
        return _outcome(gathered(done), reading, trials, ns)

    check.__doc__ = (
        "With 20 relevant attributes Winnow makes clearly fewer mistakes than the Perceptron, and doubling N costs "
        f"Winnow little and the Perceptron much. Reading {reading}: {DRAWN[reading]}."
    )
    return _placed(
        claim(
            f"figure-1-{reading.lower()}", f"Figure 1, reading {reading}", "Section 4, Figure 1",
            quick={**sizes, "runs": 20}, full={"runs": 1000}, rows=["B4"] if reading != "R4" else [], pieces=games,
            part=play_games,
        ),
        check, f"figure_1_{reading.lower()}",
    )  # fmt: skip


def _placed(make: Callable[[Callable[..., Outcome]], Result], check: Callable[..., Outcome], name: str) -> Result:
    """Return the result of a function that was made here, under the name by which workers find it."""
    check.__qualname__ = check.__name__ = name
    return make(check)


def _outcome(found: dict[int, dict[str, Any]], reading: str, trials: int, ns: Sequence[int]) -> Outcome:
    last = {n: {name: own[:, -1] for name, own in by.items()} for n, by in found.items()}
    small, large = (last[n] for n in ns)
    comparisons: list[Comparison] = [
        less(f"N={n}: Winnow less Perceptron", own[TRIO[1]], own[TRIO[0]]) for n, own in last.items()
    ]
    growth = [large[name] - small[name] for name in TRIO[:2]]
    comparisons.append(less("from N=200 to 400: more mistakes of Winnow less those of the Perceptron", *growth[::-1]))
    if trials == HORIZON:
        comparisons += [
            mean_is(f"N={n}: {name}, reference", last[n][name], mean, spread / RUNS**0.5)
            for name, told in REFERENCE.get(reading, {}).items()
            for n, (mean, spread) in zip(ns, told, strict=True)
        ]
    rows = [
        [name, *(f"{own[name].mean():,.1f} ± {own[name].std(ddof=1):,.1f}" for own in last.values()),
         f"{100 * (large[name].mean() / max(small[name].mean(), 1e-9) - 1):+.0f}%"]
        for name in TRIO
    ]  # fmt: skip
    runs = len(next(iter(small.values())))
    shares = [float(np.mean(last[n][TRIO[0]])) / n for n in ns]
    return Outcome(
        f"Perceptron {rows[0][1]} and {rows[0][2]}, Winnow {rows[1][1]} and {rows[1][2]} mistakes for N = 200 and 400 "
        f"({runs} runs of {trials:,} trials).",
        comparisons,
        note=f"The Perceptron comes to {shares[0]:.2f} N and {shares[1]:.2f} N mistakes; the paper says close to N.",
        tables=[Table(f"Mistakes in {trials:,} trials, mean ± s.d.", ["learner", "N=200", "N=400", "more"], rows)],
        figures=[curves(found, trials, f"Figure 1, reading {reading}", TRIO[:2])],
    )  # fmt: skip


figure_1_r1, figure_1_r2, figure_1_r3, figure_1_r4 = map(_reading, DRAWN)

RESULTS = (figure_1_r1, figure_1_r2, figure_1_r3, figure_1_r4)
