"""littlestone compare: several learners on one stream, mistakes beside the bounds that had to hold."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from littlestone.cli._completion import complete_learners, complete_source
from littlestone.cli._output import call, json_option, print_json
from littlestone.cli._page import check_page, write_page
from littlestone.cli._players import players, usual
from littlestone.cli._remedies import typed
from littlestone.cli._settings import (
    NAMES,
    OneOf,
    WrongCall,
    built_in,
    built_in_name,
    made,
    no_such,
    parameters_of,
    source_options,
    stream_of,
)

if TYPE_CHECKING:
    from littlestone.streams import Stream
    from littlestone.theory.contests import Entry

__all__ = ["compare"]


@click.command(short_help="Play several learners on the same examples: mistakes and bounds.")
@click.argument("stream", metavar="FILE|STREAM", default="disjunction", shell_complete=complete_source)
@click.argument("settings", nargs=-1, metavar="[KEY=VALUE]...")
@click.option(
    "-l",
    "--learners",
    metavar="NAMES",
    shell_complete=complete_learners,
    help="Learners by name, separated by commas; or practical, theory, all.  [default: practical; of a STREAM theory]",
)
@click.option("-p", "--permutations", type=click.IntRange(0), default=0, help="Random orders to add.  [default: 0]")
@click.option("--tune", metavar="ROWS|FRACTION", help="First rows, not scored, that choose among alternatives.")
@click.option("--page", type=click.Path(dir_okay=False), metavar="OUT.html", help="Write a page with table and curves.")
@click.option("-k", "--relevant", "k", type=int, help="How many attributes the labels depend on.")
@click.option("-t", "--trials", type=int, help="How many examples to play; from a file, the first ones.")
@click.option("--density", type=float, help="Probability that an attribute is on.")
@click.option("--seed", type=click.IntRange(0), help="Seed of stream, permutations and coins.  [default: 0]")
@click.option("--noise", type=float, default=0.0,
              help="Probability that a label is flipped; of numbers, the deviation of what is added.  [default: 0]",
)  # fmt: skip
@click.option("--attribute-noise", type=float, default=0.0,
              help="Probability that the value of an attribute is flipped.  [default: 0]")  # fmt: skip
@click.option("--errors", type=int, default=0, help="Attribute errors that tuned learners expect.  [default: 0]")
@click.option("--hindsight", type=OneOf(["auto", "greedy", "exact", "none"]), default="auto", show_default=True,
              help="How to search for the disjunctions that give the bounds; auto: greedy, if it is fast enough.",
)  # fmt: skip
@click.option("--no-scale", is_flag=True, help="Leave real numbers of a table as they are.")
@click.option("--time-limit", type=click.FloatRange(0, min_open=True), help="Seconds for --hindsight exact.")
@json_option
@source_options
@click.pass_context
def compare(
    ctx: click.Context, /, stream: str, settings: tuple[str, ...], hindsight: str, time_limit: float | None,
    **options: Any,
) -> None:  # fmt: skip
    """Let several learners play on the same examples, and print their mistakes beside the bounds that apply.

    FILE is a file of any format that train reads, or - for stdin. STREAM is a built-in stream: disjunction (the
    default), threshold, dnf, decision-list, xor-features, shifting, model-m, kernel-trap or kernel-trap-sample, or one
    of the data sets tic-tac-toe and monks. Of the streams linear, regression-sparse (a sparse target, dense rows) and
    regression-dense (a dense target, sparse rows) the outcomes are numbers. Parameters of a STREAM are given as
    KEY=VALUE or by the options below.

    Real numbers of a table are scaled as train scales them: what is said of the rows is said of scaled ones.

    On a FILE the practical learners play: auto and those that are best on real data. The ones that the papers' theorems
    are about play by --learners theory, both by --learners all; they are what a STREAM is played by. Other learners go
    by the names that "littlestone learners" lists, and parameters follow a name, as in winnow:alpha=1.5,theta=100 or
    kernel-perceptron:kernel=monotone,budget=100. The prefix tuned- (for winnow, normalized-winnow, thresholded-beg and
    bayes-beg) sets the parameters that theory recommends for this n and k; the prefix randomized- (for winnow,
    thresholded-beg and weighted-majority) makes randomised predictions; tuned-randomized- does both. A learner that
    cannot take the examples drops out, and below the table is the reason.

    \b
    littlestone compare mail.svm.gz
    littlestone compare mail.svm.gz --learners theory
    littlestone compare mail.svm.gz -l auto,winnow:alpha=1.5,theta=100,arow -p 20 --page mail.html
    littlestone compare dnf n=50 k=3

    Where outcomes are numbers, regressors play: printed are the loss, the root of the mean squared error, the regret
    (how much more was lost than by the best weights of the learner's class, found in hindsight) and, where a theorem
    says how large rows may be, the bound. Of a built-in stream the X and the U of the theorems are known, and filled
    in. Beyond some seconds of search --hindsight exact is needed.

    \b
    littlestone compare regression-sparse
    littlestone compare regression-dense n=10000 -l gradient-descent,eg-plus-minus

    The bounds are those that hold for these very examples: the theorem of each learner is applied to disjunctions of k
    attributes, found in hindsight, and the smallest bound is printed. A disjunction's attribute errors are how many
    values of attributes would have to change for it to give every label. Every disjunction gives a valid bound;
    --hindsight exact finds the one with the fewest attribute errors.

    With --permutations 20 the rows, held in memory, are played in their own order and then in 20 random ones, the same
    for all learners. Printed are the mean, the standard deviation, and the difference from the best learner, game by
    game, with its 95% confidence interval.

    A parameter that is given more than once has alternatives, as in winnow:alpha=1.1:alpha=1.5:alpha=2. With --tune 0.1
    (or a number of rows) the first tenth of every game is not scored: all alternatives play it, and the one with the
    fewest mistakes starts again and plays the rest.
    """  # noqa: D301 - \b is click's
    from littlestone.cli._model import start
    from littlestone.theory.contests import Entry, contest
    from littlestone.theory.hindsight import Verdict

    start()

    if "=" in stream.partition(":")[0] and not Path(stream).exists():
        stream, settings = "disjunction", (stream, *settings)
    if time_limit is not None and hindsight != "exact":
        raise click.UsageError("--time-limit is for --hindsight exact")
    prefix, seed, page = _tuning(options["tune"]), options["seed"] or 0, options["page"]
    computed = stream != "-" and not Path(stream).exists()
    source = (_computed if computed else _file)(stream, settings, options)
    names = usual(source, computed=computed) if options["learners"] is None else options["learners"]
    found, unfit = players(names, source, options["k"], options["errors"], seed, computed=computed)
    if any(len(several) > 1 for several in found.values()) and not prefix:
        raise click.UsageError("a parameter was given more than once; --tune ROWS|FRACTION chooses among its values")
    if page is not None:
        check_page(page)
    played = contest(
        found, source, permutations=options["permutations"], seed=seed, tuning=prefix, hindsight=hindsight,
        time_limit=time_limit, trials=None if computed else options["trials"],
    )  # fmt: skip
    left = [Entry(name, (), (), why, Verdict(None, None, why)) for name, why in unfit.items()]
    played = replace(played, entries=tuple(map(_with_options, [*played.entries, *left])))
    if page is not None:
        from littlestone.report import contest_page

        write_page(page, contest_page(played, command=call(ctx), skipped=source.skipped))
    if options["as_json"]:
        settled = {"made": repr(source), "seed": seed}
        print_json(played.as_dict() | {"stream": stream, "settings": settled, "skipped": source.skipped})
    else:
        from littlestone.cli._contest_table import print_contest

        print_contest(played, source)


def _tuning(text: str | None) -> float:
    if text is None:
        return 0
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not number > 0 or (number >= 1 and not number.is_integer()):
        raise click.BadParameter(f"expected a number of rows, or a fraction below 1, got {text!r}", param_hint="--tune")
    return number if number < 1 else int(number)


def _file(name: str, settings: tuple[str, ...], options: dict[str, Any]) -> Stream:
    for option in ("density", "noise", "attribute_noise"):
        if options[option]:
            raise click.UsageError(f"--{option.replace('_', '-')} is for streams that are computed, {name} is a file")
    stream = stream_of(name, options, settings)
    if options["no_scale"]:
        return stream
    from littlestone.models.recipe import scaled_as_learned

    return scaled_as_learned(stream)


def _computed(name: str, settings: tuple[str, ...], options: dict[str, Any]) -> Stream:
    """Return the built-in stream of this name; its options come as KEY=VALUE or by their own names."""
    from littlestone.teachers import NUMBERED, AttributeNoise, LabelNoise

    known, plain_name = built_in(), built_in_name(name)
    if plain_name is None:
        raise WrongCall(no_such(name))
    for option in ("format", *(name for name in NAMES if name != "attributes")):
        if options[option] not in {None, ()}:
            raise click.UsageError(f"--{option.replace('_', '-')} is for files, got the stream {plain_name}")
    plain = {"n": options["attributes"], **{key: options[key] for key in ("k", "trials", "density", "seed")}}
    if options["permutations"] and "seed" not in parameters_of(known[plain_name]):
        plain.pop("seed")  # then it is that of the permutations alone
    numbers = plain_name in NUMBERED
    if numbers and options["noise"]:
        plain["noise"] = options["noise"]
    given = (f"{key}={value}" for key, value in plain.items() if value is not None)
    stream: Stream = made("STREAM", name, known, (*given, *settings))
    if options["attribute_noise"]:
        stream = AttributeNoise(stream, options["attribute_noise"], options["seed"] or 0)
    flipped = options["noise"] and not numbers
    return LabelNoise(stream, options["noise"], options["seed"] or 0) if flipped else stream


def _with_options(entry: Entry) -> Entry:
    """Return an entry whose remedies name options of the command line."""
    why, refused = entry.verdict.why_not, entry.refused
    said: dict[str, Any] = {"why_not": None if why is None else _without_owner(typed(why))}
    no_regret = getattr(entry.verdict, "no_regret", None)
    if no_regret is not None:
        said["no_regret"] = typed(no_regret)
    verdict = replace(entry.verdict, **said)
    return replace(entry, refused=None if refused is None else typed(refused), verdict=verdict)


def _without_owner(why: str) -> str:
    """Return why there is no bound without the function that found it out, of which no user of a command knows."""
    return why.removeprefix("greedy_path: ")
