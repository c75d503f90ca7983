"""Learners and teachers from words on the command line: a name, and KEY=VALUE for its parameters."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import click

from littlestone.cli._remedies import typed
from littlestone.core.messages import did_you_mean

__all__ = ["WrongCall", "check_name", "made", "value_of"]


class WrongCall(click.ClickException):
    """A wrong call, in one line."""

    exit_code = 2


def check_name(role: str, name: str, known: Mapping[str, Any]) -> None:
    """Refuse a name that nobody has, with those it may have been meant for."""
    if name not in known:
        remedy = did_you_mean(name, known)
        raise WrongCall(f"{role}: expected one of {', '.join(known)}, got {name!r}{f'; {remedy}' if remedy else ''}")


def made(role: str, name: str, known: Mapping[str, Any], settings: tuple[str, ...]) -> Any:
    """Return the learner or teacher of this name with its settings; refuse what it does not take."""
    check_name(role, name, known)
    kind = known[name]
    names = _parameters(kind)
    told: dict[str, Any] = {}
    for setting in settings:
        word, equals, value = setting.partition("=")
        key = word.replace("-", "_")
        if not equals or key not in names:
            expected = f"expected KEY=VALUE with one of {', '.join(names)}" if names else "expected no settings"
            remedy = did_you_mean(key, names)
            raise WrongCall(f"{name}: {expected}, got {setting!r}{f'; {remedy}' if remedy else ''}")
        if key in told:
            raise WrongCall(f"{name}: expected {key} once, got it twice")
        told[key] = value_of(value)
    try:
        return kind(**told)
    except (TypeError, ValueError) as error:
        raise WrongCall(f"{typed(error)}; {name} takes {', '.join(names)}") from error


def _parameters(kind: Any) -> list[str]:
    if hasattr(kind, "parameter_names"):
        names: list[str] = kind.parameter_names()
        return names
    return [name for name in inspect.signature(kind).parameters if name != "self"]


def value_of(text: str) -> Any:
    """Return what a word on the command line stands for.

    >>> [value_of(text) for text in ("3", "1.5", "3/2", "0,4,7", "true", "none", "R1")]
    [3, 1.5, Fraction(3, 2), (0, 4, 7), True, None, 'R1']
    """
    if text.lower() == "none":
        return None
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    for read in (int, float, Fraction, _positions):
        try:
            return read(text)
        except (ValueError, ZeroDivisionError):
            continue
    return text


def _positions(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(",") if part)
