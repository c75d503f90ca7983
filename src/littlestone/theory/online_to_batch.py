"""On-line to batch: one hypothesis from a game on independent examples, and what can be said of its error."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from littlestone import bounds
from littlestone.bounds import Bound
from littlestone.core.arrays import Floats
from littlestone.core.block import Block
from littlestone.core.errors import InvalidData, InvalidParameter
from littlestone.games.game import turns
from littlestone.learners import (
    Bounded,
    Hypothesis,
    Learner,
    ModifiedBalancedWinnow,
    SecondOrderPerceptron,
    VotedPerceptron,
)
from littlestone.learners.knowledge import refuse_numbers

__all__ = ["Average", "Survivor", "average", "longest_survivor"]


class Survivor(NamedTuple):
    """A learner as it was while it was right longest, and the bound on its error.

    >>> import littlestone as ls
    >>> block = next(iter(ls.teachers.Disjunction(n=100, k=3, trials=2000).blocks(2000)))
    >>> found = ls.online_to_batch.longest_survivor(ls.Winnow().begin(100), block)
    >>> found.survived, round(found.error.value, 4)
    (1175, 0.0086)
    """

    learner: Learner
    error: Bound
    survived: int


class _Lives(NamedTuple):
    """Where each hypothesis of a game began, how often it was right before it first erred, and the mistakes in all."""

    begins: list[int]
    survived: list[int]
    mistakes: int


def _played(learner: Learner, block: Block, keep: list[Hypothesis | None] | None) -> _Lives:
    """Play a copy row by row; ``keep`` is given each hypothesis."""
    player = learner.copy()
    begins, survived, alive, start = [0], [0], True, player.mistakes
    updates, mistakes = player.updates, player.mistakes
    if keep is not None:
        keep.append(player.hypothesis())
    for t, _ in enumerate(turns([player], block.split(1))):
        alive &= player.mistakes == mistakes  # who errs and does not change gets no second chance
        survived[-1] += alive
        if player.updates != updates:
            begins.append(t + 1)
            survived.append(0)
            alive = True
            if keep is not None:
                keep.append(player.hypothesis())
        updates, mistakes = player.updates, player.mistakes
    return _Lives(begins, survived, player.mistakes - start)


def _begun(learner: Learner, X: Any, y: ArrayLike | None, owner: str) -> tuple[Learner, Block, NDArray[Any] | None]:
    """Return a copy that knows the labels and the attributes, the rows with their outcomes, and their labels."""
    if not isinstance(learner, Learner):
        raise InvalidParameter(f"{owner}: expected a learner, such as Winnow(), got {learner!r}")
    refuse_numbers(owner, learner)
    moves = learner.averaged or isinstance(learner, VotedPerceptron) or bool(learner.inner)
    if learner.many_classes or moves or getattr(learner, "randomized", False):
        raise InvalidParameter(
            f"{owner}: expected a learner of two classes whose hypothesis changes with its updates only, without "
            f"averages or votes over the trials, without coins, and not made of learners, got {learner!r}"
        )
    block = Block.from_arrays(X)
    if not len(block):
        raise InvalidData(f"{owner}: expected at least one example, got none")
    player = learner.copy()
    probe = player.copy()
    probe.learn(block, y)  # refuses what cannot be learned, and finds out the labels
    player.begin(probe.n, labels=probe.labels if player.labels is None else None, names=probe.vocabulary)
    # An attribute that has not been on yet has a weight too: its hypotheses are as wide as the rows from the first.
    player.width = probe.width
    if y is None:
        return player, block, None
    assert probe.labels is not None
    given = np.asarray(y)
    return player, block.labelled((given == probe.labels[1]).astype(np.int64), probe.labels), given


def longest_survivor(
    learner: Learner, X: Any, y: ArrayLike | None = None, *, delta: float = 0.05, mistakes: int | None = None
) -> Survivor:
    """Return the hypothesis that was right on most examples in a row, with the bound on its error.

    The rows must be drawn independently of each other, and of what the learner has learned before; it is left as it is.
    Averages and votes over the trials, which change with every one of them, and coins are refused. ``mistakes`` is a
    bound that was known before the game, for a learner that changes on mistakes only; None: the hypothesis after j
    changes has a share of delta that falls with j^2. The game is played twice. See `bounds.longest_survivor`,
    `bounds.survivor` and, for how many examples are needed, `bounds.survivor_trials`.

    >>> import littlestone as ls
    >>> stream = ls.teachers.Disjunction(n=100, k=3, trials=2000)
    >>> block = next(iter(stream.blocks(2000)))
    >>> found = longest_survivor(ls.Winnow().begin(100), block)
    >>> found.survived, found.learner.trials
    (1175, 825)
    >>> print(found.error)
    error <= 0.00863499 (Littlestone, longest survivor, no bound known, derived)
    """
    player, block, labels = _begun(learner, X, y, "longest_survivor")
    lives = _played(player, block, None)
    j = int(np.argmax(lives.survived))
    begin, survived = lives.begins[j], lives.survived[j]
    if begin:
        player.learn(block[:begin], None if labels is None else labels[:begin])
    if mistakes is None:
        return Survivor(player, bounds.survivor(changes=j, survived=survived, delta=delta), survived)
    if len(lives.begins) > mistakes + 1:
        raise InvalidParameter(
            f"longest_survivor: expected at most mistakes={mistakes} changes, got {len(lives.begins) - 1}; leave it out"
        )
    return Survivor(player, bounds.longest_survivor(mistakes=mistakes, survived=survived, delta=delta), survived)


class Average:
    """The hypotheses before each trial of a game: their mean prediction, and their vote.

    ``loss`` bounds the absolute loss of `probability`, ``error`` the error of `predict`, with probability 1 - delta:
    `bounds.averaged_risk` and `bounds.voted_risk`. `average` makes it.

    >>> import littlestone as ls
    >>> found = average(ls.Winnow(theta=2), [[1, 1, 0], [0, 1, 1], [1, 0, 0]], [1, 0, 1])
    >>> found.predict([[1, 1, 1]]).tolist(), len(found)
    ([1], 3)
    """

    def __init__(
        self, player: Learner, hypotheses: list[Hypothesis], times: Floats, mistakes: int, delta: float
    ) -> None:
        self._w = np.array([w for w, _ in hypotheses])
        self._theta = np.array([theta for _, theta in hypotheses])
        self._player, self._times, self._tie = player, times, player.tie
        trials = int(times.sum())
        self.loss: Bound = bounds.averaged_risk(trials=trials, mistakes=mistakes, delta=delta)
        self.error: Bound = bounds.voted_risk(trials=trials, mistakes=mistakes, delta=delta)

    def __len__(self) -> int:
        return len(self._w)

    def probability(self, X: Any) -> Floats:
        """Return the share of the hypotheses, by the trials they were played in, that say positive."""
        block = self._player.aligned(X)
        width = self._w.shape[1]
        if block.width > width:
            raise InvalidData(f"Average: expected at most {width} attributes, got {block.width}")
        _check_linear("Average", self._player, block)
        shares = np.empty(len(block))
        for r, (first, last) in enumerate(pairwise(block.indptr.tolist())):
            w = self._w[:, block.indices[first:last]]
            scores = w.sum(axis=1) if block.values is None else w @ block.values[first:last]
            yes = scores >= self._theta if self._tie else scores > self._theta
            shares[r] = self._times[yes].sum() / self._times.sum()
        return shares

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the votes; a tie is the learner's tie."""
        share = self.probability(X)
        positive = (share > 0.5) | ((share == 0.5) & bool(self._tie))
        return self._player.decoded(positive.astype(np.uint8))


