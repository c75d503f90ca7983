"""littlestone compare: several learners on one stream, mistakes beside the bounds that had to hold."""

from __future__ import annotations

import inspect
import json
import re
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
TUNED, RANDOMIZED = "tuned-", "randomized-"
LONG = 1e12  # a bound of more would fill the table with digits


@click.command(short_help="Let several learners play one stream: mistakes beside bounds.")
@click.argument("stream", default="disjunction")
@click.argument("settings", nargs=-1, metavar="[KEY=VALUE]...")
@click.option("-l", "--learners", default=USUAL, help="Learners by name, separated by commas.  [default: most of them]")
@click.option("-n", "--attributes", "n", type=int, help="Number of attributes.")
@click.option("-k", "--relevant", "k", type=int, help="How many of them matter.")
@click.option("-t", "--trials", type=int, help="Number of examples.")
@click.option("--density", type=float, help="Probability that an attribute is on.")
@click.option("--seed", type=int, help="Seed of the stream, and of coins.  [default: 0]")
@click.option("--noise", type=float, default=0.0, help="Probability that a label is flipped.  [default: 0]")
@click.option("--attribute-noise", type=float, default=0.0, help="Probability that an attribute is.  [default: 0]")
@click.option("--errors", type=int, default=0, help="Attribute errors that tuned learners expect.  [default: 0]")
@click.option(
    "--hindsight", type=click.Choice(["greedy", "exact", "none"]), default="greedy", show_default=True,
    help="How the disjunctions are found that the bounds are computed from.",
)  # fmt: skip
@click.option("--time-limit", type=click.FloatRange(0, min_open=True), help="Seconds for --hindsight exact.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def compare(
    stream: str, settings: tuple[str, ...], learners: str, errors: int, hindsight: str, time_limit: float | None,
    *, as_json: bool, **options: Any,
) -> None:  # fmt: skip
    """Let several learners play the same STREAM and print their mistakes beside the bounds that had to hold.

    STREAM is a built-in one: disjunction (the default), threshold, dnf, decision-list, xor-features, shifting, model-m,
    kernel-trap or kernel-trap-sample, or a set whose rows are computed: tic-tac-toe or monks. Parameters come as
    KEY=VALUE or by the options below.

    Learners go by their lower-case names: perceptron, winnow, balanced-winnow, normalized-winnow, thresholded-beg,
    bayes-beg, elimination, p-norm; slower ones are direct-bayes, weighted-majority, naive-bayes, sbsb, sasb, ellipsoid,
    volumetric-center, kernel-perceptron, kernel-winnow, growing-winnow and directed-drift. Parameters follow a name as
    in winnow:alpha=1.5 or kernel-perceptron:kernel=monotone:budget=100. With tuned- before it (winnow,
    normalized-winnow, thresholded-beg, bayes-beg) a learner takes the parameters that theory has for this n and k; with
    randomized- (winnow, thresholded-beg, weighted-majority) it tosses coins; tuned-randomized- is both.

    The bound is the one that holds for this very stream: the theorem of each learner against a disjunction of k
    attributes with A attribute errors, of those found with hindsight the one that makes it smallest. Any disjunction
    gives a valid bound; the exact search finds the one with the fewest attribute errors.
    """
    from littlestone.errors import TooLarge
    from littlestone.game import play_all
    from littlestone.hindsight import tightest

    if "=" in stream:
        stream, settings = "disjunction", (stream, *settings)
    if time_limit is not None and hindsight != "exact":
        raise click.UsageError("--time-limit is for --hindsight exact")
    source = _stream(stream, settings, options)
    players = _players(learners, source, errors, options["seed"] or 0)
    found, why = _comparators(source, hindsight, time_limit)  # before the game: an infeasible search says so at once
    # Kernels are compiled at their first call: a trial beforehand keeps that out of the times.
    play_all([player.copy() for player in players.values()], source, trials=1)
    try:
        runs = play_all(list(players.values()), source)
    except TooLarge as error:
        raise click.ClickException(f"{error}; or leave it out: -l says who plays") from error
    results = []
    for name, run in zip(players, runs, strict=True):
        verdict = tightest(run, found, terms=source.terms).as_dict()
        if why is not None and run.guarantee is not None and verdict["bound"] is None:
            verdict["why_not"] = why
        ratio = None if not verdict["bound"] else run.mistakes / verdict["bound"]
        results.append({
            "name": name, "mistakes": run.mistakes, "updates": run.updates, "promotions": run.promotions,
            "demotions": run.demotions, "seconds": round(run.seconds, 6), **verdict, "ratio": ratio,
        })  # fmt: skip
    best = min(found, key=lambda one: (one.attribute_errors, one.lower is None, one.k), default=None)
    if as_json:
        report = {
            "stream": stream, "settings": {"made": repr(source), "seed": options["seed"] or 0},
            "trials": runs[0].trials, "hindsight": None if best is None else best.as_dict(), "learners": results,
        }  # fmt: skip
        click.echo(json.dumps(report, allow_nan=False))
    else:
        _print(source, best, results)


