"""Khardon, Roth and Servedio, "Efficiency versus convergence of Boolean kernels" (JAIR 2005)."""

from littlestone.papers.khardon_roth_servedio import (
    conclusion,
    convergence,
    elsewhere,
    hardness,
    kernels,
    lemma_5,
    pac,
    remark_7,
    theorem_6,
    winnow,
)
from littlestone.papers.result import Paper

__all__ = ["PAPER"]

PAPER = Paper(
    "khardon_roth_servedio",
    "Efficiency versus convergence of Boolean kernels",
    "Roni Khardon, Dan Roth and Rocco A. Servedio, Efficiency versus Convergence of Boolean Kernels for On-Line "
    "Learning Algorithms, Journal of Artificial Intelligence Research 24 (2005).",
    [
        *convergence.RESULTS, *kernels.RESULTS, *lemma_5.RESULTS, *theorem_6.RESULTS, *remark_7.RESULTS, *pac.RESULTS,
        *winnow.RESULTS, *hardness.RESULTS, *conclusion.RESULTS, *elsewhere.RESULTS,
    ],
    "Over all conjunctions of the attributes the Perceptron can be run efficiently but may err exponentially often; "
    "Winnow errs polynomially often on DNF, but to run it is as hard as counting. Predictions are 1 iff w.x >= theta, "
    "as the first step of Theorem 6 needs; logarithms in Section 4 are to the base 2.",
)  # fmt: skip
