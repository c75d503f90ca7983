"""Losses of a predicted number: what they cost, how steep they are in w.x, and where their kinks lie.

A loss is a pair: its name and its number.
"""

from math import exp, log


def predicted(loss, s):
    return 1 / (1 + exp(-s)) if loss[0] == "logistic" else s


def value(loss, p, y):
    name, at = loss
    r = p - y
    if name == "square":
        return r * r
    if name == "absolute":
        return abs(r)
    if name == "insensitive":
        return max(0, abs(r) - at)
    if name == "huber":
        return r * r if abs(r) <= at else at * (2 * abs(r) - at)
    if name == "quantile":
        return at * -r if r < 0 else (1 - at) * r
    if name == "logistic":
        return (y * log(y / p) if y else 0) + ((1 - y) * log((1 - y) / (1 - p)) if y < 1 else 0)
    return abs(p - at) if (p > at and y == 0) or (p < at and y == 1) else 0  # the linear hinge


def slope(loss, p, y, tie=1):
    name, at = loss
    r = p - y
    side = (r > 0) - (r < 0)
    if name == "square":
        return 2 * r
    if name == "logistic":
        return r
    if name == "absolute":
        return side
    if name == "insensitive":
        return side if abs(r) > at else 0
    if name == "huber":
        return 2 * r if abs(r) <= at else 2 * at * side
    if name == "quantile":
        return {1: 1 - at, 0: 0, -1: -at}[side]
    says = p > at or (p == at and tie == 1)
    return says - y


def gap(loss, p, y):
    """How far the prediction is from a kink, where rounding decides which way the slope goes."""
    name, at = loss
    if name in ("absolute", "quantile"):
        return abs(p - y)
    if name == "insensitive":
        return abs(abs(p - y) - at)
    return abs(p - at) if name == "linear-hinge" else 1.0
