"""How names and settings are spelled: any case, hyphens or underscores, and ``name:key=value,key=value``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

__all__ = ["hyphened", "meant", "split_names", "split_settings", "squeezed", "value_of"]


def hyphened(name: str) -> str:
    """Return a name as commands print it: lower case, with hyphens.

    >>> hyphened("PNorm"), hyphened("BayesBEG"), hyphened("Balanced_Winnow")
    ('p-norm', 'bayes-beg', 'balanced-winnow')
    """
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", name)
    return apart.lower().replace("_", "-")


def squeezed(name: str) -> str:
    """Return what all spellings of a name share: its letters and digits in lower case.

    >>> {squeezed(name) for name in ("BalancedWinnow", "Balanced_Winnow", "balanced-winnow", "BALANCEDWINNOW")}
    {'balancedwinnow'}
    """
    return name.lower().replace("-", "").replace("_", "")


def meant(name: str, known: Iterable[str]) -> str | None:
    """Return the one of the known names that ``name`` is a spelling of; None: there is none.

    >>> meant("Tic_Tac_Toe", ["monks", "tic-tac-toe"]), meant("monk", ["monks"])
    ('tic-tac-toe', None)
    """
    several = list(known)
    if name in several:
        return name
    word = squeezed(name)
    return next((one for one in several if word and squeezed(one) == word), None)


def split_settings(text: str) -> tuple[str, list[str]]:
    """Return the name and the settings of ``name:key=value,key=value``.

    A colon between settings does as well. In the value of a setting, where a colon or a comma would belong to the
    outer name, a slash takes their place. Numbers separated by commas are one value.

    >>> split_settings("winnow:alpha=1.5,theta=100"), split_settings("winnow/alpha=1.5/theta=100")
    (('winnow', ['alpha=1.5', 'theta=100']), ('winnow', ['alpha=1.5', 'theta=100']))
    >>> split_settings("kernel-perceptron:kernel=monotone:2,budget=100"), split_settings("greedy:target=0,1,n=64")
    (('kernel-perceptron', ['kernel=monotone:2', 'budget=100']), ('greedy', ['target=0,1', 'n=64']))
    """
    name = re.split("[:/]", text, maxsplit=1)[0]
    mark, rest = text[len(name) : len(name) + 1], text[len(name) + 1 :]
    if not mark:
        return name, []
    return name, re.split(r"/(?=[\w-]+=)" if mark == "/" else r"[:,](?=[\w-]+=)", rest)


def split_names(text: str) -> list[str]:
    """Return the names, with their settings, of a list that is separated by commas.

    >>> split_names("perceptron, winnow:alpha=1.5,theta=100,arow")
    ['perceptron', 'winnow:alpha=1.5,theta=100', 'arow']
    """
    found: list[str] = []
    for piece in text.split(","):
        goes_on = re.match(r"\s*([\w-]+=|[-+.\d/]+\s*(?::|$))", piece)  # a setting, or a number of the last value
        if goes_on and found and ":" in found[-1]:
            found[-1] += f",{piece.rstrip()}"
        elif piece.strip():
            found.append(piece.strip())
    return found


def value_of(text: str) -> Any:
    """Return the value that stands in a setting.

    >>> [value_of(text) for text in ("3", "1.5", "3/2", "0,4,7", "true", "none", "R1")]
    [3, 1.5, Fraction(3, 2), (0, 4, 7), True, None, 'R1']
    """
    words = {"none": None, "true": True, "false": False}
    if text.lower() in words:
        return words[text.lower()]
    for read in (int, float, Fraction, _positions):
        try:
            return read(text)
        except (ValueError, ZeroDivisionError):
            continue
    return text


def _positions(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(",") if part)
