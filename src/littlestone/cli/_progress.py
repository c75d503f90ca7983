"""The progress of a training on stderr: Vowpal Wabbit's table with more columns, and a bar on a terminal."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Self

import click

if TYPE_CHECKING:
    from collections.abc import Callable

    from littlestone.models.training import Last, Training

__all__ = ["Bar", "Table"]

HEAD = (
    "average  since         example        example        current        current  current",
    "loss     last          counter         weight          label        predict features",
)
MORE = "  mistakes    updates"
HEAD_OF_NUMBERS = HEAD[0].replace("  label", "outcome")
MORE_OF_NUMBERS = "       MAE    updates"
NONE = f" {'-':>10}"


class Table:
    """Lines at the examples asked for: VW's seven columns, then mistakes and updates.

    With ``k`` there is a column more: the bound on the mistakes if the labels are those of a disjunction of k
    attributes. The loss is the share of mistakes; of numbers there are the RMSE and the MAE. A line that ends in h is
    of the examples that were held out.
    """

    def __init__(self, training: Training, write: Callable[[str], None], k: int | None = None) -> None:
        self.training, self.write, self.k = training, write, k
        self._numbers = training.model.outcomes is not None
        write(HEAD_OF_NUMBERS if self._numbers else HEAD[0])
        write(
            (HEAD[1].replace("loss", "RMSE", 1) + MORE_OF_NUMBERS)
            if self._numbers
            else HEAD[1] + MORE + ("" if k is None else f" {f'bound k={k}':>10}")
        )
        self.shown, self.shown_held = self._now()

    def line(self) -> None:
        """Write a line."""
        training = self.training
        now, held = self._now()
        if training.last is not None and now != self.shown:
            self._write(now, self.shown, training.last, f"{training.updates:>10d}{self._bound()}")
        if training.last_held is not None and held != self.shown_held:
            self._write(held, self.shown_held, training.last_held, f"{'-':>10}{'' if self.k is None else NONE} h")
            self.shown_held = held
        self.shown = now

    def _now(self) -> tuple[Any, Any]:
        """Return how many examples were predicted and how well: those that were learned, and those held out."""
        training = self.training
        if self._numbers:
            return training.paid, training.held_paid
        return (training.learned, training.mistakes), (training.held, training.held_mistakes)

    def _bound(self) -> str:
        """Return the cell of the bound: a dash where there is none, or more mistakes than it allows."""
        from littlestone.models.training import stated_bound

        if self.k is None:
            return ""
        bound = stated_bound(self.training.learner, self.k)
        if bound is None or bound.arguments.get("k") != self.k or self.training.learner.mistakes > bound.value:
            return NONE
        return f" {bound.value:>10.0f}" if bound.value < 1e10 else f" {bound.value:>10.3g}"

    def _write(self, now: Any, shown: Any, last: Last, rest: str) -> None:
        if self._numbers:
            since = now.since(shown)
            self.write(
                f"{now.rmse:<8.6g} {since.rmse:<8.6g} {self.training.examples:>12d} {self.training.weight:>14.1f} "
                f"{last.label:>14.6g} {last.predicted:>14.6g} {last.features:>8d} {now.mae:>10.6g} {rest}"
            )
            return
        average = now[1] / now[0] if now[0] else 0.0
        since = (now[1] - shown[1]) / (now[0] - shown[0]) if now[0] > shown[0] else 0.0
        self.write(
            f"{average:<8.6f} {since:<8.6f} {self.training.examples:>12d} {self.training.weight:>14.1f} "
            f"{_word(last.label):>14} {_word(last.predicted):>14} {last.features:>8d} {now[1]:>10d} {rest}"
        )


class Bar:
    """A bar on a terminal, by bytes where they are known, else a count; elsewhere nothing. Lines go above it."""

    def __init__(self, training: Training, *, quiet: bool) -> None:
        self.training, self._stack = training, ExitStack()
        self._bar: Any = None
        if sys.stderr.isatty() and not quiet:
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

            columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), TimeRemainingColumn())
            self._bar = self._stack.enter_context(Progress(*columns, console=Console(stderr=True), transient=True))
            self._task = self._bar.add_task("", total=None)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def write(self, line: str) -> None:
        """Write a line."""
        if self._bar is None:
            click.echo(line, err=True)
        else:
            self._bar.console.out(line, highlight=False)

    def move(self) -> None:
        """Show the progress."""
        if self._bar is None:
            return
        source = self.training.stream.source
        bytes_read = None if source is None else source.progress()
        at = f"pass {self.training.passed + 1}: " if self.training.passes > 1 else ""
        numbers = self.training.model.outcomes is not None
        said = f"RMSE {self.training.paid.rmse:.6g}" if numbers else f"{self.training.mistakes:,} mistakes"
        words = f"{at}{self.training.examples:,} examples, {said}"
        completed = {} if bytes_read is None else {"completed": bytes_read[0], "total": bytes_read[1]}
        self._bar.update(self._task, description=words, **completed)


def _word(label: Any) -> str:
    return f"{float(label):.4f}" if isinstance(label, int | float) else str(label)[:14]
