"""The learners: one file an algorithm, named as in its paper."""

from littlestone.errors import InvalidParameter
from littlestone.learners.balanced_winnow import BalancedWinnow
from littlestone.learners.base import Hypothesis, Learner, Machine
from littlestone.learners.bayes_beg import BayesBEG
from littlestone.learners.elimination import Elimination
from littlestone.learners.normalized_winnow import NormalizedWinnow
from littlestone.learners.p_norm import PNorm
from littlestone.learners.perceptron import Perceptron
from littlestone.learners.quasi_additive import QuasiAdditive
from littlestone.learners.thresholded_beg import ThresholdedBEG
from littlestone.learners.winnow import Winnow

__all__ = [
    "LEARNERS",
    "BalancedWinnow",
    "BayesBEG",
    "Elimination",
    "Hypothesis",
    "Learner",
    "Machine",
    "NormalizedWinnow",
    "PNorm",
    "Perceptron",
    "QuasiAdditive",
    "ThresholdedBEG",
    "Winnow",
    "by_name",
]

LEARNERS: dict[str, type[Learner]] = {
    learner.command_name(): learner
    for learner in (
        Perceptron, Winnow, BalancedWinnow, NormalizedWinnow, ThresholdedBEG, BayesBEG, Elimination, PNorm,
        QuasiAdditive,
    )
}  # fmt: skip


def by_name(name: str) -> type[Learner]:
    """Return the learner that goes by ``name`` on a command line.

    >>> by_name("balanced-winnow").__name__
    'BalancedWinnow'
    """
    if name not in LEARNERS:
        raise InvalidParameter(f"learner: expected one of {', '.join(LEARNERS)}, got {name!r}")
    return LEARNERS[name]
