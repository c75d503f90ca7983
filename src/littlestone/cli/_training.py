"""What `train` does besides training: its learner, files, a part held back, the threshold, predictions, the schema."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from littlestone.cli._remedies import typed
from littlestone.cli._settings import WrongCall
from littlestone.core.files import special

if TYPE_CHECKING:
    from littlestone.games.game import Turn
    from littlestone.learners import Learner
    from littlestone.models.decision import Decision
    from littlestone.models.model import Model
    from littlestone.models.training import Training
    from littlestone.streams import Stream

__all__ = [
    "AUTO",
    "USUAL",
    "Watch",
    "all_of",
    "asked_decision",
    "begun_model",
    "bounds_of",
    "check_decidable",
    "check_files",
    "decide",
    "named",
    "predictions_to",
    "print_schema",
    "print_unscaled",
    "split",
    "task_asked",
    "warnings_told",
]

DECIDING = ("threshold", "cost", "precision")  # options that say how the model decides


def split(stream: Stream, share: float, trials: int | None) -> tuple[int, Stream]:
    """Return how many examples are learned from, and the last ``share`` of all, which is held back."""
    from littlestone.streams.wrappers.wrapped import Part

    if not stream.again:
        name = getattr(stream, "name", "a pipe")
        raise WrongCall(f"--split: expected a file, got {name}, which can be read only once; save it to a file first")
    number = sum(len(block) for block in stream.blocks())
    number = number if trials is None else min(number, trials)
    back = ceil(number * share)
    if not 0 < back < number:
        raise WrongCall(f"--split: expected some examples on both sides, got {number} in all")
    return number - back, Part(stream, number - back, back)


def asked_decision(options: dict[str, Any]) -> Decision | None:
    """Return what --threshold or --cost ask for, None for neither; refuse values that no decision has."""
    asked = _deciding(options)
    if asked is None:
        return None
    from littlestone.core.errors import InvalidParameter
    from littlestone.models.decision import Decision, check_precision

    try:
        if asked == "threshold":
            return Decision(options["threshold"], "--threshold")
        if asked == "cost":
            return Decision.by_cost(dict(map(_cost, options["cost"])))
        check_precision(options["precision"])
    except InvalidParameter as error:
        raise WrongCall(f"--{error}") from None
    return None


def _deciding(options: dict[str, Any]) -> str | None:
    """Return which of the options that decide is given; refuse several."""
    given = [name for name in DECIDING if options[name] not in {None, ()}]
    if len(given) > 1:
        raise WrongCall("expected one of --threshold, --cost and --precision, got several: each decides the threshold")
    return given[0] if given else None


def _cost(word: str) -> tuple[str, float]:
    name, _, value = word.partition("=")
    try:
        return name, float(value)
    except ValueError:
        raise WrongCall(f"--cost: expected false-positive=NUMBER or false-negative=NUMBER, got {word!r}") from None


def check_files(file: str, options: dict[str, Any]) -> None:
    """Refuse to write into a file that is read or written besides, and predictions of examples that are held out."""
    if options["predictions"] is not None and options["holdout"] is not None:
        raise WrongCall(
            f"-p: expected a prediction for each example, got --holdout {options['holdout']}, whose examples are not "
            f"predicted in their turn; hold the last ones back instead (--split {1 / options['holdout']:.2g}), or "
            "leave --holdout out"
        )
    read = {"FILE": file, "--validate": options["validate"]}
    read = {name: path for name, path in read.items() if path is not None and Path(path).is_file()}
    if options["model"] is not None:
        _check_apart("-m: expected a file for the model", options["model"], read)
    if options["predictions"] is not None:
        more = {"-m": options["model"], "-i": options["initial"]}
        read |= {name: path for name, path in more.items() if path is not None}
        _check_apart("-p: expected a file for the predictions alone", options["predictions"], read)


def _check_apart(expected: str, path: str, others: dict[str, str]) -> None:
    if path == "-" or special(path) is not None:
        return
    for name, other in others.items():
        if os.path.realpath(other) == os.path.realpath(path):
            uses = {"-m": "is where the model is to be saved", "-i": "is the model to continue from"}
            use = uses.get(name, "is to be read")
            raise WrongCall(f"{expected}, got {path}, which {use} ({name}); give another name")


def check_decidable(model: Model, stream: Stream, options: dict[str, Any]) -> None:
    """Refuse a threshold where there are not two labels, as far as that is known before the first row.

    A pipe shows its labels as it comes. A learner alone has no probabilities either.
    """
    asked = _deciding(options)
    if asked is None:
        return
    if model.calibration is None:
        raise WrongCall(
            f"--{asked}: expected a model with probabilities, got {options['initial']}, which was trained without; "
            "train it anew"
        )
    labels = list(dict.fromkeys((*model.labels, *(stream.labels if stream.again else ()))))
    if labels and len(labels) != 2:
        from littlestone.streams.formats.reading_rules import listed

        name = getattr(stream, "name", None) or repr(stream)
        raise click.ClickException(f"--{asked}: {name}: expected two labels, got {len(labels)}: {listed(labels)}")


def decide(training: Training, back: Stream | None, options: dict[str, Any]) -> str | None:
    """Set the model's threshold as the options ask; if that cannot be, say why, and leave the model as it was.

    What was learned is not lost then: it is saved with the learner's own decisions.
    """
    asked, model = _deciding(options), training.model
    if asked is None:
        return None
    from littlestone.core.errors import InvalidParameter
    from littlestone.models.decision import Decision

    before, found = model.decision, asked_decision(options)
    try:
        model.decision = Decision(0.5) if found is None else found
        model.check_decision()
        if found is None:
            assert back is not None
            model.decision = _for_precision(model, back, options)
    except InvalidParameter as error:
        model.decision = before
        return f"--{asked}: {str(error).partition(': ')[2]}"
    return None


def _for_precision(model: Model, back: Stream, options: dict[str, Any]) -> Decision:
    """Return the threshold that rows which were held back suggest; say where these are few."""
    from littlestone.models.decision import FEW_POSITIVES, Decision

    positive, truth = list[float](), list[bool]()
    for block in back.blocks():
        labels = block.labels or back.labels
        positive += model.probabilities_block(block)[:, 1].tolist()
        truth += [labels[code] == model.labels[1] for code in (block.outcomes if block.outcomes is not None else ())]
    found = Decision.for_precision(options["precision"], positive, truth)
    number = sum(share >= (found.threshold or 0.0) for share in positive)
    if number < FEW_POSITIVES and not options["quiet"]:
        rows = "1 row is" if number == 1 else f"{number} rows are"
        click.echo(
            f"warning: --precision: of the {len(positive):,} examples held back only {rows} predicted positive with "
            f"this threshold, and fewer than {FEW_POSITIVES} say little; hold more back (--split), or ask for less",
            err=True,
        )
    return found


@contextmanager
def warnings_told() -> Iterator[None]:
    """Have a learning rate that diverges told in a line on stderr."""
    import warnings

    from littlestone.core.errors import DivergenceWarning

    def tell(message: Any, *place: Any, **more: Any) -> None:
        del place, more
        click.echo(f"warning: {message}", err=True)

    with warnings.catch_warnings():
        warnings.simplefilter("always", DivergenceWarning)
        warnings.showwarning = tell
        yield


@contextmanager
def predictions_to(path: str | None, training: Training) -> Iterator[Callable[[Turn], None] | None]:
    """Give what writes each turn's predictions to a file, one on each line; None where nobody wants them.

    A training that goes on where it stopped predicts what is left: the file of the part before is not written over.
    """
    if path is None or training.finished:
        yield None
        return
    if training.examples and path != "-" and Path(path).exists():
        raise WrongCall(
            f"-p: {path} is there, and would be written over: it may have the predictions of the first "
            f"{training.examples:,} examples, after which this training goes on; name another file for the rest"
        )
    from littlestone.streams.writers import atomic

    with atomic(path, training.stream) as out:

        def write(turn: Turn) -> None:
            out.write("".join(f"{label}\n" for label in turn.predictions.tolist()).encode())

        yield write


def print_unscaled(training: Training, *, asked: bool) -> None:
    """Say on stderr which columns of real numbers are not scaled, though that was asked for."""
    from littlestone.models.recipe import unscaled_columns

    found = unscaled_columns(training.stream) if asked and training.learner.domain == "any" else ()
    if found:
        told = f"{', '.join(found[:5])}{', ...' if len(found) > 5 else ''}"
        click.echo(f"  not scaled, for --pairs and --hash-bits make attributes that are no columns: {told}", err=True)


class Watch:
    """Notices where the mistakes of a training become more frequent; counts what is learned, from where it goes on."""

    def __init__(self, training: Training) -> None:
        from littlestone.parts.changes import ChangeDetector

        self.found: list[dict[str, Any]] = []
        self._detector, self._before, self._told = ChangeDetector(), training.learned, 0

    def __call__(self, turn: Turn) -> None:
        """Take what was predicted and learned."""
        block = turn.block
        if len(block) and block.labels is not None and block.outcomes is not None:
            truth = map(block.labels.__getitem__, block.outcomes.tolist())
            wrong = [label != told for label, told in zip(truth, turn.predictions.tolist(), strict=True)]
            for one in self._detector.see(wrong):
                began, noticed = self._before + one.began + 1, self._before + one.noticed + 1
                self.found.append({"began": began, "noticed": noticed, "before": one.before, "after": one.after})

    def lines(self) -> Iterator[str]:
        """Yield what has not been told yet."""
        for one in self.found[self._told :]:
            yield (
                f"change: more mistakes from about example {one['began']:,} on: {one['after']:.1%}, and "
                f"{one['before']:.1%} before (noticed at {one['noticed']:,})"
            )
        self._told = len(self.found)


def all_of(*heard: Callable[[Turn], None] | None) -> Callable[[Turn], None] | None:
    """Return what tells each of some hearers of a turn; None where there are none."""
    there = [one for one in heard if one is not None]

    def tell(turn: Turn) -> None:
        for one in there:
            one(turn)

    return tell if there else None


def print_schema(stream: Stream, *, as_json: bool = False) -> int:
    """Print how a table's columns are read: on stderr in a few lines, or as JSON; nothing of other files."""
    schema = stream.schema()
    if as_json:
        if schema is None:
            name = getattr(stream, "name", None) or repr(stream)
            raise WrongCall(f"--schema: expected a table, got {name}, whose attributes have no columns")
        click.echo(json.dumps(schema.as_dict(typed), indent=1, ensure_ascii=False))
    elif schema is not None:
        click.echo(schema.told(typed), err=True)
    return 0


