"""The learners as classifiers and regressors of scikit-learn, and `VocabularyVectorizer`: columns grow as names come.

They keep the order of the rows, `fit` forgets and `partial_fit` goes on; the theory is in `guarantee_` and
`certificate`. There is no sample_weight: a mistake-driven learner depends on the order, so that a row of weight two is
not the same as two rows, which is what scikit-learn means by it.

There is one for each learner, `Winnow` and `WinnowClassifier`, made when it is asked for; a learner that another
package registers has one, too. One for each regressor: `GradientDescent` and `GradientDescentRegressor`; one that is
called a regression or a regressor has "Regressor" in the place of that word, so `PNormRegression` is `PNormRegressor`.

>>> import numpy as np
>>> from littlestone.sklearn import WinnowClassifier
>>> rng = np.random.default_rng(0)
>>> X = rng.random((500, 50)) < 0.1
>>> y = np.where(X[:, :3].any(axis=1), "spam", "ham")
>>> model = WinnowClassifier().fit(X, y)
>>> model.score(X, y), model.run_.mistakes, model.guarantee_.at(k=3).value
(1.0, 18, 55)
>>> model.certificate({0, 1, 2}).bound
55

`EXCUSED` are the checks of scikit-learn's own suite that an estimator is excused from, with the reason.

>>> from littlestone.sklearn import EXCUSED
>>> list(EXCUSED["WinnowClassifier"])
['check_decision_proba_consistency']
"""

from littlestone.models.facade import estimators
from littlestone.sklearn._classifier import LearnerClassifier as LearnerClassifier
from littlestone.sklearn._classifier import classifier
from littlestone.sklearn._regressor import LearnerRegressor as LearnerRegressor
from littlestone.sklearn._regressor import regressor
from littlestone.sklearn._variants import ManyClassifier as ManyClassifier
from littlestone.sklearn.vocabulary_vectorizer import VocabularyVectorizer as VocabularyVectorizer

# The checks of scikit-learn's own suite that an estimator is excused from: {name of the estimator: {check: reason}}.
# What takes values >= 0 only, as the tag positive_only says, which one check overlooks.
POSITIVE = ("BoxWinnow", "ModifiedBalancedWinnow", "ShiftingWinnow", "ThresholdedBEG", "WinnerTakesAll", "Winnow")
EXCUSED: dict[str, dict[str, str]] = {
    f"{name}Classifier": {
        "check_decision_proba_consistency": "its rows have negative values, whatever the tag positive_only says"
    }
    for name in POSITIVE
}

__getattr__ = estimators(
    "littlestone.sklearn",
    classifier,
    regressor,
    (
        "EXCUSED", "LearnerClassifier", "LearnerRegressor", "ManyClassifier", "VocabularyVectorizer", "classifier",
        "regressor",
    ),
)  # fmt: skip


def __dir__() -> list[str]:
    return [*__getattr__("__all__"), *globals()]
