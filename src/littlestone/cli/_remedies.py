"""Messages that name options of the command line."""

from __future__ import annotations

import shlex
from typing import Any

import click

from littlestone.core.errors import LittlestoneError
from littlestone.core.messages import Blank, Message, Remedy

__all__ = ["typed"]


def typed(error: str | BaseException, command: click.Command | None = None) -> str:
    """Return a message, or that of an error, with the options of the command where Python's has keywords.

    A remedy with an option that the command does not have is left out. Without ``command`` it is the one that runs.
    """
    message = error.message if isinstance(error, LittlestoneError) else error
    if not isinstance(message, Message):
        return str(message)
    running = click.get_current_context().command if command is None else command
    return message.worded(lambda remedy: _words(remedy, running))


def _words(remedy: Remedy, command: click.Command) -> str | None:
    words = remedy.words if remedy.typed is None else remedy.typed
    known = {param.name: param for param in command.params if isinstance(param, click.Option)}
    options = {}
    for name, value in remedy.options.items():
        if name in known:
            options[name] = _option(known[name], value)
        elif remedy.learner and "parameters" in known:
            options[name] = f"--set {_setting(name, value)}"
        elif remedy.learner and "learners" in known:
            options[name] = f"-l NAME:{_setting(name, value)}"
        elif f"{{{name}}}" in words:
            return None
    return remedy.filled(options, words)


def _option(option: click.Option, value: Any) -> str:
    name = option.opts[-1]
    if option.is_flag:
        return name if value else option.secondary_opts[-1]
    if isinstance(value, Blank):
        return f"{name} {option.metavar}" if option.metavar else name
    several = value if isinstance(value, list) else [value]
    return " ".join(f"{name} {shlex.quote(str(one))}" for one in several)


def _setting(name: str, value: Any) -> str:
    return shlex.quote(f"{name}={str(value).lower() if isinstance(value, bool) else value}")
