"""Soaks: does a trial cost the same, and is no more memory needed, after a million trials on which mistakes never end?

``python -m tests.soak`` prints a table of all, ``python -m tests.soak 100000 Winnow`` of some, in shorter games.

The last tenth of the trials is compared with the first. Where a trial in the middle already costs more than it may at
the end, the first half is the warm-up: as many trials as were asked for follow it, and their first tenth counts. So who
becomes slower in the first half only passes, and who goes on becoming slower fails. (Winnow with alpha close to 1 needs
it: while its weights climb to the threshold there is a mistake every other trial, later on every trial.) The rule is
the same for all; the table says whose soak had a warm-up. Memory is always compared with that at the very start.
"""

# ruff: noqa: T201 - a page on the screen

import copy
import gc
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

import numpy as np
from scipy import sparse

import littlestone as ls
from littlestone import learners
from littlestone.learners.regressors.register import Regressor, our_regressors
from tests.battery import Hang, limited

TRIALS = 1_000_000
N, K, ON, NOISE = 100, 20, 0.1, 0.1  # a disjunction of K of N attributes, of which a tenth is on; label noise
WAYS = {"blocks": 1, "see-saw": 1, "examples": 50}  # what is learned from, and in which part of the trials
ROWS, FEW = 1000, 100  # of a block; examples that are timed together
SLOWER = 1.2  # the last tenth may take so much longer than the first
LEAK = 16.0  # megabytes that a process may have grown: 16 bytes a trial
# Who is so much slower, or takes so many seconds for a block or for all of them, is stopped.
HOPELESS, LONGEST, MOST = 20.0, 30, 120.0

# All that claim a constant cost: they keep a fixed number of numbers an attribute.
SOAKED = (
    "Perceptron()", "Perceptron(averaged=True)", "Perceptron(dtype='float32')", "Perceptron(negations=True)",
    "Winnow()", "Winnow(alpha=1.0001)", "Winnow(alpha=1.0001, theta=1)", "Winnow(alpha=1.1, demotion=0.8, theta=8)",
    "Winnow(alpha=1.5, averaged=True)",
    "Winnow(dtype='float32')", "Winnow(alpha=1.35, theta=4, margin=1)", "Winnow(randomized=True)",
    "Winnow(demotion=0)", "Winnow(bias=True, negations=True)",
    "BalancedWinnow()", "BalancedWinnow(alpha=1.01)", "BalancedWinnow(averaged=True)",
    "BalancedWinnow(dtype='float32')",
    "NormalizedWinnow(theta=0.05)", "NormalizedWinnow(beta1=2, beta0=0.5, theta=0.05)", "ThresholdedBEG()",
    "ThresholdedBEG(averaged=True)", "BayesBEG()", "BayesBEG(policy='always')", "Elimination()", "PNorm()",
    "PNorm(p=3, averaged=True)", "QuasiAdditive(link=ls.links.two_sinh(1.3))",
    "NaiveBayes()", "NaiveBayes(policy='mistakes')", "SBSB()", "SASB()",
    "Ellipsoid()", "DirectedDrift()", "DirectedDrift(mode='asynchronous')", "DirectedDrift(mode='synchronous')",
    "KernelPerceptron('monotone', budget=100)", "KernelPerceptron('gaussian', budget=100, forget='random')",
    "KernelPerceptron(budget=100, forget='forgetron')", "GrowingWinnow(budget=200)",
    "Bounded(max_attributes=60)", "Bounded(Winnow(alpha=1.1, theta=1), max_attributes=100)",
    "Bounded(Winnow(alpha=1.1, theta=1), max_attributes=60)",
    "Bounded(BalancedWinnow(), max_attributes=60, eligible=2)",
    "Bounded(WinnerTakesAll('winnow:alpha=1.1:theta=1'), max_attributes=60)",
    "WinnerTakesAll()", "WinnerTakesAll('winnow:alpha=1.1:theta=1')", "WinnerTakesAll('perceptron', policy='uniform')",
    "MulticlassPerceptron()", "MulticlassPerceptron(averaged=True)",
    "SecondOrderPerceptron()", "ConfidenceWeighted()", "AROW()", "AROW(covariance='full')", "NAROW()", "NHERD()",
    "SCW()", "Adagrad()", "Adagrad(loss='logistic')", "PassiveAggressive()", "ALMA()", "ALMA(p=None)", "ROMMA()",
    "ROMMA(aggressive=True)", "OGD()", "OGD(loss='logistic', radius=3)", "ModifiedBalancedWinnow()", "ShiftingWinnow()",
    "OwnRule()", "Auto()", "Experts([Perceptron(), Winnow(), AROW()])",
    "Restarting(Perceptron())", "Forgetting(AROW(), window=1000)",
    "GradientDescent()", "GradientDescent(eta=0.01, loss_function='absolute')", "ExponentiatedGradient()",
    "ExponentiatedGradient(eta=5.0)", "EGPlusMinus()", "EGPlusMinus(U=5.0, eta=0.1)", "BEGRegression()",
    "PNormRegression()", "MirrorDescent()", "NormalizedGradient()", "AdagradRegression()",
    "PassiveAggressiveRegression()", "VAWForecaster()", "VAWForecaster(covariance='diagonal')", "RidgeRegression()",
    "RidgeRegression(covariance='diagonal')", "AutoRegressor()",
)  # fmt: skip
# Those that claim none, and why.
STORING = {
    "DirectBayes": "sums over all disjunctions, whose whole numbers grow with the number of errors",
    "WeightedMajority": "as DirectBayes",
    "VolumetricCenter": "keeps a polytope, whose rows are earlier mistakes",
    "KernelWinnow": "keeps the rows of all mistakes, and a map of their intersections",
    "BoxWinnow": "keeps the points of all mistakes",
    "VotedPerceptron": "keeps all mistakes: every hypothesis so far has a vote",
}


