"""A Gibbs sampler of sets, weighed by alpha^(sum of the nets of the rows that contain them): what they weigh in all."""

from math import exp, log

import numpy as np

from littlestone.engine.arrays import ONE, Bools, Grid, Ints
from littlestone.engine.compiling import native
from littlestone.engine.splitmix import key_of, word_of

__all__ = ["log_ratio"]

BATCHES = 20  # of sweeps, whose means tell how far the mean of all may be off


@native
def log_ratio(
    within: Grid[Bools], nets: Ints, ln_alpha: float, stages: int, sweeps: int, largest: int, seed: int, trial: int
) -> tuple[float, float]:
    """Return ln(sum of alpha^net(T) / number of T) over all T that are not empty, and its standard error.

    ``within[i, j]`` says whether thing i is in row j. The ratio is a product over a ladder 1 = a_0 < ... < a_r = alpha
    of the means of (a_(i+1) / a_i)^net(T), T drawn with weights a_i^net(T): every thing in turn is put in or left out
    of T, with the odds of its weights; the empty T, whose weight could drown all others, is never entered. Errors come
    from the means of batches, divided by the mean for the error of the logarithm, and add up over the stages.
    The numbers drawn depend on seed and trial alone.
    """
    things, rows = within.shape
    key = key_of(np.uint64(seed), np.uint64(trial))
    draw = np.uint64(0)
    chosen, size = np.zeros(things, dtype=np.bool_), 0
    missing = np.zeros(rows, dtype=np.int64)  # how many of T each row lacks
    rise = ln_alpha / stages
    every = sweeps // BATCHES
    total, variance = 0.0, 0.0
    for stage in range(stages):
        burn = sweeps if stage == 0 else sweeps // 8
        means = np.zeros(BATCHES)
        for sweep in range(burn + every * BATCHES):
            now = 0
            for i in range(things):
                if chosen[i]:
                    chosen[i] = False
                    size -= 1
                    for j in range(rows):
                        missing[j] -= not within[i, j]
                without, by = 0, 0
                for j in range(rows):
                    if missing[j] == 0:
                        without += nets[j]
                        if within[i, j]:
                            by += nets[j]
                odds = exp(-rise * stage * (by - without))
                uniform = (word_of(key, draw) >> np.uint64(11)) * 2.0**-53
                draw += ONE
                now = without
                if size == 0 or (size < largest and uniform * (1.0 + odds) < 1.0):
                    chosen[i] = True
                    size += 1
                    now = by
                    for j in range(rows):
                        missing[j] += not within[i, j]
            if sweep >= burn:
                means[(sweep - burn) // every] += exp(rise * now) / every
        mean = means.mean()
        total += log(mean)
        variance += means.var() / (BATCHES - 1) / (mean * mean)
    return total, variance**0.5
