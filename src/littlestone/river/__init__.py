"""The learners as classifiers of river: one example at a time, with names that come and go.

>>> from river import datasets, evaluate, metrics, preprocessing
>>> model = preprocessing.StandardScaler() | PerceptronClassifier(averaged=True)
>>> evaluate.progressive_val_score(datasets.Phishing(), model, metrics.Accuracy())
Accuracy: 88.63%
"""

from littlestone import learners as _all
from littlestone.river._classifier import LearnerClassifier, classifier
from littlestone.river._many import ManyClassifier

__all__ = [
    "ALMAClassifier",
    "AROWClassifier",
    "AdagradClassifier",
    "AutoClassifier",
    "BalancedWinnowClassifier",
    "BayesBEGClassifier",
    "BoundedClassifier",
    "BoxWinnowClassifier",
    "ConfidenceWeightedClassifier",
    "DirectBayesClassifier",
    "DirectedDriftClassifier",
    "EliminationClassifier",
    "EllipsoidClassifier",
    "GrowingWinnowClassifier",
    "KernelPerceptronClassifier",
    "KernelWinnowClassifier",
    "LearnerClassifier",
    "ManyClassifier",
    "ModifiedBalancedWinnowClassifier",
    "MulticlassPerceptronClassifier",
    "NAROWClassifier",
    "NHERDClassifier",
    "NaiveBayesClassifier",
    "NormalizedWinnowClassifier",
    "OGDClassifier",
    "PNormClassifier",
    "PassiveAggressiveClassifier",
    "PerceptronClassifier",
    "QuasiAdditiveClassifier",
    "ROMMAClassifier",
    "SASBClassifier",
    "SBSBClassifier",
    "SCWClassifier",
    "SecondOrderPerceptronClassifier",
    "ShiftingWinnowClassifier",
    "ThresholdedBEGClassifier",
    "VolumetricCenterClassifier",
    "VotedPerceptronClassifier",
    "WeightedMajorityClassifier",
    "WinnerTakesAllClassifier",
    "WinnowClassifier",
    "classifier",
]

# A learner that joins the register gets a line here and a name above: AutoClassifier = classifier(_all.Auto)
ALMAClassifier = classifier(_all.ALMA)
AROWClassifier = classifier(_all.AROW)
AdagradClassifier = classifier(_all.Adagrad)
AutoClassifier = classifier(_all.Auto)
BalancedWinnowClassifier = classifier(_all.BalancedWinnow)
BayesBEGClassifier = classifier(_all.BayesBEG)
BoundedClassifier = classifier(_all.Bounded)
BoxWinnowClassifier = classifier(_all.BoxWinnow)
ConfidenceWeightedClassifier = classifier(_all.ConfidenceWeighted)
DirectBayesClassifier = classifier(_all.DirectBayes)
DirectedDriftClassifier = classifier(_all.DirectedDrift)
EliminationClassifier = classifier(_all.Elimination)
EllipsoidClassifier = classifier(_all.Ellipsoid)
GrowingWinnowClassifier = classifier(_all.GrowingWinnow)
KernelPerceptronClassifier = classifier(_all.KernelPerceptron)
KernelWinnowClassifier = classifier(_all.KernelWinnow)
ModifiedBalancedWinnowClassifier = classifier(_all.ModifiedBalancedWinnow)
MulticlassPerceptronClassifier = classifier(_all.MulticlassPerceptron)
NAROWClassifier = classifier(_all.NAROW)
NHERDClassifier = classifier(_all.NHERD)
NaiveBayesClassifier = classifier(_all.NaiveBayes)
NormalizedWinnowClassifier = classifier(_all.NormalizedWinnow)
OGDClassifier = classifier(_all.OGD)
PNormClassifier = classifier(_all.PNorm)
PassiveAggressiveClassifier = classifier(_all.PassiveAggressive)
PerceptronClassifier = classifier(_all.Perceptron)
QuasiAdditiveClassifier = classifier(_all.QuasiAdditive)
ROMMAClassifier = classifier(_all.ROMMA)
SASBClassifier = classifier(_all.SASB)
SBSBClassifier = classifier(_all.SBSB)
SCWClassifier = classifier(_all.SCW)
SecondOrderPerceptronClassifier = classifier(_all.SecondOrderPerceptron)
ShiftingWinnowClassifier = classifier(_all.ShiftingWinnow)
ThresholdedBEGClassifier = classifier(_all.ThresholdedBEG)
VolumetricCenterClassifier = classifier(_all.VolumetricCenter)
VotedPerceptronClassifier = classifier(_all.VotedPerceptron)
WeightedMajorityClassifier = classifier(_all.WeightedMajority)
WinnerTakesAllClassifier = classifier(_all.WinnerTakesAll)
WinnowClassifier = classifier(_all.Winnow)
