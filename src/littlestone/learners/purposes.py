"""What each learner is for: the practical ones first, then those that papers are about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

__all__ = ["ALL", "LISTS", "MANY_CLASSES", "PRACTICAL", "PURPOSES", "THEORY", "Purpose", "by_purpose"]


class Purpose(NamedTuple):
    """Learners that are for the same: a short key, a title, and their names."""

    key: str
    title: str
    names: tuple[str, ...]


PURPOSES = (
    Purpose("auto", "When you do not want to choose", ("auto",)),
    Purpose(
        "second-order",
        "Second order: a step of its own for each attribute; tables and text",
        ("arow", "scw", "nherd", "adagrad", "confidence-weighted", "narow", "second-order-perceptron"),
    ),
    Purpose(
        "additive",
        "Additive: fast, any real values",
        ("perceptron", "voted-perceptron", "passive-aggressive", "ogd", "alma", "romma", "p-norm", "naive-bayes"),
    ),
    Purpose(
        "multiplicative",
        "Multiplicative: few relevant attributes among very many",
        ("winnow", "balanced-winnow", "modified-balanced-winnow", "shifting-winnow"),
    ),
    Purpose("many-classes", "More than two classes", ("winner-takes-all", "multiclass-perceptron")),
    Purpose("memory", "Little memory, streams without end", ("bounded", "directed-drift")),
    Purpose(
        "conjunctions",
        "Conjunctions, boxes and other features, made by the learner",
        ("growing-winnow", "kernel-perceptron", "kernel-winnow", "box-winnow"),
    ),
    Purpose(
        "theory",
        "As in the papers, with a bound on disjunctions",
        ("normalized-winnow", "thresholded-beg", "bayes-beg", "elimination", "sasb", "sbsb"),
    ),
    Purpose(
        "exact",
        "As in the papers, exact and expensive: few attributes",
        ("weighted-majority", "direct-bayes", "ellipsoid", "volumetric-center"),
    ),
    Purpose("own", "A rule of your own", ("quasi-additive", "own-rule")),
)

# Those with the fewest mistakes on the real sets of docs/peers.md, in this order; then the plainest of each kind
PRACTICAL = (
    "auto",
    "scw",
    "arow",
    "confidence-weighted",
    "adagrad",
    "modified-balanced-winnow",
    "nherd",
    "passive-aggressive",
    "balanced-winnow",
    "perceptron",
)
THEORY = (
    "perceptron",
    "p-norm",
    "balanced-winnow",
    "winnow",
    "tuned-winnow",
    "tuned-normalized-winnow",
    "thresholded-beg",
    "tuned-thresholded-beg",
    "bayes-beg",
    "tuned-bayes-beg",
    "elimination",
)
ALL = tuple(dict.fromkeys((*PRACTICAL, *THEORY)))
LISTS: Mapping[str, tuple[str, ...]] = {"practical": PRACTICAL, "theory": THEORY, "all": ALL}
MANY_CLASSES = (
    "auto",
    "winner-takes-all",
    "winner-takes-all:learner=perceptron",
    "multiclass-perceptron",
    "multiclass-perceptron:averaged=true",
)


def by_purpose(names: Iterable[str]) -> list[Purpose]:
    """Return these learners by what they are for; those that nobody has placed, such as another package's, come last.

    >>> [purpose.names for purpose in by_purpose(["lazy-perceptron", "winnow", "auto"])]
    [('auto',), ('winnow',), ('lazy-perceptron',)]
    """
    left = dict.fromkeys(names)
    found = [purpose._replace(names=tuple(name for name in purpose.names if name in left)) for purpose in PURPOSES]
    placed = {name for purpose in found for name in purpose.names}
    others = Purpose("others", "Others", tuple(name for name in left if name not in placed))
    return [purpose for purpose in (*found, others) if purpose.names]
