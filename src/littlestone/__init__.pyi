from littlestone import bounds as bounds
from littlestone import learners as learners
from littlestone import papers as papers
from littlestone import report as report
from littlestone import streams as streams
from littlestone import teachers as teachers
from littlestone.bounds import Bound as Bound
from littlestone.core import errors as errors
from littlestone.core.block import Block as Block
from littlestone.core.errors import InUse as InUse
from littlestone.core.errors import InvalidCertificate as InvalidCertificate
from littlestone.core.errors import InvalidData as InvalidData
from littlestone.core.errors import InvalidLabel as InvalidLabel
from littlestone.core.errors import InvalidModel as InvalidModel
from littlestone.core.errors import InvalidParameter as InvalidParameter
from littlestone.core.errors import LittlestoneError as LittlestoneError
from littlestone.core.errors import TooLarge as TooLarge
from littlestone.core.errors import UnknownSize as UnknownSize
from littlestone.core.hypothesis import Hypothesis as Hypothesis
from littlestone.core.vocabulary import Vocabulary as Vocabulary
from littlestone.games import evaluation as evaluation
from littlestone.games.certificates import Certificate as Certificate
from littlestone.games.certificates import verify as verify
from littlestone.games.checks import check_learner as check_learner
from littlestone.games.evaluation import evaluate as evaluate
from littlestone.games.game import play as play
from littlestone.games.game import play_all as play_all
from littlestone.games.run import Run as Run
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
from littlestone.models import explanation as explanation
from littlestone.models import files as model_file
from littlestone.models import pruning as pruning
from littlestone.models import training as training
from littlestone.models.explanation import explain as explain
from littlestone.models.explanation import explain_example as explain_example
from littlestone.models.files import Checkpoint as Checkpoint
from littlestone.models.files import inspect_model as inspect_model
from littlestone.models.files import load as load
from littlestone.models.files import save as save
from littlestone.models.predictor import Predictor as Predictor
from littlestone.models.predictor import freeze as freeze
from littlestone.models.pruning import prune as prune
from littlestone.models.warming import warm_up as warm_up
from littlestone.parts import bayes as bayes
from littlestone.parts import kernels as kernels
from littlestone.parts import links as links
from littlestone.parts.links import Link as Link
from littlestone.parts.links import from_potential as from_potential
from littlestone.parts.links import link as link
from littlestone.parts.updates import rule as rule
from littlestone.streams import Stream as Stream
from littlestone.streams import convert as convert
from littlestone.streams import datasets as datasets
from littlestone.streams import from_arrays as from_arrays
from littlestone.streams import open as open
from littlestone.teachers import Teacher as Teacher
from littlestone.theory import contests as contests
from littlestone.theory import diagnostics as diagnostics
from littlestone.theory import drift as drift
from littlestone.theory import hindsight as hindsight
from littlestone.theory import online_to_batch as online_to_batch
from littlestone.theory import reductions as reductions
from littlestone.theory.contests import contest as contest
from littlestone.theory.worst_case import worst_case as worst_case

__version__: str

__all__ = [
    "ALMA",
    "AROW",
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
    "Block",
    "Bound",
    "Bounded",
    "BoxWinnow",
    "Calibrated",
    "Certificate",
    "Checkpoint",
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
    "InUse",
    "InvalidCertificate",
    "InvalidData",
    "InvalidLabel",
    "InvalidModel",
    "InvalidParameter",
    "KernelPerceptron",
    "KernelWinnow",
    "Learner",
    "Link",
    "LittlestoneError",
    "ModifiedBalancedWinnow",
    "MulticlassPerceptron",
    "NaiveBayes",
    "NormalizedWinnow",
    "OwnRule",
    "PNorm",
    "PassiveAggressive",
    "Perceptron",
    "Predictor",
    "QuasiAdditive",
    "Run",
    "SecondOrderPerceptron",
    "ShiftingWinnow",
    "Stream",
    "Teacher",
    "ThresholdedBEG",
    "TooLarge",
    "UnknownSize",
    "Vocabulary",
    "VolumetricCenter",
    "VotedPerceptron",
    "WeightedMajority",
    "WinnerTakesAll",
    "Winnow",
    "bayes",
    "bounds",
    "check_learner",
    "contest",
    "contests",
    "convert",
    "datasets",
    "diagnostics",
    "drift",
    "errors",
    "evaluate",
    "evaluation",
    "explain",
    "explain_example",
    "explanation",
    "freeze",
    "from_arrays",
    "from_potential",
    "hindsight",
    "inspect_model",
    "kernels",
    "learners",
    "link",
    "links",
    "load",
    "model_file",
    "online_to_batch",
    "open",
    "papers",
    "play",
    "play_all",
    "prune",
    "pruning",
    "reductions",
    "report",
    "rule",
    "save",
    "streams",
    "teachers",
    "training",
    "verify",
    "warm_up",
    "worst_case",
]
