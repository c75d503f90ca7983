"""Forged models, played: whatever is accepted predicts and learns, soon, and without more memory than is declared.

``python -m tests.forged 100000 0`` tries so many, from a seed; each case depends on its number and the seed alone.
"""

import faulthandler
import json
import os
import random
import re
import sys
import time
import warnings
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from littlestone.core.errors import InvalidModel, LittlestoneError
from littlestone.models.files import load, save
from tests.forging import N, forge, models, put_together, rows_for, taken_apart

LONGEST = 2.0  # seconds of the processor that loading and playing may take
MOST_MORE = 1 << 26  # bytes that a process may take besides twice what a file declares
STUCK = 60  # seconds after which a case is given up, with all others


def truthful(error, header):
    """Set the counts in a header to what the learner has, if that alone is why it was refused."""
    found = re.search(r"counts: expected .*, got (\{[^}]*\}) and (\w+) names", str(error))
    if found is None:
        return False
    header["counts"] = json.loads(found[1].replace("'", '"'))
    header["names"] = json.loads(found[2].replace("None", "null"))
    return True


def plays(learner, chance):
    """Have a learner predict and learn, many rows and one, by position or by name as it knows them."""
    labels = (learner.labels or (0, 1)) if not learner.many_classes else ((learner.labels or ()) + (0, 1))[:2]
    words = learner.vocabulary
    for real in (False, True):
        if words is not None or (learner.trials == 0 and chance.random() < 0.3):
            names = [*(list(words)[:N] if words is not None else ()), "late"]
            for y in labels:
                some = chance.sample(names, min(len(names), 3))
                x = dict.fromkeys(some, 0.5 if real and learner.domain in ("any", "non-negative") else 1)
                for each in (x, set(some)):
                    attempt(learner.predict_one, each)
                    attempt(learner.learn_one, each, y)
            continue
        known = 0 if learner._machine is None else learner._machine.size
        width = min(learner.n or known + 2, max(known, N))
        X = rows_for(learner, chance, 9, width, real=real)
        y = [chance.choice(labels) for _ in range(9)]
        attempt(learner.activation, X)
        attempt(learner.learn, X, np.array(y))
        attempt(learner.predict, X)
        if width < 1000:
            row = np.zeros(width)
            row[chance.randrange(width)] = 1.0
            attempt(learner.predict_one, row)
            attempt(learner.learn_one, row, y[0])


def attempt(method, *given):
    """Do what may be refused."""
    try:
        method(*given)
    except LittlestoneError:
        return


class Meter:
    """The time of the processor, and the most bytes, that this process has taken since it was set to 0."""

    there = sys.platform == "linux" and os.access("/proc/self/clear_refs", os.W_OK)

    def __init__(self):
        self._forget()
        self._bytes, self._before, self._begun = self._most(), 0, time.process_time()

    @contextmanager
    def aside(self):
        """Leave out what is done here: it is the battery's own."""
        self._before = self.more
        yield
        self._forget()

    def _forget(self):
        """Forget the most there was so far."""
        if self.there:
            Path("/proc/self/clear_refs").write_text("5")

    def _most(self):
        if not self.there:
            return 0
        lines = Path("/proc/self/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) << 10

    @property
    def seconds(self):
        return time.process_time() - self._begun

    @property
    def more(self):
        return max(self._before, self._most() - self._bytes)


class Battery:
    """Forged models one after another, and what was found."""

    def __init__(self, seed, folder):
        self.known, self.seed = models(), seed
        self.path, self.again = Path(folder) / "forged.npz", Path(folder) / "again.npz"
        self.accepted, self.finds = 0, []

    def warm(self):
        """Play with all models as they are: what is compiled later is little."""
        for header, arrays in self.known.values():
            put_together(self.path, header, arrays, random.Random(0))
            plays(load(self.path), random.Random(0))

    def case(self, number):
        """Try one, and write down whatever is wrong with it."""
        faulthandler.dump_traceback_later(STUCK, exit=True)
        try:
            found = self._tried(number)
            if found is not None and found.endswith("seconds"):
                found = self._tried(number)  # by now all is compiled
        except Exception as error:  # noqa: BLE001 - whatever it is
            found = f"{type(error).__name__}: {error}"
        faulthandler.cancel_dump_traceback_later()
        if found is not None:
            self.finds.append(f"case {number} of seed {self.seed}: {found[:300]}")

    def _tried(self, number):
        """Forge one, load it and play; return what is wrong with it."""
        chance = random.Random(f"{self.seed} {number}")
        name, header, arrays = forge(chance, self.known)
        try:
            declared = put_together(self.path, header, arrays, chance)
        except (ValueError, TypeError, KeyError, OverflowError):  # nothing that can be written down
            return None
        del arrays
        meter = Meter()
        learner = self._loaded(header, meter)
        if learner is not None:
            self.accepted += 1
            if chance.random() < 0.1:
                with meter.aside():  # there are two of them, side by side
                    self._saved(learner)
            plays(learner, chance)
        more = meter.more
        if more > 2 * declared + MOST_MORE:
            return f"{name}: {more:,} bytes where {declared:,} are declared"
        return None if meter.seconds <= LONGEST else f"{name}: {meter.seconds:.1f} seconds"

    def _loaded(self, header, meter):
        """Return the learner in the file, None if it is refused, also with counts that are those of its state."""
        try:
            return load(self.path)
        except InvalidModel as error:
            if not truthful(error, header):
                return None
        with meter.aside():
            put_together(self.path, header, taken_apart(self.path)[1], random.Random(0))
        try:
            return load(self.path)
        except InvalidModel:
            return None

    def _saved(self, learner):
        """Hold to it that what is loaded can be saved, and is then the same."""
        save(learner, self.again)
        same = load(self.again).state()
        for key, array in learner.state().items():
            assert key == "labels" or np.array_equal(same[key], array), key


def planted():
    """Tell whether a kernel that leaves its arrays is noticed, as it is with bounds checks."""
    from littlestone.engine.learning import products

    try:
        products.squares(np.array([0, 5]), np.ones(2), np.empty(1))  # a row of five values, of which there are two
    except IndexError:
        return True
    return False


def main(count, seed, start=0):
    """Try so many; print what was found."""
    import resource  # not on every system

    faulthandler.enable()
    warnings.simplefilter("ignore")  # of numbers that no game leads to
    resource.setrlimit(resource.RLIMIT_AS, (1 << 34, 1 << 34))
    if os.environ.get("NUMBA_BOUNDSCHECK") == "1" and not planted():
        sys.exit("no bounds were checked")
    with TemporaryDirectory() as folder:
        battery = Battery(seed, folder)
        battery.warm()
        for number in range(start, start + count):
            if number % 500 == 0:  # for whoever looks for a case that crashed
                print(f"from {number}: {battery.accepted} accepted", file=sys.stderr, flush=True)  # noqa: T201
            told = len(battery.finds)
            battery.case(number)
            if len(battery.finds) > told:
                print(battery.finds[-1], flush=True)  # noqa: T201
    print(f"{battery.accepted} of {count} accepted, {len(battery.finds)} finds")  # noqa: T201
    sys.exit(len(battery.finds) > 0)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
