"""Sections 2.3 and 3: which learners are additive and rotation invariant; Hadamard's matrices, Lemma 5 and Lemma 10."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import littlestone as ls
from littlestone.papers.comparisons import Comparison, at_least, close, equal, every
from littlestone.papers.outcome import Outcome, Table
from littlestone.papers.result import claim, results, run_with
from littlestone.papers.runs import weights
from littlestone.parts.links import power
from littlestone.teachers import Hadamard, hadamard_matrix
from littlestone.theory.diagnostics import Evidence, additive, rotation_invariant

__all__ = ["RESULTS"]

EXAMPLE = ([[1, 1, 0], [1, 0, 1]], [1, 1])


def _after_example(theta: int) -> list[int]:
    learner = ls.Winnow(alpha=2, theta=theta)
    learner.learn(*map(np.array, EXAMPLE))
    return [int(w) for w in weights(learner)]


@claim("winnow-not-additive", "Winnow is not additive: the example", "Section 2.3", rows=["A10"])
def winnow_not_additive(seed: int) -> Outcome:
    """Winnow with w1 = 1, eta = ln 2 and theta = N = 3, given (1,1,0) and (1,0,1), both positive, comes to (4,2,2); and
    (3,1,1) is not in the span of the two instances.
    """
    three, four = _after_example(3), _after_example(4)
    evidence = additive(ls.Winnow(alpha=2, theta=4), *EXAMPLE)
    return Outcome(
        f"w3 is {tuple(three)} with theta 3 and {tuple(four)} with theta 4.",
        claimed=[equal("w3, theta 3", three, [4, 2, 2])],
        corrected=[
            equal("w3, theta 4", four, [4, 2, 2]),
            equal("additive, theta 3", additive(ls.Winnow(alpha=2, theta=3), *EXAMPLE).holds, True),
            equal("additive, theta 4", evidence.holds, False),
            close("distance of (3,1,1) from the span", evidence.size * 11**0.5, 3**-0.5),
        ],
        erratum="The example needs a threshold above 3, such as 4: at 3 the second trial is predicted rightly.",
        counterexample=f"theta 3: after (1,1,0) w = (2,2,1), and w.(1,0,1) = 3 >= 3 predicts 1: w3 = {tuple(three)}.",
    )


ROOT = 2**-0.5
ROTATION = np.array([[ROOT, ROOT], [ROOT, -ROOT]])


class _Game(NamedTuple):
    """What becomes of Winnow on two examples: its predictions, its weights, and what it says of (r, -r) then."""

    predicted: list[int]
    w: list[float]
    third: int


def _played(theta: float, rotation: NDArray[np.float64], r: float = 2.0) -> _Game:
    """Play Winnow on the unit vectors, both positive, turned by ``rotation``, and ask for (r, -r)."""
    learner = ls.QuasiAdditive(link=power(2.0), theta=theta, bias=False)  # Winnow takes no negative values
    predicted = learner.begin(2, labels=(0, 1)).learn(np.eye(2) @ rotation.T, [1, 1])
    third = int(learner.predict(np.array([[r, -r]]) @ rotation.T)[0])
    return _Game(predicted.tolist(), weights(learner).tolist(), third)


@claim("winnow-not-rotation-invariant", "Winnow is not rotation invariant: the example", "Section 2.3", rows=["A10"])
def winnow_not_rotation_invariant(seed: int) -> Outcome:
    """With w1 = 1 and a threshold so high that the unit vectors are predicted 0, Winnow comes to (a, a), a = e^eta,
    after both of them as positive examples, and to (a^sqrt 2, 1) after both of them turned by 45 degrees.
    """
    low, low_turned = _played(1.2, np.eye(2)), _played(1.2, ROTATION)
    high, high_turned = _played(1.5, np.eye(2)), _played(1.5, ROTATION)
    a = 2.0 ** (2.0**0.5)
    score = float(np.dot(high_turned.w, ROTATION @ [2.0, -2.0]))
    predictions = "predictions of the trials, plain and turned"
    return Outcome(
        f"theta 1.5: the weights are {_shown(high.w)} and, turned, {_shown(high_turned.w)}; theta 1.2: turned "
        f"{_shown(low_turned.w)}.",
        claimed=[*_weights("theta 1.2", low.w, (2, 2)), *_weights("theta 1.2, turned", low_turned.w, (a, 1))],
        corrected=[
            *_weights("theta 1.5", high.w, (2, 2)),
            *_weights("theta 1.5, turned", high_turned.w, (a, 1)),
            equal(f"theta 1.5: {predictions}", [high.predicted, high_turned.predicted], [[0, 0], [0, 0]]),
            close("theta 1.5: score of x3 = (r, -r), turned, r = 2, is r sqrt 2", score, 2.0 * 2.0**0.5),
            equal("theta 1.5: predictions of x3, plain and turned", [high.third, high_turned.third], [0, 1]),
            equal(f"theta 1.2: {predictions}", [low.predicted, low_turned.predicted], [[0, 0], [1, 0]]),
        ],
        erratum="Both turned trials are mistakes only if theta > sqrt 2; for 1 < theta <= sqrt 2 the first turned "
        "instance, (sqrt 1/2, sqrt 1/2), has the score sqrt 2 and is predicted 1 already. That Winnow is not rotation "
        "invariant stands: there the very first prediction differs.",
        counterexample=f"theta 1.2: the unit vectors lead to {_shown(low.w)}, the turned ones to "
        f"{_shown(low_turned.w)}, for the first of them is predicted {low_turned.predicted[0]}.",
        note="The third prediction differs for r >= theta / sqrt 2.",
    )


def _weights(where: str, w: Sequence[float], expected: Sequence[float]) -> list[Comparison]:
    return [close(f"{where}: weight {at}", *pair) for at, pair in enumerate(zip(w, expected, strict=True), start=1)]


def _shown(w: Iterable[float]) -> str:
    return f"({', '.join(f'{one:.6g}' for one in w)})"


# And whether they are additive, and rotation invariant: the first three by the paper, the others by their making
LEARNERS: dict[str, tuple[Callable[[], ls.Learner], bool, bool]] = {
    "Perceptron": (ls.Perceptron, True, True),
    "Perceptron, theta 1/2": (lambda: ls.Perceptron(theta=0.5, bias=False), True, True),
    "Perceptron, w1 = 1": (lambda: ls.Perceptron(w1=1.0), True, False),
    "ellipsoid": (ls.Ellipsoid, True, True),
    "ellipsoid, deep cuts": (lambda: ls.Ellipsoid(deep=True), True, True),
    "ellipsoid, theta 0.2": (lambda: ls.Ellipsoid(theta=0.2, bias=False), True, True),
    "Winnow": (lambda: ls.QuasiAdditive(link=power(2.0), theta=16, bias=False), False, False),  # takes what is negative
    "Vaidya (volumetric centre)": (ls.VolumetricCenter, False, False),
}


@cache
def _additive(name: str) -> Evidence:
    return additive(LEARNERS[name][0]())


@claim("additive-learners", "Which learners are additive", "Section 2.3, Definition 1")
def additive_learners(seed: int) -> Outcome:
    """The Perceptron and the ellipsoid method are additive: their weights stay in the span of the instances seen, on
    top of the first weights. Winnow is not; nor is Vaidya's method, which the paper leaves out.
    """
    played = {name: _additive(name) for name in LEARNERS}
    rows = [[name, evidence.holds, f"{evidence.size:.1e}"] for name, evidence in played.items()]
    found = [equal(f"{name}: additive", played[name].holds, expected) for name, (_, expected, _) in LEARNERS.items()]
    table = Table(
        "Distance of w_t - w_1 from the span, relatively, at worst", ["learner", "additive", "distance"], rows
    )
    return Outcome(
        f"{sum(one.holds for one in played.values())} of {len(played)} learners stay in the span on all "
        f"{played['Perceptron'].trials} random trials.",
        found,
        tables=[table],
    )


@claim("theorem-3", "Theorem 3: rotation invariant learners are additive", "Section 2.3, Theorem 3", rows=["A12"])
def theorem_3(seed: int) -> Outcome:
    """A rotation invariant learner is additive, with zero first weights. The Perceptron and the ellipsoid method are
    rotation invariant; Winnow and Vaidya's method are not.
    """
    found, rows, changed = [], [], {}
    for name, (make, _, expected) in LEARNERS.items():
        turned = rotation_invariant(make())
        start = weights(make().begin(16, labels=(0, 1)))
        changed[name] = round(turned.size * turned.trials)
        rows.append([name, changed[name], turned.trials, _additive(name).holds, not start.any()])
        found.append(equal(f"{name}: rotation invariant", turned.holds, expected))
    implied = [bool(row[3] and row[4]) for row in rows if row[1] == 0]
    caption = "Predictions that change when all instances are turned"
    found.append(every("rotation invariant learners: additive with a zero start", implied))
    rotation = np.linalg.qr(np.random.default_rng(seed).normal(size=(16, 16)))[0]
    loose, safe = (
        rotation_invariant(LEARNERS[name][0](), rotation=rotation) for name in ("Perceptron", "Perceptron, theta 1/2")
    )
    return Outcome(
        f"Turned by H16/4, {sum(row[1] == 0 for row in rows)} learners predict the same on 400 trials, "
        f"{sum(implied)} of them additive from zero; Winnow differs on {changed['Winnow']}, Vaidya's method on "
        f"{changed['Vaidya (volumetric centre)']}.",
        found,
        note="The rotation is a Hadamard matrix over 4: floats hold it exactly, so that no tie is broken by rounding. "
        f"Turned by a random rotation instead the Perceptron differs on {round(loose.size * loose.trials)} trials, "
        f"through ties at 0 alone: with theta 1/2, where there are none, on {round(safe.size * safe.trials)}.",
        tables=[Table(caption, ["learner", "changed", "of", "additive", "zero start"], rows)],
    )


HISTOGRAMS = {
    8: {4: 8, 5: 64, 6: 112, 7: 64, 8: 8},
    16: {8: 16, 9: 704, 10: 9536, 11: 22848, 12: 21280, 13: 8960, 14: 1920, 15: 256, 16: 16},
}


def _farthest(order: int) -> tuple[NDArray[np.int64], NDArray[np.int8]]:
    """Return all sign vectors, and how far each is from the column that is farthest from it."""
    bits = np.arange(2**order)[:, np.newaxis] >> np.arange(order) & 1
    vectors = (2 * bits - 1).astype(np.int8)
    return (order - (vectors @ hadamard_matrix(order).astype(np.int8)).min(axis=1).astype(np.int64)) // 2, vectors


@run_with(quick={"orders": [2, 4, 8, 12, 16]})
@claim("lemma-5", "Lemma 5: far from some column", "Section 3, Lemma 5", rows=["A6"])
def lemma_5(seed: int, orders: list[int]) -> Outcome:
    """Every vector of signs differs from some column of the Hadamard matrix of order n in at least n/2 places."""
    found: list[Comparison] = []
    rows = []
    for order in orders:
        distances, vectors = _farthest(order)
        nearest = {tuple(vector) for vector in vectors[distances == order // 2].tolist()}
        found.append(equal(f"n = {order}: least distance from the farthest column", int(distances.min()), order // 2))
        columns = {tuple(column) for column in hadamard_matrix(order).T.tolist()}
        found.append(equal(f"n = {order}: attained by the columns and no others", nearest == columns, True))
        counts = dict(sorted(Counter(distances.tolist()).items()))
        if order in HISTOGRAMS:
            found.append(equal(f"n = {order}: vectors by distance", counts, HISTOGRAMS[order]))
        rows.append([order, 2**order, int(distances.min()), len(nearest)])
    return Outcome(
        f"All sign vectors for n = {', '.join(map(str, orders))}: the least distance from the farthest column is "
        f"{', '.join(str(row[2]) for row in rows)}.",
        found,
        note="Order 12, no power of two, is Paley's matrix: the lemma needs only a first row of ones.",
        tables=[Table("By enumeration", ["n", "sign vectors", "least distance", "attained by"], rows)],
    )


@run_with(quick={"orders": [2, 4, 8, 12, 16, 20, 32, 64]}, full={"orders": [2, 4, 8, 12, 16, 20, 24, 32, 64, 128, 256]})
@claim("lemma-10", "Lemma 10: pairwise constant dot products", "Section 3, Definitions 6 and 9, Lemma 10")
def lemma_10(seed: int, orders: list[int]) -> Outcome:
    """For rows i < t of a Hadamard matrix, each instance of row i has the same dot product with both instances of row
    t; so no sum of earlier instances tells the two apart. A constant coordinate changes nothing in this.
    """
    earlier, with_constant, values, later = [], [], [], []
    for order in orders:
        teacher = Hadamard(order=order)
        pairs = np.array([teacher.instances(t) for t in range(order)]).astype(np.int64)  # row, ' or '', attribute
        constant = _constant(pairs)
        earlier.append(constant[np.triu_indices(order, 1)].all())
        longer = np.concatenate((pairs, np.ones((order, 2, 1), dtype=np.int64)), axis=2)
        with_constant.append(_constant(longer)[np.triu_indices(order, 1)].all())
        dots = _dots(pairs)
        i, t = np.triu_indices(order - 1, 1)
        of_ones = (dots[0, 0, 1:] == order // 2).all() and not dots[0, 1, 1:].any()
        values.append(of_ones and (4 * dots[i + 1, :, t + 1] == order).all())
        apart = np.tril(~constant, -1)
        later.append(apart[1:, 0].all() and not apart[:, 1:].any())
    return Outcome(
        f"Equal for all pairs i < t in {sum(earlier)} of {len(orders)} orders, up to {max(orders)}; for i > t in all "
        f"but those with t = 1 in {sum(later)}.",
        [
            every("orders: equal dot products for all i < t", earlier),
            every("orders: the same with a constant coordinate", with_constant),
            every("orders: dot products l/2 and 0 with the instances of row 1, l/4 with those of all others", values),
            every("orders: for i > t unequal if t = 1, and equal otherwise", later),
        ],
        note="So row 1, all ones, must come first, for afterwards its two instances can be distinguished. The other "
        "rows may come in any order.",
    )


def _dots(pairs: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the dot products of all instances: of row i, ' or '', with those of row t, ' or ''."""
    flat = pairs.reshape(2 * len(pairs), -1)
    found: NDArray[np.int64] = (flat @ flat.T).reshape(len(pairs), 2, len(pairs), 2)
    return found


