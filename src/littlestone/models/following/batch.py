"""Batch: what came at a time for one that follows a source, done in as few steps as its order allows."""

from __future__ import annotations

from typing import TYPE_CHECKING

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

    @property
    def events(self) -> list[Event]:
        """What is said of all that was done."""
        return self.lessons.events

    def flush(self) -> None:
        """Do what has been collected; only one kind of it has."""
        asked, learned, due = self.asked, self.learned, self.due
        self.asked, self.learned, self.due = [], [], []
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
            self.lessons.say(example.line, own.unknown(example.label), "it was answered, and not learned")
            self.lessons.ask([row], keep=False)
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
        self.lessons.say(bad.line, bad.problem, "the line was left out")

    def late(self, late: Late) -> None:
        """Take a label that comes alone."""
        own, key = self.own, key_of(late.id)
        if self.asked or self.learned:
            self.flush()
        code = own.code(late.label)
        if code is None:
            self.flush()
            self.lessons.say(late.line, own.unknown(late.label).after(f"the label of {late.id!r}: "), "it was left out")
        elif key in own.waiting:
            self.due.append(Due(late, code, own.waiting.find(key)))
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
        self.lessons.say(
            late.line,
            f"a label for {late.id!r} came{again}, but no such example waits: it is still to come, or was learned or "
            f"dropped{dropped}; the label is kept for it{gone}",
        )
