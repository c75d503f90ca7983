"""Training: a model, or a learner alone, led through passes of a stream, some examples held out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import ceil, inf
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from littlestone.core.block import Block
from littlestone.core.errors import InvalidData, InvalidLabel, InvalidParameter, UnknownSize
from littlestone.core.labels import plain
from littlestone.core.messages import Blank, Remedy
from littlestone.core.parameters import check_whole
from littlestone.games.game import Turn, stream_blocks, turns
from littlestone.games.linear import outcomes_of
from littlestone.learners import Learner
from littlestone.models.model import Model
from littlestone.models.outcomes import Paid
from littlestone.streams import Stream

if TYPE_CHECKING:
    from littlestone.bounds import Bound
    from littlestone.learners.regressors import Regressor

__all__ = ["Last", "Schedule", "Training", "stated_bound"]

GIVE_N = Remedy(
    "give a learner that was told, such as Winnow().begin(n), or set the parameters that depend on it, such as theta",
    typed="give {attributes}, or --set the parameters that depend on it, such as theta",
    attributes=Blank(),
)
PAID = tuple(f"paid_{name}" for name in Paid._fields)  # in what was before
COUNTS = ("trials", "mistakes", "updates", "promotions", "demotions")


class Schedule:
    """Numbers of examples at which something is due: every N, or N times as many each time.

    ``step`` is a whole number (10: at 10, 20, 30, ...) or a float (2.0: at 1, 2, 4, 8, ...), as Vowpal Wabbit's -P has
    it; from ``steady`` on, numbers that grow by a factor come every ``steady`` examples.

    >>> schedule = Schedule.of("2.0")
    >>> [schedule.after(count) for count in (0, 1, 2, 5, 8)]
    [1, 2, 4, 8, 16]
    >>> Schedule(100).after(250), Schedule(2.0, steady=1000).after(2000)
    (300, 3000)
    """

    def __init__(self, step: float, *, steady: int | None = None) -> None:
        if not 1 <= step < float("inf") or (step == 1.0 and isinstance(step, float)):
            raise InvalidParameter(f"Schedule: expected a whole number >= 1 or a factor > 1.0, got {step!r}")
        self.step, self.steady = step, steady

    @classmethod
    def of(cls, text: str) -> Schedule:
        """Return what a word says: "100" every 100, "2.0" twice as many each time."""
        try:
            return cls(int(text)) if text.isdigit() else cls(float(text))
        except ValueError:
            raise InvalidParameter(
                f"expected every how many examples (100), or by which factor more (2.0), got {text!r}"
            ) from None

    def after(self, count: int) -> int:
        """Return the next number that is due after ``count`` examples."""
        if isinstance(self.step, int):
            return (count // self.step + 1) * self.step
        if self.steady is not None and count >= self.steady:
            return (count // self.steady + 1) * self.steady
        due = 1
        while due <= count:
            due = max(due + 1, ceil(due * self.step))
        return due


HELD = Schedule(2.0, steady=8192)  # when the examples held out since the last time are scored


@dataclass(frozen=True)
class Last:
    """The last example of some that were played: its label or number, the prediction, and how many attributes were on.

    >>> from littlestone.models.training import Last
    >>> Last(label="spam", predicted="ham", features=7).predicted
    'ham'
    """

    label: Any
    predicted: Any
    features: int


class Training:
    """A model's way through a stream: `steps` leads it on, and the counts say where it is.

    Parameters
    ----------
    player : Model or Learner
        It may have learned before; the counts here are those of this training. A learner alone becomes a model that
        neither scales nor has probabilities.
    stream : Stream
        For more than one pass it must be one that can be read again.
    passes : int >= 1
    holdout : int >= 2, or None
        Of each pass, every so many-th example is not learned from. It is scored soon after, by the learner as it is
        after 1, 2, 4, ..., 8192, 16384, 24576, ... examples, and at the end of a pass.
    trials : int >= 1, or None
        Of each pass, only the first so many examples.

    Example
    -------
    >>> import littlestone as ls
    >>> training = Training(ls.Winnow(), ls.teachers.Disjunction(n=50, k=3, trials=1000), holdout=10)
    >>> for _ in training.steps():
    ...     pass
    >>> training.examples, training.learned, training.mistakes, training.held, training.held_mistakes
    (1000, 900, 23, 100, 1)
    """

    def __init__(
        self,
        player: Model | Learner,
        stream: Stream,
        *,
        passes: int = 1,
        holdout: int | None = None,
        trials: int | None = None,
    ) -> None:
        if not isinstance(player, Model | Learner) or not isinstance(stream, Stream):
            raise InvalidParameter(
                f"Training: expected a model or a learner, and a stream, got {player!r} and {stream!r}"
            )
        self.model, self.stream = player if isinstance(player, Model) else Model(player), stream
        self.on_turn: Callable[[Turn], None] | None = None  # called with what was predicted, and learned
        self.passes = check_whole("Training", "passes", passes)
        self.holdout = None if holdout is None else check_whole("Training", "holdout", holdout, least=2)
        self.trials = None if trials is None else check_whole("Training", "trials", trials)
        if self.passes > 1 and not stream.again:
            raise InvalidParameter(
                f"Training: expected a file for {passes} passes, got {stream!r}, which can be read only once"
            )
        self.passed = self.row = self.examples = self.held = self.held_mistakes = 0
        self.held_paid = Paid()  # of numbers, in place of mistakes
        self.before = _counts(self.model)
        self.features, self.weight = 0, 0.0
        self.last: Last | None = None
        self.last_held: Last | None = None
        self.settled = True  # no example that was held out waits to be scored
        self.whole = True  # and none of a block waits to be played
        self._waiting: list[Block] = []
        self._piece: Block  # the one that is played

    @property
    def learner(self) -> Learner:
        """The learner of the model."""
        return self.model.learner

    @property
    def learned(self) -> int:
        """How many examples were learned from."""
        return int(self.learner.trials - self.before["trials"])

    @property
    def mistakes(self) -> int:
        """How many of these were predicted wrongly before they were learned; of numbers see `paid`."""
        return int(_counts(self.model)["mistakes"] - self.before["mistakes"])

    @property
    def paid(self) -> Paid:
        """What the predictions of these numbers have cost, each made before it was learned."""
        return self.model.paid.since(Paid(*(self.before[name] for name in PAID)))

    @property
    def updates(self) -> int:
        """How often the learner was updated."""
        return int(self.learner.updates - self.before["updates"])

    @property
    def finished(self) -> bool:
        """Whether all passes are over."""
        return self.passed >= self.passes

    def steps(self, due: Schedule | None = None) -> Iterator[bool]:
        """Play on; yield after each block, and after exactly the examples that are ``due`` (then True)."""
        if self.passed:
            _ = self.stream.n_attributes  # by the end of the first pass it was known
        while not self.finished:
            yield from self._pass(due)

    def cut(self) -> None:
        """Say that a pipe was not read to its end: what was held out is scored, and the pass is not over."""
        self._score()
        self.passed, self.row = 0, self.examples

    def _pass(self, due: Schedule | None) -> Iterator[bool]:
        player = cast("Learner", _Player(self.model))
        try:
            for turn in turns([player], self._pieces(due)):
                self._count(turn)
                if self.on_turn is not None:
                    self.on_turn(turn)
                yield due is not None and due.after(self.examples - 1) == self.examples
        except UnknownSize as error:
            name = getattr(self.stream, "name", None) or repr(self.stream)
            problem = "the number of attributes is not known before the rows are read"
            raise UnknownSize(f"{name}: {problem}, and {self.learner!r} needs to know", GIVE_N) from error
        self._score()
        self.passed, self.row = self.passed + 1, 0
        yield False

    def _pieces(self, due: Schedule | None) -> Iterator[Block]:
        """Yield what is to be learned, in pieces that end where something is due; those held out are set aside."""
        at = 0
        for whole in stream_blocks([self.learner], self.stream):
            if self.trials is not None and at >= self.trials:
                break
            if whole.outcomes is None:
                raise InvalidLabel(f"{self.stream!r}: expected labels to learn from, got rows without")
            learner = self.learner
            if learner.many_classes and learner.needs_n and learner.waits_for_n and whole.n_attributes:
                learner.begin(whole.n_attributes)  # it is told of its labels before it is given rows
            part = whole if self.trials is None else whole[: self.trials - at]
            at += len(part)
            block = part[max(0, len(part) - max(0, at - self.row)) :]  # what was played before a stop is passed over
            while len(block):
                schedules = (due, HELD if self.holdout else None)
                stops = [schedule.after(self.examples) - self.examples for schedule in schedules if schedule]
                self._piece = block[: min([len(block), *stops])]
                block = block[len(self._piece) :]
                self.whole = len(block) == 0
                yield self._learnable(self._piece)
        if at < self.row:
            raise InvalidData(f"{self.stream!r}: expected at least {self.row} examples, got {at}; is it another one?")

    def _learnable(self, piece: Block) -> Block:
        """Return the rows to be learned from; the others wait to be scored."""
        if not self.holdout:
            return piece
        out = (np.arange(self.row, self.row + len(piece)) + 1) % self.holdout == 0
        if out.any():
            self._waiting.append(piece.taken(np.flatnonzero(out)))
            self.settled = False
        return piece.taken(np.flatnonzero(~out))

    def _count(self, turn: Turn) -> None:
        if len(turn.block):
            self.last = _last(turn.block, turn.predictions)
        piece = self._piece
        self.row += len(piece)
        self.examples += len(piece)
        self.features += int(piece.indptr[-1] - piece.indptr[0])
        self.weight += len(piece) if piece.weights is None else float(piece.weights.sum())
        if self.holdout and HELD.after(self.examples - 1) == self.examples:
            self._score()

    def _score(self) -> None:
        """Score the examples that were held out since the last time."""
        for block in self._waiting:
            predictions = self.model.predict_block(block)
            assert block.labels is not None
            self.held += len(block)
            if self.model.outcomes is not None:
                y = outcomes_of(block)
                measure = cast("Regressor", self.learner).measure
                losses = self.model.outcomes.losses(predictions, y, measure)
                self.held_paid = self.held_paid.more(predictions, y, losses)
                self.last_held = _last(block, predictions)
                continue
            self.held_mistakes += int(np.count_nonzero(predictions != np.array(block.labels)[block.outcomes]))
            self.last_held = _last(block, predictions)
        self._waiting, self.settled = [], True


class _Player:
    """A model as the one loop of games has its learners."""

    def __init__(self, model: Model) -> None:
        self.learn = model.learn_block


def stated_bound(learner: Learner, k: int | None = None) -> Bound | None:
    """Return the bound on a learner's mistakes if its labels are those of a disjunction of ``k`` attributes.

    Without ``k`` there is one only where the theorem is about no target, or the learner knows its own.

    >>> import littlestone as ls
    >>> learner = ls.Winnow().begin(100)
    >>> stated_bound(learner), stated_bound(learner, 10).value
    (None, 211)
    >>> print(stated_bound(ls.Winnow.for_disjunctions(n=100, k=10)))
    mistakes <= 82.6886 if a disjunction of k = 10 attributes gives the labels (Auer-Warmuth, Winnow)
    """
    from littlestone.bounds import Bound, OpenBound

    bound = learner.guarantee
    if isinstance(bound, OpenBound):
        number = {"k": k, "errors": 0}.get(bound.free)
        try:
            bound = None if k is None or number is None else bound.at(**{bound.free: number})
        except InvalidParameter:  # such as more attributes than there are
            bound = None
    if not isinstance(bound, Bound) or bound.kind != "upper" or bound.value == inf:  # a void one has no number
        return None
    return bound


def _counts(model: Model) -> dict[str, Any]:
    """Return the counts of a model's learner or, of one that learns numbers, what it has paid instead of mistakes."""
    if model.outcomes is None:
        return {name: getattr(model.learner, name) for name in COUNTS}
    counts = {name: getattr(model.learner, name) for name in COUNTS if name != "mistakes"}
    return {**counts, "mistakes": 0, **dict(zip(PAID, model.paid, strict=True))}


def _last(block: Block, predictions: NDArray[Any]) -> Last:
    assert block.labels is not None
    assert block.outcomes is not None
    label = block.outcomes[-1].item() if block.is_numbered else block.labels[block.outcomes[-1]]
    return Last(label, plain(predictions[-1]), int(block.indptr[-1] - block.indptr[-2]))
