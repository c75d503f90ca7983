"""Model M and the n-fold product model, by enumeration of everything: hidden vectors and vector-labels."""

from fractions import Fraction
from itertools import product
from math import prod


def model_m(beta1, beta0, gamma):
    """P(labels | x, d), as the paper writes it."""

    def single(y, x, d):
        if x == 0:
            return gamma ** (1 - y) * (1 - gamma) ** y
        up, down = (beta1 - 1) / (beta1 - beta0), (1 - beta0) / (beta1 - beta0)
        return (up ** (1 - d) * (beta0 * up) ** d) ** (1 - y) * (down ** (1 - d) * (beta1 * down) ** d) ** y

    return lambda labels, x, d: prod(map(single, labels, x, d))


def product_model(beta1, beta0):
    """P(labels | x, v): component i has the label of its attribute v_i."""

    def single(y, on):
        return ((1 - beta0) * beta1**on if y else (beta1 - 1) * beta0**on) / (beta1 - beta0)

    return lambda labels, x, v: prod(single(y, x[i]) for y, i in zip(labels, v, strict=True))


def posterior(prior, chance, trials):
    """All at once: prior times the probability of every trial, normalised at the end."""
    joint = {h: p * prod(chance(labels, x, h) for x, labels in trials) for h, p in prior.items()}
    total = sum(joint.values())
    return {h: p / total for h, p in joint.items()}


def losses(found, chance, x, n):
    """Equation (7): the expected loss of predicting 0 and 1, over all vector-labels."""
    loss = [Fraction(0), Fraction(0)]
    for labels in product((0, 1), repeat=n):
        p = sum(q * chance(labels, x, h) for h, q in found.items())
        for guess in (0, 1):
            loss[guess] += p * any(label != guess for label in labels)
    return loss
