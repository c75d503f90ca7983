"""Where examples come from."""

from littlestone._lazy import importer
from littlestone.streams.arrays import ArrayStream, from_arrays
from littlestone.streams.base import Stream

# Readers and writers of files are imported when they are asked for.
_LATER = {
    "CsvStream": "table",
    "FrameStream": "frame",
    "JsonlStream": "jsonl",
    "ParquetStream": "frame",
    "SnowStream": "snow",
    "convert": "writers",
    "write_jsonl": "writers",
}

__all__ = ["ArrayStream", "Stream", "from_arrays"]
__all__ += sorted(_LATER)  # noqa: PLE0605

__getattr__ = importer("littlestone.streams", {name: f"littlestone.streams.{place}" for name, place in _LATER.items()})
