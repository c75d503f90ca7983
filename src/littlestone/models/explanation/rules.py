"""explain: what a learner has come to, in the names of its attributes."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from littlestone.core.errors import InvalidParameter, TooLarge
from littlestone.core.parameters import check_whole
from littlestone.learners import Bounded, Learner
from littlestone.models.explanation._linear import check_names, linear, plain
from littlestone.models.explanation.clauses import Clauses, clauses
from littlestone.models.explanation.counting import Counts, count_clauses, count_updates
from littlestone.models.explanation.evidence import Evidence, evidence
from littlestone.streams import Stream

__all__ = ["Conjunction", "Explanation", "explain"]


@dataclass(frozen=True)
class Conjunction:
    """Literals (of a box: lo and hi of each dimension) that count together, and their weight."""

    literals: tuple[Any, ...]
    weight: Any

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {"literals": plain(self.literals), "weight": plain(self.weight)}


@dataclass(frozen=True)
class Explanation:
    """What `explain` found. ``kind`` is "linear", "conjunctions", "boxes", "disjunctions", "vote", "classes" or "none".

    ``notes`` say in words what the numbers are, and what is not listed. Its text is for people, `as_dict` for programs.
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
    notes: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {
            "learner": self.learner, "kind": self.kind, "attributes": self.attributes, "trials": self.trials,
            "mistakes": self.mistakes, "promotions": self.promotions, "demotions": self.demotions,
            "labels": plain(self.labels), "theta": self.theta, "constant": self.constant,
            "clauses": None if self.clauses is None else self.clauses.as_dict(),
            "for": [one.as_dict() for one in self.supports], "against": [one.as_dict() for one in self.opposes],
            "conjunctions": [one.as_dict() for one in self.conjunctions],
            "classes": [
                {"label": plain(label), "for": [one.as_dict() for one in up], "against": [e.as_dict() for e in down]}
                for label, up, down in self.classes
            ],
            "notes": list(self.notes),
        }  # fmt: skip

    def __str__(self) -> str:
        from littlestone.models.explanation.text import lines_of

        return "\n".join(lines_of(self))


