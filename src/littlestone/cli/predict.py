"""littlestone predict: a model's predictions of a file, line by line."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from littlestone.cli._completion import complete_source
from littlestone.cli._numbers import check_labels_asked
from littlestone.cli._output import print_skipped
from littlestone.cli._settings import WrongCall, source_options, stream_of
from littlestone.core.messages import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from littlestone.core.block import Block
    from littlestone.models.model import Model
    from littlestone.streams import Stream

__all__ = ["predict"]


@click.command(short_help="Predict a file with a model.")
@click.argument("model", type=click.Path())
@click.argument("file", default="-", shell_complete=complete_source)
@click.argument("settings", nargs=-1, metavar="[KEY=VALUE]...")
@click.option("--scores", is_flag=True, help="Also write the activation, w.x - theta.")
@click.option("--probabilities", is_flag=True, help="Also write the probability of each label.")
@click.option("-o", "--output", default="-", metavar="OUT", help="File to write; .gz, .bz2, .xz and .zst compress it.")
@click.option("-t", "--trials", type=click.IntRange(1), help="Predict only the first so many examples.")
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object for each example.")
@source_options
def predict(model: str, file: str, settings: tuple[str, ...], **options: Any) -> None:
    """Write the label, or the number, that MODEL predicts for each example of FILE, one on each line.

    Without FILE, or with -, the examples are read from stdin. FILE is read with the same options as the training data
    (its columns, its format where the name does not show it, whether indices begin at 0), unless you give others.
    Labels in FILE are ignored and may be missing.

    A line has the label, then what --scores and --probabilities add, then the tag or id of the example if it has one,
    separated by tabs. An attribute that the model has never seen counts as its learner defines it; one beyond a fixed
    number of attributes is ignored. OUT appears under its name only when it is complete.

    \b
    littlestone predict mail.npz new.svm > labels
    zcat new.csv.gz | littlestone predict people.npz --scores --json -o predictions.jsonl.gz
    echo "claim your cash bonus" | littlestone predict mail.npz - --format tsv --columns message
    """  # noqa: D301 - \b is click's
    from littlestone.cli._model import model_of, start
    from littlestone.core.errors import InvalidData

    start()
    found, reading = model_of(model)
    if found.outcomes is not None:
        check_labels_asked(found, options)
    if options["probabilities"] and not found.has_probabilities:
        raise WrongCall(
            f"--probabilities: {model} was trained without them; train it anew, or use --scores for its activations"
        )
    several = options["probabilities"] or (options["scores"] and found.learner.many_classes)
    if several and not options["as_json"]:
        click.echo(f"the numbers belong to {' '.join(map(str, found.labels))}, in this order", err=True)
    text = _text_column(found)
    if text is not None and " " in file.strip() and not Path(file).exists():
        raise click.ClickException(f"{shown(file)}: expected a file, got a text; {_way(model, text)}")
    stream = stream_of(file, options, settings, defaults=reading, predicting=True)
    try:
        _write(found, stream, options)
    except InvalidData as error:
        if text is not None and "expected a column" in str(error):
            raise click.ClickException(f"{str(error).partition(';')[0]}; {_way(model, text)}") from error
        raise
    print_skipped(stream)
    if stream.skipped:
        click.echo(f"skipped = {stream.skipped:,} bad lines", err=True)


def _text_column(model: Model) -> str | None:
    """Return the only column of a model, if it is of text."""
    from littlestone.models.recipe import attribute_columns

    columns = attribute_columns(model.reading)
    return columns[0] if len(columns) == 1 and columns == list(model.reading.get("text", ())) else None


def _way(model: str, column: str) -> str:
    """Say how raw texts are predicted."""
    lines = f"for texts, one a line, say --format tsv --columns {shlex.quote(column)}"
    return f"{lines}; for a single one: littlestone explain {shlex.quote(model)} --example TEXT"


def _write(found: Model, stream: Stream, options: dict[str, Any]) -> None:
    """Write the predictions of a stream."""
    from littlestone.streams.writers import atomic

    left = options["trials"]
    with atomic(options["output"], stream) as out:
        for block in stream.blocks():
            part = block if left is None else block[:left]
            out.write(_text(found, part, options))
            if options["output"] == "-":
                out.flush()
            left = None if left is None else left - len(part)
            if left == 0:
                break


def _text(model: Model, block: Block, options: dict[str, Any]) -> bytes:
    """Return the lines of some rows."""
    labels = model.predict_block(block)
    if not (options["as_json"] or options["scores"] or options["probabilities"] or block.tags is not None):
        return _label_lines(labels)
    columns: dict[str, list[Any]] = {"label" if model.outcomes is None else "prediction": labels.tolist()}
    if options["scores"]:
        columns["score"] = model.learner.activation(model.rows(block)).tolist()
    if options["probabilities"]:
        columns["probability"] = model.probabilities_block(block).tolist()
    if block.tags is not None:
        columns["tag"] = list(block.tags)
    return "".join(_objects(model, columns) if options["as_json"] else _lines(columns)).encode()


def _label_lines(labels: NDArray[Any]) -> bytes:
    """Return a line for each label; where there are no more than two of them, nothing is made for each row."""
    import numpy as np

    if not len(labels):
        return b""
    first = labels == labels[0]
    others = labels[~first]
    one, other = (f"{part[0]}\n".encode() for part in (labels[:1].tolist(), others[:1].tolist() or [""]))
    if bool((others == others[:1]).all()) and b"\0" not in one:
        codes: bytes = first.astype(np.uint8).tobytes()
        return codes.replace(b"\1", one).replace(b"\0", other)
    listed = labels.tolist()
    words = {label: f"{label}\n" for label in set(listed)}
    return "".join(map(words.__getitem__, listed)).encode()


def _lines(columns: dict[str, list[Any]]) -> Iterator[str]:
    for cells in zip(*columns.values(), strict=True):
        texts = ("\t".join(map(repr, cell)) if isinstance(cell, list) else str(cell) for cell in cells if cell != "")
        yield "\t".join(texts) + "\n"


def _objects(model: Model, columns: dict[str, list[Any]]) -> Iterator[str]:
    labels = [str(label) for label in model.labels]
    for cells in zip(*columns.values(), strict=True):
        found = {
            name: dict(zip(labels, cell, strict=True)) if isinstance(cell, list) else cell
            for name, cell in zip(columns, cells, strict=True)
            if cell != ""
        }
        yield json.dumps(found, ensure_ascii=False) + "\n"
