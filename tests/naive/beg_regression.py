"""w_i = 1/(1 + exp(-z_i)): the odds of every weight are multiplied by exp(-eta slope x_i)."""

from math import exp

from tests.naive.descent import Descent


class BEGRegression(Descent):
    def link(self, z):
        return {i: 1 / (1 + exp(-v)) if v > -700 else 0.0 for i, v in z.items()}
