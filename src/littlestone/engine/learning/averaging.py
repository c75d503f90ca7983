"""The engine of `AutoRegressor`: experts predict, a weighted mean is told, and all learn, one call a block.

Weights are exp(-eta L) with what each expert has lost, L. Eta is given, or ``ln N/G`` with the *mixability gap* G so
far: what the mean has lost more than ``-ln(sum of w_i exp(-eta loss_i))/eta``, of the trials where it did (AdaHedge).
While there is no gap, eta is infinite: those that have lost least share the weight. One more expert, the combination,
learns by least squares how to weigh what the others say: ``mixed`` has L of it, then D, then its weights.
"""

import math

import numpy as np

from littlestone.engine.arrays import Columns, Cube, Floats, Grid, Ints, Read
from littlestone.engine.compiling import inlined, native
from littlestone.engine.learning import forecasts
from littlestone.engine.learning.forecasts import FOR_ALL, FULL, GAP, HIGH, IN, LOSSES, LOW, MEANS, SINGLE, WEIGHT, Y1

__all__ = ["COMBINATION", "EXPERTS", "LARGEST", "learn", "score", "shares"]

EXPERTS = SINGLE + 1
COMBINATION = SINGLE  # the last one
TRIALS, UPDATES, PROMOTIONS, DEMOTIONS = range(4)  # counts

LARGEST = 1e300  # where a loss is held


@inlined
def _within(p: float, low: float, high: float) -> float:
    """Return a prediction held in a range; the least one, where it is no number."""
    return p if low <= p <= high else high if p > high else low


@native
def _combined(said: Floats, mixed: Grid[Floats], f: Floats) -> float:
    """Write ``L z`` of what the others say, z, and return what the combination says."""
    s = 0.0
    for k in range(SINGLE):
        f[k] = said[k]
        for i in range(k):
            f[k] += mixed[k, i] * said[i]
        s += mixed[SINGLE + 1, k] * said[k]
    return s


@native
def shares(eta: float, there: bool, totals: Floats, share: Floats) -> float:
    """Write the share that each expert has in the mean; return eta, infinite while there is no gap."""
    if eta == 0.0:
        eta = math.log(EXPERTS) / totals[GAP] if totals[GAP] > 0.0 else math.inf
    least, total = math.inf, 0.0
    for e in range(EXPERTS):
        if there or not MEANS <= e < MEANS + FULL:
            least = min(least, totals[LOSSES + e])
    for e in range(EXPERTS):
        share[e] = 0.0
        if there or not MEANS <= e < MEANS + FULL:
            behind = totals[LOSSES + e] - least
            share[e] = 1.0 if behind == 0.0 else 0.0 if eta == math.inf else math.exp(-eta * behind)
        total += share[e]
    for e in range(EXPERTS):
        share[e] /= total
    return eta


@native
def _mean(
    eta: float, there: bool, mixed: Grid[Floats], totals: Floats, f: Floats, said: Floats, heard: Floats, share: Floats
) -> tuple[float, float]:
    """Write what each expert says, held in the range of the outcomes, and its share; return the mean and eta."""
    low, high = totals[LOW], totals[HIGH]
    for e in range(SINGLE):
        heard[e] = _within(said[e], low, high)
    heard[COMBINATION] = _within(_combined(heard, mixed, f), low, high)
    eta = shares(eta, there, totals, share)
    s = 0.0
    for e in range(EXPERTS):
        s += share[e] * heard[e]
    return _within(s, low, high), eta


@native
def _charge(eta: float, p: float, r: float, weight: float, totals: Floats, heard: Floats, share: Floats) -> None:
    """Let each expert pay what it has lost, and count the gap."""
    least, total = math.inf, 0.0
    for e in range(EXPERTS):
        if share[e] > 0.0:
            least = min(least, (heard[e] - r) ** 2)
    if eta < math.inf:
        for e in range(EXPERTS):
            if share[e] > 0.0:
                total += share[e] * math.expm1(-eta * weight * ((heard[e] - r) ** 2 - least))
        least -= math.log1p(max(total, -1.0 + 1e-16)) / (eta * weight)
    totals[GAP] = min(totals[GAP] + weight * max((p - r) ** 2 - least, 0.0), LARGEST)
    for e in range(EXPERTS):
        totals[LOSSES + e] = min(totals[LOSSES + e] + weight * (heard[e] - r) ** 2, LARGEST)


