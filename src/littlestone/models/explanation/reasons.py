"""reasons: why a model decides what it decides of one row, and what would change it."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from littlestone.core.arrays import Floats
from littlestone.core.block import Block
from littlestone.core.display import Plotted
from littlestone.core.errors import InvalidData
from littlestone.core.labels import plain
from littlestone.models.explanation._linear import AsDict, Names
from littlestone.models.explanation.example import explain_example
from littlestone.models.explanation.text import number, table

if TYPE_CHECKING:
    from littlestone.models.model import Model

__all__ = ["Change", "Marked", "Reason", "Reasons", "reasons"]

SURE = 1e-12  # as near to 0 or 1 as odds are taken
MOST_STEPS = 40  # attributes that are tried together, to change a decision
WEIGHTS, LEFT_OUT = "weights", "left out"


@dataclass(frozen=True)
class Reason(AsDict):
    """What one attribute of a row does: ``brings`` speaks for one label where it is positive, else for the other.

    ``value`` is as it came, ``scaled`` as the learner sees it, where that is another; ``weight`` is None where there
    is no one weight.
    """

    attribute: Hashable
    value: float
    scaled: float | None
    weight: float | None
    brings: float
    note: str = ""


@dataclass(frozen=True)
class Change(AsDict):
    """The fewest attributes without which the decision is another; ``exact``: there are surely no fewer."""

    without: tuple[Hashable, ...]
    prediction: Any
    exact: bool


@dataclass(frozen=True)
class Marked(AsDict):
    """A piece of a raw text, and what its word brings; 0 for what is between words."""

    text: str
    brings: float


@dataclass(frozen=True)
class Reasons(AsDict, Plotted):
    """Why a model decides as it does on one row.

    ``by`` says what the numbers are: "weights", weight times value, which add up with the constant to the total and are
    compared with the threshold; or "left out", by how much the logarithm of the odds falls when the attribute is left
    out, for what is no single linear rule. What is positive speaks for ``toward``, what is negative for ``against``: of
    two labels for the positive and the negative one, of many for the prediction and the label that comes next.
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

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        sure = f", with probability {self.probabilities[self.prediction]:.4f}" if self.probabilities else ""
        yield f"Predicts {self.prediction!s}{sure}."
        rows = [_row(one) for one in self.listed]
        if self.constant:
            rows.append(("(the constant)", f"{self.constant:+.4g}", ""))
        if self.total is not None:
            rows.append(("sum", f"{self.total:+.4g}", f"threshold {number(self.theta)}"))
        if rows:
            yield f"For {self.toward!s} (+) and for {self.against!s} (-), {SAYS[self.by]}:"
            yield from table(rows)
        if self.change is not None:
            least = "no fewer would do" if self.change.exact else "found step by step: there may be fewer"
            yield f"It would be {self.change.prediction!s} without {_and(self.change.without)} ({least})."
        yield from self.notes


