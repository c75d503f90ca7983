"""Batch: what came at a time for one that follows a source, done in as few steps as its order allows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from littlestone.core.messages import Message
from littlestone.core.waiting import Asked
from littlestone.models.following.events import Event
from littlestone.models.following.examples import NO_LABEL, Bad, Late, key_of
from littlestone.models.following.lessons import Due, Lessons, Row
from littlestone.models.following.rows import alone

if TYPE_CHECKING:
    from littlestone.models.following.follower import Follower

__all__ = ["Batch"]


class Batch:
    """What came for a follower, in order: rows are predicted, or learned, together until something else comes."""

    def __init__(self, follower: Follower) -> None:
        self.own, self.lessons = follower, Lessons(follower)
        self.asked, self.learned, self.due = list[Row](), list[Row](), list[Due]()
        self.collected = set[str]()  # the ids of those that are to be asked, or whose labels have come

    @property
    def events(self) -> list[Event]:
        """What is said of all that was done."""
        return self.lessons.events

    def flush(self) -> None:
        """Do what has been collected; only one kind of it has."""
        asked, learned, due = self.asked, self.learned, self.due
        self.asked, self.learned, self.due = [], [], []
        self.collected.clear()
        if asked:
            self.lessons.ask(asked)
        elif learned:
            self.lessons.learn(learned)
        elif due:
            self.lessons.learn_late(due)

    def row(self, row: Row) -> None:
        """Take an example."""
        example, own = row.example, self.own
        key = key_of(example.id)
        label = example.label
        if label is NO_LABEL and key not in own.early:
            if self.learned or self.due or (self.asked and self.asked[0].block is not row.block):
                self.flush()
            if own.strict and self._waits(key):
                self.flush()
                self._refuse_id(
                    row, f"the id {example.id!r}: expected one of its own, got one that waits for its label"
                )
                return
            self.asked.append(row)
            self.collected.add(key)
            return
        if self.asked or self.due or (self.learned and self.learned[0].block is not row.block):
            self.flush()
        if label is NO_LABEL:
            label = own.early.pop(key)
        elif key in own.waiting:
            if self._is_late(row, own.waiting.find(key)):
                if self.learned:
                    self.flush()
                self._late(Late(example.line, example.id, label), key, _weight(row, own.waiting.find(key)))
                return
            self.flush()
            problem = f"the example {example.id!r} waits for its label already, and is another one"
            if own.strict:
                self._refuse_id(row, problem)
                return
            self.lessons.say(example.line, problem, "this one was answered and learned, and the first still waits")
        self._labelled(row, label)

    def _waits(self, key: str) -> bool:
        """Tell whether an example waits under an id, or will once what has been collected is done."""
        return key in self.own.waiting or key in self.collected

    def _refuse_id(self, row: Row, problem: str) -> None:
        self.lessons.refuse(row.example.line, Message(problem), "", "id")

    def _labelled(self, row: Row, label: Any) -> None:
        code = self.own.labels.code(label)
        if code is None:
            self.flush()
            problem = self.own.labels.refusal(label)
            self.lessons.refuse(row.example.line, problem, "it was answered, and not learned", "label")
            if not self.own.strict:
                self.lessons.ask([row], keep=False)
            return
        new = self.own.labels.is_new(code)
        if new:  # what comes behind it is read by labels that the model has met
            self.flush()
        self.learned.append(row._replace(code=code, label=label))
        if new:
            self.flush()

    @staticmethod
    def _is_late(row: Row, asked: Asked) -> bool:
        """Tell whether a row with a label is one that waits, come again with it, or has nothing but the label."""
        came = alone(row.block, row.at)
        return came == asked.x or (not came and _is_bare(row.example.x))

    def bad(self, bad: Bad) -> None:
        """Take a line that is wrong."""
        self.flush()
        self.lessons.left_out(bad)

    def late(self, late: Late) -> None:
        """Take a label that comes alone."""
        if self.asked or self.learned:
            self.flush()
        self._late(late, key_of(late.id), None)

    def _late(self, late: Late, key: str, weight: float | None) -> None:
        """Take a label of an example that may wait; with it may come how much that counts."""
        own = self.own
        if key in self.collected:
            self.flush()
        code = own.labels.code(late.label)
        if code is None:
            self.flush()
            problem = own.labels.refusal(late.label).after(f"the label of {late.id!r}: ")
            self.lessons.refuse(late.line, problem, "it was left out", "label")
        elif key not in own.waiting:
            self.flush()
            self._too_early(late, key)
        else:
            new = own.labels.is_new(code)
            if new:
                self.flush()
            asked = own.waiting.find(key)
            self.due.append(Due(late, code, asked if weight is None else asked._replace(weight=weight)))
            self.collected.add(key)
            if new:
                self.flush()

    def _too_early(self, late: Late, key: str) -> None:
        own = self.own
        if own.strict:
            problem = f"a label for {late.id!r}: expected an id that waits for its label, got another one"
            why = "it was never asked for, has its label already, or was dropped because too many waited"
            self.lessons.refuse(late.line, Message(problem, why), "", "id")
            return
        again = " once more" if own.early.pop(key, None) is not None else ""
        own.early[key] = late.label
        gone = ""
        while len(own.early) > own.limit:
            del own.early[first := next(iter(own.early))]
            gone = f", and that of {first!r} is forgotten"
        dropped = f" (as {own.waiting.dropped:,} were, beyond limit={own.limit:,})" if own.waiting.dropped else ""
        self.lessons.say(
            late.line,
            f"a label for {late.id!r} came{again}, but no such example waits: it is still to come, or was learned or "
            f"dropped{dropped}; the label is kept for it{gone}",
        )


def _is_bare(x: Any) -> bool:
    """Tell whether a row without attributes that are on has none at all: in a table zeros are something."""
    return not isinstance(x, Mapping) or all(cell is None or cell == "" for cell in x.values())


def _weight(row: Row, asked: Asked) -> float:
    """Return how much a row that comes again counts: as it says now, or else as it said before."""
    return asked.weight if row.block.weights is None else float(row.block.weights[row.at])
