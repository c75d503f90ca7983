"""littlestone prune: a model without the weights that nothing depends on."""

from __future__ import annotations

import json
from typing import Any

import click

from littlestone.cli._settings import WrongCall, source_options, stream_of

__all__ = ["prune"]


@click.command(short_help="Write a model without the weights that nothing depends on.")
@click.argument("model", type=click.Path(dir_okay=False))
@click.option("-m", "--output", required=True, type=click.Path(dir_okay=False), help="The file of the pruned model.")
@click.option("--below", type=float, help="Drop weights below this, in absolute value, as explain shows them.")
@click.option("--seen", metavar="FILE", help="Drop weights without which all predictions of FILE stay what they are.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
@source_options
def prune(model: str, output: str, below: float | None, seen: str | None, *, as_json: bool, **told: Any) -> None:
    """Drop weights of MODEL, say how many and what is left of its guarantee, and write the result.

    A pruned attribute weighs 0 for good; attributes that nobody has seen begin with the initial weight, as before.

    \b
    littlestone prune model.npz -m small.npz --seen train.svm
    littlestone prune model.npz -m small.npz --below 0.5
    """  # noqa: D301 - \b is click's
    from pathlib import Path

    from littlestone.cli._model import model_of
    from littlestone.models.files import inspect_model, save
    from littlestone.models.pruning import prune as pruned

    if below is None and seen is None:
        raise WrongCall("prune: expected --below or --seen, got neither; say what is to go")
    learner, reading = model_of(model)
    stream = None if seen is None else stream_of(seen, told, defaults=reading)
    found = pruned(learner, below=below, stream=stream)
    save(found.learner, output, source=inspect_model(model)["provenance"]["source"])  # how files are read for it
    sizes = {"bytes_before": Path(model).stat().st_size, "bytes": Path(output).stat().st_size}
    if as_json:
        click.echo(json.dumps(found.as_dict() | sizes, allow_nan=False))
    else:
        click.echo(f"{found}\n{output}: {sizes['bytes']:,} bytes, {model}: {sizes['bytes_before']:,} bytes")
