"""The on-line game: the one loop in which learners meet examples."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from littlestone.core.block import Block
from littlestone.core.errors import InvalidData, InvalidLabel, InvalidParameter
from littlestone.core.parameters import check_whole
from littlestone.engine.compiling import clock
from littlestone.learners import Hypothesis, Learner
from littlestone.learners.regressors.base import Regressor
from littlestone.streams import ArrayStream, Stream
from littlestone.streams.base import complete_blocks
from littlestone.teachers import Teacher

if TYPE_CHECKING:
    from littlestone.games.loss_run import LossRun
    from littlestone.games.played import LossPlayed, Played
    from littlestone.games.run import Run, Transcript

__all__ = ["Turn", "play", "play_all", "stream_blocks", "turns"]

OnBlock = Callable[[Learner], None]
Learn = Callable[[Learner, Block], NDArray[Any]]


class Turn(NamedTuple):
    """What happened when one learner played one block."""

    learner: Learner
    block: Block
    predictions: NDArray[Any]  # in the learner's labels
    seconds: float


def turns(learners: Sequence[Learner], blocks: Iterable[Block], learn: Learn | None = None) -> Iterator[Turn]:
    """Let each learner play each block, in turn; yield each turn when it is over. All games go through this loop.

    A block is asked for when the turns before it are over: what comes next may depend on them. One without rows is
    handed on, and no learner is asked about it. ``learn(learner, block)`` takes the place of ``learner.learn(block)``.

    >>> import littlestone as ls
    >>> block = ls.from_arrays([[1, 1, 0], [0, 1, 1], [1, 0, 0]], [1, 0, 1]).block
    >>> [turn.predictions.tolist() for turn in turns([ls.Winnow(), ls.Perceptron()], block.split(2))]
    [[0, 1], [1, 1], [0], [0]]
    """
    for block in blocks:
        for learner in learners:
            started = clock()
            if not len(block):
                predictions = np.zeros(0, dtype=np.uint8)
            else:
                predictions = learner.learn(block) if learn is None else learn(learner, block)
            yield Turn(learner, block, predictions, clock() - started)


@overload
def play(  # type: ignore[overload-overlap]
    learner: Regressor, opponent: Stream | Teacher, *, trials: int | None = None, record: bool = False,
    on_block: OnBlock | None = None, learn: Learn | None = None,
) -> LossRun: ...  # fmt: skip


@overload
def play(
    learner: Learner, opponent: Stream | Teacher, *, trials: int | None = None, record: bool = False,
    on_block: OnBlock | None = None, learn: Learn | None = None,
) -> Run: ...  # fmt: skip


def play(
    learner: Learner,
    opponent: Stream | Teacher,
    *,
    trials: int | None = None,
    record: bool = False,
    on_block: OnBlock | None = None,
    learn: Learn | None = None,
) -> Run | LossRun:
    """Let ``learner`` play against a stream or a teacher, to its end or for ``trials`` trials.

    With ``record`` the run keeps every row, outcome and prediction; ``on_block`` is called with the learner after each
    block (each trial, against a teacher). ``learn(learner, block)``, if it is given, lets the learner learn a block,
    does more on the way, and returns the predictions. The run of a regressor is a `LossRun`.

    >>> import littlestone as ls
    >>> run = ls.play(ls.Winnow(), ls.from_arrays([[1, 1, 0], [0, 1, 1], [1, 0, 0]], [1, 0, 1]))
    >>> run.mistakes, run.mistake_trials.tolist(), run.curve().tolist()
    (3, [0, 1, 2], [1, 2, 3])
    """
    if isinstance(opponent, Teacher):
        if isinstance(learner, Regressor):
            raise InvalidParameter(
                f"play: {type(learner).__name__} predicts numbers, and {type(opponent).__name__} chooses labels; take "
                "a stream, such as teachers.Linear()"
            )
        blocks, source = _asked(_checked(learner), opponent), None
    else:
        blocks, source = stream_blocks([_checked(learner)], opponent), opponent
    run: Run | LossRun = _run([learner], blocks, trials, record, on_block, source, learn)[0]
    return run


def play_all(
    learners: Sequence[Learner], stream: Stream, *, trials: int | None = None, on_block: OnBlock | None = None
) -> list[Any]:
    """Let several learners play the same stream, which is read once; return a run each.

    >>> import littlestone as ls
    >>> stream = ls.teachers.Disjunction(n=200, k=20, trials=500, reading="R1")
    >>> [run.mistakes for run in ls.play_all([ls.Perceptron(), ls.Elimination()], stream)]
    [152, 78]
    """
    if isinstance(learners, Learner) or not isinstance(learners, Sequence):
        raise InvalidParameter(f"play_all: expected a list of learners, got {type(learners).__name__}")
    if len({id(learner) for learner in learners}) < len(learners):
        raise InvalidParameter("play_all: expected different learners, got one of them twice; copy() gives another")
    return _run(
        learners, stream_blocks([_checked(learner) for learner in learners], stream), trials, False, on_block, stream
    )


def _checked(learner: Learner) -> Learner:
    if not isinstance(learner, Learner):
        raise InvalidParameter(f"play: expected a learner, such as Winnow(), got {learner!r}")
    return learner


def stream_blocks(learners: Sequence[Learner], stream: Stream) -> Iterator[Block]:
    """Return a stream's blocks, each with the labels, the names and the size that the stream has.

    The number of attributes is asked for only where a learner cannot begin without it: a file is scanned for it.
    """
    if not isinstance(stream, Stream):
        raise InvalidData(
            f"play: expected a Stream or, for one learner, a Teacher, got {type(stream).__name__}; "
            "for arrays use from_arrays(X, y)"
        )
    return complete_blocks(stream, sized=any(learner.waits_for_n for learner in learners))


class _Score:
    """The counts of one learner in one game."""

    def __init__(self, learner: Learner) -> None:
        self.learner = learner
        self.before = (learner.mistakes, learner.updates, learner.promotions, learner.demotions)
        self.fresh = learner.trials == 0
        self.trials, self.seconds, self.n = 0, 0.0, 0  # n: as the stream says it
        self.mistake_trials: list[NDArray[np.int64]] = []

    def count(self, turn: Turn) -> NDArray[Any]:
        """Count a turn; return its predictions: 0 or 1, of many classes positions in the block's."""
        block, predictions = turn.block, turn.predictions
        if not len(block):
            return predictions
        self.seconds += turn.seconds
        self.n = max(self.n, block.n_attributes or 0)
        assert block.outcomes is not None
        assert block.labels is not None
        if self.learner.many_classes:
            number = {label: i for i, label in enumerate(block.labels)}
            codes = np.array([number.get(label, -1) for label in predictions.tolist()], dtype=np.int64)
            wrong = codes != block.outcomes
        else:
            labels = self.learner.labels
            assert labels is not None
            codes = np.asarray(predictions == labels[1]).view(np.uint8)
            positive = [label == labels[1] for label in block.labels]
            wrong = codes != (block.outcomes if positive == [False, True] else np.array(positive)[block.outcomes])
        tested = getattr(
            self.learner, "tested_rows", None
        )  # a learner that does not test itself on all of them says so
        self.mistake_trials.append(self.trials + np.flatnonzero(wrong if tested is None else wrong & tested))
        self.trials += len(block)
        return codes

    def run(self, transcript: Transcript | None, stream: Stream | None) -> Run:
        from littlestone.games.run import Run

        learner = self.learner
        now = (learner.mistakes, learner.updates, learner.promotions, learner.demotions)
        mistakes, updates, promotions, demotions = (b - a for a, b in zip(self.before, now, strict=True))
        trials = np.concatenate(self.mistake_trials) if self.mistake_trials else np.zeros(0, dtype=np.int64)
        return Run(
            repr(learner), self.trials, mistakes, updates, promotions, demotions, trials, self.seconds,
            learner.guarantee, transcript, self._played(stream),
        )  # fmt: skip

    def _played(self, stream: Stream | None) -> Played | None:
        """Return what a certificate of this game needs; no learner that goes on learning is in it."""
        from littlestone.games.played import Played

        learner, machine = self.learner, self.learner.machine
        if machine is None or learner.labels is None:
            return None
        n = (learner.n or self.n or machine.size) * (2 if learner.negations else 1)
        theorem = learner.guarantee
        return Played(
            repr(learner), machine.rule, n, learner.negations,
            None if theorem is None else theorem.name, learner.labels, self.fresh, stream,
            None if machine.table is None else machine.table.factors,
        )  # fmt: skip


