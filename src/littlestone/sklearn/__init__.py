"""The learners as classifiers of scikit-learn, and `VocabularyVectorizer`, whose columns grow as names come.

They keep the order of the rows, `fit` forgets and `partial_fit` goes on; the theory is in `guarantee_` and
`certificate`. There is no sample_weight: a mistake-driven learner depends on the order, so that a row of weight two is
not the same as two rows, which is what scikit-learn means by it.

>>> import numpy as np
>>> rng = np.random.default_rng(0)
>>> X = rng.random((500, 50)) < 0.1
>>> y = np.where(X[:, :3].any(axis=1), "spam", "ham")
>>> model = WinnowClassifier().fit(X, y)
>>> model.score(X, y), model.run_.mistakes, model.guarantee_.at(k=3).value
(1.0, 18, 55)
>>> model.certificate({0, 1, 2}).bound
55
"""

from littlestone import learners as _all
from littlestone.sklearn._classifier import LearnerClassifier, classifier
from littlestone.sklearn._many import ManyClassifier
from littlestone.sklearn.vocabulary_vectorizer import VocabularyVectorizer

__all__ = [
    "EXCUSED",
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
    "VocabularyVectorizer",
    "VolumetricCenterClassifier",
    "VotedPerceptronClassifier",
    "WeightedMajorityClassifier",
    "WinnerTakesAllClassifier",
    "WinnowClassifier",
    "classifier",
]

# The checks of scikit-learn's own suite that an estimator is excused from: {name of the estimator: {check: reason}}.
EXCUSED: dict[str, dict[str, str]] = {
    "WinnerTakesAllClassifier": {
        "check_decision_proba_consistency": "its rows have negative values, whatever the tag positive_only says; the "
        "usual targets are Winnow's, which take values >= 0"
    }
}

# A learner that joins the register gets a line here and a name above: AutoClassifier = classifier(_all.Auto)
ALMAClassifier = classifier(_all.ALMA)
AROWClassifier = classifier(_all.AROW)
AdagradClassifier = classifier(_all.Adagrad)
AutoClassifier = classifier(_all.Auto)
BalancedWinnowClassifier = classifier(_all.BalancedWinnow)
BayesBEGClassifier = classifier(_all.BayesBEG, narrow=True)
BoundedClassifier = classifier(_all.Bounded)
BoxWinnowClassifier = classifier(_all.BoxWinnow, narrow=True)
ConfidenceWeightedClassifier = classifier(_all.ConfidenceWeighted)
DirectBayesClassifier = classifier(_all.DirectBayes, narrow=True)
DirectedDriftClassifier = classifier(_all.DirectedDrift, narrow=True)
EliminationClassifier = classifier(_all.Elimination, narrow=True)
EllipsoidClassifier = classifier(_all.Ellipsoid)
GrowingWinnowClassifier = classifier(_all.GrowingWinnow, narrow=True)
KernelPerceptronClassifier = classifier(_all.KernelPerceptron)
KernelWinnowClassifier = classifier(_all.KernelWinnow, narrow=True)
ModifiedBalancedWinnowClassifier = classifier(_all.ModifiedBalancedWinnow, narrow=True)
MulticlassPerceptronClassifier = classifier(_all.MulticlassPerceptron)
NAROWClassifier = classifier(_all.NAROW)
NHERDClassifier = classifier(_all.NHERD)
NaiveBayesClassifier = classifier(_all.NaiveBayes)
NormalizedWinnowClassifier = classifier(_all.NormalizedWinnow, narrow=True)
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
ShiftingWinnowClassifier = classifier(_all.ShiftingWinnow, narrow=True)
ThresholdedBEGClassifier = classifier(_all.ThresholdedBEG, narrow=True)
VolumetricCenterClassifier = classifier(_all.VolumetricCenter)
VotedPerceptronClassifier = classifier(_all.VotedPerceptron)
WeightedMajorityClassifier = classifier(_all.WeightedMajority, narrow=True)
WinnerTakesAllClassifier = classifier(_all.WinnerTakesAll, narrow=True)
WinnowClassifier = classifier(_all.Winnow, narrow=True)
