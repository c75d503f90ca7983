"""littlestone train: a learner led through a file, and saved."""

from __future__ import annotations

import json
import os
import stat
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from littlestone.cli._completion import complete_learner, complete_source
from littlestone.cli._numbers import check_labels_asked
from littlestone.cli._remedies import typed
from littlestone.cli._settings import WrongCall, given, source_options, stream_of
from littlestone.cli._training import (
    AUTO,
    USUAL,
    Watch,
    all_of,
    asked_decision,
    begun_model,
    bounds_of,
    check_decidable,
    check_files,
    decide,
    named,
    predictions_to,
    print_schema,
    print_unscaled,
    split,
    task_asked,
    warnings_told,
)
from littlestone.core.errors import InvalidData, InvalidLabel
from littlestone.core.files import special

if TYPE_CHECKING:
    from littlestone.cli._model import Interrupts
    from littlestone.models.model import Model
    from littlestone.models.record import Record
    from littlestone.models.training import Training
    from littlestone.streams import Stream

__all__ = ["train"]

SPLIT = 0.2  # held back for --precision, where nobody says how much


@click.command(short_help="Train a learner on a file, and save it.")
@click.argument("file", shell_complete=complete_source)
@click.argument("settings", nargs=-1, metavar="[KEY=VALUE]...")
@click.option(
    "-l",
    "--learner",
    metavar="NAME",
    shell_complete=complete_learner,
    help=f"The learner, such as winnow or winnow:alpha=1.5.  [default: {USUAL}; for numbers a regressor]",
)
@click.option("--grow", is_flag=True, help="Also learn conjunctions of attributes: the same as -l growing-winnow.")
@click.option("-s", "--set", "parameters", multiple=True, metavar="KEY=VALUE", help="A parameter of the learner.")
@click.option("--max-attributes", type=click.IntRange(1), metavar="N", help="Keep weights for at most N attributes.")
@click.option(
    "--eligible",
    type=click.IntRange(2),
    metavar="K",
    help="Give an attribute a weight when it is on for the K-th time.",
)
@click.option("-m", "--model", type=click.Path(dir_okay=False), help="Where to save the model, such as model.npz.")
@click.option("-i", "--initial", type=click.Path(dir_okay=False), help="A saved model to continue from.")
@click.option("--passes", type=click.IntRange(1), default=1, help="How often to read the file.  [default: 1]")
@click.option(
    "--holdout", type=click.IntRange(2), metavar="PERIOD", help="Hold out every PERIOD-th example for testing."
)
@click.option("--validate", metavar="FILE", help="Predict this file at the end, and print the error.")
@click.option(
    "--split",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    metavar="SHARE",
    help="Hold back the last SHARE of the file, such as 0.2, and evaluate on it.",
)
@click.option("--no-scale", is_flag=True, help="Leave real numbers of a table as they are.")
@click.option("--no-scale-outcome", is_flag=True, help="Leave the numbers that are to be predicted as they are.")
@click.option("--threshold", type=float, metavar="P", help="Predict the positive label from this probability on.")
@click.option(
    "--cost",
    multiple=True,
    metavar="KIND=NUMBER",
    help="What a false-positive or a false-negative costs, such as false-positive=10: sets the threshold.",
)
@click.option(
    "--precision",
    type=float,
    metavar="SHARE",
    help="Choose the threshold for this precision, on examples that are held back.",
)
@click.option("-p", "--predictions", metavar="FILE", help="Write the label predicted for each example before learning.")
@click.option("--changes", is_flag=True, help="Say where mistakes become more frequent.")
@click.option("--schema", is_flag=True, help="Print how the columns of a table are read, as JSON, and stop.")
@click.option("-t", "--trials", type=click.IntRange(1), help="Use only the first so many examples.")
@click.option("--checkpoint", is_flag=True, help="Save along the way; continue from there if called again.")
@click.option(
    "--every", type=click.IntRange(1), default=100_000, help="Examples between two checkpoints.  [default: 100000]"
)
@click.option(
    "-k",
    "--relevant",
    type=click.IntRange(0),
    metavar="K",
    help="Print the bound on mistakes if a disjunction of K attributes gives the labels.",
)
@click.option(
    "-P",
    "--progress",
    "due",
    default="2.0",
    metavar="N",
    help="Print a line every 100 examples (100), or each time their number has doubled (2.0).",
)
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
@source_options
@click.pass_context
def train(ctx: click.Context, /, file: str, settings: tuple[str, ...], *, as_json: bool, **options: Any) -> None:
    """Train a learner on FILE: it predicts each example, then learns its label. Save the model with -m.

    FILE is svmlight/libsvm, Vowpal Wabbit's text, CSV or TSV with a header, Parquet, JSON lines or SNoW's format, plain
    or compressed (.gz, .bz2, .xz, .zst); - for stdin; or a built-in stream (disjunction, tic-tac-toe, ...) with its
    parameters as KEY=VALUE. The options with which it was read are saved in the model, and predict and evaluate use
    them for their files.

    \b
    littlestone train mail.svm.gz -l winnow --set alpha=1.5 -m mail.npz
    littlestone train people.csv --label income --ignore id -l perceptron --holdout 10 -m people.npz
    zcat huge.vw.gz | littlestone train - --format vw -l winnow --attributes 1000000 -m huge.npz
    littlestone train huge.svm -m huge.npz --passes 3 --checkpoint
    littlestone train houses.csv --task regression --label price -m houses.npz --split 0.2

    The table on stderr is Vowpal Wabbit's, with more columns: mistakes, updates and, with -k K, the bound on mistakes
    if a disjunction of K attributes gives the labels (a dash, once there are more mistakes, since then none does). The
    average loss is the share of mistakes; it is progressive: each example is predicted before it is learned. Lines
    that end in h are about the examples held out, which are never learned.

    Where labels are numbers to be predicted (--task regression, a regressor as -l, or where they look so, which is
    said), a regressor learns them, in standard deviations from their mean unless --no-scale-outcome says otherwise. The
    table then has the RMSE and the MAE of the predictions, each made before its example was learned.

    --changes says where the mistakes became more frequent than before, as when the target has changed: falsely with a
    probability of at most 1% in a whole training (docs/theory.md).

    With --checkpoint the model is saved from time to time, and the same call continues where it stopped: the model is
    the same as without interruption, even after kill -9. If the training is finished, nothing is done, unless another
    threshold, cost or precision is asked for, or none any more: then that is decided anew. A model from another
    training is refused, and so is one whose FILE has changed since: its size, its first and last 64 KiB, and a
    CRC-32 of all that was read (which only --checkpoint computes) are compared.

    Ctrl-C (or SIGTERM) finishes the current block, saves the model and exits with code 130 (143); a second one stops at
    once. If stdin is a pipe, the complete lines that have arrived are learned first.

    If you come from vw: -d FILE is FILE, -f is -m; -i, -P, --quiet and --passes are the same; --holdout_period is
    --holdout; -t -p OUT is predict -o OUT.
    """  # noqa: D301 - \b is click's
    from littlestone.cli._model import interrupts, start
    from littlestone.cli._summary import report_of, summary
    from littlestone.engine.compiling import clock

    start()
    quiet = options["quiet"] = options["quiet"] or as_json
    with interrupts() as signals:  # to know its columns, the first rows of a table are waited for
        try:
            training, record, parts = _begun(file, settings, options)
        except (InvalidData, InvalidLabel):
            if signals.came is None or not _is_pipe(file):
                raise
            if not quiet:  # what has come was too little to tell how it is read
                click.echo("interrupted before the first example: nothing was learned, and nothing saved", err=True)
            ctx.exit(signals.code)
        started = clock()
        begun = training.model.decision  # without an option that decides
        resumed = options["checkpoint"] and record.resume(training, options["model"])
        finished = resumed and training.finished
        if not quiet and not finished:
            print_schema(training.stream)
            print_unscaled(training, asked=not options["no_scale"])
        with warnings_told(), predictions_to(options["predictions"], training) as written:
            watch = Watch(training) if options["changes"] else None
            training.on_turn = all_of(written, watch)
            options["watch"] = watch
            _trained(training, record, options, signals, quiet=quiet, resumed=resumed, file=file)
    seconds = clock() - started
    if training.examples == 0 and signals.came is None:
        raise click.ClickException(f"{file}: expected at least one example, got none; nothing was saved")
    if training.examples == 0:
        options["model"] = None  # what may be there is better than nothing
    before, undecided = training.model.decision, None
    if signals.came is None:
        training.model.decision = begun
        undecided = decide(training, parts.get("split"), options)
    if undecided is not None and finished:
        training.model.decision = before
    saved = finished and training.model.decision == before
    if options["model"] is not None and not saved:
        record.save(training, options["model"])
    found = {}
    for name, part in parts.items() if signals.came is None else ():
        found[name] = training.model.evaluate(_validation(training, options) if part is None else part)
    if as_json or not quiet:
        ends = {"interrupted": signals.came is not None, "resumed": resumed}
        ends |= {} if watch is None else {"changes": watch.found}
        report = report_of(training, options["model"], seconds, found, options["relevant"]) | ends
        lines = [json.dumps(report, allow_nan=False)] if as_json else summary(report, again=training.stream.again)
        if saved and not as_json:
            lines = [
                f"{options['model']}: nothing was done: this training is finished ({training.examples:,} examples)"
            ]
        for line in lines:
            click.echo(line, err=not as_json)
    if undecided is not None:
        how = "left as it was" if finished else "saved without a threshold"
        kept = "" if options["model"] is None else f"; {options['model']} is {how}"
        raise click.ClickException(f"{undecided}{kept}")
    if signals.came is not None:
        ctx.exit(signals.code)


