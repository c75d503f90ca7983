"""The learners as classifiers of river: one example at a time, with names that come and go.

>>> from river import datasets, evaluate, metrics, preprocessing
>>> model = preprocessing.StandardScaler() | PerceptronClassifier(averaged=True)
>>> evaluate.progressive_val_score(datasets.Phishing(), model, metrics.Accuracy())
Accuracy: 88.63%
"""

from littlestone import learners as _all
from littlestone.river._classifier import LearnerClassifier, classifier

__all__ = [
    "BalancedWinnowClassifier",
    "BayesBEGClassifier",
    "BoxWinnowClassifier",
    "DirectBayesClassifier",
    "DirectedDriftClassifier",
    "EliminationClassifier",
    "EllipsoidClassifier",
    "GrowingWinnowClassifier",
    "KernelPerceptronClassifier",
    "KernelWinnowClassifier",
    "LearnerClassifier",
    "NaiveBayesClassifier",
    "NormalizedWinnowClassifier",
    "PNormClassifier",
    "PerceptronClassifier",
    "QuasiAdditiveClassifier",
    "SASBClassifier",
    "SBSBClassifier",
    "ThresholdedBEGClassifier",
    "VolumetricCenterClassifier",
    "WeightedMajorityClassifier",
    "WinnowClassifier",
    "classifier",
]

BalancedWinnowClassifier = classifier(_all.BalancedWinnow)
BayesBEGClassifier = classifier(_all.BayesBEG)
BoxWinnowClassifier = classifier(_all.BoxWinnow)
DirectBayesClassifier = classifier(_all.DirectBayes)
DirectedDriftClassifier = classifier(_all.DirectedDrift)
EliminationClassifier = classifier(_all.Elimination)
EllipsoidClassifier = classifier(_all.Ellipsoid)
GrowingWinnowClassifier = classifier(_all.GrowingWinnow)
KernelPerceptronClassifier = classifier(_all.KernelPerceptron)
KernelWinnowClassifier = classifier(_all.KernelWinnow)
NaiveBayesClassifier = classifier(_all.NaiveBayes)
NormalizedWinnowClassifier = classifier(_all.NormalizedWinnow)
PNormClassifier = classifier(_all.PNorm)
PerceptronClassifier = classifier(_all.Perceptron)
QuasiAdditiveClassifier = classifier(_all.QuasiAdditive)
SASBClassifier = classifier(_all.SASB)
SBSBClassifier = classifier(_all.SBSB)
ThresholdedBEGClassifier = classifier(_all.ThresholdedBEG)
VolumetricCenterClassifier = classifier(_all.VolumetricCenter)
WeightedMajorityClassifier = classifier(_all.WeightedMajority)
WinnowClassifier = classifier(_all.Winnow)