SAYS = {
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
    """
    if len(block) != 1:
        raise InvalidData(f"explain: expected one row, got {len(block)}")
    learner, asked = model.learner, _Asked(model, block, names)
    linear = not learner.many_classes and learner.hypothesis() is not None and len(model.labels) == 2
    found, sums = _weighed(asked, names) if linear else (asked.left_out(), _Sums())
    found.sort(key=lambda one: -abs(one.brings))
    notes = [] if len(found) <= top else [f"Not listed: {len(found) - top} more, each of which does less."]
    if not linear and hasattr(learner, "best"):
        notes.append("A vote of experts decides: there is no one weight an attribute.")
    probabilities = dict(zip(model.labels, asked.shares[0].tolist(), strict=True)) if asked.calibrated else {}
    return Reasons(
        repr(learner), asked.prediction, probabilities, asked.toward, asked.against, WEIGHTS if linear else LEFT_OUT,
        tuple(found[:top]), *sums, asked.change(found, exact=linear),
        None if raw is None else _texts(model.reading.get("text", ()), raw, found), tuple(notes),
    )  # fmt: skip


class _Asked:
    """A model that is asked about a row, and about it without some of its attributes."""

    def __init__(self, model: Model, block: Block, names: Names) -> None:
        self.model, self.block, self._names, self.rows = model, block, names, model.rows(block)
        self.calibrated = model.has_probabilities
        first = int(self.rows.indptr[0])
        self._indices = self.rows.indices[first:]
        self._values = None if self.rows.values is None else self.rows.values[first:]
        self.shares, predictions = self._decided(self.rows)
        self.prediction, labels = plain(predictions[0]), model.labels
        order = np.argsort(-self.shares[0], kind="stable").tolist() if self.shares.shape[1] > 1 else []
        after = next((labels[code] for code in order if labels[code] != self.prediction), None)
        self.toward, self.against = (labels[1], labels[0]) if len(labels) == 2 else (self.prediction, after)

    def _decided(self, rows: Block) -> tuple[Floats, Any]:
        model = self.model
        if not self.calibrated:
            activations = model.learner.activation(rows)
            shares = np.stack((-activations, activations), axis=1) if activations.ndim == 1 else activations
            return shares, model.learner.predict(rows)
        shares = model.probabilities_of(rows)
        decision = model.decision
        decided = model.learner.predict(rows) if decision.threshold is None else decision.label(shares, model.labels)
        return shares, decided

    def _odds(self, shares: Floats) -> Floats:
        """Return how far one label is before the other."""
        labels = self.model.labels
        if self.against is None:
            return np.zeros(len(shares))
        own, other = (shares[:, labels.index(label)] for label in (self.toward, self.against))
        if not self.calibrated:
            return np.asarray(own - other)
        return np.asarray(np.log(np.clip(own, SURE, 1.0)) - np.log(np.clip(other, SURE, 1.0)))

    def _without(self, sets: Sequence[Sequence[int]]) -> Block:
        """Return the row once for each set of places, without the attributes there."""
        keeps = []
        for places in sets:
            keep = np.ones(len(self._indices), dtype=np.bool_)
            keep[list(places)] = False
            keeps.append(keep)
        kept = np.array(keeps, dtype=np.bool_).reshape(len(sets), len(self._indices))
        indptr = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(kept.sum(axis=1))))
        at = np.nonzero(kept)[1]
        values = None if self._values is None else self._values[at]
        return Block(
            indptr, self._indices[at].copy(), values, n_attributes=self.rows.n_attributes, names=self.rows.names,
            checked=True,
        )  # fmt: skip

    def left_out(self) -> list[Reason]:
        """Return by how much the odds fall without each attribute."""
        whole = float(self._odds(self.shares)[0])
        shares, _ = self._decided(self._without([[place] for place in range(len(self._indices))]))
        falls = whole - self._odds(shares) if len(self._indices) else np.zeros(0)
        return [
            Reason(name, value, scaled, None, float(fall))
            for (name, value, scaled), fall in zip(self.cells(), falls, strict=True)
        ]

    def cells(self) -> list[tuple[Hashable, float, float | None]]:
        """Return each attribute of the row: its name, its value as it came, and as it is scaled, where it is."""
        scaling, names = self.model.scaling, self.rows.names or self._names
        values = np.ones(len(self._indices)) if self._values is None else self._values
        found: list[tuple[Hashable, float, float | None]] = []
        for column, value in zip(self._indices.tolist(), values.tolist(), strict=True):
            name = column if names is None or column >= len(names) else names[column]
            if scaling is not None and name in scaling:
                found.append((name, _raw_value(self.block, name, scaling.undone(str(name), value)), value))
            else:
                found.append((name, value, None))
        return found

    def change(self, found: Sequence[Reason], *, exact: bool) -> Change | None:
        """Return the fewest attributes without which the decision is another; None where none change it."""
        places = {name: place for place, (name, *_) in enumerate(self.cells())}
        sign = 1.0 if self.prediction == self.toward else -1.0
        ordered = sorted(found, key=lambda one: -sign * one.brings)
        helping = [one.attribute for one in ordered if sign * one.brings > 0.0 and one.attribute in places]
        if exact:  # each takes away what it brings: the largest first
            sets = [[places[name] for name in helping[: size + 1]] for size in range(len(helping))]
            _, decided = self._decided(self._without(sets)) if sets else (None, ())
            for gone, prediction in zip(sets, decided, strict=True):
                if plain(prediction) != self.prediction:
                    return Change(tuple(helping[: len(gone)]), plain(prediction), exact=True)
            return None
        out, left = list[Hashable](), helping[:MOST_STEPS]
        while left:
            tried = [[places[name] for name in (*out, one)] for one in left]
            shares, decided = self._decided(self._without(tried))
            best = int(np.argmin(sign * self._odds(shares)))
            out.append(left.pop(best))
            if plain(decided[best]) != self.prediction:
                return Change(tuple(out), plain(decided[best]), exact=len(out) == 1)
        return None


def _raw_value(block: Block, name: Hashable, otherwise: float) -> float:
    """Return the value of an attribute before it was scaled."""
    if block.names is None:
        return otherwise
    first = int(block.indptr[0])
    at = np.flatnonzero(block.indices[first:] == list(block.names).index(name))
    if not len(at):
        return otherwise
    return 1.0 if block.values is None else float(block.values[first + int(at[0])])


class _Sums(NamedTuple):
    """The constant of a linear rule, the total and the threshold."""

    constant: float | None = None
    total: float | None = None
    theta: float | None = None


def _weighed(asked: _Asked, names: Names) -> tuple[list[Reason], _Sums]:
    """Return what each attribute of a linear rule brings, the constant, the total and the threshold."""
    told = explain_example(asked.model.learner, asked.rows, names=names)
    scaled = {name: (value, own) for name, value, own in asked.cells()}
    found = []
    for one in told.contributions:
        value, own = scaled.get(one.attribute, (one.value, None))
        found.append(Reason(one.attribute, value, own, one.weight, one.product, one.note))
    return found, _Sums(told.constant, told.total, told.theta)


def _pattern(word: str) -> str:
    """Return what finds a word in a text: not within another word."""
    return rf"(?<!\w){re.escape(word)}(?!\w)" if word[:1].isalnum() else re.escape(word)


def _texts(columns: Sequence[str], raw: Mapping[str, Any], found: Sequence[Reason]) -> dict[str, tuple[Marked, ...]]:
    """Return the texts of a row in pieces, each word with what it brings."""
    brings = {str(one.attribute): one.brings for one in found}
    texts = {}
    for column in columns:
        text = raw.get(column)
        if not isinstance(text, str):
            continue
        words = {name.partition("=")[2] for name in brings if name.startswith(f"{column}=")}
        pattern = "|".join(map(_pattern, sorted(words, key=len, reverse=True)))
        pieces, end = [], 0
        for at in re.finditer(pattern, text, re.IGNORECASE) if pattern else ():
            pieces += [Marked(text[end : at.start()], 0.0)] if at.start() > end else []
            brought = brings.get(f"{column}={at.group()}", brings.get(f"{column}={at.group().lower()}", 0.0))
            pieces.append(Marked(at.group(), brought))
            end = at.end()
        texts[column] = (*pieces, *([Marked(text[end:], 0.0)] if end < len(text) else []))
    return texts
