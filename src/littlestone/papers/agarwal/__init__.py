"""Agarwal, "Online Classification: Perceptron and Winnow" (lecture notes)."""

from littlestone.papers.result import Paper

__all__ = ["PAPER"]

PAPER = Paper.of_chapters(
    __name__,
    "Online classification: Perceptron and Winnow",
    "Shivani Agarwal, Online Classification: Perceptron and Winnow, lecture notes.",
    "perceptron winnow examples regression",
    "The mistake bounds of the Perceptron, of its kernel form and of normalised Winnow, with full proofs, and two "
    "examples that set the bounds side by side. Misprints that change nothing: y_t for y^t in the kernel Perceptron, "
    "u^t for u below (25).",
)