def _check_linear(owner: str, learner: Learner, block: Block) -> None:
    """Refuse rows on which a learner's prediction is not that of its hypothesis."""
    diagonal = isinstance(learner, SecondOrderPerceptron) and learner.covariance == "diagonal"
    if diagonal and block.values is not None and (block.values != 1.0).any():
        raise InvalidParameter(f"{owner}: expected rows of zeros and ones, on which alone {learner!r} is linear")
    shares = isinstance(learner, ModifiedBalancedWinnow) and not learner.bias
    if shares and not np.diff(block.indptr).all():
        raise InvalidParameter(f"{owner}: expected no row without attributes, for {learner!r} is not linear on those")


def average(learner: Learner, X: Any, y: ArrayLike | None = None, *, delta: float = 0.05) -> Average:
    """Return the mean of all hypotheses that predicted in a game, with the bounds on its loss and its error.

    The rows must be drawn independently of each other, and of what the learner has learned before; it is left as it
    is. Every hypothesis is kept: so many arrays of weights as there were updates.

    >>> import littlestone as ls
    >>> stream = ls.teachers.Disjunction(n=100, k=3, trials=2000)
    >>> block = next(iter(stream.blocks(2000)))
    >>> found = average(ls.Winnow().begin(100), block)
    >>> len(found), found.probability([[1] * 100]).round(2).tolist()
    (36, [1.0])
    >>> print(found.loss)
    absolute loss <= 0.0448666 (Cesa-Bianchi-Conconi-Gentile, mean of the predictions)
    >>> print(found.error)
    error <= 0.0897333 (Cesa-Bianchi-Conconi-Gentile, vote)
    """
    player, block, _ = _begun(learner, X, y, "average")
    if isinstance(learner, Bounded) and block.names is not None:
        raise InvalidParameter(f"average: expected a learner that keeps every name, got {learner!r}; give arrays")
    kept: list[Hypothesis | None] = []
    lives = _played(player, block, kept)
    found = [hypothesis for hypothesis in kept if hypothesis is not None]
    if len(found) < len(kept):
        raise InvalidParameter(f"average: expected a learner whose hypothesis is linear, got {learner!r}")
    _check_linear("average", player, player.aligned(block))
    times = np.diff([*lives.begins, len(block)]).astype(np.float64)
    return Average(player, found, times, lives.mistakes, delta)
