"""Section 3: Hadamard's matrices, Lemma 5 and Lemma 10."""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from littlestone.papers.comparisons import Comparison, above, equal, every
from littlestone.papers.outcome import Outcome, Table
from littlestone.papers.result import claim
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


@claim(
    "lemma-5", "Lemma 5: far from some column", "Section 3, Lemma 5", quick={"orders": [2, 4, 8, 12, 16]}, rows=["A6"]
)
def lemma_5(seed: int, orders: list[int]) -> Outcome:
    """Every vector of signs differs from some column of the Hadamard matrix of order n in at least n/2 places."""
    found: list[Comparison] = []
    rows = []
    for order in orders:
        distances, vectors = _farthest(order)
        nearest = {tuple(vector) for vector in vectors[distances == order // 2].tolist()}
        found.append(equal(f"n = {order}: least distance from the farthest column", int(distances.min()), order // 2))
        columns = {tuple(column) for column in hadamard_matrix(order).T.tolist()}
        if order & (order - 1) == 0:
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
    )  # fmt: skip


@claim("lemma-10", "Lemma 10: pairwise constant dot products", "Section 3, Definitions 6 and 9, Lemma 10",
       quick={"orders": [2, 4, 8, 12, 16, 20, 32, 64]},
       full={"orders": [2, 4, 8, 12, 16, 20, 24, 32, 64, 128, 256]})  # fmt: skip
def lemma_10(seed: int, orders: list[int]) -> Outcome:
    """For rows i < t of a Hadamard matrix, each instance of row i has the same dot product with both instances of row
    t; so no sum of earlier instances tells the two apart.
    """
    earlier, values = [], []
    for order in orders:
        teacher = Hadamard(order=order)
        pairs = np.array([teacher.instances(t) for t in range(order)]).astype(np.int64)  # row, ' or '', attribute
        dots = np.einsum("iax,tbx->iatb", pairs, pairs)
        constant = (dots[..., 0] == dots[..., 1]).all(axis=1)  # i, t
        earlier.append(bool(constant[np.triu_indices(order, 1)].all()))
        if order > 2:
            values.append({*dots[1, :, 2, :].ravel().tolist()} == {order // 4} and dots[0, 0, 1, 0] == order // 2)
    first = Hadamard(order=4)
    swapped = [int(first.instances(1)[0].astype(int) @ first.instances(0)[b].astype(int)) for b in (0, 1)]
    return Outcome(
        f"Equal for all pairs i < t in {sum(earlier)} of {len(orders)} orders, up to {max(orders)}.",
        [
            every("orders: equal dot products for all i < t", earlier),
            every("orders: dot products l/4, and l/2 with the row of ones", values),
            above("order 4, i = 2, t = 1: dot product with z' less that with z''", swapped[0] - swapped[1], 0),
        ],
        note="It is needed, and true, for i < t only: row 1, all ones, must come first, for afterwards its two "
        "instances are told apart. The other rows may come in any order.",
    )


RESULTS = (lemma_5, lemma_10)