class _LossScore:
    """The losses of one regressor in one game."""

    def __init__(self, learner: Regressor) -> None:
        self.learner = learner
        self.before = (learner.updates, learner.promotions, learner.demotions)
        self.fresh = learner.trials == 0
        self.trials, self.seconds, self.n = 0, 0.0, 0  # n: as the stream says it
        self.losses: list[NDArray[np.float64]] = []
        self.errors: list[NDArray[np.float64]] = []  # predictions less outcomes

    def count(self, turn: Turn) -> NDArray[Any]:
        """Count a turn; return its predictions."""
        block, predictions = turn.block, turn.predictions
        if not len(block):
            return np.zeros(0)
        self.seconds += turn.seconds
        self.n = max(self.n, block.n_attributes or 0)
        outcomes = self.learner.outcomes(block)
        self.losses.append(self.learner.losses(predictions, outcomes))
        self.errors.append(predictions - outcomes)
        self.trials += len(block)
        return predictions

    def run(self, transcript: Transcript | None, stream: Stream | None) -> LossRun:
        from littlestone.games.loss_run import LossRun

        learner = self.learner
        now = (learner.updates, learner.promotions, learner.demotions)
        updates, promotions, demotions = (b - a for a, b in zip(self.before, now, strict=True))
        return LossRun(
            repr(learner), self.trials, updates, promotions, demotions, _joined(self.losses), _joined(self.errors),
            self.seconds, learner.measure, learner.guarantee, transcript, stream, self._played(stream),
        )  # fmt: skip

    def _played(self, stream: Stream | None) -> LossPlayed | None:
        """Return what a certificate of this game needs; no learner that goes on learning is in it."""
        from littlestone.games.played import LossPlayed

        learner, machine = self.learner, self.learner.machine
        if machine is None:
            return None
        n = learner.n or self.n or len(learner.vocabulary or ()) or machine.size
        return LossPlayed(
            repr(learner), type(learner).__name__, learner.params(), str(learner.measure), n, self.fresh, stream
        )


