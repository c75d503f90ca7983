"""explain_example: why a learner predicts what it predicts of one example."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from littlestone.core.block import Block
from littlestone.core.errors import InvalidData, InvalidParameter
from littlestone.core.names import literal
from littlestone.core.parameters import check_whole
from littlestone.core.rows import NOTHING, Rows, negated, one_row
from littlestone.engine.learning import slots as engine
from littlestone.learners import Bounded, Learner
from littlestone.machines.columns import ColumnMachine
from littlestone.models.explanation._linear import check_names, plain
from littlestone.models.explanation.rules import Conjunction, explain
from littlestone.models.explanation.text import number, table

__all__ = ["Contribution", "Explained", "explain_example"]


@dataclass(frozen=True)
class Contribution:
    """What one attribute of an example brings: its value times its weight.

    ``note`` is empty, or says why it has no weight of its own: "not seen before", "pending" or "pruned".
    """

    attribute: Hashable
    value: float
    weight: float
    product: float
    note: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {**asdict(self), "attribute": plain(self.attribute)}


@dataclass(frozen=True)
class Explained:
    """One example: what each attribute brings, the sum, the threshold and the prediction.

    ``total`` is the sum with the constant; ``activation`` what the learner itself says, the sum less theta. Of a
    learner without a linear rule, ``conjunctions`` are those of its heaviest that hold.
    """

    learner: str
    prediction: Any
    activation: float
    contributions: tuple[Contribution, ...] = ()
    constant: float | None = None
    theta: float | None = None
    total: float | None = None
    conjunctions: tuple[Conjunction, ...] = ()
    notes: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {
            "learner": self.learner, "prediction": plain(self.prediction), "activation": self.activation,
            "contributions": [one.as_dict() for one in self.contributions], "constant": self.constant,
            "theta": self.theta, "total": self.total,
            "conjunctions": [one.as_dict() for one in self.conjunctions], "notes": list(self.notes),
        }  # fmt: skip

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        yield f"{self.learner} predicts {self.prediction!s}"
        rows = [
            (
                str(one.attribute), number(one.product),
                "" if one.value == 1.0 else f"{number(one.value)} x {number(one.weight)}",
                one.note,
            )
            for one in self.contributions
        ]  # fmt: skip
        if self.constant:
            rows.append(("(the constant)", number(self.constant), "", ""))
        if self.total is not None:
            rows.append(("sum", number(self.total), f"threshold {number(self.theta)}", ""))
        if rows:
            yield from table(rows)
        for one in self.conjunctions:
            yield f"  {' and '.join(map(str, one.literals)) or '(the empty one)'}  {number(one.weight)}"
        yield from self.notes


def explain_example(learner: Learner, x: Any, *, top: int = 100, names: Sequence[Hashable] | None = None) -> Explained:
    """Return what each attribute of one example brings, the heaviest first, and what is predicted; nothing changes.

    ``x`` is a dict from names to values, a set, list or tuple of the names that are on, a 1-D array by position, or a
    Block of one row. ``names`` are those of the columns of a learner without names of its own: ``x`` may then be given
    by them, too. Of a learner over conjunctions the ``top`` heaviest are looked at.

    >>> import littlestone as ls
    >>> learner = ls.Perceptron()
    >>> for x, y in [({"rain": 2, "wind": 1}, 1), ({"sun": 1}, 0), ({"sun": 1, "wind": 3}, 0)]:
    ...     _ = learner.learn_one(x, y)
    >>> print(explain_example(learner, {"wind": 2, "sun": 1, "fog": 1}))
    Perceptron() predicts 0
      sun             -1
      wind             0         2 x 0
      fog              0                 not seen before
      (the constant)  -1
      sum             -2   threshold 0
    """
    if not isinstance(learner, Learner):
        raise InvalidParameter(f"explain_example: expected a learner, such as Winnow(), got {learner!r}")
    top = check_whole("explain_example", "top", top)
    check_names("explain_example", names, learner)
    given = _by_position(learner, x, names)
    if hasattr(learner, "classes"):
        return _among_classes(learner, given, names)
    prediction, activation = _said(learner, given)
    said = (repr(learner), prediction, activation)
    if not isinstance(learner, Bounded) and learner.hypothesis() is None:
        return _held(learner, given, top, names, said)
    found, constant, theta = _contributions(learner, given, names)
    found.sort(key=lambda one: -abs(one.product))
    total = float(sum(one.product for one in found)) + constant
    return Explained(*said, tuple(found), constant, theta, total)


def _by_position(learner: Learner, x: Any, names: Sequence[Hashable] | None) -> Any:
    """Return an example given by the names of columns as an array; any other as it is."""
    if isinstance(x, Block):
        if len(x) != 1:
            raise InvalidData(f"explain_example: expected a Block of one row, got {len(x)}; take block[i : i + 1]")
        return x
    if isinstance(x, np.ndarray) or learner.vocabulary is not None or _by_name(learner):
        return x
    if not isinstance(x, Mapping | set | frozenset | list | tuple):
        raise InvalidData(f"explain_example: expected a dict, a set or list of names or an array, got {x!r}")
    if names is None:
        raise InvalidData("explain_example: the model knows attributes by position; give a 1-D array, or names=")
    size = max(learner._width, learner.n or 0)
    columns = {name: i for i, name in enumerate(names[:size])}
    row = np.zeros(size)
    for name in x:
        if name not in columns:
            raise InvalidData(f"explain_example: expected names that are in the list of names, got {name!r}")
        row[columns[name]] = x[name] if isinstance(x, Mapping) else 1.0
    return row


def _by_name(learner: Learner) -> bool:
    """Tell whether a bounded learner takes names: it may keep none at the moment."""
    return isinstance(learner, Bounded) and (learner._named_mode or not learner.trials)


def _said(learner: Learner, x: Any) -> tuple[Any, float]:
    """Return the prediction, and w.x - theta as the learner has it."""
    if isinstance(x, Block | np.ndarray):
        block = Block.from_arrays(x if isinstance(x, Block) else one_row(x))
        return learner.predict(block).tolist()[0], float(learner.activation(block)[0])
    if isinstance(learner, Bounded):
        return _said(learner, learner._one(x))
    return learner.predict_one(x), learner.activation_one(x)


def _row(learner: Learner, x: Any) -> tuple[Rows, Sequence[Hashable]]:
    """Return an example in the learner's columns, and the names that are new: of the next columns."""
    if isinstance(x, Block | np.ndarray):
        block, new = learner._aligned(x if isinstance(x, Block) else one_row(x))
        first, last = block.indptr[0], block.indptr[-1]
        values = NOTHING if block.values is None else block.values[first:last]
        return Rows(block.indptr - first, block.indices[first:last], values), new
    _, rows, new = learner._named(x, None)  # without n literals are as they are, none negated
    return rows, new


