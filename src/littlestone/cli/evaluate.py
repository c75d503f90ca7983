"""littlestone evaluate: what a model's predictions of a file are worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from littlestone.cli._completion import complete_source
from littlestone.cli._numbers import check_labels_asked, print_evaluation
from littlestone.cli._output import call, json_option, print_json, print_skipped, print_table
from littlestone.cli._page import check_page, write_page
from littlestone.cli._remedies import typed
from littlestone.cli._settings import source_options, stream_of
from littlestone.core.messages import did_you_mean

if TYPE_CHECKING:
    from littlestone.games.evaluation import Evaluation
    from littlestone.streams import Stream

__all__ = ["evaluate"]

MOST = 12  # classes of which the confusion table is printed
OF_CLASSES = "precision recall f1 auc average_precision"


@click.command(short_help="Compare a model's predictions with a file's labels.")
@click.argument("model", type=click.Path())
@click.argument("file", default="-", shell_complete=complete_source)
@click.argument("settings", nargs=-1, metavar="[KEY=VALUE]...")
@click.option(
    "--page", type=click.Path(dir_okay=False), metavar="OUT.html", help="Write a page with figures and curves."
)
@json_option
@source_options
@click.pass_context
def evaluate(
    ctx: click.Context, /, model: str, file: str, settings: tuple[str, ...], *, page: str | None, as_json: bool,
    **options: Any,
) -> None:  # fmt: skip
    """Predict the labels of FILE with MODEL, which learns nothing here, and print how often it was right.

    Without FILE, or with -, the examples are read from stdin. FILE is read with the same options as the training data,
    unless you give others.

    Printed are the confusion table, the accuracy, the precision, recall and F1 of each class, and the area under the
    ROC curve (AUC; ties between activations count one half; with more than two classes, each against the rest), and
    the average precision. A model with probabilities also gets their log loss (0 is best; a probability below 1e-15
    counts as that), Brier score and calibration error (over 15 bins). --page draws precision against recall,
    reliability and confusion.

    Of a model that predicts numbers the errors are printed, prediction less outcome: their mean size (MAE), the root of
    their mean square (RMSE), the share of the variance that is explained (R2; 1 is best), their mean (bias), and their
    quantiles.

    \b
    littlestone evaluate mail.npz test.svm.gz --page mail.html
    littlestone evaluate people.npz test.csv --on-error skip --json
    littlestone evaluate houses.npz test.csv
    """  # noqa: D301 - \b is click's
    from littlestone.cli._model import model_of, start

    if page is not None:
        check_page(page)
    start()
    read, reading = model_of(model)
    if read.outcomes is not None:
        check_labels_asked(read, {"page": page})
    stream = stream_of(file, options, settings, defaults=reading, task=read.task)
    stream.met = read.labels
    found = read.evaluate(stream)
    if read.outcomes is not None:
        _tell_numbers(found, {"model": model, "learner": repr(read.learner), "source": file}, stream, as_json=as_json)
        return
    for label, count in read.unmet(found).items():
        close = did_you_mean(str(label), map(str, read.labels))
        click.echo(
            f"{count:,} examples have a label that the model has not met, {label!r}; {close}".rstrip("; "), err=True
        )
    if page is not None:
        from littlestone.report import evaluation_page

        told = {"model": model, "learner": repr(read.learner), "source": file, "command": call(ctx)}
        write_page(page, evaluation_page(found, **told))
    if as_json:
        report = {"model": model, "learner": repr(read.learner), "source": file, **found.as_dict()}
        print_json(report | {"complaints": list(map(typed, stream.complaints))})
        return
    _print(found)
    print_skipped(stream)


def _tell_numbers(found: Any, about: dict[str, Any], stream: Stream, *, as_json: bool) -> None:
    """Print what predictions of numbers were worth."""
    if as_json:
        print_json({**about, **found.as_dict(), "complaints": list(map(typed, stream.complaints))})
        return
    print_evaluation(found)
    print_skipped(stream)


def _print(found: Evaluation) -> None:
    right = {"justify": "right"}
    if len(found.labels) <= MOST:
        confusion = zip(found.labels, found.confusion.tolist(), strict=True)
        click.echo("Confusion table (a row for each label, a column for each prediction)")
        print_table(
            [(str(heading), right) for heading in ("", *found.labels)],
            ((str(label), *(f"{count:,}" for count in counts)) for label, counts in confusion),
        )
    report = found.as_dict()
    rows = [
        (str(one["label"]), f"{one['examples']:,}", f"{one['predicted']:,}", *_figures(one, OF_CLASSES))
        for one in report["classes"]
    ]
    if len(found.labels) > 2:
        rows += [(name, "", "", *_figures(report[name], "precision recall f1"), "", "") for name in ("macro", "micro")]
    headings = ("label", "examples", "predicted", "precision", "recall", "F1", "AUC", "average precision")
    print_table([(heading, right) for heading in headings], rows)
    accuracy, auc = _figures({"accuracy": found.accuracy, "auc": found.auc}, "accuracy auc")
    skipped = f", skipped = {found.skipped:,}" if found.skipped else ""
    click.echo(
        f"examples = {found.examples:,}, mistakes = {found.mistakes:,}, accuracy = {accuracy}, AUC = {auc}{skipped}"
    )
    if found.log_loss is not None:
        log_loss, brier, error = _figures(report, "log_loss brier calibration_error")
        click.echo(f"log loss = {log_loss}, Brier score = {brier}, calibration error = {error}")


def _figures(report: dict[str, Any], names: str) -> list[str]:
    return ["-" if report[name] is None else f"{report[name]:.4f}" for name in names.split()]
