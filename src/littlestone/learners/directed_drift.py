"""Directed Drift: weights of one bit, flipped one at a time, or by the votes of a batch."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from littlestone.bounds.drift_termination import hypothesis_rule
from littlestone.bounds.fang_venkatesh import Mode, batch_size, memory_bits
from littlestone.core.arrays import Floats
from littlestone.core.block import Block
from littlestone.core.errors import InvalidData, InvalidParameter
from littlestone.core.parameters import choice, number, whole
from littlestone.core.rational import check_counted
from littlestone.learners.base import Learner
from littlestone.machines.machine import Machine

if TYPE_CHECKING:
    from littlestone.machines.drifting import Drifting

__all__ = ["DirectedDrift"]

MOST_VOTES = 1 << 30  # of a batch


class DirectedDrift(Learner):
    """Learn weights in {-1, +1}: when the hypothesis errs, flip one of the coordinates that disagree, at random.

    Rows are u in {-1, +1}^n, and a negative one counts as its reflection -u, positive. Predict 1 iff ``w.u >= 0``. On a
    mistake:

    - single (D): flip w_j for a random j among those with ``w_j != u_j``;
    - asynchronous (D'): let u and the next m - 1 rows vote, one vote for each k with ``w_k != u_k``; flip the
      coordinate with the most votes (any of them, if there are several);
    - synchronous (D''): let them vote, and flip every coordinate with at least m/2 votes.

    The rows that only vote are not tested: they are predicted as every row is, but ``mistakes`` counts the rows that
    were tested, and ``tested`` says how many those are.

    Rows are of signs (+1 and -1 in every place) or Boolean (0 stands for -1). An example weight is 1, or 0 for a row
    that is left out. For even n a row with ``w.u = 0`` is predicted 1 and right whatever its label, for its reflection
    is right, too: no mistake is counted, and nothing is learned from it.

    Bound
    -----
    None that holds for every stream. For rows drawn uniformly from the positive half-space the mistakes of D are those
    of a Markov chain, solved exactly in `bounds.drift_chain`: about 2^n e^(-1.7 sqrt n), see
    `bounds.directed_drift_exact` and, as the paper bounds it, `bounds.directed_drift_lower` and
    `bounds.directed_drift_upper`. D' needs O(n) and D'' O(1) at these batch sizes.

    Example
    -------
    >>> import numpy as np
    >>> from littlestone.learners import DirectedDrift
    >>> rng = np.random.default_rng(0)
    >>> target, X = rng.choice([-1, 1], 31), rng.choice([-1, 1], (5000, 31))
    >>> learner = DirectedDrift(mode="synchronous")
    >>> said = learner.learn(X, X @ target >= 0)
    >>> learner.mistakes, learner.tested, bool((learner.hypothesis().w == target).all())
    (1, 4666, True)

    Reference
    ---------
    Fang and Venkatesh, "Learning finite binary sequences from half-space data", 1997.
    """

    domain = "sign"
    narrow = True
    exchangeable = False
    tells_n = ("w", ("words",))
    mode: Mode = choice(
        default="single", among=("single", "asynchronous", "synchronous"), says="Algorithm D, D' or D''."
    )
    batch: int | None = whole(
        default=None,
        most=MOST_VOTES,
        says="m, in the batch modes. None: as Table 1 has it, ``pi/2 n ln n`` (D') or ``pi n ln n`` (D''), rounded up, "
        "for D'' to an odd number. With an even m a coordinate with m/2 votes is flipped; D'' with m = 1 or 2 "
        "hardly converges.",
    )
    seed: int = whole(default=0, least=0, most=(1 << 64) - 1, says="Of the start, which is random, and of all choices.")
    delta: float | None = number(
        default=None,
        above=0,
        below=1,
        says="Stop learning once so many rows in a row were right that a wrong hypothesis would have come so far with "
        "probability below delta: `drift.hypothesis_rule`, which says what this does not promise. None: never "
        "stop.",
    )
    patience: int | None = whole(
        default=None,
        most=1 << 62,
        says="Stop learning after so many right rows in a row: `drift.least_rule(n, delta)` bounds the probability "
        "that the output is wrong (for D and uniform rows). None: as delta has it.",
    )

    def _check(self) -> None:
        if self.mode == "single" and self.batch not in (None, 1):
            raise InvalidParameter(
                f"{self._owner}: mode 'single' has no batch, got batch={self.batch}; take one of the other modes"
            )
        if self.delta is not None and self.patience is not None:
            raise InvalidParameter(f"{self._owner}: expected one of delta and patience, got both; leave one out")

    def _needs_n(self) -> bool:
        return True

    def _check_weights(self, importance: Floats) -> None:
        check_counted(self._owner, importance, "a row is tested or votes once")

    def _build(self, n: int | None) -> Machine:
        from littlestone.machines.drifting import MODES, Drifting

        assert n is not None
        wait = self.patience or 0
        if self.delta is not None:
            wait = hypothesis_rule(n, self.delta, sampling="reflected")
        return Drifting(self._owner, n, MODES[self.mode], self._votes(n), wait, self.seed)

    def _votes(self, n: int) -> int:
        if self.mode == "single":
            return 1
        return self.batch or batch_size(n, self.mode)

    def _aligned(self, X: Any) -> tuple[Block, Sequence[Hashable]]:
        """Return the rows, and the names that are new; an array of another width has lost or gained coordinates."""
        block, new = super()._aligned(X)
        if self._n is not None and block.names is None and block.n_attributes not in (None, self._n) and len(block):
            raise InvalidData(
                f"{self._owner}: expected rows of n={self._n} attributes, got rows of {block.n_attributes}; n is fixed"
            )
        return block, new

    @property
    def mistakes(self) -> int:
        """How many of the rows it was tested on it predicted wrongly."""
        return 0 if self._drifting is None else self._drifting.mistakes

    @property
    def tested(self) -> int:
        """How many rows it was tested on: all but those that only voted, or came after the end."""
        return 0 if self._drifting is None else self._drifting.tested

    @property
    def terminated(self) -> bool:
        """Whether it has stopped learning, since so many rows in a row were right."""
        return self._drifting is not None and self._drifting.ended

    @property
    def tested_rows(self) -> NDArray[np.bool_]:
        """Which rows of the last block it was tested on, but for negative ones with ``w.u = 0``: a tie is right."""
        return np.zeros(0, dtype=bool) if self._drifting is None else self._drifting.tested_rows

    @property
    def bits(self) -> int | None:
        """The memory that the paper charges: 2n for D, mn + n with a batch of m rows; None until n is known.

        This implementation counts votes instead of keeping rows: n ceil(log2(m + 1)) + 2n bits.
        """
        return None if self._n is None else memory_bits(self._n, self.mode, batch=self._votes(self._n))

    @property
    def _drifting(self) -> Drifting | None:
        return cast("Drifting | None", self._machine)
