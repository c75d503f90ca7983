"""littlestone follow: a model led along a live source, which answers each example and learns when its label comes."""

from __future__ import annotations

import glob
import json
import sys
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import click

from littlestone.cli._completion import complete_learner
from littlestone.cli._numbers import shown
from littlestone.cli._output import check_read
from littlestone.cli._remedies import typed
from littlestone.cli._settings import WrongCall, beside, given, source_options

if TYPE_CHECKING:
    from littlestone.learners import Learner
    from littlestone.models.following import Event, Following, Progress

__all__ = ["follow"]

USUAL = "auto"


@click.command(short_help="Predict and learn from a live file or pipe.")
@click.argument("model", type=click.Path(dir_okay=False))
@click.argument("file", default="-")
@click.option("--id", "id_", metavar="NAME", help="The key or column of the ids.  [default: id; of VW text the tag]")
@click.option("--every", type=click.IntRange(1), default=100_000, help="Save so often.  [default: 100000 examples]")
@click.option(
    "--seconds", type=click.FloatRange(0, min_open=True), default=10.0, help="And after so long.  [default: 10]"
)
@click.option(
    "--replay", is_flag=True, help="The pipe brings again what it brought before: pass over what was learned."
)
@click.option("--end", is_flag=True, help="Stop at the end of FILE, and do not wait for more.")
@click.option("--limit", type=click.IntRange(1), default=100_000, metavar="N", help="Let N examples wait for labels.")
@click.option("--window", type=click.IntRange(1), default=1000, metavar="N", help="Also count errors in the last N.")
@click.option("--new-labels", is_flag=True, help="Learn labels that the model has not met.")
@click.option(
    "--on-change",
    type=click.Choice(["warn", "restart", "forget"]),
    default="warn",
    help="Where mistakes become more frequent.  [default: warn]",
)
@click.option(
    "-l", "--learner", metavar="NAME", shell_complete=complete_learner, help="Of a MODEL that is not there yet."
)
@click.option("-s", "--set", "parameters", multiple=True, metavar="KEY=VALUE", help="A parameter of that learner.")
@click.option("--max-attributes", type=click.IntRange(1), metavar="N", help="Keep weights for at most N attributes.")
@click.option(
    "-P", "--progress", "pause", type=click.FloatRange(0), default=10.0, metavar="SECONDS", help="Between two reports."
)
@click.option("-q", "--quiet", is_flag=True, help="Report nothing but what is wrong.")
@partial(source_options, without=("--on-error",))  # a bad line is left out and said, always
@click.pass_context
def follow(ctx: click.Context, /, model: str, file: str, **options: Any) -> None:
    """Answer each example of FILE as it comes, and learn when its label comes: in the same line, or later.

    Without FILE, or with -, the examples come from stdin. A file is followed as tail -F does: what is added to it, and
    the next one when it is rotated. Each answer is a line of JSON on stdout: id, prediction and its probability. A
    label that comes later is a line {"id": ..., "label": ...} in any format. Ids stand under --id in JSON and CSV, in
    VW text they are the tags; where there are none it is the number of the line.

    MODEL is saved along the way with the examples that wait for their labels and with how far FILE was read. Stopped
    or killed at any moment, the same call goes on: nothing is lost or learned twice. A pipe must bring again what it
    brought (--replay), or go on behind what was saved.

    \b
    littlestone follow mail.npz /var/log/mail.jsonl --id message_id > answers.jsonl
    kafka-console-consumer ... | littlestone follow mail.npz -
    generate | littlestone follow new.npz - --format vw -l perceptron --max-attributes 100000

    A MODEL that is not there yet is begun for svmlight, VW text, JSON lines and SNoW; of a table it is trained first
    (littlestone train). With --on-change restart, a new learner begins beside the old one when mistakes become more
    frequent, and takes over when it is better; with forget, nothing is remembered for longer than 20,000 labels.

    Ctrl-C or SIGTERM ends it: the model is saved.
    """  # noqa: D301 - \b is click's
    from littlestone.cli._model import interrupts, start

    start()
    with interrupts() as signals:
        following = _begun(model, file, options)
        report = _Report(following, 0.0 if options["quiet"] else options["pause"])
        _run(following, report)
    report.end(interrupted=signals.came is not None)
    if signals.came is not None:
        ctx.exit(signals.code)


def _begun(model: str, file: str, options: dict[str, Any]) -> Following:
    """Return what follows the file, with the model that is there or a new one."""
    from littlestone.models.following import Following
    from littlestone.models.saving import model_of

    _check_there(file, end=options["end"])
    names = ("every", "seconds", "limit", "window", "new_labels", "on_change", "replay", "format")
    more = {name: options[name] for name in names} | {"id": options["id_"], "growing": not options["end"]}
    if not Path(model).exists():
        return Following(_new(model, options), file, save_to=model, **more, **given(options))
    found = model_of(model)
    _check_same(model, found.learner, options)
    return Following(found, file, save_to=model, **more, **given(options))


def _check_there(file: str, *, end: bool) -> None:
    """Refuse a file that is not there and that nobody waits for."""
    path = Path(file)
    folder = path.absolute().parent
    if file == "-" or path.exists() or (folder.is_dir() and any(folder.glob(f"{glob.escape(path.name)}*"))):
        return
    if end or not folder.is_dir():
        what = "a file, or - for stdin, got the name of one that is not there"
        raise click.ClickException(f"{file}: expected {what}{beside(file)}")


