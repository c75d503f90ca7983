"""follow: a model led along a live source that may never end, saved as it goes."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping, Sequence
from contextlib import aclosing
from pathlib import Path
from typing import Any

from littlestone.core.errors import InvalidModel, InvalidParameter
from littlestone.core.messages import Message
from littlestone.core.parameters import check_whole
from littlestone.learners import Learner
from littlestone.models.following.beginning import new_model
from littlestone.models.following.coming import Coming, Place, Written
from littlestone.models.following.events import Answer, Event, Notice, Progress
from littlestone.models.following.follower import LIMIT, Follower
from littlestone.models.following.items import Items
from littlestone.models.following.keeping import Keeper
from littlestone.models.following.options import check_reading
from littlestone.models.following.policies import take_policy
from littlestone.models.following.ticking import ticking
from littlestone.models.model import Model
from littlestone.models.saving import model_of
from littlestone.streams.base import SUFFIXES
from littlestone.streams.sources.opened import plain_suffix

__all__ = ["Following", "follow", "follow_async", "last_mark"]

EVERY, SECONDS, WINDOW, TICK = 100_000, 10.0, 1000, 0.5
AT_ONCE = 1024  # lines of a piece that are answered together: whoever waits for them hears the first before the last


class Following:
    """What `follow` does, step by step; the parameters are its own.

    >>> import littlestone as ls
    >>> model = ls.Model.train([{"sky": "grey", "rain": 1}, {"sky": "blue", "rain": 0}] * 20, label="rain")
    >>> following = Following(model, [{"sky": "grey"}, ({"sky": "blue"}, 0)])
    >>> [len(events) for events in following.steps()]
    [1, 1, 1]
    >>> following.progress.answered, following.progress.learned, following.progress.waiting
    (2, 1, 1)
    """

    def __init__(
        self,
        model: Model | Learner | str | os.PathLike[str],
        source: Any,
        *,
        id: str | None = None,  # noqa: A002
        format: str | None = None,  # noqa: A002
        save_to: str | os.PathLike[str] | None = None,
        every: int = EVERY,
        seconds: float = SECONDS,
        limit: int = LIMIT,
        window: int = WINDOW,
        new_labels: bool = False,
        on_change: str = "warn",
        replay: bool = False,
        growing: bool = True,
        tick: float = TICK,
        **reading: Any,
    ) -> None:
        if isinstance(model, Learner):
            known = format or SUFFIXES.get(plain_suffix(str(source)) if isinstance(source, str | Path) else "")
            self.model = Model(model) if model.trials else new_model(model, known, reading)
            check_reading(self.model, reading)
            reading = {} if not model.trials else reading
        else:
            self.model = model if isinstance(model, Model) else model_of(model)
            check_reading(self.model, reading)
        if isinstance(source, Mapping):
            raise InvalidParameter("follow: source: expected items, such as rows, got one dict", "give a list: [row]")
        take_policy(self.model, on_change)
        check_whole("follow", "limit", limit)
        if isinstance(tick, bool) or not isinstance(tick, int | float) or not tick >= 0:
            raise InvalidParameter(f"follow: tick must be a number >= 0, got {tick!r}")
        self._source, self._replay, self._growing, self._tick = source, replay, growing, tick
        asked: dict[str, Any] = {"format": format, "id": id, "reading": reading}
        self._written: Written | None = None
        self._items: Items | None = None
        if isinstance(source, str | Path) or (hasattr(source, "read") and not hasattr(source, "__aiter__")):
            came: Written | Items = (written := Written(self.model, source, **asked))
            self._written = written
        else:
            came = items = Items(self.model, type(source).__name__, **asked)
            self._items = items
        self.follower = Follower(
            self.model, name=came.name, reading=came.reading, limit=limit, window=window, new_labels=new_labels
        )
        self.start = self._resume()
        self.place = self.start
        self._midway = False  # whether some lines of a piece have been learned, and others not
        if self._items is not None:
            self._items.begin(self.start, replay=replay)
        path = model if save_to is None and isinstance(model, str | os.PathLike) else save_to
        self.keeper = Keeper(self.follower, path, every=every, seconds=seconds, place=self.start)

    @property
    def progress(self) -> Progress:
        """How far it is."""
        return self.follower.progress

    def _resume(self) -> Place:
        """Go on from what the model remembers, if it has followed a source before."""
        rest = self.model.following
        if rest is None:
            return Place()
        self.follower.restore(rest)
        try:
            return Place.of(rest.about["place"])
        except (KeyError, TypeError, InvalidModel) as error:
            raise InvalidModel(f"{self.follower.name}: where the model was: {error}") from error

    def steps(self) -> Iterator[list[Event]]:
        """Yield what is to be said of each piece that came; the model is saved between two of them, and at the end."""
        if self._written is not None:
            pieces = self._written.pieces(self.start, growing=self._growing, replay=self._replay, tick=self._tick)
        else:
            assert self._items is not None
            pieces = self._items.pieces(self._source, self.start, replay=self._replay)
        while (piece := self._next(pieces)) is not None:
            yield from self._taken(piece)
            if self.keeper.due(self.place):
                yield self.keeper.attempt(self.place)
        yield self.end()

    def _next(self, pieces: Iterator[Coming]) -> Coming | None:
        """Return the next piece; whatever is wrong with the source, what was learned before is saved."""
        try:
            return next(pieces, None)
        except BaseException:
            self.keeper.finish(self.place)
            raise

    def item(self, item: Any) -> list[Event]:
        """Return what is to be said of one item, of a source of items."""
        assert self._items is not None
        return self.take(self._items.piece(self._items.behind(item)))

    async def items(self) -> AsyncGenerator[list[Event], None]:
        """Do what `steps` does for an asynchronous iterable, where nothing needs to come for the model to be saved."""
        assert self._items is not None
        async with aclosing(ticking(self._source, self._tick)) as found:
            while True:
                try:
                    item = await anext(found)
                except StopAsyncIteration:
                    break
                except BaseException:
                    self.keeper.finish(self.place)
                    raise
                yield self.item(item)
                if self.keeper.due(self.place):
                    yield self.keeper.attempt(self.place)
        self._items.check_end()
        yield self.end()

    def left(self, unheard: Sequence[Event]) -> None:
        """Save what was learned, for nobody wants to hear more, unless there are answers that nobody has heard."""
        if not self._midway and not any(isinstance(event, Answer) for event in unheard):
            self.keeper.finish(self.place)

    def take(self, piece: Coming) -> list[Event]:
        """Return what is to be said of what came."""
        return [event for events in self._taken(piece) for event in events]

    def _taken(self, piece: Coming) -> Iterator[list[Event]]:
        """Yield what is to be said of a piece, some lines at a time; the place is behind it after the last of them."""
        events: list[Event] = [Notice(Message(piece.notice))] if piece.notice else []
        last = max(0, len(piece.found) - 1) // AT_ONCE
        for at in range(last + 1):
            self._midway = at < last
            events += self.follower.take(piece.found[at * AT_ONCE : (at + 1) * AT_ONCE])
            if at == last:
                self.place = piece.place
            yield events
            events = []

    def end(self) -> list[Event]:
        """Save the model for the last time; what goes wrong now is an error."""
        return [*self.keeper.finish(self.place), self.progress]


def follow(model: Model | Learner | str | os.PathLike[str], source: Any, **options: Any) -> Iterator[Event]:
    r"""Predict each example of a live source, learn it when its label comes, and yield what happened.

    ``source`` is a file that grows (followed as ``tail -F`` does, over rotations), a pipe, "-" for stdin, or any
    iterable, such as a consumer of a queue. Its items are lines as the model's file had them (text or bytes), dicts as
    JSON lines have them, or ``(row, label)`` and ``(row, label, id)``, where the label, or else the row, is None if it
    comes later; a list is several of these at once, and None says that nothing has come. An example with a label is
    learned at once. One without waits, under its id, for a late label: ``{"id": ..., "label": ...}``. Without ids it is
    the number of the line. An item may come with its mark in a queue, as `At`: that is saved with the model, and
    `last_mark` says behind which one to go on.

    Events are `Answer` (of each example), `Labelled` (a late label was learned), `Change` (mistakes have become more
    frequent), `Notice` (something was wrong, and what was done), `Saved` and, at the end, `Progress`.

    Parameters
    ----------
    model : Model, Learner or the path of a file
        A learner that has learned nothing begins anew, with ``format``, and ``labels`` where it does not find them. A
        model in a file is saved there: all that was learned, the examples that wait, and where the source was.
        Called again after whatever end, it goes on from there, without loss and without learning twice, if the source
        can: a file does, a queue by its marks, others if they bring again what they brought (``replay``). A model that
        is no file remembers the same itself. Whoever leaves the loop, or a source that raises, leaves the model saved.
    source : path, "-", a binary file, or an iterable
    id : str or None
        The key or column of the ids. None: that of the tags the model was trained with, or "id". For VW text ids are
        the tags.
    format : str or None
        The format of lines. None: as the model's, or as the suffix or the first line shows.
    save_to : path or None
        Where to save the model. None: where it came from, if it was a path.
    every, seconds : int, float
        After how many examples and labels, and after how many seconds at most, the model is saved.
    limit : int
        How many examples may wait for their labels; beyond it the oldest are dropped.
    window : int
        Over how many of the last labels the error is counted, besides that over all.
    new_labels : bool
        Whether a label that the model has not met is learned, by a learner that can.
    on_change : str
        What is done when mistakes become more frequent: "warn", "restart" (a new learner plays beside the old one, as
        `Restarting` says) or "forget" (gradually and always, as `Forgetting` says).
    replay : bool
        Whether a pipe, or an iterable, brings again what it brought before the model was saved: it is passed over. A
        file always is.
    growing : bool
        Whether a file is followed beyond its end.
    tick : float
        After how many seconds in which nothing comes there is time for a checkpoint.
    **reading
        Options with which lines are read, as `open` takes them, in place of the model's.

    Example
    -------
    >>> import littlestone as ls
    >>> model = ls.Model.train([{"sky": "grey", "rain": 1}, {"sky": "blue", "rain": 0}] * 20, label="rain")
    >>> source = [{"id": "a", "sky": "grey"}, {"id": "b", "sky": "blue"}, {"id": "a", "label": 1}, ({"sky": "blue"}, 0)]
    >>> for event in ls.follow(model, source):
    ...     if isinstance(event, ls.following.Answer):
    ...         print(event.id, event.prediction)
    ...     elif isinstance(event, ls.following.Labelled):
    ...         print(event)
    a 1
    b 0
    Labelled(id='a', label=1, prediction=1)
    4 0
    """
    following = Following(model, source, **options)
    for events in following.steps():
        for at, event in enumerate(events, start=1):
            try:
                yield event
            except GeneratorExit:
                following.left(events[at:])
                raise


def last_mark(model: Model | str | os.PathLike[str]) -> Any:
    """Return the mark of the last item of a queue (`At`) that a model knows, or None: whoever reads goes on behind it.

    >>> import littlestone as ls
    >>> last_mark(ls.Model(ls.Winnow())) is None
    True
    """
    found = model if isinstance(model, Model) else model_of(model)
    return None if found.following is None else found.following.about.get("place", {}).get("mark")


async def follow_async(
    model: Model | Learner | str | os.PathLike[str], source: Any, **options: Any
) -> AsyncIterator[Event]:
    """Do what `follow` does for an asynchronous iterable; any other source is waited for in a thread.

    >>> import asyncio, littlestone as ls
    >>> model = ls.Model.train([{"sky": "grey", "rain": 1}, {"sky": "blue", "rain": 0}] * 20, label="rain")
    >>> async def queue():
    ...     yield {"sky": "grey"}
    ...     yield {"id": 1, "label": 1}
    >>> async def main():
    ...     async for event in ls.follow_async(model, queue()):
    ...         print(type(event).__name__)
    >>> asyncio.run(main())
    Answer
    Labelled
    Progress
    """
    following = Following(model, source, **options)
    pieces = following.items() if hasattr(source, "__aiter__") else _in_thread(following.steps())
    async with aclosing(pieces):
        async for events in pieces:
            for at, event in enumerate(events, start=1):
                try:
                    yield event
                except GeneratorExit:
                    following.left(events[at:])
                    raise


async def _in_thread(steps: Iterator[list[Event]]) -> AsyncGenerator[list[Event], None]:
    def step() -> list[Event] | None:
        return next(steps, None)

    while (said := await asyncio.to_thread(step)) is not None:
        yield said
