"""littlestone compare: several learners on one stream, mistakes beside the bounds that had to hold."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from littlestone.cli._players import players, usual
from littlestone.cli._remedies import typed
from littlestone.cli._settings import (
    NAMES,
    WrongCall,
    built_in,
    made,
    no_such,
    parameters_of,
    source_options,
    stream_of,
)

if TYPE_CHECKING:
    from littlestone.streams import Stream
    from littlestone.theory.contests import Contest, Entry

__all__ = ["compare"]


@click.command(short_help="Let several learners play one file or stream: mistakes beside bounds.")
@click.argument("stream", metavar="FILE|STREAM", default="disjunction")
@click.argument("settings", nargs=-1, metavar="[KEY=VALUE]...")
@click.option("-l", "--learners", help="Learners by name, separated by commas.  [default: most of them]")
@click.option("-p", "--permutations", type=click.IntRange(0), default=0, help="Other orders to play.  [default: 0]")
@click.option("--tune", metavar="ROWS|FRACTION", help="First rows, not scored, that choose among alternatives.")
@click.option("--page", type=click.Path(dir_okay=False), metavar="OUT.html", help="Write a page with table and curves.")
@click.option("-k", "--relevant", "k", type=int, help="How many attributes matter.")
@click.option("-t", "--trials", type=int, help="Number of examples; of a file, the first ones.")
@click.option("--density", type=float, help="Probability that an attribute is on.")
@click.option("--seed", type=click.IntRange(0), help="Seed of the stream, of permutations and coins.  [default: 0]")
@click.option("--noise", type=float, default=0.0, help="Probability that a label is flipped.  [default: 0]")
@click.option("--attribute-noise", type=float, default=0.0, help="Probability that an attribute is.  [default: 0]")
@click.option("--errors", type=int, default=0, help="Attribute errors that tuned learners expect.  [default: 0]")
@click.option(
    "--hindsight",
    type=click.Choice(["auto", "greedy", "exact", "none"]),
    default="auto",
    show_default=True,
    help="How the disjunctions are found that the bounds are computed from; auto: greedy, unless that takes long.",
)
@click.option("--time-limit", type=click.FloatRange(0, min_open=True), help="Seconds for --hindsight exact.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
@source_options
@click.pass_context
def compare(
    ctx: click.Context, /, stream: str, settings: tuple[str, ...], learners: str | None, permutations: int,
    tune: str | None, page: str | None, errors: int, hindsight: str, time_limit: float | None, as_json: bool,
    **options: Any,
) -> None:  # fmt: skip
    """Let several learners play the same FILE or STREAM and print their mistakes beside the bounds that had to hold.

    FILE is of any format that is read, or - for stdin. STREAM is a built-in one: disjunction (the default), threshold,
    dnf, decision-list, xor-features, shifting, model-m, kernel-trap or kernel-trap-sample, or a set whose rows are
    computed: tic-tac-toe or monks. Its parameters come as KEY=VALUE or by the options below.

    Learners go by their lower-case names: perceptron, winnow, balanced-winnow, normalized-winnow, thresholded-beg,
    bayes-beg, elimination, p-norm, modified-balanced-winnow, shifting-winnow, passive-aggressive, romma, alma, ogd,
    adagrad, second-order-perceptron, arow, narow, nherd, scw, confidence-weighted; slower ones are voted-perceptron,
    direct-bayes, weighted-majority, naive-bayes, sbsb, sasb, ellipsoid, volumetric-center, kernel-perceptron,
    kernel-winnow, growing-winnow and directed-drift. Parameters follow a name as in winnow:alpha=1.5, alma:p=none or
    kernel-perceptron:kernel=monotone:budget=100. With tuned- before it (winnow, normalized-winnow, thresholded-beg,
    bayes-beg) a learner takes the parameters that theory has for this n and k; with randomized- (winnow,
    thresholded-beg, weighted-majority) it tosses coins; tuned-randomized- is both. One that refuses the rows leaves
    alone, and its line says why.

    The bound is the one that holds for this very stream: the theorem of each learner against a disjunction of k
    attributes with A attribute errors, of those found with hindsight the one that makes it smallest. Any disjunction
    gives a valid bound; the exact search finds the one with the fewest attribute errors.

    With --permutations 20 the rows, in memory, are played in their own order and then in 20 others, the same for all:
    mean, standard deviation, and the difference from the best, game by game, with its 95% interval.

    A parameter given more than once has alternatives, as in winnow:alpha=1.1:alpha=1.5:alpha=2. With --tune 0.1 (or a
    number of rows) the first tenth of every game is not scored: there the alternatives play, and the one with the
    fewest mistakes begins anew and plays the rest.
    """
    from littlestone.theory.contests import Entry, contest
    from littlestone.theory.hindsight import Verdict

    if "=" in stream and not Path(stream).exists():
        stream, settings = "disjunction", (stream, *settings)
    if time_limit is not None and hindsight != "exact":
        raise click.UsageError("--time-limit is for --hindsight exact")
    prefix, seed = _tuning(tune), options["seed"] or 0
    computed = stream != "-" and not Path(stream).exists()
    source = _computed(stream, settings, options, permutations) if computed else _file(stream, settings, options)
    found, unfit = players(
        usual(source) if learners is None else learners, source, options["k"], errors, seed, computed=computed
    )
    if any(len(several) > 1 for several in found.values()) and not prefix:
        raise click.UsageError("a parameter was given more than once; --tune ROWS|FRACTION chooses among its values")
    if page is not None:
        _check_page(page)
    played = contest(
        found, source, permutations=permutations, seed=seed, tuning=prefix, hindsight=hindsight,
        time_limit=time_limit, trials=None if computed else options["trials"],
    )  # fmt: skip
    left = [Entry(name, (), (), why, Verdict(None, None, why)) for name, why in unfit.items()]
    played = replace(played, entries=tuple(map(_in_our_words, [*played.entries, *left])))
    if page is not None:
        _write(page, played, source, ctx)
    if as_json:
        click.echo(json.dumps(_report(played, stream, source, seed), allow_nan=False))
    else:
        from littlestone.cli._contest_table import print_contest

        print_contest(played, source)


def _tuning(told: str | None) -> float:
    if told is None:
        return 0
    try:
        number = float(told)
    except ValueError:
        number = -1.0
    if not number > 0 or (number >= 1 and not number.is_integer()):
        raise click.BadParameter(f"expected a number of rows, or a fraction below 1, got {told!r}", param_hint="--tune")
    return number if number < 1 else int(number)


def _file(name: str, settings: tuple[str, ...], options: dict[str, Any]) -> Stream:

    for option in ("density", "noise", "attribute_noise"):
        if options[option]:
            raise click.UsageError(f"--{option.replace('_', '-')} is for streams that are computed, {name} is a file")
    return stream_of(name, options, settings)


def _computed(name: str, settings: tuple[str, ...], options: dict[str, Any], permutations: int) -> Stream:
    """Return the built-in stream of this name; its options come as KEY=VALUE or by their own names."""
    from littlestone.teachers import AttributeNoise, LabelNoise

    known = built_in()
    if name not in known:
        raise WrongCall(no_such(name))
    for option in ("format", *(name for name in NAMES if name != "attributes")):
        if options[option] not in {None, ()}:
            raise click.UsageError(f"--{option.replace('_', '-')} is for files, got the stream {name}")
    plain = {"n": options["attributes"], **{key: options[key] for key in ("k", "trials", "density", "seed")}}
    if permutations and name in known and "seed" not in parameters_of(known[name]):
        plain.pop("seed")  # then it is that of the permutations alone
    told = (f"{key}={value}" for key, value in plain.items() if value is not None)
    stream: Stream = made("STREAM", name, known, (*told, *settings))
    if options["attribute_noise"]:
        stream = AttributeNoise(stream, options["attribute_noise"], options["seed"] or 0)
    return LabelNoise(stream, options["noise"], options["seed"] or 0) if options["noise"] else stream


def _report(played: Contest, name: str, source: Stream, seed: int) -> dict[str, Any]:
    report = played.as_dict() | {"stream": name, "settings": {"made": repr(source), "seed": seed}}
    report["skipped"] = source.skipped
    return report


def _in_our_words(entry: Entry) -> Entry:
    """Return an entry whose remedies can be typed."""
    why, refused = entry.verdict.why_not, entry.refused
    verdict = replace(entry.verdict, why_not=None if why is None else typed(why))
    return replace(entry, refused=None if refused is None else typed(refused), verdict=verdict)


def _check_page(page: str) -> None:
    """Say that the page cannot be drawn or written before the games, not after them."""
    from littlestone.report.figure import check_matplotlib

    check_matplotlib()
    if not Path(page).absolute().parent.is_dir():
        raise click.ClickException(f"{page}: it cannot be written: there is no such folder")


def _write(path: str, played: Contest, source: Stream, ctx: click.Context) -> None:
    from littlestone.cli._spoken import spoken
    from littlestone.report import contest_page
    from littlestone.streams.writers import atomic

    with atomic(path) as file:
        file.write(contest_page(played, command=spoken(ctx), skipped=source.skipped).encode())
