"""Training: a learner led through a stream, some passes of it, with examples held out, and what is kept of that."""

from littlestone.models.training.loop import Last, Schedule, Training, stated_bound
from littlestone.models.training.record import Record, described

__all__ = ["Last", "Record", "Schedule", "Training", "described", "stated_bound"]
