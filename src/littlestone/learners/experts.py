"""Experts: a pool of learners, and a vote among them by Weighted Majority."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from littlestone import bounds
from littlestone.bounds import Bound
from littlestone.core.arrays import Floats, Ints
from littlestone.core.coins import RESOLUTION, coin
from littlestone.core.errors import InvalidParameter
from littlestone.core.guard import Guarded, Users
from littlestone.core.labels import Labels
from littlestone.core.parameters import check_flag, check_number, check_whole
from littlestone.learners.base import Learner

__all__ = ["Experts"]


def _summed(behind: Ints, signs: Ints, powers: Floats) -> Floats:
    """Return the sum of the experts' signs times their weights, column by column.

    Experts of one weight are counted first, and the smallest weights come first: neither the order of the pool nor
    where blocks end decides a tie.
    """
    order = np.argsort(-behind, axis=0, kind="stable")
    levels, signs = np.take_along_axis(behind, order, 0), np.take_along_axis(signs, order, 0)
    total, alike = np.zeros(behind.shape[1]), np.zeros(behind.shape[1], dtype=np.int64)
    for i in range(len(levels)):
        alike += signs[i]
        last = levels[i] != levels[i + 1] if i + 1 < len(levels) else np.ones_like(alike, dtype=np.bool_)
        total[last] += alike[last] * powers[levels[i, last]]
        alike[last] = 0
    return total


class Experts(Guarded):
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
        found = list(pool) if isinstance(pool, Iterable) else [pool]
        if not found or not all(isinstance(learner, Learner) for learner in found) or isinstance(pool, Learner):
            raise InvalidParameter(f"Experts: pool must be a list of learners, at least one, got {pool!r}")
        many = next((learner for learner in found if learner.many), None)
        if many is not None:
            raise InvalidParameter(f"Experts: pool must be learners of two classes, got {many!r}")
        self._users = Users()
        self.pool = [learner.copy() for learner in found]
        check_number("Experts", "beta", beta, above=0.0, below=1.0, ends="[)")
        check_flag("Experts", "randomized", randomized)
        self.beta, self.randomized = beta, randomized
        self.seed = check_whole("Experts", "seed", seed, least=0, most=2**62)
        self._errors = np.zeros(len(self.pool), dtype=np.int64)
        self._trials = self._mistakes = 0

    def begin(self, n: int | None = None, labels: Any = None, names: Iterable[Hashable] | None = None) -> Self:
        """Tell every expert how many attributes there are, the labels and the names, as a learner is told."""
        told = None if names is None else list(names)
        self.pool = [learner.copy().begin(n, labels, told) for learner in self.pool]
        return self

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

    def _vote(self, errors: Ints, advice: NDArray[np.bool_], trial: int) -> NDArray[np.uint8]:
        """Return the predictions, an expert a row, a trial a column."""
        behind = errors - errors.min(axis=0, initial=np.iinfo(np.int64).max)
        # One product after the other, so that a weight does not depend on where blocks end.
        powers = np.multiply.accumulate(np.append(1.0, np.full(int(behind.max(initial=0)), float(self.beta))))
        if not self.randomized:
            return np.asarray(_summed(behind, 2 * advice.astype(np.int64) - 1, powers) >= 0.0, dtype=np.uint8)
        for_1, for_0 = (_summed(behind, side.astype(np.int64), powers) for side in (advice, ~advice))
        coins = np.array([coin(self.seed, trial + t) for t in range(advice.shape[1])], dtype=np.float64)
        return np.asarray(coins * (for_0 + for_1) < for_1 * RESOLUTION, dtype=np.uint8)

    @property
    def weights(self) -> Floats:
        """The weights, in units of the largest."""
        return np.asarray(float(self.beta) ** (self._errors - self._errors.min()).astype(np.float64))

    @property
    def errors(self) -> Ints:
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

    def params(self) -> dict[str, Any]:
        """Return the parameters; of the experts, each one's."""
        pool = [(type(learner), learner.params()) for learner in self.pool]
        return {"pool": pool, "beta": self.beta, "randomized": self.randomized, "seed": self.seed}

    def state(self) -> dict[str, Any]:
        """Return all that has been learned: a dict of arrays, those of the experts one dict each."""
        game = np.array([self._trials, self._mistakes])
        return {"game": game, "errors": self._errors.copy(), "pool": [learner.state() for learner in self.pool]}

    @classmethod
    def from_state(cls, params: Mapping[str, Any], state: Mapping[str, Any]) -> Self:
        """Return the experts that go on where `params` and `state` were taken."""
        told = zip(params["pool"], state["pool"], strict=True)
        experts = cls(**{**params, "pool": [kind.from_state(own, learned) for (kind, own), learned in told]})
        experts._trials, experts._mistakes = state["game"].tolist()
        experts._errors = state["errors"].copy()
        return experts

    def __repr__(self) -> str:
        return f"Experts({self.pool!r}, beta={self.beta!r}, {self._trials} trials, {self._mistakes} mistakes)"
