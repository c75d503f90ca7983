"""How the service works: what it takes at most, and when it does what."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Self

__all__ = ["Limits", "Options"]


@dataclass(frozen=True)
class Limits:
    """What is taken at most; whatever is more is refused.

    >>> Options(limits=Limits(rows=100)).limits.rows
    100
    """

    rows: int = 10_000  # a request
    row_bytes: int = 1 << 20  # a row, as it is written down
    text: int = 256  # characters of an id, a label, a key
    models: int = 1000
    labels: int = 10_000  # that a model may meet
    attributes: int = 10_000_000  # that a model is made for
    names: int = 10_000_000  # of attributes that a model may meet
    new_labels: int = 100  # that a request may bring
    cells: int = 2_000_000  # rows times labels that a request may ask for
    explained: int = 500  # attributes of the rows of a request that are explained
    explanations: int = 100  # of a request
    weight: float = 1e6
    file: int = 1 << 30  # bytes of an uploaded file
    memory: int = 1 << 31  # bytes of the arrays of an uploaded model
    group: int = 512  # requests that are done together
    group_rows: int = 20_000
    at_once: int = 200_000  # rows times labels that are done between two signs of life


@dataclass(frozen=True)
class Options:
    """When snapshots are made, how many keys are remembered, and so on; times are in seconds.

    >>> Options(every=1000, seconds=10.0).keep
    8
    """

    every: int = 10_000  # events between two snapshots
    seconds: float = 60.0
    pause: float = 2.0  # between two snapshots, at least
    keep: int = 8  # snapshots of a model, besides those that cannot be made again
    window: int = 100_000  # keys that are remembered
    again: float = 1.0  # after which a full disk is tried again
    lock: float = 10.0  # how long another server may take to end
    synchronous: str = "FULL"  # NORMAL loses what was acknowledged when the power fails; for tests
    memory: int | None = None  # bytes that the worker may take; near it, it learns nothing more
    limits: Limits = Limits()

    def as_dict(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        return asdict(self)

    @classmethod
    def of(cls, given: dict[str, Any]) -> Self:
        """Return what `as_dict` gave.

        >>> Options.of(Options(every=5).as_dict()) == Options(every=5)
        True
        """
        return cls(**{**given, "limits": Limits(**given["limits"])})
