"""littlestone duel: one learner against one teacher, trial by trial if you like."""

from __future__ import annotations

import inspect
import json
from fractions import Fraction
from math import isfinite
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Iterator

    from littlestone.run import Run, Transcript
    from littlestone.streams import Stream
    from littlestone.teachers import Teacher

__all__ = ["duel"]

SHOWN_WHOLE = 64  # attributes: more than this, and a row is shown by those that are on


@click.command(short_help="Let one learner play one teacher: mistakes beside what had to hold.")
@click.argument("learner")
@click.argument("teacher")
@click.argument("settings", nargs=-1, metavar="[KEY=VALUE]...")
@click.option("-s", "--set", "parameters", multiple=True, metavar="KEY=VALUE", help="A parameter of the learner.")
@click.option("-v", "--verbose", is_flag=True, help="Print one line a trial: row, outcome, prediction, * if wrong.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def duel(
    learner: str, teacher: str, settings: tuple[str, ...], parameters: tuple[str, ...],
    *, verbose: bool, as_json: bool,
) -> None:  # fmt: skip
    """Let LEARNER play TEACHER, whose parameters are given as KEY=VALUE, and print mistakes and bounds.

    Teachers: disjunction, threshold, dnf, decision-list, xor-features, shifting and model-m draw their examples;
    hadamard and greedy look at the learner before each trial. A value is a whole number, a decimal, a fraction, true,
    false, whole numbers separated by commas, or a word.

    \b
    littlestone duel perceptron hadamard d=4 k=1
    littlestone duel winnow greedy n=64 target=0,1 --set alpha=3/2 --set theta=64
    littlestone duel elimination disjunction n=200 k=20 trials=1000
    """  # noqa: D301 - \b is click's
    from littlestone import learners, teachers
    from littlestone.game import play

    player = _made("LEARNER", learner, learners.LEARNERS, parameters)
    opponent = _made("TEACHER", teacher, teachers.TEACHERS, settings)
    run = play(player, opponent, record=verbose)
    report = {
        "learner": repr(player), "teacher": repr(opponent), "trials": run.trials, "mistakes": run.mistakes,
        "updates": run.updates, "promotions": run.promotions, "demotions": run.demotions, **_bounds(run, opponent),
    }  # fmt: skip
    played = list(_played(run.transcript)) if run.transcript is not None else []
    if as_json:
        click.echo(json.dumps({**report, "transcript": played} if verbose else report, allow_nan=False))
    else:
        _print(report, played, opponent.n_attributes or 0)


class _WrongCall(click.ClickException):
    """A wrong call, in one line."""

    exit_code = 2


def _made(role: str, name: str, known: dict[str, type[Any]], settings: tuple[str, ...]) -> Any:
    """Return the learner or teacher of this name with its settings; refuse what it does not take."""
    if name not in known:
        raise _WrongCall(f"{role}: expected one of {', '.join(known)}, got {name!r}")
    kind = known[name]
    names = _parameters(kind)
    told = {}
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals or key not in names:
            raise _WrongCall(f"{name}: expected KEY=VALUE with one of {', '.join(names)}, got {setting!r}")
        told[key] = _value(value)
    try:
        return kind(**told)
    except (TypeError, ValueError) as error:
        raise _WrongCall(f"{error}; {name} takes {', '.join(names)}") from error


def _parameters(kind: type[Any]) -> list[str]:
    if hasattr(kind, "parameter_names"):
        names: list[str] = kind.parameter_names()
        return names
    return [name for name in inspect.signature(kind).parameters if name != "self"]


def _value(text: str) -> Any:
    """Return what a word on the command line stands for.

    >>> [_value(text) for text in ("3", "1.5", "3/2", "0,4,7", "true", "R1")]
    [3, 1.5, Fraction(3, 2), (0, 4, 7), True, 'R1']
    """
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    for read in (int, float, Fraction, _positions):
        try:
            return read(text)
        except (ValueError, ZeroDivisionError):
            continue
    return text


def _positions(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(",") if part)


def _bounds(run: Run, opponent: Stream | Teacher) -> dict[str, Any]:
    """Return what theory had to say of this game: the learner's bound, or why there is none, and the teacher's."""
    from littlestone.teachers import Hadamard

    found: dict[str, Any] = {"bound": None, "theorem": None, "why_not": None}
    if isinstance(opponent, Hadamard):
        found["additive_at_least"] = opponent.promises
    if run.guarantee is None:
        return {**found, "why_not": "no theorem known for this learner"}
    told = _disjunction(opponent)
    if told is None:
        return {**found, "why_not": "the target is no disjunction, or the labels are noisy"}
    errors = told.pop("attribute_errors")
    if "attribute_errors" in run.guarantee.arguments:
        told["attribute_errors"] = errors
    elif errors:
        return {**found, "why_not": "the theorem allows no attribute errors"}
    held = run.guarantee.at(**{name: value for name, value in told.items() if name in run.guarantee.arguments})
    return {**found, "bound": held.value if isfinite(held.value) else None, "theorem": held.theorem,
            "why_not": None if isfinite(held.value) else "these parameters buy no bound for this target"}  # fmt: skip


def _disjunction(opponent: Stream | Teacher) -> dict[str, int] | None:
    """Return the numbers of the disjunction that the teacher is bound to, where it is bound to one."""
    from littlestone.teachers import Disjunction, Greedy, Hadamard, XorFeatures

    if isinstance(opponent, Greedy) and not opponent.label_errors:
        return {"k": len(opponent.target), "attribute_errors": opponent.attribute_errors}
    if isinstance(opponent, Hadamard) or (isinstance(opponent, Disjunction | XorFeatures) and not opponent.noise):
        return {"k": opponent.k, "attribute_errors": 0}
    return None


def _played(transcript: Transcript) -> Iterator[dict[str, Any]]:
    """Yield each trial: the attributes that are on, the outcome, the prediction."""
    outcomes, predictions = transcript.outcomes.tolist(), transcript.predictions.tolist()
    rows = (block.row(r)[0].tolist() for block in transcript.blocks for r in range(len(block)))
    for row, outcome, prediction in zip(rows, outcomes, predictions, strict=True):
        yield {"row": row, "outcome": outcome, "prediction": prediction}


def _print(report: dict[str, Any], played: list[dict[str, Any]], n: int) -> None:
    for number, trial in enumerate(played, start=1):
        row = _shown(trial["row"], n)
        wrong = " *" if trial["outcome"] != trial["prediction"] else ""
        click.echo(f"{number:{len(str(len(played)))}}  {row}  {trial['outcome']} {trial['prediction']}{wrong}")
    click.echo(f"{report['learner']} against {report['teacher']}")
    click.echo(f"trials    {report['trials']:,}")
    moves = f"{report['promotions']:,} promotions, {report['demotions']:,} demotions"
    click.echo(f"mistakes  {report['mistakes']:,} ({moves})")
    if report["bound"] is None:
        click.echo(f"bound     - ({report['why_not']})")
    else:
        click.echo(f"bound     {report['bound']:,.6g} ({report['theorem']})")
    if "additive_at_least" in report:
        click.echo(f"additive  an additive learner with this start errs at least {report['additive_at_least']:,} times")


def _shown(row: list[int], n: int) -> str:
    if n > SHOWN_WHOLE:
        return ",".join(map(str, row)) or "-"
    on = set(row)
    return "".join("1" if i in on else "0" for i in range(n))
