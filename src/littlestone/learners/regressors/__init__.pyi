from littlestone.learners.regressors.adagrad_regression import AdagradRegression as AdagradRegression
from littlestone.learners.regressors.auto_regressor import AutoRegressor as AutoRegressor
from littlestone.learners.regressors.base import Regressor as Regressor
from littlestone.learners.regressors.beg_regression import BEGRegression as BEGRegression
from littlestone.learners.regressors.eg_plus_minus import EGPlusMinus as EGPlusMinus
from littlestone.learners.regressors.exponentiated_gradient import ExponentiatedGradient as ExponentiatedGradient
from littlestone.learners.regressors.gradient_descent import GradientDescent as GradientDescent
from littlestone.learners.regressors.mirror_descent import MirrorDescent as MirrorDescent
from littlestone.learners.regressors.normalized_gradient import NormalizedGradient as NormalizedGradient
from littlestone.learners.regressors.p_norm_regression import PNormRegression as PNormRegression
from littlestone.learners.regressors.passive_aggressive_regression import (
    PassiveAggressiveRegression as PassiveAggressiveRegression,
)
from littlestone.learners.regressors.register import REGRESSORS as REGRESSORS
from littlestone.learners.regressors.register import by_name as by_name
from littlestone.learners.regressors.ridge_regression import RidgeRegression as RidgeRegression
from littlestone.learners.regressors.vaw_forecaster import VAWForecaster as VAWForecaster
