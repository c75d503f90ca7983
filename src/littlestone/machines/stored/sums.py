"""Sums: a machine that stores mistakes, and sums their kernels."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from littlestone.core.rows import Rows
from littlestone.machines.machine import Machine

__all__ = ["Sums"]


class Sums(Machine):
    """Stored mistakes; the value of a row is eta times the sum of their kernels, each with its coefficient."""

    @property
    @abstractmethod
    def stored(self) -> int:
        """How many mistakes are stored."""

    @abstractmethod
    def values(self, rows: Rows) -> list[Any]:
        """Return the value of each row, which is compared with theta."""

    def shrink(self, size: int) -> None:
        """Have heard of ``size`` attributes only."""
        self._size = size
