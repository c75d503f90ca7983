"""The learners: one file an algorithm, named as in its paper.

Those outside the quasi-additive family are imported when they are asked for, as is the register of all of them.
"""

from typing import TYPE_CHECKING

from littlestone.core.hypothesis import Hypothesis
from littlestone.core.lazy import importer
from littlestone.learners.balanced_winnow import BalancedWinnow
from littlestone.learners.base import Learner
from littlestone.learners.bayes_beg import BayesBEG
from littlestone.learners.elimination import Elimination
from littlestone.learners.normalized_winnow import NormalizedWinnow
from littlestone.learners.p_norm import PNorm
from littlestone.learners.perceptron import Perceptron
from littlestone.learners.quasi_additive import QuasiAdditive
from littlestone.learners.thresholded_beg import ThresholdedBEG
from littlestone.learners.winnow import Winnow
from littlestone.machines.machine import Machine

if TYPE_CHECKING:
    from littlestone.learners.adagrad import Adagrad
    from littlestone.learners.alma import ALMA
    from littlestone.learners.arow import AROW
    from littlestone.learners.auto import Auto
    from littlestone.learners.bounded import Bounded
    from littlestone.learners.box_winnow import BoxWinnow
    from littlestone.learners.calibration import Calibrated
    from littlestone.learners.confidence_weighted import ConfidenceWeighted
    from littlestone.learners.delayed import Delayed
    from littlestone.learners.direct_bayes import DirectBayes
    from littlestone.learners.directed_drift import DirectedDrift
    from littlestone.learners.ellipsoid import Ellipsoid
    from littlestone.learners.experts import Experts
    from littlestone.learners.growing_winnow import GrowingWinnow
    from littlestone.learners.hedge import Hedge
    from littlestone.learners.kernel_perceptron import KernelPerceptron
    from littlestone.learners.kernel_winnow import KernelWinnow
    from littlestone.learners.modified_balanced_winnow import ModifiedBalancedWinnow
    from littlestone.learners.multiclass_perceptron import MulticlassPerceptron
    from littlestone.learners.naive_bayes import NaiveBayes
    from littlestone.learners.narow import NAROW
    from littlestone.learners.nherd import NHERD
    from littlestone.learners.ogd import OGD
    from littlestone.learners.passive_aggressive import PassiveAggressive
    from littlestone.learners.register import COMPOSITES, LEARNERS, by_name, command_name
    from littlestone.learners.romma import ROMMA
    from littlestone.learners.scw import SCW
    from littlestone.learners.second_order_perceptron import SecondOrderPerceptron
    from littlestone.learners.shifting_winnow import ShiftingWinnow
    from littlestone.learners.singly_variant import SASB, SBSB
    from littlestone.learners.volumetric_center import VolumetricCenter
    from littlestone.learners.voted_perceptron import VotedPerceptron
    from littlestone.learners.weighted_majority import WeightedMajority
    from littlestone.learners.winner_takes_all import WinnerTakesAll

__all__ = [
    "ALMA",
    "AROW",
    "COMPOSITES",
    "LEARNERS",
    "NAROW",
    "NHERD",
    "OGD",
    "ROMMA",
    "SASB",
    "SBSB",
    "SCW",
    "Adagrad",
    "Auto",
    "BalancedWinnow",
    "BayesBEG",
    "Bounded",
    "BoxWinnow",
    "Calibrated",
    "ConfidenceWeighted",
    "Delayed",
    "DirectBayes",
    "DirectedDrift",
    "Elimination",
    "Ellipsoid",
    "Experts",
    "GrowingWinnow",
    "Hedge",
    "Hypothesis",
    "KernelPerceptron",
    "KernelWinnow",
    "Learner",
    "Machine",
    "ModifiedBalancedWinnow",
    "MulticlassPerceptron",
    "NaiveBayes",
    "NormalizedWinnow",
    "PNorm",
    "PassiveAggressive",
    "Perceptron",
    "QuasiAdditive",
    "SecondOrderPerceptron",
    "ShiftingWinnow",
    "ThresholdedBEG",
    "VolumetricCenter",
    "VotedPerceptron",
    "WeightedMajority",
    "WinnerTakesAll",
    "Winnow",
    "by_name",
    "command_name",
]

_LATER = {
    "Bounded": "bounded",
    "SecondOrderPerceptron": "second_order_perceptron",
    "SCW": "scw",
    "NHERD": "nherd",
    "NAROW": "narow",
    "ConfidenceWeighted": "confidence_weighted",
    "Adagrad": "adagrad",
    "Auto": "auto",
    "AROW": "arow",
    "ALMA": "alma",
    "COMPOSITES": "register",
    "Calibrated": "calibration",
    "Delayed": "delayed",
    "Experts": "experts",
    "Hedge": "hedge",
    "ModifiedBalancedWinnow": "modified_balanced_winnow",
    "OGD": "ogd",
    "PassiveAggressive": "passive_aggressive",
    "ROMMA": "romma",
    "ShiftingWinnow": "shifting_winnow",
    "VotedPerceptron": "voted_perceptron",
    "BoxWinnow": "box_winnow",
    "DirectBayes": "direct_bayes",
    "DirectedDrift": "directed_drift",
    "Ellipsoid": "ellipsoid",
    "KernelPerceptron": "kernel_perceptron",
    "GrowingWinnow": "growing_winnow",
    "KernelWinnow": "kernel_winnow",
    "LEARNERS": "register",
    "MulticlassPerceptron": "multiclass_perceptron",
    "NaiveBayes": "naive_bayes",
    "SASB": "singly_variant",
    "SBSB": "singly_variant",
    "VolumetricCenter": "volumetric_center",
    "WeightedMajority": "weighted_majority",
    "WinnerTakesAll": "winner_takes_all",
    "by_name": "register",
    "command_name": "register",
}


__getattr__ = importer("littlestone.learners", {name: f"littlestone.learners.{at}" for name, at in _LATER.items()})
