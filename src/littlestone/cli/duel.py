"""littlestone duel: one learner against one teacher, trial by trial if you like."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from littlestone.cli._completion import complete_learner, complete_teacher
from littlestone.cli._output import json_option, print_json
from littlestone.cli._remedies import typed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from littlestone.games.run import Run, Transcript
    from littlestone.streams import Stream
    from littlestone.teachers import Teacher

__all__ = ["duel"]

SHOWN_WHOLE = 64  # attributes: more than this, and a row is shown by those that are on


@click.command(short_help="Let one learner play against one teacher: mistakes and bounds.")
@click.argument("learner", shell_complete=complete_learner)
@click.argument("teacher", shell_complete=complete_teacher)
@click.argument("settings", nargs=-1, metavar="[KEY=VALUE]...")
@click.option("-s", "--set", "parameters", multiple=True, metavar="KEY=VALUE", help="A parameter of the learner.")
@click.option("-v", "--verbose", is_flag=True, help="Print each trial: row, outcome, prediction, * for a mistake.")
@json_option
def duel(learner: str, teacher: str, settings: tuple[str, ...], **options: Any) -> None:
    """Let LEARNER play against TEACHER, and print its mistakes beside the bounds that apply.

    The parameters of the teacher are given as KEY=VALUE, those of the learner behind its name, as in
    winnow:alpha=3/2,theta=64, or as --set KEY=VALUE. A value is a number (5, 0.25 or 3/2), true, false, none, whole
    numbers separated by commas, or a word.

    The teachers disjunction, threshold, dnf, decision-list, xor-features, shifting, model-m and kernel-trap-sample draw
    their examples at random; kernel-trap has a fixed list of them; hadamard and greedy choose each example after
    looking at the learner.

    \b
    littlestone duel perceptron hadamard d=4 k=1
    littlestone duel winnow:alpha=3/2,theta=64 greedy n=64 target=0,1
    littlestone duel elimination disjunction n=200 k=20 trials=1000
    littlestone duel kernel-perceptron kernel-trap n=320 --set kernel=monotone
    """  # noqa: D301 - \b is click's
    from littlestone import learners, teachers
    from littlestone.cli._settings import made
    from littlestone.games.game import play

    player = made("LEARNER", learner, learners.LEARNERS, options["parameters"])
    opponent = made("TEACHER", teacher, teachers.TEACHERS, settings)
    run = play(player, opponent, record=True)
    counts = {name: getattr(run, name) for name in ("trials", "mistakes", "updates", "promotions", "demotions")}
    report = {"learner": repr(player), "teacher": repr(opponent), **counts, **_verdict(run, opponent)}
    played = list(_played(run.transcript)) if options["verbose"] and run.transcript is not None else []
    if options["as_json"]:
        print_json({**report, "transcript": played} if options["verbose"] else report)
    else:
        _print(report, played, opponent.n_attributes or 0)


def _verdict(run: Run, opponent: Stream | Teacher) -> dict[str, Any]:
    """Return what theory says of this game: the learner's bound, or why there is none, and the teacher's."""
    from littlestone.core.errors import InvalidData
    from littlestone.teachers import Hadamard, KernelTrap, disjunction_of
    from littlestone.theory.hindsight import Verdict, comparators, tightest

    if run.played is None or run.played.stream is None:
        verdict = Verdict(None, None, "no trial was played")
    else:
        try:
            targets = comparators(run.played.stream, target=disjunction_of(opponent))
            verdict = tightest(run, targets, terms=getattr(opponent, "terms", None))
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
        least = report["additive_at_least"]
        click.echo(f"additive  any additive learner with this start makes at least {least:,} mistakes")
    if "kernel_perceptron_at_least" in report:
        least = report["kernel_perceptron_at_least"]
        click.echo(f"kernel    the kernel Perceptron that this traps makes {least:,} mistakes")


def _shown(row: list[int], n: int) -> str:
    if n > SHOWN_WHOLE:
        return ",".join(map(str, row)) or "-"
    on = set(row)
    return "".join("1" if i in on else "0" for i in range(n))