def _new(model: str, options: dict[str, Any]) -> Learner:
    """Return a learner that has learned nothing."""
    from littlestone.learners import Bounded
    from littlestone.learners.named import learner_of

    if not Path(model).absolute().parent.is_dir():
        raise click.ClickException(f"{model}: it cannot be saved: there is no such folder")
    named, most = options["learner"], options["max_attributes"]
    if named is None and most is None and options["format"] is None:
        raise WrongCall(
            f"MODEL: expected a model's file, got {model}, which is not there; train one first (littlestone train FILE "
            f"-m {model}), or say --format and a learner (-l) to begin one"
        )
    learner = learner_of(named or (USUAL if most is None else "perceptron"), *options["parameters"])
    return learner if most is None else Bounded(learner, max_attributes=most)


def _check_same(model: str, learner: Learner, options: dict[str, Any]) -> None:
    """Refuse options of a new model that are not those of the one that is there."""
    from littlestone.learners import Bounded, Perceptron
    from littlestone.learners.composite import fresh
    from littlestone.learners.named import learner_of
    from littlestone.models.following.policies import inside

    own = inside(learner)
    room = own.max_attributes if isinstance(own, Bounded) else None
    _check_known(model, own, options)
    own = own.learner or Perceptron() if isinstance(own, Bounded) else own
    most, named = options["max_attributes"], options["learner"]
    if most is not None and most != room:
        kept = "all its attributes" if room is None else f"at most {room:,} attributes"
        raise WrongCall(f"--max-attributes: {model} was begun to keep {kept}; leave it out, or begin another MODEL")
    if named is not None and repr(learner_of(named, *options["parameters"])) != repr(fresh(own)):
        raise WrongCall(f"-l: {model} has the learner {fresh(own)!r}; leave -l and --set out, or begin another MODEL")


def _check_known(model: str, learner: Learner, options: dict[str, Any]) -> None:
    """Refuse labels and a number of attributes that are not the learner's."""
    asked = given(options)
    for option, name, known in (("--labels", "labels", learner.labels), ("-n", "attributes", learner.n)):
        if name in asked and asked[name] != known:
            had = "none that is fixed" if known is None else known
            raise WrongCall(f"{option}: {model} has {had}, got {asked[name]}; leave it out, or begin another MODEL")


def _run(following: Following, report: _Report) -> None:
    """Print answers as they come."""
    from littlestone.models.following import Answer

    out = sys.stdout
    for events in following.steps():
        check_read(out)
        lines = [json.dumps(event.as_dict(), ensure_ascii=False) for event in events if isinstance(event, Answer)]
        if lines:
            out.write("\n".join(lines) + "\n")
            out.flush()
        for event in events:
            report.event(event)
        report.line()


class _Report:
    """What is said on stderr: what was wrong, changes, and from time to time how far it is."""

    def __init__(self, following: Following, pause: float) -> None:
        self._following, self._pause = following, pause
        self._begun = self._last = monotonic()
        self._answered = self._first = following.progress.answered

    def event(self, event: Event) -> None:
        """Say what happened, unless it is an answer, or as it should be."""
        from littlestone.models.following import Change, Notice

        if isinstance(event, Change):
            click.echo(f"change: {event}", err=True)
        elif isinstance(event, Notice):
            click.echo(f"note: {typed(event.message)}", err=True)

    def line(self) -> None:
        """Say how far it is, if it is time to."""
        now = monotonic()
        if self._pause and now - self._last >= self._pause:
            progress = self._following.progress
            if progress.answered != self._answered:
                rate = (progress.answered - self._answered) / (now - self._last)
                click.echo(_said(progress, rate), err=True)
            self._last, self._answered = now, progress.answered

    def end(self, *, interrupted: bool) -> None:
        """Say how far it came."""
        if self._pause:
            progress = self._following.progress
            rate = (progress.answered - self._first) / max(monotonic() - self._begun, 1e-9)
            word = "interrupted: " if interrupted else ""
            path = self._following.keeper.path
            where = f"; saved in {path}" if path is not None and Path(path).exists() else "; nothing to save"
            click.echo(f"{word}{_said(progress, rate)}{where}", err=True)


def _said(progress: Progress, rate: float) -> str:
    """Say in one line how far it is."""
    pace = f" ({rate:,.0f} a second)" if rate >= 1.0 else ""
    parts = [f"{progress.answered:,} answered{pace}", f"{progress.learned:,} learned"]
    if progress.error is not None:
        last = f"{progress.window_error:.2%} of the last {progress.window:,}"
        parts.append(f"mistakes {progress.error:.2%}, {last}")
    if progress.mae is not None:
        last = f"{shown(progress.window_mae)} and {shown(progress.window_rmse)} of the last {progress.window:,}"
        parts.append(f"MAE {shown(progress.mae)}, RMSE {shown(progress.rmse)}, {last}")
    if progress.waiting or progress.dropped:
        dropped = f", {progress.dropped:,} dropped" if progress.dropped else ""
        parts.append(f"{progress.waiting:,} without a label yet{dropped}")
    if progress.attributes is not None:
        parts.append(f"{progress.attributes:,} attributes, {progress.evicted or 0:,} evicted")
    if progress.changes:
        parts.append(f"{progress.changes} change{'s' * (progress.changes > 1)}")
    return "; ".join(parts)