def _contributions(
    learner: Learner, x: Any, names: Sequence[Hashable] | None
) -> tuple[list[Contribution], float, float]:
    if isinstance(learner, Bounded):
        return _bounded(learner, x, names)
    rows, new = _row(learner, x)
    weights, constant, theta = learner._weights()
    machine, n = learner._started(None, fix=False)
    columns, values = rows.indices.astype(np.int64), rows.values if len(rows.values) else np.ones(len(rows.indices))
    if learner.negations and n is not None:
        both = negated(rows, n)
        columns, values = both.indices.astype(np.int64), both.values if len(both.values) else np.ones(len(both.indices))
    share = machine.share(values) if isinstance(machine, ColumnMachine) else 1.0
    values, constant = values * share, constant * share
    spare = float(machine.weights(machine.size + 1)[0][-1]) if (columns >= len(weights)).any() else 0.0
    found = []
    for column, value in zip(columns.tolist(), values.tolist(), strict=True):
        seen = column < len(weights)
        weight = float(weights[column]) if seen else spare
        name = _name(learner, column, names, new)
        found.append(Contribution(name, value, weight, value * weight, "" if seen else "not seen before"))
    return found, constant, theta


def _among_classes(learner: Any, x: Any, names: Sequence[Hashable] | None) -> Explained:
    """Explain which class wins: what each attribute brings to it, and who comes second."""
    rows, new = _row(learner, x)
    machine = learner._started(None, fix=False)[0]
    known = rows._replace(indices=np.minimum(rows.indices, np.uint32(machine.size)))
    codes, activations = machine.score(known)
    if activations.shape[1] == 0:
        return Explained(repr(learner), None, 0.0, notes=("There are no classes yet.",))
    scores, winner = activations[0].tolist(), int(codes[0])
    weights, label = learner.weights(), learner.classes[winner]
    values = rows.values if len(rows.values) else np.ones(len(rows.indices))
    found = []
    for column, value in zip(rows.indices.tolist(), values.tolist(), strict=True):
        name = _name(learner, column, None, new)
        own = weights.get(name, {})
        weight = own.get(label, 0.0)
        shown = name if names is None or column >= len(names) else names[column]
        note = "" if label in own else "not linked to the class" if name in weights else "not seen before"
        found.append(Contribution(shown, value, weight, value * weight, note))
    found.sort(key=lambda one: -abs(one.product))
    others = sorted((-score, c) for c, score in enumerate(scores) if c != winner)
    notes = [
        f"second: {learner.classes[c]}, with {number(-score)} to its {number(scores[winner])}"
        for score, c in others[:1]
    ]
    brought = float(sum(one.product for one in found))
    if hasattr(learner, "best"):
        notes.append(f"A vote of experts decides; the weights are those of the best of them, {learner.best.name}.")
        return Explained(repr(learner), label, scores[winner], tuple(found), notes=tuple(notes))
    theta = float(machine.theta)
    constant = scores[winner] + theta - brought  # what the others of its weights come to
    return Explained(
        repr(learner), label, scores[winner], tuple(found), constant if abs(constant) > 1e-9 else 0.0, theta,
        scores[winner] + theta, notes=tuple(notes),
    )  # fmt: skip


