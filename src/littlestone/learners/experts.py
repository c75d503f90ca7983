"""Experts: a pool of learners, and a vote among them by Weighted Majority."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from littlestone import bounds
from littlestone.bounds import Bound
from littlestone.engine.coins import RESOLUTION, coin
from littlestone.errors import InvalidParameter
from littlestone.learners._labels import Labels
from littlestone.learners._parameters import check_flag, check_number, check_whole
from littlestone.learners.base import Learner

__all__ = ["Experts"]

Floats = NDArray[np.float64]


class Experts:
    """Each learner of a pool predicts, votes with its weight, and learns.

    ``w_i <- beta w_i`` for each expert that errs, on every trial, from equal weights. Predict 1 iff those that say 1
    weigh at least as much as those that say 0; randomised: 1 with the probability that the weights give it. The
    experts learn from every trial, whoever was right. `WeightedMajority` is the vote of all disjunctions, exactly.

    Parameters
    ----------
    pool : learners
        They are copied; `pool` holds what has become of them.
    beta : float in [0, 1)
        What an error leaves of a weight; 0 is halving, which needs an expert that makes no error.
    randomized : bool
        Toss a coin that the weights load.
    seed : int
        Of the coins: the one of a trial depends on nothing but the seed and the trial's number.

    Bound
    -----
    (ln N + m ln(1/beta)) / ln(2/(1+beta)) mistakes, where the best of N experts makes m; randomised, an expectation of
    (ln N + m ln(1/beta)) / (1-beta). On any sequence; ``guarantee`` has the m so far.

    Example
    -------
    >>> import littlestone as ls
    >>> from littlestone.learners.experts import Experts
    >>> stream = ls.teachers.Disjunction(n=200, k=3, trials=2000, noise=0.05)
    >>> experts = Experts([ls.Perceptron(), ls.Winnow(), ls.Winnow(alpha=1.2), ls.BalancedWinnow()])
    >>> for block in stream.blocks():
    ...     _ = experts.learn(block)
    >>> experts.mistakes, experts.errors.tolist(), experts.best
    (298, [499, 295, 339, 330], Winnow())
    >>> experts.mistakes <= experts.guarantee.value
    True

    Reference
    ---------
    Littlestone and Warmuth, "The weighted majority algorithm", Information and Computation 108 (1994).
    """

    def __init__(self, pool: Iterable[Learner], *, beta: float = 0.5, randomized: bool = False, seed: int = 0) -> None:
        self.pool = [copy.deepcopy(learner) for learner in pool]
        if not self.pool or not all(isinstance(learner, Learner) for learner in self.pool):
            raise InvalidParameter(f"Experts: pool must be learners, at least one, got {pool!r}")
        check_number("Experts", "beta", beta, above=0.0, below=1.0, ends="[)")
        check_flag("Experts", "randomized", randomized)
        self.beta, self.randomized = beta, randomized
        self.seed = check_whole("Experts", "seed", seed, least=0, most=2**62)
        self._errors = np.zeros(len(self.pool), dtype=np.int64)
        self._trials = self._mistakes = 0

    def learn(self, X: Any, y: ArrayLike | None = None) -> NDArray[Any]:
        """Play each row in turn: predict by the vote, then let everybody learn; return the predictions."""
        first = self.pool[0]
        outcomes, _ = first._outcomes(first._aligned(X)[0], y)
        players = [learner.copy() for learner in self.pool]  # a refusal by one leaves all as they were
        said = [player.learn(X, y) for player in players]
        labels = players[0]._labels or Labels()
        advice = np.array([rows == labels.positive for rows in said]).reshape(len(players), -1)
        wrong = advice != (outcomes == 1)
        errors = self._errors[:, np.newaxis] + np.cumsum(wrong, axis=1) - wrong  # before each trial
        predictions = self._vote(errors, advice, self._trials)
        self.pool, self._errors = players, self._errors + wrong.sum(axis=1)
        self._trials += len(predictions)
        self._mistakes += int(np.count_nonzero(predictions != outcomes))
        return labels.decode(predictions)

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the votes on the rows of ``X``; nothing changes."""
        labels = self.pool[0]._labels or Labels()
        advice = np.array([learner.predict(X) == labels.positive for learner in self.pool]).reshape(len(self.pool), -1)
        return labels.decode(
            self._vote(np.broadcast_to(self._errors[:, np.newaxis], advice.shape), advice, self._trials)
        )

    def learn_one(self, x: Any, y: Any) -> Any:
        """Play one trial; ``x`` as for a learner's learn_one. Return the prediction."""
        for learner in self.pool:
            learner.predict_one(x)  # whoever refuses it does so before anybody learns
        said = [learner.learn_one(x, y) for learner in self.pool]
        labels = self.pool[0]._labels or Labels()
        advice = np.array([[one == labels.positive] for one in said])
        predicted = bool(self._vote(self._errors[:, np.newaxis], advice, self._trials)[0])
        positive = y == labels.positive
        self._errors = self._errors + (advice[:, 0] != positive)
        self._trials += 1
        self._mistakes += int(predicted != positive)
        return labels.positive if predicted else labels.negative

    def predict_one(self, x: Any) -> Any:
        """Return the vote on one example; nothing changes."""
        labels = self.pool[0]._labels or Labels()
        advice = np.array([[learner.predict_one(x) == labels.positive] for learner in self.pool])
        return labels.positive if self._vote(self._errors[:, np.newaxis], advice, self._trials)[0] else labels.negative

    def _vote(self, errors: NDArray[np.int64], advice: NDArray[np.bool_], trial: int) -> NDArray[np.uint8]:
        """Return the predictions, an expert a row, a trial a column."""
        behind = errors - errors.min(axis=0, initial=np.iinfo(np.int64).max)
        # One product after the other, so that a weight does not depend on where blocks end.
        powers = np.multiply.accumulate(np.append(1.0, np.full(int(behind.max(initial=0)), float(self.beta))))
        weights = powers[behind]
        for_1, for_0 = (weights * advice).sum(axis=0), (weights * ~advice).sum(axis=0)
        if not self.randomized:
            return np.asarray(for_1 >= for_0, dtype=np.uint8)
        coins = np.array([coin(self.seed, trial + t) for t in range(advice.shape[1])], dtype=np.float64)
        return np.asarray(coins * (for_0 + for_1) < for_1 * RESOLUTION, dtype=np.uint8)

    @property
    def weights(self) -> Floats:
        """The weights, in units of the largest."""
        return np.asarray(float(self.beta) ** (self._errors - self._errors.min()).astype(np.float64))

    @property
    def errors(self) -> NDArray[np.int64]:
        """The mistakes of each expert."""
        return self._errors.copy()

    @property
    def best(self) -> Learner:
        """The expert with the fewest mistakes so far, the first of them."""
        return self.pool[int(np.argmin(self._errors))]

    @property
    def trials(self) -> int:
        """How many examples it has learned from."""
        return self._trials

    @property
    def mistakes(self) -> int:
        """How many of them the vote predicted wrongly."""
        return self._mistakes

    @property
    def regret(self) -> int:
        """How many more than the best expert."""
        return self._mistakes - int(self._errors.min())

    @property
    def guarantee(self) -> Bound:
        """The bound on its mistakes, for the best expert's so far."""
        numbers = {"experts": len(self.pool), "beta": float(self.beta), "errors": int(self._errors.min())}
        if self.randomized:
            return bounds.weighted_majority_randomized(**numbers)  # type: ignore[arg-type]
        return bounds.weighted_majority(**numbers)  # type: ignore[arg-type]

    def copy(self) -> Self:
        """Return an independent copy."""
        return copy.deepcopy(self)

    def __repr__(self) -> str:
        return f"Experts({self.pool!r}, beta={self.beta!r}, {self._trials} trials, {self._mistakes} mistakes)"
