"""What a model that predicts numbers has in place of labels and mistakes, while it follows a source."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from math import isfinite, sqrt
from typing import Any

import numpy as np

from littlestone.core.arrays import Floats, State
from littlestone.core.errors import InvalidModel
from littlestone.core.messages import Message
from littlestone.core.parameters import check_whole
from littlestone.models.following.events import Change
from littlestone.models.following.score import MOST
from littlestone.streams.formats.outcomes import of_cell, outcome_refusal

__all__ = ["NumberScore", "Numbers"]


class Numbers:
    """Reads outcomes as numbers: the code of one is the number itself, a float; what is no float is none.

    >>> Numbers().code("2.5"), Numbers().code("many"), Numbers().codes([1, 2.5])
    (2.5, None, [1.0, 2.5])
    """

    open = False
    known = True  # there is nothing to be known before

    def code(self, cell: Any) -> float | None:
        """Return the number that an outcome is; None: it is not to be learned."""
        value = None if cell is None or outcome_refusal(cell, frozenset([""]), file=False) else of_cell(cell)
        return None if value is None else float(value)

    def codes(self, cells: Sequence[Any]) -> list[Any] | None:
        """Return outcomes as numbers; None, if one of them is none."""
        found = [*map(self.code, cells)]
        return None if None in found else found

    def is_new(self, code: Any) -> bool:
        """Tell that no number is new."""
        del code
        return False

    def label_of(self, code: Any) -> float | None:
        """Return the outcome; None where there is none."""
        return code if isinstance(code, float) else None

    def said(self, predictions: list[Any]) -> list[Any]:
        """Return predictions as they are kept until the outcome comes."""
        return predictions

    def prediction(self, said: Any) -> Any:
        """Return the prediction that was kept."""
        return said

    def outcomes(self, codes: list[Any], last: Any) -> tuple[Floats, tuple[Any, ...]]:
        """Return the outcomes of a block, and its labels, of which there are none."""
        del last
        return np.array(codes, dtype=np.float64), ()

    def refusal(self, cell: Any) -> Message:
        """Say that an outcome is no number."""
        found = outcome_refusal(cell, frozenset([""]), file=False)
        return Message(f"expected a number as outcome, got {cell!r}") if found is None else found


class NumberScore:
    """Adds errors up over all outcomes, and keeps the last ``window`` of them.

    >>> score = NumberScore(2)
    >>> score.see([1.0, -3.0, 2.0]), score.labels, score.figures()["mae"], score.figures()["window_mae"]
    ([], 3, 2.0, 2.5)
    """

    def __init__(self, window: int) -> None:
        self.labels = self.mistakes = self.changes = 0
        self.absolute = self.squares = 0.0
        self.window = deque[float](maxlen=check_whole("follow", "window", window, most=MOST))

    def see(self, errors: list[float]) -> list[Change]:
        """Take errors, in order; changes are noticed of mistakes alone."""
        self.labels += len(errors)
        for error in errors:
            self.absolute, self.squares = self.absolute + abs(error), self.squares + error * error
        self.window.extend(errors)
        return []

    def figures(self) -> dict[str, float | None]:
        """Return the mean size of errors and the root of their mean square, of all and of the last."""
        last, number = np.array(self.window), len(self.window)
        with np.errstate(over="ignore"):
            found = (
                self.absolute / max(self.labels, 1), sqrt(self.squares / max(self.labels, 1)),
                float(np.abs(last).sum()) / max(number, 1), sqrt(float(np.square(last).sum()) / max(number, 1)),
            )  # fmt: skip
        names = ("mae", "rmse", "window_mae", "window_rmse")
        return {name: value if self.labels else None for name, value in zip(names, found, strict=True)}

    # Written down

    def counts(self) -> dict[str, Any]:
        """Return what is added up."""
        return {"labels": self.labels, "absolute": self.absolute, "squares": self.squares}

    def state(self) -> State:
        """Return the last errors."""
        return {"window": np.array(self.window, dtype=np.float64)}

    def restore(self, counts: dict[str, Any], state: State) -> None:
        """Go on from what `counts` and `state` gave; refuse what they could not have given."""
        labels, absolute, squares = (counts[name] for name in ("labels", "absolute", "squares"))
        window = state["window"]
        sound = type(labels) is int and window.dtype == np.float64 and window.ndim == 1 and len(window) <= labels
        if not sound or not all(type(s) is float and isfinite(s) and s >= 0.0 for s in (absolute, squares)):
            raise InvalidModel("expected the errors of the examples that were followed, got others")
        if np.isnan(window).any():
            raise InvalidModel("expected the last errors of the examples that were followed, got others")
        self.labels, self.absolute, self.squares = labels, absolute, squares
        self.window.extend(window.tolist())
