"""How formulas write what theorems take, and what it means; and in words, what theorems assume of their target."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

__all__ = ["BOUNDED", "DESCRIBED_BY", "RELATIONS", "SYMBOLS", "TARGETS", "Target", "assumption", "spoken"]

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

# Targets: those that learners are compared with

Target = Literal[
    "disjunction", "changing disjunction", "DNF", "disjunction among all", "experts", "shares", "linear", "mixture",
    "sizes", "linear in a q-norm", "box", "any u", "any mixture",
]  # fmt: skip
# What a theorem assumes of its target, in short: where there are no attribute errors, and where there are
TARGETS: dict[Target, tuple[str, str]] = {
    "disjunction": (
        "a disjunction of {k} attributes gives the labels",
        "a disjunction of {k} attributes has at most {attribute_errors} attribute errors",
    ),
    "changing disjunction": (
        "a disjunction of {k} attributes, to which {added} are added and of which {removed} go, gives the labels",
        "a disjunction of {k} attributes, {added} added, {removed} gone, has at most {attribute_errors} errors",
    ),
    "DNF": ("a DNF of {k} terms gives the labels",) * 2,
    "disjunction among all": ("some disjunction makes at most {errors} mistakes",) * 2,
    "experts": ("the best expert makes at most {errors} mistakes",) * 2,
    "shares": ("the best expert loses at most {loss}",) * 2,
    "linear": ("some u with |u - w1| <= {norm} loses at most {loss}",) * 2,
    "linear in a q-norm": ("some u with |u|_q <= {norm} loses at most {loss}",) * 2,
    "mixture": ("some mixture u of the attributes loses at most {loss}",) * 2,
    "sizes": ("some u whose sizes sum to {U} at most loses at most {loss}",) * 2,
    "box": ("some u between 0 and 1, with d(u, w1) <= {divergence}, loses at most {loss}",) * 2,
    "any u": ("compared with a u, |u - w1| <= {norm}",) * 2,
    "any mixture": ("compared with any mixture u of the attributes",) * 2,
}
# The numbers that describe a target; else k
DESCRIBED_BY: dict[Target, tuple[str, ...]] = {
    "disjunction among all": ("errors",), "experts": ("errors",), "shares": ("loss",), "linear": ("loss", "norm"),
    "linear in a q-norm": ("loss", "norm"),
    "mixture": ("loss",), "sizes": ("loss",), "box": ("loss", "divergence"), "any u": ("norm",), "any mixture": (),
}  # fmt: skip
USUAL = {"errors": "m", "loss": "L", "norm": "D", "divergence": "d"}
COMPARED = (
    "linear",
    "linear in a q-norm",
    "mixture",
    "sizes",
    "box",
    "any u",
)  # claims about these are told with such letters


def assumption(target: Target, known: Mapping[str, Any]) -> str:
    """Return what is assumed of a target, with the numbers that are known."""
    words = TARGETS[target][bool(known.get("attribute_errors"))]
    shown = {name: _shown(number) for name, number in known.items() if number is not None}
    return words.format_map(USUAL | shown | {"k": f"k = {shown['k']}" if "k" in shown else "k"})


def spoken(target: Target | None, name: str) -> str:
    """Return how a claim calls a number that describes a target.

    >>> spoken("linear", "norm"), spoken("shares", "loss")
    ('D', 'loss')
    """
    return USUAL.get(name, name) if target in COMPARED else name


def _shown(number: Any) -> str:
    """Return a number as a sentence has it, however large it is."""
    if isinstance(number, int):
        return str(number) if abs(number) < 10**18 else f"about 2^{number.bit_length()}"
    return f"{number:g}" if isinstance(number, float) else str(number)
