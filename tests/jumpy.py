"""A detector that notices changes where there are none, so that few rows make many duels."""

import pytest

from littlestone.learners import restarting
from littlestone.parts.changes import Change, ChangeDetector


class Jumpy(ChangeDetector):
    """Notices a change after every fifth trial with a mistake in one of the four before."""

    def __init__(self, *, delta):
        super().__init__(delta=delta, every=1)

    def _change(self):
        wrong = int(self._kept[: self._number, 1].sum())
        return Change(self.trials - 1, self._first, 0.0, 1.0) if self._stretches >= 5 and wrong else None


@pytest.fixture
def jumpy(monkeypatch):
    monkeypatch.setattr(restarting, "ChangeDetector", Jumpy)
