"""The learners as classifiers and regressors of river: one example at a time, with names that come and go.

There is one for each learner, `Winnow` and `WinnowClassifier`, made when it is asked for; a learner that another
package registers has one, too. One for each regressor: `GradientDescent` and `GradientDescentRegressor`; one that is
called a regression or a regressor has "Regressor" in the place of that word, so `PNormRegression` is `PNormRegressor`.

>>> from littlestone.river import PerceptronClassifier
>>> from river import datasets, evaluate, metrics, preprocessing
>>> model = preprocessing.StandardScaler() | PerceptronClassifier(averaged=True)
>>> evaluate.progressive_val_score(datasets.Phishing(), model, metrics.Accuracy())
Accuracy: 88.63%
"""

from littlestone.models.facade import estimators
from littlestone.river._classifier import LearnerClassifier as LearnerClassifier
from littlestone.river._classifier import classifier
from littlestone.river._regressor import LearnerRegressor as LearnerRegressor
from littlestone.river._regressor import regressor
from littlestone.river._variants import ManyClassifier as ManyClassifier

__getattr__ = estimators(
    "littlestone.river",
    classifier,
    regressor,
    ("LearnerClassifier", "LearnerRegressor", "ManyClassifier", "classifier", "regressor"),
)


def __dir__() -> list[str]:
    return [*__getattr__("__all__"), *globals()]
