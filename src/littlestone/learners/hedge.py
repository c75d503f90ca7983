"""Hedge: shares among experts by what they have lost."""

from __future__ import annotations

from collections.abc import Mapping
from math import log
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from littlestone import bounds
from littlestone.bounds import Bound
from littlestone.core.arrays import Floats
from littlestone.core.errors import InvalidData
from littlestone.core.guard import Guarded, Users
from littlestone.core.parameters import check_number, check_whole

__all__ = ["Hedge"]


class Hedge(Guarded):
    """Every expert has a share, which falls with its losses; each trial costs the mean loss under the shares.

    It takes losses and gives shares. It sees no examples and predicts nothing, and so is no `Learner`: `play` and the
    classifiers do not take it. For a vote of learners that predict, see `Experts`.

    Shares at a trial are proportional to ``beta^L``, L what an expert has lost before; without a beta to
    ``e^(-eta L)`` with ``eta = sqrt(8 ln N / t)`` at trial t, which needs no parameter for any number of trials.

    Parameters
    ----------
    experts : int >= 1
        How many there are.
    beta : float in (0, 1), or None

    Bound
    -----
    (ln N + l ln(1/beta)) / (1-beta) where the best expert loses l; without a beta
    l + 2 sqrt(T/2 ln N) + sqrt(ln N / 8). On any sequence of losses in [0, 1].

    Example
    -------
    >>> import numpy as np
    >>> from littlestone.learners.hedge import Hedge
    >>> losses = np.random.default_rng(0).random((1000, 3)) * [1.0, 0.8, 1.0]
    >>> hedge = Hedge(3)
    >>> _ = hedge.learn(losses)
    >>> round(hedge.loss), hedge.losses.round().tolist(), hedge.shares.round(3).tolist()
    (406, [495.0, 400.0, 498.0], [0.0, 1.0, 0.0])
    >>> round(hedge.regret, 1), round(hedge.guarantee.value, 1)
    (5.6, 47.2)

    Reference
    ---------
    Freund and Schapire, "A decision-theoretic generalization of on-line learning", JCSS 55 (1997); Vovk, "Aggregating
    strategies", COLT 1990; Cesa-Bianchi and Lugosi, "Prediction, learning, and games" (2006).
    """

    def __init__(self, experts: int, *, beta: float | None = None) -> None:
        self._users = Users()
        self.experts = check_whole("Hedge", "experts", experts)
        if beta is not None:
            check_number("Hedge", "beta", beta, above=0.0, below=1.0)
        self.beta = beta
        self._losses, self._loss, self._trials = np.zeros(self.experts), 0.0, 0

    def _shares(self, losses: Floats, trials: Floats) -> Floats:
        """Return the shares before each trial, a row each."""
        behind = losses - losses.min(axis=1, keepdims=True)
        eta = np.sqrt(8.0 * log(self.experts) / trials) if self.beta is None else np.full(len(losses), -log(self.beta))
        weights = np.exp(-eta[:, np.newaxis] * behind)
        return np.asarray(weights / weights.sum(axis=1, keepdims=True))

    def learn(self, losses: ArrayLike) -> Floats:
        """Play trials, a row of losses in [0, 1] each (or one trial, 1-D); return what each cost."""
        rows = np.atleast_2d(np.asarray(losses, dtype=np.float64))
        if rows.ndim != 2 or rows.shape[1] != self.experts:
            raise InvalidData(f"Hedge: expected a loss for each of {self.experts} experts, got shape {rows.shape}")
        if not ((rows >= 0.0) & (rows <= 1.0)).all():
            row, expert = np.argwhere(~((rows >= 0.0) & (rows <= 1.0)))[0]
            raise InvalidData(
                f"Hedge: row {row}, expert {expert}: expected a loss in [0, 1], got {rows[row, expert]:g}; scale losses"
            )
        # The sums start from what was lost before, so that they do not depend on where blocks end.
        lost = np.cumsum(np.vstack([self._losses, rows]), axis=0)
        shares = self._shares(lost[:-1], np.arange(self._trials + 1, self._trials + len(rows) + 1, dtype=np.float64))
        cost = np.asarray((shares * rows).sum(axis=1))
        self._losses, self._trials = lost[-1].copy(), self._trials + len(rows)
        self._loss = float(np.cumsum(np.append(self._loss, cost))[-1])
        return cost

    @property
    def shares(self) -> Floats:
        """The shares at the next trial; they sum to 1."""
        return np.asarray(self._shares(self._losses[np.newaxis], np.array([self._trials + 1.0]))[0])

    @property
    def losses(self) -> Floats:
        """What each expert has lost."""
        return self._losses.copy()

    @property
    def loss(self) -> float:
        """What the shares have lost."""
        return self._loss

    @property
    def trials(self) -> int:
        """How many trials there were."""
        return self._trials

    @property
    def regret(self) -> float:
        """How much more than the best expert."""
        return self._loss - float(self._losses.min())

    @property
    def guarantee(self) -> Bound:
        """The bound: on the loss, for the best expert's so far; without a beta on the regret, for the trials so far."""
        if self.beta is None:
            return bounds.hedge_regret(experts=self.experts, trials=self._trials)
        return bounds.hedge(experts=self.experts, beta=float(self.beta), loss=float(self._losses.min()))

    def params(self) -> dict[str, Any]:
        """Return the parameters."""
        return {"experts": self.experts, "beta": self.beta}

    def state(self) -> dict[str, NDArray[Any]]:
        """Return all that was lost, as a dict of arrays."""
        return {"trials": np.array(self._trials), "loss": np.array(self._loss), "losses": self._losses.copy()}

    @classmethod
    def from_state(cls, params: Mapping[str, Any], state: Mapping[str, NDArray[Any]]) -> Self:
        """Return the Hedge that goes on where `params` and `state` were taken."""
        hedge = cls(**params)
        hedge._trials, hedge._loss, hedge._losses = int(state["trials"]), float(state["loss"]), state["losses"].copy()
        return hedge

    def __repr__(self) -> str:
        return f"Hedge({self.experts}, beta={self.beta!r}, {self._trials} trials, loss {self._loss:g})"
