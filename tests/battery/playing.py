"""Who plays the games of the battery: one or many, each within its time, and a find made as small as it goes."""

# ruff: noqa: T201 - a page on the screen

import dataclasses
import faulthandler
import os
import signal
import time
import warnings
from collections import Counter
from contextlib import contextmanager
from pathlib import Path

from tests.battery.game import Find, Game
from tests.battery.options import KINDS
from tests.battery.plans import drawn
from tests.battery.source import HEAD, scope

__all__ = ["Hang", "check", "limited", "main"]

LONGEST = 120  # seconds, of a game in which kernels are compiled with bounds checks


class Hang(Exception):
    """A game takes too long."""


@contextmanager
def limited(seconds):
    """Raise `Hang` in Python that takes longer; compiled code that does is left to faulthandler."""

    def late(*_):
        raise Hang(f"longer than {seconds} seconds")

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def failure(plan):
    """Play a game; return None, or what went wrong in a few words, and the log."""
    game = Game(plan)
    try:
        with limited(LONGEST):
            game.play()
    except Exception as error:  # noqa: BLE001 - whatever it was
        shown = str(error) if isinstance(error, Find) else f"{type(error).__name__}: {error}"
        return shown, HEAD + "\n".join(game.log), game.tally
    return None, "", game.tally


def kind_of(shown):
    """Return what finds must share to be the same one, when a game is made smaller."""
    return shown[:24] if shown[:7] == "not ref" else shown.split(":")[0]


def smaller(plan, shown, seconds=10.0):
    """Return a smaller game that fails alike: without steps, rows and parts that it fails without."""
    end, changed = time.monotonic() + seconds, True

    def fails(other):
        found = failure(other)[0] if time.monotonic() < end else None
        return found is not None and kind_of(found) == kind_of(shown)

    while changed and time.monotonic() < end:
        changed = False
        for i in reversed(range(len(plan.steps))):
            without = dataclasses.replace(plan, steps=plan.steps[:i] + plan.steps[i + 1 :])
            if fails(without):
                plan, changed = without, True
        for i, step in enumerate(plan.steps):
            for r in reversed(range(len(step.rows) if step.what in ("learn", "look") else 0)):
                at = [j for j in range(len(plan.steps[i].rows)) if j != r]
                now = plan.steps[i]
                if not at or len(at) == len(now.rows):
                    continue
                fewer = dataclasses.replace(
                    now,
                    rows=[now.rows[j] for j in at],
                    codes=[now.codes[j] for j in at],
                    weights=None if now.weights is None else [now.weights[j] for j in at],
                    twin=[
                        (form, k, k + 1) for k, (form, *_) in zip(range(len(at)), (now.twin * len(at)), strict=False)
                    ],
                )
                without = dataclasses.replace(plan, steps=[*plan.steps[:i], fewer, *plan.steps[i + 1 :]])
                if fails(without):
                    plan, changed = without, True
    return plan


def check(kind, number, tally=None, *, shrink=True):
    """Play one game; raise `Find` with the game as a program, made as small as it goes."""
    plan = drawn(kind, number, scope())
    shown, log, counts = failure(plan)
    if tally is not None:
        tally.update(counts)
    if shown is not None:
        small = failure(smaller(plan, shown)) if shrink else (shown, log)
        said, text = (shown, log) if small[0] is None else small[:2]
        raise Find(f"{kind} {number}: {said}\n(python -m tests.battery {kind} {number})\n\n{text}\n")


def main(arguments):
    """Play the game, or the number of games, that is asked for; print what was found."""
    warnings.simplefilter("error")
    faulthandler.enable()
    if len(arguments) > 1 and not arguments[0].isdigit():
        check(arguments[0], int(arguments[1]))
        return 0
    total, first = int(arguments[0]), int(arguments[1]) if len(arguments) > 1 else 0
    kinds = arguments[2].split(",") if len(arguments) > 2 else KINDS
    now = os.environ.get("BATTERY_NOW")  # a file that says which game is being played, for who looks after a crash
    found, tally, begun = Counter(), Counter(), time.monotonic()
    for i in range(total):
        kind, number = kinds[i % len(kinds)], first + i // len(kinds)
        if now:
            Path(now).write_text(f"{kind} {number}")
        faulthandler.dump_traceback_later(3 * LONGEST, exit=True)
        try:
            check(kind, number, tally)
        except Find as find:
            lines = str(find).splitlines()
            said = kind, kind_of(lines[0].split(": ", 1)[1])
            found[said] += 1
            if found[said] <= 2:
                print(find, "-" * 100, sep="\n", flush=True)
    faulthandler.cancel_dump_traceback_later()
    print(f"{total} games in {time.monotonic() - begun:.0f} s, {tally['refused']} of {tally['learn']} refused")
    for (kind, what), times in found.most_common():
        print(f"{times:6d}  {kind}: {what}")
    return 1 if found else 0
