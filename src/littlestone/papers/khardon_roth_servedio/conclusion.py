"""Section 5: what the authors say of maximum-margin machines."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import littlestone as ls
from littlestone.kernels import Conjunctions
from littlestone.learners import KernelPerceptron
from littlestone.papers.comparisons import at_most, every
from littlestone.papers.outcome import Outcome, Table
from littlestone.papers.result import claim
from littlestone.streams import Stream
from littlestone.teachers import KernelTrap, KernelTrapSample

__all__ = ["RESULTS"]

Floats = NDArray[np.float64]
KERNEL = Conjunctions(monotone=True)


class _Widest:
    """The hyperplane through the origin of the largest margin on some rows, over normalised features of the kernel."""

    def __init__(self, X: NDArray[np.bool_], y: NDArray[np.int64]) -> None:
        self.rows, first = np.unique(X, axis=0, return_index=True)
        factor = np.linalg.cholesky(KERNEL.gram(self.rows, normalized=True))  # coordinates with the same dot products
        found = ls.hindsight.margin(ls.from_arrays(factor, y[first]), bias=False)
        assert found.u2 is not None
        self.coefficients = np.linalg.solve(factor.T, found.u2)

    def predict(self, X: NDArray[np.bool_]) -> NDArray[np.int64]:
        values = KERNEL.gram(X, self.rows, normalized=True) @ self.coefficients
        return np.asarray(values >= 0.0).astype(np.int64)


def _rows(stream: Stream) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Return all rows and outcomes."""
    block = ls.Block.joined(list(stream.blocks()))
    X = np.zeros((len(block), stream.n_attributes or 0), dtype=bool)
    for row in range(len(block)):
        X[row, block.row(row)[0]] = True
    assert block.outcomes is not None
    return X, np.asarray(block.outcomes, dtype=np.int64)


@claim("maximum-margin", "The trap does not catch maximum-margin machines", "Section 5",
       quick={"runs": 8, "sets": 40}, full={"runs": 20, "sets": 100})  # fmt: skip
def maximum_margin(seed: int, runs: int, sets: int) -> Outcome:
    """The constructions against the kernel Perceptron do not extend, in the PAC or the on-line setting, to hypotheses
    of maximum margin over the same kernel.
    """
    errors: dict[int, list[tuple[float, float]]] = {10: [], 30: [], 100: []}
    for size, found in errors.items():
        for number in range(runs):
            sample = KernelTrapSample(320, trials=size, seed=seed + number)
            X, y = _rows(sample)
            if y.min() < y.max() and len(np.unique(X[y == 0], axis=0)) > 1:
                learner = KernelPerceptron("monotone")
                ls.play(learner, sample)
                found.append((float(sample.error(learner)), float(sample.error(_Widest(X, y)))))
    trap = KernelTrap(320, sets=sets)
    X, y = _rows(trap)
    wrong = sum(int(_Widest(X[:t], y[:t]).predict(X[t : t + 1])[0] != y[t]) for t in range(2, len(y)))
    online = ls.play(KernelPerceptron("monotone"), trap).mistakes - 2
    rows = [[size, len(found), *(round(float(mean), 4) for mean in np.mean(found, axis=0))]
            for size, found in errors.items()]  # fmt: skip
    return Outcome(
        f"Mean error after 10, 30, 100 examples: {', '.join(f'{row[3]:g}' for row in rows)} with the largest margin, "
        f"{', '.join(f'{row[2]:.3f}' for row in rows)} with the kernel Perceptron; on-line {wrong} of {len(y) - 2} "
        f"sets are mistakes, against {online}.",
        [
            *(every(f"samples of {size}: error 0 with the largest margin", [widest == 0.0 for _, widest in found])
              for size, found in errors.items()),
            at_most("on-line, after 0^n and 1^n: mistakes with the largest margin", wrong, 1),
        ],
        note="Features are normalised, K(x,y) / sqrt(K(x,x) K(y,y)). Samples with both labels and two different "
        "negative rows are counted. The authors prove other negative results for such machines elsewhere.",
        tables=[Table("Mean errors, n = 320, 3,000 sets",
                      ["examples", "samples", "kernel Perceptron", "largest margin"], rows)],
    )  # fmt: skip


RESULTS = (maximum_margin,)
