"""Schedule: after how many examples something is due."""

from __future__ import annotations

from math import ceil

from littlestone.core.errors import InvalidParameter

__all__ = ["Schedule"]


class Schedule:
    """Numbers of examples at which something is due: every N, or N times as many each time.

    ``step`` is a whole number (10: at 10, 20, 30, ...) or a float (2.0: at 1, 2, 4, 8, ...), as Vowpal Wabbit's -P has
    it; from ``steady`` on, numbers that grow by a factor come every ``steady`` examples.

    >>> schedule = Schedule.of("2.0")
    >>> [schedule.after(count) for count in (0, 1, 2, 5, 8)]
    [1, 2, 4, 8, 16]
    >>> Schedule(100).after(250), Schedule(2.0, steady=1000).after(2000)
    (300, 3000)
    """

    def __init__(self, step: float, *, steady: int | None = None) -> None:
        if not 1 <= step < float("inf") or (step == 1.0 and isinstance(step, float)):
            raise InvalidParameter(f"Schedule: expected a whole number >= 1 or a factor > 1.0, got {step!r}")
        self.step, self.steady = step, steady

    @classmethod
    def of(cls, text: str) -> Schedule:
        """Return what a word says: "100" every 100, "2.0" twice as many each time."""
        try:
            return cls(int(text)) if text.isdigit() else cls(float(text))
        except ValueError:
            raise InvalidParameter(
                f"expected every how many examples (100), or by which factor more (2.0), got {text!r}"
            ) from None

    def after(self, count: int) -> int:
        """Return the next number that is due after ``count`` examples."""
        if isinstance(self.step, int):
            return (count // self.step + 1) * self.step
        if self.steady is not None and count >= self.steady:
            return (count // self.steady + 1) * self.steady
        due = 1
        while due <= count:
            due = max(due + 1, ceil(due * self.step))
        return due
