"""littlestone compare: several learners on one stream, mistakes beside bounds."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from littlestone.bounds import Bound
    from littlestone.learners import Learner
    from littlestone.run import Run
    from littlestone.teachers import Disjunction

__all__ = ["compare"]

USUAL = (
    "perceptron,p-norm,balanced-winnow,winnow,tuned-winnow,tuned-normalized-winnow,thresholded-beg,"
    "tuned-thresholded-beg,bayes-beg,tuned-bayes-beg,elimination"
)
TUNED = "tuned-"


@click.command(short_help="Let several learners play one stream: mistakes beside bounds.")
@click.argument("stream", default="disjunction")
@click.option("-l", "--learners", default=USUAL, help="Learners by name, separated by commas.  [default: most of them]")
@click.option("-n", "--attributes", "n", type=int, default=1000, show_default=True, help="Number of attributes.")
@click.option("-k", "--relevant", "k", type=int, default=5, show_default=True, help="How many of them matter.")
@click.option("-t", "--trials", type=int, default=10_000, show_default=True, help="Number of examples.")
@click.option("--density", type=float, help="Probability that an attribute is on.  [default: 1 - 2^(-1/k)]")
@click.option("--noise", type=float, default=0.0, show_default=True, help="Probability that a label is flipped.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the stream.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def compare(
    stream: str, learners: str, n: int, k: int, trials: int, density: float | None, noise: float, seed: int,
    *, as_json: bool,
) -> None:  # fmt: skip
    """Let several learners play the same STREAM, read once, and print their mistakes beside their bounds.

    STREAM is the built-in stream "disjunction": random rows, positive iff one of the first k attributes is on.

    Learners go by their lower-case names: perceptron, winnow, balanced-winnow, normalized-winnow, thresholded-beg,
    bayes-beg, elimination, p-norm. With tuned- before it (winnow, normalized-winnow, thresholded-beg, bayes-beg) a
    learner takes the parameters that theory has for this n and k.
    """
    from littlestone.game import play_all
    from littlestone.teachers import Disjunction

    if stream != "disjunction":
        raise click.BadParameter(f"expected the built-in stream 'disjunction', got {stream!r}", param_hint="STREAM")
    teacher = Disjunction(n, k, trials=trials, density=density, noise=noise, seed=seed)
    names = [name.strip() for name in learners.split(",") if name.strip()]
    if not names:
        raise click.BadParameter("expected at least one name", param_hint="--learners")
    players = [_learner(name, n, k) for name in names]
    # Kernels are compiled at their first call: a trial beforehand keeps that out of the times.
    play_all([player.copy() for player in players], teacher, trials=1)
    runs = play_all(players, teacher)
    results = [
        {"name": name, "mistakes": run.mistakes, "updates": run.updates, "promotions": run.promotions,
         "demotions": run.demotions, "seconds": round(run.seconds, 6), **_bound(run, teacher)}
        for name, run in zip(names, runs, strict=True)
    ]  # fmt: skip
    if as_json:
        settings = {"n": n, "k": k, "density": teacher.density, "noise": noise, "seed": seed}
        report = {"stream": stream, "settings": settings, "trials": trials, "learners": results}
        click.echo(json.dumps(report, allow_nan=False))
    else:
        _print(teacher, results)


def _learner(name: str, n: int, k: int) -> Learner:
    """Return the learner by its name: with its defaults, or as theory has it for n and k."""
    from littlestone.errors import InvalidParameter
    from littlestone.learners import BayesBEG, by_name

    try:
        kind = by_name(name.removeprefix(TUNED))
    except InvalidParameter as error:
        raise click.BadParameter(str(error), param_hint="--learners") from error
    if not name.startswith(TUNED):
        return kind().begin(n)
    made: Any = kind.theorem3 if issubclass(kind, BayesBEG) else getattr(kind, "for_disjunctions", None)
    if made is None:
        raise click.BadParameter(f"theory has no parameters to choose for {name!r}", param_hint="--learners")
    learner: Learner = made(n=n, k=k)
    return learner


def _bound(run: Run, teacher: Disjunction) -> dict[str, Any]:
    """Return the bound that holds for this stream's target, or why there is none."""
    found = run.guarantee
    if found is None:
        return {"bound": None, "theorem": None, "why_not": "no theorem known"}
    if teacher.noise:
        allows = "attribute_errors" in found.arguments
        why = "attribute errors are not counted here" if allows else "the theorem allows no noise"
        return {"bound": None, "theorem": None, "why_not": why}
    held = _at(found, teacher.k)
    return {"bound": held.value, "theorem": held.theorem, "why_not": None}


def _at(bound: Bound, k: int) -> Bound:
    return bound.at(k=k) if "k" in bound.arguments else bound


def _print(teacher: Disjunction, results: list[dict[str, Any]]) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    noise = f", {teacher.noise:.1%} of the labels flipped" if teacher.noise else ""
    title = f"disjunction of {teacher.k} of {teacher.n_attributes:,} attributes, {teacher.trials:,} trials{noise}"
    table = Table(
        title=title, title_justify="left", title_style="bold", box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False
    )
    table.add_column("learner", no_wrap=True)
    for heading in ("mistakes", "bound", "ms"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("theorem")
    for result in results:
        bound = "-" if result["bound"] is None else f"{result['bound']:,.0f}"
        why = result["theorem"] or f"[dim]({result['why_not']})[/]"
        table.add_row(result["name"], f"{result['mistakes']:,}", bound, f"{1000 * result['seconds']:.1f}", why)
    Console().print(table)
