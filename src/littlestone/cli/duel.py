"""littlestone duel: one learner against one teacher, trial by trial if you like."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from littlestone.cli._remedies import typed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from littlestone.games.run import Run, Transcript
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

    Teachers: disjunction, threshold, dnf, decision-list, xor-features, shifting, model-m and kernel-trap-sample draw
    their examples, those of kernel-trap are constructed; hadamard and greedy look at the learner before each trial. A
    value is a whole number, a decimal, a fraction, true, false, whole numbers separated by commas, or a word.

    \b
    littlestone duel perceptron hadamard d=4 k=1
    littlestone duel winnow greedy n=64 target=0,1 --set alpha=3/2 --set theta=64
    littlestone duel elimination disjunction n=200 k=20 trials=1000
    littlestone duel kernel-perceptron kernel-trap n=320 --set kernel=monotone
    """  # noqa: D301 - \b is click's
    from littlestone import learners, teachers
    from littlestone.cli._settings import made
    from littlestone.games.game import play

    player = made("LEARNER", learner, learners.LEARNERS, parameters)
    opponent = made("TEACHER", teacher, teachers.TEACHERS, settings)
    run = play(player, opponent, record=True)
    report = {
        "learner": repr(player), "teacher": repr(opponent), "trials": run.trials, "mistakes": run.mistakes,
        "updates": run.updates, "promotions": run.promotions, "demotions": run.demotions, **_verdict(run, opponent),
    }  # fmt: skip
    played = list(_played(run.transcript)) if verbose and run.transcript is not None else []
    if as_json:
        click.echo(json.dumps({**report, "transcript": played} if verbose else report, allow_nan=False))
    else:
        _print(report, played, opponent.n_attributes or 0)


def _verdict(run: Run, opponent: Stream | Teacher) -> dict[str, Any]:
    """Return what theory had to say of this game: the learner's bound, or why there is none, and the teacher's."""
    from littlestone.core.errors import InvalidData
    from littlestone.teachers import Hadamard, KernelTrap, disjunction_of
    from littlestone.theory.hindsight import Verdict, comparators, tightest

    if run.played is None or run.played.stream is None:
        verdict = Verdict(None, None, "no trial was played")
    else:
        try:
            verdict = tightest(
                run,
                comparators(run.played.stream, target=disjunction_of(opponent)),
                terms=getattr(opponent, "terms", None),
            )
        except InvalidData as error:
            verdict = Verdict(None, None, typed(error))
    found = verdict.as_dict()
    if isinstance(opponent, Hadamard):
        found["additive_at_least"] = opponent.promises
    if isinstance(opponent, KernelTrap):
        found["kernel_perceptron_at_least"] = opponent.promises
    return found


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
        against = report["comparator"]
        if "loss" in against:
            held = f"L={against['loss']:,.1f}"
        else:
            errors = f", {against['attribute_errors']:,} attribute errors" if against["attribute_errors"] else ""
            held = f"k={against['k']}{errors}"
        of = "" if report["of"] == "mistakes" else f"on {report['of']}, "
        click.echo(f"bound     {report['bound']:,.6g} ({of}{report['theorem']}, {held})")
    if "additive_at_least" in report:
        click.echo(f"additive  an additive learner with this start errs at least {report['additive_at_least']:,} times")
    if "kernel_perceptron_at_least" in report:
        click.echo(
            f"kernel    the kernel Perceptron that is trapped errs {report['kernel_perceptron_at_least']:,} times"
        )


def _shown(row: list[int], n: int) -> str:
    if n > SHOWN_WHOLE:
        return ",".join(map(str, row)) or "-"
    on = set(row)
    return "".join("1" if i in on else "0" for i in range(n))
