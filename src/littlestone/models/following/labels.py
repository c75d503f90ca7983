"""The labels of a model that follows a source: those that it has met, and how others are taken."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from littlestone.core.arrays import Ints
from littlestone.core.messages import Message, Remedy
from littlestone.models.model import Model
from littlestone.streams.formats.growing import LabelBook
from littlestone.streams.formats.reading_rules import listed

__all__ = ["Labels"]

MOST = 1000  # ways to write labels that are remembered


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
        self._book, self._codes = LabelBook(self._known), dict[tuple[type, Any], int]()

    def read(self, cell: Any) -> Any:
        """Return the label that a cell stands for."""
        self._look()
        return self._book.read(cell)

    def _look(self) -> None:
        """Begin anew if the model has met more labels."""
        if self._known != self.model.labels:
            self._known = self.model.labels
            self._book, self._codes = LabelBook(self._known), {}

    def code(self, cell: Any) -> int | None:
        """Return the position of a label among the model's; one behind them: it is new; None: it is not to be learned.

        Of two labels that nobody knows yet, the first is new.
        """
        label, known = self.read(cell), self.model.labels
        if label in known:
            return known.index(label)
        return len(known) if self.open and (self.model.learner.many_classes or not known) else None

    def codes(self, cells: Sequence[Any]) -> list[int] | None:
        """Return the positions of labels that the model knows; None, if it does not know all of them.

        >>> import littlestone as ls
        >>> model = ls.Model.train([[1, 0], [0, 1]] * 5, ["yes", "no"] * 5)
        >>> Labels(model, open=True).codes(["no", "yes"]), Labels(model, open=True).codes(["no", "maybe"])
        ([0, 1], None)
        """
        self._look()
        known, kinds = self._codes, [*map(type, cells)]
        try:
            return [*map(known.__getitem__, zip(kinds, cells, strict=True))]
        except KeyError:  # one that came for the first time
            pass
        except TypeError:
            return None
        if len(known) > MOST:
            known.clear()
        for key in zip(kinds, cells, strict=True):
            code = self.code(key[1])
            if code is None or code >= len(self._known):
                return None
            known[key] = code
        return [*map(known.__getitem__, zip(kinds, cells, strict=True))]

    @property
    def known(self) -> bool:
        """Whether the model has met any."""
        return bool(self.model.labels)

    def is_new(self, code: Any) -> bool:
        """Tell whether a code is that of a label that the model has not met."""
        return bool(code == len(self.model.labels))

    def label_of(self, code: Any) -> Any:
        """Return the label of a code; None where there is none."""
        return None if code < 0 else self.model.labels[code]

    def said(self, predictions: list[Any]) -> list[Any]:
        """Return predictions as they are kept until the label comes: by their positions."""
        codes = {label: at for at, label in enumerate(self.model.labels)}
        return [codes.get(prediction, -1) for prediction in predictions]

    def prediction(self, said: Any) -> Any:
        """Return the prediction that was kept."""
        return self.label_of(said)

    def outcomes(self, codes: list[Any], last: Any) -> tuple[Ints, tuple[Any, ...]]:
        """Return the outcomes of a block whose last label may be a new one, and its labels."""
        return np.array(codes, dtype=np.int64), self.all(last, codes[-1])

    def all(self, cell: Any, code: int) -> tuple[Any, ...]:
        """Return the model's labels, and a new one behind them, if it is one."""
        known = self.model.labels
        return known if code < len(known) else (*known, self.read(cell))

    def refusal(self, label: Any) -> Message:
        """Say that a label is none of the model's."""
        new = Remedy("say {new_labels} if it is a new one", typed="say {new_labels} if it is new", new_labels=True)
        remedy = new if self.model.learner.many_classes else "correct it"
        return Message(f"expected a label of ({listed(self.model.labels)}), got {label!r}", remedy)
