"""littlestone compare: several learners on one stream, mistakes beside the bounds that had to hold."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from littlestone.hindsight import Comparator
    from littlestone.learners import Learner
    from littlestone.streams import Stream

__all__ = ["compare"]

USUAL = (
    "perceptron,p-norm,balanced-winnow,winnow,tuned-winnow,tuned-normalized-winnow,thresholded-beg,"
    "tuned-thresholded-beg,bayes-beg,tuned-bayes-beg,elimination"
)
TUNED = "tuned-"


@click.command(short_help="Let several learners play one stream: mistakes beside bounds.")
@click.argument("stream", default="disjunction")
@click.argument("settings", nargs=-1, metavar="[KEY=VALUE]...")
@click.option("-l", "--learners", default=USUAL, help="Learners by name, separated by commas.  [default: most of them]")
@click.option("-n", "--attributes", "n", type=int, help="Number of attributes.  [default: 1000]")
@click.option("-k", "--relevant", "k", type=int, help="How many of them matter.  [default: 5]")
@click.option("-t", "--trials", type=int, help="Number of examples.  [default: 10,000]")
@click.option("--density", type=float, help="Probability that an attribute is on.")
@click.option("--noise", type=float, help="Probability that a label is flipped.  [default: 0]")
@click.option("--seed", type=int, help="Seed of the stream.  [default: 0]")
@click.option(
    "--hindsight", type=click.Choice(["greedy", "exact", "none"]), default="greedy", show_default=True,
    help="How the disjunctions are found that the bounds are computed from.",
)  # fmt: skip
@click.option("--time-limit", type=float, help="Seconds for the exact search.  [default: 60]")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def compare(
    stream: str, settings: tuple[str, ...], learners: str, n: int | None, k: int | None, hindsight: str,
    time_limit: float | None, *, as_json: bool, **given: Any,
) -> None:  # fmt: skip
    """Let several learners play the same STREAM, read once, and print their mistakes beside their bounds.

    STREAM is a built-in one: disjunction, threshold, dnf, decision-list, xor-features, shifting or model-m, with
    parameters as KEY=VALUE or by the options below.

    Learners go by their lower-case names: perceptron, winnow, balanced-winnow, normalized-winnow, thresholded-beg,
    bayes-beg, elimination, p-norm. With tuned- before it (winnow, normalized-winnow, thresholded-beg, bayes-beg) a
    learner takes the parameters that theory has for this n and k.

    The bound is the one that holds for this very stream: the theorem of each learner, against the disjunction (of
    those found with hindsight) that makes it smallest. Any disjunction gives a valid bound; the exact search finds the
    one with the fewest attribute errors.
    """
    from littlestone.game import play_all
    from littlestone.hindsight import comparators, tightest

    told = {"n": n, "k": k, **given}
    source = _stream(stream, settings, {name: value for name, value in told.items() if value is not None})
    players = _players(learners, source)
    if time_limit is not None and hindsight != "exact":
        raise click.UsageError("--time-limit is for --hindsight exact")
    # Kernels are compiled at their first call: a trial beforehand keeps that out of the times.
    play_all([player.copy() for player in players.values()], source, trials=1)
    runs = play_all(list(players.values()), source)
    found = []
    if hindsight != "none":
        limit = 60.0 if time_limit is None else time_limit
        target = getattr(source, "target", None)
        found = comparators(source, target=target, exact=hindsight == "exact", time_limit=limit)
    results = []
    for name, run in zip(players, runs, strict=True):
        verdict = tightest(run.guarantee, found).as_dict()
        ratio = None if not verdict["bound"] else run.mistakes / verdict["bound"]
        results.append({
            "name": name, "mistakes": run.mistakes, "updates": run.updates, "promotions": run.promotions,
            "demotions": run.demotions, "seconds": round(run.seconds, 6), **verdict, "ratio": ratio,
        })  # fmt: skip
    best = min(found, key=lambda one: (one.attribute_errors, one.lower is None, one.k), default=None)
    if as_json:
        report = {
            "stream": stream, "settings": {"made": repr(source), "seed": getattr(source, "seed", None)},
            "trials": runs[0].trials, "hindsight": None if best is None else best.as_dict(), "learners": results,
        }  # fmt: skip
        click.echo(json.dumps(report, allow_nan=False))
    else:
        _print(source, best, results)


def _stream(name: str, settings: tuple[str, ...], options: dict[str, Any]) -> Stream:
    """Return the built-in stream of this name; its options come as KEY=VALUE or by their own names."""
    from littlestone.cli._settings import made
    from littlestone.streams import Stream
    from littlestone.teachers import TEACHERS

    known = {name: kind for name, kind in TEACHERS.items() if issubclass(kind, Stream)}
    told = (*(f"{key}={value}" for key, value in options.items()), *settings)
    stream: Stream = made("STREAM", name, known, told)
    return stream


def _players(names: str, source: Stream) -> dict[str, Learner]:
    """Return the learners by their names, with their defaults, or as theory has it for n and k."""
    n, k = source.n_attributes or 1, min(getattr(source, "k", 1), source.n_attributes or 1)
    players = {name.strip(): _learner(name.strip(), n, k) for name in names.split(",") if name.strip()}
    if not players:
        raise click.BadParameter("expected at least one name", param_hint="--learners")
    return players


def _learner(name: str, n: int, k: int) -> Learner:
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


def _print(source: Stream, best: Comparator | None, results: list[dict[str, Any]]) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    table = Table(
        title=repr(source), title_justify="left", title_style="bold", box=SIMPLE_HEAD, padding=(0, 1, 0, 0),
        pad_edge=False,
    )  # fmt: skip
    table.add_column("learner", no_wrap=True)
    for heading in ("mistakes", "bound", "ratio", "ms"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("theorem (against a disjunction)")
    for result in results:
        bound, ratio, why = "-", "-", f"[dim]({result['why_not']})[/]"
        if result["bound"] is not None:
            against = result["comparator"]
            errors = f", A={against['attribute_errors']:,}" if against["attribute_errors"] else ""
            bound, why = f"{result['bound']:,.0f}", f"{result['theorem']} [dim](k={against['k']}{errors})[/]"
            ratio = "-" if result["ratio"] is None else f"{result['ratio']:.2f}"
        table.add_row(result["name"], f"{result['mistakes']:,}", bound, ratio, f"{1000 * result['seconds']:.1f}", why)
    console = Console()
    console.print(table)
    if best is not None:
        console.print(f"In hindsight ({best.method}): {best}", highlight=False, soft_wrap=True)
