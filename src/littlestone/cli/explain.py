"""littlestone explain: what a model has learned, in the names of its attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from littlestone.cli._example import attributes_of, of_attributes, of_raw, of_row
from littlestone.cli._output import call, json_option, print_json
from littlestone.cli._page import write_page
from littlestone.cli._settings import source_options, stream_of

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["explain"]


@click.command(short_help="Explain a model, or one prediction.")
@click.argument("model", type=click.Path(dir_okay=False))
@click.option("--top", type=click.IntRange(min=1), default=20, show_default=True, help="How many to list of each kind.")
@click.option("--max-size", type=click.IntRange(min=1), default=3, show_default=True,
              help="List sets of up to so many attributes.")  # fmt: skip
@click.option("--data", metavar="FILE", help="The training data: count how often each attribute was updated.")
@click.option(
    "--example",
    metavar="ROW|TEXT|CELLS|NAMES",
    help="Explain one prediction: the number of a row of --data, from 1; a raw text; cells of columns, as JSON or as "
    "age=30,city=Rome; or attributes, as the file has them or separated by commas.",
)
@click.option("--html", metavar="FILE", help="Also write the explanation as a page, with the words marked.")
@click.option("--names-from", metavar="FILE", help="A file with the names of the attributes, one on each line.")
@json_option
@source_options
@click.pass_context
def explain(
    ctx: click.Context, /, model: str, data: str | None, example: str | None, names_from: str | None,
    html: str | None, *, as_json: bool, **options: Any,
) -> None:  # fmt: skip
    """Print what MODEL has learned: the attributes, pairs and triples of them that suffice for a positive prediction,
    and the largest weights for and against it. For a learner over conjunctions, its heaviest conjunctions are printed.

    With --data a new learner with the same parameters learns the training data again, to count how often each attribute
    was on, promoted and demoted; whether that ends in the same model is printed, too.

    With --example a single prediction is explained instead, of a row that the model reads as it reads files: what each
    attribute brings, and the fewest without which the prediction would be another.

    \b
    littlestone explain model.npz --names-from badges.features.txt.gz
    littlestone explain model.npz --data train.svm --example 17
    littlestone explain mail.npz --example "WINNER!! Call now" --html mail.html
    littlestone explain people.npz --example '{"age": 31, "job": "clerk"}'
    littlestone explain people.npz --example age=31,job=clerk
    littlestone explain model.npz --example "rain,wind:2.5"
    littlestone explain mail.npz --example "3:1 17:0.5"
    """  # noqa: D205, D301 - \b is click's
    from littlestone.cli._model import first_number, model_of, start
    from littlestone.models.explanation import explain_example, read_names
    from littlestone.models.recipe import is_table

    start()
    found_in, reading = model_of(model)
    learner = found_in.learner
    names: Sequence[Any] | None = None if names_from is None else read_names(names_from, learner)
    numbered = names is None and learner.vocabulary is None
    first, whose = first_number(reading, options.get("zero_based"))
    if numbered:
        names = range(first, first + max(learner.width, learner.n or 0))
    stream = None if data is None else stream_of(data, options, defaults=reading, predicting=example is not None)
    found: Any
    if example is None:
        found = found_in.explain(top=options["top"], max_size=options["max_size"], names=names, stream=stream)
    elif stream is not None:
        found = of_row(found_in, example, stream, options["top"], names)
    elif learner.vocabulary is not None or is_table(found_in.reading):
        found = of_raw(found_in, example, options["top"])
    elif found_in.outcomes is not None:
        row = attributes_of(found_in, example, names, first if numbered else None)
        found = of_attributes(found_in, row, names, options["top"])
    else:
        row = attributes_of(found_in, example, names, first if numbered else None)
        found = explain_example(learner, row, names=names, top=options["top"])
    if html is not None:
        from littlestone.report.explanation_page import explanation_page

        write_page(html, explanation_page(found, model=model, command=call(ctx)))
    if as_json:
        print_json(found.as_dict())
        return
    click.echo(str(found))
    if numbered and names:
        click.echo(f"The attributes have no names; they are numbered from {first}, {whose}.")
