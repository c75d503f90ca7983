"""A contest as a page: what was played, the table, the curves."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from html import escape
from importlib.metadata import version
from pathlib import PurePath
from typing import Any

import numpy as np

from littlestone.report._contest_figures import differences, mistakes, rates
from littlestone.report.figure import swatch
from littlestone.report.page import page, section, table
from littlestone.theory.contests import Contest, Entry

__all__ = ["contest_page"]

LONG = 1e12  # a bound of more would fill the table with digits
BLANK = "\N{EN DASH}"


def contest_page(contest: Contest, *, command: str = "", skipped: int = 0) -> str:
    """Return a contest as one HTML page that needs no network and no scripts.

    The same contest gives the same bytes, apart from times. ``command`` is what was typed, ``skipped`` the number of
    bad lines that were left out.

    >>> import littlestone as ls
    >>> from littlestone.theory.contests import contest
    >>> stream = ls.from_arrays([[1, 0], [0, 1], [1, 1], [0, 0]], [1, 0, 1, 0])
    >>> contest_page(contest([ls.Winnow(), ls.Perceptron()], stream)).count("<figure>")
    2
    """
    order = sorted(contest.entries, key=lambda entry: np.inf if entry.sample is None else entry.sample.mean)
    numbers = {entry.name: number for number, entry in enumerate(order)}
    drawn = [entry for entry in order if entry.runs]
    figures = [mistakes(contest, drawn), rates(contest, drawn)]
    if contest.permutations > 1 and len(drawn) > 1:
        figures.append(differences(contest, drawn))
    parts = [
        f'<p class="lead">{escape(_lead(contest))}</p>',
        section("What was played", _facts(contest, command, skipped)),
        section("Learners", _table(contest, order, numbers), *_notes(contest)),
        section("Curves", '<div class="figures">', *figures, "</div>"),
        section("Theorems", _theorems(order), _hindsight(contest)),
    ]
    return page(f"{len(drawn)} learners on {_name(contest)}", parts, f"Made by littlestone {version('littlestone')}.")


def _name(contest: Contest) -> str:
    """Return the file of a stream, or the stream as it was made."""
    kind, _, rest = contest.stream.partition("('")
    return PurePath(rest.removesuffix("')")).name if kind.endswith("Stream") and rest.endswith("')") else contest.stream


def _lead(contest: Contest) -> str:
    best = contest.best
    mean = float(best.counts.mean())
    games = f" in the mean of {contest.permutations} permutations" if contest.permutations else ""
    return (
        f"{best.name} made the fewest mistakes{games}: {mean:,.{1 if contest.permutations else 0}f} in "
        f"{contest.trials:,} trials, or {100 * mean / contest.trials:.2f}%."
    )


def _facts(contest: Contest, command: str, skipped: int) -> str:
    total = sum(contest.labels.values()) or 1
    share = ", ".join(f"{label}: {count:,} ({100 * count / total:.1f}%)" for label, count in contest.labels.items())
    order = "as they come"
    if contest.permutations:
        order += f", then {contest.permutations} permutations (seed {contest.seed}), the same for all learners"
    facts: dict[str, Any] = {
        "Examples": contest.stream,
        "Trials in a game": f"{contest.trials:,}",
        "Rows for tuning": f"{contest.tuning:,}, at the beginning of every game, not scored" if contest.tuning else "",
        "Attributes": f"{contest.attributes:,}, {contest.nonzeros / contest.trials:,.1f} of them on in a row"
        + (", Boolean" if contest.boolean else ", with values"),
        "Labels": share,
        "Bad lines left out": f"{skipped:,}" if skipped else "",
        "Order of the rows": order,
        "Versions": ", ".join(f"{name} {version(name)}" for name in ("littlestone", "numpy", "numba"))
        + f", Python {platform.python_version()}",
    }
    lines = [f"<dt>{name}</dt><dd>{escape(str(fact))}</dd>" for name, fact in facts.items() if fact]
    if command:
        lines.append(f"<dt>Command</dt><dd><code>{escape(command)}</code></dd>")
    return "\n".join(['<dl class="facts">', *lines, "</dl>"])


def _table(contest: Contest, order: list[Entry], numbers: dict[str, int]) -> str:
    many = ["mean", "± s.d.", "from the best (95% interval)"] if contest.permutations else []
    head = ["mistakes", *many, "updates", "bound", "ratio", "seconds"]
    caption = f"Mistakes of each learner in {contest.trials:,} trials, the best first"
    rows = [
        ("best" if entry is contest.best else "", [_called(entry, numbers[entry.name]), *_cells(contest, entry)])
        for entry in order
        if entry.runs
    ]
    return table(caption, [("word", "learner"), *(("", words) for words in head)], rows)


def _called(entry: Entry, number: int) -> str:
    name = swatch(number) + _breakable(entry.name)
    if entry.chosen:
        chosen = "; ".join(f"{setting} in {count}" for setting, count in entry.chosen.items())
        name += f"<br><small>chosen: {escape(chosen)}</small>"
    return name


def _breakable(name: str) -> str:
    return escape(name).replace(":", ":<wbr>")


def _cells(contest: Contest, entry: Entry) -> list[str]:
    run, bound = entry.runs[0], entry.verdict.bound
    shown = BLANK if bound is None else f"{bound.value:{',.0f' if bound.value < LONG else '.3g'}}"
    ratio = f"{run.mistakes / bound.value:.2f}" if bound is not None and bound.value else BLANK
    return [f"{run.mistakes:,}", *_spread(contest, entry), f"{run.updates:,}", shown, ratio, f"{entry.seconds:.3f}"]


def _spread(contest: Contest, entry: Entry) -> list[str]:
    sample, apart = entry.sample, contest.difference(entry)
    if not contest.permutations or sample is None:
        return []
    spread = BLANK if sample.spread is None else f"{sample.spread:,.1f}"
    if apart is None:
        return [f"{sample.mean:,.1f}", spread, "best"]
    of = apart.sample
    interval = "" if of.low is None else f" <small>({of.low:+,.1f} to {of.high:+,.1f})</small>"
    return [f"{sample.mean:,.1f}", spread, f"{of.mean:+,.1f}{interval}"]


def _theorems(order: list[Entry]) -> str:
    rows = [("", [_breakable(entry.name), escape(_theorem(entry))]) for entry in order]
    return table(
        "What theory had to say of each learner on these rows", [("word", "learner"), ("word", "theorem")], rows
    )


def _theorem(entry: Entry) -> str:
    told = entry.verdict.as_dict()
    if entry.refused is not None:
        return f"It left: {entry.refused}"
    if told["bound"] is None:
        return f"None: {told['why_not']}"
    against = told["comparator"]
    of = "" if told["of"] == "mistakes" else f"on {told['of']}; "
    if "loss" in against:
        return f"{told['theorem']} ({of}of this game, in the order of the rows: L={against['loss']:,.1f})"
    return f"{told['theorem']} ({of}k={against['k']}, {against['attribute_errors']:,} attribute errors)"


def _hindsight(contest: Contest) -> str:
    text = (
        "A bound had to hold for this learner on these very rows, in any order: it is its theorem against the "
        "disjunction, of those found with hindsight, that makes it smallest."
    )
    if contest.hindsight is not None:
        text += f" Fewest attribute errors ({contest.hindsight.method}): {contest.hindsight}."
    return f'<p class="note">{escape(text)}</p>'


def _notes(contest: Contest) -> Iterator[str]:
    yield (
        '<p class="note">Mistakes, updates, and the ratio of mistakes to the bound are those of the game in the order '
        "of the rows; seconds are those of learning alone, in the mean of all games.</p>"
    )
    if contest.permutations:
        yield (
            '<p class="note">Mean, standard deviation and difference are over the permutations. The interval is '
            "Student's, of the mean of the differences game by game; it speaks of other orders of these rows, not of "
            "other rows. The best was found in these very games, which flatters it a little.</p>"
        )
    if contest.tuning:
        yield (
            f'<p class="note">The first {contest.tuning:,} rows of every game chose among the alternatives of a '
            "learner: the one with the fewest mistakes there began anew and played the rest.</p>"
        )