def _begun(
    file: str, settings: tuple[str, ...], options: dict[str, Any]
) -> tuple[Training, Record, dict[str, Stream | None]]:
    """Return the training before its first example, its record, and what to evaluate on; refuse wrong calls."""
    from littlestone.models.record import Record, asked_of
    from littlestone.models.training import Training

    _check(options)
    check_files(file, options)
    model, digest, reading = _initial(options)
    learner = named(options) if model is None else model.learner
    task = task_asked(learner, options)
    stream = stream_of(file, options, settings, defaults=reading, task=task)
    if options["schema"]:
        raise SystemExit(print_schema(stream, as_json=True))
    if model is None:
        model = begun_model(learner, stream, options, said=task != AUTO)
    if model.outcomes is not None:
        check_labels_asked(model, options)
    stream.met = model.labels
    if options["attributes"] is not None and model.trials == 0 and model.learner.needs_n:
        model.learner.begin(options["attributes"])
    check_decidable(model, stream, options)
    trials = options["trials"]
    parts: dict[str, Stream | None] = {}
    if options["split"] is not None:
        trials, parts["split"] = split(stream, options["split"], trials)
    training = Training(model, stream, passes=options["passes"], holdout=options["holdout"], trials=trials)
    asked = asked_of(options["format"], given(options)) | ({"scale": False} if options["no_scale"] else {})
    asked |= {"scale_outcome": False} if options["no_scale_outcome"] else {}
    record = Record.of(training, initial=digest, asked=asked, summing=options["checkpoint"])
    if options["validate"] is not None:
        if options["validate"] != "-":
            stream_of(options["validate"], options)  # if it is not there, say so before the training
        parts["validation"] = None  # opened when it is known how the file was read
    return training, record, parts


