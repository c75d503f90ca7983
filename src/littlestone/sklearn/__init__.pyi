from typing import Any

from littlestone.core.rational import Number
from littlestone.sklearn._classifier import LearnerClassifier as LearnerClassifier
from littlestone.sklearn._classifier import classifier as classifier
from littlestone.sklearn._regressor import LearnerRegressor as LearnerRegressor
from littlestone.sklearn._regressor import regressor as regressor
from littlestone.sklearn._variants import ManyClassifier as ManyClassifier
from littlestone.sklearn.vocabulary_vectorizer import VocabularyVectorizer as VocabularyVectorizer

EXCUSED: dict[str, dict[str, str]]

class ALMAClassifier(LearnerClassifier):
    def __init__(
        self,
        *,
        max_iter: int = ...,
        p: float | None = ...,
        alpha: float = ...,
        B: float | None = ...,
        C: float = ...,
        bias: bool = ...,
    ) -> None: ...

class AROWClassifier(LearnerClassifier):
    def __init__(
        self,
        *,
        max_iter: int = ...,
        r: float = ...,
        bias: bool = ...,
        covariance: str = ...,
    ) -> None: ...

class AdagradClassifier(LearnerClassifier):
    def __init__(
        self,
        *,
        max_iter: int = ...,
        eta: float = ...,
        delta: float = ...,
        loss: str = ...,
        bias: bool = ...,
    ) -> None: ...

class AutoClassifier(ManyClassifier):
    def __init__(
        self,
        *,
        max_iter: int = ...,
    ) -> None: ...

class BalancedWinnowClassifier(LearnerClassifier):
    def __init__(
        self,
        *,
        max_iter: int = ...,
        alpha: Number = ...,
        theta: Number = ...,
        bias: bool = ...,
        w1: Number = ...,
        averaged: bool = ...,
        margin: float = ...,
        negations: bool = ...,
        dtype: str = ...,
    ) -> None: ...

class BayesBEGClassifier(LearnerClassifier):
    def __init__(
        self,
        *,
        max_iter: int = ...,
        binarize: float | None = ...,
        beta1: float | None = ...,
        beta0: float | None = ...,
        gamma: float | None = ...,
        w1: float | None = ...,
        policy: str = ...,
        theta: float | None = ...,
        bias: bool = ...,
        averaged: bool = ...,
        margin: float = ...,
        negations: bool = ...,
        dtype: str = ...,
    ) -> None: ...

class BoundedClassifier(LearnerClassifier):
    def __init__(
        self,
        *,
        max_iter: int = ...,
        learner: Any = ...,
        max_attributes: int | None = ...,
        eligible: int = ...,
    ) -> None: ...

class BoxWinnowClassifier(LearnerClassifier):
    def __init__(
        self,
        *,
        max_iter: int = ...,
        round_down: bool = ...,
        sides: Any = ...,
        alpha: Number = ...,
        theta: Number | None = ...,
        cap: int = ...,
        backend: str = ...,
    ) -> None: ...

class ConfidenceWeightedClassifier(LearnerClassifier):
    def __init__(
        self,
        *,
        max_iter: int = ...,
        eta: float = ...,
        variant: str = ...,
        bias: bool = ...,
        covariance: str = ...,
    ) -> None: ...

class DirectBayesClassifier(LearnerClassifier):
    def __init__(
        self,
        *,
        max_iter: int = ...,
        binarize: float | None = ...,
        noise: Number = ...,
        max_size: int | None = ...,
        policy: str = ...,
        tie: int = ...,
        cap: int = ...,
        backend: str | None = ...,
    ) -> None: ...

class DirectedDriftClassifier(LearnerClassifier):
    def __init__(
        self,
        *,
        max_iter: int = ...,
        binarize: float | None = ...,
        mode: Any = ...,
        batch: int | None = ...,
        seed: int = ...,
        delta: float | None = ...,
        patience: int | None = ...,
    ) -> None: ...

