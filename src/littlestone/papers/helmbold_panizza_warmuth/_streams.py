"""Random rows on which the experiments compare learners: plain, with copies of an attribute, with flipped labels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import log
from typing import Any

import numpy as np

import littlestone as ls
from littlestone.learners import SASB, SBSB, NaiveBayes
from littlestone.papers.outcome import Table

__all__ = ["NAMES", "PLAYERS", "SIZES", "cut", "gathered", "means", "play"]

PLAYERS: dict[str, Callable[[int], ls.Learner]] = {
    "Naive Bayes": lambda n: NaiveBayes(),
    "Naive Bayes, on mistakes": lambda n: NaiveBayes(policy="mistakes"),
    "Bayes-BEG, Theorem 3": ls.BayesBEG.theorem3,
    "Bayes-BEG, Theorem 4": ls.BayesBEG.theorem4,
    "Thresholded-BEG, Corollary 1": ls.ThresholdedBEG.noise_free,
    "Thresholded-BEG(2)": lambda n: ls.ThresholdedBEG(),
    "Winnow(2)": lambda n: ls.Winnow(theta=2 * log(2) / 3, w1=1 / n, tie=0),
    "Perceptron": lambda n: ls.Perceptron(bias=False),
    "SASB": lambda n: SASB(),
    "SBSB": lambda n: SBSB(),
}
NAMES = list(PLAYERS)
SIZES = {"runs": 10, "trials": 2000}
KINDS = {"plain": (0, 0.0), "copies": (100, 0.0), "noise": (0, 0.05)}  # copies of an irrelevant attribute, label noise


def cut(kinds: Sequence[str], players: Sequence[str], runs: int, trials: int, block: int = 5) -> list[dict[str, Any]]:
    return [
        {"kind": kind, "first": first, "runs": min(block, runs - first), "trials": trials, "players": list(players)}
        for kind in kinds
        for first in range(0, runs, block)
    ]


def play(seed: int, kind: str, first: int, runs: int, trials: int, players: Sequence[str]) -> dict[str, Any]:
    """Play n = 200, k = 3, density .1; return mistakes, and the labels that were flipped."""
    copies, noise = KINDS[kind]
    found: dict[str, list[int]] = {name: [] for name in players}
    flipped = []
    for number in range(first, first + runs):
        rng = np.random.default_rng(seed + number)
        X = rng.random((trials, 200)) < 0.1
        y = X[:, :3].any(axis=1)
        flips = rng.random(trials) < noise
        rows = np.hstack([X, *[X[:, 3:4]] * copies])
        for name in players:
            learner = PLAYERS[name](rows.shape[1]).begin(rows.shape[1], labels=(0, 1))
            learner.learn(rows, (y ^ flips).astype(int))
            found[name].append(learner.mistakes)
        flipped.append(int(flips.sum()))
    return {"kind": kind, "mistakes": found, "flipped": flipped}


def gathered(done: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, np.ndarray]]:
    kinds = dict.fromkeys(piece["kind"] for piece in done)
    return {
        kind: {
            name: np.concatenate([piece["mistakes"][name] for piece in done if piece["kind"] == kind])
            for name in done[0]["mistakes"]
        }
        for kind in kinds
    }


def means(found: Mapping[str, Mapping[str, np.ndarray]]) -> Table:
    names = next(iter(found.values()))
    heads = {"plain": "plain", "copies": "with 100 copies", "noise": "5% of labels flipped"}
    rows = [
        [name, *(f"{own[name].mean():.1f} ± {own[name].std(ddof=1):.1f}" for own in found.values())] for name in names
    ]
    return Table(
        "Mistakes, mean ± s.d.: n = 200, k = 3, density .1", ["learner", *(heads[kind] for kind in found)], rows
    )
