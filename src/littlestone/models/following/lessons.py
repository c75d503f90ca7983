"""Lessons: rows that are predicted, or learned, in one step, and what is said of each."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from littlestone.core.arrays import Floats
from littlestone.core.block import Block
from littlestone.core.errors import InvalidData, InvalidLabel
from littlestone.core.messages import Blank, Message, Remedy
from littlestone.core.waiting import Asked
from littlestone.models.asked import asked, learn_asked
from littlestone.models.following.events import Answer, Event, Labelled, Refused
from littlestone.models.following.examples import Bad, Example, Late, key_of
from littlestone.models.following.numbers import NumberScore
from littlestone.models.following.rows import alone, gathered, in_own_order

if TYPE_CHECKING:
    from littlestone.models.following.follower import Follower

__all__ = ["Due", "Lessons", "Row"]

Wrong = InvalidData | InvalidLabel
T = TypeVar("T")

_row = re.compile(r"(\w+: )?row \d+(?:, |: )")


class Row(NamedTuple):
    """An example, and where its row stands in a block."""

    example: Example
    block: Block
    at: int
    code: Any = -1  # of its label
    label: Any = None  # as it came, if there is one


class Due(NamedTuple):
    """A late label, its code, and the example that waited for it."""

    late: Late
    code: Any
    asked: Asked


class Lessons:
    """What a follower's model does with rows that come one after the other; ``events`` is what is said of them."""

    def __init__(self, follower: Follower) -> None:
        self.own, self.events = follower, list[Event]()

    def say(self, line: int, problem: str, done: str = "") -> None:
        """Say what was wrong in a line, and what was done."""
        said = problem if isinstance(problem, Message) else Message(problem)
        self.events.append(self.own.notice(line, said.then(Message(done)) if done else said))

    def refuse(self, line: int, problem: Message, done: str, because: str = "row") -> None:
        """Say what was wrong in a line, and what was done, which of a strict follower is nothing."""
        if self.own.strict:
            self.events.append(Refused(line, problem, because))
        else:
            self.say(line, problem, done)

    def left_out(self, bad: Bad) -> None:
        """Say that a line is wrong, and was left out."""
        self.refuse(bad.line, bad.problem, "the line was left out")

    # Predicted

    def ask(self, rows: list[Row], *, keep: bool = True) -> bool:
        """Answer consecutive rows of a block, and keep them until their labels come; tell if it could be done."""
        try:
            predictions, shares = asked(self.own.model, _block(rows))
        except (InvalidData, InvalidLabel) as error:
            if len(rows) > 1:
                told = [self.ask([row], keep=keep) for row in rows]
                return all(told)
            self.refuse(rows[0].example.line, _without_row(error.message), "it was left out")
            return False
        said = self._answered(rows, predictions, shares)
        for row, code in zip(rows, said, strict=True) if keep else ():
            self._keep(row, code)
        return True

    def _answered(self, rows: list[Row], predictions: list[Any], shares: Floats | None) -> list[Any]:
        """Give the answers; return the codes of the predictions."""
        labels = self.own.labels
        said = labels.said(predictions)
        for at, (row, prediction, code) in enumerate(zip(rows, predictions, said, strict=True)):
            probability = None if shares is None or code < 0 else float(shares[at][code])
            label = labels.label_of(row.code)
            self.events.append(Answer(row.example.id, prediction, probability, label, row.example.line))
        self.own.answered += len(rows)
        return said

    def _keep(self, row: Row, said: Any) -> None:
        own, id = self.own, row.example.id  # noqa: A001 - the word for it
        key = key_of(id)
        if key in own.waiting:
            again = f"the example {id!r} waits for its label already"
            self.say(row.example.line, again, "this one was answered, and its label will be taken for the first")
            return
        before = own.waiting.dropped
        weight = 1.0 if row.block.weights is None else float(row.block.weights[row.at])
        own.waiting.add(key, alone(row.block, row.at), said, weight)
        if own.waiting.dropped > before == 0:
            many = f"more than {own.limit:,} examples wait for their labels: the oldest are dropped from now on"
            self.say(row.example.line, Message(many, Remedy("raise {limit}", limit=Blank("N"))))

    # Learned

    def learn(self, rows: list[Row]) -> None:
        """Answer consecutive rows of a block, and learn each after it was predicted."""
        self._in_parts(rows, self._learn_rows, self._refuse_row)

    def learn_late(self, due: list[Due]) -> None:
        """Learn examples that have waited."""
        self._in_parts(due, self._learn_due, self._refuse_due)

    def _in_parts(self, some: list[T], learn: Callable[[list[T]], None], refuse: Callable[[T, Wrong], None]) -> None:
        """Learn some at once; if one is refused, each half of them; the first alone, where no label is known before."""
        while len(some) > 1 and not self.own.labels.known:
            self._in_parts(some[:1], learn, refuse)
            some = some[1:]
        try:
            learn(some)
        except (InvalidData, InvalidLabel) as error:
            if len(some) == 1:
                refuse(some[0], error)
                return
            middle = len(some) // 2
            self._in_parts(some[:middle], learn, refuse)
            self._in_parts(some[middle:], learn, refuse)

    def _learn_rows(self, rows: list[Row]) -> None:
        codes = [row.code for row in rows]
        predictions, shares = self._learned(_block(rows), codes, rows[-1].label)
        self._answered(rows, predictions, shares)
        self._score(codes, predictions)

    def _refuse_row(self, row: Row, error: Wrong) -> None:
        if self.own.strict or self.ask([row._replace(code=-1)], keep=False):
            self.refuse(row.example.line, _without_row(error.message), "it was answered, and not learned")

    def _learn_due(self, due: list[Due]) -> None:
        codes, predictions = [one.code for one in due], [self.own.labels.prediction(one.asked.said) for one in due]
        rows = gathered([one.asked.x for one in due], self.own.model.learner)
        weights = [one.asked.weight for one in due]
        if any(weight != 1.0 for weight in weights):
            rows = replace(rows, weights=np.array(weights))
        self._learned(rows, codes, due[-1].late.label)
        for one in due:
            self.own.waiting.forget(key_of(one.late.id))
        labels = self.own.labels
        self.events += [
            Labelled(one.late.id, labels.label_of(one.code), said, one.late.line)
            for one, said in zip(due, predictions, strict=True)
        ]
        self._score(codes, predictions)

    def _refuse_due(self, due: Due, error: Wrong) -> None:
        problem = _without_row(error.message).after(f"the example {due.late.id!r}: ")
        self.refuse(due.late.line, problem, "it was not learned")
        if not self.own.strict:
            self.own.waiting.forget(key_of(due.late.id))

    def _learned(self, block: Block, codes: list[Any], last: Any) -> tuple[list[Any], Floats | None]:
        """Let the model learn rows, of which only the last may have a new label; return what it said of them before."""
        model = self.own.model
        rows = in_own_order(block, model.learner)
        outcomes, labels = self.own.labels.outcomes(codes, last)
        rows = replace(rows, outcomes=outcomes, labels=labels)
        if not self.own.labels.known:  # nothing can be said of the first
            model.learn_block(rows)
            return [None], None
        predictions, shares = learn_asked(model, rows)
        return predictions.tolist(), shares

    def _score(self, codes: list[Any], predictions: list[Any]) -> None:
        score, labels = self.own.score, self.own.labels
        if isinstance(score, NumberScore):
            self.events += score.see([said - code for said, code in zip(predictions, codes, strict=True)])
            return
        wrong = [said != labels.label_of(code) for said, code in zip(predictions, codes, strict=True)]
        self.events += score.see(wrong)


def _block(rows: list[Row]) -> Block:
    return rows[0].block[rows[0].at : rows[-1].at + 1]


def _without_row(message: Message) -> Message:
    """Return what is wrong with a row without its number, which depends on how many came with it."""
    found = _row.match(message)
    return message if found is None else message.without(found.end()).after(found[1] or "")