def _bounded(learner: Bounded, x: Any, names: Sequence[Hashable] | None) -> tuple[list[Contribution], float, float]:
    """Return what the attributes bring where not all of them are kept."""
    block = (
        x if isinstance(x, Block) else Block.from_arrays(one_row(x)) if isinstance(x, np.ndarray) else learner._one(x)
    )
    keys, local, where = learner._slots.places(block)
    machine, _ = learner._started(None, fix=False)
    weights, constant = machine.weights(machine.size + 1)
    span = slice(block.indptr[0], block.indptr[-1])
    values = np.ones(len(local)) if block.values is None else block.values[span]
    found = []
    for i, value in zip(local.tolist(), values.tolist(), strict=True):
        slot, key = int(where[i]), keys[i]
        seen = int(learner._slots.seen[slot]) if slot >= 0 else 0
        note = "" if slot >= 0 else "pruned" if slot == engine.GONE else "not seen before"
        if slot != engine.GONE and seen + 1 < learner.eligible:
            note = "pending"
        weight = 0.0 if note in ("pruned", "pending") else float(weights[slot if slot >= 0 else machine.size])
        name = key if names is None or block.names is not None or key >= len(names) else names[key]
        found.append(Contribution(name, value, weight, value * weight, note))
    return found, constant, machine.theta


def _name(learner: Learner, column: int, names: Sequence[Hashable] | None, new: Sequence[Hashable]) -> Hashable:
    words, n = learner.vocabulary, learner.n if learner.negations else None
    if words is not None and not learner.negations and column >= len(words):
        return new[column - len(words)]
    found = literal(words, n, column)
    if names is None or words is not None:
        return found
    at = column if n is None else column % n
    if at >= len(names):
        return found
    return names[at] if at == column else f"not {names[at]}"


def _held(
    learner: Learner, x: Any, top: int, names: Sequence[Hashable] | None, said: tuple[str, Any, float]
) -> Explained:
    """Explain by those of the heaviest conjunctions that hold of an example."""
    told = explain(learner, top=top, names=names)
    if told.kind != "conjunctions":
        return Explained(*said, notes=(f"{type(learner).__name__} has no linear rule: nothing adds up by attribute.",))
    rows, new = _row(learner, x)
    on = {_name(learner, int(column), names, new) for column in rows.indices}
    words = on | {name for one in told.conjunctions for name in one.literals if not str(name).startswith("not ")}
    true = [
        all((name in on) if name in words else _off(name, on) for name in one.literals) for one in told.conjunctions
    ]
    holds = [one for one, holding in zip(told.conjunctions, true, strict=True) if holding]
    notes = (f"Of the {len(told.conjunctions)} heaviest conjunctions, {len(holds)} hold; all others count as well.",)
    return Explained(*said, conjunctions=tuple(holds), notes=notes)


def _off(name: Hashable, on: set[Hashable]) -> bool:
    """Tell whether a negated literal holds."""
    return str(name).removeprefix("not ") not in {str(one) for one in on}
