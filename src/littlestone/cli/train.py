"""littlestone train: a learner led through a file, and saved."""

from __future__ import annotations

import json
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from littlestone.cli._remedies import typed
from littlestone.cli._settings import NAMES, WrongCall, made, source_options, stream_of
from littlestone.core.files import special

if TYPE_CHECKING:
    from littlestone.cli._model import Interrupts
    from littlestone.games.evaluation import Evaluation
    from littlestone.learners import Learner
    from littlestone.models.training import Training

__all__ = ["train"]

USUAL, GROWING = "perceptron", "growing-winnow"


@click.command(short_help="Train a learner on a file, and save it.")
@click.argument("file")
@click.argument("settings", nargs=-1, metavar="[KEY=VALUE]...")
@click.option("-l", "--learner", metavar="NAME", help=f"The learner, such as winnow.  [default: {USUAL}]")
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

    The table on stderr is Vowpal Wabbit's, with more columns: mistakes, updates and, with -k K, the bound on mistakes
    if a disjunction of K attributes gives the labels (a dash, once there are more mistakes, since then none does). The
    average loss is the share of mistakes; it is progressive: each example is predicted before it is learned. Lines
    that end in h are about the examples held out, which are never learned.

    With --checkpoint the model is saved from time to time, and the same call continues where it stopped: the model is
    the same as without interruption, even after kill -9. If the training is finished, nothing is done. A model from
    another training is refused, and so is one whose FILE has changed since: its size, its first and last 64 KiB, and a
    CRC-32 of all that was read (which only --checkpoint computes) are compared.

    Ctrl-C (or SIGTERM) finishes the current block, saves the model and exits with code 130 (143); a second one stops at
    once. If stdin is a pipe, the complete lines that have arrived are learned first.

    If you come from vw: -d FILE is FILE, -f is -m; -i, -P, --quiet and --passes are the same; --holdout_period is
    --holdout; -t -p OUT is predict -o OUT.
    """  # noqa: D301 - \b is click's
    from littlestone.cli._model import interrupts, start
    from littlestone.engine.compiling import clock

    start()
    quiet = options["quiet"] or as_json
    training, record, evaluated = _begun(file, settings, options)
    started = clock()
    resumed = options["checkpoint"] and record.resume(training, options["model"])
    saved = resumed and training.finished
    with interrupts() as signals:
        _trained(training, record, options, signals, quiet=quiet, resumed=resumed, file=file)
    seconds = clock() - started
    if training.examples == 0 and signals.came is None:
        raise click.ClickException(f"{file}: expected at least one example, got none; nothing was saved")
    if training.examples == 0:
        options["model"] = None  # what may be there is better than nothing
    if options["model"] is not None and not saved:
        record.save(training, options["model"])
    found = evaluated(training.learner) if evaluated is not None and signals.came is None else None
    if as_json or not quiet:
        ends = {"interrupted": signals.came is not None, "resumed": resumed}
        report = _report(training, options["model"], seconds, found, options["relevant"]) | ends
        lines = [json.dumps(report, allow_nan=False)] if as_json else _summary(report, again=training.stream.again)
        for line in lines:
            click.echo(line, err=not as_json)
    if signals.came is not None:
        ctx.exit(signals.code)


def _begun(file: str, settings: tuple[str, ...], options: dict[str, Any]) -> tuple[Training, Any, Any]:
    """Return the training before its first example, its record, and what validates a learner; refuse wrong calls."""
    from littlestone.models.training import Record, Training

    if options["checkpoint"] and options["model"] is None:
        raise WrongCall("--checkpoint: expected a model to save to (-m), got none")
    if options["model"] is not None and not Path(options["model"]).absolute().parent.is_dir():
        raise click.ClickException(f"{options['model']}: it cannot be saved: there is no such folder")
    if options["model"] is not None and (what := special(options["model"])) is not None:
        raise click.ClickException(f"{options['model']}: it cannot be saved: expected the name of a file, got {what}")
    learner, digest, reading = _learner(options)
    stream = stream_of(file, options, settings, defaults=reading)
    if options["attributes"] is not None and learner.trials == 0 and learner.needs_n:
        learner.begin(options["attributes"])
    training = Training(learner, stream, passes=options["passes"], holdout=options["holdout"], trials=options["trials"])
    asked = {name: options[name] for name in ("format", *NAMES) if options.get(name) not in {None, ()}}
    record = Record.of(training, initial=digest, asked=asked, summing=options["checkpoint"])
    if options["validate"] is None:
        return training, record, None
    from littlestone.cli._model import is_binary
    from littlestone.games.evaluation import evaluate

    if options["validate"] != "-":
        stream_of(options["validate"], options)  # if it is not there, say so before the training

    def evaluated(trained: Learner) -> Evaluation:
        defaults = training.stream.read_as()
        if is_binary(trained):
            defaults["labels"] = trained.labels
        return evaluate(trained, stream_of(options["validate"], options, defaults=defaults))

    return training, record, evaluated


def _learner(options: dict[str, Any]) -> tuple[Learner, str | None, dict[str, Any]]:
    """Return the learner: a new one, or that of a model, with the model's digest and how its file was read."""
    from littlestone.learners import LEARNERS, Bounded

    if options["grow"]:
        if options["learner"] not in {None, GROWING}:
            raise WrongCall(f"--grow: expected -l {GROWING} or none, got -l {options['learner']}")
        options["learner"] = GROWING
    bounds = {name: options[name] for name in ("max_attributes", "eligible") if options[name] is not None}
    if options["initial"] is None:
        learner = made("LEARNER", options["learner"] or USUAL, LEARNERS, options["parameters"])
        return Bounded(learner, **bounds) if bounds else learner, None, {}
    if options["learner"] is not None or options["parameters"] or bounds:
        raise WrongCall(
            "-i: the model says which learner it is, with which parameters; leave -l and --set out, and bounds too"
        )
    from littlestone.cli._model import model_of
    from littlestone.models.files import inspect_model

    learner, reading = model_of(options["initial"])
    return learner, inspect_model(options["initial"])["sha256"], reading


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
    from littlestone.core.errors import InvalidData, InvalidLabel, UnknownSize
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
                if signals.came is not None and training.settled and (training.stream.again or training.whole):
                    break
                if options["checkpoint"] and training.settled and training.learner.trials - saved >= options["every"]:
                    record.save(training, options["model"])
                    saved = training.learner.trials
        except UnknownSize as error:
            raise WrongCall(
                f"{file}: a pipe does not say how many attributes there are, and {training.learner!r} needs to know; "
                "give --attributes N, or --set the parameters that depend on it, such as theta"
            ) from error
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


