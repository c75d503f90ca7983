"""One game of several learners, block by block, in which a learner that refuses leaves alone; and orders of rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from littlestone.core.block import Block
from littlestone.core.errors import LittlestoneError, TooLarge
from littlestone.core.messages import Message, Remedy
from littlestone.games.game import play, stream_blocks
from littlestone.games.loss_run import LossRun
from littlestone.games.run import Run
from littlestone.learners import Learner
from littlestone.parts.losses import Loss
from littlestone.streams import ArrayStream, Stream
from littlestone.theory.contests._losses import paid_by

__all__ = ["Permuted", "Player", "Rows", "Seen", "gathered", "play_game"]

WARMING = 64  # trials: enough for a mistake of either kind


@dataclass
class Player:
    """A learner in one game, its runs so far, or why it left."""

    learner: Learner
    measure: Loss | None = None  # what regressors pay here
    runs: list[Any] = field(default_factory=list)
    refused: Message | None = None

    @property
    def cost(self) -> float:
        """How many mistakes it has made, or what it has lost."""
        return sum(run.loss if isinstance(run, LossRun) else run.mistakes for run in self.runs)

    def play(self, block: Block) -> None:
        """Play some more rows, or leave with the reason why not; what was learned until then stays."""
        if self.refused is None:
            try:
                run: Any = play(self.learner, ArrayStream(block))
                if isinstance(run, LossRun):
                    run = paid_by(replace(run, stream=None), self.measure or run.measure)  # its rows may go
                self.runs.append(run)
            except (LittlestoneError, MemoryError) as error:
                why = error.message if isinstance(error, LittlestoneError) else Message(str(error))
                self.refused = why or Message(type(error).__name__)

    def run(self, stream: Stream) -> Any:
        """Return the whole game as one run."""
        kind = LossRun if isinstance(self.runs[0], LossRun) else Run
        return kind.joined(self.runs, stream)


@dataclass
class Seen:
    """What went by in a game."""

    trials: int = 0
    nonzeros: int = 0
    n: int = 0
    boolean: bool = True
    labels: tuple[object, ...] = ()
    outcomes: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    def see(self, block: Block) -> None:
        """Count these rows."""
        self.trials += len(block)
        self.nonzeros += int(block.indptr[-1] - block.indptr[0])
        self.n = max(self.n, block.n_attributes or block.width)
        self.boolean = self.boolean and block.values is None
        self.labels = block.labels or self.labels
        if block.outcomes is not None and not block.is_numbered:
            codes = block.outcomes[block.outcomes >= 0]
            counts = np.bincount(codes, minlength=max(len(self.labels), len(self.outcomes)))
            counts[: len(self.outcomes)] += self.outcomes
            self.outcomes = counts


class Rows:
    """Rows of a stream that are taken some at a time, each once."""

    def __init__(self, blocks: Iterator[Block]) -> None:
        self._blocks, self._left = blocks, list[Block]()

    def take(self, rows: int | None = None) -> Iterator[Block]:
        """Yield the next ``rows`` rows, or all that are left."""
        while rows is None or rows > 0:
            block = self._left.pop() if self._left else next(self._blocks, None)
            if block is None:
                return
            if rows is not None:
                if len(block) > rows:
                    self._left.append(block[rows:])
                    block = block[:rows]
                rows -= len(block)
            yield block


class Permuted(Stream):
    """The rows of a block in another order, put together when they are asked for."""

    def __init__(self, block: Block, order: NDArray[np.int64]) -> None:
        self.block, self.order = block, order
        self.n_attributes, self.names = block.n_attributes, block.names
        self.labels = (0, 1) if block.labels is None else block.labels

    def blocks(self, rows: int = 8192) -> Iterator[Block]:
        """Yield the rows in their new order."""
        for start in range(0, len(self.order), rows):
            yield replace(self.block.taken(self.order[start : start + rows]), start=start)


def gathered(stream: Stream, memory: int) -> Block | None:
    """Return the rows of a stream as one block; None if there are none, a refusal beyond ``memory`` bytes."""
    blocks, size = list[Block](), 0
    for block in stream_blocks([], stream):
        kept = replace(block, tags=None)  # nobody asks for them here
        values = 0 if block.values is None else 8
        size += 16 * len(block) + (4 + values) * int(block.indptr[-1] - block.indptr[0])
        if size > memory:
            raise TooLarge(
                f"contest: expected rows that fit in {memory:,} bytes, for permutations play them in memory, got more "
                f"in the first {sum(len(one) for one in blocks) + len(block):,}",
                Remedy(
                    "give trials=, a larger memory=, or permutations=0",
                    typed="give {trials}, or no permutations",
                    trials="ROWS",
                ),
            )
        blocks.append(kept)
    if not blocks:
        return None
    block = Block.joined(blocks)
    return replace(block, n_attributes=block.n_attributes or stream.n_attributes or block.width)


def play_game(players: Sequence[Player], blocks: Iterator[Block], seen: Seen | None, *, warm: bool) -> None:
    """Let all play the rows, which are read once; each is timed, so they take turns."""
    for number, block in enumerate(blocks):
        if number == 0 and warm:
            _warm(players, block)
        for player in players:
            player.play(block)
        if seen is not None:
            seen.see(block)


def _warm(players: Sequence[Player], block: Block) -> None:
    """Play some trials on copies: kernels are compiled at their first call, which is no part of the times."""
    for player in players:
        if player.learner.trials == 0 and len(block):
            with suppress(LittlestoneError, MemoryError):
                player.learner.copy().learn(block[:WARMING])
