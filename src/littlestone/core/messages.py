"""How a message shows what came, and what may have been meant."""

from collections.abc import Hashable, Iterable

__all__ = ["did_you_mean", "repeated", "shown"]


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
    import difflib  # only where something went wrong

    close = difflib.get_close_matches(word, list(known), n=3, cutoff=0.6)
    return f"did you mean {' or '.join(close)}?" if close else ""
