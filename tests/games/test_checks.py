"""The battery passes on every learner, with and without options, and catches learners that break the contract."""

import numpy as np
import pytest

import littlestone as ls
from littlestone.games.checks import CHECKS
from littlestone.learners import (
    ALMA,
    AROW,
    LEARNERS,
    OGD,
    ROMMA,
    SCW,
    Adagrad,
    ConfidenceWeighted,
    DirectBayes,
    Ellipsoid,
    KernelPerceptron,
    KernelWinnow,
    PassiveAggressive,
    SecondOrderPerceptron,
    ShiftingWinnow,
    VolumetricCenter,
    WeightedMajority,
)
from littlestone.learners.regressors import REGRESSORS

OPTIONS = {
    "plain": {},
    "averaged": {"averaged": True},
    "margin": {"margin": 0.25},
    "negations": {"negations": True},
    "float32": {"dtype": "float32"},
    "constant coordinate": {"bias": True},
}
OTHERS = {
    "beta form": ls.NormalizedWinnow(beta1=2.0, beta0=0.0, theta=0.11),
    "always": ls.BayesBEG(policy="always"),
    "eliminating BEG": ls.ThresholdedBEG(beta1=np.e, beta0=0.0),
    "eliminating Winnow": ls.Winnow(demotion=0),
    "SNoW": ls.Winnow.preset("snow"),
    "its own start": ls.Perceptron(w1=np.linspace(-1.0, 1.0, 12)),
    "randomised Winnow": ls.Winnow(randomized=True, seed=3),
    "randomised BEG": ls.ThresholdedBEG(randomized=True),
    "deep cuts": Ellipsoid(deep=True),
    "a fixed threshold": Ellipsoid(bias=False, theta=0.2, deep=True),
    "shallow cuts": VolumetricCenter(shallow=4.0, bias=False),
    "mistake-driven naive Bayes": ls.learners.NaiveBayes(policy="mistakes"),
    "its own link": ls.QuasiAdditive(link=ls.links.two_sinh(1.3)),
    "monotone conjunctions": KernelPerceptron("monotone"),
    "conjunctions of two, a threshold": KernelPerceptron("conjunctions:2", theta=3, eta=0.3),
    "a budget": KernelPerceptron("monotone", budget=7, forget="random"),
    "Forgetron": KernelPerceptron(budget=7, forget="forgetron"),
    "polynomial kernel": KernelPerceptron("polynomial"),
    "a function for a kernel": KernelPerceptron(lambda x, y: float(np.minimum(x, y).sum())),
    "conjunctions, with negations": KernelWinnow(monotone=False, alpha=1.5),
    "conjunctions, bounded, by local maps": KernelWinnow(max_size=2, backend="local"),
    "conjunctions, sampled": KernelWinnow(method="gibbs", sweeps=40),
    "growing, within little": ls.learners.GrowingWinnow(alpha=1.5, budget=3, candidates=4, memory=64),
    "growing, with negations": ls.learners.GrowingWinnow(negations=True),
    "boxes, another threshold": ls.learners.BoxWinnow(sides=50, alpha=1.5, theta=9),
    "bounded Winnow": ls.learners.Bounded(ls.Winnow(theta=12), max_attributes=11),
    "bounded, many classes": ls.learners.Bounded(ls.learners.WinnerTakesAll("perceptron"), max_attributes=12),
    "bounded, eligible": ls.learners.Bounded(ls.BalancedWinnow(averaged=True), max_attributes=12, eligible=2),
    "winner takes all, by names": ls.learners.WinnerTakesAll("perceptron", class_weights="balanced"),
    "winner takes all, constraints": ls.learners.WinnerTakesAll("balanced-winnow", policy="uniform", linked=False),
    "winner takes all, Winnow's threshold is n": ls.learners.WinnerTakesAll("winnow", policy="top", averaged=True),
    "many classes, with weights": ls.learners.MulticlassPerceptron(policy="proportional", class_weights={0: 2, 1: 0.5}),
    "second-order Perceptron, full": SecondOrderPerceptron(a=0.5, covariance="full"),
    "AROW, full": AROW(r=0.3, covariance="full"),
    "AROW without a constant": AROW(bias=False),
    "confidence by variance": ConfidenceWeighted(variant="variance"),
    "Adagrad, logistic": Adagrad(loss="logistic"),
    "SCW-II": SCW(variant="II", C=0.1),
    "PA": PassiveAggressive(variant="PA", bias=False),
    "PA-II": PassiveAggressive(variant="PA-II", C=0.1),
    "aggressive ROMMA": ROMMA(aggressive=True),
    "ALMA in another norm": ALMA(p=None, alpha=0.5),
    "logistic OGD": OGD(loss="logistic"),
    "OGD in a ball": OGD(radius=0.7),
    "floored, with its own threshold": ShiftingWinnow(alpha=1.5, demotion=0.4, theta=3.0, floor=0.1),
    "direct, by the map": DirectBayes(backend="map", noise=0.3),
    "direct, bounded": WeightedMajority(max_size=3, policy="mistakes", tie=0),
    "direct, bounded, by the map": DirectBayes(max_size=2, backend="map"),
    "direct, randomised": WeightedMajority(beta=0.3, randomized=True, seed=5),
    "direct, randomised, by the map": WeightedMajority(policy="mistakes", randomized=True, backend="map"),
}