class EliminationClassifier(LearnerClassifier):
    def __init__(
        self,
        *,
        max_iter: int = ...,
        binarize: float | None = ...,
        bias: bool = ...,
        averaged: bool = ...,
        margin: float = ...,
        negations: bool = ...,
        dtype: str = ...,
    ) -> None: ...

class EllipsoidClassifier(LearnerClassifier):
    def __init__(
        self,
        *,
        max_iter: int = ...,
        bias: bool = ...,
        theta: float = ...,
        deep: bool = ...,
    ) -> None: ...

class GrowingWinnowClassifier(LearnerClassifier):
    def __init__(
        self,
        *,
        max_iter: int = ...,
        binarize: float | None = ...,
        alpha: Number = ...,
        theta: Number | None = ...,
        budget: int = ...,
        max_size: int = ...,
        candidates: int = ...,
        memory: int = ...,
        negations: bool = ...,
    ) -> None: ...

class KernelPerceptronClassifier(LearnerClassifier):
    def __init__(
        self,
        *,
        max_iter: int = ...,
        binarize: float | None = ...,
        kernel: Any = ...,
        theta: Number = ...,
        eta: Number = ...,
        budget: int | None = ...,
        forget: str = ...,
        seed: int = ...,
    ) -> None: ...

class KernelWinnowClassifier(LearnerClassifier):
    def __init__(
        self,
        *,
        max_iter: int = ...,
        binarize: float | None = ...,
        alpha: Number = ...,
        theta: Number | None = ...,
        monotone: bool = ...,
        max_size: int | None = ...,
        method: str = ...,
        cap: int = ...,
        backend: str | None = ...,
        sweeps: int = ...,
        seed: int = ...,
    ) -> None: ...

class ModifiedBalancedWinnowClassifier(LearnerClassifier):
    def __init__(
        self,
        *,
        max_iter: int = ...,
        alpha: float = ...,
        beta: float = ...,
        theta: float = ...,
        margin: float = ...,
        bias: bool = ...,
    ) -> None: ...

class MulticlassPerceptronClassifier(ManyClassifier):
    def __init__(
        self,
        *,
        max_iter: int = ...,
        policy: str = ...,
        bias: bool = ...,
        averaged: bool = ...,
        margin: float = ...,
        class_weights: Any = ...,
        calibrated: bool = ...,
    ) -> None: ...

class NAROWClassifier(LearnerClassifier):
    def __init__(
        self,
        *,
        max_iter: int = ...,
        b: float = ...,
        bias: bool = ...,
        covariance: str = ...,
    ) -> None: ...

class NHERDClassifier(LearnerClassifier):
    def __init__(
        self,
        *,
        max_iter: int = ...,
        C: float = ...,
        bias: bool = ...,
        covariance: str = ...,
    ) -> None: ...

class NaiveBayesClassifier(LearnerClassifier):
    def __init__(
        self,
        *,
        max_iter: int = ...,
        binarize: float | None = ...,
        policy: str = ...,
    ) -> None: ...

class NormalizedWinnowClassifier(LearnerClassifier):
    def __init__(
        self,
        *,
        max_iter: int = ...,
        eta: float | None = ...,
        beta1: float | None = ...,
        beta0: float | None = ...,
        theta: float = ...,
        bias: bool = ...,
        averaged: bool = ...,
        margin: float = ...,
        negations: bool = ...,
        dtype: str = ...,
    ) -> None: ...

class OGDClassifier(LearnerClassifier):
    def __init__(
        self,
        *,
        max_iter: int = ...,
        loss: str = ...,
        eta: float = ...,
        radius: float | None = ...,
        bias: bool = ...,
    ) -> None: ...

class OwnRuleClassifier(LearnerClassifier):
    def __init__(
        self,
        *,
        max_iter: int = ...,
        rule: Any = ...,
        bias: bool = ...,
        covariance: str = ...,
    ) -> None: ...

