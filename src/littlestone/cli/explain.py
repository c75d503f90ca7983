"""littlestone explain: what a model has come to, by the names of its attributes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from littlestone.cli._settings import WrongCall, source_options, stream_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from littlestone.core.block import Block
    from littlestone.learners import Learner
    from littlestone.streams import Stream

__all__ = ["explain"]


@click.command(short_help="Say what a model has come to, by the names of its attributes.")
@click.argument("model", type=click.Path(dir_okay=False))
@click.option("--top", type=click.IntRange(min=1), default=20, show_default=True, help="How many to list of each kind.")
@click.option("--max-size", type=click.IntRange(min=1), default=3, show_default=True,
              help="Attributes of the largest sets that are looked for.")  # fmt: skip
@click.option("--data", metavar="FILE", help="What it learned from: count in how many updates each attribute was.")
@click.option("--example", metavar="ROW|NAMES", help="Explain one prediction: a row of --data, from 1, or names.")
@click.option("--names-from", metavar="FILE", help="A file whose line i names attribute i, from 1.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
@source_options
def explain(
    model: str, top: int, max_size: int, data: str | None, example: str | None, names_from: str | None, *,
    as_json: bool, **told: Any,
) -> None:  # fmt: skip
    """Print the rule that MODEL stands for: attributes that are enough by themselves, pairs and threes of them, and the
    heaviest evidence for and against; of a model over conjunctions, the heaviest of these.

    With --data the examples are played again by a fresh learner, and the updates of each attribute are counted; it is
    said whether that leads to this very model. With --example one prediction is explained instead.

    \b
    littlestone explain model.npz --names-from badges.features.txt.gz
    littlestone explain model.npz --data train.svm --example 17
    littlestone explain model.npz --example "rain,wind:2.5"
    """  # noqa: D205, D301 - \b is click's
    from littlestone.cli._model import first_number, model_of
    from littlestone.models import explanation
    from littlestone.models.explanation.names import read_names

    learner, reading = model_of(model)
    names: Sequence[Any] | None = None if names_from is None else read_names(names_from, learner)
    numbered = names is None and learner.vocabulary is None
    first, whose = first_number(reading, told.get("zero_based"))
    if numbered:
        names = range(first, first + max(learner.width, learner.n or 0))
    stream = None if data is None else stream_of(data, told, defaults=reading)
    found: Any
    if example is not None:
        found = explanation.explain_example(learner, _example(example, stream, learner, names), names=names, top=top)
    else:
        found = explanation.explain(learner, top=top, max_size=max_size, names=names, stream=stream)
    if as_json:
        click.echo(json.dumps(found.as_dict(), allow_nan=False))
        return
    click.echo(str(found))
    if numbered and names:
        click.echo(f"Attributes have no names here: they are numbered from {first}, {whose}.")


def _example(text: str, stream: Stream | None, learner: Learner, names: Sequence[Any] | None) -> Any:
    """Return the example that is meant: a row of a stream, or names with their values."""
    if stream is not None:
        return _row(text, stream)
    return dict(_named(word, learner, names) for word in text.split(",") if word.strip())


def _row(text: str, stream: Stream) -> Block:
    from littlestone.streams.base import complete_blocks

    if not text.isdecimal() or text == "0":
        raise WrongCall(f"--example: expected the number of a row of --data, from 1, got {text!r}")
    left = int(text) - 1
    for block in complete_blocks(stream):
        if left < len(block):
            return block[left : left + 1]
        left -= len(block)
    raise WrongCall(f"--example: expected a row from 1 to {int(text) - 1 - left}, got {text}")


def _named(word: str, learner: Learner, names: Sequence[Any] | None) -> tuple[Any, float]:
    """Return an attribute and its value: ``rain``, or ``rain:2.5`` where that is no name itself."""
    known: Any = learner.vocabulary if names is None else names
    word = word.strip()
    head, colon, value = word.rpartition(":")
    if not colon or (known is not None and word in known):
        return _kind(word, known), 1.0
    try:
        return _kind(head, known), float(value)
    except ValueError:
        return _kind(word, known), 1.0


def _kind(name: str, known: Any) -> Any:
    """Return a name as the model has it: some names are numbers."""
    if known is not None and name not in known and name.lstrip("-").isdecimal() and int(name) in known:
        return int(name)
    return name
