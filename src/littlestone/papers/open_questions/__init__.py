"""What the papers left open: experiments, each with its question, design, result, and what it does not show."""

from littlestone.papers.result import Paper

__all__ = ["PAPER"]

PAPER = Paper.of_chapters(
    __name__,
    "What the papers left open",
    "Questions that the five papers ask, or doubt, or leave to experiments.",
    "data additive_learners bayes_and_dnf",
    "Here nothing is claimed by a paper. What is compared with are small pilots of our own: confirmed means that a run "
    "agrees with them, corrected that more runs say otherwise. Each result says what it does not show.",
)
