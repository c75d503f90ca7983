"""Calibration: probabilities for any learner, from the scores it gives rows before it learns them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from littlestone.core.arrays import Floats, Ints, State
from littlestone.core.block import LARGEST_VALUE, Block
from littlestone.core.errors import InvalidModel, LittlestoneError
from littlestone.core.labels import plain
from littlestone.core.names import one_block
from littlestone.engine.learning import calibration as engine
from littlestone.learners import Auto, Learner
from littlestone.machines.hearing import Looking

__all__ = ["Calibration"]

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

    Of two labels, the probability never falls where the activation rises. What the learner predicts is always the most
    probable label: where another one would be, both get the mean of their probabilities, and the predicted one 1e-12
    of it more.

    >>> import littlestone as ls
    >>> learner, calibration = ls.Perceptron(), Calibration()
    >>> for block in ls.teachers.Disjunction(n=20, k=3, trials=400, noise=0.1).blocks():
    ...     _ = calibration.learn(learner, block)
    >>> rows = ls.from_arrays([[1, 1, 0] + 17 * [0], 20 * [0]], [1, 0]).block
    >>> calibration.probabilities(learner, rows).round(2).tolist()
    [[0.23, 0.77], [0.57, 0.43]]
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

    def learn(self, learner: Learner, block: Block, y: NDArray[Any] | None = None) -> NDArray[Any]:
        """Let a learner learn rows; learn the probabilities on the way. Return its predictions.

        ``y`` are the labels, where the block has none. A refusal changes nothing.
        """
        if isinstance(learner, Auto):
            return self._heard(learner, block, y)[0]
        rows = _looked_at(learner.trials, len(block))
        if not len(rows):
            return learner.learn(block, y)
        weights = None if block.weights is None else block.weights[rows]
        predictions, scores = self._looked_on(learner, block, y, rows)
        self._look(scores, learner.outcomes(block, y)[rows], weights)
        return predictions

    def learn_asked(self, learner: Learner, block: Block) -> tuple[NDArray[Any], Floats]:
        """Do what `learn` does; return also what `probabilities` says of each row before it is learned.

        There is a column for each label that is known in the end.
        """
        first = learner.trials
        if isinstance(learner, Auto):
            predictions, shares = self._heard(learner, block, None)
        elif _asks_machine(learner):
            return self._learn_asked_two(learner, block)
        else:
            predictions, scores = self._looked_on(learner, block, None, np.arange(len(block)))
            wide, known = _widened(scores)
            shares, start, outcomes = np.zeros(wide.shape), 0, learner.outcomes(block)
            for at in _looked_at(first, len(block)).tolist():
                part, one = slice(start, at + 1), slice(at, at + 1)
                shares[part] = self._shares(wide[part], known[part])
                self._look(scores[one], outcomes[one], None if block.weights is None else block.weights[one])
                start = at + 1
            shares[start:] = self._shares(wide[start:], known[start:])
        labels = learner.labels or ()
        return predictions, _agreeing(shares[:, : max(len(labels), 1)], predictions, labels)

    def _learn_asked_two(self, learner: Learner, block: Block) -> tuple[NDArray[Any], Floats]:
        """Do the same for a learner of two labels that has activations, in one step after it has learned."""
        trial, looking = learner.trials, Looking(np.arange(len(block)))
        predictions = learner.learn_looked_at(block, looking)
        labels = learner.labels or ()
        same = block.labels == labels and block.outcomes is not None
        outcomes = np.asarray(block.outcomes if same else learner.outcomes(block), dtype=np.uint8)
        weights = NO_WEIGHTS if block.weights is None else np.asarray(block.weights, dtype=np.float64)
        sizes, shares = np.array([self.size, self.seen]), np.zeros((len(block), 2))
        said = (predictions == labels[-1]).astype(np.uint8)
        heard = looking.activations()
        engine.calibrate_two(heard, trial, outcomes, said, weights, sizes, self.theta, self.precision, shares)
        self.size, self.seen = float(sizes[0]), int(sizes[1])
        return predictions, shares

    def _heard(self, learner: Auto, block: Block, y: NDArray[Any] | None) -> tuple[NDArray[Any], Floats]:
        """Let Auto learn rows, and learn from what it said; return its predictions, and the shares before each row."""
        predictions, said, known = learner.learn_heard(block, y)
        return predictions, self._learn(said, known, learner.outcomes(block, y), block.weights)

    def _looked_on(
        self, learner: Learner, block: Block, y: NDArray[Any] | None, rows: Ints
    ) -> tuple[NDArray[Any], Floats | list[Floats]]:
        """Let a learner learn a block; return its predictions, and its scores of some rows, each before it is learned.

        A refusal changes nothing.
        """
        if _asks_machine(learner):
            looking = Looking(rows)
            predictions = learner.learn_looked_at(block, looking, y)
            a = looking.activations()
            return predictions, np.stack((-a, a), axis=1)
        player = learner
        in_pieces = len(rows) > 0 and bool(rows[-1] > 0)  # else all rows are learned at once, or none
        tests_rows = hasattr(learner, "tested_rows")  # which are to be those of the whole block, not of its last piece
        if in_pieces and (learner.refuses_late or tests_rows):
            player = learner.copy()  # what it might refuse late is not to leave the learner half-way
        elif in_pieces:
            learner.check(block, y)
        try:
            predictions, scores = self._played(player, block, y, rows)
        except LittlestoneError:
            learner.copy().learn(block, y)  # refused again, and the row is counted from the first of the block
            raise
        if player is not learner:  # else it has learned them
            if tests_rows:
                learner.learn(block, y)
            else:
                learner.become(player)
        return predictions, scores

    def learn_one(self, learner: Learner, x: Any, y: Any) -> Any:
        """Do what `learn` does, with one example, given as to `Learner.learn_one`; return the prediction."""
        if isinstance(learner, Auto):
            predicted, said, known = learner.learn_one_heard(x, y)
            self._learn(said, known, _code(learner, y), None)
            return predicted
        if learner.trials < self.next_look(learner):
            return learner.learn_one(x, y)
        learner.check_one(x, y)
        score = _scores(learner, _one_block(learner, x))
        predicted = learner.learn_one(x, y)
        self._look(score, _code(learner, y), None)
        return predicted

    def next_look(self, learner: Learner) -> int:
        """Return the number of the next trial of the learner's that is looked at: the one to come, if it is.

        >>> from littlestone.learners import Perceptron
        >>> Calibration().next_look(Perceptron())
        0
        """
        trial = learner.trials
        if isinstance(learner, Auto) or trial < engine.EVERY:
            return trial
        step = 2 << (trial // engine.EVERY).bit_length() - 1
        return -(-trial // step) * step  # a doubling begins with a multiple of the step before it, and of its own

    @staticmethod
    def _played(player: Learner, block: Block, y: NDArray[Any] | None, rows: Ints) -> tuple[NDArray[Any], list[Floats]]:
        """Let a learner play a block; return its predictions, and its score of each class at some rows, before them."""
        told, scores = [], []
        before = 0
        for at in rows.tolist():
            if at > before:
                told.append(player.learn(block[before:at], None if y is None else y[before:at]))
            scores.append(_scores(player, block[at : at + 1])[0])
            before = at
        told.append(player.learn(block[before:], None if y is None else y[before:]))
        return np.concatenate(told), scores

    def _look(self, scores: Floats | list[Floats], outcomes: NDArray[Any], weights: Floats | None) -> None:
        """Learn from the scores of some rows, each in units of the mean size of those before it."""
        wide, known = _widened(scores)
        middles, halves = _spreads(wide, known)
        sizes = np.cumsum(np.append(self.size, halves))
        before = sizes[:-1] / np.maximum(self.seen + np.arange(len(wide)), 1)
        self.size, self.seen = float(sizes[-1]), self.seen + len(wide)
        self._learn(_parts(wide, middles, before), known, outcomes, weights)

    def _learn(self, said: Floats, known: Ints, outcomes: NDArray[Any], weights: Floats | None) -> Floats:
        """Learn from rows, one after the other; return the shares of the classes before each."""
        out = np.zeros((len(said), said.shape[2]))
        importance = NO_WEIGHTS if weights is None else np.asarray(weights, dtype=np.float64)
        codes = np.asarray(outcomes, dtype=np.int32)
        engine.calibrate(said, known, codes, importance, self.theta, self.precision, out)
        return out

    # Asked

    def probabilities(self, learner: Learner, block: Block) -> Floats:
        """Return the probability of each of the learner's labels (columns) for each row; nothing changes."""
        labels = learner.labels or ()
        classes = max(len(labels), 1)
        if isinstance(learner, Auto):
            said = learner.said(block)
            shares = self._shown(said, np.full(len(block), min(said.shape[2], classes), dtype=np.int64))
        else:
            scores = _scores(learner, block)
            shares = self._shares(scores, np.full(len(block), min(scores.shape[1], classes), dtype=np.int64))
        return _agreeing(shares[:, :classes], learner.predict(block), labels)

    def _shares(self, scores: Floats, known: Ints) -> Floats:
        """Return the share of each class for rows with these scores, as far as they are known."""
        middles, _ = _spreads(scores, known)
        parts = _parts(scores, middles, np.full(len(scores), self.size / max(self.seen, 1)))
        return self._shown(parts, known)

    def _shown(self, said: Floats, known: Ints) -> Floats:
        out = np.zeros((len(said), said.shape[2]))
        engine.calibrate(said, known, NOTHING_KNOWN, NO_WEIGHTS, self._rising(), self.precision.copy(), out)
        return out

    def _rising(self) -> Floats:
        """Return theta as it is used: no probability falls where a score rises."""
        # Auto's may weigh one combination against the other.
        return self.theta.copy() if self.of_auto else np.append(np.maximum(self.theta[:-1], 0.0), self.theta[-1])

    def probabilities_one(self, learner: Learner, x: Any) -> dict[Any, float]:
        """Return the probability of each label for one example, given as to `learn_one`; nothing changes."""
        shares = self.probabilities(learner, _one_block(learner, x))[0]
        return dict(zip(learner.labels or (), shares.tolist(), strict=False))

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
    ([0, 2, 6], 320, 384)
    """
    rows = np.arange(first, first + count)
    doublings = np.floor(np.log2(np.maximum(rows, engine.EVERY) / engine.EVERY)).astype(np.int64)
    step = np.where(rows < engine.EVERY, 1, 2 << doublings)
    return np.flatnonzero(rows % step == 0)


def _scores(learner: Learner, block: Block) -> Floats:
    """Return the score of each label for each row: of two labels -a and a, where a is the activation."""
    activations = learner.activation(block)
    if activations.ndim == 1:
        return np.stack((-activations, activations), axis=1)
    if activations.shape[1] == 2:  # the difference decides
        return 0.5 * (activations - activations[:, ::-1])
    return activations if activations.shape[1] else np.zeros((len(activations), 1))


def _widened(scores: Floats | list[Floats]) -> tuple[Floats, Ints]:
    """Return the scores of rows as one array, and how many classes were known at each."""
    if isinstance(scores, np.ndarray):
        return scores, np.full(len(scores), scores.shape[1], dtype=np.int64)
    known = np.array([len(score) for score in scores], dtype=np.int64)
    wide = np.zeros((len(scores), max(2, int(known.max(initial=0)))))
    for row, score in zip(wide, scores, strict=True):
        row[: len(score)] = score
    return wide, known


def _spreads(scores: Floats, known: Ints) -> tuple[Floats, Floats]:
    """Return the middle of the best two scores of each row, and how far they are from it: of -a and a, 0 and abs(a)."""
    if scores.shape[1] < 2:
        return scores[:, 0].copy(), np.zeros(len(scores))
    if scores.shape[1] == 2:
        halves = np.fmin(np.abs(scores[:, 1]), engine.MOST)
        return np.zeros(len(scores)), np.where(known == 2, halves, 0.0)
    there = np.where(np.arange(scores.shape[1]) < known[:, np.newaxis], scores, -np.inf)
    second, best = np.sort(there, axis=1)[:, -2:].T
    two = known > 1
    with np.errstate(invalid="ignore"):
        middles = np.where(two, 0.5 * second + 0.5 * best, 0.0)
        halves = np.where(two, np.fmin(0.5 * best - 0.5 * second, engine.MOST), 0.0)
    return middles, halves


def _parts(scores: Floats, middles: Floats, sizes: Floats) -> Floats:
    """Return scores (rows, classes) in units of their usual size: what is within one of it, and what is beyond."""
    spread = np.where(sizes > 0.0, sizes, np.inf)[:, np.newaxis]
    with np.errstate(over="ignore", invalid="ignore"):
        units = np.nan_to_num(np.clip((scores - middles[:, np.newaxis]) / spread, -engine.FAR, engine.FAR))
    within = np.clip(units, -1.0, 1.0)
    return np.ascontiguousarray(np.stack((within, units - within), axis=1))


def _agreeing(shares: Floats, predictions: NDArray[Any], labels: tuple[Any, ...]) -> Floats:
    """Return shares in which the label that is predicted has the largest one."""
    if len(labels) < 2 or not len(shares):
        return shares
    rows, predicted = np.arange(len(shares)), np.zeros(len(shares), dtype=np.int64)
    for code, label in enumerate(labels):
        predicted[predictions == label] = code
    others = shares.copy()
    others[rows, predicted] = -1.0
    top = others.argmax(axis=1)
    less = np.flatnonzero(shares[rows, top] >= shares[rows, predicted])
    both = 0.5 * (shares[less, top[less]] + shares[less, predicted[less]])
    shares[less, top[less]], shares[less, predicted[less]] = both * (1.0 - engine.LEAST), both * (1.0 + engine.LEAST)
    return shares


def _asks_machine(learner: Learner) -> bool:
    """Tell whether its activations are those of its machine, which refuses nothing late and looks at no newcomers.

    Then rows are looked at in the middle of a block, in a fraction of the time.
    """
    own = (getattr(type(learner), name) is getattr(Learner, name) for name in ("learn", "activation", "predict"))
    return all(own) and not learner.refuses_late and not learner.counts_all


def _code(learner: Learner, y: Any) -> NDArray[np.int32]:
    """Return the outcome of an example that was learned, as an array."""
    return np.array([(learner.labels or ()).index(plain(y))], dtype=np.int32)


def _one_block(learner: Learner, x: Any) -> Block:
    """Return one example, given as to `Learner.learn_one`, as a block."""
    return one_block(type(learner).__name__, x, learner.domain, LARGEST_VALUE)
