"""What the papers left open: experiments, each with its question, design, result, and what it does not show."""

from littlestone.papers.open_questions import additive_learners, bayes, dnf, noise, real_data
from littlestone.papers.result import Paper

__all__ = ["PAPER"]

PAPER = Paper(
    "open_questions",
    "What the papers left open",
    "Questions that the five papers ask, or doubt, or leave to experiments.",
    [*noise.RESULTS, *real_data.RESULTS, *additive_learners.RESULTS, *bayes.RESULTS, *dnf.RESULTS],
    "Here nothing is claimed by a paper. What is compared with are small pilots of our own: confirmed means that a run "
    "agrees with them, corrected that more runs say otherwise. Each result says what it does not show.",
)