def _is_pipe(file: str) -> bool:
    """Tell whether FILE is one that may never bring more: then what is wrong may be that it was not read to its end."""
    try:
        status = os.fstat(sys.stdin.fileno()) if file == "-" else Path(file).stat()
    except OSError:
        return False
    return not stat.S_ISREG(status.st_mode)


def _check(options: dict[str, Any]) -> None:
    """Refuse options that do not go together, and a model that could not be saved."""
    if options["checkpoint"] and options["model"] is None:
        raise WrongCall("--checkpoint: expected a model to save to (-m), got none")
    if options["model"] is not None and not Path(options["model"]).absolute().parent.is_dir():
        raise click.ClickException(f"{options['model']}: it cannot be saved: there is no such folder")
    if options["model"] is not None and (what := special(options["model"])) is not None:
        raise click.ClickException(f"{options['model']}: it cannot be saved: expected the name of a file, got {what}")
    asked_decision(options)
    if options["precision"] is not None and options["split"] is None:
        options["split"] = SPLIT
        if not options["quiet"]:
            held = f"the last {SPLIT:.0%} of the examples are held back to choose the threshold"
            click.echo(f"--precision: {held}", err=True)


def _validation(training: Training, options: dict[str, Any]) -> Stream:
    from littlestone.cli._model import is_binary

    defaults = training.stream.read_as()
    if training.model.outcomes is not None:
        defaults["task"] = training.model.task
    if is_binary(training.learner):
        defaults["labels"] = training.learner.labels
    if training.model.scaling is not None:
        defaults["zeros"] = True
    found = stream_of(options["validate"], options, defaults=defaults)
    found.met = training.model.labels
    return found


