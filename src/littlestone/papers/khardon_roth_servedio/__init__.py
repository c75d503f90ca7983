"""Khardon, Roth and Servedio, "Efficiency versus convergence of Boolean kernels" (JAIR 2005)."""

from littlestone.papers.result import Paper

__all__ = ["PAPER"]

PAPER = Paper.of_chapters(
    __name__,
    "Efficiency versus convergence of Boolean kernels",
    "Roni Khardon, Dan Roth and Rocco A. Servedio, Efficiency versus Convergence of Boolean Kernels for On-Line "
    "Learning Algorithms, Journal of Artificial Intelligence Research 24 (2005).",
    "kernels theorem_6 remark_7 winnow hardness conclusion",
    "Over all conjunctions of the attributes the Perceptron can be run efficiently but may err exponentially often; "
    "Winnow errs polynomially often on DNF, but to run it is as hard as counting. Predictions are 1 iff w.x >= theta, "
    "as the first step of Theorem 6 needs; logarithms in Section 4 are to the base 2.",
)
