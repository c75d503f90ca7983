from littlestone import bayes as bayes
from littlestone import bounds as bounds
from littlestone import contests as contests
from littlestone import datasets as datasets
from littlestone import diagnostics as diagnostics
from littlestone import drift as drift
from littlestone import errors as errors
from littlestone import evaluation as evaluation
from littlestone import explanation as explanation
from littlestone import hindsight as hindsight
from littlestone import kernels as kernels
from littlestone import learners as learners
from littlestone import links as links
from littlestone import model_file as model_file
from littlestone import online_to_batch as online_to_batch
from littlestone import papers as papers
from littlestone import pruning as pruning
from littlestone import reductions as reductions
from littlestone import report as report
from littlestone import streams as streams
from littlestone import teachers as teachers
from littlestone import training as training
from littlestone._worst_case import worst_case as worst_case
from littlestone.block import Block as Block
from littlestone.bounds import Bound as Bound
from littlestone.certificates import Certificate as Certificate
from littlestone.certificates import verify as verify
from littlestone.checks import check_learner as check_learner
from littlestone.contests import contest as contest
from littlestone.errors import InUse as InUse
from littlestone.errors import InvalidCertificate as InvalidCertificate
from littlestone.errors import InvalidData as InvalidData
from littlestone.errors import InvalidLabel as InvalidLabel
from littlestone.errors import InvalidModel as InvalidModel
from littlestone.errors import InvalidParameter as InvalidParameter
from littlestone.errors import LittlestoneError as LittlestoneError
from littlestone.errors import TooLarge as TooLarge
from littlestone.errors import UnknownSize as UnknownSize
from littlestone.evaluation import evaluate as evaluate
from littlestone.explanation import explain as explain
from littlestone.explanation import explain_example as explain_example
from littlestone.game import play as play
from littlestone.game import play_all as play_all
from littlestone.learners import ALMA as ALMA
from littlestone.learners import AROW as AROW
from littlestone.learners import NAROW as NAROW
from littlestone.learners import NHERD as NHERD
from littlestone.learners import OGD as OGD
from littlestone.learners import ROMMA as ROMMA
from littlestone.learners import SASB as SASB
from littlestone.learners import SBSB as SBSB
from littlestone.learners import SCW as SCW
from littlestone.learners import Adagrad as Adagrad
from littlestone.learners import Auto as Auto
from littlestone.learners import BalancedWinnow as BalancedWinnow
from littlestone.learners import BayesBEG as BayesBEG
from littlestone.learners import Bounded as Bounded
from littlestone.learners import BoxWinnow as BoxWinnow
from littlestone.learners import ConfidenceWeighted as ConfidenceWeighted
from littlestone.learners import DirectBayes as DirectBayes
from littlestone.learners import DirectedDrift as DirectedDrift
from littlestone.learners import Elimination as Elimination
from littlestone.learners import Ellipsoid as Ellipsoid
from littlestone.learners import Experts as Experts
from littlestone.learners import GrowingWinnow as GrowingWinnow
from littlestone.learners import Hedge as Hedge
from littlestone.learners import Hypothesis as Hypothesis
from littlestone.learners import KernelPerceptron as KernelPerceptron
from littlestone.learners import KernelWinnow as KernelWinnow
from littlestone.learners import Learner as Learner
from littlestone.learners import ModifiedBalancedWinnow as ModifiedBalancedWinnow
from littlestone.learners import MulticlassPerceptron as MulticlassPerceptron
from littlestone.learners import NaiveBayes as NaiveBayes
from littlestone.learners import NormalizedWinnow as NormalizedWinnow
from littlestone.learners import PassiveAggressive as PassiveAggressive
from littlestone.learners import Perceptron as Perceptron
from littlestone.learners import PNorm as PNorm
from littlestone.learners import QuasiAdditive as QuasiAdditive
from littlestone.learners import SecondOrderPerceptron as SecondOrderPerceptron
from littlestone.learners import ShiftingWinnow as ShiftingWinnow
from littlestone.learners import ThresholdedBEG as ThresholdedBEG
from littlestone.learners import VolumetricCenter as VolumetricCenter
from littlestone.learners import VotedPerceptron as VotedPerceptron
from littlestone.learners import WeightedMajority as WeightedMajority
from littlestone.learners import WinnerTakesAll as WinnerTakesAll
from littlestone.learners import Winnow as Winnow
from littlestone.learners.calibration import Calibrated as Calibrated
from littlestone.learners.delayed import Delayed as Delayed
from littlestone.learners.predictor import Predictor as Predictor
from littlestone.learners.predictor import freeze as freeze
from littlestone.learners.warming import warm_up as warm_up
from littlestone.links import Link as Link
from littlestone.links import from_potential as from_potential
from littlestone.links import link as link
from littlestone.model_file import Checkpoint as Checkpoint
from littlestone.model_file import inspect_model as inspect_model
from littlestone.model_file import load as load
from littlestone.model_file import save as save
from littlestone.pruning import prune as prune
from littlestone.run import Run as Run
from littlestone.streams import Stream as Stream
from littlestone.streams import convert as convert
from littlestone.streams import from_arrays as from_arrays
from littlestone.streams import open as open
from littlestone.teachers import Teacher as Teacher
from littlestone.vocabulary import Vocabulary as Vocabulary

__version__: str
__all__ = [
    "SASB",
    "SBSB",
    "BalancedWinnow",
    "BayesBEG",
    "Block",
    "Bound",
    "Certificate",
    "DirectBayes",
    "Elimination",
    "Ellipsoid",
    "Hypothesis",
    "InUse",
    "InvalidCertificate",
    "InvalidData",
    "InvalidLabel",
    "InvalidParameter",
    "Learner",
    "Link",
    "LittlestoneError",
    "NaiveBayes",
    "NormalizedWinnow",
    "PNorm",
    "Perceptron",
    "QuasiAdditive",
    "Run",
    "Stream",
    "Teacher",
    "ThresholdedBEG",
    "TooLarge",
    "UnknownSize",
    "Vocabulary",
    "VolumetricCenter",
    "WeightedMajority",
    "Winnow",
    "bayes",
    "bounds",
    "check_learner",
    "diagnostics",
    "errors",
    "from_arrays",
    "from_potential",
    "hindsight",
    "learners",
    "link",
    "links",
    "play",
    "play_all",
    "streams",
    "teachers",
    "verify",
    "worst_case",
]
