"""Section 4: other tunings of both learners, and Normalized Winnow, on the streams of Figure 1."""

from __future__ import annotations

from collections.abc import Sequence
from math import atanh, log
from typing import Any

import numpy as np

import littlestone as ls
from littlestone.bounds import normalized_winnow_optimal
from littlestone.papers.comparisons import Comparison, at_most, equal, less, mean_is
from littlestone.papers.kivinen_warmuth._streams import HORIZON, ends, games, gathered, play_games
from littlestone.papers.kivinen_warmuth.figure_1 import PLAYERS
from littlestone.papers.outcome import Outcome, Table
from littlestone.papers.result import claim, in_pieces, run_with
from littlestone.teachers import Disjunction

__all__ = ["RESULTS"]


def _tunings(**sizes: Any) -> list[dict[str, Any]]:
    return [piece for reading in ("R1", "R3") for piece in games(reading, **sizes)]


# Reference means and standard deviations (None: not noted) for R1 and R3, N = 200 and 400
TUNED: dict[str, list[list[tuple[float, float | None]]]] = {
    "Winnow(2, N)": [[(161.9, 6.0), (195.1, 7.4)], [(33.4, 3.6), (38.2, 3.5)]],
    "Perceptron, theta 1/2": [[(475.7, None), (777.4, None)], [(140.9, None), (240.7, None)]],
}


@run_with(quick={"ns": [200, 400], "k": 20, "trials": HORIZON, "players": PLAYERS, "runs": 10}, full={"runs": 1000})
@claim("tunings", "Alternative tunings", "Section 4", pieces=_tunings, part=play_games)
def tunings(done: Sequence[Any], seed: int, ns: list[int], trials: int, **_: Any) -> Outcome:
    """On the streams of Figure 1 (readings R1 and R3) every tuning of Winnow makes fewer mistakes than the Perceptron,
    with its threshold as a coordinate or fixed; theta = 1 with a very large eta is elimination, and the best of all.
    """
    half = len(done) // 2
    both = [ends(gathered(done[:half])), ends(gathered(done[half:]))]
    found: list[Comparison] = []
    for reading, last in zip(("R1", "R3"), both, strict=True):
        for n, own in last.items():
            at = f"{reading}, N = {n}"
            found += [
                less(f"{at}: Winnow(2, N) less Perceptron", own["Winnow(2, N)"], own["Perceptron"]),
                less(
                    f"{at}: Winnow(2, N) less Perceptron, theta 1/2", own["Winnow(2, N)"], own["Perceptron, theta 1/2"]
                ),
                less(f"{at}: elimination less Winnow(1.5, N/k)", own["elimination"], own["Winnow(1.5, N/k)"]),
                equal(
                    f"{at}: Winnow(N + 1, 1) and elimination, runs that differ",
                    int((own["Winnow(N+1, 1)"] != own["elimination"]).sum()),
                    0,
                ),
            ]
    if trials == HORIZON:
        for name, readings in TUNED.items():
            for reading, last, told in zip(("R1", "R3"), both, readings, strict=True):
                for n, (mean, spread) in zip(ns, told, strict=True):
                    runs = last[n][name]
                    error = (float(runs.std(ddof=1)) if spread is None else spread) / 20**0.5
                    found.append(mean_is(f"{reading}, N = {n}: {name}, reference", runs, mean, error))
    rows = [[name, *(float(last[n][name].mean()) for last in both for n in ns)] for name in PLAYERS]
    return Outcome(
        f"Reading R3, N = 400: Winnow(2, N) {rows[3][4]:.0f}, Winnow(3/2, N/k) {rows[1][4]:.0f}, elimination "
        f"{rows[2][4]:.0f}, Perceptron {rows[0][4]:.0f}, with theta 1/2 {rows[4][4]:.0f} mistakes.",
        found,
        tables=[Table(f"Mean mistakes in {trials:,} trials",
                      ["learner", *(f"{reading}, N={n}" for reading in ("R1", "R3") for n in ns)], rows)],
    )  # fmt: skip