def _report(
    training: Training, model: str | None, seconds: float, found: Evaluation | None, k: int | None
) -> dict[str, Any]:
    """Return all that happened, as a JSON object."""
    from littlestone.learners import command_name

    learner, stream, hashed = training.learner, training.stream, None
    if hasattr(type(stream), "collisions"):  # a `Hashed`, which most streams are not
        hashed = {name: getattr(stream, name) for name in ("attributes", "collisions")}
    held = None if training.holdout is None else {
        "period": training.holdout, "examples": training.held, "mistakes": training.held_mistakes,
        "error": training.held_mistakes / training.held if training.held else None,
    }  # fmt: skip
    validation = None if found is None else {
        "examples": found.examples, "mistakes": found.mistakes, "error": 1 - found.accuracy, "auc": found.auc,
    }  # fmt: skip
    return {
        "source": getattr(stream, "name", None) or repr(stream), "learner": command_name(type(learner)),
        "made": repr(learner), "attributes": learner.n or max(learner.width, len(learner.vocabulary or ())),
        "labels": None if learner.labels is None else list(learner.labels), "passes": training.passed,
        "examples": training.examples, "learned": training.learned, "features": training.features,
        "mistakes": training.mistakes, "updates": training.updates,
        "promotions": learner.promotions - training.before["promotions"],
        "demotions": learner.demotions - training.before["demotions"],
        "error": training.mistakes / training.learned if training.learned else None,
        "holdout": held, "validation": validation, **_bound(learner, k), "seconds": round(seconds, 6),
        "examples_per_second": round(training.examples / seconds) if seconds else None,
        "hashed": hashed,
        "skipped": stream.skipped, "complaints": list(map(typed, stream.complaints)),
        "model": model, "finished": training.finished,
    }  # fmt: skip


def _bound(learner: Learner, k: int | None) -> dict[str, Any]:
    """Return the bound on the mistakes, what it is of, by which theorem, and what it assumes; none without a target."""
    from littlestone.models.training import stated_bound

    bound, known = stated_bound(learner, k), learner.guarantee
    words = {name: getattr(bound or known, name, None) for name in ("of", "theorem", "assumes")}
    return {"bound": None if bound is None else bound.value, **words}


def _summary(report: dict[str, Any], *, again: bool) -> list[str]:
    """Return the lines that are printed at the end."""
    error = "-" if report["error"] is None else f"{report['error']:.6f}"
    lines = [
        "",
        "interrupted" if report["interrupted"] else "finished run",
        f"number of examples = {report['examples']:,}",
        f"passes used = {report['passes']}",
        f"mistakes = {report['mistakes']:,}",
        f"updates = {report['updates']:,}",
        f"average loss = {error} (progressive: each example predicted before it was learned)",
    ]
    if report["holdout"] is not None and report["holdout"]["examples"]:
        held = report["holdout"]
        lines.append(f"average loss = {held['error']:.6f} h (hold-out: {held['examples']:,} never learned from)")
    if report["validation"] is not None:
        found = report["validation"]
        lines.append(f"average loss = {found['error']:.6f} (validation: {found['examples']:,} of another file)")
    if report["bound"] is not None:
        refuted = "; more were made, so that this is not so" if report["mistakes"] > report["bound"] else ""
        words = f"{report['of']} if {report['assumes']}{refuted} ({report['theorem']})"
        lines.append(f"bound = {report['bound']:,.6g} {words}")
    lines += [f"seconds = {report['seconds']:.3f} ({report['examples_per_second']:,} examples/s)"]
    if report["hashed"] is not None:
        attributes, collisions = report["hashed"]["attributes"], report["hashed"]["collisions"]
        lines.append(f"collisions = {collisions:,} (of {attributes:,} hashed attributes so many share a column)")
    if report["skipped"]:
        lines += [f"skipped = {report['skipped']:,} bad lines", *(f"  {words}" for words in report["complaints"])]
    if report["model"] is None:
        why = "-m says where to" if report["examples"] else "nothing was learned"
        return [*lines, f"not saved ({why})"]
    later = "; the same call with --checkpoint goes on" if report["interrupted"] and again else ""
    return [*lines, f"saved to {report['model']}{later}"]
