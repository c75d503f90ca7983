"""littlestone explain: what a model has learned, in the names of its attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from littlestone.cli._output import json_option, print_json
from littlestone.cli._settings import WrongCall, source_options, stream_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from littlestone.core.block import Block
    from littlestone.learners import Learner
    from littlestone.streams import Stream

__all__ = ["explain"]


@click.command(short_help="Print what a model has learned as a rule, or explain one prediction.")
@click.argument("model", type=click.Path(dir_okay=False))
@click.option("--top", type=click.IntRange(min=1), default=20, show_default=True, help="How many to list of each kind.")
@click.option("--max-size", type=click.IntRange(min=1), default=3, show_default=True,
              help="List sets of up to so many attributes.")  # fmt: skip
@click.option("--data", metavar="FILE", help="The training data: count how often each attribute was updated.")
@click.option("--example", metavar="ROW|NAMES", help="Explain one prediction: row number of --data, from 1, or names.")
@click.option("--names-from", metavar="FILE", help="A file with the names of the attributes, one on each line.")
@json_option
@source_options
def explain(
    model: str, data: str | None, example: str | None, names_from: str | None, *, as_json: bool, **options: Any
) -> None:
    """Print what MODEL has learned: the attributes, pairs and triples of them that suffice for a positive prediction,
    and the largest weights for and against it. For a learner over conjunctions, its heaviest conjunctions are printed.

    With --data a new learner with the same parameters learns the training data again, to count how often each attribute
    was on, promoted and demoted; whether that ends in the same model is printed, too. With --example a single
    prediction is explained instead.

    \b
    littlestone explain model.npz --names-from badges.features.txt.gz
    littlestone explain model.npz --data train.svm --example 17
    littlestone explain model.npz --example "rain,wind:2.5"
    """  # noqa: D205, D301 - \b is click's
    from littlestone.cli._model import first_number, model_of, start
    from littlestone.models import explanation

    start()

    found_model, reading = model_of(model)
    learner = found_model.learner
    names: Sequence[Any] | None = None if names_from is None else explanation.read_names(names_from, learner)
    numbered = names is None and learner.vocabulary is None
    first, whose = first_number(reading, options.get("zero_based"))
    if numbered:
        names = range(first, first + max(learner.width, learner.n or 0))
    stream = None if data is None else stream_of(data, options, defaults=reading)
    found: Any
    top: int = options["top"]
    if example is not None:
        found = explanation.explain_example(learner, _example(example, stream, learner, names), names=names, top=top)
    else:
        found = explanation.explain(learner, top=top, max_size=options["max_size"], names=names, stream=stream)
    if as_json:
        print_json(found.as_dict())
        return
    click.echo(str(found))
    if numbered and names:
        click.echo(f"The attributes have no names; they are numbered from {first}, {whose}.")


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
