"""The one format of a source's lines: as it was given or saved, that of the model, or what its first line shows."""

from __future__ import annotations

from typing import Any

from littlestone.models.following.lines import IN_FILES, Lines, lines_of_format
from littlestone.models.following.texts import Text
from littlestone.models.model import Model
from littlestone.models.recipe import is_table
from littlestone.streams.base import format_of
from littlestone.streams.sources.opened import Source

__all__ = ["Deciding"]


class Deciding:
    """Decides once in which format lines are read: the ``reading`` says so to whoever reads the rows.

    ``given`` is the format that somebody said; ``name`` is the source's, ``id`` that of the ids.
    """

    def __init__(
        self, model: Model, name: str, reading: dict[str, Any], id: str | None, given: str | None,  # noqa: A002
    ) -> None:  # fmt: skip
        self._name, self._id, self.reading = name, id, reading
        self._of_model = model.reading
        self._numbered = model.trials > 0 and model.learner.vocabulary is None
        self.table = is_table(model.reading)
        self.known = reading.get("format")  # the model's, which is no more than likely
        self.format: str | None = None
        if given is not None:
            self.lines(given)

    def lines(self, format: str) -> Lines:  # noqa: A002
        """Return what divides lines of a format, which is that of all lines from now on."""
        reading = {**self.reading, "format": format} | ({"closed": True} if self.table else {})
        if format != self.known:  # how the model's own files are divided says nothing of others
            for name in ("delimiter", "quote"):
                if name in reading and reading[name] == self._of_model.get(name):
                    del reading[name]
        found = lines_of_format(self._name, reading, self._id)
        self.format = format
        if not self.table and format not in {"csv", "tsv"}:  # rows of a table come as dicts
            if format != self.known:  # what nobody says, and no line alone shows
                usual = {"svmlight": {"zero_based": False}, "vw": {"names": not self._numbered}}.get(format, {})
                self.reading.update({key: value for key, value in usual.items() if key not in self.reading})
            self.reading["format"] = format
        return found

    def shown(self, line: bytes) -> Lines:
        """Decide by what a line shows, which is neither blank nor a late label; `InvalidData` if it shows nothing."""
        if line.lstrip()[:1] == b"{":
            return self.lines("jsonl")
        if self.known in IN_FILES and self.known != "jsonl":
            return self.lines(str(self.known))
        return self.lines("csv" if self.table else format_of(Source.of(Text(line))))
