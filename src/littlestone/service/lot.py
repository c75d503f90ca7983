"""Lot: requests that change models, done together: each model learns all of its rows at once, in one commit."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from littlestone.models.following.events import Labelled, Refused
from littlestone.service.checking import Rows, rows_of_request
from littlestone.service.journal.entries import Key, encode, sealed
from littlestone.service.journal.journal import Draft
from littlestone.service.journal.keys import key_digest
from littlestone.service.measures import NewLabels, at_once, too_many_names, too_slow
from littlestone.service.memory import no_room
from littlestone.service.models.replay import line_of
from littlestone.service.models.served import Line, Said, Served
from littlestone.service.pairs import challenger_of, join, spread
from littlestone.service.problems import gone, invalid, told, unavailable, unexpected
from littlestone.service.wire import Answered, Ask, Label, Learn, Problem, Refusal, Reply, read, written

if TYPE_CHECKING:
    from littlestone.service.desk import Desk

__all__ = ["Lot", "Write"]

FAILURES = (sqlite3.Error, OSError)  # of the disk
JOINED = 1 << 16  # bytes of the rows of requests that become one entry of the journal, at most


class Write:
    """One request of a lot on its way: its rows, and what came of them."""

    __slots__ = (
        "accepted", "beside", "first", "first_of", "key", "kind", "lines", "places", "refused", "reply", "request",
        "rows", "served",
    )  # fmt: skip

    def __init__(self, request: Learn | Ask | Label, served: Served) -> None:
        self.request, self.served = request, served
        self.kind = "ask" if isinstance(request, Ask) else "label" if isinstance(request, Label) else "learn"
        self.reply: Reply | None = None
        self.first_of: Write | None = None  # the same request, before this one in the lot
        self.places = list[int]()  # of its rows that are not refused from the outset
        self.rows, self.lines = list[bytes](), list[Line]()
        self.refused = list[Refusal]()
        self.key: tuple[bytes, bytes] | None = None
        self.first, self.accepted = 0, list[bytes]()  # the events that it is, and their rows
        self.beside: Write | None = None  # the same request, as its challenger does it

    @property
    def both(self) -> list[Write]:
        """What is done of the request: by its model, and by its challenger if it has one."""
        return [self] if self.beside is None else [self, self.beside]

    @property
    def is_new(self) -> bool:
        """Whether it was not done before, and nothing is wrong with its key."""
        return self.reply is None and self.first_of is None

    def tell(self, said: list[Said], first: int) -> None:
        """Take what came of the rows; those that were accepted are the events from ``first`` on."""
        count = len(self.request.ids if isinstance(self.request, Label) else self.request.rows)
        predictions, probabilities = list[Any]([None] * count), list[float | None]([None] * count)
        self.first, self.accepted = first, []
        for at, row, one in zip(self.places, self.rows, said, strict=True):
            if isinstance(one, Refused):
                self.refused.append(Refusal(at, one.because, told(one.message)))
                continue
            self.accepted.append(row)
            predictions[at] = one.prediction
            if not isinstance(one, Labelled):
                probabilities[at] = one.probability
        if self.refused:
            self.refused.sort(key=lambda one: one.at)
        reply = Answered(self.served.name, first, len(self.accepted), predictions, probabilities, self.refused)
        self.reply = reply if self.request.shadow is not None else self.alone(reply)

    def nothing_of(self, reply: Reply) -> None:
        """Let nothing have come of it."""
        self.accepted, self.reply = [], reply

    @staticmethod
    def alone(reply: Answered) -> Reply:
        """Return the problem of a request that has one row, if it has one."""
        if len(reply.predictions) > 1 or not reply.refused:
            return reply
        one = reply.refused[0]
        return invalid(f"{reply.model}: {one.detail}", one.because, "rows[0]")


def _as_it_came(request: Learn | Ask | Label) -> Iterator[bytes]:
    """Yield all of a request, also the rows that are refused; what cannot be written down counts as nothing."""
    rows = None if isinstance(request, Label) else request.rows
    weights = None if isinstance(request, Label) else request.weights
    for column in (rows, None if isinstance(request, Ask) else request.labels, request.ids, weights):
        yield encode(None if column is None else len(column))
        for one in column or ():
            try:
                yield encode(one)
            except (TypeError, ValueError, OverflowError, RecursionError, msgspec.MsgspecError):
                yield b""
    if request.shadow is not None:
        yield encode(request.shadow)


def drafts_of(writes: Iterable[Write]) -> Iterator[Draft]:
    """Yield the entries of requests in their order: small neighbours without keys are one, which costs less."""
    for some in _joined(writes):
        one, rows = some[0], [row for write in some for row in write.accepted]
        key = None if one.key is None or one.reply is None else Key(*one.key, written(one.reply))
        yield Draft(one.served.id, one.first, len(rows), one.kind, sealed(rows), key)


def _joined(writes: Iterable[Write]) -> Iterator[list[Write]]:
    """Yield requests in their order, together where they are to be one entry."""
    some, size = list[Write](), 0
    for write in writes:
        own = sum(map(len, write.accepted))
        if some and (size + own > JOINED or _stays_alone(some[-1], write)):
            yield some
            some, size = [], 0
        some.append(write)
        size += own
    if some:
        yield some


def _stays_alone(one: Write, write: Write) -> bool:
    """Tell whether two requests are two entries: what is erased of a key's answer is that of one entry."""
    is_other = one.served is not write.served or one.kind != write.kind
    return is_other or one.key is not None or write.key is not None