class PNormClassifier(LearnerClassifier):
    def __init__(
        self,
        *,
        max_iter: int = ...,
        p: float | None = ...,
        eta: float = ...,
        theta: float = ...,
        bias: bool = ...,
        averaged: bool = ...,
        margin: float = ...,
        negations: bool = ...,
        dtype: str = ...,
    ) -> None: ...

class PassiveAggressiveClassifier(LearnerClassifier):
    def __init__(
        self,
        *,
        max_iter: int = ...,
        variant: str = ...,
        C: float = ...,
        bias: bool = ...,
    ) -> None: ...

class PerceptronClassifier(LearnerClassifier):
    def __init__(
        self,
        *,
        max_iter: int = ...,
        eta: float = ...,
        theta: float = ...,
        bias: bool = ...,
        w1: Any = ...,
        averaged: bool = ...,
        margin: float = ...,
        negations: bool = ...,
        dtype: str = ...,
    ) -> None: ...

class QuasiAdditiveClassifier(LearnerClassifier):
    def __init__(
        self,
        *,
        max_iter: int = ...,
        link: Any = ...,
        eta: float = ...,
        theta: float = ...,
        bias: bool = ...,
        start: float = ...,
        averaged: bool = ...,
        margin: float = ...,
        negations: bool = ...,
        dtype: str = ...,
    ) -> None: ...

class ROMMAClassifier(LearnerClassifier):
    def __init__(
        self,
        *,
        max_iter: int = ...,
        aggressive: bool = ...,
        bias: bool = ...,
    ) -> None: ...

class SASBClassifier(LearnerClassifier):
    def __init__(
        self,
        *,
        max_iter: int = ...,
        binarize: float | None = ...,
    ) -> None: ...

class SBSBClassifier(LearnerClassifier):
    def __init__(
        self,
        *,
        max_iter: int = ...,
        binarize: float | None = ...,
    ) -> None: ...

class SCWClassifier(LearnerClassifier):
    def __init__(
        self,
        *,
        max_iter: int = ...,
        C: float = ...,
        eta: float = ...,
        variant: str = ...,
        bias: bool = ...,
        covariance: str = ...,
    ) -> None: ...

class SecondOrderPerceptronClassifier(LearnerClassifier):
    def __init__(
        self,
        *,
        max_iter: int = ...,
        a: float = ...,
        bias: bool = ...,
        covariance: str = ...,
    ) -> None: ...

class ShiftingWinnowClassifier(LearnerClassifier):
    def __init__(
        self,
        *,
        max_iter: int = ...,
        alpha: float = ...,
        demotion: float | None = ...,
        theta: float | None = ...,
        w1: float = ...,
        floor: float | None = ...,
    ) -> None: ...

class ThresholdedBEGClassifier(LearnerClassifier):
    def __init__(
        self,
        *,
        max_iter: int = ...,
        beta1: float = ...,
        beta0: float = ...,
        theta: float | None = ...,
        w1: float | None = ...,
        bias: bool = ...,
        randomized: bool = ...,
        seed: int = ...,
        averaged: bool = ...,
        margin: float = ...,
        negations: bool = ...,
        dtype: str = ...,
    ) -> None: ...

class VolumetricCenterClassifier(LearnerClassifier):
    def __init__(
        self,
        *,
        max_iter: int = ...,
        bias: bool = ...,
        drop: float = ...,
        shallow: float | None = ...,
    ) -> None: ...

class VotedPerceptronClassifier(LearnerClassifier):
    def __init__(
        self,
        *,
        max_iter: int = ...,
        bias: bool = ...,
    ) -> None: ...

class WeightedMajorityClassifier(LearnerClassifier):
    def __init__(
        self,
        *,
        max_iter: int = ...,
        binarize: float | None = ...,
        beta: Number = ...,
        randomized: bool = ...,
        seed: int = ...,
        max_size: int | None = ...,
        policy: str = ...,
        tie: int = ...,
        cap: int = ...,
        backend: str | None = ...,
    ) -> None: ...

