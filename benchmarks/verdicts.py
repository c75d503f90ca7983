"""What follows from the figures of `benchmarks/peers.py`: what was asked for and what came, and where a peer wins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import exp, log
from statistics import mean, median
from typing import Any

from common import ratios, told
from growth import additive
from speeds import DIAGONAL

OUR_OWN = "Perceptron"  # what others are compared with
UNSHUFFLED = "sklearn Perceptron, unshuffled"
SHUFFLED = ("sklearn Perceptron, shuffled", "sklearn Perceptron, fit() as it is")
FOREIGN = ("sklearn", "VW", "river", "LIBLINEAR")
VW = ("VW logistic", "VW hinge")
WIDE_ENOUGH = 10_000  # attributes, from which on Winnow is to make the fewest mistakes
Line = tuple[str, str, str, str, str]
# How many times as fast as river, one at a time, by (active, values, drawn, known); 1.5 times elsewhere.
ASKED_OF_ONE = {(25, "Boolean", 1_000, 1_000): 2.5, (25, "Boolean", 1_000_000, 1_000_000): 1.8}


def bars(found: Mapping[str, Any]) -> Iterator[Line]:
    """Yield what was asked for, and what came."""
    for where, times in found["in memory"].items():
        for name, least in ((UNSHUFFLED, 2.3), *((name, 5.0) for name in SHUFFLED)):
            ratio = ratios(times[name], times[OUR_OWN])
            yield f"faster than {name}", where, f"at least {least} times", told(ratio), _said(ratio[1] >= least)
    for where, times in found["in memory"].items():
        for name in DIAGONAL:
            ratio, other = (ratios(times[name], times[first]) for first in (OUR_OWN, "PassiveAggressive"))
            measured = f"{told(ratio)}; against PassiveAggressive {told(other)}"
            yield f"{name}, against our Perceptron", where, "at most 3 times as long", measured, _said(ratio[1] <= 3)
    for where, times in found["in memory"].items():
        ratio = ratios(times["Auto"], times["AROW"])
        yield "Auto, against our AROW", where, "at most 10 times as long", told(ratio), _said(ratio[1] <= 10)
    yield from _one_at_a_time([row for row in found["one at a time"] if row["learner"] == "ls.Perceptron"])
    for kind, by_size in found["generated"].items():
        yield _fewest(kind, by_size)
    if found["real"] and "Auto" in found["ours"]:
        yield from _auto(found["real"])
    if found.get("log loss", {}).get("sets"):
        yield from _probable(found["log loss"]["sets"])


def _one_at_a_time(rows: Sequence[Mapping[str, Any]]) -> Iterator[Line]:
    for row in rows:
        where = f"{row['active']} {row['values']} values of {row['drawn']:,}, {row['known']:,} names known"
        ratio = faster(row)
        least = ASKED_OF_ONE.get((row["active"], row["values"], row["drawn"], row["known"]), 1.5)
        what, asked = "one at a time, faster than river's Perceptron", f"at least {least} times"
        yield what, where, asked, told(ratio), _said(ratio[1] >= least)
    # The same examples, with more and more names known that are not in them.
    drawn = min((row["drawn"] for row in rows), default=0)
    some = [row for row in rows if (row["active"], row["values"], row["drawn"]) == (25, "Boolean", drawn)]
    if len(some) > 1:
        few, many = (pick(some, key=lambda row: row["known"]) for pick in (min, max))
        growth = many["microseconds"] / few["microseconds"]
        where = f"{few['known']:,} and {many['known']:,} names known"
        yield "one at a time, the same cost", where, "at most 1.5 times", f"{growth:.2f} times", _said(growth <= 1.5)


def faster(row: Mapping[str, Any]) -> list[float]:
    """Return how many times as fast as river: least, median and greatest."""
    return [row["least_ratio"], row["ratio"], row["largest_ratio"]]


def _said(held: bool) -> str:
    return "held" if held else "**missed**"


def _fewest(kind: str, by_size: Mapping[str, Any]) -> Line:
    exceptions = []
    for n, mistakes in by_size.items():
        own = mean(mistakes["Winnow"])
        better = [f"{name} {mean(mistakes[name]):.0f}" for name in additive(mistakes) if mean(mistakes[name]) <= own]
        if int(n) >= WIDE_ENOUGH and better:
            exceptions.append(f"at n={int(n):,} (Winnow {own:.0f}) not: {', '.join(better)}")
    asked = f"fewer mistakes than every additive learner from n={WIDE_ENOUGH:,} on"
    return "Winnow", f"{kind} rows", asked, "; ".join(exceptions) or "so", _said(not exceptions)


def _auto(sets: Mapping[str, Any]) -> Iterator[Line]:
    each = [about["mistakes"]["Auto"] / min(about["mistakes"][vw] for vw in VW) for about in sets.values()]
    fewer, middle = sum(ratio < 1 for ratio in each), exp(mean(log(ratio) for ratio in each))
    what, where = "Auto, against the better of VW logistic and hinge", f"{len(each)} real sets"
    yield what, where, "fewer mistakes on three quarters", f"on {fewer}", _said(fewer >= 0.75 * len(each))
    yield what, where, "geometric mean of the ratios at most 0.829", f"{middle:.3f}", _said(middle <= 0.829)


def _probable(sets: Mapping[str, Any]) -> Iterator[Line]:
    each = [about["Auto"] / about["VW logistic"] for about in sets.values()]
    fewer, middle = sum(ratio <= 1 for ratio in each), exp(mean(log(ratio) for ratio in each))
    what, where = "log loss of Auto's probabilities, against VW logistic", f"{len(each)} real sets"
    measured = f"on {fewer}; geometric mean of the ratios {middle:.3f}"
    yield what, where, "no more on three quarters", measured, _said(fewer >= 0.75 * len(each))


def losses(found: Mapping[str, Any]) -> Iterator[str]:
    """Yield where a peer is better than littlestone."""
    yield from _mistakes_generated(found)
    yield from _mistakes_real(found)
    for name, about in found.get("log loss", {}).get("sets", {}).items():
        if about["VW logistic"] < about["Auto"]:
            yield f"Log loss, {name}: VW logistic {about['VW logistic']:.4f}, Auto {about['Auto']:.4f}."
    for where, times in found["in memory"].items():
        for name in times:
            if name.startswith(("sklearn", "VW", "river", "LIBLINEAR")) and median(times[name]) < median(
                times[OUR_OWN]
            ):
                ratio = told(ratios(times[OUR_OWN], times[name]))
                yield f"In memory, {where}: {name} is faster than our {OUR_OWN}, {ratio} times."
    for row in found["one at a time"]:
        if row["learner"].startswith("ls.") and row["ratio"] < 1:
            yield f"One at a time, {row['active']} {row['values']} values: river is faster than {row['learner']}."
    yield from _processes(found)


def _mistakes_generated(found: Mapping[str, Any]) -> Iterator[str]:
    for kind, by_size in found["generated"].items():
        for n, mistakes in by_size.items():
            best = min(found["ours"], key=lambda name: mean(mistakes[name]))
            for who in ("Winnow", best):
                better = [
                    name for name in found["peers"] if name in mistakes and mean(mistakes[name]) < mean(mistakes[who])
                ]
                if better:
                    listed = ", ".join(f"{name} {mean(mistakes[name]):.0f}" for name in better)
                    own = f"our {who} makes {mean(mistakes[who]):.0f}" + (", the fewest of ours" if who == best else "")
                    yield f"Mistakes, {kind} rows, n={int(n):,}: {own}; fewer are made by {listed}."


def _mistakes_real(found: Mapping[str, Any]) -> Iterator[str]:
    sets = found["real"]
    for who in ("Perceptron", "Winnow", "BalancedWinnow", "Auto"):
        beaten = []
        for name, about in sets.items():
            own, peer = about["mistakes"].get(who), _best(about, found["peers"])
            if own is not None and about["mistakes"][peer] < own:
                beaten.append(f"{name} ({peer} {about['mistakes'][peer]}, {who} {own})")
        if beaten:
            few = ": " + ", ".join(beaten) if who == "Auto" else ""
            yield f"Mistakes, {who}: some peer makes fewer on {len(beaten)} of {len(sets)} real sets{few}."
    for name, about in sets.items():
        own, peer = _best(about, found["ours"]), _best(about, found["peers"])
        counts = about["mistakes"]
        if counts[peer] < counts[own]:
            yield f"Mistakes, {name}: {peer} makes {counts[peer]}, the best of all of ours ({own}) {counts[own]}."


def _best(about: Mapping[str, Any], players: Sequence[str]) -> str:
    counts = about["mistakes"]
    return min((who for who in players if counts[who] is not None), key=counts.__getitem__)


def _processes(found: Mapping[str, Any]) -> Iterator[str]:
    took = found["from file"]["took"]
    for name, results in took.items():
        who, which = name.split(", ")
        own = took[f"littlestone, {which}"]
        what = f"From the {which} file ({size(found, which)})"
        if seconds(results) < seconds(own):
            ratio = ratios([each[0] for each in own], [each[0] for each in results])
            yield f"{what}: {who} is faster, {told(ratio)} times."
        if who != "littlestone" and peak(results) < peak(own):
            yield f"{what}: {who} peaks at {peak(results):.0f} MB, littlestone at {peak(own):.0f} MB."
    start = found["start-up"]
    own = seconds(start["littlestone"])
    for who, results in start.items():
        if who not in {"Python alone", "littlestone", "littlestone, rows"} and seconds(results) < own:
            theirs = f"{who} has learned an example after {seconds(results):.2f} s"
            yield f"Start-up: {theirs}, littlestone after {own:.2f} s."
    for kind in ("in memory", "by name"):
        took = found["memory"][kind]
        for who, results in took.items():
            if who not in {"littlestone", "the rows alone"} and peak(results) < peak(took["littlestone"]):
                ours = peak(took["littlestone"])
                yield f"Memory, {kind}: {who} peaks at {peak(results):.0f} MB, littlestone at {ours:.0f} MB."


def seconds(results: Sequence[Sequence[float]]) -> float:
    """Return the median time of a process."""
    return median(each[0] for each in results)


def peak(results: Sequence[Sequence[float]]) -> float:
    """Return the greatest memory of a process, in MB."""
    return max(each[1] for each in results)


def size(found: Mapping[str, Any], name: str) -> str:
    """Return how large a file is."""
    return f"{found['from file']['sizes'][name]['svmlight']:.0f} MB of svmlight"
