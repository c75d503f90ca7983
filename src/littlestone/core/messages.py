"""Messages: how they show what came and what may have been meant, and the remedies that they carry as data."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, Self

__all__ = ["Blank", "Message", "Remedy", "close_to", "did_you_mean", "install", "repeated", "shown"]


def shown(value: object, most: int = 60) -> str:
    """Return a value as a message shows it: its beginning, where it is long.

    >>> shown("sun"), shown("sun" * 99, most=12)
    ("'sun'", "'sunsunsu...")
    """
    text = repr(value)
    return text if len(text) <= most else f"{text[: most - 3]}..."


def repeated(names: Iterable[Hashable]) -> str:
    """Return the first name that comes a second time, as a message shows it.

    >>> repeated(["sun", "rain", "wind", "rain", "sun"])
    "'rain'"
    """
    seen: set[Hashable] = set()
    for name in names:
        if name in seen:
            return shown(name)
        seen.add(name)
    raise ValueError("no name comes twice")


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return the remedy for a word that nobody knows: those that are spelled nearly so; empty where there are none.

    >>> did_you_mean("alpah", ["alpha", "theta"]), did_you_mean("foo", ["alpha"])
    ('did you mean alpha?', '')
    """
    close = close_to(word, known)
    return f"did you mean {' or '.join(close)}?" if close else ""


def close_to(word: str, known: Iterable[str]) -> list[str]:
    """Return the words that are spelled nearly so, the closest first."""
    import difflib  # only where something went wrong

    return difflib.get_close_matches(word, list(known), n=3, cutoff=0.6)


def install(extra: str) -> str:
    """Return the command that installs an extra; its quotes are for shells to which brackets mean something.

    >>> install("plot")
    "pip install 'littlestone[plot]'"
    """
    return f"pip install 'littlestone[{extra}]'"


class Blank(str):
    """A value that only the reader of a message knows; what it says stands in its place.

    >>> str(Remedy("say {label}", label=Blank("COLUMN"))), str(Remedy("say {label}", label="y"))
    ('say label=COLUMN', "say label='y'")
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


class Remedy:
    """What to do about an error: words, with an option in braces where it is named.

    ``typed`` are the words of the command line, where others suit there; ``learner`` says that the options are
    parameters of a learner.

    >>> str(Remedy("say {labels}", labels=Blank("(negative, positive)")))
    'say labels=(negative, positive)'
    """

    def __init__(self, words: str, *, typed: str | None = None, learner: bool = False, **options: Any) -> None:
        self.words, self.typed, self.learner, self.options = words, typed, learner, options

    def __str__(self) -> str:
        return self.filled({name: f"{name}={value!r}" for name, value in self.options.items()})

    def filled(self, options: Mapping[str, str], words: str | None = None) -> str:
        """Return the words (or others) with these texts for the options."""
        found = self.words if words is None else words
        return found.format(**options) if self.options else found


Pieces = tuple[tuple[str, tuple[Remedy, ...]], ...]  # texts, each with its remedies


class Message(str):
    """A message with its remedies, which are alternatives. As a text it is what Python says.

    >>> message = Message("mail.svm: expected two labels, got only 3", Remedy("say {labels}", labels=Blank("(0, 3)")))
    >>> print(message.after("train: "))
    train: mail.svm: expected two labels, got only 3; say labels=(0, 3)
    >>> message.worded(lambda remedy: remedy.words.format(labels="--labels 0,3"))
    'mail.svm: expected two labels, got only 3; say --labels 0,3'
    """

    __slots__ = ("pieces",)
    pieces: Pieces

    def __new__(cls, text: str = "", *remedies: Remedy | str) -> Self:
        """Return the text, then the remedies; a message in its place keeps those that it has."""
        *first, (last, known) = text.pieces if isinstance(text, Message) else ((text, ()),)
        more = tuple(Remedy(one) if isinstance(one, str) else one for one in remedies)
        pieces = (*first, (last, known + more))
        made = super().__new__(cls, _worded(pieces, str))
        made.pieces = pieces
        return made

    def after(self, where: str) -> "Message":
        """Return the message with more words before it."""
        (text, remedies), *others = self.pieces
        return _message(((where + text, remedies), *others))

    def without(self, count: int) -> "Message":
        """Return the message without its first characters, which say where it is."""
        (text, remedies), *others = self.pieces
        return _message(((text[count:], remedies), *others))

    def then(self, other: "Message") -> "Message":
        """Return this message and another behind it."""
        return _message(self.pieces + other.pieces)

    def worded(self, words: Callable[[Remedy], str | None]) -> str:
        """Return the message with ``words`` for each remedy; one for which there are none is left out."""
        return _worded(self.pieces, words)


def _worded(pieces: Pieces, words: Callable[[Remedy], str | None]) -> str:
    alternatives = ((text, ", or ".join(filter(None, map(words, remedies)))) for text, remedies in pieces)
    return "; ".join(part for piece in alternatives for part in piece if part)


def _message(pieces: Pieces) -> Message:
    made = Message(_worded(pieces, str))
    made.pieces = pieces
    return made
