"""The labels of a model that follows a source: those that it has met, and how others are taken."""

from __future__ import annotations

from typing import Any

from littlestone.core.messages import Message, Remedy
from littlestone.models.model import Model
from littlestone.streams.formats.growing import LabelBook
from littlestone.streams.formats.reading_rules import listed

__all__ = ["Labels"]


class Labels:
    """Reads labels as the model's; one that it has not met is learned if it is ``open``, and its labels are classes.

    What a label is depends on what the model has learned by then, and on nothing else: not on labels that came and
    were never learned, nor on how much came at a time.

    >>> import littlestone as ls
    >>> model = ls.Model.train([[1, 0], [0, 1]] * 5, ["yes", "no"] * 5)
    >>> Labels(model, open=False).code("yes"), Labels(model, open=False).code("maybe")
    (1, None)
    """

    def __init__(self, model: Model, *, open: bool) -> None:  # noqa: A002 - the word for it
        self.model, self.open = model, open
        self._known = model.labels
        self._book = LabelBook(self._known)

    def read(self, cell: Any) -> Any:
        """Return the label that a cell stands for."""
        if self._known != self.model.labels:
            self._known = self.model.labels
            self._book = LabelBook(self._known)
        return self._book.read(cell)

    def code(self, cell: Any) -> int | None:
        """Return the position of a label among the model's; one behind them: it is new; None: it is not to be learned.

        Of two labels that nobody knows yet, the first is new.
        """
        label, known = self.read(cell), self.model.labels
        if label in known:
            return known.index(label)
        return len(known) if self.open and (self.model.learner.many_classes or not known) else None

    def all(self, cell: Any, code: int) -> tuple[Any, ...]:
        """Return the model's labels, and a new one behind them, if it is one."""
        known = self.model.labels
        return known if code < len(known) else (*known, self.read(cell))

    def refusal(self, label: Any) -> Message:
        """Say that a label is none of the model's."""
        new = Remedy("say {new_labels} if it is a new one", typed="say {new_labels} if it is new", new_labels=True)
        remedy = new if self.model.learner.many_classes else "correct it"
        return Message(f"expected a label of ({listed(self.model.labels)}), got {label!r}", remedy)