def _constant(pairs: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Tell of rows i and t whether each instance of i has the same dot product with both of t."""
    dots = _dots(pairs)
    return np.asarray((dots[..., 0] == dots[..., 1]).all(axis=1))


SYLVESTER = (2, 4, 8)


@claim("misprints", "Slips of the pen", "Section 3, Lemma 5, Definition 6 and Lemma 12")
def misprints(seed: int) -> Outcome:
    """To the letter: Lemma 5 has the distance N/2, N the number of attributes; Definition 6 asks that z'_t have the
    same dot product with itself as z'_i with z''_t; in the proof of Lemma 12 the i-th entry of the i-th column says
    how all instances are labelled.
    """
    least = {order: int(_farthest(order)[0].min()) for order in SYLVESTER}
    n, k = next((n, k) for n in SYLVESTER for k in range(1, 9) if 2 * least[n] < n + k - 1)
    order, i, t = next(found for order in SYLVESTER if (found := _unequal(order)))
    size, column, row = next(found for order in SYLVESTER if (found := _other_label(order)))
    own, cross = _printed(order, i, t)
    label, sign = _label(size, column, row), int(hadamard_matrix(size)[column, column])
    meant = [order for order in SYLVESTER if _as_meant(order)]
    return Outcome(
        f"The first failures: Lemma 5 at n = {n}, k = {k}, Definition 6 at l = {order}, Lemma 12 at l = {size}.",
        claimed=[
            at_least(f"Lemma 5, n = {n}, k = {k}: least distance from the farthest column", least[n], (n + k - 1) / 2),
            equal(f"Definition 6, l = {order}: z'_{t}.z'_{t} and z'_{i}.z''_{t}", own, cross),
            equal(f"Lemma 12, l = {size}: u.z'_{row + 1} for the column {column + 1}", label, (sign + 1) // 2),
        ],
        corrected=[
            equal("Lemma 5 with n/2: least distances for n = 2, 4, 8", list(least.values()), [1, 2, 4]),
            equal("Lemma 12 with entry t: orders in which it tells all labels", meant, list(SYLVESTER)),
        ],
        erratum="Lemma 5 should have n/2; Definition 6 z'_i.z'_t = z'_i.z''_t (that is Lemma 10); Lemma 12 entry t of "
        "the column.",
        counterexample=f"n = {n}, k = {k}, so N = {n + k - 1}: a column differs from no column in more than {least[n]} "
        f"< {n + k - 1}/2 places. l = {order}: z'_{t}.z'_{t} = {own}, z'_{i}.z''_{t} = {cross}. l = {size}: entry "
        f"{column + 1} of column {column + 1} is {sign}, and yet u.z'_{row + 1} = {label}.",
        note="Others change no number: in our copy the hats are lost in the sign of the error and in the definition of "
        "a mistake, Definition 7 has w_1 for any w, and the sums in the proof of Lemma 10 run to l, not to N.",
    )


def _printed(order: int, i: int, t: int) -> tuple[int, int]:
    """Return the two numbers that Definition 6, as printed, wants equal; rows are counted from 1."""
    teacher = Hadamard(order=order)
    one, two = (teacher.instances(row - 1)[0].astype(int) for row in (i, t))
    return int(two @ two), int(one @ teacher.instances(t - 1)[1].astype(int))


def _unequal(order: int) -> tuple[int, int, int] | None:
    """Return the first rows i < t, from 1, on which Definition 6 as printed fails."""
    rows = ((i, t) for t in range(2, order + 1) for i in range(1, t))
    return next(((order, i, t) for i, t in rows if len(set(_printed(order, i, t))) == 2), None)


def _label(order: int, column: int, row: int) -> int:
    """Return u.z' for the target that is a column, both from 0."""
    return int(Hadamard(order=order).instances(row)[0][column])


def _as_meant(order: int) -> bool:
    """Tell whether entry (row, column) of the matrix tells every label."""
    entries = (hadamard_matrix(order) + 1) // 2
    return all(_label(order, column, row) == entries[row, column] for column, row in np.ndindex(order, order))


def _other_label(order: int) -> tuple[int, int, int] | None:
    """Return the first column and row, from 0, where entry i of column i does not tell the label."""
    diagonal = (np.diag(hadamard_matrix(order)) + 1) // 2
    places = np.ndindex(order, order)
    return next(
        ((order, column, row) for column, row in places if _label(order, column, row) != diagonal[column]), None
    )


RESULTS = results(globals())
