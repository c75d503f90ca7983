"""Where examples come from; imported when asked for. ``make stubs`` writes the names for type checkers."""

from littlestone.core.lazy import importer

_PLACES = {
    "arrays": ("ArrayStream", "from_arrays"),
    "base": ("Stream", "open"),
    "formats.csv": ("CsvStream",),
    "formats.frame": ("FrameStream", "ParquetStream"),
    "formats.json_table": ("JsonTableStream",),
    "formats.jsonl": ("JsonlStream",),
    "formats.records": ("RecordStream",),
    "formats.schema": ("Schema",),
    "formats.snow": ("SnowStream",),
    "formats.svmlight": ("SvmlightStream", "write_svmlight"),
    "formats.vw": ("VWStream", "write_vw"),
    "wrappers.hashed": ("Hashed", "hashed_column"),
    "wrappers.pairs": ("Pairs",),
    "wrappers.wrapped": ("Part",),
    "writers": ("convert", "write_jsonl"),
}
_HOME = {name: f"littlestone.streams.{place}" for place, names in _PLACES.items() for name in names}

__getattr__ = importer("littlestone.streams", _HOME)
