"""littlestone predict: a model's predictions of a file, line by line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from littlestone.cli._remedies import typed
from littlestone.cli._settings import WrongCall, source_options, stream_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from littlestone.core.block import Block
    from littlestone.learners import Learner

__all__ = ["predict"]


@click.command(short_help="Predict a file with a model.")
@click.argument("model", type=click.Path())
@click.argument("file", default="-")
@click.argument("settings", nargs=-1, metavar="[KEY=VALUE]...")
@click.option("--scores", is_flag=True, help="Print the activation (w.x - theta), too.")
@click.option("--probabilities", is_flag=True, help="Print the probability of the positive label (of each), too.")
@click.option("-o", "--output", default="-", metavar="OUT", help="Where to write; .gz and so on compress.")
@click.option("-t", "--trials", type=click.IntRange(1), help="Only so many examples.")
@click.option("--json", "as_json", is_flag=True, help="Write a JSON object a line.")
@source_options
def predict(model: str, file: str, settings: tuple[str, ...], **told: Any) -> None:
    """Write the label that MODEL predicts for each example of FILE (- or nothing: stdin), a line each.

    A line is the label, with --scores and --probabilities these behind it, and the example's tag or id if it has one,
    with tabs between them. Labels in FILE are not looked at and need not be there. FILE is read as the one was that the
    model learned from (columns, format where the name does not tell it, where indices begin), unless options say
    otherwise. Attributes that the model has never seen count as its learner has it, those beyond its fixed number
    nothing. A file OUT appears when it is whole.

    \b
    littlestone predict mail.npz new.svm > labels
    zcat new.csv.gz | littlestone predict people.npz --scores --json -o predictions.jsonl.gz
    """  # noqa: D301 - \b is click's
    from littlestone.cli._model import model_of, start
    from littlestone.streams.writers import atomic

    start()
    learner, reading = model_of(model)
    if told["probabilities"] and not hasattr(learner, "predict_proba"):
        raise WrongCall(f"--probabilities: {type(learner).__name__} has none; --scores prints its activations")
    if (told["scores"] or told["probabilities"]) and not told["as_json"] and hasattr(learner, "classes"):
        click.echo(f"numbers are of the classes {' '.join(map(str, learner.classes))}", err=True)
    stream = stream_of(file, told, settings, defaults=reading, predicting=True)
    left = told["trials"]
    with atomic(told["output"], stream) as out:
        for block in stream.blocks():
            part = block if left is None else block[:left]
            lines = _objects(learner, part, told) if told["as_json"] else _lines(learner, part, told)
            out.write("".join(lines).encode())
            if told["output"] == "-":
                out.flush()
            left = None if left is None else left - len(part)
            if left == 0:
                break
    for complaint in map(typed, stream.complaints):
        click.echo(f"skipped: {complaint}", err=True)
    if stream.skipped:
        click.echo(f"skipped = {stream.skipped:,} bad lines", err=True)


def _columns(learner: Learner, block: Block, told: dict[str, Any]) -> dict[str, list[Any]]:
    """Return what is asked for of each row, by name."""
    from littlestone.games.evaluation import known_to

    rows = known_to(learner, block)
    columns = {"label": learner.predict(rows).tolist()}
    if told["scores"]:
        columns["score"] = learner.activation(rows).tolist()
    if told["probabilities"]:
        columns["probability"] = learner.predict_proba(rows).tolist()  # type: ignore[attr-defined]
    if block.tags is not None:
        columns["tag"] = list(block.tags)
    return columns


def _lines(learner: Learner, block: Block, told: dict[str, Any]) -> Iterator[str]:
    columns = _columns(learner, block, told)
    if list(columns) == ["label"]:
        words = {label: f"{label}\n" for label in set(columns["label"])}
        yield from map(words.__getitem__, columns["label"])
        return
    for cells in zip(*columns.values(), strict=True):
        yield (
            "\t".join(
                "\t".join(map(repr, cell)) if isinstance(cell, list) else str(cell) for cell in cells if cell != ""
            )
            + "\n"
        )


def _objects(learner: Learner, block: Block, told: dict[str, Any]) -> Iterator[str]:
    columns = _columns(learner, block, told)
    labels = [str(label) for label in learner.labels or ()]
    for cells in zip(*columns.values(), strict=True):
        found = {
            name: dict(zip(labels, cell, strict=True)) if isinstance(cell, list) else cell
            for name, cell in zip(columns, cells, strict=True)
            if cell != ""
        }
        yield json.dumps(found, ensure_ascii=False) + "\n"
