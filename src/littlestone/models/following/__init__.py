"""Following a live source: each example is predicted, learned when its label comes, and never lost or learned twice.

`Event` is the type of all that happens.

>>> from littlestone.models.following import Event, Progress
>>> issubclass(Progress, Event)
True
"""

from littlestone.models.following.events import Answer, Change, Event, Labelled, Notice, Progress, Refused, Saved
from littlestone.models.following.examples import At
from littlestone.models.following.following import Following, follow, follow_async, last_mark

__all__ = [
    "Answer",
    "At",
    "Change",
    "Event",
    "Following",
    "Labelled",
    "Notice",
    "Progress",
    "Refused",
    "Saved",
    "follow",
    "follow_async",
    "last_mark",
]