def _joined(parts: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    return np.concatenate(parts) if parts else np.zeros(0)


def _run(
    learners: Sequence[Learner], blocks: Iterator[Block], trials: int | None, record: bool, on_block: OnBlock | None,
    stream: Stream | None, learn: Learn | None = None,
) -> list[Any]:  # fmt: skip
    if trials is not None:
        trials = check_whole("play", "trials", trials, least=0)
    if on_block is not None and not callable(on_block):
        raise InvalidParameter(f"play: on_block must be a function of the learner, got {on_block!r}")
    scores = {
        learner: _LossScore(learner) if isinstance(learner, Regressor) else _Score(learner) for learner in learners
    }
    kept: list[Block] = []
    shown: list[NDArray[Any]] = []
    for turn in turns(learners, _limited(blocks, trials), learn):
        codes = scores[turn.learner].count(turn)
        if record:
            kept.append(turn.block)
            shown.append(codes)
        if on_block is not None:
            on_block(turn.learner)
    predictions = np.concatenate(shown) if shown else np.zeros(0, dtype=np.uint8)
    from littlestone.games.run import Transcript

    transcript = Transcript(tuple(kept), predictions) if record else None
    source = ArrayStream(Block.joined(kept)) if kept else stream
    return [score.run(transcript, source) for score in scores.values()]


def _limited(blocks: Iterator[Block], trials: int | None) -> Iterator[Block]:
    """Yield blocks until ``trials`` rows have come, and ask for no more."""
    left = trials
    while left is None or left > 0:
        block = next(blocks, None)
        if block is None:
            return
        part = block if left is None else block[:left]
        yield part
        left = None if left is None else left - len(part)


class _View:
    """A learner as its teacher may see it."""

    def __init__(self, learner: Learner) -> None:
        self._learner = learner

    @property
    def trials(self) -> int:
        return self._learner.trials

    def predict(self, row: ArrayLike) -> int:
        # By the activation, not by predict: labels may not be known yet.
        activation = self.activation(row)
        return int(activation > 0.0 or (activation == 0.0 and self._learner.tie == 1))

    def activation(self, row: ArrayLike) -> float:
        activation = self._learner.activation(np.atleast_2d(np.asarray(row)))[0]
        return float(activation[1] - activation[0] if np.ndim(activation) else activation)  # of two classes

    def hypothesis(self) -> Hypothesis | None:
        return self._learner.hypothesis()


def _asked(learner: Learner, teacher: Teacher) -> Iterator[Block]:
    """Yield what the teacher answers, one row at a time."""
    if learner.trials == 0:
        learner.begin(teacher.n_attributes, labels=learner.labels or (0, 1))
    view = _View(learner)
    teacher.begin(view)
    while (answer := teacher.trial(view)) is not None:
        row, outcome = answer
        if outcome not in (0, 1):
            raise InvalidLabel(f"{type(teacher).__name__}: trial {view.trials}: expected 0 or 1, got {outcome!r}")
        yield Block.from_arrays(np.atleast_2d(row)).labelled([int(outcome)], learner.labels or (0, 1))
