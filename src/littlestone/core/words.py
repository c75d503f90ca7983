"""How a text becomes words: the one tokeniser of tables, JSON lines, the facades and services."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple
from unicodedata import combining, normalize

from littlestone.core.errors import InvalidParameter
from littlestone.core.messages import did_you_mean
from littlestone.core.parameters import check_flag, check_whole

__all__ = ["MOST_CHARACTERS", "MOST_NGRAMS", "TOKENS", "Place", "Tokeniser"]

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

_WORDS = re.compile(f"{WORD}|{MARKS}|{EMOJI}")
_PLAIN = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_ascii = re.compile(r"[A-Za-z0-9]+(?:(?:'|(?<=[0-9])[.,](?=[0-9]))[A-Za-z0-9]+)*|\$|!+|\?+").findall  # the same, faster


class Place(NamedTuple):
    """Where a word stands in a text, and what is made of it there, with its share in each: of a run of words a part."""

    start: int
    end: int
    shares: dict[str, float]


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

    def places(self, text: str) -> list[Place]:
        """Return where the words of a text stand, in order, each as often as it comes.

        >>> for place in Tokeniser(ngrams=2).places("WINNER!! You won"):
        ...     print(place.start, place.end, place.shares)
        0 6 {'winner': 1.0, 'winner_!!': 0.5}
        6 8 {'!!': 1.0, 'winner_!!': 0.5, '!!_you': 0.5}
        9 12 {'you': 1.0, '!!_you': 0.5, 'you_won': 0.5}
        13 16 {'won': 1.0, 'you_won': 0.5}
        """
        whole, starts, ends = _aligned(text, self._seen)
        matches = list((_PLAIN if self.tokens == "plain" else _WORDS).finditer(whole))
        words = [match.group() for match in matches]
        shares = [dict.fromkeys((word, *self._pieces([word])), 1.0) for word in words]
        for size in range(2, self.ngrams + 1):
            for first in range(len(words) - size + 1):
                for at in range(first, first + size):
                    shares[at]["_".join(words[first : first + size])] = 1.0 / size
        return [
            Place(starts[match.start()], ends[match.end() - 1], parts)
            for match, parts in zip(matches, shares, strict=True)
        ]

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
        return _PLAIN.findall if self.tokens == "plain" else _all_words

    def _seen(self, text: str) -> str:
        """Return a text as words are looked for in it."""
        text = text.lower() if self.lower else text
        return text if self.tokens == "plain" else _one_form(text)

    def _pieces(self, found: list[str]) -> Iterator[str]:
        if self.characters is None:
            return
        size = self.characters
        for word in dict.fromkeys(found):
            marked = f"_{word}_"
            for at in range(max(1, len(marked) - size + 1)):
                yield f"~{marked[at : at + size]}"


def _all_words(text: str) -> list[str]:
    return _ascii(text) if text.isascii() else _WORDS.findall(_one_form(text))


def _one_form(text: str) -> str:
    # U+FE0F says only whether an emoji has colours
    return text if text.isascii() else normalize("NFC", text).replace("\u2019", "'").replace("\ufe0f", "")


def _aligned(text: str, change: Callable[[str], str]) -> tuple[str, list[int], list[int]]:
    """Return a text changed, and for each character of that where it begins and ends in the text itself.

    What changes together stays together: a letter with its accents.
    """
    if text.isascii():
        return change(text), list(range(len(text))), list(range(1, len(text) + 1))
    whole, starts, ends, at = list[str](), list[int](), list[int](), 0
    while at < len(text):
        end, found = at + 1, change(text[at])
        while end < len(text):
            longer = change(text[at : end + 1])
            if not combining(text[end]) and longer == found + change(text[end]):
                break
            end, found = end + 1, longer
        if found:
            whole.append(found)
            starts += [at] * len(found)
            ends += [end] * len(found)
        elif ends and ends[-1] == at:  # it belongs to what it stands behind
            first = bisect_left(starts, starts[-1])
            ends[first:] = [end] * (len(ends) - first)
        at = end
    return "".join(whole), starts, ends
