"""Raw texts with their words marked by what they bring."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from littlestone.core.words import Tokeniser
from littlestone.models.explanation._linear import AsDict
from littlestone.streams.base import as_kept

__all__ = ["Marked", "marked_texts"]

OPTIONS = ("tokens", "lower", "ngrams", "characters")  # of the tokeniser


@dataclass(frozen=True)
class Marked(AsDict):
    """A piece of a raw text, and what its word brings; 0 for what is between words.

    What a run of words brings is shared among its words; what a run of characters brings is its word's.

    >>> import littlestone as ls
    >>> table = ls.datasets.messages()
    >>> model = ls.Model.train(table.examples[:1600], table.labels[:1600], learner="perceptron")
    >>> model.explain("win cash").texts["message"][0]
    Marked(text='win', brings=1.0)
    """

    text: str
    brings: float


def marked_texts(
    reading: Mapping[str, Any], raw: Mapping[str, Any], brings: Mapping[str, float]
) -> dict[str, tuple[Marked, ...]]:
    """Return the texts of a row by column, in pieces that together are the text, each word with what it brings.

    >>> marked_texts({"text": ["note"], "tokens": "words"}, {"note": "Win, win!"}, {"note=win": 2.0})["note"][:2]
    (Marked(text='Win', brings=2.0), Marked(text=', ', brings=0.0))
    """
    kept = as_kept(reading)
    words = Tokeniser(**{name: kept[name] for name in OPTIONS if name in kept})
    columns = [column for column in kept.get("text", ()) if isinstance(raw.get(column), str)]
    return {column: tuple(_pieces(raw[column], column, words, brings)) for column in columns}


def _pieces(text: str, column: str, words: Tokeniser, brings: Mapping[str, float]) -> list[Marked]:
    found, end = list[Marked](), 0
    for place in words.places(text):
        if place.start > end:
            found.append(Marked(text[end : place.start], 0.0))
        brought = sum(share * brings.get(f"{column}={word}", 0.0) for word, share in place.shares.items())
        found.append(Marked(text[place.start : place.end], brought))
        end = place.end
    return found + ([Marked(text[end:], 0.0)] if end < len(text) else [])