@native
def _combine(r: float, weight: float, mixed: Grid[Floats], totals: Floats, f: Floats, b: Floats, heard: Floats) -> None:
    """Let the combination learn; an error counts in units of the range of the outcomes."""
    width = totals[HIGH] - totals[LOW]
    if not width > 0.0:
        return
    s = v = 0.0
    for k in range(SINGLE):
        s += mixed[SINGLE + 1, k] * heard[k]
        v += mixed[SINGLE, k] * (f[k] * f[k])
    if not v < forecasts.FAR:
        return
    alpha = max(width * width, 1e-200) / max(weight, 1e-100)
    forecasts.absorb(alpha, r - s, f, b, mixed[:SINGLE], mixed[SINGLE], mixed[SINGLE + 1])


@native
def learn(
    indptr: Ints, indices: Columns, values: Floats, outcomes: Floats, importance: Floats, eta: float,
    numbers: Grid[Floats], factor: Cube[Floats], moments: Grid[Floats], mixed: Grid[Floats], totals: Floats,
    counts: Ints, predictions: Floats,
) -> None:  # fmt: skip
    """Play a block: predict, then let everybody learn, row by row."""
    size = moments.shape[1]
    room, said, heard, share = np.zeros((FULL + 2, size + 1)), np.zeros(SINGLE), np.zeros(EXPERTS), np.zeros(EXPERTS)
    f, b = np.zeros(SINGLE), np.zeros(SINGLE)
    for row in range(len(outcomes)):
        line, y = (indices, values, np.uint64(indptr[row]), np.uint64(indptr[row + 1])), outcomes[row]
        weight = importance[row] if len(importance) > 0 else 1.0
        norm, there = forecasts.say(line, numbers, (factor, moments), totals, room, said)
        p, now = _mean(eta, there, mixed, totals, f, said, heard, share)
        predictions[row] = totals[Y1] + p
        counts[TRIALS] += 1
        if weight == 0.0:
            continue
        if y != predictions[row]:
            counts[UPDATES] += 1
            counts[PROMOTIONS if y > predictions[row] else DEMOTIONS] += 1
        if totals[WEIGHT] == 0.0:
            totals[Y1] = y
            totals[FOR_ALL] = weight * y * y
        else:
            r = y - totals[Y1]
            _charge(now, p, r, weight, totals, heard, share)
            totals[LOW], totals[HIGH] = min(totals[LOW], r), max(totals[HIGH], r)
            _combine(r, weight, mixed, totals, f, b, heard)
        if not there:
            totals[IN] = 0.0
        forecasts.learn(line, y, weight, norm, there, numbers, (factor, moments), totals, room, said)


@native
def score(
    indptr: Ints, indices: Columns, values: Floats, eta: float, numbers: Read[Grid[Floats]],
    factor: Read[Cube[Floats]], moments: Read[Grid[Floats]], mixed: Read[Grid[Floats]], totals: Read[Floats],
    predictions: Floats,
) -> None:  # fmt: skip
    """Predict a block without learning."""
    size = moments.shape[1]
    room, said, heard, share = np.zeros((FULL + 2, size + 1)), np.zeros(SINGLE), np.zeros(EXPERTS), np.zeros(EXPERTS)
    f = np.zeros(SINGLE)
    for row in range(len(predictions)):
        line = (indices, values, np.uint64(indptr[row]), np.uint64(indptr[row + 1]))
        there = forecasts.say(line, numbers, (factor, moments), totals, room, said)[1]
        predictions[row] = totals[Y1] + _mean(eta, there, mixed, totals, f, said, heard, share)[0]