@dataclass
class Soak:
    """What was measured: CPU time of a trial in microseconds, and how many megabytes the process grew."""

    name: str
    way: str
    trials: int
    warm_up: int  # trials before those
    first: float
    last: float
    again: float | None  # the ratio, measured once more: the learner then and now, in turns
    memory: float

    @property
    def ratio(self):
        return self.last / self.first

    @property
    def fault(self):
        """All that is wrong, or nothing: a slower tenth counts only if it is slower in turns with the first, too."""
        found = []
        if self.again is not None and min(self.ratio, self.again) > SLOWER:
            found.append(f"{self.name}, {self.way}: {self.ratio:.2f} times as slow after {self.trials:,} trials")
        if self.memory > LEAK:
            found.append(f"{self.name}, {self.way}: {self.memory:.1f} MB more after {self.trials:,} trials")
        return "; ".join(found)


def made(name):
    """Return the learner of a name in SOAKED."""
    known = {**{kind: getattr(learners, kind) for kind in learners.__all__}, **our_regressors()}
    return eval(name, {"ls": ls, **known})


class Teacher:
    """A disjunction with noise, so that mistakes never end; its rows come round again, its noise does not.

    Besides, a see-saw: attributes that are positive alone, and negative beside five others, whose weights sink for
    ever. One, two or four of them are at the threshold of a learner whose theta is so many times its initial weight,
    and what has sunk decides on which side of it they are.
    """

    def __init__(self, seed=0, blocks=20):
        self.rng = np.random.default_rng(seed)
        X = self.rng.random((blocks * ROWS, N)) < ON
        self.truth = X[:, :K].any(axis=1).reshape(blocks, ROWS)
        self.X = [ls.Block.from_arrays(sparse.csr_array(part)) for part in X.reshape(blocks, ROWS, N)]
        sinking = np.zeros((ROWS, N), dtype=bool)
        for r, first, size in zip(range(0, ROWS, 2), [20, 21, 23] * ROWS, [1, 2, 4] * ROWS, strict=False):
            sinking[r : r + 2, first : first + size] = True
            sinking[r, :5] = True
        self.sinking = ls.Block.from_arrays(sparse.csr_array(sinking))
        self.named = [{f"x{i}": 1 for i in np.flatnonzero(row).tolist()} for row in X[:ROWS]]

    def block(self, turn):
        """Return the rows and labels of a turn."""
        at = turn % len(self.X)
        return self.X[at], (self.truth[at] ^ (self.rng.random(ROWS) < NOISE)).astype(int)

    def see_saw(self, turn):
        """Return rows of which every other one is a mistake."""
        del turn
        return self.sinking, np.arange(ROWS) % 2

    def examples(self, turn):
        """Return examples with names and their labels."""
        at = slice(turn * FEW % ROWS, turn * FEW % ROWS + FEW)
        return self.named[at], (self.truth[0][at] ^ (self.rng.random(FEW) < NOISE)).astype(int).tolist()


