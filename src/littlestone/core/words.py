"""How a text becomes words: the one tokeniser of tables, JSON lines, the facades and services."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any
from unicodedata import normalize

from littlestone.core.errors import InvalidParameter
from littlestone.core.messages import did_you_mean
from littlestone.core.parameters import check_flag, check_whole

__all__ = ["MOST_CHARACTERS", "MOST_NGRAMS", "TOKENS", "Tokeniser"]

TOKENS = ("words", "plain")
MOST_NGRAMS, MOST_CHARACTERS = 16, 16

# Vowel signs and accents that stand behind their letters: Python's \w leaves them out.
SIGNS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u0900-\u0963\u0966-\u0df3"
    "\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ecd\u0f71-\u0f84\u102b-\u103e\u17b4-\u17d3"
)
RUN = rf"[^\W_](?:[^\W_]|[{SIGNS}])*+"
WORD = rf"{RUN}(?:(?:'|(?<=\d)[.,](?=\d)){RUN})*+"
PICTURE = "[\u231a-\u23ff\u2600-\u27bf\u2b05-\u2b55\U0001f000-\U0001f1e5\U0001f200-\U0001f3fa\U0001f400-\U0001faff]"
EMOJI = rf"[\U0001f1e6-\U0001f1ff]{{2}}|{PICTURE}[\U0001f3fb-\U0001f3ff]?(?:\u200d{PICTURE}[\U0001f3fb-\U0001f3ff]?)*"
MARKS = r"[$\u00a2-\u00a5\u20a0-\u20c0]|!+|\?+"

_words = re.compile(f"{WORD}|{MARKS}|{EMOJI}").findall
_ascii = re.compile(r"[A-Za-z0-9]+(?:(?:'|(?<=[0-9])[.,](?=[0-9]))[A-Za-z0-9]+)*|\$|!+|\?+").findall  # the same, faster
_plain = re.compile(r"[^\W_]+(?:'[^\W_]+)*").findall


@dataclass(frozen=True)
class Tokeniser:
    """What makes a bag of words of a text: call it with a text.

    ``tokens="words"``: a word is a run of letters and digits of any script. An apostrophe within it belongs to it ('
    and \u2019 are the same), and so do points and commas between digits, as in 1,000.50. Emoji are words, each with its
    modifiers, and so are signs of currencies and runs of ! or ?. All else separates words, the underscore too; no word
    is dropped, and it does not matter how accented letters are composed. ``tokens="plain"`` is what versions before
    had: runs of letters and digits with apostrophes, no more.

    ``lower`` makes capitals small. Besides the words there are runs of 2 to ``ngrams`` of them, joined by underscores,
    and every ``characters`` consecutive characters of a word, after a tilde; there an underscore stands for the
    beginning and the end of the word.

    >>> Tokeniser()("Don\u2019t pay $1,000.50!! DON'T")
    ["don't", 'pay', '$', '1,000.50', '!!']
    >>> Tokeniser(ngrams=3)("so so good")
    ['so', 'good', 'so_so', 'so_good', 'so_so_good']
    >>> Tokeniser(lower=False, characters=4)("Free 4u")
    ['Free', '4u', '~_Fre', '~Free', '~ree_', '~_4u_']
    """

    tokens: str = "words"
    lower: bool = True
    ngrams: int = 1
    characters: int | None = None

    @classmethod
    def checked(cls, owner: str, tokens: Any, lower: Any, ngrams: Any, characters: Any) -> Tokeniser:
        """Return the tokeniser with these options; refuse those that are wrong, in the name of their owner."""
        if tokens not in TOKENS:
            close = did_you_mean(str(tokens), TOKENS)
            raise InvalidParameter(
                f"{owner}: tokens must be one of {', '.join(TOKENS)}, got {tokens!r}", *([close] if close else [])
            )
        ngrams = check_whole(owner, "ngrams", ngrams, most=MOST_NGRAMS)
        if characters is not None:
            characters = check_whole(owner, "characters", characters, least=2, most=MOST_CHARACTERS)
        return cls(tokens, bool(check_flag(owner, "lower", lower)), ngrams, characters)

    def __call__(self, text: str) -> list[str]:
        """Return the different words of a text in the order in which they come, then runs of words, then characters."""
        if self.lower:
            text = text.lower()
        found = self._found(text)
        if self.only_words:
            return list(dict.fromkeys(found))
        runs = (
            map("_".join, zip(*(found[at:] for at in range(size)), strict=False)) for size in range(2, self.ngrams + 1)
        )
        return list(dict.fromkeys(chain(found, *runs, self._pieces(found))))

    @property
    def options(self) -> dict[str, Any]:
        """The options of a stream that make this tokeniser; those that are as by default are left out, but not tokens.

        >>> Tokeniser(ngrams=2).options
        {'tokens': 'words', 'ngrams': 2}
        """
        usual = Tokeniser()
        given = {name: getattr(self, name) for name in ("lower", "ngrams", "characters")}
        return {"tokens": self.tokens} | {name: value for name, value in given.items() if value != getattr(usual, name)}

    @cached_property
    def only_words(self) -> bool:
        """Whether there are neither runs of words nor characters."""
        return self.ngrams == 1 and self.characters is None

    @cached_property
    def _found(self) -> Callable[[str], list[str]]:
        return _plain if self.tokens == "plain" else _all_words

    def _pieces(self, found: list[str]) -> Iterator[str]:
        if self.characters is None:
            return
        size = self.characters
        for word in dict.fromkeys(found):
            marked = f"_{word}_"
            for at in range(max(1, len(marked) - size + 1)):
                yield f"~{marked[at : at + size]}"


def _all_words(text: str) -> list[str]:
    if text.isascii():
        return _ascii(text)
    # U+FE0F says only whether an emoji has colours
    return _words(normalize("NFC", text).replace("\u2019", "'").replace("\ufe0f", ""))
