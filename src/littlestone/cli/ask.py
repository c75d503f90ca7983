"""littlestone ask: what a service knows, predicts and learns."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from typing import IO, TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from littlestone.service.client import Client

__all__ = ["ask"]

MANY = 1000  # lines that are sent at once


@click.command(short_help="Ask a service: predict, learn, explain.")
@click.argument("url")
@click.argument("model", required=False)
@click.argument("row", required=False)
@click.option("--label", help="Learn the row with this label, or the row that was asked under --id.")
@click.option("--id", "id_", metavar="ID", help="Under which the label of the row will come, or comes.")
@click.option("--explain", is_flag=True, help="Say why; without ROW, what the model has learned.")
@click.option("--at", type=click.IntRange(0), metavar="N", help="Predict with the model as of event N.")
@click.option(
    "--lines", type=click.File("rb"), metavar="FILE", help='Rows, a line {"row": ...} of JSON each; - for stdin.'
)
@click.option("--learn", is_flag=True, help='Learn --lines, which have a "label", too.')
@click.option("--key", envvar="LITTLESTONE_KEY", help="The key; better in the variable LITTLESTONE_KEY.")
def ask(url: str, model: str | None, row: str | None, **options: Any) -> None:
    """Ask the service at URL about MODEL, and print its answer as JSON. ROW is a text, or a row as JSON.

    What is to be learned is learned once, also if it has to be sent again. Without ROW it prints what is known of
    MODEL, without MODEL the list of models.

    \b
    littlestone ask http://localhost:8765 weather '{"sky": "grey"}'
    littlestone ask http://localhost:8765 weather '{"sky": "grey"}' --label rain
    littlestone ask http://localhost:8765 weather '{"sky": "blue"}' --id tuesday
    littlestone ask http://localhost:8765 weather --id tuesday --label sun
    littlestone ask http://localhost:8765 weather --learn --lines examples.jsonl
    """  # noqa: D301 - \b is click's
    from littlestone.service.client import Client

    _check(model, row, options)
    with Client(url, options["key"]) as client:
        if options["lines"] is not None:
            for line in _lines(client, str(model), options["lines"], learn=options["learn"]):
                click.echo(line)
        else:
            click.echo(json.dumps(_asked(client, model, row, options), ensure_ascii=False))


def _check(model: str | None, row: str | None, options: dict[str, Any]) -> None:
    """Refuse what does not go together."""
    given = [name for name in ("label", "id_", "explain", "at", "lines", "learn") if options[name] not in (None, False)]
    if model is None and given:
        raise click.UsageError("MODEL: expected the name of a model, got none")
    if options["learn"] and options["lines"] is None:
        raise click.UsageError("--learn: it belongs to --lines; a ROW is learned with --label")
    if options["lines"] is not None and (row is not None or set(given) - {"lines", "learn"}):
        raise click.UsageError("--lines: expected no ROW, and no option but --learn")
    if options["explain"] and set(given) - {"explain"}:
        raise click.UsageError("--explain: expected no other option beside it")
    if options["at"] is not None and (row is None or set(given) - {"at"}):
        raise click.UsageError("--at: expected a ROW to predict, and no other option")
    if row is None and (options["label"] is None) != (options["id_"] is None):
        raise click.UsageError("expected a ROW, or both --id and --label, got one of these")


def _asked(client: Client, model: str | None, row: str | None, options: dict[str, Any]) -> Any:
    label, name = options["label"], options["id_"]
    if model is None:
        return client.models()
    if options["explain"]:
        return client.explain(model, None if row is None else _row(row))
    if row is None:
        return client.describe(model) if label is None else client.label(model, _value(name), _value(label))
    if label is not None:
        return client.learn(model, _row(row), _value(label), id=None if name is None else _value(name))
    if name is not None:
        return client.ask(model, _row(row), _value(name))
    return client.predict(model, _row(row), at=options["at"])


def _lines(client: Client, model: str, file: IO[bytes], *, learn: bool) -> Iterator[str]:
    """Send lines, so many at once, and give those that come back."""
    filled = (line if line.endswith(b"\n") else line + b"\n" for line in file if not line.isspace())
    while some := [*islice(filled, MANY)]:
        yield client.lines(model, "learn" if learn else "predict", b"".join(some)).decode().rstrip("\n")


def _row(text: str) -> Any:
    """Return a row: what JSON says, or else a text."""
    found = _value(text)
    return found if isinstance(found, dict | list | str) else text


def _value(text: str) -> Any:
    """Return what JSON says; a text is itself."""
    try:
        found = json.loads(text)
    except ValueError:
        return text
    return text if found is None else found
