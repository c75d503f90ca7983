from typing import Any

from littlestone.core.rational import Number
from littlestone.river._classifier import LearnerClassifier as LearnerClassifier
from littlestone.river._classifier import classifier as classifier
from littlestone.river._regressor import LearnerRegressor as LearnerRegressor
from littlestone.river._regressor import regressor as regressor
from littlestone.river._variants import ManyClassifier as ManyClassifier

class ALMAClassifier(LearnerClassifier):
    def __init__(
        self,
        *,
        n: int | None = ...,
        labels: tuple[Any, ...] | None = ...,
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
        n: int | None = ...,
        labels: tuple[Any, ...] | None = ...,
        r: float = ...,
        bias: bool = ...,
        covariance: str = ...,
    ) -> None: ...

class AdagradClassifier(LearnerClassifier):
    def __init__(
        self,
        *,
        n: int | None = ...,
        labels: tuple[Any, ...] | None = ...,
        eta: float = ...,
        delta: float = ...,
        loss: str = ...,
        bias: bool = ...,
    ) -> None: ...

class AutoClassifier(ManyClassifier):
    def __init__(
        self,
        *,
        n: int | None = ...,
        labels: tuple[Any, ...] | None = ...,
    ) -> None: ...

class BalancedWinnowClassifier(LearnerClassifier):
    def __init__(
        self,
        *,
        n: int | None = ...,
        labels: tuple[Any, ...] | None = ...,
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
        n: int | None = ...,
        labels: tuple[Any, ...] | None = ...,
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
        n: int | None = ...,
        labels: tuple[Any, ...] | None = ...,
        learner: Any = ...,
        max_attributes: int | None = ...,
        eligible: int = ...,
    ) -> None: ...

class BoxWinnowClassifier(LearnerClassifier):
    def __init__(
        self,
        *,
        n: int | None = ...,
        labels: tuple[Any, ...] | None = ...,
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
        n: int | None = ...,
        labels: tuple[Any, ...] | None = ...,
        eta: float = ...,
        variant: str = ...,
        bias: bool = ...,
        covariance: str = ...,
    ) -> None: ...

class DirectBayesClassifier(LearnerClassifier):
    def __init__(
        self,
        *,
        n: int | None = ...,
        labels: tuple[Any, ...] | None = ...,
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
        n: int | None = ...,
        labels: tuple[Any, ...] | None = ...,
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
        n: int | None = ...,
        labels: tuple[Any, ...] | None = ...,
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
        n: int | None = ...,
        labels: tuple[Any, ...] | None = ...,
        bias: bool = ...,
        theta: float = ...,
        deep: bool = ...,
    ) -> None: ...

class GrowingWinnowClassifier(LearnerClassifier):
    def __init__(
        self,
        *,
        n: int | None = ...,
        labels: tuple[Any, ...] | None = ...,
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
        n: int | None = ...,
        labels: tuple[Any, ...] | None = ...,
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
        n: int | None = ...,
        labels: tuple[Any, ...] | None = ...,
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
        n: int | None = ...,
        labels: tuple[Any, ...] | None = ...,
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
        n: int | None = ...,
        labels: tuple[Any, ...] | None = ...,
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
        n: int | None = ...,
        labels: tuple[Any, ...] | None = ...,
        b: float = ...,
        bias: bool = ...,
        covariance: str = ...,
    ) -> None: ...

class NHERDClassifier(LearnerClassifier):
    def __init__(
        self,
        *,
        n: int | None = ...,
        labels: tuple[Any, ...] | None = ...,
        C: float = ...,
        bias: bool = ...,
        covariance: str = ...,
    ) -> None: ...

class NaiveBayesClassifier(LearnerClassifier):
    def __init__(
        self,
        *,
        n: int | None = ...,
        labels: tuple[Any, ...] | None = ...,
        binarize: float | None = ...,
        policy: str = ...,
    ) -> None: ...

class NormalizedWinnowClassifier(LearnerClassifier):
    def __init__(
        self,
        *,
        n: int | None = ...,
        labels: tuple[Any, ...] | None = ...,
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
        n: int | None = ...,
        labels: tuple[Any, ...] | None = ...,
        loss: str = ...,
        eta: float = ...,
        radius: float | None = ...,
        bias: bool = ...,
    ) -> None: ...

