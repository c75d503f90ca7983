"""Batch: what came at a time for one that follows a source, done in as few steps as its order allows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from littlestone.core.block import Block
from littlestone.core.errors import InvalidData, InvalidLabel
from littlestone.core.messages import Message
from littlestone.core.waiting import Asked
from littlestone.models.asked import learn_asked
from littlestone.models.following.events import Answer, Event, Labelled
from littlestone.models.following.examples import NO_LABEL, Bad, Example, Late, key_of
from littlestone.models.following.policies import inside
from littlestone.models.following.rows import alone, gathered, in_own_order
from littlestone.models.model import Model

if TYPE_CHECKING:
    from littlestone.models.following.follower import Follower

__all__ = ["Batch", "Row"]


class Row(NamedTuple):
    """A row of a block, and where it stands in it."""

    example: Example
    block: Block
    at: int
    code: int = -1  # of its label


class Due(NamedTuple):
    """An example that waited, and its label."""

    late: Late
    asked: Asked
    code: int


class Batch:
    """What came for a follower, in order: rows are predicted, or learned, together until something else comes."""

    def __init__(self, follower: Follower) -> None:
        self.own, self.events = follower, list[Event]()
        self.asked, self.learned, self.due = list[Row](), list[Row](), list[Due]()

    def flush(self) -> None:
        """Do what has been collected; only one kind of it has."""
        asked, learned, due = self.asked, self.learned, self.due
        self.asked, self.learned, self.due = [], [], []
        if asked:
            self._ask(asked)
        elif learned:
            self._learn(learned)
        elif due:
            self._learn_late(due)

    def row(self, row: Row) -> None:
        """Take an example."""
        example, own = row.example, self.own
        key = key_of(example.id)
        if example.label is NO_LABEL and key not in own.early:
            if self.learned or self.due or (self.asked and self.asked[0].block is not row.block):
                self.flush()
            self.asked.append(row)
            return
        if self.asked or self.due or (self.learned and self.learned[0].block is not row.block):
            self.flush()
        if example.label is NO_LABEL:
            self.learned.append(row._replace(code=own.early.pop(key)))
            return
        code = own.code(example.label)
        if code is None:
            self.flush()
            self._say(example.line, own.unknown(example.label), "it was answered, and not learned")
            self._ask([row], keep=False)
        elif key in own.waiting and self._is_late(row, own.waiting.find(key)):
            self.late(Late(example.line, example.id, example.label))
        else:
            self.learned.append(row._replace(code=code))

    @staticmethod
    def _is_late(row: Row, asked: Asked) -> bool:
        """Tell whether a row with a label is one that waits, come again with it, or has nothing but the label."""
        came = alone(row.block, row.at)
        return not came or came == asked.x

    def bad(self, bad: Bad) -> None:
        """Take a line that is wrong."""
        self.flush()
        self._say(bad.line, bad.problem, "the line was left out")

    def late(self, late: Late) -> None:
        """Take a label that comes alone."""
        own, key = self.own, key_of(late.id)
        if self.asked or self.learned:
            self.flush()
        code = own.code(late.label)
        if code is None:
            self.flush()
            self._say(late.line, own.unknown(late.label).after(f"the label of {late.id!r}: "), "it was left out")
        elif key in own.waiting:
            self.due.append(Due(late, own.waiting.find(key), code))
            own.waiting.forget(key)
        else:
            self.flush()
            self._too_early(late, key, code)

    def _too_early(self, late: Late, key: str, code: int) -> None:
        own = self.own
        again = " once more" if own.early.pop(key, None) is not None else ""
        own.early[key] = code
        gone = ""
        if len(own.early) > own.limit:
            del own.early[first := next(iter(own.early))]
            gone = f", and that of {first!r} is forgotten"
        dropped = f" (as {own.waiting.dropped:,} were, beyond limit={own.limit:,})" if own.waiting.dropped else ""
        self._say(
            late.line,
            f"a label for {late.id!r} came{again}, but no such example waits: it is still to come, or was learned or "
            f"dropped{dropped}; the label is kept for it{gone}",
        )

    def _say(self, line: int, problem: str, done: str = "") -> None:
        said = problem if isinstance(problem, Message) else Message(problem)
        self.events.append(self.own.notice(line, said.then(Message(done)) if done else said))

    # Predicted

    def _ask(self, rows: list[Row], *, keep: bool = True) -> None:
        own, model = self.own, self.own.model
        block = rows[0].block[rows[0].at : rows[-1].at + 1]
        try:
            predictions, shares = _asked(model, block)
        except (InvalidData, InvalidLabel) as error:
            if len(rows) > 1:
                for row in rows:
                    self._ask([row], keep=keep)
                return
            self._say(rows[0].example.line, error.message, "it was left out")
            return
        place = {label: at for at, label in enumerate(model.labels)}
        for at, (row, prediction) in enumerate(zip(rows, predictions, strict=True)):
            said = place.get(prediction, -1)
            probability = None if shares is None or said < 0 else float(shares[at][said])
            self.events.append(Answer(row.example.id, prediction, probability))
            own.answered += 1
            if keep:
                self._keep(row, said)

    def _keep(self, row: Row, said: int) -> None:
        own, key = self.own, key_of(row.example.id)
        if key in own.waiting:
            self._say(
                row.example.line,
                f"the example {row.example.id!r} waits for its label already: this one was answered, and its label "
                "will be taken for the first",
            )
            return
        before = own.waiting.dropped
        own.waiting.add(key, alone(row.block, row.at), said)
        if own.waiting.dropped > before == 0:
            self._say(
                row.example.line,
                f"more than {own.limit:,} examples wait for their labels: the oldest are dropped from now on; raise "
                "limit (--limit)",
            )

    # Learned

    def _learn(self, rows: list[Row]) -> None:
        if not self.own.model.labels and len(rows) > 1:
            self._learn(rows[:1])
            rows = rows[1:]
        block = rows[0].block[rows[0].at : rows[-1].at + 1]
        try:
            predictions, shares = self._learned(block, [row.code for row in rows])
        except (InvalidData, InvalidLabel) as error:
            if len(rows) > 1:
                middle = len(rows) // 2
                self._learn(rows[:middle])
                self._learn(rows[middle:])
                return
            self._say(rows[0].example.line, error.message, "it was not learned")
            self._ask(rows, keep=False)
            return
        own, labels = self.own, self.own.book.labels
        place, wrong = {label: at for at, label in enumerate(own.model.labels)}, list[bool]()
        for at, (row, prediction) in enumerate(zip(rows, predictions, strict=True)):
            label, said = labels[row.code], place.get(prediction, -1)
            probability = None if shares is None or said < 0 else float(shares[at][said])
            self.events.append(Answer(row.example.id, prediction, probability, label))
            wrong.append(prediction != label)
        own.answered += len(rows)
        self.events += own.score.see(wrong)

    def _learn_late(self, due: list[Due]) -> None:
        if not self.own.model.labels and len(due) > 1:
            self._learn_late(due[:1])
            due = due[1:]
        named = self.own.model.learner.vocabulary is not None
        block = gathered([one.asked.x for one in due], named=named)
        known = self.own.model.labels
        try:
            self._learned(block, [one.code for one in due])
        except (InvalidData, InvalidLabel) as error:
            if len(due) > 1:
                middle = len(due) // 2
                self._learn_late(due[:middle])
                self._learn_late(due[middle:])
                return
            problem = error.message.after(f"the example {due[0].late.id!r}: ")
            self._say(due[0].late.line, problem, "it was not learned")
            return
        labels, wrong = self.own.book.labels, list[bool]()
        for late, asked, code in due:
            prediction = known[asked.said] if asked.said >= 0 else None
            self.events.append(Labelled(late.id, labels[code], prediction))
            wrong.append(prediction != labels[code])
        self.events += self.own.score.see(wrong)

    def _learned(self, block: Block, codes: list[int]) -> tuple[list[Any], Any]:
        """Let the model learn rows; return its predictions and its probabilities, from before."""
        model = self.own.model
        rows = in_own_order(block, slots=inside(model.learner).in_slots)
        rows = replace(rows, outcomes=np.array(codes, dtype=np.int64), labels=self.own.book.labels)
        if not model.labels:  # nothing can be said of the first
            model.learn_block(rows)
            return [None], None
        predictions, shares = learn_asked(model, rows)
        return predictions.tolist(), shares


def _asked(model: Model, block: Block) -> tuple[list[Any], Any]:
    """Return a model's predictions of rows, and its probabilities; None where it knows no label."""
    if not model.labels:
        return [None] * len(block), None
    rows = model.rows(block)
    if not model.has_probabilities:
        return model.decided(rows).tolist(), None
    shares = model.probabilities_of(rows)
    by_threshold = model.decision.threshold is not None
    return (
        model.decision.label(shares, model.labels) if by_threshold else model.learner.predict(rows)
    ).tolist(), shares
