"""Sizes: models that nobody could serve, refused before they are made, and models whose file is not to be believed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from littlestone.core.errors import InvalidParameter, LittlestoneError
from littlestone.core.words import Tokeniser
from littlestone.learners import Learner
from littlestone.learners.register import command_name
from littlestone.models.model import Model
from littlestone.service.checking import wrong_label
from littlestone.service.measures import most_of_square
from littlestone.service.memory import FULL, taken
from littlestone.service.models.served import Served, Settings
from littlestone.service.options import Options
from littlestone.service.problems import Refused, invalid
from littlestone.service.reading import predicted
from littlestone.service.wire import Problem

__all__ = ["check_file", "check_labels", "check_size"]

EACH = 32  # bytes of an attribute, and of a cell of such a matrix, while a model is made, and copied
WORDS = ("tokens", "lower", "ngrams", "characters")
USUAL = {"tokens": "words", "lower": True, "ngrams": 1, "characters": None}


def check_size(learner: Learner, attributes: Any, labels: Sequence[Any] | None, options: Options) -> None:
    """Refuse a model for more attributes than can be served."""
    if type(attributes) is not int:
        return
    most, classes, square = options.limits.attributes, max(1, len(labels or ()) - 1), most_of_square(learner)
    most = most // classes if square is None else min(most, square)
    if attributes > most:
        name = command_name(type(learner))
        raise InvalidParameter(f"attributes: expected at most {most:,} of {name}, got {attributes:,}")
    if options.memory is None:
        return
    needs = EACH * attributes * (classes if square is None else attributes)
    room = max(0, int(FULL * options.memory) - taken())
    if needs > room:
        expected = f"attributes: expected as many as {room:,} bytes have room for"
        raise InvalidParameter(
            f"{expected}, got {attributes:,}, which may take {needs:,}", "remove a model", "raise --memory"
        )


def check_labels(labels: Sequence[Any], options: Options) -> None:
    """Refuse more labels, or longer ones, than a model may meet."""
    most = options.limits.labels
    if len(labels) > most:
        raise InvalidParameter(f"labels: expected at most {most:,}, got {len(labels):,}")
    for label in labels:
        if (wrong := wrong_label(label, options.limits)) is not None:
            raise InvalidParameter(f"labels: {wrong[1]}")


def check_file(name: str, model: Model, settings: Settings, options: Options) -> None:
    """Refuse a model that says of itself what cannot be done: it reads, and predicts, some rows in which is little."""
    reading = dict(model.reading)
    try:
        check_labels(model.labels, options)
        Tokeniser.checked("reading", *(reading.get(word, USUAL[word]) for word in WORDS))
    except (LittlestoneError, TypeError, ValueError) as error:
        raise Refused(invalid(f"{name}: {error}", "file")) from error
    try:
        served = Served(0, name, model, settings)
        model.following = served.follower.state()
    except LittlestoneError as error:
        raise Refused(invalid(f"{name}: {error}", "file")) from error
    except Exception as error:
        raise Refused(_strange(name, f"{type(error).__name__}: {error}")) from error
    texts = reading.get("text") or ()
    columns = [texts] if isinstance(texts, str) else list(texts)[:16]
    rows: list[Any] = [{}, "", [], "a b", {str(column): "a b" for column in [*columns, *model.columns[:16]]}]
    for row in rows:
        [found] = predicted(served, [[row]], options.limits)
        if isinstance(found, Problem) and found.status >= 500:
            raise Refused(_strange(name, found.detail.partition(";")[0]))


def _strange(name: str, detail: str) -> Any:
    return invalid(f"{name}: expected a model that reads and predicts rows, got one that does not ({detail})", "file")
