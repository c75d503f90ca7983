"""Calibration: probabilities for any learner, from the scores it gives rows before it learns them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from littlestone.core.arrays import Floats, Ints, State
from littlestone.core.block import Block
from littlestone.core.errors import InvalidModel
from littlestone.engine.learning import calibration as engine
from littlestone.learners import Auto, Learner

__all__ = ["Calibration"]

FAR = 8.0  # usual sizes: where scores are held
MOST = 1e290  # a size that can be added up
EVERY = 128  # so many rows are looked at, and of each doubling after them half as many
NOTHING_KNOWN = np.zeros(0, dtype=np.int32)
NO_WEIGHTS = np.zeros(0)
# Where theta begins, and how sure that is: of what both combinations of Auto say; of any other learner's activation,
# up to its usual size and beyond. The last is the constant.
OF_AUTO = ((1.0, 1.0, 0.0), (0.3, 0.3, 1.0))
OF_OTHERS = ((2.0, 0.3, 0.0), (0.3, 2.0, 1.0))


class Calibration:
    """Probabilities of labels, calibrated on-line: a logistic model of a learner's scores, a step after each row.

    A row is scored before it is learned, so that the probabilities are those of rows that the learner does not know.
    `Auto` tells what its two combinations said of every row on the way. Any other learner is asked for its activation,
    in units of its mean size, at the first 128 rows and then at 64 of each doubling: which ones depends on their
    numbers alone, so that the bits do not depend on blocks. (The steps are those of `littlestone.engine.learning.
    calibration`.)

    Where the learner predicts another label than the most probable one, both get the mean of their probabilities: no
    prediction looks less probable than another label.

    >>> import littlestone as ls
    >>> learner, calibration = ls.Perceptron(), Calibration()
    >>> for block in ls.teachers.Disjunction(n=20, k=3, trials=400, noise=0.1).blocks():
    ...     _ = calibration.learn(learner, block)
    >>> rows = ls.from_arrays([[1, 1, 0] + 17 * [0], 20 * [0]], [1, 0]).block
    >>> calibration.probabilities(learner, rows).round(2).tolist()
    [[0.22, 0.78], [0.58, 0.42]]
    """

    def __init__(self, *, of_auto: bool = False) -> None:
        start, sure = OF_AUTO if of_auto else OF_OTHERS
        self.of_auto = of_auto
        self.theta, self.precision = np.array(start), np.diag(sure)
        self.size, self.seen = 0.0, 0  # the sum of the sizes of the scores that were looked at, and their number

    @classmethod
    def of(cls, learner: Learner) -> Self:
        """Return the calibration with which a learner begins."""
        return cls(of_auto=isinstance(learner, Auto))

    def copy(self) -> Self:
        """Return an independent copy."""
        return self.from_state(self.state())

    # The game

    def learn(self, learner: Learner, block: Block) -> NDArray[Any]:
        """Let a learner learn rows, with their labels; learn the probabilities on the way. Return its predictions."""
        if isinstance(learner, Auto):
            predictions, said, known = learner.learn_heard(block)
            self._learn(said, known, learner.outcomes(block), block.weights)
            return predictions
        rows = _looked_at(learner.trials, len(block))
        if not len(rows):
            return learner.learn(block)
        player = learner
        if learner.refuses_late:
            player = learner.copy()  # what it might refuse late is not to leave the learner half-way
        else:
            learner.check(block)
        predictions, scores = self._played(player, block, rows)
        if player is not learner:
            learner.become(player)
        known = np.array([len(score) for score in scores], dtype=np.int64)
        middles, halves = np.array([_spread(score) for score in scores]).T
        sizes = np.cumsum(np.append(self.size, halves))
        before = sizes[:-1] / np.maximum(self.seen + np.arange(len(rows)), 1)
        wide = np.zeros((len(rows), max(2, int(known.max()))))
        for row, score in zip(wide, scores, strict=True):
            row[: len(score)] = score
        self.size, self.seen = float(sizes[-1]), self.seen + len(rows)
        weights = None if block.weights is None else block.weights[rows]
        self._learn(_parts(wide, middles, before), known, learner.outcomes(block)[rows], weights)
        return predictions

    @staticmethod
    def _played(player: Learner, block: Block, rows: Ints) -> tuple[NDArray[Any], list[Floats]]:
        """Let a learner play a block; return its predictions, and its score of each class at some rows, before them."""
        told, scores = [], []
        before = 0
        for at in rows.tolist():
            if at > before:
                told.append(player.learn(block[before:at]))
            scores.append(_scores(player, block[at : at + 1])[0])
            before = at
        told.append(player.learn(block[before:]))
        return np.concatenate(told), scores

    def _learn(self, said: Floats, known: Ints, outcomes: NDArray[Any], weights: Floats | None) -> None:
        out = np.zeros((len(said), said.shape[2]))
        importance = NO_WEIGHTS if weights is None else np.asarray(weights, dtype=np.float64)
        codes = np.asarray(outcomes, dtype=np.int32)
        engine.calibrate(said, known, codes, importance, self.theta, self.precision, out)

    # Asked

    def probabilities(self, learner: Learner, block: Block) -> Floats:
        """Return the probability of each of the learner's labels (columns) for each row; nothing changes."""
        labels = learner.labels or ()
        scores = learner.said(block) if isinstance(learner, Auto) else self._asked(_scores(learner, block))
        out = np.zeros((len(block), scores.shape[2]))
        known = np.full(len(block), min(scores.shape[2], max(len(labels), 1)), dtype=np.int64)
        engine.calibrate(scores, known, NOTHING_KNOWN, NO_WEIGHTS, self.theta, self.precision.copy(), out)
        return _agreeing(out[:, : max(len(labels), 1)], learner.predict(block), labels)

    def _asked(self, scores: Floats) -> Floats:
        middles = np.array([_spread(score)[0] for score in scores] if scores.shape[1] > 2 else np.zeros(len(scores)))
        return _parts(scores, middles, np.full(len(scores), self.size / max(self.seen, 1)))

    # Written down

    def state(self) -> State:
        """Return all of it as arrays."""
        numbers = np.array([self.of_auto, self.size, self.seen])
        return {"theta": self.theta.copy(), "precision": self.precision.copy(), "sizes": numbers}

    @classmethod
    def from_state(cls, state: Mapping[str, NDArray[Any]]) -> Self:
        """Go on from what `state` gave; refuse what no game leads to."""
        theta, precision, numbers = (np.asarray(state[name]) for name in ("theta", "precision", "sizes"))
        sound = all(part.dtype == np.float64 and np.isfinite(part).all() for part in (theta, precision, numbers))
        if not sound or (theta.shape, precision.shape, numbers.shape) != ((3,), (3, 3), (3,)):
            raise InvalidModel("calibration: expected theta, its precision and three numbers, got others")
        of_auto, size, seen = numbers.tolist()
        made = cls(of_auto=bool(of_auto))
        held = bool((np.abs(theta) <= engine.LARGEST).all()) and of_auto in (0.0, 1.0) and size >= 0.0 <= seen
        least = np.linalg.eigvalsh(precision - made.precision * 0.5)[0] if (precision == precision.T).all() else -1.0
        if not held or least < 0.0 or seen % 1:
            raise InvalidModel("calibration: expected the numbers of a game, got others")
        made.theta, made.precision, made.size, made.seen = theta.copy(), precision.copy(), size, int(seen)
        return made


