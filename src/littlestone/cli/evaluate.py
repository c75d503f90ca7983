"""littlestone evaluate: what a model's predictions of a file are worth."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from littlestone.cli._remedies import typed
from littlestone.cli._settings import source_options, stream_of

if TYPE_CHECKING:
    from littlestone.games.evaluation import Evaluation

__all__ = ["evaluate"]

MOST = 12  # classes of which the confusion table is printed


@click.command(short_help="Compare a model's predictions with a file's labels.")
@click.argument("model", type=click.Path())
@click.argument("file", default="-")
@click.argument("settings", nargs=-1, metavar="[KEY=VALUE]...")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
@source_options
def evaluate(model: str, file: str, settings: tuple[str, ...], *, as_json: bool, **told: Any) -> None:
    """Predict FILE (- or nothing: stdin) with MODEL, learning nothing, and print how often that was right.

    It prints the confusion table, accuracy, precision, recall and F1 of each class, and the area under the ROC curve
    (AUC, exact with ties, from the activations; of several classes each against the rest). FILE is read as the one was
    that the model learned from, unless options say otherwise.

    \b
    littlestone evaluate mail.npz test.svm.gz
    littlestone evaluate people.npz test.csv --on-error skip --json
    """  # noqa: D301 - \b is click's
    from littlestone.cli._model import model_of, start
    from littlestone.games.evaluation import evaluate as evaluated

    start()
    learner, reading = model_of(model)
    stream = stream_of(file, told, settings, defaults=reading)
    found = evaluated(learner, stream)
    complaints = list(map(typed, stream.complaints))
    if as_json:
        report = {"model": model, "learner": repr(learner), "source": file, **found.as_dict(), "complaints": complaints}
        click.echo(json.dumps(report, allow_nan=False))
        return
    _print(found)
    for complaint in complaints:
        click.echo(f"skipped: {complaint}", err=True)


def _print(found: Evaluation) -> None:
    from littlestone.cli._table import console, plain_table

    printer = console()
    if len(found.labels) <= MOST:
        table = plain_table()
        for heading in ("", *found.labels):
            table.add_column(str(heading), justify="right")
        for label, counts in zip(found.labels, found.confusion.tolist(), strict=True):
            table.add_row(str(label), *(f"{count:,}" for count in counts))
        printer.print("Confusion table (a row a label, a column a prediction)", highlight=False)
        printer.print(table)
    table = plain_table()
    for heading in ("label", "examples", "predicted", "precision", "recall", "F1", "AUC"):
        table.add_column(heading, justify="right")
    told = found.as_dict()
    for one in told["classes"]:
        figures = (one["precision"], one["recall"], one["f1"], one["auc"])
        table.add_row(str(one["label"]), f"{one['examples']:,}", f"{one['predicted']:,}", *map(_figure, figures))
    for name in ("macro", "micro") if len(found.labels) > 2 else ():
        one = told[name]
        table.add_row(name, "", "", *map(_figure, (one["precision"], one["recall"], one["f1"])), "")
    printer.print(table)
    skipped = f", skipped = {found.skipped:,}" if found.skipped else ""
    printer.print(
        f"examples = {found.examples:,}, mistakes = {found.mistakes:,}, accuracy = {_figure(found.accuracy)}, "
        f"AUC = {_figure(found.auc)}{skipped}",
        highlight=False,
        soft_wrap=True,
    )


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"