class WinnerTakesAllClassifier(ManyClassifier):
    def __init__(
        self,
        *,
        max_iter: int = ...,
        learner: Any = ...,
        policy: str = ...,
        linked: bool = ...,
        averaged: bool | None = ...,
        class_weights: Any = ...,
        calibrated: bool = ...,
    ) -> None: ...

class WinnowClassifier(LearnerClassifier):
    def __init__(
        self,
        *,
        max_iter: int = ...,
        alpha: Number = ...,
        demotion: Number | None = ...,
        theta: Number | None = ...,
        w1: Number = ...,
        bias: bool = ...,
        tie: int = ...,
        randomized: bool = ...,
        seed: int = ...,
        averaged: bool = ...,
        margin: float = ...,
        negations: bool = ...,
        dtype: str = ...,
    ) -> None: ...

class AdagradRegressor(LearnerRegressor):
    def __init__(
        self,
        *,
        max_iter: int = ...,
        eta: float = ...,
        delta: float = ...,
        loss_function: Any = ...,
        bias: bool = ...,
    ) -> None: ...

class AutoRegressor(LearnerRegressor):
    def __init__(
        self,
        *,
        max_iter: int = ...,
        Y: float | None = ...,
    ) -> None: ...

class BEGRegressor(LearnerRegressor):
    def __init__(
        self,
        *,
        max_iter: int = ...,
        w1: float | None = ...,
        eta: float | None = ...,
        c: float = ...,
        loss_function: Any = ...,
        X: float | None = ...,
        bias: bool = ...,
    ) -> None: ...

class EGPlusMinusRegressor(LearnerRegressor):
    def __init__(
        self,
        *,
        max_iter: int = ...,
        U: float = ...,
        eta: float | None = ...,
        c: float = ...,
        loss_function: Any = ...,
        X: float | None = ...,
        bias: bool = ...,
    ) -> None: ...

class ExponentiatedGradientRegressor(LearnerRegressor):
    def __init__(
        self,
        *,
        max_iter: int = ...,
        eta: float | None = ...,
        c: float = ...,
        loss_function: Any = ...,
        X: float | None = ...,
        bias: bool = ...,
    ) -> None: ...

class GradientDescentRegressor(LearnerRegressor):
    def __init__(
        self,
        *,
        max_iter: int = ...,
        eta: float | None = ...,
        c: float = ...,
        loss_function: Any = ...,
        X: float | None = ...,
        bias: bool = ...,
    ) -> None: ...

class MirrorDescentRegressor(LearnerRegressor):
    def __init__(
        self,
        *,
        max_iter: int = ...,
        link: Any = ...,
        start: float = ...,
        eta: float | None = ...,
        c: float = ...,
        loss_function: Any = ...,
        X: float | None = ...,
        bias: bool = ...,
    ) -> None: ...

class NormalizedGradientRegressor(LearnerRegressor):
    def __init__(
        self,
        *,
        max_iter: int = ...,
        eta: float = ...,
        loss_function: Any = ...,
        bias: bool = ...,
    ) -> None: ...

class PNormRegressor(LearnerRegressor):
    def __init__(
        self,
        *,
        max_iter: int = ...,
        p: float | None = ...,
        eta: float | None = ...,
        c: float = ...,
        loss_function: Any = ...,
        X: float | None = ...,
        bias: bool = ...,
    ) -> None: ...

class PassiveAggressiveRegressor(LearnerRegressor):
    def __init__(
        self,
        *,
        max_iter: int = ...,
        epsilon: float = ...,
        variant: str = ...,
        C: float = ...,
        bias: bool = ...,
    ) -> None: ...

class RidgeRegressor(LearnerRegressor):
    def __init__(
        self,
        *,
        max_iter: int = ...,
        a: float = ...,
        covariance: str = ...,
        bias: bool = ...,
    ) -> None: ...

class VAWForecasterRegressor(LearnerRegressor):
    def __init__(
        self,
        *,
        max_iter: int = ...,
        a: float = ...,
        covariance: str = ...,
        bias: bool = ...,
    ) -> None: ...
