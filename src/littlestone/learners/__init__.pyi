from littlestone.core.hypothesis import Hypothesis as Hypothesis
from littlestone.learners.adagrad import Adagrad as Adagrad
from littlestone.learners.alma import ALMA as ALMA
from littlestone.learners.arow import AROW as AROW
from littlestone.learners.auto import Auto as Auto
from littlestone.learners.balanced_winnow import BalancedWinnow as BalancedWinnow
from littlestone.learners.base import Learner as Learner
from littlestone.learners.bayes_beg import BayesBEG as BayesBEG
from littlestone.learners.bounded import Bounded as Bounded
from littlestone.learners.box_winnow import BoxWinnow as BoxWinnow
from littlestone.learners.calibrated import Calibrated as Calibrated
from littlestone.learners.confidence_weighted import ConfidenceWeighted as ConfidenceWeighted
from littlestone.learners.delayed import Delayed as Delayed
from littlestone.learners.direct_bayes import DirectBayes as DirectBayes
from littlestone.learners.directed_drift import DirectedDrift as DirectedDrift
from littlestone.learners.elimination import Elimination as Elimination
from littlestone.learners.ellipsoid import Ellipsoid as Ellipsoid
from littlestone.learners.experts import Experts as Experts
from littlestone.learners.growing_winnow import GrowingWinnow as GrowingWinnow
from littlestone.learners.hedge import Hedge as Hedge
from littlestone.learners.kernel_perceptron import KernelPerceptron as KernelPerceptron
from littlestone.learners.kernel_winnow import KernelWinnow as KernelWinnow
from littlestone.learners.modified_balanced_winnow import ModifiedBalancedWinnow as ModifiedBalancedWinnow
from littlestone.learners.multiclass_perceptron import MulticlassPerceptron as MulticlassPerceptron
from littlestone.learners.naive_bayes import NaiveBayes as NaiveBayes
from littlestone.learners.narow import NAROW as NAROW
from littlestone.learners.nherd import NHERD as NHERD
from littlestone.learners.normalized_winnow import NormalizedWinnow as NormalizedWinnow
from littlestone.learners.ogd import OGD as OGD
from littlestone.learners.own_rule import OwnRule as OwnRule
from littlestone.learners.p_norm import PNorm as PNorm
from littlestone.learners.passive_aggressive import PassiveAggressive as PassiveAggressive
from littlestone.learners.perceptron import Perceptron as Perceptron
from littlestone.learners.quasi_additive import QuasiAdditive as QuasiAdditive
from littlestone.learners.register import COMPOSITES as COMPOSITES
from littlestone.learners.register import LEARNERS as LEARNERS
from littlestone.learners.register import by_name as by_name
from littlestone.learners.register import command_name as command_name
from littlestone.learners.romma import ROMMA as ROMMA
from littlestone.learners.sasb import SASB as SASB
from littlestone.learners.sbsb import SBSB as SBSB
from littlestone.learners.scw import SCW as SCW
from littlestone.learners.second_order_perceptron import SecondOrderPerceptron as SecondOrderPerceptron
from littlestone.learners.shifting_winnow import ShiftingWinnow as ShiftingWinnow
from littlestone.learners.thresholded_beg import ThresholdedBEG as ThresholdedBEG
from littlestone.learners.volumetric_center import VolumetricCenter as VolumetricCenter
from littlestone.learners.voted_perceptron import VotedPerceptron as VotedPerceptron
from littlestone.learners.weighted_majority import WeightedMajority as WeightedMajority
from littlestone.learners.winner_takes_all import WinnerTakesAll as WinnerTakesAll
from littlestone.learners.winnow import Winnow as Winnow
from littlestone.machines.machine import Machine as Machine

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
    "OwnRule",
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
