"""Many independent runs of Directed Drift against rows drawn from the positive half-space, in one compiled call."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from littlestone.bounds.fang_venkatesh import Mode, batch_size
from littlestone.core.arrays import Ints
from littlestone.core.errors import InvalidParameter
from littlestone.core.parameters import check_whole
from littlestone.engine.learning import drift as engine
from littlestone.machines.drifting import MODES

__all__ = ["Simulation", "simulate"]

MOST = 1 << 62  # of what the engine counts
TOGETHER = 32  # runs that a thread plays in one call


@dataclass(frozen=True, eq=False)
class Simulation:
    """What happened in each of many runs: arrays with one entry a run.

    A run has ``converged`` if it came within the distance asked for; otherwise it was stopped after ``cap`` mistakes
    (``capped``), or believed itself at the end (``deceived``: ``patience`` right predictions in a row, and wrong).

    >>> import littlestone as ls
    >>> found = ls.drift.simulate(9, mode="single", runs=100, seed=0)
    >>> found.n, len(found.mistakes), bool(found.converged.all())
    (9, 100, True)
    """

    n: int
    mode: str
    batch: int
    seed: int
    cap: int
    within: int
    mistakes: Ints = field(repr=False)
    tested: Ints = field(repr=False)
    begun: Ints = field(repr=False)  # wrong weights at the start
    ended: Ints = field(repr=False)  # wrong weights at the end

    @property
    def converged(self) -> NDArray[np.bool_]:
        """Which runs came within the distance asked for."""
        return np.asarray(self.ended <= self.within)

    @property
    def capped(self) -> NDArray[np.bool_]:
        """Which runs were stopped after ``cap`` mistakes: theirs are at least so many."""
        return np.asarray(~self.converged & (self.mistakes >= self.cap))

    @property
    def deceived(self) -> NDArray[np.bool_]:
        """Which runs ended by patience with a wrong hypothesis."""
        return np.asarray(~self.converged & (self.mistakes < self.cap))

    @property
    def mean(self) -> float:
        """The mean of the mistakes; where some runs are capped, less than it should be."""
        return float(self.mistakes.mean())

    @property
    def standard_error(self) -> float:
        """The standard error of the mean: 0 for a single run."""
        runs = len(self.mistakes)
        return float(self.mistakes.std(ddof=1) / np.sqrt(runs)) if runs > 1 else 0.0

    def __str__(self) -> str:
        capped, deceived = int(self.capped.sum()), int(self.deceived.sum())
        text = f"{len(self.mistakes):,} runs: {'at least ' if capped else ''}{self.mean:.5g} mistakes"
        text += f" +- {self.standard_error:.2g}"
        if capped:
            text += f"; {capped:,} stopped after {self.cap:,} mistakes"
        return text + (f"; {deceived:,} ended with a wrong hypothesis" if deceived else "")


def simulate(
    n: int,
    mode: Mode = "single",
    batch: int | None = None,
    runs: int = 1000,
    seed: int = 0,
    start: str | int = "random",
    *,
    sampling: str = "uniform",
    choice: str = "random",
    within: int = 0,
    patience: int | None = None,
    cap: int = 1_000_000,
    threads: int | None = None,
    on_block: Callable[[int], None] | None = None,
) -> Simulation:
    """Let Directed Drift learn a random target from positive rows, ``runs`` times.

    A run depends on the seed and its number alone: neither the number of threads nor that of the other runs matters.

    Parameters
    ----------
    n : int >= 1
        The number of weights.
    mode : "single", "asynchronous" or "synchronous"
        Algorithm D, D' or D''.
    batch : int >= 1, or None
        m, in the batch modes; None: as in Table 1, see `drift.batch_size`.
    runs, seed : int
        How many runs, and what their random numbers depend on.
    start : "random", "opposite" or a number of wrong weights
        Where a run begins.
    sampling : "uniform" or "reflected"
        Rows uniform on the positive half-space; or, as in the paper's footnote 1, uniform on the cube and reflected if
        negative. For odd n this is the same; for even n the latter halves the chance of rows orthogonal to the target,
        and makes learning easier than the theory has it.
    choice : "random" or "lowest"
        Which of the coordinates that may be flipped is: any, with equal chances, or the first. D needs the former: with
        the latter the last floor(n/2) coordinates never change, and few runs converge.
    within : int >= 0
        End a run within this distance of the target (the approximate goal).
    patience : int >= 1, or None
        End a run after so many right predictions in a row, see `drift.paper_rule`; None: only at the target.
    cap : int >= 1
        End a run after so many mistakes; the result says how many runs were.
    threads : int >= 1, or None
        How many threads play; None: as many as there are cores.
    on_block : function, or None
        Called with the number of runs played, after each block of runs.

    Example
    -------
    >>> from littlestone.theory.drift import simulate
    >>> print(simulate(n=9, runs=2000, start="opposite"))  # the chain has 94.34
    2,000 runs: 92.994 mistakes +- 1.8
    >>> print(simulate(n=21, mode="synchronous"))
    1,000 runs: 1.127 mistakes +- 0.012
    """
    n = check_whole("simulate", "n", n, most=1 << 20)
    if not isinstance(mode, str) or mode not in MODES:
        raise InvalidParameter(f"simulate: mode must be one of {', '.join(MODES)}, got {mode!r}")
    if sampling not in ("uniform", "reflected"):
        raise InvalidParameter(f"simulate: sampling must be 'uniform' or 'reflected', got {sampling!r}")
    if choice not in ("random", "lowest"):
        raise InvalidParameter(f"simulate: choice must be 'random' or 'lowest', got {choice!r}")
    votes = _votes(n, mode, batch)
    runs = check_whole("simulate", "runs", runs)
    seed = check_whole("simulate", "seed", seed, least=0, most=(1 << 64) - 1)
    within = check_whole("simulate", "within", within, least=0, most=n)
    cap = check_whole("simulate", "cap", cap, most=MOST)
    wait = 0 if patience is None else check_whole("simulate", "patience", patience, most=MOST)
    threads = (os.cpu_count() or 1) if threads is None else check_whole("simulate", "threads", threads)
    arrays = np.zeros((4, runs), dtype=np.int64)
    wrong = _start(n, start)

    def play(first: int) -> int:
        part = np.zeros((4, min(TOGETHER, runs - first)), dtype=np.int64)  # in one piece, as the kernel is compiled for
        engine.simulate(
            np.uint64(seed), first, n, MODES[mode], votes, wrong, within, cap, wait, sampling == "reflected",
            choice == "lowest", part,
        )  # fmt: skip
        arrays[:, first : first + TOGETHER] = part
        return first + int(part.shape[1])

    with ThreadPoolExecutor(threads) as pool:
        for played in pool.map(play, range(0, runs, TOGETHER)):
            if on_block is not None:
                on_block(played)
    return Simulation(n, mode, votes, seed, cap, within, *arrays)


def _votes(n: int, mode: Mode, batch: int | None) -> int:
    """Return the size of a batch: 1 for algorithm D."""
    if mode == "single":
        if batch is not None and check_whole("simulate", "batch", batch) != 1:
            raise InvalidParameter(f"simulate: mode 'single' has no batch, got batch={batch!r}; take another mode")
        return 1
    return batch_size(n, mode) if batch is None else check_whole("simulate", "batch", batch, most=1 << 30)


def _start(n: int, start: str | int) -> int:
    """Return the number of wrong weights at the start; -1: at random."""
    if isinstance(start, str):
        if start not in ("random", "opposite"):
            raise InvalidParameter(
                f"simulate: start must be 'random', 'opposite' or a number of wrong weights, got {start!r}"
            )
        return n if start == "opposite" else -1
    return check_whole("simulate", "start", start, least=0, most=n)
