"""How formulas write what theorems take, and what it means, unless a theorem says otherwise."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["BOUNDED", "RELATIONS", "SYMBOLS"]

RELATIONS = {"upper": r"\le", "lower": r"\ge", "exact": "="}

BOUNDED: Mapping[str, str] = {  # what is bounded: its symbol
    "mistakes": "M",
    "expected mistakes": r"\mathbb{E}[M]",
    "loss": "L",
    "regret": r"\mathcal{R}",
    "error": r"\mathrm{err}",
    "expected error": r"\mathbb{E}[\mathrm{err}]",
    "absolute loss": r"\ell",
    "examples": "T",
}

SYMBOLS: Mapping[str, tuple[str, str]] = {  # an argument: its symbol, and what it is
    "n": ("n", "the number of attributes"),
    "k": ("k", "the number of attributes of the target"),
    "X": ("X", "the most attributes that are on in a row"),
    "attribute_errors": ("A", "the attribute errors of the target"),
    "radius": ("R", "the largest length of a row"),
    "norm": (r"\lVert u \rVert", "the length of u"),
    "gamma": (r"\gamma", "the margin of u; where u has losses, any that they are counted from"),
    "loss": ("L", "the sum of (gamma - y u.x)+ over the trials with a mistake"),
    "losses": ("L_2", "the sum of ((gamma - y u.x)+)^2 over all trials"),
    "eta": (r"\eta", "the learning rate"),
    "alpha": (r"\alpha", "the factor of a promotion"),
    "demotion": (r"\beta", "the factor of a demotion"),
    "beta1": (r"\beta_1", "the factor of a promotion"),
    "beta0": (r"\beta_0", "the factor of a demotion"),
    "theta": (r"\theta", "the threshold"),
    "w1": ("w_1", "each weight at the start"),
    "C": ("C", "the learner's parameter C"),
    "p": ("p", "the exponent of the norm"),
    "a": ("a", "the learner's parameter a"),
    "updates": ("U", "the updates that were no mistakes"),
    "experts": ("N", "the number of experts"),
    "beta": (r"\beta", "the factor by which an error lowers a weight"),
    "errors": ("m", "the errors of the best expert"),
    "trials": ("T", "the number of trials"),
    "delta": (r"\delta", "the probability that the bound does not hold"),
    "survived": ("s", "how many examples in a row the hypothesis was right on"),
    "mistakes": ("M", "the mistakes of the game"),
}