def by_blocks(learner, rows, labels):
    learner.learn(rows, labels)


def by_examples(learner, rows, labels):
    for x, y in zip(rows, labels, strict=True):
        learner.learn_one(x, y)


def soak(name, way, trials, learner=None):
    """Let a learner play; ``way`` is one of WAYS."""
    teacher, learner = Teacher(), learner or made(name)
    play = by_examples if way == "examples" else by_blocks
    lesson = {"blocks": teacher.block, "see-saw": teacher.see_saw, "examples": teacher.examples}[way]
    labels = None if isinstance(learner, Regressor) else (0, 1)
    learner.begin(N, labels=labels, names=[f"x{i}" for i in range(N)] if way == "examples" else None)
    size = len(lesson(0)[1])
    turns = max(30, trials // size)
    for turn in range(5):  # compiled, and everything seen
        play(learner, *lesson(turn))
    tenth, times, begun, warm_up = turns // 10, [], None, 0
    young, spent, turn, end = None, process_time(), 0, turns
    while turn < end:
        rows, labels = lesson(turn)
        start = process_time()
        try:
            with limited(LONGEST):
                play(learner, rows, labels)
        except Hang:
            times += [process_time() - start] * 3
            break
        times.append(process_time() - start)
        if turn == tenth // 2:
            young, begun = copy.deepcopy(learner), _megabytes()
        if turn == turns // 2 + tenth // 2 and median(times[-tenth:]) > SLOWER * median(times[:tenth]):
            warm_up, end = turns // 2, turns + turns // 2
            young = copy.deepcopy(learner)
        if process_time() - spent > MOST or (times[-1] > 0.05 and median(times[-3:]) > HOPELESS * median(times[:3])):
            break
        turn += 1
    memory = 0.0 if begun is None else _megabytes() - begun
    ended = len(times) == end
    times = times[warm_up:]
    tenth = max(3, len(times) // 10)
    first, last = median(times[:tenth]), median(times[-tenth:] if ended else times[-3:])
    if young is None or last > HOPELESS * first:
        again = last / first
    else:
        again = _in_turns(young, learner, play, lesson) if last > SLOWER * first else None
    scale = 1e6 / size
    return Soak(name, way, len(times) * size, warm_up * size, first * scale, last * scale, again, memory)


def _in_turns(young, old, play, lesson):
    """Return how much slower a learner is than it was, where both play the same rows in turns: the best of three."""
    ratios, end = [], perf_counter() + 60.0
    while len(ratios) < 3 and min(ratios, default=2 * SLOWER) > SLOWER and perf_counter() < end:
        times = ([], [])
        for turn in range(30):
            rows, labels = lesson(turn)
            for learner, found in zip((young, old), times, strict=True):
                start = process_time()
                play(learner, rows, labels)
                found.append(process_time() - start)
            if perf_counter() > end:
                break
        ratios.append(median(times[1]) / median(times[0]))
    return min(ratios)


def _megabytes():
    """Return how large this process is."""
    gc.collect()
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:  # elsewhere: how large it has ever been
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << (20 if sys.platform == "darwin" else 10))
    return pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


def main(arguments):
    """Print the table of all soaks, or of those whose name has the words that are given."""
    trials = int(arguments[0]) if arguments else TRIALS
    names = [name for name in SOAKED if all(word in name for word in arguments[1:])]
    print("| learner | by | warm-up | trials | first tenth, us | last tenth, us | ratio | in turns | MB more | |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    faults = 0
    for name in names:
        for way, share in WAYS.items():
            found = soak(name, way, trials // share)
            again = "" if found.again is None else f"{found.again:.2f}"
            verdict = "FAULT" if found.fault else ""
            warm_up = f"{found.warm_up:,}" if found.warm_up else ""
            print(f"| `{name}` | {way} | {warm_up} | {found.trials:,} | {found.first:.3g} | "
                  f"{found.last:.3g} | {found.ratio:.2f} | {again} | {found.memory:.1f} | {verdict} |",
                  flush=True)  # fmt: skip
            faults += bool(found.fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
