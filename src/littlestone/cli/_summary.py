"""What `train` tells at its end: all that happened, as a JSON object and as lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from littlestone.cli._numbers import figures_of, report_of_numbers, summed_up
from littlestone.cli._remedies import typed

if TYPE_CHECKING:
    from littlestone.games.evaluation import Evaluation
    from littlestone.learners import Learner
    from littlestone.models.training import Training

__all__ = ["report_of", "summary"]


def report_of(
    training: Training, model: str | None, seconds: float, found: dict[str, Evaluation], k: int | None
) -> dict[str, Any]:
    """Return all that happened, as a JSON object."""
    from littlestone.learners import command_name

    learner, stream, hashed = training.learner, training.stream, None
    numbers = training.model.outcomes is not None
    if hasattr(type(stream), "collisions"):  # a `Hashed`, which most streams are not
        hashed = {name: getattr(stream, name) for name in ("attributes", "collisions")}
    held = None if training.holdout is None else {
        "period": training.holdout, "examples": training.held, "mistakes": training.held_mistakes,
        "error": training.held_mistakes / training.held if training.held else None,
    }  # fmt: skip
    figures: Any = figures_of if numbers else _figures
    validation, split = (figures(found.get(name)) for name in ("validation", "split"))
    report = {
        "source": getattr(stream, "name", None) or repr(stream), "learner": command_name(type(learner)),
        "made": repr(learner), "attributes": learner.n or max(learner.width, len(learner.vocabulary or ())),
        "labels": None if learner.labels is None else list(learner.labels), "passes": training.passed,
        "examples": training.examples, "learned": training.learned, "features": training.features,
        "mistakes": training.mistakes, "updates": training.updates,
        "promotions": learner.promotions - training.before["promotions"],
        "demotions": learner.demotions - training.before["demotions"],
        "error": training.mistakes / training.learned if training.learned else None,
        "holdout": held, "validation": validation, "split": split, **_bound(learner, k), "seconds": round(seconds, 6),
        "examples_per_second": round(training.examples / seconds) if seconds else None,
        "hashed": hashed,
        "skipped": stream.skipped, "complaints": list(map(typed, stream.complaints)),
        "scaled": [] if training.model.scaling is None else list(training.model.scaling.columns),
        "decision": training.model.decision.as_dict(), "model": model, "finished": training.finished,
        "task": training.model.task,
    }  # fmt: skip
    if not numbers:
        return report
    absent = {"mistakes", "error"}
    return {name: value for name, value in report.items() if name not in absent} | report_of_numbers(training)


def _figures(found: Evaluation | None) -> dict[str, Any] | None:
    """Return what predictions were worth on examples that were not learned from."""
    if found is None:
        return None
    told = {"examples": found.examples, "mistakes": found.mistakes, "error": 1 - found.accuracy, "auc": found.auc}
    return told | {"log_loss": found.log_loss}


def _bound(learner: Learner, k: int | None) -> dict[str, Any]:
    """Return the bound on the mistakes, what it is of, by which theorem, and what it assumes; none without a target."""
    from littlestone.models.training import stated_bound

    bound, known = stated_bound(learner, k), learner.guarantee
    words = {name: getattr(bound or known, name, None) for name in ("of", "theorem", "assumes")}
    return {"bound": None if bound is None else bound.value, **words}


def summary(report: dict[str, Any], *, again: bool) -> list[str]:
    """Return the lines that are printed at the end."""
    lines = [
        "",
        "interrupted" if report["interrupted"] else "finished run",
        f"number of examples = {report['examples']:,}",
        f"passes used = {report['passes']}",
    ]
    numbers = report["task"] == "regression"
    lines += [f"updates = {report['updates']:,}", *summed_up(report)] if numbers else _of_labels(report)
    if report["decision"]["threshold"] is not None:
        lines.append(f"decision = {_decided(report['decision'])}")
    if report["bound"] is not None:
        made = report.get("mistakes", 0)
        refuted = "; more were made, so that this is not so" if made > report["bound"] else ""
        scaled = ", of the scaled rows," if report["scaled"] else ""
        words = f"{report['of']}{scaled} if {report['assumes']}{refuted} ({report['theorem']})"
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


def _of_labels(report: dict[str, Any]) -> list[str]:
    """Return the lines on mistakes."""
    error = "-" if report["error"] is None else f"{report['error']:.6f}"
    lines = [
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
    if report["split"] is not None:
        found = report["split"]
        sure = "" if found["log_loss"] is None else f", log loss = {found['log_loss']:.4f}"
        lines.append(
            f"average loss = {found['error']:.6f} (the last {found['examples']:,} examples, never learned from{sure})"
        )
    return lines


def _decided(decision: dict[str, Any]) -> str:
    from littlestone.models.decision import Decision

    return str(Decision.from_dict(decision))
