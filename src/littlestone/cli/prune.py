"""littlestone prune: a model without the weights that no prediction depends on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from littlestone.cli._output import json_option, print_json
from littlestone.cli._settings import WrongCall, source_options, stream_of

__all__ = ["prune"]


@click.command(short_help="Remove the weights of a model that its predictions do not need.")
@click.argument("model", type=click.Path(dir_okay=False))
@click.option("-m", "--output", required=True, type=click.Path(dir_okay=False), help="Where to save the pruned model.")
@click.option("--below", type=float, help="Drop weights below this in absolute value, as explain prints them.")
@click.option("--seen", metavar="FILE", help="Drop weights as long as no prediction for the examples of FILE changes.")
@json_option
@source_options
def prune(model: str, output: str, below: float | None, seen: str | None, *, as_json: bool, **options: Any) -> None:
    """Drop weights of MODEL, save the rest, and print how many went and what remains of the guarantee.

    The weight of a pruned attribute stays 0. An attribute that the model has never seen still begins with the initial
    weight.

    \b
    littlestone prune model.npz -m small.npz --seen train.svm
    littlestone prune model.npz -m small.npz --below 0.5
    """  # noqa: D301 - \b is click's
    from littlestone.cli._model import model_of
    from littlestone.models.pruning import prune as pruned
    from littlestone.models.saving import save

    if below is None and seen is None:
        raise WrongCall("prune: expected --below or --seen, got neither; say which weights to drop")
    whole, reading = model_of(model)
    stream = None if seen is None else stream_of(seen, options, defaults=reading)
    found = pruned(whole, below=below, stream=stream)
    assert found.model is not None
    save(found.model, output)
    sizes = {"bytes_before": Path(model).stat().st_size, "bytes": Path(output).stat().st_size}
    if as_json:
        print_json(found.as_dict() | sizes)
    else:
        click.echo(f"{found}\n{output}: {sizes['bytes']:,} bytes, {model}: {sizes['bytes_before']:,} bytes")