# Which learner it begins with, and for which task

USUAL, GROWING = "auto", "growing-winnow"
AUTO = "auto"  # a task: to be found out


def bounds_of(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options that bound how many attributes a learner keeps."""
    return {name: options[name] for name in ("max_attributes", "eligible") if options[name] is not None}


def task_asked(learner: Learner | None, options: dict[str, Any]) -> str:
    """Return what the labels are for: what is asked for, what the learner predicts, or "auto"."""
    from littlestone.core.errors import InvalidParameter
    from littlestone.models.recipe import task_of

    try:
        return task_of(learner, options["task"], "train")
    except InvalidParameter as error:
        raise WrongCall(typed(error).replace("train: task: ", "--task: ", 1)) from None


def named(options: dict[str, Any]) -> Learner | None:
    """Return the learner that the options name, if they do."""
    from littlestone.learners import Bounded, command_name
    from littlestone.learners.named import learner_of

    if options["grow"]:
        if options["learner"] is not None and command_name(type(learner_of(options["learner"]))) != GROWING:
            raise WrongCall(f"--grow: expected -l {GROWING} or none, got -l {options['learner']}")
        options["learner"] = options["learner"] or GROWING
    bounds = bounds_of(options)
    named = options["learner"] or ("perceptron" if bounds else USUAL if options["parameters"] else None)
    if named is None:
        return None
    learner = learner_of(named, *options["parameters"])
    return Bounded(learner, **bounds) if bounds else learner


def begun_model(learner: Learner | None, stream: Stream, options: dict[str, Any], *, said: bool) -> Model:
    """Return a model that has learned nothing; where nobody ``said`` what labels are for, say what they look like."""
    from littlestone.learners.named import learner_of
    from littlestone.models.model import Model
    from littlestone.models.recipe import RECOGNISED, USUAL, check_labels
    from littlestone.streams.formats.outcomes import CLASSIFICATION

    if learner is None:
        if stream.task == CLASSIFICATION:
            check_labels(stream)
        elif not said and not options["quiet"]:
            click.echo(typed(RECOGNISED), err=True)
        learner = learner_of(USUAL[stream.task])
    scale, scale_outcome = (not options[name] for name in ("no_scale", "no_scale_outcome"))
    return Model.begun(learner, stream, scale=scale, scale_outcome=scale_outcome)
