"""Evaluation: what a learner's predictions are worth on examples that it does not learn from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from littlestone.core.arrays import Ints
from littlestone.core.block import Block
from littlestone.core.errors import InvalidData, InvalidLabel, InvalidParameter
from littlestone.core.labels import distinct
from littlestone.core.names import aligned
from littlestone.learners import Learner
from littlestone.streams import Stream

__all__ = ["Evaluation", "RankSum", "evaluate", "known_to"]

AT_ONCE = 1 << 18  # activations that are kept before equal ones are put together


class RankSum:
    """The area under the ROC curve, exact with ties; memory for the different activations only.

    It is the probability that a positive example has a larger activation than a negative one, ties counting half.

    >>> ranks = RankSum()
    >>> ranks.add([0.1, 0.4, 0.4, 0.8], [False, False, True, True])
    >>> ranks.area()
    0.875
    """

    def __init__(self) -> None:
        self._values, self._counts = np.zeros(0), np.zeros((2, 0), dtype=np.int64)  # negative, positive
        self._new: list[tuple[NDArray[np.float64], NDArray[np.bool_]]] = []
        self._waiting = 0

    def add(self, activations: ArrayLike, positive: ArrayLike) -> None:
        """Count some examples."""
        values, truth = np.asarray(activations, dtype=np.float64), np.asarray(positive, dtype=np.bool_)
        self._new.append((values, truth))
        self._waiting += len(values)
        if self._waiting >= max(AT_ONCE, len(self._values)):
            self._settle()

    def area(self) -> float | None:
        """Return the area; None where all examples are of one class."""
        self._settle()
        negative, positive = self._counts
        pairs = int(negative.sum()) * int(positive.sum())
        below = np.cumsum(negative) - negative
        twice = sum(int((positive * part).sum()) for part in (below, below + negative))
        return twice / (2 * pairs) if pairs else None

    def _settle(self) -> None:
        """Put equal activations together."""
        parts = [values for values, _ in self._new]
        values, places = np.unique(np.concatenate([self._values, *parts]), return_inverse=True)
        counts = np.zeros((2, len(values)), dtype=np.int64)
        counts[:, places[: len(self._values)]] = self._counts
        if parts:
            truth = np.concatenate([truth for _, truth in self._new])
            later = places[len(self._values) :]
            for which in (0, 1):
                counts[which] += np.bincount(later[truth == bool(which)], minlength=len(values))
        self._values, self._counts, self._new, self._waiting = values, counts, [], 0


@dataclass(frozen=True, eq=False)
class Evaluation:
    """How predictions and labels went together; ``confusion`` has a row a label and a column a prediction.

    Examples count once each, whatever their weights. A quotient 0/0 is 0, as in scikit-learn.
    """

    labels: tuple[Any, ...]
    confusion: Ints
    auc: float | None = None  # of the positive class; of several classes the mean of those that have one
    aucs: tuple[float | None, ...] = ()  # of each class against the rest
    skipped: int = 0

    @property
    def examples(self) -> int:
        """The number of examples."""
        return int(self.confusion.sum())

    @property
    def mistakes(self) -> int:
        """How many were predicted wrongly."""
        return self.examples - int(np.trace(self.confusion))

    @property
    def accuracy(self) -> float:
        """The share of examples predicted rightly."""
        return 1.0 - self.mistakes / self.examples if self.examples else 0.0

    def classes(self) -> list[dict[str, Any]]:
        """Return precision, recall and F1 of each class."""
        sums = np.diag(self.confusion), self.confusion.sum(axis=1), self.confusion.sum(axis=0)
        found = []
        for label, right, actual, predicted in zip(self.labels, *sums, strict=True):
            shares = {"precision": _ratio(right, predicted), "recall": _ratio(right, actual)}
            shares["f1"] = _ratio(2 * right, predicted + actual)
            found.append({"label": label, "examples": int(actual), "predicted": int(predicted), **shares})
        return found

    def averages(self) -> dict[str, dict[str, float]]:
        """Return the means over the classes (macro), and those of all examples together (micro: the accuracy)."""
        met = [one for one in self.classes() if one["examples"] or one["predicted"]]
        macro = {name: _ratio(sum(one[name] for one in met), len(met)) for name in ("precision", "recall", "f1")}
        return {"macro": macro, "micro": dict.fromkeys(macro, self.accuracy)}

    def as_dict(self) -> dict[str, Any]:
        """Return all of it for JSON."""
        areas = self.aucs or (None,) * len(self.labels)
        classes = [{**one, "auc": area} for one, area in zip(self.classes(), areas, strict=True)]
        found = {name: getattr(self, name) for name in ("examples", "mistakes", "accuracy", "auc")}
        found |= {"labels": list(self.labels), "confusion": self.confusion.tolist(), "classes": classes}
        return found | self.averages() | {"skipped": self.skipped}


def evaluate(learner: Learner, stream: Stream, *, on_block: Callable[[Block], None] | None = None) -> Evaluation:
    """Let a learner predict a stream, learning nothing; ``on_block`` is called after each block.

    Attributes beyond those that the learner knows count nothing.

    >>> import littlestone as ls
    >>> learner = ls.Perceptron()
    >>> _ = ls.play(learner, ls.teachers.Disjunction(n=20, k=2, trials=500))
    >>> found = evaluate(learner, ls.teachers.Disjunction(n=20, k=2, trials=200, seed=1))
    >>> found.confusion.tolist(), found.accuracy, found.auc
    ([[129, 0], [0, 71]], 1.0, 1.0)
    """
    if learner.labels is None:
        raise InvalidParameter(f"evaluate: expected a learner that has learned something, got {learner!r}")
    known = list(learner.labels)
    confusion, many = np.zeros((len(known), len(known)), dtype=np.int64), False
    ranks = [RankSum() for _ in known]
    for block in stream.blocks():
        labels = block.labels or stream.labels
        if block.outcomes is None or (len(block) and block.outcomes.min() < 0):
            raise InvalidLabel(f"{stream!r}: expected a label for each example, got rows without; predict takes them")
        places = np.zeros(len(labels), dtype=np.int64)
        for c in distinct(block.outcomes).tolist():  # a label that only might have come is no class
            if labels[c] not in known:  # one that the learner has never met comes last
                known.append(labels[c])
            places[c] = known.index(labels[c])
        rows = known_to(learner, replace(block, names=stream.names) if block.names is None else block)
        truth, predicted = places[block.outcomes], _codes(known, learner.predict(rows))
        if len(known) > len(confusion):
            confusion = np.pad(confusion, (0, len(known) - len(confusion)))
            ranks += [RankSum() for _ in range(len(known) - len(ranks))]
        np.add.at(confusion, (truth, predicted), 1)
        activations = learner.activation(rows)
        many = activations.ndim == 2
        if not many:
            ranks[1].add(activations, truth == 1)
        else:
            if activations.shape[1] == 2:  # of two classes the difference decides
                activations = activations - activations[:, ::-1]
            for c, column in enumerate(activations.T):
                ranks[c].add(column, truth == c)
        if on_block is not None:
            on_block(block)
    skipped = int(getattr(stream, "skipped", 0))
    areas = [rank.area() for rank in ranks] if many else [ranks[1].area()] * len(known)
    if many:  # they are in the order in which they came
        order = sorted(range(len(known)), key=lambda c: (isinstance(known[c], str), known[c]))
        known, confusion, areas = [known[c] for c in order], confusion[np.ix_(order, order)], [areas[c] for c in order]
    defined = [area for area in areas if area is not None]
    mean = _ratio(sum(defined), len(defined)) if defined else None
    return Evaluation(tuple(known), confusion, areas[1] if len(known) == 2 else mean, tuple(areas), skipped)


def known_to(learner: Learner, block: Block) -> Block:
    """Return the rows without the attributes that have no weight in a learner with a fixed n.

    It refuses to learn what is beyond its n; when it only predicts, numbers from n on and names that it has not met
    count nothing.

    >>> import littlestone as ls
    >>> rows = Block.from_arrays([[1, 0, 1], [0, 1, 1]])
    >>> known_to(ls.Winnow().begin(2), rows).indices.tolist()
    [0, 1]
    """
    n = learner.n
    if n is None:
        return block
    most = n
    if block.names is not None:
        if learner.vocabulary is None:
            raise InvalidData("expected attributes by number, as the model has learned them, got names")
        block, most = aligned(block, learner.vocabulary)[0], len(learner.vocabulary)
    if max(block.width, block.n_attributes or 0) <= min(n, most):
        return block
    first, last = block.indptr[0], block.indptr[-1]
    kept = block.indices[first:last] < most
    indptr = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(kept)))[block.indptr - first]
    values = None if block.values is None else block.values[first:last][kept]
    names = None if block.names is None else block.names[:most]
    indices = block.indices[first:last][kept]
    return replace(block, indptr=indptr, indices=indices, values=values, names=names, n_attributes=n)


def _codes(known: list[Any], predictions: NDArray[Any]) -> Ints:
    codes = np.zeros(len(predictions), dtype=np.int64)
    for c, label in enumerate(known):
        codes[predictions == label] = c
    return codes


def _ratio(part: Any, whole: Any) -> float:
    return float(part) / float(whole) if whole else 0.0
