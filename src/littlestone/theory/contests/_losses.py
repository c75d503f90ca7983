"""Contests of regressors: who may play, and what they are held against."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from littlestone.core.errors import InvalidParameter, LittlestoneError, TooLarge
from littlestone.core.messages import Message, Remedy
from littlestone.core.spelling import meant, split_settings
from littlestone.games.linear import loss_on
from littlestone.games.loss_run import LossRun
from littlestone.learners import Learner
from littlestone.learners.named import learner_of, settings_of
from littlestone.learners.regressors.base import Regressor
from littlestone.learners.regressors.register import REGRESSORS
from littlestone.learners.regressors.register import by_name as regressor_by_name
from littlestone.parts.losses import Loss, square
from littlestone.streams import Stream
from littlestone.teachers.linear import Linear
from littlestone.theory.hindsight.linear import BestWeights, best_weights
from littlestone.theory.hindsight.regret import LossVerdict, belongs, class_of, loss_verdict, price_of

__all__ = ["WORK", "LossJudge", "entrant_of", "of_numbers", "paid_by"]

WORK = 2e10  # multiplications in a search that asks for none: some seconds
Kind = tuple[str, float | None, bool]  # a class, its U, and whether it has the constant coordinate


def entrant_of(text: str, where: str = "contest: ") -> Learner:
    """Return a new learner or regressor by its name and its parameters.

    >>> entrant_of("gradient-descent:X=2"), entrant_of("winnow")
    (GradientDescent(X=2), Winnow())
    """
    word, settings = split_settings(text.strip())
    if meant(word, REGRESSORS) is None:
        return learner_of(text, where=where)
    kind = regressor_by_name(word)
    try:
        return kind(**settings_of(kind, list(settings)))
    except LittlestoneError as error:
        raise InvalidParameter(error.message.after(where)) from error


def of_numbers(entrants: dict[str, list[Learner]], stream: Stream) -> Loss | None:
    """Return the loss that all pay, if all who play are regressors; None: none is.

    It is their own where all have the same, else the square loss of what they predict. Both kinds together are refused,
    and learners of labels where there are none.
    """
    kinds: dict[bool, list[str]] = {True: [], False: []}
    for name, several in entrants.items():
        for one in several:
            kinds[isinstance(one, Regressor)].append(name)
    if kinds[True] and kinds[False]:
        raise InvalidParameter(
            "contest: expected regressors, which predict numbers, or classifiers, which predict labels, got both: "
            f"{kinds[True][0]} and {kinds[False][0]}; let them play apart"
        )
    if kinds[False] and stream.labels == ():
        raise InvalidParameter(
            f"contest: {kinds[False][0]} predicts labels, and the outcomes of {stream!r} are numbers; take regressors, "
            "such as gradient-descent"
        )
    measures = {one.measure for several in entrants.values() for one in several if isinstance(one, Regressor)}
    return None if not measures else measures.pop() if len(measures) == 1 else square()


def paid_by(run: LossRun, measure: Loss) -> LossRun:
    """Return a run as it is by another loss: its theorem, which is about its own loss, says nothing of that."""
    if run.measure == measure:
        return run
    return replace(run, losses=measure(run.errors, np.zeros(len(run.errors))), measure=measure, guarantee=None)


class LossJudge:
    """The weights that runs of regressors are held against, or why there are none."""

    best = None  # of several classes, none is the best of all

    def __init__(self, stream: Stream, how: str, learners: Iterable[Any], measure: Loss) -> None:
        self.how, self.square = how, measure == square()
        target = stream if isinstance(stream, Linear) and stream.shift_every is None else None
        self.target = None if target is None else target.target
        everybody = list(learners)
        priced = [("ridge", price, bool(one.bias)) for one in everybody if (price := price_of(one)) is not None]
        self.kinds: list[Kind] = list(dict.fromkeys([*map(self._kind, everybody), *priced]))
        self.found: dict[Kind, list[BestWeights]] = {kind: [] for kind in self.kinds}
        self.why: Message | None = None

    @staticmethod
    def _kind(learner: Any) -> Kind:
        kind, U = class_of(learner)
        return kind, U, bool(getattr(learner, "bias", True))

    def search(self, source: Stream, trials: int, n: int) -> None:
        """Look for the best weights of each class, unless that takes long; the target of a teacher is one of them."""
        if not self.square:
            self.why = Message("best weights are known for the square loss only")
        elif self.how == "none":
            self.why = Message("no best weights were looked for", Remedy("{hindsight} asks for none", hindsight="none"))
        elif not source.again:
            self.why = Message("the rows came through a pipe and cannot be read again to look for the best weights")
        else:
            self._add_target(source, trials)
            if self.how == "auto" and trials * float(n + 1) ** 2 > WORK:
                self.why = Message(
                    f"no best weights were looked for among {n:,} attributes in {trials:,} rows, which takes long",
                    Remedy("{hindsight} does", hindsight="exact"),
                )
            else:
                self._search(source)

    def _add_target(self, source: Stream, trials: int) -> None:
        """Add the target where it is of a class."""
        if self.target is None:
            return
        loss = loss_on(source, self.target, 0.0, square())
        for (kind, U, _), found in self.found.items():
            if kind != "ridge" and belongs(self.target, kind, U):
                found.append(BestWeights(kind, self.target, 0.0, loss, loss, trials, U))

    def _search(self, source: Stream) -> None:
        for constant in dict.fromkeys(constant for *_, constant in self.kinds):
            asked = [kind for kind in self.kinds if kind[2] == constant]
            try:
                several = best_weights(source, [(kind, U) for kind, U, _ in asked], constant=constant)
            except TooLarge as error:
                if self.how == "exact":
                    raise
                self.why = error.message
                continue
            for kind, found in zip(asked, several, strict=True):
                self.found[kind].append(found)

    def verdict(self, run: LossRun, learner: Any) -> LossVerdict:
        """Return the regret, and the smallest bound that had to hold, or why there is none."""
        kind, price = self._kind(learner), price_of(learner)
        dearer = [] if price is None else self.found["ridge", price, kind[2]]  # than the best, and nearer
        return loss_verdict(learner, run, [*self.found[kind], *dearer], self.why)
