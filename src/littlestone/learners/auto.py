"""Auto: the learner to reach for when one does not want to choose."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from littlestone import bounds
from littlestone.bounds import Bound
from littlestone.core.arrays import Floats, Ints
from littlestone.core.hypothesis import Hypothesis
from littlestone.core.labels import Classes
from littlestone.core.rows import check_size, one_row, rows_of
from littlestone.engine.learning import ballot
from littlestone.engine.learning import pool as engine
from littlestone.learners.arow import arow
from littlestone.learners.base import Learner
from littlestone.learners.confidence_weighted import confident_by_deviation
from littlestone.learners.many_classes import ClassCounts
from littlestone.learners.nherd import nherd
from littlestone.learners.second_order import deviations
from littlestone.machines.hearing import Hearing
from littlestone.machines.machine import Machine, of_kind, size_kept
from littlestone.machines.pool import BETA, Pool
from littlestone.machines.roster import Kind, Roster

__all__ = ["ROSTER", "Auto", "Expert"]


def _arow(r: float, name: str = "AROW(r={})") -> Kind:
    return Kind(name.format(r), arow, (r,))


def _confidence_weighted(eta: float) -> Kind:
    phi = deviations("ConfidenceWeighted", eta)
    return Kind(f"ConfidenceWeighted(eta={eta})", confident_by_deviation, (phi,))


def _nherd(C: float) -> Kind:
    return Kind(f"NHERD(C={C})", nherd, (C,))


def _adagrad(eta: float, loss: str) -> Kind:
    rule = engine.HINGE if loss == "hinge" else engine.LOGISTIC
    return Kind(f"Adagrad(eta={eta}, loss={loss!r})", rule, (eta,), (0.0, 0.0), engine.RATES)


def _winnow(alpha: float, beta: float) -> Kind:
    name = f"ModifiedBalancedWinnow(alpha={alpha}, beta={beta})"
    return Kind(name, 0, (alpha, beta, 1.0, 1.0), (2.0, 1.0), engine.WINNOW)


SECOND = (
    _arow(0.1), _arow(1.0), _arow(10.0), _confidence_weighted(0.7), _confidence_weighted(0.9), _nherd(0.1),
)  # fmt: skip
RATES = (_adagrad(0.1, "hinge"), _adagrad(0.3, "hinge"), _adagrad(0.1, "logistic"), _adagrad(0.3, "logistic"))
WINNOWS = (_winnow(1.5, 0.5), _winnow(1.2, 0.8))
ROSTER = Roster(
    diagonal=SECOND + RATES + WINNOWS,
    full=tuple(_arow(r, "AROW(r={}, covariance='full')") for r in (0.1, 1.0, 10.0)),
    combinations=tuple(_arow(r, "combination(r={})") for r in (3.0, 30.0)),
)


class Expert(NamedTuple):
    """One expert of the pool: who it is, its mistakes, what it lost, and whether it still has a vote."""

    name: str
    mistakes: int
    loss: float
    voting: bool


class Auto(Learner):
    """A vote of learners that are good at different things, each with several parameters; there is nothing to set.

    The pool is always the same. Twelve learners: AROW, confidence-weighted, NHERD, Adagrad, and modified balanced
    Winnow for targets that depend on few of many attributes. While there are at most 300 attributes (of k > 2 classes
    301/sqrt(k) - 1), three times AROW with a full covariance: of more than two classes with one for each, where a row
    moves its class and the best other one. Two combinations, which learn, as AROW does, how to weigh what the others
    say. All of them learn every row, in one pass. After 8,192 trials most are left out: the combinations stay, and the
    best of the others, and those without a full covariance that the first combination would miss most, four in all.
    (Again and again goes the one whose weight there is the fewest standard deviations from 0; the weights of the rest
    are those of the Gaussian, given that this one is 0.)

    When mistakes have become more frequent (`ChangeDetector`, with delta = 0.01), the target may have changed: all
    begin anew, with the attributes and the classes that there are. ``experts`` have what they lost since then.

    Expert i gives class c the share p_i(c), the more the surer it is: of two classes 1/2 - s/h and 1/2 + s/h, held in
    [0, 1], where s is its score and h the mean size of its scores so far. Predict the class with the largest sum of
    ``w_i p_i(c)``, of equal ones the first; then

        w_i <- w_i beta^(1 - p_i(y)),   beta = 1/2,

    from equal weights: Weighted Majority for experts that are more or less sure.

    Of more than two classes each has a target against the rest in every expert; an expert's shares are its scores,
    in units of half the mean distance of the best two, projected onto the distributions. Classes are numbered as they
    come, and may come at any time; before any is known the prediction is None, and a mistake.

    Values may be of any size and sign. A row's weight multiplies the updates of all experts, and their losses. A trial
    costs some 18 times that of AROW alone, and after the cut 6 to 8 times; an attribute takes 192 bytes, and then 64
    (of k > 2 classes k+1 times as much). Full covariances cost the square of the number of attributes at an update.

    Bound
    -----
    On any sequence, whatever the labels: (L ln(1/beta) + p ln N) / ln(2/(1+beta)) mistakes, where p is one more than
    the number of ``restarts``, and L the sum of what the best of the N = 17 experts has lost in each of these parts, of
    those that still have a vote: `bounds.weighted_majority_shares` (who leaves takes his weight with him, and the sum
    of all weights, which the proof follows, only falls). ``guarantee`` has the L so far, so that it is the bound that
    every game had to keep. (None if some example had a weight.)

    Example
    -------
    >>> import littlestone as ls
    >>> from littlestone.learners import Auto
    >>> auto = Auto()
    >>> run = ls.play(auto, ls.teachers.Disjunction(n=1000, k=5, trials=3000, noise=0.05))
    >>> run.mistakes, auto.best.name, auto.best.mistakes
    (267, 'ModifiedBalancedWinnow(alpha=1.5, beta=0.5)', 265)
    >>> run.mistakes <= run.guarantee.value
    True

    Reference
    ---------
    Littlestone and Warmuth, "The weighted majority algorithm", Information and Computation 108 (1994): WMG.
    """

    _coding = Classes
    many_classes = True
    bias = True

    def _build(self, n: int | None) -> Machine:
        del n
        return Pool(ROSTER)

    @property
    def tie(self) -> int:
        """Of two classes with equal votes the first wins."""
        return 0

    def begin(self, n: int | None = None, labels: Any = None, names: Iterable[Hashable] | None = None) -> Self:
        """Say how many attributes there are, classes that are known beforehand, and the names."""
        super().begin(n, labels, names)
        self._pool.know(len(self._labels or ()))
        return self

    def learn(self, X: Any, y: ArrayLike | None = None, *, weight: ArrayLike | None = None) -> NDArray[Any]:
        """Play each row in turn: predict, then let every expert learn; return the predictions."""
        with size_kept(self._machine):  # more classes may be too many for the attributes that came with them
            return super().learn(X, y, weight=weight)

    def learn_heard(
        self, X: Any, y: ArrayLike | None = None, *, weight: ArrayLike | None = None
    ) -> tuple[NDArray[Any], Floats, Ints]:
        """Do what `learn` does; return also what each combination said of each class before, row by row.

        The scores are an array (rows, combinations, classes); with it comes how many classes were known at each row.
        """
        return self._heard(lambda learner: learner.learn(X, y, weight=weight))

    def learn_one_heard(self, x: Any, y: Any) -> tuple[Any, Floats, Ints]:
        """Do what `learn_one` does; return also what `learn_heard` does, of one row."""
        return self._heard(lambda learner: learner.learn_one(x, y))

    def _heard(self, learn: Callable[[Auto], Any]) -> tuple[Any, Floats, Ints]:
        learner = self if self._machine is not None else self.copy().begin()  # a refusal leaves no trace
        assert learner.machine is not None
        pool, hearing = of_kind(learner.machine, Pool), Hearing(len(ROSTER.combinations))
        pool.hearing = hearing
        try:
            predictions = learn(learner)
        finally:
            pool.hearing = None
        if learner is not self:
            self.become(learner)
        return predictions, *hearing.all()

    def said(self, X: Any) -> Floats:
        """Return what each combination says of each class of the rows of ``X``: (rows, combinations, classes)."""
        block, machine, _ = self._asked(X)
        return of_kind(machine, Pool).said(rows_of(block))

    def _learn_named(self, x: Any, y: Any) -> Any:
        with size_kept(self._machine):
            return super()._learn_named(x, y)

    def activation(self, X: Any) -> Floats:
        """Return the share of the vote of each class (columns, in the order of `classes`) in the rows of ``X``."""
        return self._scored(X)[1]

    def predict_proba(self, X: Any) -> Floats:
        """Return the same as `activation`: shares that sum to 1, of which nothing else is guaranteed."""
        return self._scored(X)[1]

    def predict_proba_one(self, x: Any) -> dict[Any, float]:
        """Return the share of the vote of each class in one example, given as to `learn_one`."""
        shares = self.predict_proba(one_row(x)) if isinstance(x, np.ndarray) else self._scored_one(x)[1]
        return dict(zip(self.classes, shares[0].tolist(), strict=True))

    @property
    def classes(self) -> tuple[Any, ...]:
        """The classes, in the order in which they came."""
        return self.labels or ()

    def class_counts(self) -> dict[Any, ClassCounts]:
        """Return for each class its examples, the mistakes on them, and how often it was missed and wrongly named."""
        counts = self._pool.tally.tolist()
        rows = counts + [[0] * 4] * (len(self.classes) - len(counts))
        links = self._pool.size * len(ROSTER.names)
        return {label: ClassCounts._make((*row, links)) for label, row in zip(self.classes, rows, strict=True)}

    @property
    def experts(self) -> tuple[Expert, ...]:
        """All experts, each with its mistakes and its loss so far; those that are out have what they had then."""
        pool = self._pool
        ledger = pool.ledger[:, [ballot.MISTAKES, ballot.LOSS]].tolist()
        return tuple(
            Expert(name, int(mistakes), loss, bool(voting))
            for name, (mistakes, loss), voting in zip(ROSTER.names, ledger, pool.present, strict=True)
        )

    @property
    def best(self) -> Expert:
        """The expert that has led: of those that have a vote, the one that has lost least."""
        return self.experts[self._leader]

    @property
    def guarantee(self) -> Bound | None:
        """The bound on the mistakes so far, for what the best expert has lost; None if examples had weights."""
        if not self._trials or self._weighted:
            return None
        before, lost = self._pool.before
        loss = lost + self._pool.least
        return bounds.weighted_majority_shares(experts=len(ROSTER.names), beta=BETA, loss=loss, parts=before + 1)

    @property
    def restarts(self) -> int:
        """How often all experts have begun anew, since mistakes had become more frequent."""
        return self._pool.before[0]

    def hypothesis(self) -> Hypothesis | None:
        """Return None: a vote is no linear threshold function; `weights` has those of the best expert."""
        return None

    def weights(self) -> dict[Hashable, Any]:
        """Return for each attribute, by name or position, its weight in each class, as the best expert has it."""
        size = max(self._width, self._n or 0) if self._vocabulary is None else len(self._vocabulary)
        check_size(size * max(1, len(self.classes)))
        names: Iterable[Hashable] = range(size) if self._vocabulary is None else self._vocabulary
        found = self._pool.weights_of(self._leader, size)
        rows = np.vstack((-found, found)) if len(found) == 1 else found
        columns = (dict(zip(self.classes, column, strict=False)) for column in rows.T.tolist())
        return dict(zip(names, columns, strict=False))

    # Inside

    @property
    def _pool(self) -> Pool:
        return of_kind(self._started(None, fix=False)[0], Pool)

    @property
    def _leader(self) -> int:
        pool = self._pool
        return int(np.argmin(np.where(pool.present, pool.ledger[:, ballot.LOSS], np.inf)[: ROSTER.single]))

    def _scored(self, X: Any) -> tuple[Any, Floats]:
        block, machine, _ = self._asked(X)
        return machine.score(rows_of(block))  # it knows what to do with attributes that nobody has seen

    def _scored_one(self, x: Any) -> tuple[Any, Floats]:
        machine, n = self._started(None, fix=False)
        return machine.score(self._named(x, n)[1])
