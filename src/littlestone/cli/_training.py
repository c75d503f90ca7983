"""What `train` does besides training: a part held back, the threshold, predictions in a file, the schema."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import ceil
from typing import TYPE_CHECKING, Any

import click

from littlestone.cli._remedies import typed
from littlestone.cli._settings import WrongCall

if TYPE_CHECKING:
    from littlestone.games.game import Turn
    from littlestone.models.training import Training
    from littlestone.streams import Stream

__all__ = ["decide", "predictions_to", "print_schema", "split"]


def split(stream: Stream, share: float, trials: int | None) -> tuple[int, Stream]:
    """Return how many examples are learned from, and the last ``share`` of all, which is held back."""
    from littlestone.streams.wrappers.wrapped import Part

    if not stream.again:
        raise WrongCall(
            f"--split: expected a file, got {stream!r}, which can be read only once; save it to a file first"
        )
    number = sum(len(block) for block in stream.blocks())
    number = number if trials is None else min(number, trials)
    back = ceil(number * share)
    if not 0 < back < number:
        raise WrongCall(f"--split: expected some examples on both sides, got {number} in all")
    return number - back, Part(stream, number - back, back)


def decide(training: Training, back: Stream | None, options: dict[str, Any]) -> None:
    """Set the model's threshold, as the options ask."""
    from littlestone.models.decision import Decision

    model = training.model
    if options["threshold"] is not None:
        model.decision = Decision(options["threshold"], "--threshold")
    elif options["cost"]:
        model.decision = Decision.by_cost(dict(map(_cost, options["cost"])))
    elif options["precision"] is not None:
        assert back is not None
        model.decision = Decision(0.5)
        model.check_decision()
        positive, truth = list[float](), list[bool]()
        for block in back.blocks():
            labels = block.labels or back.labels
            positive += model.probabilities_block(block)[:, 1].tolist()
            truth += [
                labels[code] == model.labels[1] for code in (block.outcomes if block.outcomes is not None else ())
            ]
        model.decision = Decision.for_precision(options["precision"], positive, truth)
    model.check_decision()


def _cost(word: str) -> tuple[str, float]:
    name, _, value = word.partition("=")
    try:
        return name, float(value)
    except ValueError:
        raise WrongCall(f"--cost: expected false-positive=NUMBER or false-negative=NUMBER, got {word!r}") from None


@contextmanager
def predictions_to(path: str | None, training: Training) -> Iterator[Callable[[Turn], None] | None]:
    """Give what writes each turn's predictions to a file, one on each line; None where nobody wants them."""
    if path is None:
        yield None
        return
    from littlestone.streams.writers import atomic

    with atomic(path, training.stream) as out:

        def write(turn: Turn) -> None:
            out.write("".join(f"{label}\n" for label in turn.predictions.tolist()).encode())

        yield write


def print_schema(stream: Stream, *, as_json: bool = False) -> int:
    """Print how a table's columns are read: on stderr in a few lines, or as JSON; nothing of other files."""
    schema = stream.schema()
    if as_json:
        if schema is None:
            raise WrongCall(f"--schema: expected a table, got {stream!r}, whose attributes have no columns")
        click.echo(json.dumps(schema.as_dict(typed), indent=1, ensure_ascii=False))
    elif schema is not None:
        click.echo(schema.told(typed), err=True)
    return 0