@pytest.mark.parametrize(
    ("name", "options"),
    [(name, o) for name, kind in LEARNERS.items() for o in OPTIONS if OPTIONS[o].keys() <= {*kind.parameter_names()}],
)
def test_every_learner_passes_the_battery(name, options):
    ls.check_learner(LEARNERS[name](**OPTIONS[options]))


@pytest.mark.parametrize("name", OTHERS)
def test_other_settings_pass_the_battery(name):
    ls.check_learner(OTHERS[name])


LOSSES = ("square", "absolute", "insensitive:0.1", "huber:0.5", "quantile:0.9", "logistic", "linear-hinge:0.5")
REAL = {
    "as they are": {},
    "without a constant": {"bias": False},
    "a rate": {"eta": 0.01},
    "a stated largest row": {"X": 4.0},
    "diagonal": {"covariance": "diagonal"},
    "PA": {"variant": "PA"},
    "PA-II": {"variant": "PA-II"},
    "a start": {"w1": 0.3},
    "a norm": {"p": 3.0},
    "a large total": {"U": 5.0},
    **{loss: {"loss_function": loss} for loss in LOSSES[1:]},
}


@pytest.mark.parametrize(
    ("name", "options"),
    [(name, o) for name, kind in REGRESSORS.items() for o in REAL if REAL[o].keys() <= {*kind.parameter_names()}],
)
def test_every_regressor_passes_the_battery(name, options):
    ls.check_learner(REGRESSORS[name](**REAL[options]))


def test_mirror_descent_passes_the_battery_with_other_links():
    for link in (ls.links.exponential(), ls.links.power(1.5), ls.links.p_norm(3.0), ls.link(lambda z: z * z * z)):
        ls.check_learner(ls.MirrorDescent(link=link, eta=0.01))


class Restless(ls.Perceptron):
    """Changes when it is only asked."""

    def predict(self, X):
        self._trials += 1
        return super().predict(X)


class Shuffling(ls.Perceptron):
    """Learns in an order of its own."""

    def learn(self, X, y=None, **options):
        if isinstance(X, np.ndarray) and len(X) > 1:
            order = np.random.default_rng(0).permutation(len(X))
            back = np.argsort(order)
            return super().learn(X[order], np.asarray(y)[order], **options)[back]
        return super().learn(X, y, **options)


class Forgetful(ls.Perceptron):
    """Its state leaves out the weights."""

    def state(self):
        return {key: np.zeros_like(value) if key == "weights" else value for key, value in super().state().items()}


class Trusting(ls.Perceptron):
    """Takes what is not a number for zero."""

    def learn(self, X, y=None, **options):
        return super().learn(np.nan_to_num(X) if isinstance(X, np.ndarray) and X.dtype == float else X, y, **options)


class Peeking(ls.GradientDescent):
    """Learns before it predicts."""

    def learn(self, X, y=None, **options):
        super().learn(X, y, **options)
        return super().learn(X, y, **options)


class Obliging(ls.GradientDescent):
    """Takes outcomes that are no numbers for zero."""

    def learn(self, X, y=None, **options):
        y = np.asarray(y)
        return super().learn(X, np.nan_to_num(y) if y.dtype.kind == "f" else np.zeros(len(y)), **options)


class Free(ls.GradientDescent):
    """Pays for nothing."""

    @property
    def loss(self):
        return 0.0


@pytest.mark.parametrize(
    ("broken", "check"),
    [
        (Restless, "check_predict_is_pure"),
        (Shuffling, "check_any_block_size"),
        (Forgetful, "check_state_resumes"),
        (Trusting, "check_refusals"),
        (Peeking, "check_predicts_before_it_learns"),
        (Obliging, "check_refusals"),
        (Free, "check_counts"),
    ],
)
def test_the_battery_catches_a_broken_learner(broken, check):
    with pytest.raises(AssertionError):
        next(c for c in CHECKS if c.__name__ == check)(broken)
    with pytest.raises(AssertionError) as caught:
        ls.check_learner(broken)
    assert "failed for" in caught.value.__notes__[0]
