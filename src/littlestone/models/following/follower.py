"""Follower: predicts each example of a live source, and learns when the label comes, at once or later."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

import numpy as np

from littlestone.core.arrays import State
from littlestone.core.errors import InvalidModel
from littlestone.core.messages import Message
from littlestone.core.vocabulary import Vocabulary
from littlestone.core.waiting import Waiting
from littlestone.models.files import Rest
from littlestone.models.following.batch import Batch
from littlestone.models.following.events import Event, Notice, Progress
from littlestone.models.following.examples import NO_LABEL, Bad, Example, Late
from littlestone.models.following.labels import Labels
from littlestone.models.following.lessons import Lessons, Row
from littlestone.models.following.numbers import Numbers, NumberScore
from littlestone.models.following.policies import inside
from littlestone.models.following.rows import Reader
from littlestone.models.following.score import Score
from littlestone.models.model import Model

__all__ = ["LIMIT", "Follower"]

ABOUT = {"answered", "begun_without", "score", "place"}
LIMIT = 100_000  # examples that wait for their labels, and labels that wait for their examples

Found = Example | Late | Bad


class Follower:
    """A model that follows a source: `take` what came, and get what is to be said of it.

    ``limit`` is how many examples may wait for their labels. A label that the model has not met is refused, unless
    there may be ``new_labels``, or it had met none when it began to follow. What is learned does not depend on how much
    is taken at a time. One that is ``strict`` does all of what a line asks for, or nothing: it is `Refused`, also where
    others would answer an example without learning it, or keep a label for an example that is still to come.
    ``numbered`` is said by who restores one that began before it had learned anything, as `Reader` takes it.

    >>> import littlestone as ls
    >>> model = ls.Model.train([{"sky": "grey", "rain": 1}, {"sky": "blue", "rain": 0}] * 20, label="rain")
    >>> follower = Follower(model)
    >>> [answer] = follower.take([Example(1, "monday", {"sky": "grey"})])
    >>> answer.id, answer.prediction, follower.progress.waiting
    ('monday', 1, 1)
    >>> follower.take([Late(2, "monday", 1)])
    [Labelled(id='monday', label=1, prediction=1)]
    """

    def __init__(
        self, model: Model, *, name: str = "follow", reading: Mapping[str, Any] | None = None, limit: int = LIMIT,
        window: int = 1000, new_labels: bool = False, strict: bool = False, numbered: bool | None = None,
    ) -> None:  # fmt: skip
        self.model, self.name, self.limit, self.strict = model, name, limit, strict
        self.reader = Reader(model, name, model.reading if reading is None else reading, numbered=numbered)
        self.waiting = Waiting(name, limit)
        self.early: dict[str, Any] = {}  # labels whose examples have not come, as they came, by id
        numbers = model.outcomes is not None
        self.begun_without = not (model.labels or numbers)
        self.labels = Numbers() if numbers else Labels(model, open=new_labels or self.begun_without)
        self.score: Score | NumberScore = NumberScore(window) if numbers else Score(window)
        self.answered = 0

    @property
    def done(self) -> int:
        """How many examples and labels were taken."""
        return self.answered + self.score.labels

    @property
    def progress(self) -> Progress:
        """How far it is."""
        score, learner = self.score, inside(self.model.learner)
        figures = score.figures() if isinstance(score, NumberScore) else {}
        wrong = 0 if isinstance(score, NumberScore) else sum(score.window)
        return Progress(
            answered=self.answered, learned=score.labels, mistakes=score.mistakes, window=len(score.window),
            window_mistakes=wrong, waiting=len(self.waiting), dropped=self.waiting.dropped,
            changes=score.changes, attributes=getattr(learner, "held", None), evicted=getattr(learner, "dropped", None),
            **figures,
        )  # fmt: skip

    @property
    def _classes(self) -> int | None:
        """How many labels the model knows; None: it predicts numbers."""
        return None if self.model.outcomes is not None else len(self.model.labels)

    # Written down

    def state(self) -> Rest:
        """Return what it remembers besides what the model has learned."""
        about: dict[str, Any] = {
            "answered": self.answered,
            "begun_without": self.begun_without,
            "score": self.score.counts(),
        }
        arrays = self.waiting.state() | self.score.state()
        said = Vocabulary(self.early.values())
        early: State = {
            "early": Vocabulary(self.early).state(),
            "early_labels": said.state(),
            "early_codes": np.array([said.column(label) for label in self.early.values()], dtype=np.int64),
        }
        return Rest(about, arrays | early)

    def restore(self, rest: Rest) -> None:
        """Go on from what `state` gave; refuse what it could not have given."""
        about, arrays = rest
        try:
            self.begun_without = about["begun_without"]
            if isinstance(self.labels, Labels):
                self.labels.open |= self.begun_without is True
            room = max(self.limit, len(arrays["waiting_said"]))  # before there may have been more
            self.waiting = Waiting.from_state(self.name, room, arrays, self._classes)
            self.waiting.limit = self.limit
            self.score.restore(about["score"], arrays)
            self.answered, self.early = about["answered"], _early(arrays)
            whole = type(self.answered) is int and self.answered >= 0 and type(self.begun_without) is bool
            if not whole or about.keys() - ABOUT or not all(isinstance(one.x, dict) for one in self.waiting.examples):
                raise InvalidModel("expected what was answered and examples that wait, got others")  # noqa: TRY301
        except (LookupError, TypeError, ValueError, OverflowError, InvalidModel) as error:
            raise InvalidModel(
                f"{self.name}: what the model remembers of the source that it follows: {error}"
            ) from error

    def take(self, found: Sequence[Found]) -> list[Event]:
        """Predict and learn what has come, in order."""
        codes = self._codes(found)
        if codes is not None:
            return self._learned(cast("Sequence[Example]", found), codes)
        batch = Batch(self)
        for one in self._read(found):
            if isinstance(one, Bad):
                batch.bad(one)
            elif isinstance(one, Late):
                batch.late(one)
            else:
                batch.row(one)
        batch.flush()
        return batch.events

    def _codes(self, found: Sequence[Found]) -> list[Any] | None:
        """Return the codes of labels if all that has come is to be learned, now and as it stands: most of it is."""
        if self.early or len(self.waiting) or not self.labels.known:
            return None
        if set(map(type, found)) != {Example} or any(cast("Example", one).label is NO_LABEL for one in found):
            return None
        return self.labels.codes([cast("Example", one).label for one in found])

    def _learned(self, examples: Sequence[Example], codes: list[Any]) -> list[Event]:
        """Learn examples whose labels the model knows, each after it was predicted."""
        lessons, at = Lessons(self), 0
        for read in self.reader.read(examples):
            if isinstance(read, Bad):
                lessons.left_out(read)
                at += 1
                continue
            some, block = read
            own = codes[at : at + len(some)]
            numbered = enumerate(zip(some, own, strict=True))
            lessons.learn([Row(one, block, row, code, one.label) for row, (one, code) in numbered])
            at += len(some)
        return lessons.events

    def _read(self, found: Sequence[Found]) -> Iterable[Row | Late | Bad]:
        """Yield examples with their rows in order, and all else as it is."""
        rows: dict[int, Row | Bad] = {}
        examples = [one for one in found if isinstance(one, Example)]
        number = 0
        for read in self.reader.read(examples):
            if isinstance(read, Bad):
                rows[number] = read
                number += 1
                continue
            for at, example in enumerate(read[0]):
                rows[number] = Row(example, read[1], at)
                number += 1
        own = iter(range(number))
        for one in found:
            yield rows[next(own)] if isinstance(one, Example) else one

    def notice(self, line: int, problem: Message) -> Notice:
        """Say what was wrong with a line."""
        return Notice(problem.after(f"{self.name}:{line}: "))


def _early(arrays: State) -> dict[str, Any]:
    """Return the labels that wait for their examples."""
    keys, said = (list(Vocabulary.from_state(arrays[name])) for name in ("early", "early_labels"))
    codes = arrays["early_codes"]
    if codes.dtype.kind != "i" or not all(isinstance(key, str) for key in keys):
        raise InvalidModel("expected ids and labels whose examples are to come, got others")
    if len(codes) and not 0 <= codes.min() <= codes.max() < len(said):
        raise InvalidModel("expected labels of examples that are to come, got others")
    return {str(key): said[code] for key, code in zip(keys, codes.tolist(), strict=True)}
