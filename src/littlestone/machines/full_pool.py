"""The experts of a pool that keep a full covariance, for few attributes: a mean and a covariance for each target."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from littlestone.core.arrays import Floats, Ints, State
from littlestone.core.rows import Rows
from littlestone.engine.learning import full_pool as engine
from littlestone.machines.roster import Roster, parameters

__all__ = ["FullPool", "covered"]

Codes = NDArray[np.int32]
Bytes = NDArray[np.uint8]


class FullPool:
    """Means and roots of covariances (target, expert, attribute), where attribute 0 is the constant coordinate.

    Of two classes there is one target, the second class; of more each class is one.
    """

    def __init__(self, roster: Roster) -> None:
        self._roster = roster
        self._targets, self._experts = 1, np.arange(len(roster.full))
        self._means, self._roots = np.zeros((1, len(roster.full), 0)), np.zeros((1, len(roster.full), 0, 0))
        self.widen(0)

    def restore(self, experts: Ints, targets: int, state: Mapping[str, NDArray[Any]]) -> None:
        """Go on with these experts from what `state` gave."""
        self._experts, self._targets, width = experts, targets, state["means"].shape[1]
        means, roots = (np.array(state[name], dtype=np.float64, order="C") for name in ("means", "roots"))
        self._means = means.reshape(targets, len(experts), width)
        self._roots = roots.reshape(targets, len(experts), width, width)

    def keep(self, experts: Ints) -> None:
        """Go on with some of the experts."""
        those = np.searchsorted(self._experts, experts)
        self._experts, self._means, self._roots = experts, self._means[:, those], self._roots[:, those]

    def leave(self) -> None:
        """Give back the room of all: they are out."""
        self._targets, self._means, self._roots = 1, self._means[:1, :, :0].copy(), self._roots[:1, :, :0, :0].copy()

    def state(self, size: int) -> State:
        """Return means and roots of so many attributes, or of as many as they may have."""
        width, experts = min(size + 1, self._means.shape[2]), len(self._experts)
        means, roots = self._means[: self._targets, :, :width], self._roots[: self._targets, :, :width, :width]
        shape = self._targets * experts, width
        return {"means": means.reshape(shape).copy(), "roots": roots.reshape(*shape, width).copy()}

    def weights(self, expert: int, size: int) -> Floats:
        """Return an expert's weights of ``size`` attributes, a row a target."""
        means = self._means[: self._targets, int(np.searchsorted(self._experts, expert)), 1 : size + 1]
        return np.pad(means, ((0, 0), (0, size - means.shape[1])))

    def widen(self, size: int) -> None:
        """Have room for so many attributes, or for as many as they may have."""
        old, most = self._means.shape[2], engine.few(self._targets) + 1
        new = min(size + 1, most)
        if new > old:
            self._resize(len(self._means), min(max(new, old + old // 2), most))

    def cover(self, classes: int) -> bool:
        """Have means and covariances for so many classes; tell whether they may, with the attributes learned so far."""
        targets, old = covered(classes), self._targets
        width = min(self._means.shape[2], engine.few(targets) + 1)
        if targets <= old:
            return True
        if width < 1 or self._has_learned_beyond(width):
            return False
        room = len(self._means)
        self._resize(room if targets <= room else max(targets, room + room // 2), width)
        if old == 1:  # what speaks for the second class speaks against the first
            self._means[1], self._roots[1] = self._means[0], self._roots[0]
            self._means[0] *= -1.0
        self._targets = targets
        return True

    def score(self, rows: Rows, said: Floats, present: Bytes) -> None:
        """Put down the score of each row, class and expert, and whether they have a say."""
        if len(self._experts):
            engine.score(*rows, self._flat[0], said, present)

    def learn(
        self, rows: Rows, outcomes: Codes, importance: Floats, counts: Ints, classes: int, said: Floats, present: Bytes
    ) -> None:
        """Do what `score` does, and learn each row; so many classes are known before the first."""

        def learn(at: slice, said: Floats, present: Bytes) -> None:
            if counts[engine.IN] and len(self._experts):
                rule = self._roster.rules[1][self._experts], parameters(self._roster.full)[self._experts, 0]
                engine.learn(
                    *rows.some(at), outcomes[at], importance[at], *self._flat, *rule, counts, said, present
                )  # fmt: skip

        start = 0
        for at in _newcomers(outcomes, classes):
            learn(slice(start, at), said[start:at], present[start:at])
            start, row = at + 1, slice(at, at + 1)
            if counts[engine.IN]:  # the row is predicted before its class is known
                self.score(rows.some(row), said[row], present[row])
                counts[engine.IN] = present[at] and self.cover(int(outcomes[at]) + 1)
            learn(row, np.zeros((1, self._targets, len(self._experts))), np.zeros(1, dtype=np.uint8))
        learn(slice(start, len(outcomes)), said[start:], present[start:])

    # Inside

    @property
    def _flat(self) -> tuple[Floats, Floats]:
        means, roots = self._means[: self._targets], self._roots[: self._targets]
        return means.reshape(-1, means.shape[-1]), roots.reshape(-1, *roots.shape[2:])

    def _has_learned_beyond(self, width: int) -> bool:
        """Tell whether anything was learned of the attributes beyond a width."""
        means, roots = self._means[: self._targets], self._roots[: self._targets]
        new = np.eye(roots.shape[-1])
        return bool(
            means[..., width:].any()
            or (roots[..., width:, :] != new[width:]).any()
            or (roots[..., :width, width:] != new[:width, width:]).any()
        )

    def _resize(self, targets: int, width: int) -> None:
        experts, old = len(self._experts), self._targets
        means, roots = np.zeros((targets, experts, width)), np.tile(np.eye(width), (targets, experts, 1, 1))
        both = min(width, self._means.shape[2])
        means[:old, :, :both], roots[:old, :, :both, :both] = (
            self._means[:old, :, :both], self._roots[:old, :, :both, :both],
        )  # fmt: skip
        self._means, self._roots = means, roots


def covered(classes: int) -> int:
    """Return how many targets there are: of two classes one."""
    return 1 if classes <= 2 else classes


def _newcomers(outcomes: Codes, classes: int) -> list[int]:
    """Return the rows with a class beyond the second that was not known before.

    >>> _newcomers(np.array([0, 1, 2, 2, 3, 1], dtype=np.int32), 0)
    [2, 4]
    """
    before = np.maximum.accumulate(np.append(classes, outcomes + 1))[: len(outcomes)]
    found: list[int] = np.flatnonzero((outcomes >= before) & (outcomes > 1)).tolist()
    return found
