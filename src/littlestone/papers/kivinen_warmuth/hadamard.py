"""Section 3: Hadamard's matrices, Lemma 5 and Lemma 10; what is misprinted there."""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from littlestone.papers.comparisons import Comparison, at_least, equal, every
from littlestone.papers.outcome import Outcome, Table
from littlestone.papers.result import claim, run_with
from littlestone.teachers import Hadamard, hadamard_matrix

__all__ = ["RESULTS"]

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
        note="So row 1, all ones, must come first, for afterwards its two instances are told apart. The other rows may "
        "come in any order.",
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
    for t in range(2, order + 1):
        for i in range(1, t):
            own, cross = _printed(order, i, t)
            if own != cross:
                return order, i, t
    return None


def _label(order: int, column: int, row: int) -> int:
    """Return u.z' for the target that is a column, both from 0."""
    return int(Hadamard(order=order).instances(row)[0][column])


def _as_meant(order: int) -> bool:
    """Tell whether entry (row, column) of the matrix tells every label."""
    told = (hadamard_matrix(order) + 1) // 2
    return all(_label(order, column, row) == told[row, column] for column in range(order) for row in range(order))


def _other_label(order: int) -> tuple[int, int, int] | None:
    """Return the first column and row, from 0, where entry i of column i does not tell the label."""
    matrix = hadamard_matrix(order)
    for column in range(order):
        for row in range(order):
            if _label(order, column, row) != (matrix[column, column] + 1) // 2:
                return order, column, row
    return None


RESULTS = (lemma_5, lemma_10, misprints)
