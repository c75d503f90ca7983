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
from littlestone.core.vocabulary import Vocabulary as Vocabulary
from littlestone.games import evaluation as evaluation
from littlestone.games.certificates import Certificate as Certificate
from littlestone.games.certificates import verify as verify
from littlestone.games.checks import check_learner as check_learner
from littlestone.games.evaluation import evaluate as evaluate
from littlestone.games.game import play as play
from littlestone.games.game import play_all as play_all
from littlestone.games.run import Run as Run
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
from littlestone.learners import OwnRule as OwnRule
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
    "OwnRule",
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
    "rule",
    "streams",
    "teachers",
    "verify",
    "worst_case",
]
