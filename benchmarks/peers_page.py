"""docs/peers.md: what `benchmarks/peers.py` measured, as tables; what follows from it is in verdicts.py."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import mean, median
from typing import Any

from common import ratios, spread, told
from growth import DOCS, bounds
from verdicts import OUR_OWN, bars, faster, losses, peak, seconds, size

HEAD = """# Beside the peers

`python benchmarks/peers.py` measures all of this in one run and writes this page; no number on it is typed. Warm calls,
everybody in turn, {rounds} rounds; a ratio is the median over the rounds (least to greatest), each against the same
round of ours.

{machine}.

{date}, {minutes:.0f} minutes; load {load[0]:.2f} before, {load[1]:.2f} after.
"""
STREAMS = {
    "wide": "Wide rows: n/50 of the n attributes are on, so that an irrelevant one comes again and again.",
    "narrow": "Narrow rows: 75 attributes are on, so that among many of them most are new in every row.",
}


def table(heads: Sequence[str], lines: Iterable[Sequence[Any]]) -> str:
    """Return a table."""
    body = [f"| {' | '.join(map(str, line))} |" for line in lines]
    return "\n".join([f"| {' | '.join(heads)} |", "|---" * len(heads) + "|", *body]) + "\n"


def page(found: Mapping[str, Any]) -> str:
    """Return the page."""
    wins = [f"- {line}" for line in losses(found)]
    parts = [
        HEAD.format(**found), *([f"**{found['note']}**\n"] if "note" in found else []),
        "## What was asked for\n", table(["", "on", "asked for", "measured", ""], bars(found)),
        "## Where a peer wins\n", "\n".join(wins or ["Nowhere in this run."]) + "\n",
        *_generated(found), *_real(found), *_probable(found), *_in_memory(found["in memory"]),
        *_one(found["one at a time"]), *_from_file(found), *_rest(found),
    ]  # fmt: skip
    return "\n".join(parts)


def _generated(found: Mapping[str, Any]) -> Iterator[str]:
    yield "## Mistakes: five relevant attributes among many\n"
    yield (
        '<picture><source media="(prefers-color-scheme: dark)" srcset="growth-dark.svg">'
        '<img alt="Mistakes against the number of attributes, with bounds" src="growth.svg"></picture>\n'
    )
    yield (
        "Half of the rows are positive, and those have one of the 5 relevant attributes on. Mean (least to greatest) "
        "over the seeds; a dash: not played, it would take minutes.\n"
    )
    for kind, by_size in found["generated"].items():
        yield STREAMS[kind] + "\n"
        lines = [
            [name, *(_mean(mistakes[name]) if name in mistakes else "-" for mistakes in by_size.values())]
            for name in [*found["ours"], *found["peers"]]
        ]
        lines += [[f"*{name}*", *(f"{bounds(kind, int(n))[name]:.0f}" for n in by_size)] for name in bounds(kind, 1000)]
        yield table(["", *(f"n={int(n):,}" for n in by_size)], lines)


def _mean(values: Sequence[int]) -> str:
    least, _, most = spread(values)
    return f"{mean(values):.0f} ({least} to {most})" if least < most else str(least)


def _real(found: Mapping[str, Any]) -> Iterator[str]:
    sets, players = found["real"], [*found["ours"], *found["peers"]]
    yield "## Mistakes on real sets\n"
    if not sets:
        yield "LITTLESTONE_DATA was not set in this run: no real sets.\n"
        return
    yield (
        "One pass, file order; the fewest mistakes of all are bold. LIBLINEAR (`LinearSVC`) does not play: its errors "
        "on the rows that it was trained on, for orientation. A dash: it wants Boolean rows.\n"
    )
    least = {name: min(about["mistakes"][who] or about["rows"] for who in players) for name, about in sets.items()}
    for some in (found["ours"], [*found["peers"], *found["batch"]]):
        lines = []
        for name, about in sets.items():
            counts = [about["mistakes"][who] for who in some]
            told_counts = ["-" if c is None else f"**{c}**" if c == least[name] else c for c in counts]
            lines.append([name, about["rows"], about["n"], f"{about['active']:.0f}", *told_counts])
        yield table(["set", "rows", "n", "on in a row", *some], lines)
    whole = [about for about in sets.values() if None not in about["mistakes"].values()]
    shares = {who: 100 * mean(about["mistakes"][who] / about["rows"] for about in whole) for who in players}
    order = sorted(players, key=shares.__getitem__)
    yield f"Mean share of mistakes over the {len(whole)} Boolean sets, in per cent:\n"
    yield ", ".join(f"{who} {shares[who]:.2f}" for who in order) + ".\n"


def _probable(found: Mapping[str, Any]) -> Iterator[str]:
    """Yield the log losses, where they were measured."""
    sets = found.get("log loss", {}).get("sets", {})
    if not sets:
        return
    yield "## Probabilities on real sets\n"
    yield (
        "Mean log loss (natural logarithm) of the probability of each row's label before the row is learned: a model "
        "with Auto, calibrated on-line, and Vowpal Wabbit's own progressive loss with its defaults.\n"
    )
    if found["log loss"]["date"] != found["date"]:
        yield f"These figures are from a run of their own, {found['log loss']['date']}.\n"
    players = list(next(iter(sets.values())))
    yield table(["set", *players], [[name, *(f"{about[who]:.4f}" for who in players)] for name, about in sets.items()])


def _in_memory(passes: Mapping[str, Any]) -> Iterator[str]:
    yield "## One pass over rows in memory\n"
    yield (
        "Examples a second, and how many times the time of our Perceptron. Ours take a Block unless said otherwise, "
        "scikit-learn a CSR matrix; Vowpal Wabbit takes parsed examples and river dicts, called row by row from "
        "Python. LIBLINEAR makes no pass, but trains to its end.\n"
    )
    lines = []
    for name in next(iter(passes.values())):
        cells = []
        for times in passes.values():
            cells += [f"{1 / median(times[name]):,.0f}", told(ratios(times[name], times[OUR_OWN]))]
        lines.append([name, *cells])
    yield table(["", *(head for where in passes for head in (where, "times ours"))], lines)


def _one(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    yield "## One example at a time, by name\n"
    if not rows:
        yield "benchmarks/one_at_a_time.py was not there.\n"
        return
    yield "predict_one and learn_one together, warm, and how many times as fast as river's Perceptron:\n"
    lines = []
    for row in rows:
        names = row["active"], f"{row['drawn']:,}", f"{row['known']:,}"
        lines.append([row["learner"], row["values"], *names, f"{row['microseconds']:.1f}", told(faster(row))])
    yield table(["", "values", "on in an example", "drawn from", "names known", "microseconds", "times as fast"], lines)


def _from_file(found: Mapping[str, Any]) -> Iterator[str]:
    sizes, took = found["from file"]["sizes"], found["from file"]["took"]
    yield "## From a file\n"
    files = ", ".join(f"{name}: {about['rows']:,} rows, {size(found, name)}" for name, about in sizes.items())
    yield f"Whole processes, from start to end, on text in each one's own format ({files}).\n"
    lines = []
    for name, results in took.items():
        times = ratios([each[0] for each in results], [each[0] for each in took[f"littlestone, {name.split(', ')[1]}"]])
        lines.append([name, f"{seconds(results):.2f}", f"{peak(results):.0f}", told(times)])
    yield table(["", "seconds", "peak memory, MB", "times ours"], lines)
    own, theirs = (_slope(took, who) for who in ("littlestone", "Vowpal Wabbit"))
    if min(own) > 0:
        slower = told(ratios(theirs, own))
        yield f"Without the start, that is one less tiny, Vowpal Wabbit takes {slower} times as long.\n"


def _slope(took: Mapping[str, Any], who: str) -> list[float]:
    return [large[0] - small[0] for large, small in zip(took[f"{who}, one"], took[f"{who}, tiny"], strict=True)]


def _rest(found: Mapping[str, Any]) -> Iterator[str]:
    start, memory = found["start-up"], found["memory"]
    yield "## Start-up and memory\n"
    yield "Whole processes that learn one example, or two rows:\n"
    lines = [[who, f"{seconds(took):.2f}", f"{peak(took):.0f}"] for who, took in start.items()]
    yield table(["", "seconds", "peak memory, MB"], lines)
    yield (
        f"Peak memory of a process with {memory['rows']:,} rows in a CSR matrix (75 of 1,000,000 attributes on), and "
        f"of one that learns row by row until it has seen {memory['names']:,} names:\n"
    )
    kinds = ("in memory", "by name")
    lines = [[f"{kind}: {who}", f"{peak(took):.0f}"] for kind in kinds for who, took in memory[kind].items()]
    yield table(["", "MB"], lines)


def main() -> None:
    """Write the page again from what was measured."""
    found = json.loads((DOCS / "peers.json").read_text(encoding="utf-8"))
    (DOCS / "peers.md").write_text(page(found), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
