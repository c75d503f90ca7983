"""Score: the mistakes among the labels that came, in all and in the last of them, and where they became more."""

from __future__ import annotations

from collections import deque

import numpy as np

from littlestone.core.arrays import State
from littlestone.core.errors import InvalidModel
from littlestone.core.parameters import check_whole
from littlestone.models.following.events import Change
from littlestone.parts.changes import ChangeDetector

__all__ = ["Score"]

MOST = 1 << 24  # labels in a window


class Score:
    """Counts mistakes over all labels, and over the last ``window`` of them.

    >>> score = Score(2)
    >>> score.see([True, False, False]), score.labels, score.mistakes, list(score.window)
    ([], 3, 1, [False, False])
    """

    def __init__(self, window: int) -> None:
        self.labels = self.mistakes = self.changes = 0
        self.window = deque[bool](maxlen=check_whole("follow", "window", window, most=MOST))
        self._detector = ChangeDetector()

    def see(self, wrong: list[bool]) -> list[Change]:
        """Take whether predictions were mistakes, in order; return the changes that they show."""
        first = self.labels
        self.labels, self.mistakes = self.labels + len(wrong), self.mistakes + sum(wrong)
        self.window.extend(wrong)
        before = self._detector.trials
        found = [
            Change(first + one.noticed - before + 1, first + one.began - before + 1, one.before, one.after)
            for one in self._detector.see(wrong)
        ]
        self.changes += len(found)
        return found

    # Written down

    def counts(self) -> dict[str, int]:
        """Return what is counted."""
        return {"labels": self.labels, "mistakes": self.mistakes, "changes": self.changes}

    def state(self) -> State:
        """Return the last mistakes, and what the detector of changes has seen."""
        return {"window": np.array(self.window, dtype=np.uint8), "stretches": self._detector.state()}

    def restore(self, counts: dict[str, int], state: State) -> None:
        """Go on from what `counts` and `state` gave; refuse what they could not have given."""
        labels, mistakes, changes = (counts[name] for name in ("labels", "mistakes", "changes"))
        window = state["window"]
        if not all(type(number) is int for number in (labels, mistakes, changes)):
            raise InvalidModel("expected how many labels and mistakes were counted, got others")
        sound = window.ndim == 1 and bool((window <= 1).all()) and len(window) <= labels
        if not sound or not 0 <= mistakes <= labels or changes < 0 or not self._detector.is_sound(state["stretches"]):
            raise InvalidModel("expected the mistakes of the examples that were followed, got others")
        self.labels, self.mistakes, self.changes = labels, mistakes, changes
        self.window.extend(window.astype(bool).tolist())
        self._detector.restore(state["stretches"])
