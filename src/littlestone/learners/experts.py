"""Experts: a pool of learners, and a vote among them by Weighted Majority."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from littlestone import bounds
from littlestone.bounds import Bound
from littlestone.core.arrays import Codes, Floats, Ints, State
from littlestone.core.block import Block
from littlestone.core.coins import RESOLUTION, coin
from littlestone.core.errors import InvalidModel, InvalidParameter
from littlestone.core.hypothesis import Hypothesis
from littlestone.core.parameters import check_flag, check_number, check_whole
from littlestone.learners.base import Learner
from littlestone.learners.composite import Composite, fresh, outcomes
from littlestone.learners.knowledge import refuse_numbers
from littlestone.learners.together import in_step, learned_by_all

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


def _advice(said: list[NDArray[Any]], labels: tuple[Any, ...] | None) -> NDArray[np.bool_]:
    """Return which experts (rows) say that which trials (columns) are positive."""
    positive = 1 if labels is None else labels[1]
    return np.array([rows == positive for rows in said], dtype=np.bool_).reshape(len(said), -1)


class Experts(Composite):
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
        for learner in found:
            refuse_numbers("Experts: pool", learner)
        many = next((learner for learner in found if learner.many_classes), None)
        if many is not None:
            raise InvalidParameter(f"Experts: pool must be learners of two classes, got {many!r}")
        super().__init__()
        self.pool = [learner.copy() for learner in found]
        check_number("Experts", "beta", beta, above=0.0, below=1.0, ends="[)")
        check_flag("Experts", "randomized", randomized)
        self.beta, self.randomized = beta, randomized
        self.seed = check_whole("Experts", "seed", seed, least=0, most=2**62)
        self._errors = np.zeros(len(self.pool), dtype=np.int64)
        self._counts = np.zeros(3, dtype=np.int64)  # updates, promotions, demotions
        self._powers = np.ones(1)  # of beta, while they are different floats

    @property
    def inner(self) -> dict[str, Learner]:
        """The experts: "pool.0", "pool.1" and so on."""
        return {f"pool.{i}": learner for i, learner in enumerate(self.pool)}

    def learn(self, X: Any, y: ArrayLike | None = None, *, weight: ArrayLike | None = None) -> NDArray[Any]:
        """Play each row in turn: predict by the vote, then let everybody learn; return the predictions.

        ``weight`` multiplies the experts' updates; an error counts as one.
        """
        rows = Block.from_arrays(X)
        players = [learner.copy() for learner in self.pool]  # a refusal by one leaves all as they were
        said = [player.learn(rows, y, weight=weight) for player in players]
        first = players[0]
        positive = outcomes(rows, y, first.labels)
        advice = _advice(said, first.labels)
        wrong = advice != positive
        errors = self._errors[:, np.newaxis] + np.cumsum(wrong, axis=1) - wrong  # before each trial
        predictions = self._vote(errors, advice, self._trials)
        in_step(self, lambda: self._go_on(players, wrong, positive, predictions))
        return first.decoded(predictions)

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the votes on the rows of ``X``; nothing changes."""
        advice = self._asked_all(X)
        return self.decoded(self._vote(self._now(advice), advice, self._trials))

    def activation(self, X: Any) -> Floats:
        """Return what the experts that say 1 weigh more than those that say 0, in units of the largest weight."""
        advice = self._asked_all(X)
        return self._balance(self._now(advice), advice)

    def learn_one(self, x: Any, y: Any) -> Any:
        """Play one trial; ``x`` as for a learner's learn_one. Return the prediction."""
        for learner in self.pool:
            learner.check_one(x, y)  # whoever refuses it does so before anybody learns
        return in_step(self, lambda: self._one_learned(x, y))

    def _one_learned(self, x: Any, y: Any) -> Any:
        said = learned_by_all(self.pool, x, y)
        negative, positive = self.labels or (0, 1)
        advice = np.array([[one == positive] for one in said])
        predictions = self._vote(self._errors[:, np.newaxis], advice, self._trials)
        outcome = np.array([bool(y == positive)])
        self._count(advice != outcome, outcome, predictions)
        return positive if predictions[0] else negative

    def predict_one(self, x: Any) -> Any:
        """Return the vote on one example; nothing changes."""
        negative, positive = self.labels or (0, 1)
        advice = np.array([[learner.predict_one(x) == positive] for learner in self.pool])
        return positive if self._vote(self._errors[:, np.newaxis], advice, self._trials)[0] else negative

    def activation_one(self, x: Any) -> float:
        """Return the activation of one example, given as to `learn_one`; nothing changes."""
        positive = (self.labels or (0, 1))[1]
        advice = np.array([[learner.predict_one(x) == positive] for learner in self.pool])
        return float(self._balance(self._errors[:, np.newaxis], advice)[0])

    def _go_on(
        self, players: list[Learner], wrong: NDArray[np.bool_], positive: NDArray[np.bool_], predictions: Codes
    ) -> None:
        self.pool = players
        self._count(wrong, positive, predictions)

    def _count(self, wrong: NDArray[np.bool_], positive: NDArray[np.bool_], predictions: Codes) -> None:
        """Count trials: the errors of all, and the mistakes of the vote, whose weights change where anybody errs."""
        changed = wrong.any(axis=0)
        self._errors = self._errors + wrong.sum(axis=1)
        changes = (changed, changed & positive, changed & ~positive)
        self._counts = self._counts + np.array([np.count_nonzero(these) for these in changes])
        self._trials += len(predictions)
        self._mistakes += int(np.count_nonzero(predictions != positive))

    def _asked_all(self, X: Any) -> NDArray[np.bool_]:
        rows = Block.from_arrays(X)
        return _advice([learner.predict(rows) for learner in self.pool], self.labels)

    def _now(self, advice: NDArray[np.bool_]) -> Ints:
        return np.broadcast_to(self._errors[:, np.newaxis], advice.shape)

    def _weighed(self, errors: Ints) -> tuple[Ints, Floats]:
        """Return by how many errors each expert is behind the best, and the weights of so many.

        From some power of beta on all are the same float: the cost does not grow with how far an expert is behind.
        """
        behind = errors - errors.min(axis=0, initial=np.iinfo(np.int64).max)
        most, powers, beta = int(behind.max(initial=0)), self._powers, float(self.beta)
        while most >= len(powers) and powers[-1] * beta != powers[-1]:
            # One product after the other, so that a weight does not depend on where blocks end.
            more = np.multiply.accumulate(np.append(powers[-1], np.full(len(powers) + 64, beta)))
            powers = np.append(powers, more[1:][np.diff(more) != 0.0])
        self._powers = powers  # those that ask side by side may replace one another's
        return np.minimum(behind, len(powers) - 1), powers

    def _balance(self, errors: Ints, advice: NDArray[np.bool_]) -> Floats:
        behind, powers = self._weighed(errors)
        return _summed(behind, 2 * advice.astype(np.int64) - 1, powers)

    def _vote(self, errors: Ints, advice: NDArray[np.bool_], trial: int) -> NDArray[np.uint8]:
        """Return the predictions, an expert a row, a trial a column."""
        if not self.randomized:
            return np.asarray(self._balance(errors, advice) >= 0.0, dtype=np.uint8)
        behind, powers = self._weighed(errors)
        for_1, for_0 = (_summed(behind, side.astype(np.int64), powers) for side in (advice, ~advice))
        coins = np.array([coin(self.seed, trial + t) for t in range(advice.shape[1])], dtype=np.float64)
        return np.asarray(coins * (for_0 + for_1) < for_1 * RESOLUTION, dtype=np.uint8)

    def hypothesis(self) -> Hypothesis | None:
        """Return None: a vote is no linear threshold function; `weights` has those of the best expert."""
        return None

    def weights(self) -> dict[Hashable, Any]:
        """Return the weights of the best expert, by name (by position where there are no names)."""
        return self.best.weights()

    @property
    def votes(self) -> Floats:
        """What the vote of each expert weighs, in units of the largest."""
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
    def updates(self) -> int:
        """In how many trials some expert erred, so that the weights of the votes changed."""
        return int(self._counts[0])

    @property
    def promotions(self) -> int:
        """How many of these were positive examples."""
        return int(self._counts[1])

    @property
    def demotions(self) -> int:
        """How many of these were negative examples."""
        return int(self._counts[2])

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
        """Return the parameters; the experts among them have learned nothing."""
        pool = [fresh(learner) for learner in self.pool]
        return {"pool": pool, "beta": self.beta, "randomized": self.randomized, "seed": self.seed}

    def own_state(self) -> State:
        """Return the errors of the experts and the counts of the vote."""
        return {"errors": self._errors.copy(), "counts": self._counts.copy()}

    @classmethod
    def of(cls, params: Mapping[str, Any], state: Mapping[str, NDArray[Any]], inner: Mapping[str, Learner]) -> Self:
        """Return the experts that go on from their counts."""
        made = cls(**params)
        trials, mistakes = state["game"][:2].tolist()
        errors, counts = state["errors"], state["counts"]
        if (
            errors.dtype.kind != "i"
            or errors.shape != (len(made.pool),)
            or not ((errors >= 0) & (errors <= trials)).all()
        ):
            raise InvalidModel(f"Experts: errors: expected a number of {trials} trials for each expert, got others")
        if counts.dtype.kind != "i" or counts.shape != (3,) or not 0 <= counts[0] == counts[1:].sum() <= trials:
            raise InvalidModel(f"Experts: counts: expected updates, promotions and demotions, got {counts.tolist()}")
        made.pool = list(inner.values())
        made._trials, made._mistakes = trials, mistakes
        made._errors, made._counts = errors.astype(np.int64), counts.astype(np.int64)
        return made

    def __repr__(self) -> str:
        return f"Experts({self.pool!r}, beta={self.beta!r}, {self._trials} trials, {self._mistakes} mistakes)"
