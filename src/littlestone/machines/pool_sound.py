"""What a state of a pool of experts has to be, and what is known of pools beside: counts, targets, room."""

from math import inf

import numpy as np

from littlestone.core.arrays import Ints
from littlestone.core.errors import TooLarge
from littlestone.core.rows import MOST_ATTRIBUTES
from littlestone.engine.learning import ballot, full_pool, pool
from littlestone.machines.full_pool import covered
from littlestone.machines.roster import Roster
from littlestone.machines.sound import ENOUGH, MOST_CLASSES, Loaded, check_counts, need, within
from littlestone.parts.changes import ChangeDetector

__all__ = ["DELTA", "EVERY", "OUT", "check_pool", "check_room", "places_of", "targets_of"]

OUT = 5  # counts: who has left, a bit an expert
MOST_NUMBERS = 1 << 29  # 4 GiB
DELTA, EVERY = 0.01, 32  # of whoever notices that mistakes have become more frequent


def targets_of(classes: int) -> int:
    """Return how many targets there are: of two classes one, of more one each, and a spare one."""
    return 1 if classes <= 2 else classes + 1


def places_of(experts: int) -> Ints:
    """Return where the first numbers of all experts stand, and then the second ones."""
    first = np.arange(experts) // pool.GROUP * pool.LINE + np.arange(experts) % pool.GROUP
    return np.concatenate((first, first + pool.GROUP))


def check_pool(state: Loaded, roster: Roster) -> None:
    """Check the numbers of each expert, target and attribute; full covariances take part while there are few."""
    numbers, constants, tally, ledger = (state[name] for name in ("numbers", "constants", "told", "ledger"))
    check_counts(state, min(len(state["counts"]), OUT + 1))
    size, classes, voting, known, counted, out = (*state["counts"].tolist(), 0)[: OUT + 1]
    diagonal, single = len(roster.diagonal), roster.single
    lanes = diagonal - (out & (1 << diagonal) - 1).bit_count()
    of, width, stay = targets_of(classes), 2 * lanes, single - out.bit_count()
    need(out >> single == 0 and lanes in ((pool.GROUP,) if out else (diagonal,)), "experts that can be left")
    need(size <= MOST_ATTRIBUTES and classes == known <= MOST_CLASSES, "attributes and classes")
    need(numbers.shape == (of * width, size + 1), "numbers of each expert, target and attribute, and spare ones")
    need(constants.shape == (of, width), "numbers of the constant coordinate")
    covering, full = covered(classes) if voting else 1, stay - lanes
    few = min(size, full_pool.few(covering)) + 1 if voting else 0
    need(full <= 1 or not out, "one expert with a full covariance at most after the cut")
    need(voting in (0, 1) and (few > 0 or not voting), "few classes for experts with a full covariance")
    shape = covering * full, few
    need(state["means"].shape == shape and state["roots"].shape == (*shape, few), "covariances of few")
    combinations = len(roster.combinations)
    shapes = (combinations, stay), (combinations, stay, stay), (len(roster.names), ballot.SIZES + 1)
    for name, usual in zip(("mu", "sigma", "ledger"), shapes, strict=True):
        need(state[name].shape == usual, f"{name} of shape {usual}")
    need(tally.shape == (classes, 4) and within(tally, 0, ENOUGH), "four counts of each class")
    need("parts" not in state or state["parts"].shape == (3,), "three numbers of the parts of a game that are over")
    before, trials, lost = state["parts"].tolist() if "parts" in state else (0.0, 0.0, 0.0)
    need(within(ledger, 0.0, inf) and counted + trials <= tally[:, 0].sum(dtype=np.float64), "losses of trials")
    need(
        0.0 <= before <= trials <= ENOUGH and 0.0 <= lost < inf and trials % 1 == before % 1 == 0.0,
        "parts of a game",
    )
    watch = ChangeDetector(delta=DELTA, every=EVERY)
    need("watch" not in state or watch.is_sound(state["watch"]), "stretches of a game, the oldest first")
    for array in (numbers.reshape(of, 2, -1), constants.reshape(of, 2, -1)):
        need(within(array[:, 1], 0.0, inf), "variances, sums of squares and weights")
        need(within(array, -2.0 * pool.MOST, max(2.0 * pool.MOST, pool.SQUARES)), "numbers that are held")


def check_room(number: int) -> None:
    """Refuse more numbers than can be meant."""
    if number > MOST_NUMBERS:
        raise TooLarge(
            f"Auto: expected at most {MOST_NUMBERS * 8 / 2**30:.0f} GiB of numbers of experts, got "
            f"{number * 8 / 2**30:,.1f} GiB; hash the attributes into fewer columns, or take one learner, such as "
            "WinnerTakesAll"
        )
