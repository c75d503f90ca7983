"""What happens while a model follows a live source: an answer, a label, a change, something that was wrong."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

from littlestone.core.messages import Message

__all__ = ["Answer", "Change", "Event", "Labelled", "Notice", "Progress", "Refused", "Saved"]


@dataclass(frozen=True, slots=True)
class Answer:
    """What the model said of an example before it knew its label.

    ``probability`` is that of the prediction; None, where the model has none or knows no label yet. ``label`` is the
    example's, where it came with it and was learned after the answer. ``line`` is the number of its line or item.

    >>> import littlestone as ls
    >>> model = ls.Model.train([{"sky": "grey", "rain": 1}, {"sky": "blue", "rain": 0}] * 20, label="rain")
    >>> answer = next(ls.follow(model, [{"id": "a", "sky": "grey"}]))
    >>> answer.id, answer.prediction, round(answer.probability, 2)
    ('a', 1, 0.99)
    """

    id: Hashable
    prediction: Any
    probability: float | None = None
    label: Any = None
    line: int = field(default=0, compare=False, repr=False)

    def as_dict(self) -> dict[str, Any]:
        """Return what is printed of it."""
        return {"id": self.id, "prediction": self.prediction, "probability": self.probability}


@dataclass(frozen=True, slots=True)
class Labelled:
    """A label that came later, in this line: the example was learned, and this prediction of it had been given.

    >>> import littlestone as ls
    >>> model = ls.Model.train([{"sky": "grey", "rain": 1}, {"sky": "blue", "rain": 0}] * 20, label="rain")
    >>> events = list(ls.follow(model, [{"id": "a", "sky": "grey"}, {"id": "a", "label": 0}]))
    >>> events[1]
    Labelled(id='a', label=0, prediction=1)
    """

    id: Hashable
    label: Any
    prediction: Any
    line: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Change:
    """Mistakes have become more frequent: noticed after so many labels, since about ``began``; their shares.

    >>> import littlestone as ls
    >>> print(ls.following.Change(labels=2000, began=1500, before=0.05, after=0.3))
    mistakes have become more frequent: 5.0% before, 30.0% since about label 1,500 (noticed at label 2,000)
    """

    labels: int
    began: int
    before: float
    after: float

    def __str__(self) -> str:
        return (
            f"mistakes have become more frequent: {self.before:.1%} before, {self.after:.1%} since about label "
            f"{self.began:,} (noticed at label {self.labels:,})"
        )


@dataclass(frozen=True, slots=True)
class Notice:
    """Something was wrong, or is worth knowing: what, where, and what was done, in one line.

    >>> import littlestone as ls
    >>> model = ls.Model.train([{"sky": "grey", "rain": 1}, {"sky": "blue", "rain": 0}] * 20, label="rain")
    >>> events = list(ls.follow(model, [{"id": "b", "label": 1}]))
    >>> [str(event) for event in events if isinstance(event, ls.following.Notice)]
    ["list:1: a label for 'b' came, but no such example waits: it is still to come, or was learned or dropped; the
    label is kept for it"]
    """

    message: Message

    def __str__(self) -> str:
        return self.message


@dataclass(frozen=True, slots=True)
class Refused:
    """A line that a strict follower did nothing with, and why: it is as if it had not come.

    ``because`` is what was wrong: the "row", its "label", or its "id", which waits already or does not.

    >>> str(Refused(7, Message("expected a label of ('ham', 'spam'), got 'sapm'"), "label"))
    "expected a label of ('ham', 'spam'), got 'sapm'"
    """

    line: int
    message: Message
    because: str = "row"

    def __str__(self) -> str:
        return self.message


@dataclass(frozen=True, slots=True)
class Progress:
    """How far it is: examples answered, labels learned, mistakes among these, and in the last ``window`` of them.

    ``waiting`` examples wait for their labels, ``dropped`` were dropped since too many did. ``attributes`` are kept,
    and ``evicted`` were dropped for want of room, by a learner that keeps a limited number of them; else None. Of a
    model that predicts numbers there are ``mae`` and ``rmse`` of all, and of the last, in place of mistakes; else None.

    >>> import littlestone as ls
    >>> model = ls.Model.train([{"sky": "grey", "rain": 1}, {"sky": "blue", "rain": 0}] * 20, label="rain")
    >>> events = list(ls.follow(model, [{"id": "a", "sky": "grey"}, {"id": "a", "label": 0}]))
    >>> events[-1].answered, events[-1].learned, events[-1].mistakes, events[-1].waiting
    (1, 1, 1, 0)
    """

    answered: int
    learned: int
    mistakes: int
    window: int
    window_mistakes: int
    waiting: int
    dropped: int
    changes: int
    attributes: int | None = None
    evicted: int | None = None
    mae: float | None = None
    rmse: float | None = None
    window_mae: float | None = None
    window_rmse: float | None = None

    @property
    def error(self) -> float | None:
        """The share of mistakes among all labels: progressive, for each example was predicted before it was learned."""
        return self.mistakes / self.learned if self.learned and self.mae is None else None

    @property
    def window_error(self) -> float | None:
        """The share of mistakes among the last labels."""
        return self.window_mistakes / self.window if self.window and self.mae is None else None


@dataclass(frozen=True, slots=True)
class Saved:
    """The model was saved with all that was learned of so many lines or items; ``mark`` is that of the last item.

    A consumer of a queue may say now that it has everything up to there.

    >>> import littlestone as ls, tempfile
    >>> model = ls.Model.train([{"sky": "grey", "rain": 1}, {"sky": "blue", "rain": 0}] * 20, label="rain")
    >>> path = f"{tempfile.mkdtemp()}/model.npz"
    >>> for event in ls.follow(model, [({"sky": "blue"}, 0), ({"sky": "grey"}, 1)], save_to=path):
    ...     if isinstance(event, ls.following.Saved):
    ...         print(event)
    Saved(lines=2, mark=None)
    """

    lines: int
    mark: Any = None


Event = Answer | Labelled | Change | Notice | Refused | Progress | Saved