class OwnRuleClassifier(LearnerClassifier):
    def __init__(
        self,
        *,
        n: int | None = ...,
        labels: tuple[Any, ...] | None = ...,
        rule: Any = ...,
        bias: bool = ...,
        covariance: str = ...,
    ) -> None: ...

class PNormClassifier(LearnerClassifier):
    def __init__(
        self,
        *,
        n: int | None = ...,
        labels: tuple[Any, ...] | None = ...,
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
        n: int | None = ...,
        labels: tuple[Any, ...] | None = ...,
        variant: str = ...,
        C: float = ...,
        bias: bool = ...,
    ) -> None: ...

class PerceptronClassifier(LearnerClassifier):
    def __init__(
        self,
        *,
        n: int | None = ...,
        labels: tuple[Any, ...] | None = ...,
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
        n: int | None = ...,
        labels: tuple[Any, ...] | None = ...,
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
        n: int | None = ...,
        labels: tuple[Any, ...] | None = ...,
        aggressive: bool = ...,
        bias: bool = ...,
    ) -> None: ...

class SASBClassifier(LearnerClassifier):
    def __init__(
        self,
        *,
        n: int | None = ...,
        labels: tuple[Any, ...] | None = ...,
        binarize: float | None = ...,
    ) -> None: ...

class SBSBClassifier(LearnerClassifier):
    def __init__(
        self,
        *,
        n: int | None = ...,
        labels: tuple[Any, ...] | None = ...,
        binarize: float | None = ...,
    ) -> None: ...

class SCWClassifier(LearnerClassifier):
    def __init__(
        self,
        *,
        n: int | None = ...,
        labels: tuple[Any, ...] | None = ...,
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
        n: int | None = ...,
        labels: tuple[Any, ...] | None = ...,
        a: float = ...,
        bias: bool = ...,
        covariance: str = ...,
    ) -> None: ...

class ShiftingWinnowClassifier(LearnerClassifier):
    def __init__(
        self,
        *,
        n: int | None = ...,
        labels: tuple[Any, ...] | None = ...,
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
        n: int | None = ...,
        labels: tuple[Any, ...] | None = ...,
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
        n: int | None = ...,
        labels: tuple[Any, ...] | None = ...,
        bias: bool = ...,
        drop: float = ...,
        shallow: float | None = ...,
    ) -> None: ...

class VotedPerceptronClassifier(LearnerClassifier):
    def __init__(
        self,
        *,
        n: int | None = ...,
        labels: tuple[Any, ...] | None = ...,
        bias: bool = ...,
    ) -> None: ...

class WeightedMajorityClassifier(LearnerClassifier):
    def __init__(
        self,
        *,
        n: int | None = ...,
        labels: tuple[Any, ...] | None = ...,
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
        n: int | None = ...,
        labels: tuple[Any, ...] | None = ...,
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
        n: int | None = ...,
        labels: tuple[Any, ...] | None = ...,
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
        n: int | None = ...,
        eta: float = ...,
        delta: float = ...,
        loss_function: Any = ...,
        bias: bool = ...,
    ) -> None: ...

class AutoRegressor(LearnerRegressor):
    def __init__(
        self,
        *,
        n: int | None = ...,
        Y: float | None = ...,
    ) -> None: ...

class BEGRegressor(LearnerRegressor):
    def __init__(
        self,
        *,
        n: int | None = ...,
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
        n: int | None = ...,
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
        n: int | None = ...,
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
        n: int | None = ...,
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
        n: int | None = ...,
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
        n: int | None = ...,
        eta: float = ...,
        loss_function: Any = ...,
        bias: bool = ...,
    ) -> None: ...

class PNormRegressor(LearnerRegressor):
    def __init__(
        self,
        *,
        n: int | None = ...,
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
        n: int | None = ...,
        epsilon: float = ...,
        variant: str = ...,
        C: float = ...,
        bias: bool = ...,
    ) -> None: ...

class RidgeRegressor(LearnerRegressor):
    def __init__(
        self,
        *,
        n: int | None = ...,
        a: float = ...,
        covariance: str = ...,
        bias: bool = ...,
    ) -> None: ...

class VAWForecasterRegressor(LearnerRegressor):
    def __init__(
        self,
        *,
        n: int | None = ...,
        a: float = ...,
        covariance: str = ...,
        bias: bool = ...,
    ) -> None: ...
