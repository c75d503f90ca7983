"""All regressors, by their names, and others whose options bring another machine or another kernel."""

import littlestone as ls
from littlestone.learners.regressors import REGRESSORS

VARIANTS = {
    "gradient descent, absolute": lambda: ls.GradientDescent(eta=0.01, loss_function="absolute"),
    "EG, a constant rate": lambda: ls.ExponentiatedGradient(eta=0.1, bias=False),
    "mirror, a sum of all": lambda: ls.MirrorDescent(link=ls.links.exponential(), eta=0.05),
    "p-norm of 3": lambda: ls.PNormRegression(p=3.0, bias=False),
    "PA-II": lambda: ls.PassiveAggressiveRegression(variant="PA-II"),
    "VAW, diagonal": lambda: ls.VAWForecaster(covariance="diagonal"),
    "VAW, without a constant": lambda: ls.VAWForecaster(bias=False),
    "ridge, diagonal": lambda: ls.RidgeRegression(covariance="diagonal", bias=False),
}
KINDS = {**dict(REGRESSORS), **VARIANTS}