def _looked_at(first: int, count: int) -> Ints:
    """Return which of ``count`` rows are looked at, the first of which is the learner's trial ``first``.

    >>> _looked_at(254, 10).tolist(), len(_looked_at(0, 1024)), len(_looked_at(0, 2048))
    ([0, 1, 2, 4, 6, 8], 512, 640)
    """
    rows = np.arange(first, first + count)
    doublings = np.floor(np.log2(np.maximum(rows, EVERY) / EVERY)).astype(np.int64)
    step = np.where(rows < EVERY, 1, 2 << doublings)
    return np.flatnonzero(rows % step == 0)


def _scores(learner: Learner, block: Block) -> Floats:
    """Return the score of each label for each row: of two labels -a and a, where a is the activation."""
    activations = learner.activation(block)
    if activations.ndim == 1:
        return np.stack((-activations, activations), axis=1)
    if activations.shape[1] == 2:  # the difference decides
        return 0.5 * (activations - activations[:, ::-1])
    return activations if activations.shape[1] else np.zeros((len(activations), 1))


def _spread(scores: Floats) -> tuple[float, float]:
    """Return the middle of the best two scores of a row, and how far they are from it: of -a and a, 0 and abs(a)."""
    if len(scores) < 2:
        return float(scores[0]), 0.0
    second, best = sorted(scores.tolist())[-2:]
    return 0.5 * second + 0.5 * best, min(0.5 * best - 0.5 * second, MOST)


def _parts(scores: Floats, middles: Floats, sizes: Floats) -> Floats:
    """Return scores (rows, classes) in units of their usual size: what is within one of it, and what is beyond."""
    spread = np.where(sizes > 0.0, sizes, np.inf)[:, np.newaxis]
    with np.errstate(over="ignore", invalid="ignore"):
        units = np.nan_to_num(np.clip((scores - middles[:, np.newaxis]) / spread, -FAR, FAR))
    within = np.clip(units, -1.0, 1.0)
    return np.ascontiguousarray(np.stack((within, units - within), axis=1))


def _agreeing(shares: Floats, predictions: NDArray[Any], labels: tuple[Any, ...]) -> Floats:
    """Return shares in which no label has a larger one than that which is predicted."""
    if len(labels) < 2 or not len(shares):
        return shares
    predicted = np.zeros(len(shares), dtype=np.int64)
    for code, label in enumerate(labels):
        predicted[predictions == label] = code
    rows, top = np.arange(len(shares)), shares.argmax(axis=1)
    other = np.flatnonzero(shares[rows, top] > shares[rows, predicted])
    both = 0.5 * (shares[other, top[other]] + shares[other, predicted[other]])
    shares[other, top[other]] = shares[other, predicted[other]] = both
    return shares
