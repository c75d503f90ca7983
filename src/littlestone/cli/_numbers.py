"""What commands say of models that predict numbers: errors in place of mistakes."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any

import click

from littlestone.cli._output import print_table
from littlestone.cli._settings import WrongCall

if TYPE_CHECKING:
    from collections.abc import Mapping

    from littlestone.games.evaluation import RegressionEvaluation
    from littlestone.models.model import Model
    from littlestone.models.outcomes import Paid
    from littlestone.models.training import Training

__all__ = ["check_labels_asked", "figures_of", "paid_of", "print_evaluation", "report_of_numbers", "shown", "summed_up"]

OF_LABELS = {
    "threshold": "--threshold", "cost": "--cost", "precision": "--precision", "changes": "--changes",
    "relevant": "-k", "probabilities": "--probabilities", "scores": "--scores", "page": "--page",
}  # fmt: skip


def check_labels_asked(model: Model, options: Mapping[str, Any]) -> None:
    """Refuse options that are about labels: this model predicts numbers."""
    for name, option in OF_LABELS.items():
        if options.get(name) not in {None, (), False}:
            raise WrongCall(
                f"{option}: expected a model of labels, got {model.learner!r}, which predicts numbers; leave it out"
            )


def shown(number: float | None) -> str:
    """Return an error, or a prediction, as people read it.

    >>> shown(1234.56789), shown(None), shown(0.000123456)
    ('1234.57', '-', '0.000123456')
    """
    return "-" if number is None or number != number else f"{number:.6g}"  # noqa: PLR0124 - nan is not itself


def paid_of(paid: Paid) -> dict[str, Any]:
    """Return what predictions have cost, for JSON."""
    found = {"mae": paid.mae, "rmse": paid.rmse, "loss": paid.loss / paid.examples if paid.examples else float("nan")}
    return {name: value if isfinite(value) else None for name, value in found.items()}


def figures_of(found: RegressionEvaluation | None) -> dict[str, Any] | None:
    """Return what predictions were worth on examples that were not learned from."""
    return None if found is None else found.as_dict()


def report_of_numbers(training: Training) -> dict[str, Any]:
    """Return what a training of numbers has in place of mistakes."""
    held = None
    if training.holdout is not None:
        held = {"period": training.holdout, "examples": training.held, **paid_of(training.held_paid)}
    model = training.model
    assert model.outcomes is not None
    scale = model.outcomes.scale._asdict() if model.outcomes.scaled else None
    measure = str(getattr(training.learner, "measure", ""))
    return {**paid_of(training.paid), "measure": measure, "holdout": held, "outcome_scale": scale}


def summed_up(report: Mapping[str, Any]) -> list[str]:
    """Return the lines on errors that are printed at the end of a training."""
    progressive = "progressive: each example predicted before it was learned"
    lines = [
        f"MAE = {shown(report['mae'])}, RMSE = {shown(report['rmse'])} ({progressive})",
        f"average loss = {shown(report['loss'])} ({report['measure']})",
    ]
    told = {
        "holdout": "{examples:,} held out, never learned from",
        "validation": "validation: {examples:,} of another file",
        "split": "the last {examples:,} examples, never learned from",
    }
    for name, words in told.items():
        found = report[name]
        if found is not None and found["examples"]:
            r2 = f", R2 = {shown(found['r2'])}" if "r2" in found else ""
            errors = f"MAE = {shown(found['mae'])}, RMSE = {shown(found['rmse'])}{r2}"
            lines.append(f"{errors} ({words.format(examples=found['examples'])})")
    return lines


def print_evaluation(found: RegressionEvaluation) -> None:
    """Print what predictions of numbers were worth."""
    right = {"justify": "right"}
    levels = found.quantiles()
    if levels:
        click.echo("Quantiles of the errors, prediction less outcome")
        print_table([(f"{level:.0%}", right) for level in levels], [tuple(map(shown, levels.values()))])
    skipped = f", skipped = {found.skipped:,}" if found.skipped else ""
    click.echo(
        f"examples = {found.examples:,}, MAE = {shown(found.mae)}, RMSE = {shown(found.rmse)}, R2 = {shown(found.r2)}, "
        f"bias = {shown(found.bias)}{skipped}"
    )
