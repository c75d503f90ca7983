"""reasons: why a model decides what it decides of one row, and what would change it."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import exp
from typing import TYPE_CHECKING, Any, NamedTuple

from littlestone.core.block import Block
from littlestone.core.display import Plotted
from littlestone.core.errors import InvalidData
from littlestone.core.parameters import check_whole
from littlestone.models.explanation._linear import AsDict, Names
from littlestone.models.explanation.asked import Asked, Change, Reason
from littlestone.models.explanation.example import explain_example
from littlestone.models.explanation.marking import Marked, marked_texts
from littlestone.models.explanation.text import number, table

if TYPE_CHECKING:
    from littlestone.models.model import Model

__all__ = ["SAYS", "Reasons", "reasons"]

WEIGHTS, LEFT_OUT = "weights", "left out"
HARDLY = 0.01  # of probability


@dataclass(frozen=True)
class Reasons(AsDict, Plotted):
    """Why a model decides as it does on one row.

    ``by`` says what the numbers are: "weights", weight times value, which add up with the constant to the total and are
    compared with the threshold; or "left out", by how much the logarithm of the odds falls when the attribute is left
    out, for what is no single linear rule. What is positive speaks for ``toward``, what is negative for ``against``: of
    two labels for the positive and the negative one, of many for the prediction and the label that comes next. Of a
    number, "added" is weight times value in the outcome's own unit, "without" how much lower it is without the
    attribute; there is no change.

    >>> import littlestone as ls
    >>> model = ls.Model(ls.Perceptron())
    >>> _ = model.learn([{"rain": 2.0, "wind": 1.0}, {"sun": 1.0}, {"sun": 1.0, "wind": 3.0}], [1, 0, 0])
    >>> found = model.explain({"wind": 2.0, "sun": 1.0})
    >>> found.prediction, found.by, [(one.attribute, one.brings) for one in found.listed]
    (0, 'weights', [('sun', -1.0), ('wind', 0.0)])
    """

    learner: str
    prediction: Any
    probabilities: Mapping[Any, float]
    toward: Any
    against: Any
    by: str
    listed: tuple[Reason, ...]
    constant: float | None = None
    total: float | None = None
    theta: float | None = None
    change: Change | None = None
    texts: Mapping[str, tuple[Marked, ...]] | None = None
    notes: tuple[str, ...] = ()

    @property
    def what_changes_it(self) -> str:
        """The fewest attributes without which the decision is another, in a sentence; nothing of numbers."""
        if self.by in NUMBERS:
            return ""
        if self.change is None:
            return "No attributes were found without which it would be another."
        least = "no fewer would do" if self.change.exact else "found step by step: there may be fewer"
        return f"It would be {self.change.prediction!s} without {_and(self.change.without)} ({least})."

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        sure = f", with probability {self.probabilities[self.prediction]:.4f}" if self.probabilities else ""
        told = number(self.prediction) if self.by in NUMBERS else str(self.prediction)
        yield f"Predicts {told}{sure}."
        rows = [_row(one) for one in self.listed]
        if self.constant:
            rows.append(("(the constant)", f"{self.constant:+.4g}", ""))
        if self.total is not None:
            rows.append(("sum", f"{self.total:+.4g}", "" if self.theta is None else f"threshold {number(self.theta)}"))
        if rows and self.by in NUMBERS:
            yield f"What raises it (+) and what lowers it (-), {SAYS[self.by]}:"
            yield from table(rows)
        elif rows:
            yield f"For {self.toward!s} (+) and for {self.against!s} (-), {SAYS[self.by]}:"
            yield from table(rows)
        if self.by not in NUMBERS:
            yield self.what_changes_it
        yield from self.notes


NUMBERS = ("added", "without")  # what is said of numbers that are predicted
SAYS = {
    "added": "weight times value, in the outcome's unit",
    "without": "by how much the prediction falls when the attribute is left out",
    WEIGHTS: "weight times value",
    LEFT_OUT: "by how much its log-odds fall when the attribute is left out",
}


def _row(one: Reason) -> tuple[str, ...]:
    if one.scaled is not None:
        value = f"value {number(one.value)}: {one.scaled:+.3g} standard deviations"
    else:
        value = "" if one.value == 1.0 else f"value {number(one.value)}"
    weight = "" if one.weight is None or value == "" else f"weight {number(one.weight)}"
    return str(one.attribute), f"{one.brings:+.4g}", value, weight, one.note


def _and(names: Sequence[Hashable]) -> str:
    words = [str(name) for name in names]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def reasons(
    model: Model, block: Block, *, top: int = 20, raw: Mapping[str, Any] | None = None, names: Names = None
) -> Reasons:
    """Return why a model decides as it does on the one row of a block, which it has read itself; nothing changes.

    ``raw`` is the row as it came, whose texts are marked; ``names`` are those of the columns of a learner that knows
    attributes by position.

    >>> import littlestone as ls
    >>> model = ls.Model(ls.Perceptron())
    >>> _ = model.learn([{"rain": 2.0, "wind": 1.0}, {"sun": 1.0}, {"sun": 1.0, "wind": 3.0}], [1, 0, 0])
    >>> print(model.explain({"wind": 2.0, "sun": 1.0}))
    Predicts 0.
    For 1 (+) and for 0 (-), weight times value:
      sun             -1
      wind            +0      value 2  weight 0
      (the constant)  -1
      sum             -2  threshold 0
    No attributes were found without which it would be another.
    """
    if len(block) != 1:
        raise InvalidData(f"explain: expected one row, got {len(block)}")
    top = check_whole("explain", "top", top)
    learner, asked = model.learner, Asked(model, block, names)
    found, sums = _weighed(asked, names) if asked.linear else (asked.left_out(), _Sums())
    found.sort(key=lambda one: -abs(one.brings))
    notes = [] if len(found) <= top else [f"Not listed: {len(found) - top} more, each of which does less."]
    if not asked.linear and hasattr(learner, "best"):
        notes.append("A vote of experts decides: there is no one weight an attribute.")
    if model.decision.threshold is not None:
        notes.append(f"Decided by the probability of {asked.toward!s}: {model.decision}.")
    if not asked.linear:
        notes += _hardly(asked, found)
    brings = {str(one.attribute): one.brings for one in found}
    return Reasons(
        repr(learner), asked.prediction, asked.probabilities(), asked.toward, asked.against,
        WEIGHTS if asked.linear else LEFT_OUT, tuple(found[:top]), *sums, asked.change(),
        None if raw is None else marked_texts(model.reading, raw, brings), tuple(notes),
    )  # fmt: skip


def _hardly(asked: Asked, found: Sequence[Reason]) -> list[str]:
    """Say so where no attribute alone moves the probability: then what each brings is next to nothing."""
    probabilities = asked.probabilities()
    if not found or not probabilities or asked.against is None:
        return []
    own, other = probabilities[asked.toward], probabilities[asked.against]
    share = own / (own + other) if own + other > 0.0 else 0.5
    moved = max(abs(share - _less(share, one.brings)) for one in found)
    if moved >= HARDLY:
        return []
    return [f"Whichever attribute is left out, the probability moves by less than {HARDLY}: no single one decides."]


def _less(share: float, fall: float) -> float:
    """Return a share whose log-odds have fallen."""
    if not 0.0 < share < 1.0:
        return share
    return 1.0 / (1.0 + (1.0 - share) / share * exp(min(fall, 700.0)))


class _Sums(NamedTuple):
    """The constant of a linear rule, the total and the threshold."""

    constant: float | None = None
    total: float | None = None
    theta: float | None = None


def _weighed(asked: Asked, names: Names) -> tuple[list[Reason], _Sums]:
    """Return what each attribute of a linear rule brings, the constant, the total and the threshold."""
    told = explain_example(asked.model.learner, asked.rows, names=names)
    scaled = {name: (value, own) for name, value, own in asked.cells()}
    found = []
    for one in told.contributions:
        value, own = scaled.get(one.attribute, (one.value, None))
        found.append(Reason(one.attribute, value, own, one.weight, one.product, one.note))
    return found, _Sums(told.constant, told.total, told.theta)