def explain(
    learner: Learner,
    *,
    top: int = 20,
    max_size: int = 3,
    names: Sequence[Hashable] | None = None,
    stream: Stream | None = None,
) -> Explanation:
    """Return what a learner has come to, in the names of its attributes; the learner is not changed.

    Of a learner with weights: the clauses (attributes that alone reach the threshold, then minimal sets of two, three,
    ... up to ``max_size``, at most ``top`` of each size), and the heaviest evidence for and against. Of one over
    conjunctions, boxes or disjunctions: the heaviest of these. Of any other, what it can say.

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
        The examples it learned from: they are played again by a fresh learner, to count in how many examples,
        promotions and demotions each attribute was on.

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
    check_names("explain", names, learner)
    if learner.machine is None:
        return _told(learner, "none", notes=("It has learned nothing yet.",))
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
    counts = None if stream is None else count_updates(learner, stream, names)
    return (
        _linear(learner, top, max_size, names, counts, stream)
        or _heaviest(learner, top, names)
        or _other(learner, top, names)
    )


def _told(learner: Learner, kind: str, **more: Any) -> Explanation:
    size = len(learner.vocabulary) if learner.vocabulary is not None else max(learner.width, learner.n or 0)
    if isinstance(learner, Bounded):
        size = learner.held
    return Explanation(
        repr(learner), kind, size, learner.trials, learner.mistakes, learner.promotions, learner.demotions,
        learner.labels, **more,
    )  # fmt: skip


def _linear(
    learner: Learner, top: int, max_size: int, names: Sequence[Hashable] | None, counts: Counts | None,
    stream: Stream | None,
) -> Explanation | None:  # fmt: skip
    from littlestone.models.explanation.text import clause_notes, evidence_notes

    rule = linear(learner, names)
    if rule is None:
        return None
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
    supports, opposes, more, less = evidence(rule, counts, top)
    notes += evidence_notes(learner, rule, counts, more - len(supports), less - len(opposes))
    return _told(
        learner, "linear", theta=rule.theta, constant=rule.constant, clauses=found, supports=supports, opposes=opposes,
        notes=tuple(notes),
    )  # fmt: skip


def _heaviest(learner: Learner, top: int, names: Sequence[Hashable] | None) -> Explanation | None:
    """Explain a learner over conjunctions or boxes by those of the largest weight."""
    if not hasattr(learner, "heaviest"):
        return None
    boxes = learner.domain == "whole"
    kind = "boxes" if boxes else "conjunctions"
    try:
        found = learner.heaviest(top)
    except (TooLarge, InvalidParameter) as error:
        return _told(learner, kind, notes=(f"The heaviest {kind} cannot be listed: {error}",))
    listed = tuple(
        Conjunction(literals if boxes else tuple(_named(one, names) for one in literals), weight)
        for literals, weight in found
    )
    note = (
        f"The heaviest {kind}, at most {top}; the prediction is a vote among all of them, the lighter ones too, and no "
        "linear threshold function of the attributes."
    )
    return _told(learner, kind, conjunctions=listed, notes=(note,))


def _named(one: Hashable, names: Sequence[Hashable] | None) -> Hashable:
    """Return a literal of a learner without names by the names that were given."""
    if names is None:
        return one
    return names[one] if isinstance(one, int) else f"not {names[int(str(one).removeprefix('not '))]}"


def _other(learner: Learner, top: int, names: Sequence[Hashable] | None) -> Explanation:
    weights = learner.weights()
    if not hasattr(learner, "most_probable"):
        order = sorted(weights, key=lambda name: -abs(weights[name]))
        up = tuple(Evidence(_named(name, names), weights[name]) for name in order if weights[name] > 0)
        down = tuple(Evidence(_named(name, names), weights[name]) for name in order if weights[name] < 0)
        note = "A vote among many hypotheses, and no linear threshold function: the weights are those of the last one."
        return _told(learner, "vote", supports=up[:top], opposes=down[:top], notes=(note,))
    order = sorted(weights, key=lambda name: -weights[name])[:top]
    supports = tuple(Evidence(_named(name, names), weights[name]) for name in order)
    note = (
        "A vote among disjunctions, and no linear threshold function. The numbers are shares of the vote: of the "
        "disjunctions that have the attribute in them, and of the most probable one."
    )
    notes = [note]
    try:
        attributes, share = learner.most_probable()
    except TooLarge as error:
        notes.append(f"The most probable disjunction cannot be said: {error}")
        return _told(learner, "disjunctions", supports=supports, notes=tuple(notes))
    best = Conjunction(tuple(_named(name, names) for name in attributes), share)
    return _told(learner, "disjunctions", supports=supports, conjunctions=(best,), notes=tuple(notes))


def _classes(learner: Any, top: int, names: Sequence[Hashable] | None) -> Explanation:
    """Explain a learner of many classes: the heaviest evidence of each."""
    own: dict[Any, list[tuple[Hashable, float]]] = {label: [] for label in learner.classes}
    for name, weights in learner.weights().items():
        for label, weight in weights.items():
            own[label].append((_named(name, names), weight))
    told = []
    for label, pairs in own.items():
        pairs.sort(key=lambda pair: -pair[1])
        up = tuple(Evidence(name, weight) for name, weight in pairs[:top] if weight > 0)
        down = tuple(Evidence(name, weight) for name, weight in pairs[::-1][:top] if weight < 0)
        told.append((label, up, down))
    note = "The class whose weights sum to most is predicted: weights of different classes are compared."
    if hasattr(learner, "best"):
        note = f"A vote of experts, and no linear rule. The weights are those of the best of them, {learner.best.name}."
    return _told(learner, "classes", classes=tuple(told), notes=(note,))
