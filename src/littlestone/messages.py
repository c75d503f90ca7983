"""How a message shows what came."""

from collections.abc import Hashable, Iterable

__all__ = ["repeated", "shown"]


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