def _initial(options: dict[str, Any]) -> tuple[Model | None, str | None, dict[str, Any]]:
    """Return the model to go on from, if one is given, its digest, and how its file was read."""
    if options["initial"] is None:
        return None, None, {}
    if options["learner"] is not None or options["parameters"] or options["grow"] or bounds_of(options):
        raise WrongCall(
            "-i: the model says which learner it is, with which parameters; leave -l and --set out, and bounds too"
        )
    from littlestone.cli._model import model_of
    from littlestone.models.files import inspect_model

    model, reading = model_of(options["initial"])
    return model, inspect_model(options["initial"])["sha256"], reading


def _trained(
    training: Training,
    record: Any,
    options: dict[str, Any],
    signals: Interrupts,
    *,
    quiet: bool,
    resumed: bool,
    file: str,
) -> None:
    """Train, printing progress and saving checkpoints."""
    from littlestone.cli._progress import Bar, Table
    from littlestone.models.training import Schedule

    due = Schedule.of(options["due"])
    with nullcontext() if quiet else Bar(training, quiet=quiet) as bar:
        if bar is not None and not training.finished:
            if resumed:
                seen = f"{training.examples:,} examples{_compared(training, record)}"
                bar.write(f"{options['model']}: continuing after {seen}")
            table = Table(training, bar.write, options["relevant"])
        saved = training.learner.trials
        try:
            for line in training.steps(None if quiet else due):
                if bar is not None:
                    bar.move()
                    if line:
                        table.line()
                    for words in () if options["watch"] is None else options["watch"].lines():
                        bar.write(words)
                if signals.came is not None and training.settled and (training.stream.again or training.whole):
                    break
                if options["checkpoint"] and training.settled and training.learner.trials - saved >= options["every"]:
                    record.save(training, options["model"])
                    saved = training.learner.trials
        except (InvalidData, InvalidLabel) as error:
            if signals.came is None or training.stream.again:
                known = str(error).startswith((file, "stdin"))
                raise error if known else click.ClickException(f"{file}: {typed(error)}") from error
            # else what is wrong may be that it was not read to its end
        if signals.came is not None and not training.stream.again:
            training.cut()


def _compared(training: Training, record: Any) -> str:
    """Return a warning, if it is not certain that the part of the file that was read is unchanged."""
    if record.read is not None or training.stream.source is None:
        return ""
    return "; it was trained without --checkpoint, so that of the file only the size and both ends were compared"
