"""Where examples come from. Readers and writers of files are imported when they are asked for."""

from typing import TYPE_CHECKING

from littlestone.core.lazy import importer
from littlestone.streams.arrays import ArrayStream, from_arrays
from littlestone.streams.base import Stream, open  # noqa: A004 - as ls.open
from littlestone.streams.wrappers.part import Part

if TYPE_CHECKING:
    from littlestone.streams.formats.csv import CsvStream
    from littlestone.streams.formats.frame import FrameStream, ParquetStream
    from littlestone.streams.formats.jsonl import JsonlStream
    from littlestone.streams.formats.snow import SnowStream
    from littlestone.streams.formats.svmlight import SvmlightStream, write_svmlight
    from littlestone.streams.formats.vw import VWStream, write_vw
    from littlestone.streams.wrappers.hashed import Hashed, hashed_column
    from littlestone.streams.wrappers.pairs import Pairs
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
    "CsvStream": "formats.csv",
    "FrameStream": "formats.frame",
    "Hashed": "wrappers.hashed",
    "JsonlStream": "formats.jsonl",
    "Pairs": "wrappers.pairs",
    "ParquetStream": "formats.frame",
    "SnowStream": "formats.snow",
    "SvmlightStream": "formats.svmlight",
    "VWStream": "formats.vw",
    "convert": "writers",
    "hashed_column": "wrappers.hashed",
    "write_jsonl": "writers",
    "write_svmlight": "formats.svmlight",
    "write_vw": "formats.vw",
}

__getattr__ = importer("littlestone.streams", {name: f"littlestone.streams.{at}" for name, at in _LATER.items()})
