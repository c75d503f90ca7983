"""Abstract and Sections 1, 4: growth with N on random rows; runs repeated number by number; what no run can decide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

import littlestone as ls
from littlestone.bounds import perceptron_disjunction, winnow_disjunction
from littlestone.papers.comparisons import Comparison, equal, less, mean_within, reference
from littlestone.papers.kivinen_warmuth._runs import LEARNERS, TRIO
from littlestone.papers.outcome import Figure, Line, Outcome
from littlestone.papers.result import claim, results, run_with
from littlestone.papers.runs import each
from littlestone.teachers import Disjunction, XorFeatures

__all__ = ["RESULTS"]

PIECES = each(n="ns", run="runs")


def _play(seed: int, n: int, run: int, k: int, trials: int) -> list[int]:
    stream = Disjunction(n, k, trials=trials, reading="uniform", seed=seed + run)
    return [found.mistakes for found in ls.play_all([ls.Perceptron(), ls.Winnow()], stream)]


def _slopes(sizes: Sequence[int], mistakes: NDArray[Any]) -> list[float]:
    """Return for each run (a column) the slope of ln mistakes against ln N, by least squares."""
    return [float(slope) for slope in np.polyfit(np.log(sizes), np.log(np.maximum(mistakes, 1)), 1)[0]]


def _lines(ns: Sequence[int], found: NDArray[Any], names: Sequence[str]) -> list[Line]:
    """Return the mean mistakes of each learner with the least and the most, against N."""
    bands = zip(*(several(axis=1).T.tolist() for several in (found.mean, found.min, found.max)), strict=True)
    return [Line(name, ns, *band) for name, band in zip(names, bands, strict=True)]


NS = [50, 100, 200, 400]
PERCEPTRON = {200: 415, 400: 782}  # reference: mean mistakes of 10 runs on uniform rows, k = 2


@run_with(quick={"ns": NS, "k": 2, "trials": 20_000, "runs": 16}, full={"ns": [*NS, 800], "runs": 100})
@claim("growth", "Growth with N on random rows", "Abstract and Section 1", pieces=PIECES, part=_play)
def growth(done: Sequence[list[int]], seed: int, ns: list[int], k: int, trials: int, runs: int) -> Outcome:
    """On simple random data, too, the mistakes of the Perceptron grow almost linearly with N while the number k of
    relevant attributes stays small (we read: as N to a power of 0.8 to 1.1); those of Winnow grow as the logarithm
    (a power of at most 0.35 at these sizes), within its bound.
    """
    found = np.array(done).reshape(len(ns), runs, 2)
    slope = [_slopes(ns, found[:, :, at]) for at in (0, 1)]
    bound = [winnow_disjunction(n=n, k=k).value for n in ns]
    beyond = int((found[:, :, 1].max(axis=1) > np.array(bound)).sum())
    lines = _lines(ns, found, ("Perceptron", "Winnow, alpha 2, theta N"))
    lines += [
        Line("bound, Perceptron", ns, [perceptron_disjunction(k=k, X=n).value for n in ns], kind="theory"),
        Line("bound, Winnow", ns, bound, kind="theory"),
    ]
    title = "Mistakes against the number of attributes, random rows"
    caption = (
        f"Mistakes in {trials:,} trials on uniform rows, {k} relevant attributes, mean of {runs} runs with the least "
        "and the most; broken lines are the upper bounds. Both axes are logarithmic."
    )
    return Outcome(
        f"k = {k}: from N = {ns[0]} to {ns[-1]} the Perceptron's mistakes grow from {lines[0].y[0]:.0f} to "
        f"{lines[0].y[-1]:.0f}, Winnow's from {lines[1].y[0]:.0f} to {lines[1].y[-1]:.0f}.",
        [
            mean_within("Perceptron: exponent of N", slope[0], 0.8, 1.1),
            mean_within("Winnow: exponent of N", slope[1], 0.0, 0.35),
            less("largest N: Winnow less Perceptron", found[-1, :, 1], found[-1, :, 0]),
            equal("sizes at which a run of Winnow is beyond its bound", beyond, 0),
            *(reference(f"N = {n}: Perceptron", found[ns.index(n), :, 0], mean, 10) for n, mean in PERCEPTRON.items()),
        ],
        figures=[Figure(title, caption, "attributes N", "mistakes", lines, "log", "log")],
    )


def _xor(seed: int, n: int, run: int, trials: int) -> list[int]:
    stream = XorFeatures(n, trials=trials, seed=seed + run)
    return [found.mistakes for found in ls.play_all([ls.Perceptron(), ls.Winnow()], stream)]


# Mean mistakes of a pilot of 2 to 5 runs; for Winnow the least and the largest N alone
PILOT = {50: (None, None), 100: (281, 32), 200: (459, None), 400: (714, None), 800: (1266, 42)}


@run_with(quick={"ns": NS, "runs": 12, "trials": 20_000}, full={"ns": [*NS, 800], "runs": 100})
@claim("pseudo-random", "Pseudo-random attributes", "Section 1", pieces=PIECES, part=_xor)
def pseudo_random(done: Sequence[list[int]], seed: int, ns: list[int], runs: int, trials: int) -> Outcome:
    """A few genuine random bits, expanded into many attributes, are enough: the mistakes of the Perceptron may grow
    almost linearly in the number of pseudo-random attributes (we read: as N to a power of 0.6 to 1.1).
    """
    found = np.array(done).reshape(len(ns), runs, 2)
    slope = [_slopes(ns, found[:, :, learner]) for learner in (0, 1)]
    lines = _lines(ns, found, ("Perceptron", "Winnow"))
    pilots = [
        reference(f"N = {n}: {name}", own, mean, 2)
        for n, runs_of in zip(ns, found, strict=True)
        for name, own, mean in zip(("Perceptron", "Winnow"), runs_of.T, PILOT[n], strict=True)
        if mean is not None
    ]
    caption = (
        f"Mistakes in {trials:,} trials, mean of {runs} runs; the band is from the least to the most. Both axes are "
        "logarithmic."
    )
    figure = Figure("Mistakes on pseudo-random attributes", caption, "attributes N", "mistakes", lines, "log", "log")
    return Outcome(
        f"20 bits, N of their exclusive ors: Perceptron {lines[0].y[0]:.0f} to {lines[0].y[-1]:.0f} mistakes for N = "
        f"{ns[0]} to {ns[-1]}, Winnow {lines[1].y[0]:.0f} to {lines[1].y[-1]:.0f}.",
        [
            mean_within("Perceptron: exponent of N", slope[0], 0.6, 1.1),
            less("exponent of N: Winnow less Perceptron", slope[1], slope[0]),
            less("largest N: Winnow less Perceptron", found[-1, :, 1], found[-1, :, 0]),
            *pilots,
        ],
        note="Each attribute is the exclusive or of 3 of 20 fair bits; the target is the disjunction of 3 attributes.",
        figures=[figure],
    )


# Mistakes of Perceptron, Winnow(1.5, N/k) and elimination, and positive rows, after 500, 1000 and 20,000 trials, of
# an implementation that shares no code with this one; (reading, N, k, seed)
RUNS = {
    ("R1", 200, 20, 0): [[152, 116, 78, 257], [223, 151, 78, 517], [370, 178, 78, 10000]],
    ("R1", 200, 20, 1): [[162, 134, 74, 238], [224, 158, 74, 491], [387, 189, 74, 10041]],
    ("R1", 400, 20, 0): [[181, 153, 92, 255], [306, 209, 92, 513], [676, 254, 92, 10034]],
    ("R1", 400, 20, 1): [[189, 155, 87, 251], [308, 200, 88, 513], [662, 247, 88, 10122]],
    ("R3", 200, 20, 0): [[56, 14, 9, 250], [68, 14, 9, 481], [124, 18, 9, 9995]],
    ("R3", 200, 20, 1): [[43, 13, 8, 245], [62, 13, 8, 522], [146, 21, 8, 10132]],
    ("R3", 400, 20, 0): [[65, 21, 10, 249], [102, 22, 10, 507], [207, 36, 10, 9951]],
    ("R3", 400, 20, 1): [[71, 16, 7, 242], [96, 18, 7, 479], [240, 36, 7, 9964]],
    ("R1", 200, 80, 0): [[149, 119, 83, 241], [248, 213, 94, 506], [465, 327, 95, 9959]],
    ("R1", 400, 160, 0): [[198, 143, 111, 272], [337, 256, 161, 510], [829, 648, 186, 9949]],
}


@claim("runs-repeated", "Single runs, number by number", "Section 4")
def runs_repeated(seed: int) -> Outcome:
    """The experiments can be repeated: given the seed, an independent implementation makes the same mistakes."""
    found: list[Comparison] = []
    for (reading, n, k, own), expected in RUNS.items():
        stream = Disjunction(n, k, trials=20_000, reading=reading, seed=own)
        played = ls.play_all([LEARNERS[name](n, k) for name in TRIO], stream)
        outcomes = np.concatenate([block.outcomes for block in stream.blocks() if block.outcomes is not None])
        events = [*(run.mistake_trials for run in played), np.flatnonzero(outcomes)]
        rows = [[int((one < t).sum()) for one in events] for t in (500, 1000, 20_000)]
        found.append(equal(f"{reading}, N = {n}, k = {k}, seed {own}: mistakes and positives", rows, expected))
    return Outcome(f"{sum(one.holds for one in found)} of {len(found)} runs are the same in every number.", found)


@claim("figures-printed", "The curves as printed", "Section 4, Figures 1 and 2")
def figures_printed(seed: int) -> Outcome:
    """Figures 1 and 2 show cumulative mistakes of both algorithms for N = 200 and 400."""
    return Outcome(
        "Not run: the curves are not in the text.",
        evidence="The copy at hand has the captions and not the plots: neither the number of trials nor of runs is "
        "stated, nor, for Figure 1, a distribution that gives any mistakes. What the text says of the curves is "
        "checked in the other results.",
    )


@claim("dnf-optimal", "The bound for k-term DNF is optimal", "Section 1")
def dnf_optimal(seed: int) -> Outcome:
    """The VC dimension of k-term DNF is of order k (N - log k), so that Winnow's bound over all conjunctions is optimal
    up to a constant.
    """
    return Outcome(
        "Not run: the paper cites a private communication.",
        evidence="The lower bound is attributed to a private communication of Dichterman and Khardon; neither the "
        "construction nor its constant is given.",
    )


RESULTS = results(globals())
