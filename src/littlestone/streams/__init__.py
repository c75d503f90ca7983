"""Where examples come from. Readers and writers of files are imported when they are asked for."""

from typing import TYPE_CHECKING

from littlestone._lazy import importer
from littlestone.streams.arrays import ArrayStream, from_arrays
from littlestone.streams.base import Stream
from littlestone.streams.part import Part

if TYPE_CHECKING:
    from littlestone.streams.frame import FrameStream, ParquetStream
    from littlestone.streams.hashed import Hashed, hashed_column
    from littlestone.streams.jsonl import JsonlStream
    from littlestone.streams.opening import open  # noqa: A004 - as ls.open
    from littlestone.streams.pairs import Pairs
    from littlestone.streams.snow import SnowStream
    from littlestone.streams.svmlight import SvmlightStream, write_svmlight
    from littlestone.streams.table import CsvStream
    from littlestone.streams.vw import VWStream, write_vw
    from littlestone.streams.writers import convert, write_jsonl

__all__ = [
    "ArrayStream",
    "CsvStream",
    "FrameStream",
    "Hashed",
    "JsonlStream",
    "Pairs",
    "ParquetStream",
    "Part",
    "SnowStream",
    "Stream",
    "SvmlightStream",
    "VWStream",
    "convert",
    "from_arrays",
    "hashed_column",
    "open",
    "write_jsonl",
    "write_svmlight",
    "write_vw",
]

_LATER = {
    "CsvStream": "table",
    "FrameStream": "frame",
    "Hashed": "hashed",
    "JsonlStream": "jsonl",
    "Pairs": "pairs",
    "ParquetStream": "frame",
    "SnowStream": "snow",
    "SvmlightStream": "svmlight",
    "VWStream": "vw",
    "convert": "writers",
    "hashed_column": "hashed",
    "open": "opening",
    "write_jsonl": "writers",
    "write_svmlight": "svmlight",
    "write_vw": "vw",
}

__getattr__ = importer("littlestone.streams", {name: f"littlestone.streams.{at}" for name, at in _LATER.items()})