class Lot:
    """The requests of a group that change models; `run` leaves a reply with each."""

    def __init__(self, desk: Desk) -> None:
        self.desk, self.writes = desk, list[Write]()
        self._keys: dict[bytes, Write] = {}
        self._known: dict[int, frozenset[Any]] = {}

    def add(self, request: Learn | Ask | Label) -> Write | Problem:
        """Take a request, and see to it that a repeated one is done once."""
        served = self.desk.served_by(request.model)
        if isinstance(served, Problem):
            return served
        rows = rows_of_request(request, self.desk.options.limits)
        if isinstance(rows, Problem):
            return rows
        write = self._filled(request, served, rows)
        self._look_up(write, write)
        if write.is_new:  # a repetition gets the first answer, whatever has become of the models
            problem = self._with_challenger(write, rows)
            if problem is not None:
                return problem
        if write.is_new:
            self._keys |= {one.key[0]: write for one in write.both if one.key is not None}
        self.writes.append(write)
        return write

    def _with_challenger(self, write: Write, rows: Rows) -> Problem | None:
        """Have the challenger do a request, too, if one is named; return why it cannot be done."""
        limits = self.desk.options.limits
        if (problem := too_slow(write.served, len(rows), limits)) is not None or write.request.shadow is None:
            return problem
        challenger = challenger_of(self.desk, write.request)
        if isinstance(challenger, Problem):
            return challenger
        write.beside = self._filled(write.request, challenger, rows)
        self._look_up(write, write.beside)
        return too_slow(challenger, len(rows), limits) if write.is_new else None

    def _filled(self, request: Learn | Ask | Label, served: Served, rows: Rows) -> Write:
        """Return what a model is to do of a request: the rows that are not refused from the outset."""
        write, new = Write(request, served), NewLabels(self._labels(served), self.desk.options.limits)
        for at, one in enumerate(rows):
            if isinstance(one, Refusal):
                write.refused.append(one)
                continue
            if (problem := new.refusal(one[0][1])) is not None:
                write.refused.append(Refusal(at, "label", problem))
                continue
            write.places.append(at)
            write.rows.append(one[1])
            write.lines.append(line_of(write.kind, at, one[0]))
        return write

    def _labels(self, served: Served) -> frozenset[Any]:
        """Return the labels that a model has met: to collect them for each request would cost much."""
        if served.id not in self._known:
            self._known[served.id] = frozenset(served.model.labels)
        return self._known[served.id]

    def _look_up(self, write: Write, one: Write) -> None:
        """Find whether a request was done: its key is that of each model that learns it, whose names may change."""
        once, secret = write.request.once, self.desk.secret
        if once is not None:
            asked = key_digest(secret, write.kind, *_as_it_came(write.request)) if write.key is None else write.key[1]
            one.key = key_digest(secret, str(one.served.id), once), asked
            self._compare(write, *one.key, once)

    def _compare(self, write: Write, key: bytes, asked: bytes, once: str) -> None:
        """Give a request that came before under a key the reply of then."""
        found, before = self.desk.journal.keys.find(key), self._keys.get(key)
        if found is not None and found[1] is None:  # nothing is left to compare it with
            write.reply = gone(f"key {once!r}: the request was done, and its content was erased since")
            return
        first = found[0] if found is not None else before.key[1] if before is not None and before.key else asked
        if first != asked:
            write.reply = invalid(f"key {once!r}: expected the request that first came with it, got another", "key")
        elif found is not None and found[1] is not None:
            write.reply = read(found[1])
        elif before is not None:
            write.first_of = before

    def run(self) -> None:
        """Do what was taken; afterwards each request has its reply."""
        due = [write for write in self.writes if write.is_new]
        if due and (reason := self.desk.stuck_now()) is not None:
            for write in due:
                write.reply = unavailable(reason)
        elif due:
            self._do(self._with_room(due))
        for write in self.writes:
            if write.first_of is not None:
                write.reply = write.first_of.reply

    def _with_room(self, due: list[Write]) -> list[Write]:
        """Return the requests for which there is memory: labels need none."""
        if (reason := no_room(self.desk.options.memory)) is None:
            return due
        for write in due:
            if write.kind != "label":
                write.reply = unavailable(reason)
        return [write for write in due if write.reply is None]

    def _do(self, due: list[Write]) -> None:
        by_model: dict[int, list[Write]] = {}
        for one in [one for write in due for one in write.both]:
            by_model.setdefault(one.served.id, []).append(one)
        failed = dict[int, str]()
        for model, writes in by_model.items():
            try:
                self._learn(writes)
            except Exception as error:  # noqa: BLE001 - whatever it is, it is to hurt one request alone
                failed[model] = f"{type(error).__name__}: {error}"
        apart = spread(due, failed)
        for model, reason in apart.items():
            self.desk.restore(by_model[model][0].served, reason)
        self._commit([write for write in due if write.served.id not in apart])
        for write in [write for write in due if write.served.id in apart]:
            self._do_alone(write)

    def _do_alone(self, write: Write) -> None:
        """Do a request that may be the one with which something unexpected happened."""
        for one in write.both:
            served = self.desk.served_by(one.served.name)
            if isinstance(served, Problem):
                write.reply = served
                return
            one.served, one.refused = served, [refused for refused in one.refused if refused.at not in one.places]
        try:
            for one in write.both:
                self._learn([one])
        except Exception as error:  # noqa: BLE001
            for one in write.both:
                one.nothing_of(unexpected(error))
                self.desk.restore(one.served, f"{type(error).__name__}: {error}")
            return
        self._commit([write])

    def _learn(self, writes: list[Write]) -> None:
        """Let a model learn all rows of its requests at once."""
        served = writes[0].served
        lines = [line for write in writes for line in write.lines]
        number = served.number
        sizes = [len(row) for write in writes for row in write.rows]
        said, start = list[Said](), 0
        while start < len(lines):
            stop = start + at_once(served, self.desk.options.limits)
            said += self._taken(served, lines[start:stop], sum(sizes[start:stop]))
            start = stop
            self.desk.alive()
        start = 0
        for write in writes:
            own = said[start : start + len(write.lines)]
            start += len(own)
            write.tell(own, number + 1)
            number += len(write.accepted)

    def _taken(self, served: Served, lines: list[Line], size: int) -> list[Said]:
        """Let a model learn some rows, but not those with which it would have met too many names."""
        self.desk.open_labels(served, lines)
        refused = too_many_names(served, lines, size, self.desk.options.limits)
        if not refused:
            return served.take(lines)
        own = iter(served.take([line for at, line in enumerate(lines) if at not in refused]))
        return [refused[at] if at in refused else next(own) for at in range(len(lines))]

    def _commit(self, writes: list[Write]) -> None:
        """Have it on the disk; if that fails, nothing has been learned."""
        for write in writes:
            join(write)
        several = [one for write in writes for one in write.both]
        learned = [one for one in several if one.accepted]
        if len(several) > len(writes):
            learned.sort(key=lambda one: one.served.id)  # so that neighbours are of one model
        if not learned:
            return
        try:
            with self.desk.journal.transaction():
                self.desk.journal.append([*drafts_of(learned)])
        except FAILURES as error:
            reason = self.desk.failed(error, {one.served.id: one.served for one in several})
            for one in several:
                one.nothing_of(unavailable(reason))
            return
        self.desk.changed.update(one.served.id for one in learned)
