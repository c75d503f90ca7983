"""Which learner `train` begins with, and for which task."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from littlestone.cli._remedies import typed
from littlestone.cli._settings import WrongCall

if TYPE_CHECKING:
    from littlestone.learners import Learner
    from littlestone.models.model import Model
    from littlestone.streams import Stream

__all__ = ["AUTO", "USUAL", "begun_model", "bounds_of", "named", "task_asked"]

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
