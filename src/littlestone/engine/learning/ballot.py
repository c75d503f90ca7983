"""The engine of a vote by experts that are more or less sure, and of what each of them loses.

Expert i gives class c the share p_i(c); it weighs ``w_i = e^(-eta L_i)``, where L_i is the sum of its losses so far,
and its loss is 1 - p_i(y). Weights are made of losses anew on each trial, so that however long a game is, none that
matters underflows.

``scores`` are the diagonal experts' as `pool` has them, ``full`` those of the others, who have a say in rows where they
are ``present``. The last experts are *combinations*: what they score is ``mu.z``, where z has the scores of all others,
each in units of its usual size and held in [-1, 1]; they learn mu by a rule of the second order, with ``sigma`` for the
covariance, so that the true class is before the best other one. ``ledger`` has a row an expert: its loss, its mistakes,
and the sum of the sizes of its scores.
"""

import math

import numpy as np

from littlestone.engine.arrays import Bytes, Codes, Cube, Floats, Grid, Ints
from littlestone.engine.compiling import inlined, native
from littlestone.engine.intrinsics import borrowed
from littlestone.engine.learning.rules import second_order

LOSS, MISTAKES, SIZES = range(3)  # ledger
EXAMPLES, WRONG, PROMOTIONS, DEMOTIONS = range(4)  # tally: counts of each class
KNOWN, COUNTED = 3, 4  # counts: classes that have been voted on, trials that counted

NEGLIGIBLE = 40.0  # e^-40 of the best expert's weight is lost in rounding
MOST = 1e100  # where the weights of combinations are held
FARTHEST = 1e290  # where differences of scores are held


@native
def _shares(s: Floats, classes: int, size: float, shares: Floats) -> int:
    """Put an expert's share for each class into ``shares``; return the class that it would predict.

    Its scores, in units of ``size``, are projected onto the distributions: of two classes with the scores -s and s this
    is 1/2 - s/size and 1/2 + s/size, held in [0, 1].
    """
    top = 0
    for c in range(1, classes):
        if s[c] > s[top]:
            top = c
    for c in range(classes):
        below = s[c] - s[top]
        # Who is behind by the size or more has no share; without a size, who is behind at all.
        shares[c] = below / size if below > -size else (0.0 if c == top else -2.0)
    level, number = -1.0, 0
    for _ in range(classes + 1):  # fewer and fewer are above the level at which all shares come to 1
        before, number, total = number, 0, 0.0
        for c in range(classes):
            if shares[c] > level:
                number += 1
                total += shares[c]
        level = (total - 1.0) / number
        if number == before:
            break
    for c in range(classes):
        shares[c] = max(shares[c] - level, 0.0)
    return top


@native
def _spread(s: Floats, classes: int) -> tuple[float, float]:
    """Return the middle of the two best scores, and how far they are from it: of -s and s, 0 and abs(s)."""
    top = second = -np.inf
    for c in range(classes):
        if s[c] > top:
            top, second = s[c], top
        elif s[c] > second:
            second = s[c]
    half = min(0.5 * (top - second), FARTHEST)
    return top - half, half


@inlined
def _between_two(score: float, classes: int, size: float, s: Floats, shares: Floats) -> int:
    """Do what `_shares` does for at most two classes, by the score of the second."""
    s[0], s[1] = -score, score
    if classes < 2:
        shares[0] = 1.0
        return 0
    first = 0.5 - score / size if size > 0.0 else (0.0 if score > 0.0 else 1.0)
    shares[0] = min(max(first, 0.0), 1.0)
    shares[1] = 1.0 - shares[0]
    return 1 if score > 0.0 else 0


@native
def _combine(z: Floats, mu: Floats, there: Bytes, classes: int, s: Floats) -> None:
    """Put mu.z of each class into ``s``."""
    for c in range(classes):
        s[c] = 0.0
    for e in range(len(mu)):
        if there[e]:
            for c in range(classes):
                s[c] += mu[e] * z[e, c]


@native
def _learn(
    z: Floats, mu: Floats, sigma: Floats, there: Bytes, rule: tuple[int, float], s: Floats, classes: int, y: int,
    weight: float, moves: Floats,
) -> None:  # fmt: skip
    """Let a combination learn that class y is before the best of the others; ``rule``: its address and parameter."""
    other = 1 if y == 0 else 0
    for c in range(classes):
        if c != y and s[c] > s[other]:
            other = c
    m = 0.5 * (s[y] - s[other])
    if m >= 1.0:
        return
    d, move = moves[0], moves[1]
    for e in range(len(mu)):
        d[e], move[e] = 0.5 * (z[e, y] - z[e, other]) if there[e] else 0.0, 0.0
    for f in range(len(mu)):  # along rows, for sigma is symmetric
        if d[f] != 0.0:
            for e in range(len(mu)):
                move[e] += sigma[f, e] * d[f]
    v = 0.0
    for e in range(len(mu)):
        v += move[e] * d[e]
    if not v > 0.0:
        return
    alpha, added = second_order(rule[0], m, v, weight, rule[1], 0.0)
    shrink = added / (1.0 + added * v)
    for e in range(len(mu)):
        mu[e] = min(max(mu[e] + alpha * move[e], -MOST), MOST)
        for f in range(len(mu)):
            sigma[e, f] -= shrink * (move[e] * move[f])


