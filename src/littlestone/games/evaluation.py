"""Evaluation: what a learner's predictions are worth on examples that it does not learn from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from littlestone.core.arrays import Ints
from littlestone.core.block import Block
from littlestone.core.display import Plotted
from littlestone.core.errors import InvalidData, InvalidLabel, InvalidParameter
from littlestone.core.labels import NUMBERS, distinct
from littlestone.core.messages import shown
from littlestone.games.known import known_to
from littlestone.games.number_evaluation import RegressionEvaluation, evaluate_numbers
from littlestone.games.probabilities import Bin, ProbabilityScores
from littlestone.games.ranking import PrecisionRecall, RankSum
from littlestone.learners import Learner
from littlestone.learners.regressors import Regressor
from littlestone.streams import Stream

__all__ = ["Bin", "Evaluation", "PrecisionRecall", "RankSum", "RegressionEvaluation", "evaluate", "known_to"]

FEW = 12  # classes, of which curves are kept
SCORES = ("log_loss", "brier", "calibration_error")  # of probabilities


@dataclass(frozen=True, eq=False)
class Evaluation(Plotted):
    """How predictions and labels went together; ``confusion`` has a row a label and a column a prediction.

    Examples count once each, whatever their weights. A quotient 0/0 is 0, as in scikit-learn.

    AUC and average precision are of the positive class; of several classes the mean of those that have one. ``aucs``,
    ``average_precisions`` and ``curves`` (precision against recall) are of each class against the rest; curves are kept
    of at most 12 classes, and of two labels that of the positive one. They rank examples by their probabilities, where
    there are any, or else by their activations.

    ``log_loss``, ``brier``, ``calibration_error`` and the bins of ``reliability`` are of probabilities, and None (or
    empty) without them; `littlestone.games.probabilities.ProbabilityScores` says what each is.

    `plot` draws ``kind="precision-recall"``, ``"reliability"`` or ``"confusion"``.

    >>> import littlestone as ls
    >>> table = ls.datasets.messages()
    >>> model = ls.Model.train(table.examples[:1600], table.labels[:1600])
    >>> found = model.evaluate(table.examples[1600:], table.labels[1600:])
    >>> found.labels, found.confusion.tolist()
    (('ham', 'spam'), [[274, 2], [20, 104]])
    >>> round(found.accuracy, 3), round(found.auc, 3)
    (0.945, 0.959)
    """

    labels: tuple[Any, ...]
    confusion: Ints
    auc: float | None = None
    aucs: tuple[float | None, ...] = ()
    skipped: int = 0
    average_precision: float | None = None
    average_precisions: tuple[float | None, ...] = ()
    curves: dict[Any, PrecisionRecall] = field(default_factory=dict, repr=False)
    log_loss: float | None = None
    brier: float | None = None
    calibration_error: float | None = None
    reliability: tuple[Bin, ...] = field(default=(), repr=False)
    reliability_of: Any = None  # the label whose probability is in bins; None: of each example the most probable one

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
        none = (None,) * len(self.labels)
        each = zip(self.classes(), self.aucs or none, self.average_precisions or none, strict=True)
        classes = [{**one, "auc": area, "average_precision": precision} for one, area, precision in each]
        names = ("examples", "mistakes", "accuracy", "auc", "average_precision", *SCORES)
        found = {name: getattr(self, name) for name in names}
        found |= {"labels": list(self.labels), "confusion": self.confusion.tolist(), "classes": classes}
        found["precision_recall"] = [{"label": label} | _plain(curve) for label, curve in self.curves.items()]
        found["reliability"] = [one._asdict() for one in self.reliability]
        return found | self.averages() | {"skipped": self.skipped}


def evaluate(
    learner: Learner,
    stream: Stream,
    *,
    probabilities: Callable[[Block], Any] | None = None,
    decide: Callable[[Any], Any] | None = None,
    on_block: Callable[[Block], None] | None = None,
) -> Any:
    """Let a learner predict a stream, learning nothing; ``on_block`` is called after each block.

    Attributes beyond those that the learner knows count nothing. Of a regressor the result is a
    `littlestone.games.number_evaluation.RegressionEvaluation`, of any other learner an `Evaluation`.

    Parameters
    ----------
    learner : Learner
        It has labels, and predicts rows.
    stream : Stream
        Examples with labels. One that the learner has never met is a class of its own, which is never predicted and
        has the probability 0.
    probabilities : function of a Block, or None
        Returns a row for each example, with the probability of each of ``learner.labels``, in their order. They are
        evaluated too, and examples are ranked by them.
    decide : function of such probabilities, or None
        Returns the position of each prediction among ``learner.labels``. None: the learner predicts.
    on_block : function of a Block, or None
        Called after each block.

    Example
    -------
    >>> import littlestone as ls
    >>> learner = ls.Perceptron()
    >>> _ = ls.play(learner, ls.teachers.Disjunction(n=20, k=2, trials=500))
    >>> found = evaluate(learner, ls.teachers.Disjunction(n=20, k=2, trials=200, seed=1))
    >>> found.confusion.tolist(), found.accuracy, found.auc
    ([[129, 0], [0, 71]], 1.0, 1.0)
    >>> def logistic(rows):
    ...     positive = 1 / (1 + np.exp(-learner.activation(rows)))
    ...     return np.column_stack((1 - positive, positive))
    >>> found = evaluate(learner, ls.teachers.Disjunction(n=20, k=2, trials=200, seed=1), probabilities=logistic)
    >>> found.average_precision, round(found.log_loss, 3), round(found.brier, 3), round(found.calibration_error, 3)
    (1.0, 0.018, 0.002, 0.017)
    """
    if hasattr(learner, "evaluate"):
        raise InvalidParameter(
            f"evaluate: expected a learner, got {learner!r}, which has an evaluate of its own: model.evaluate(rows)"
        )
    if not hasattr(stream, "blocks"):
        raise InvalidData(f"evaluate: expected a stream, got {shown(stream)}; for a file give open(path)")
    if isinstance(learner, Regressor):
        if probabilities is not None or decide is not None:
            raise InvalidParameter(
                f"evaluate: expected no probabilities, for {learner!r} predicts numbers; leave them out"
            )
        return evaluate_numbers(learner, stream, on_block=on_block)
    if learner.labels is None:
        raise InvalidParameter(f"evaluate: expected a learner that has learned something, got {learner!r}")
    if decide is not None and probabilities is None:
        raise InvalidParameter("evaluate: decide: expected probabilities to decide by, got none; give probabilities=")
    found = _Tally(learner)
    for block in stream.blocks():
        labels = block.labels or stream.labels
        if block.outcomes is not None and len(labels) == 0 and len(block):
            raise InvalidLabel(f"{stream!r}: expected labels, got numbers; {NUMBERS}")
        if block.outcomes is None or (len(block) and block.outcomes.min() < 0):
            raise InvalidLabel(f"{stream!r}: expected a label for each example, got rows without; predict takes them")
        truth = found.places(labels, block.outcomes)
        rows = known_to(learner, replace(block, names=stream.names) if block.names is None else block)
        found.add(rows, truth, probabilities, decide)
        if on_block is not None:
            on_block(block)
    return found.evaluation(int(getattr(stream, "skipped", 0)))


class _Tally:
    """What is counted while a learner predicts."""

    def __init__(self, learner: Learner) -> None:
        assert learner.labels is not None
        self.learner, self.known = learner, list(learner.labels)
        self.confusion = np.zeros((len(self.known), len(self.known)), dtype=np.int64)
        self.ranks = [RankSum() for _ in self.known]
        self.scores: ProbabilityScores | None = None
        self.many = len(self.known) != 2

    def places(self, labels: tuple[Any, ...], outcomes: Ints) -> Ints:
        """Return the position of each outcome among the labels that are known, to which new ones are added."""
        places = np.zeros(len(labels), dtype=np.int64)
        for c in distinct(outcomes).tolist():  # a label that only might have come is no class
            if labels[c] not in self.known:  # one that the learner has never met comes last
                self.known.append(labels[c])
            places[c] = self.known.index(labels[c])
        more = len(self.known) - len(self.confusion)
        if more:
            self.confusion = np.pad(self.confusion, (0, more))
            self.ranks += [RankSum() for _ in range(more)]
        return places[outcomes]

    def add(self, rows: Block, truth: Ints, probabilities: Any, decide: Any) -> None:
        """Count a block."""
        scores, codes = None, None
        if probabilities is not None:
            scores = np.asarray(probabilities(rows), dtype=np.float64)
            self.scores = self.scores or self._scores()
            self.scores.add(scores, truth)
            codes = None if decide is None else _decided(decide(scores), scores)
        if codes is None:
            codes = _codes(self.known, self.learner.predict(rows))
        np.add.at(self.confusion, (truth, codes), 1)
        if scores is None:
            scores = self.learner.activation(rows)
            self.many = scores.ndim == 2
            if self.many and scores.shape[1] == 2:  # of two classes the difference decides
                scores = scores - scores[:, ::-1]
        for c, column in enumerate(scores.T) if self.many else [(1, scores if scores.ndim == 1 else scores[:, 1])]:
            self.ranks[c].add(column, truth == c)

    def _scores(self) -> ProbabilityScores:
        """Return the scores of no probabilities yet, and find which of two labels is the positive one."""
        self.many = self.learner.many_classes
        met = list(self.learner.labels or ())
        positive = max(range(len(met)), key=lambda c: _in_order(met[c])) if self.many else 1
        return ProbabilityScores(len(met), positive if len(met) == 2 else None)

    def _order(self) -> list[int]:
        """Return the positions of the labels as they are shown: many classes are kept in the order of their coming."""
        order = list(range(len(self.known)))
        return sorted(order, key=lambda c: _in_order(self.known[c])) if self.many else order

    def evaluation(self, skipped: int) -> Evaluation:
        """Return what was counted."""
        order, size = self._order(), len(self.known)
        if not self.many and size == 2:  # only the positive one was ranked
            self.ranks[0] = self.ranks[1].reversed()
        ranks = [self.ranks[c] for c in order]
        labels, confusion = tuple(self.known[c] for c in order), self.confusion[np.ix_(order, order)]
        areas, precisions = [one.area() for one in ranks], [one.average_precision() for one in ranks]
        drawn = [] if size > FEW else [1] if size == 2 else range(size)
        curves = {labels[c]: ranks[c].curve() for c in drawn}
        found = Evaluation(
            labels,
            confusion,
            auc=areas[1] if size == 2 else _mean(areas),
            aucs=tuple(areas),
            skipped=skipped,
            average_precision=precisions[1] if size == 2 else _mean(precisions),
            average_precisions=tuple(precisions),
            curves={label: curve for label, curve in curves.items() if curve is not None},
        )
        if self.scores is None:
            return found
        told = {name: getattr(self.scores, name) for name in SCORES}
        of = None if self.scores.positive is None else self.known[self.scores.positive]
        return replace(found, reliability=self.scores.reliability(), reliability_of=of, **told)


def _codes(known: list[Any], predictions: NDArray[Any]) -> Ints:
    codes = np.zeros(len(predictions), dtype=np.int64)
    for c, label in enumerate(known):
        codes[predictions == label] = c
    return codes


def _in_order(label: Any) -> tuple[bool, Any]:
    return isinstance(label, str), label


def _decided(codes: Any, probabilities: NDArray[np.float64]) -> Ints:
    """Return decisions as positions among the learner's labels, checked."""
    found = np.asarray(codes)
    rows, labels = probabilities.shape
    if (
        found.shape != (rows,)
        or found.dtype.kind not in "iu"
        or (rows and not 0 <= found.min() <= found.max() < labels)
    ):
        raise InvalidData(
            f"evaluate: decide: expected the position of a label, from 0 to {labels - 1}, for each of {rows} examples, "
            f"got {shown(codes)}"
        )
    return found.astype(np.int64)


def _mean(figures: list[float | None]) -> float | None:
    defined = [one for one in figures if one is not None]
    return sum(defined) / len(defined) if defined else None


def _plain(curve: PrecisionRecall) -> dict[str, list[float | None]]:
    parts = curve._asdict().items()
    return {name: [one if isfinite(one) else None for one in part.tolist()] for name, part in parts}


def _ratio(part: Any, whole: Any) -> float:
    return float(part) / float(whole) if whole else 0.0
