"""Where examples come from."""

from littlestone.streams.arrays import ArrayStream, from_arrays
from littlestone.streams.base import Stream

__all__ = ["ArrayStream", "Stream", "from_arrays"]