@native
def vote(
    heard: tuple[Cube[Floats], Cube[Floats], Bytes], outcomes: Codes, importance: Floats, eta: float,
    addresses: Grid[Ints], rule: Floats, combined: tuple[Grid[Floats], Cube[Floats]], ledger: Grid[Floats],
    tally: Grid[Ints], counts: Ints,
    predictions: Codes, votes: Grid[Floats], said: Cube[Floats],
) -> None:  # fmt: skip
    """Predict a block by the vote; with outcomes, write down after each row what everybody lost.

    ``heard`` are the scores, those of experts with a full covariance, and where these are present. ``addresses`` and
    ``rule`` are of the combinations, ``combined`` their mu and sigma. ``votes`` takes the votes of each row, or is one
    row that all share. ``said`` takes what each combination scores each class before it learns, if it has rows.
    """
    single, everybody, room = combined[0].shape[1], len(ledger), max(heard[0].shape[1], 2)
    work = (
        np.zeros((everybody, room)), np.zeros((everybody, room)), np.zeros(everybody, dtype=np.int64),
        np.zeros((single, room)), np.zeros(everybody), np.ones(everybody, dtype=np.uint8), np.zeros((2, single)),
    )  # fmt: skip
    books = ledger, tally, counts
    told = predictions, votes, said
    _vote(heard, outcomes, importance, eta, (addresses, rule), combined, books, work, told)


@native
def _vote(
    heard: tuple[Floats, Floats, Bytes], outcomes: Codes, importance: Floats, eta: float, own: tuple[Ints, Floats],
    combined: tuple[Floats, Floats], books: tuple[Floats, Ints, Ints],
    work: tuple[Floats, Floats, Ints, Floats, Floats, Bytes, Floats], told: tuple[Codes, Floats, Floats],
) -> None:  # fmt: skip
    predictions, votes, said = borrowed(told)
    (scores, full, present), (mu, sigma), (addresses, rule) = borrowed(heard), borrowed(combined), borrowed(own)
    (ledger, tally, counts), (shares, s, chosen, z, halves, there, moves) = borrowed(books), borrowed(work)
    experts, single, everybody = scores.shape[2], mu.shape[1], len(ledger)
    learning = len(outcomes) > 0
    for row in range(len(predictions)):
        classes, counted, best = counts[KNOWN], max(counts[COUNTED], 1), -1
        scored = max(classes, 2)
        total = votes[row % len(votes)]
        for c in range(len(total)):
            total[c] = 0.0
        for e in range(experts, single):
            there[e] = present[row]
        least = np.inf
        for e in range(everybody):
            if there[e]:
                least = min(least, ledger[e, LOSS])
        for e in range(everybody):
            if not there[e]:
                continue
            size = ledger[e, SIZES] / counted
            if e >= single:
                _combine(z, mu[e - single], there, scored, s[e])
            if classes <= 2:
                score = s[e, 1]
                if e < single:
                    score = scores[row, 0, e] if e < experts else full[row, 0, e - experts]
                    z[e, 1] = min(max(score / size, -1.0), 1.0) if size > 0.0 else 0.0
                    z[e, 0] = -z[e, 1]
                halves[e] = abs(score)
                chosen[e] = _between_two(score, classes, size, s[e], shares[e])
            else:
                for c in range(classes if e < single else 0):
                    s[e, c] = scores[row, c, e] if e < experts else full[row, c, e - experts]
                middle, halves[e] = _spread(s[e], classes)
                if e < single:
                    for c in range(classes):
                        z[e, c] = min(max((s[e, c] - middle) / size, -1.0), 1.0) if size > 0.0 else 0.0
                chosen[e] = _shares(s[e], classes, size, shares[e])
            behind = eta * (ledger[e, LOSS] - least)
            w = math.exp(-behind) if behind < NEGLIGIBLE else 0.0
            for c in range(classes):
                total[c] += w * shares[e, c]
        for c in range(classes):
            if best < 0 or total[c] > total[best]:
                best = c
        predictions[row] = best
        if len(said) > 0:
            for k in range(everybody - single):
                for c in range(scored):
                    said[row, k, c] = s[single + k, c]
        if not learning:
            continue
        y, weight = outcomes[row], importance[row] if len(importance) > 0 else 1.0
        tally[y, EXAMPLES] += 1
        tally[y, WRONG] += best != y
        counts[KNOWN] = max(classes, y + 1)
        if weight == 0.0:
            continue
        counts[COUNTED] += 1
        if best != y:
            tally[y, PROMOTIONS] += 1
            if best >= 0:
                tally[best, DEMOTIONS] += 1
        for e in range(everybody):
            if there[e]:
                ledger[e, LOSS] += weight * (1.0 - shares[e, y]) if y < classes else weight
                ledger[e, MISTAKES] += y >= classes or chosen[e] != y
                ledger[e, SIZES] += halves[e]
                if e >= single and y < scored:
                    k = e - single
                    _learn(z, mu[k], sigma[k], there, (addresses[k, 0], rule[k]), s[e], scored, y, weight, moves)
