"""explain_example: why a learner predicts what it predicts of one example."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from littlestone.core.block import LARGEST_VALUE, Block
from littlestone.core.display import Plotted
from littlestone.core.errors import InvalidData, InvalidParameter
from littlestone.core.messages import Blank, Remedy
from littlestone.core.names import literal, one_block
from littlestone.core.parameters import check_whole
from littlestone.core.rows import negated, one_row, rows_of
from littlestone.learners import Bounded, Learner
from littlestone.machines.machine import Machine, of_kind
from littlestone.machines.slotted import Brought, Slotted
from littlestone.models.explanation._linear import AsDict, Names, check_names, deciding
from littlestone.models.explanation.rules import Conjunction, explain
from littlestone.models.explanation.text import number, table

__all__ = ["Contribution", "Explained", "explain_example"]

NOT_LINKED = "not linked to the class"


@dataclass(frozen=True)
class Contribution(AsDict):
    """What one attribute of an example brings: its value times its weight.

    ``note`` is empty, or says why it has no weight of its own: "not seen before", "pending" or "pruned".

    >>> import littlestone as ls
    >>> learner = ls.Perceptron()
    >>> for x, y in [({"rain": 2, "wind": 1}, 1), ({"sun": 1}, 0), ({"sun": 1, "wind": 3}, 0)]:
    ...     _ = learner.learn_one(x, y)
    >>> ls.explain_example(learner, {"wind": 2, "sun": 1}).contributions[0]
    Contribution(attribute='sun', value=1.0, weight=-1.0, product=-1.0, note='')
    """

    attribute: Hashable
    value: float
    weight: float
    product: float
    note: str = ""


@dataclass(frozen=True)
class Explained(AsDict, Plotted):
    """One example: what each attribute brings, the sum, the threshold and the prediction.

    ``total`` is the sum with the constant; ``activation`` what the learner itself says, the sum less theta. Of a
    learner without a linear rule, ``conjunctions`` are those of its heaviest that hold.

    >>> import littlestone as ls
    >>> learner = ls.Perceptron()
    >>> for x, y in [({"rain": 2, "wind": 1}, 1), ({"sun": 1}, 0), ({"sun": 1, "wind": 3}, 0)]:
    ...     _ = learner.learn_one(x, y)
    >>> found = ls.explain_example(learner, {"wind": 2, "sun": 1})
    >>> found.prediction, found.activation, [one.attribute for one in found.contributions]
    (0, -2.0, ['sun', 'wind'])
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

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        yield f"{self.learner} predicts {self.prediction!s}"
        rows = []
        for one in self.contributions:
            factors = "" if one.value == 1.0 else f"{number(one.value)} x {number(one.weight)}"
            rows.append((str(one.attribute), number(one.product), factors, one.note))
        if self.constant:
            rows.append(("(the constant)", number(self.constant), "", ""))
        if self.total is not None:
            rows.append(("sum", number(self.total), f"threshold {number(self.theta)}", ""))
        if rows:
            yield from table(rows)
        for each in self.conjunctions:
            yield f"  {' and '.join(map(str, each.literals)) or '(the empty one)'}  {number(each.weight)}"
        yield from self.notes


def explain_example(learner: Learner, x: Any, *, top: int = 100, names: Names = None) -> Explained:
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
    learner = deciding(learner)
    check_names("explain_example", names, learner)
    given = _by_position(learner, x, names)
    if hasattr(learner, "classes"):
        return _among_classes(learner, given, names)
    result = (repr(learner), *_predicted(learner, given))
    if not isinstance(learner, Bounded) and learner.hypothesis() is None:
        return _held(learner, given, top, names, result)
    found, constant, theta = _contributions(learner, given, names)
    found.sort(key=lambda one: -abs(one.product))
    total = float(sum(one.product for one in found)) + constant
    return Explained(*result, tuple(found), constant, theta, total)


def _by_position(learner: Learner, x: Any, names: Names) -> Any:
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
        remedy = Remedy("give a 1-D array, or names=", typed="give {names_from}", names_from=Blank())
        raise InvalidData("explain_example: the model knows attributes by position", remedy)
    size = max(learner.width, learner.n or 0)
    columns = {name: i for i, name in enumerate(names[:size])}
    row = np.zeros(size)
    for name in x:
        if name not in columns:
            raise InvalidData(f"explain_example: expected names that are in the list of names, got {name!r}")
        row[columns[name]] = x[name] if isinstance(x, Mapping) else 1.0
    return row


def _by_name(learner: Learner) -> bool:
    """Tell whether a bounded learner takes names, even if it keeps none at the moment."""
    return isinstance(learner, Bounded) and (learner.named or not learner.trials)


def _predicted(learner: Learner, x: Any) -> tuple[Any, float]:
    """Return the prediction, and w.x - theta as the learner has it."""
    if isinstance(x, Block | np.ndarray):
        block = Block.from_arrays(x if isinstance(x, Block) else one_row(x))
        return learner.predict(block).tolist()[0], float(learner.activation(block)[0])
    return learner.predict_one(x), learner.activation_one(x)


def _contributions(learner: Learner, x: Any, names: Names) -> tuple[list[Contribution], float, float]:
    if isinstance(learner, Bounded):
        return _bounded(learner, x, names)
    rows, new = learner.row(x)
    weights, constant, theta = learner.coordinates()
    machine, n = _machine(learner), learner.n
    columns, values = rows.indices.astype(np.int64), rows.values if len(rows.values) else np.ones(len(rows.indices))
    if learner.negations and n is not None:
        both = negated(rows, n)
        columns, values = both.indices.astype(np.int64), both.values if len(both.values) else np.ones(len(both.indices))
    divisor = machine.divisor(values)
    values, constant = values / divisor, constant / divisor
    spare = float(machine.weights(machine.size + 1)[0][-1]) if (columns >= len(weights)).any() else 0.0
    found = []
    for column, value in zip(columns.tolist(), values.tolist(), strict=True):
        seen = column < len(weights)
        weight = float(weights[column]) if seen else spare
        name = _name(learner, column, names, new)
        found.append(Contribution(name, value, weight, value * weight, "" if seen else "not seen before"))
    return found, constant, theta