NORMALIZED = {("R1", 200): (2189, 216), ("R1", 400): (2834, 290), ("R3", 200): (207, 34), ("R3", 400): (266, 43)}


def _normalized_pieces(ns: Sequence[int], runs: int, **sizes: Any) -> list[dict[str, Any]]:
    return [
        {"reading": reading, "n": n, "run": run, **sizes} for reading in ("R1", "R3") for n in ns for run in range(runs)
    ]


def _normalized(seed: int, reading: str, n: int, k: int, trials: int, run: int) -> list[int]:
    """Return the mistakes of Normalized Winnow with its theorem's eta and with ln 1.5, -1 appended to each row."""
    players = [ls.NormalizedWinnow(eta=eta) for eta in (atanh(1 / (2 * k + 1)), log(1.5))]
    for block in Disjunction(n, k, trials=trials, reading=reading, seed=seed + run).blocks(2048):
        X = np.zeros((len(block), n + 1))
        X[np.repeat(np.arange(len(block)), np.diff(block.indptr)), block.indices] = 1.0
        X[:, n] = -1.0
        for player in players:
            player.learn(X, np.asarray(block.outcomes, dtype=np.int64))
    return [player.mistakes for player in players]


@run_with(quick={"ns": [200], "k": 20, "trials": HORIZON, "runs": 8}, full={"ns": [200, 400], "runs": 100})
@in_pieces(_normalized_pieces, _normalized)
@claim("normalized-winnow", "Normalized Winnow on the same streams", "Section 4, with Agarwal's Theorem 3.1")
def normalized_winnow(done: Sequence[list[int]], seed: int, ns: list[int], runs: int, k: int, trials: int) -> Outcome:
    """Normalized Winnow, -1 appended to each row for the threshold, learns the same disjunctions with at most
    2 (2k+1)^2 ln(N+1) mistakes, a factor k more than Winnow; the eta that is best for this bound is far too small.
    """
    told = np.array(done).reshape(2, len(ns), runs, 2)
    found: list[Comparison] = []
    rows = []
    for i, reading in enumerate(("R1", "R3")):
        for j, n in enumerate(ns):
            best, large = told[i, j, :, 0], told[i, j, :, 1]
            found.append(less(f"{reading}, N = {n}: eta ln 1.5 less the eta of the bound", large, best))
            for name, own, mean in zip(
                ("eta of the bound", "eta ln 1.5"), (best, large), NORMALIZED[reading, n], strict=True
            ):
                error = float(own.std(ddof=1)) / 10**0.5
                found.append(mean_is(f"{reading}, N = {n}: {name}, reference", own, mean, error))
            told_by = 2 * (2 * k + 1) ** 2 * log(n + 1)
            found.append(
                at_most(
                    f"{reading}, N = {n}: eta of the bound, the most, and 2 (2k+1)^2 ln(N+1)", int(best.max()), told_by
                )
            )
            bound = normalized_winnow_optimal(n=n + 1, gamma=0.5, norm=k + 0.5).value
            found.append(at_most(f"{reading}, N = {n}: ln(N+1) / g(1/(2k+1)), and the same", bound, told_by))
            rows.append([f"{reading}, N={n}", float(best.mean()), float(large.mean()), bound])
    return Outcome(
        f"{rows[0][0]}: {rows[0][1]:,.0f} mistakes with the eta of the bound, {rows[0][2]:,.0f} with ln 1.5.",
        found,
        note="The target is u = (1 on k attributes, 1/2 on the last coordinate), with margin 1/2 and |u| = k + 1/2.",
        tables=[Table(f"Mean mistakes in {trials:,} trials",
                      ["stream", "eta of the bound", "eta ln 1.5", "ln(N+1) / g(1/(2k+1))"], rows)],
    )  # fmt: skip


RESULTS = (tunings, normalized_winnow)
