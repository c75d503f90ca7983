"""The register: every learner by the name that goes on a command line."""

import re

from littlestone.errors import InvalidParameter
from littlestone.learners.balanced_winnow import BalancedWinnow
from littlestone.learners.base import Learner
from littlestone.learners.bayes_beg import BayesBEG
from littlestone.learners.bounded import Bounded
from littlestone.learners.box_winnow import BoxWinnow
from littlestone.learners.direct_bayes import DirectBayes
from littlestone.learners.directed_drift import DirectedDrift
from littlestone.learners.elimination import Elimination
from littlestone.learners.ellipsoid import Ellipsoid
from littlestone.learners.growing_winnow import GrowingWinnow
from littlestone.learners.kernel_perceptron import KernelPerceptron
from littlestone.learners.kernel_winnow import KernelWinnow
from littlestone.learners.multiclass_perceptron import MulticlassPerceptron
from littlestone.learners.naive_bayes import NaiveBayes
from littlestone.learners.normalized_winnow import NormalizedWinnow
from littlestone.learners.p_norm import PNorm
from littlestone.learners.perceptron import Perceptron
from littlestone.learners.quasi_additive import QuasiAdditive
from littlestone.learners.singly_variant import SASB, SBSB
from littlestone.learners.thresholded_beg import ThresholdedBEG
from littlestone.learners.volumetric_center import VolumetricCenter
from littlestone.learners.weighted_majority import WeightedMajority
from littlestone.learners.winner_takes_all import WinnerTakesAll
from littlestone.learners.winnow import Winnow

__all__ = ["LEARNERS", "by_name", "command_name"]


def command_name(learner: type[Learner]) -> str:
    """Return the name that goes on a command line: lower case, hyphened.

    >>> command_name(PNorm), command_name(ThresholdedBEG)
    ('p-norm', 'thresholded-beg')
    """
    return re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=^P)(?=Norm)", "-", learner.__name__).lower()


LEARNERS: dict[str, type[Learner]] = {
    command_name(learner): learner
    for learner in (
        Perceptron, Winnow, BalancedWinnow, NormalizedWinnow, ThresholdedBEG, BayesBEG, Elimination, PNorm,
        QuasiAdditive, DirectBayes, WeightedMajority, NaiveBayes, SBSB, SASB, Ellipsoid, VolumetricCenter,
        KernelPerceptron, KernelWinnow, GrowingWinnow, BoxWinnow, DirectedDrift, Bounded,
        WinnerTakesAll, MulticlassPerceptron,
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
