"""Names as plots write them: short, told apart, and never taken for mathematics or for a hidden line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

__all__ = ["LONGEST", "word", "words"]

LONGEST = 24  # letters of a name


def word(text: object, most: int = LONGEST) -> str:
    r"""Return one name, label or sentence as matplotlib writes it; what is too long loses its middle.

    >>> word("$1 or $2"), word("_x"), word("a\nb"), word("winner-takes-all:learner=arow")
    ('\\$1 or \\$2', ' _x', 'a b', 'winner-takes…earner=arow')
    """
    return _safe(_cut(_printed(text), most))


def words(names: Iterable[object], most: int = LONGEST) -> list[str]:
    """Return names as matplotlib writes them: those that differ still do when they are short.

    >>> words(["class number 1", "class number 12", "a"], most=12)
    ['class …ber 1', 'class …er 12', 'a']
    >>> words(["winnow:alpha=1.5,theta=100,margin=1", "winnow:alpha=1.2,theta=100,margin=1"])
    ['…alpha=1.5,theta=100,ma…', '…alpha=1.2,theta=100,ma…']
    """
    plain = [_printed(name) for name in names]
    short = _told_apart(list(dict.fromkeys(plain)), most)
    return [_safe(short[name]) for name in plain]


def _told_apart(names: Sequence[str], most: int) -> dict[str, str]:
    """Return a short form of each of several names: without the middle, or what differs where that is the middle."""
    found = {name: _cut(name, most) for name in names}
    for alike in _alike(found):
        found |= _differing(alike, most)
    return found


def _differing(names: Sequence[str], most: int) -> dict[str, str]:
    """Return of each name what begins a little before the first letter in which any two differ."""
    start = max(0, _common(names) - most // 3)
    found = {}
    for name in names:
        rest = ("…" if start else "") + name[start:]
        found[name] = rest if len(rest) <= most else f"{rest[: most - 1]}…"
    for alike in _alike(found):  # fewer each time: where the common beginning ends, two of them differ
        found |= _differing(alike, most)
    return found


def _common(names: Sequence[str]) -> int:
    """Return how many letters all names begin with."""
    first, last = min(names), max(names)
    return next((at for at, letter in enumerate(first) if not last.startswith(letter, at)), len(first))


def _alike(found: dict[str, str]) -> list[list[str]]:
    """Return the names whose short forms are the same."""
    groups: dict[str, list[str]] = {}
    for name, short in found.items():
        groups.setdefault(short, []).append(name)
    return [names for names in groups.values() if len(names) > 1]


def _printed(text: object) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in str(text))


def _cut(text: str, most: int) -> str:
    head = most // 2
    return text if len(text) <= most else f"{text[:head]}…{text[len(text) - (most - 1 - head) :]}"


def _safe(text: str) -> str:
    return (" " if text.startswith("_") else "") + text.replace("$", r"\$")
