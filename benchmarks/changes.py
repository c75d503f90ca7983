"""How soon a change is noticed, and how often a false one is, beside river's ADWIN.

    python benchmarks/changes.py [--write]

Mistakes are drawn with rates that are known. After 20,000 trials the rate changes, at once or over 5,000 trials; what
is counted is how many trials later a change is noticed, over 20 seeds. Without a change, how many are noticed in a
million trials, at several rates. Both as they come: ours with delta = 0.01 for a whole stream, ADWIN with 0.002 for
each of its tests (only alarms at which the error has grown count).
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter

import numpy as np
from river.drift import ADWIN

from common import versions
from littlestone import ChangeDetector

PAGE = Path(__file__).with_name("RESULTS-changes.md")
BEFORE, AFTER, SEEDS = 20_000, 20_000, 20
SLOW = 5000  # trials that a gradual change takes
CHANGES = ((0.02, 0.2), (0.05, 0.25), (0.05, 0.1), (0.2, 0.3), (0.3, 0.5))
STILL = (0.01, 0.05, 0.2, 0.5)
MANY = 1_000_000

Detect = Callable[[np.ndarray], list[int]]


def ours(mistakes: np.ndarray) -> list[int]:
    """Return the trials after which we notice a change."""
    return [change.noticed for change in ChangeDetector().see(mistakes)]


def adwin(mistakes: np.ndarray) -> list[int]:
    """Return the trials after which river's ADWIN notices that the error has grown."""
    detector, found = ADWIN(), []
    for trial, mistake in enumerate(mistakes.tolist()):
        before = detector.estimation
        detector.update(mistake)
        if detector.drift_detected and detector.estimation > before:
            found.append(trial)
    return found


def delay(detect: Detect, before: float, after: float, slow: int) -> tuple[str, int]:
    """Return the median, and the largest, number of trials until a change is noticed; how many were before it."""
    late, false = list[float](), 0
    for seed in range(SEEDS):
        rates = np.repeat([before, after], [BEFORE, AFTER])
        rates[BEFORE : BEFORE + slow] = np.linspace(before, after, slow)
        found = detect(np.random.default_rng(seed).random(len(rates)) < rates)
        false += sum(trial < BEFORE for trial in found)
        late.append(min((trial - BEFORE + 1 for trial in found if trial >= BEFORE), default=float("inf")))
    return f"{median(late):,.0f} ({max(late):,.0f})", false


def main() -> None:
    """Measure, and print or write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.name}")
    options = parser.parse_args()
    page = ["# Changes", "", "Written by `python benchmarks/changes.py --write`, which says how.", ""]
    page += [
        versions("numpy", "river"),
        "",
        f"Trials until a change is noticed: median (largest) of {SEEDS} seeds.",
        "",
    ]
    page += ["| error, from and to | change | ours | ADWIN | false before it: ours, ADWIN |", "|---|---|---|---|---|"]
    for before, after in CHANGES:
        for name, slow in (("at once", 0), (f"over {SLOW:,} trials", SLOW)):
            (one, wrong), (other, others) = (delay(detect, before, after, slow) for detect in (ours, adwin))
            page.append(f"| {before} to {after} | {name} | {one} | {other} | {wrong}, {others} |")
            print(page[-1], flush=True)
    page += ["", f"Changes noticed in {MANY:,} trials without one.", "", "| error | ours | ADWIN |", "|---|---|---|"]
    seconds = [0.0, 0.0]
    for rate in STILL:
        mistakes, counts = np.random.default_rng(0).random(MANY) < rate, list[int]()
        for at, detect in enumerate((ours, adwin)):
            started = perf_counter()
            counts.append(len(detect(mistakes)))
            seconds[at] += perf_counter() - started
        page.append(f"| {rate} | {counts[0]} | {counts[1]} |")
        print(page[-1], flush=True)
    each = [1e9 * one / MANY / len(STILL) for one in seconds]
    page += ["", f"A trial takes {each[0]:.0f} ns here (blocks), {each[1]:.0f} ns there (one by one)."]
    if options.write:
        PAGE.write_text("\n".join(page) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
