"""explain: what a learner has learned, in the names of its attributes."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from littlestone.core.display import Plotted
from littlestone.core.errors import InvalidParameter, TooLarge
from littlestone.core.parameters import check_whole
from littlestone.learners import Bounded, Learner
from littlestone.learners.regressors import Regressor
from littlestone.models.explanation._linear import AsDict, Linear, Names, check_names, deciding, linear
from littlestone.models.explanation.clauses import Clauses, clauses
from littlestone.models.explanation.counting import Counts, count_clauses, count_updates
from littlestone.streams import Stream

__all__ = ["Conjunction", "Evidence", "Explanation", "ScaledColumn", "explain"]


@dataclass(frozen=True)
class Evidence(AsDict):
    """An attribute and its weight; ``net`` is promotions less demotions, and what is not known is None.

    ``on`` is in how many examples it was on.

    >>> import littlestone as ls
    >>> learner = ls.Winnow(theta=4)
    >>> for _ in range(3):
    ...     for x, y in [({"rain"}, 1), ({"rain", "wind"}, 1), ({"wind", "sun"}, 0), ({"snow", "ice"}, 1)]:
    ...         _ = learner.learn_one(x, y)
    >>> ls.explain(learner).supports[0]
    Evidence(attribute='rain', weight=4.0, net=2, promotions=None, demotions=None, on=None)
    """

    attribute: Hashable
    weight: float
    net: int | None = None
    promotions: int | None = None
    demotions: int | None = None
    on: int | None = None


@dataclass(frozen=True)
class Conjunction(AsDict):
    """Literals (of a box: lo and hi of each dimension) that count together, and their weight.

    >>> import littlestone as ls
    >>> learner = ls.KernelWinnow(theta=4)
    >>> _ = learner.learn([[1, 1, 0], [1, 0, 1], [0, 1, 1], [1, 1, 0]], [1, 0, 0, 1])
    >>> ls.explain(learner).conjunctions[:2]
    (Conjunction(literals=(1,), weight=Fraction(2, 1)), Conjunction(literals=(0,), weight=Fraction(1, 1)))
    """

    literals: tuple[Any, ...]
    weight: Any


@dataclass(frozen=True)
class ScaledColumn(AsDict):
    """A column that counts in standard deviations from its mean.

    >>> import littlestone as ls
    >>> rows = [{"age": 20.0 + i, "rich": i > 20} for i in range(40)]
    >>> model = ls.Model.train(rows, label="rich", learner="perceptron")
    >>> [(one.name, one.mean) for one in model.explain().scales]
    [('age', 39.5)]
    """

    name: str
    mean: float
    deviation: float


@dataclass(frozen=True)
class Explanation(AsDict, Plotted):
    """What `explain` found. ``kind`` is "linear", "conjunctions", "boxes", "disjunctions", "vote", "classes" or "none".

    Of a regressor it is "numbers", ``supports`` raise the prediction and ``opposes`` lower it. Else they are the
    heaviest evidence for the positive label and against it; of more than two classes, ``classes`` has both for each.
    ``whose`` is the expert whose weights are listed, where a vote of experts decides. ``start`` is the weight at which
    every attribute begins, where weights above it are evidence for and those below it against; 0 where it is the sign
    that tells. ``notes`` say in words what the numbers are, and what is not listed; ``scales`` are the columns of which
    a weight speaks of standard deviations. Its text is for people, `as_dict` for programs.

    >>> import littlestone as ls
    >>> learner = ls.Winnow(theta=4)
    >>> for _ in range(3):
    ...     for x, y in [({"rain"}, 1), ({"rain", "wind"}, 1), ({"wind", "sun"}, 0), ({"snow", "ice"}, 1)]:
    ...         _ = learner.learn_one(x, y)
    >>> found = ls.explain(learner)
    >>> found.kind, found.attributes, [(one.attribute, one.weight) for one in found.supports[:2]]
    ('linear', 5, [('rain', 4.0), ('wind', 2.0)])
    """

    learner: str
    kind: str
    attributes: int
    trials: int
    mistakes: int
    promotions: int
    demotions: int
    labels: tuple[Any, Any] | None = None
    theta: float | None = None
    constant: float | None = None
    clauses: Clauses | None = None
    supports: tuple[Evidence, ...] = ()
    opposes: tuple[Evidence, ...] = ()
    conjunctions: tuple[Conjunction, ...] = ()
    classes: tuple[tuple[Hashable, tuple[Evidence, ...], tuple[Evidence, ...]], ...] = ()
    whose: str = ""
    start: float = 0.0
    notes: tuple[str, ...] = ()
    scales: tuple[ScaledColumn, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        sides = {"supports": "for", "opposes": "against"}
        found = {sides.get(name, name): value for name, value in super().as_dict().items()}
        found["classes"] = [dict(zip(("label", "for", "against"), one, strict=True)) for one in found["classes"]]
        return found

    def __str__(self) -> str:
        from littlestone.models.explanation.text import lines_of

        return "\n".join(lines_of(self))


def explain(
    learner: Learner, *, top: int = 20, max_size: int = 3, names: Names = None, stream: Stream | None = None
) -> Explanation:
    """Return what a learner has learned, in the names of its attributes; the learner is not changed.

    Of a learner with weights: the clauses (attributes that alone reach the threshold, then minimal sets of two, three,
    ... up to ``max_size``, at most ``top`` of each size), and the heaviest evidence for and against. Of one over
    conjunctions, boxes or disjunctions: the heaviest of these.

    Parameters
    ----------
    learner : Learner
        Of many classes: one with ``classes``, all its labels, whose ``weights()`` are a dict of classes for each name.
    top : int >= 1
        How many to list of each kind.
    max_size : int >= 1
        The size of the largest clauses to look for.
    names : list, or None
        Names by column for a learner that knows attributes by position.
    stream : Stream, or None
        The examples it learned from. A new learner learns them again, to count in how many examples, promotions and
        demotions each attribute was on.

    Example
    -------
    >>> import littlestone as ls
    >>> learner = ls.Winnow(theta=4)
    >>> for _ in range(3):
    ...     for x, y in [({"rain"}, 1), ({"rain", "wind"}, 1), ({"wind", "sun"}, 0), ({"snow", "ice"}, 1)]:
    ...         _ = learner.learn_one(x, y)
    >>> print(explain(learner))
    Winnow(theta=4) after 12 trials: 3 mistakes, 3 promotions, 0 demotions; 5 attributes
    The threshold is 4.
    Predict 1 if these are on:
      rain           4
      wind and ice   4
      wind and snow  4
      ice and snow   4
    For:
      rain  4  net +2
      wind  2  net +1
      ice   2  net +1
      snow  2  net +1
    This is not the whole rule: sets of more than 3 are not listed, an attribute that has not been seen weighs 1.
    All this is for attributes that are 0 or 1.
    For: weights above 1, where every attribute begins; against: below it.
    net: promotions less demotions of the attribute, exactly.
    """
    if not isinstance(learner, Learner):
        raise InvalidParameter(f"explain: expected a learner, such as Winnow(), got {learner!r}")
    top, max_size = check_whole("explain", "top", top), check_whole("explain", "max_size", max_size)
    learner = deciding(learner)
    check_names("explain", names, learner)
    if isinstance(learner, Regressor):
        from littlestone.models.explanation.numbers import explain_numbers

        if stream is not None:
            raise InvalidParameter(f"explain: stream: updates are counted for learners of two labels, got {learner!r}")
        return explain_numbers(learner, top=top, names=names)
    if learner.machine is None:
        return _explanation(learner, "none", "It has learned nothing yet.")
    if hasattr(learner, "classes"):
        if stream is not None:
            raise InvalidParameter(
                f"explain: stream: updates are counted for learners of two labels, got {learner!r}; leave it out"
            )
        return _classes(learner, top, names)
    if stream is not None and linear(learner) is None:
        raise InvalidParameter(
            f"explain: stream: {type(learner).__name__} has no weights of attributes to count updates for; leave it out"
        )
    found = _linear(learner, top, max_size, names, stream)
    return found or _heaviest(learner, top, names) or _other(learner, top, names)


def _explanation(learner: Learner, kind: str, *notes: str, **found: Any) -> Explanation:
    size = len(learner.vocabulary) if learner.vocabulary is not None else max(learner.width, learner.n or 0)
    if isinstance(learner, Bounded):
        size = learner.held
    same = {name: getattr(learner, name) for name in ("trials", "mistakes", "promotions", "demotions", "labels")}
    return Explanation(repr(learner), kind, size, **same, **found, notes=notes)


def _linear(learner: Learner, top: int, max_size: int, names: Names, stream: Stream | None) -> Explanation | None:
    from littlestone.models.explanation.text import clause_notes, evidence_notes

    rule = linear(learner, names)
    if rule is None:
        return None
    counts = None if stream is None else count_updates(learner, stream, names)
    notes, found = [], None
    if learner.domain == "sign" and learner.machine is not None and learner.machine.signed:
        notes.append("Its rows are of signs: an attribute that is -1 counts as well, so that none is enough by itself.")
    else:
        found = clauses(rule, max_size=max_size, count=top)
        if stream is not None:
            holds = count_clauses(stream, [clause.attributes for clause in found.listed], names)
            listed = [replace(clause, holds=number) for clause, number in zip(found.listed, holds, strict=True)]
            found = replace(found, listed=tuple(listed))
        notes += clause_notes(learner, rule, found)
    supports, opposes, more, less = _evidence(rule, counts, top)
    notes += evidence_notes(learner, rule, counts, more - len(supports), less - len(opposes))
    sides: dict[str, Any] = {"supports": supports, "opposes": opposes, "start": float(rule.usual)}
    return _explanation(learner, "linear", *notes, theta=rule.theta, constant=rule.constant, clauses=found, **sides)


def _evidence(
    rule: Linear, counts: Counts | None, top: int
) -> tuple[tuple[Evidence, ...], tuple[Evidence, ...], int, int]:
    """Return the heaviest evidence for and against, and how much there is of each.

    Where all weights are positive, those above the initial weight are evidence for, those below it against.
    """
    up, down = np.flatnonzero(rule.weights > rule.usual), np.flatnonzero(rule.weights < rule.usual)
    up = up[np.argsort(-rule.weights[up], kind="stable")]
    down = down[np.argsort(rule.weights[down], kind="stable")]
    heaviest = [tuple(_weighed(rule, counts, int(i)) for i in side[:top]) for side in (up, down)]
    return heaviest[0], heaviest[1], len(up), len(down)


def _weighed(rule: Linear, counts: Counts | None, i: int) -> Evidence:
    name, weight = rule.name(i), float(rule.weights[i])
    if counts is not None:
        on, promotions, demotions = counts.of(name)
        return Evidence(name, weight, promotions - demotions, promotions, demotions, on)
    if rule.exponents is None:
        return Evidence(name, weight)
    p, q = rule.exponents[i].tolist()
    return Evidence(name, weight, p - q, p, q) if rule.apart else Evidence(name, weight, None if q else p)


def _heaviest(learner: Learner, top: int, names: Names) -> Explanation | None:
    """Explain a learner over conjunctions or boxes by those of the largest weight."""
    if not hasattr(learner, "heaviest"):
        return None
    boxes = learner.domain == "whole"
    kind = "boxes" if boxes else "conjunctions"
    try:
        found = learner.heaviest(top)
    except (TooLarge, InvalidParameter) as error:
        return _explanation(learner, kind, f"The heaviest {kind} cannot be listed: {error}")
    listed = tuple(
        Conjunction(literals if boxes else tuple(_named(one, names) for one in literals), weight)
        for literals, weight in found
    )
    note = (
        f"The heaviest {kind}, at most {top}; the prediction is a vote among all of them, the lighter ones too, and no "
        "linear threshold function of the attributes."
    )
    return _explanation(learner, kind, note, conjunctions=listed)


def _named(one: Hashable, names: Names) -> Hashable:
    """Return a literal of a learner without names by the names that were given."""
    if names is None:
        return one
    return names[one] if isinstance(one, int) else f"not {names[int(str(one).removeprefix('not '))]}"


def _other(learner: Learner, top: int, names: Names) -> Explanation:
    weights = learner.weights()
    if not hasattr(learner, "most_probable"):
        note = "A vote among many hypotheses, and no linear threshold function: the weights are those of the last one."
        pairs = [(_named(name, names), weight) for name, weight in weights.items()]
        return _explanation(learner, "vote", note, supports=_side(pairs, 1, top), opposes=_side(pairs, -1, top))
    order = sorted(weights, key=lambda name: -weights[name])[:top]
    supports = tuple(Evidence(_named(name, names), weights[name]) for name in order)
    note = (
        "A vote among disjunctions, and no linear threshold function. The numbers are shares of the vote: of the "
        "disjunctions that have the attribute in them, and of the most probable one."
    )
    try:
        attributes, share = learner.most_probable()
    except TooLarge as error:
        unknown = f"The most probable disjunction cannot be found: {error}"
        return _explanation(learner, "disjunctions", note, unknown, supports=supports)
    best = Conjunction(tuple(_named(name, names) for name in attributes), share)
    return _explanation(learner, "disjunctions", note, supports=supports, conjunctions=(best,))


def _classes(learner: Any, top: int, names: Names) -> Explanation:
    """Explain a learner of many classes: the heaviest evidence of each, or of two classes for the one and the other."""
    from littlestone.models.explanation.text import bounded_notes

    whose = learner.best.name if hasattr(learner, "best") else ""
    notes = [*(["A vote of experts decides, which is no linear rule."] if whose else []), *bounded_notes(learner)]
    if len(learner.classes) == 2:
        return _two_classes(learner, top, names, whose, notes)
    own: dict[Any, list[tuple[Hashable, float]]] = {label: [] for label in learner.classes}
    for name, weights in learner.weights().items():
        for label, weight in weights.items():
            own[label].append((_named(name, names), weight))
    classes = tuple((label, _side(pairs, 1, top), _side(pairs[::-1], -1, top)) for label, pairs in own.items())
    if not whose:
        notes.append("The class whose weights sum to most is predicted: weights of different classes are compared.")
    return _explanation(learner, "classes", *notes, classes=classes, whose=whose)


def _two_classes(learner: Any, top: int, names: Names, whose: str, notes: list[str]) -> Explanation:
    """Explain two classes by half the difference of their weights, which decides between them."""
    negative, positive = learner.labels
    pairs = [
        (_named(name, names), 0.5 * (weights.get(positive, 0.0) - weights.get(negative, 0.0)))
        for name, weights in learner.weights().items()
    ]
    if not whose:
        notes.append(f"A weight is half of what {positive!s} has more than {negative!s}.")
    sides = {"supports": _side(pairs, 1, top), "opposes": _side(pairs, -1, top)}
    return _explanation(learner, "classes", *notes, whose=whose, **sides)


def _side(weights: Iterable[tuple[Hashable, float]], sign: int, top: int) -> tuple[Evidence, ...]:
    """Return the heaviest evidence of one sign."""
    order = sorted((pair for pair in weights if pair[1] * sign > 0), key=lambda pair: -abs(pair[1]))
    return tuple(Evidence(*pair) for pair in order[:top])
