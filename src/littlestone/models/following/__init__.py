"""Following a live source: each example is predicted, learned when its label comes, and never lost or learned twice."""

from littlestone.models.following.events import Answer, Change, Event, Labelled, Notice, Progress, Saved
from littlestone.models.following.following import Following, follow, follow_async

__all__ = [
    "Answer",
    "Change",
    "Event",
    "Following",
    "Labelled",
    "Notice",
    "Progress",
    "Saved",
    "follow",
    "follow_async",
]