def _stream(name: str, settings: tuple[str, ...], options: dict[str, Any]) -> Stream:
    """Return the built-in stream of this name; its options come as KEY=VALUE or by their own names."""
    from littlestone.cli._settings import made
    from littlestone.datasets import DATASETS
    from littlestone.streams import Stream
    from littlestone.teachers import TEACHERS, AttributeNoise, LabelNoise

    known: dict[str, Any] = {name: kind for name, kind in TEACHERS.items() if issubclass(kind, Stream)} | DATASETS
    noise, attribute_noise = options["noise"], options["attribute_noise"]
    plain = {key: value for key, value in options.items() if value is not None and "noise" not in key}
    stream: Stream = made("STREAM", name, known, (*(f"{key}={value}" for key, value in plain.items()), *settings))
    if attribute_noise:
        stream = AttributeNoise(stream, attribute_noise, options["seed"] or 0)
    return LabelNoise(stream, noise, options["seed"] or 0) if noise else stream


def _comparators(source: Stream, how: str, time_limit: float | None) -> tuple[list[Comparator], str | None]:
    """Return the disjunctions that runs are held against, or why there are none."""
    from littlestone.errors import InvalidData, TooLarge
    from littlestone.hindsight import comparators
    from littlestone.teachers import disjunction_of

    if how == "none":
        return [], "no disjunction was looked for (--hindsight none)"
    limit = 60.0 if time_limit is None else time_limit
    try:
        return comparators(source, target=disjunction_of(source), exact=how == "exact", time_limit=limit), None
    except TooLarge as error:
        raise click.ClickException(f"{error}; on the command line that is --hindsight greedy") from error
    except InvalidData as error:
        return [], str(error)


def _players(names: str, source: Stream, errors: int, seed: int) -> dict[str, Learner]:
    """Return the learners by their names, with their defaults, or as theory has it for n and k."""
    from littlestone.errors import LittlestoneError

    n = source.n_attributes or 1
    k = min(getattr(getattr(source, "stream", source), "k", 1), n)
    players: dict[str, Learner] = {}
    for name in filter(None, (word.strip() for word in names.split(","))):
        try:
            players[name] = _learner(name, n, k, errors, seed)
        except LittlestoneError as error:
            raise click.BadParameter(f"{name}: {error}; -l says who plays", param_hint="--learners") from error
    if not players:
        raise click.BadParameter("expected at least one name", param_hint="--learners")
    return players


def _learner(name: str, n: int, k: int, errors: int, seed: int) -> Learner:
    from littlestone.cli._settings import made
    from littlestone.learners import LEARNERS, BayesBEG, by_name

    plain, *settings = re.split(r":(?=\w+=)", name)  # a kernel's name may have a colon of its own
    tuned, plain = plain.startswith(TUNED), plain.removeprefix(TUNED)
    if settings:
        if tuned or plain.startswith(RANDOMIZED):
            raise click.BadParameter(f"settings go with a plain name, got {name!r}", param_hint="--learners")
        chosen: Learner = made("learner", plain, LEARNERS, tuple(settings))
        return chosen.begin(n)
    coins = {"randomized": True, "seed": seed} if plain.startswith(RANDOMIZED) else {}
    kind = by_name(plain.removeprefix(RANDOMIZED))
    if coins and "randomized" not in kind.parameter_names():
        raise click.BadParameter(f"there are no randomised predictions for {name!r}", param_hint="--learners")
    if not tuned:
        return kind(**coins).begin(n)
    tuner: Any = kind.theorem3 if issubclass(kind, BayesBEG) else getattr(kind, "for_disjunctions", None)
    if tuner is None:
        raise click.BadParameter(f"theory has no parameters to choose for {name!r}", param_hint="--learners")
    if "attribute_errors" in inspect.signature(tuner).parameters:
        coins["attribute_errors"] = errors
    learner: Learner = tuner(n=n, k=k, **coins)
    return learner


def _print(source: Stream, best: Comparator | None, results: list[dict[str, Any]]) -> None:
    from littlestone.cli._table import console, plain_table

    table = plain_table(repr(source))
    table.add_column("learner", no_wrap=True)
    for heading in ("mistakes", "bound", "ratio", "ms"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("theorem (k attributes, A attribute errors)", overflow="fold")
    for result in results:
        bound, ratio, why = "-", "-", f"[dim]({result['why_not']})[/]"
        if result["bound"] is not None:
            against = result["comparator"]
            errors = f", A={against['attribute_errors']:,}" if against["attribute_errors"] else ""
            terms = " terms" if "DNF" in result["theorem"] else ""
            of = "" if result["of"] == "mistakes" else f", on {result['of']}"
            size = ",.0f" if result["bound"] < LONG else ".3g"
            bound, why = (
                f"{result['bound']:{size}}",
                f"{result['theorem']} [dim](k={against['k']}{terms}{errors}{of})[/]",
            )
            ratio = "-" if result["ratio"] is None else f"{result['ratio']:.2f}"
        table.add_row(result["name"], f"{result['mistakes']:,}", bound, ratio, f"{1000 * result['seconds']:.1f}", why)
    printer = console()
    printer.print(table)
    if best is not None:
        printer.print(f"Fewest attribute errors ({best.method}): {best}", highlight=False, soft_wrap=True)