def _machine(learner: Learner) -> Machine:
    """Return a learner's machine; where it has learned nothing, that with which it would begin."""
    machine = learner.copy().begin().machine if learner.machine is None else learner.machine
    assert machine is not None
    return machine


def _among_classes(learner: Any, x: Any, names: Names) -> Explained:
    """Explain which class wins: what each attribute brings to it, and who comes second."""
    machine = _machine(learner)
    winner, scores, brought = (_slots if isinstance(learner, Bounded) else _links)(learner, machine, x, names)
    if not scores:
        return Explained(repr(learner), None, 0.0, notes=("There are no classes yet.",))
    label, found = learner.classes[winner], []
    for name, value, own, note in brought:
        weight = own.get(label, 0.0)
        found.append(Contribution(name, value, weight, value * weight, "" if label in own else note))
    found.sort(key=lambda one: -abs(one.product))
    others = sorted((-score, c) for c, score in enumerate(scores) if c != winner)
    score, result = scores[winner], (repr(learner), label, scores[winner], tuple(found))
    notes = [f"second: {learner.classes[c]}, with {number(-less)} to its {number(score)}" for less, c in others[:1]]
    if hasattr(learner, "best"):
        notes.append(f"A vote of experts decides; the weights are those of the best of them, {learner.best.name}.")
        return Explained(*result, notes=tuple(notes))
    theta = float(machine.theta)
    constant = score + theta - float(sum(one.product for one in found))  # the sum of its other weights
    constant = constant if abs(constant) > 1e-9 else 0.0
    return Explained(*result, constant, theta, score + theta, notes=tuple(notes))


def _links(learner: Learner, machine: Machine, x: Any, names: Names) -> tuple[int, list[float], list[Brought]]:
    """Return the number of the class that wins, all scores, and the weights of each attribute by its classes."""
    rows, new = learner.row(x)
    known = rows._replace(indices=np.minimum(rows.indices, np.uint32(machine.size)))
    codes, activations = machine.score(known)
    weights, values = learner.weights(), rows.values if len(rows.values) else np.ones(len(rows.indices))
    found = []
    for column, value in zip(rows.indices.tolist(), values.tolist(), strict=True):
        name = _name(learner, column, None, new)
        shown = name if names is None or column >= len(names) else names[column]
        note = NOT_LINKED if name in weights else "not seen before"
        found.append(Brought(shown, value, weights.get(name, {}), note))
    return int(codes[0]), activations[0].tolist(), found


def _slots(learner: Bounded, machine: Machine, x: Any, names: Names) -> tuple[int, list[float], list[Brought]]:
    """Return the same where not all of the attributes are kept."""
    block = one_block(type(learner).__name__, x, learner.domain, LARGEST_VALUE)
    codes, activations = of_kind(machine, Slotted).score(rows_of(block), block.names)
    brought = [one._replace(note=one.note or NOT_LINKED) for one in _renamed(learner, x, names)]
    return int(codes[0]), activations[0].tolist(), brought


def _renamed(learner: Bounded, x: Any, names: Names) -> list[Brought]:
    """Return what the attributes of an example weigh, by the names that were given for columns."""
    brought = learner.brought(x)
    by_column = not (isinstance(x, Block) and x.names is not None) and isinstance(x, Block | np.ndarray)
    if names is None or not by_column:
        return brought
    return [one._replace(key=names[one.key]) if one.key < len(names) else one for one in brought]


def _bounded(learner: Bounded, x: Any, names: Names) -> tuple[list[Contribution], float, float]:
    """Return what the attributes bring where not all of them are kept."""
    found = [
        Contribution(name, value, weight, value * weight, note)
        for name, value, weight, note in _renamed(learner, x, names)
    ]
    machine = _machine(learner)
    return found, machine.weights(0)[1], machine.theta


def _name(learner: Learner, column: int, names: Names, new: Sequence[Hashable]) -> Hashable:
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


def _held(learner: Learner, x: Any, top: int, names: Names, result: tuple[str, Any, float]) -> Explained:
    """Explain by those of the heaviest conjunctions that hold of an example."""
    heaviest = explain(learner, top=top, names=names)
    if heaviest.kind != "conjunctions":
        note = f"{type(learner).__name__} has no linear rule: nothing adds up by attribute."
        return Explained(*result, notes=(note,))
    rows, new = learner.row(x)
    on = {_name(learner, int(column), names, new) for column in rows.indices}
    words = on | {name for one in heaviest.conjunctions for name in one.literals if not str(name).startswith("not ")}
    true = [
        all((name in on) if name in words else _off(name, on) for name in one.literals) for one in heaviest.conjunctions
    ]
    holds = [one for one, holding in zip(heaviest.conjunctions, true, strict=True) if holding]
    notes = (
        f"Of the {len(heaviest.conjunctions)} heaviest conjunctions, {len(holds)} hold; all others count as well.",
    )
    return Explained(*result, conjunctions=tuple(holds), notes=notes)


def _off(name: Hashable, on: set[Hashable]) -> bool:
    """Tell whether a negated literal holds."""
    return str(name).removeprefix("not ") not in {str(one) for one in on}
