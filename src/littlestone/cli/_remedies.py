"""Messages that name options of the command line."""

from __future__ import annotations

import re
import shlex
from typing import Any

import click

from littlestone.core.errors import LittlestoneError
from littlestone.core.messages import Blank, Message, Remedy

__all__ = ["typed"]

CALLED = {"bits": "hash_bits", "between": "pairs_between"}  # parameters by the options that give them
FORMATS = {"VWStream": "Vowpal Wabbit's text", "FrameStream": "parquet", "JsonTableStream": "JSON lines"}
_by_stream = re.compile(r"(?:\w+Stream|Hashed|Pairs): (?:(\w+)(?:=(\S+))?(?=:? ))?").match
_no_option = re.compile(r"open: (\w+) has no option '(\w+)'").match


def typed(error: str | BaseException, command: click.Command | None = None) -> str:
    """Return a message, or that of an error, with the options of the command where Python's has keywords.

    A remedy with an option that the command does not have is left out. Without ``command`` it is the one that runs.
    """
    message = error.message if isinstance(error, LittlestoneError) else error
    if not isinstance(message, Message):
        return str(message)
    running = click.get_current_context().command if command is None else command
    return _of_options(message.worded(lambda remedy: _words(remedy, running)), running)


def _of_options(text: str, command: click.Command) -> str:
    """Return what a stream says of its parameters, which are options here, and has no name of its own."""
    unknown = _no_option(text)
    if unknown is not None:
        kind, option = FORMATS.get(unknown[1], unknown[1].removesuffix("Stream").lower()), unknown[2]
        return f"--{option.replace('_', '-')}: expected files that have it, such as tables, got {kind}; leave it out"
    found = _by_stream(text)
    if found is None:
        return text.replace("labels: expected a tuple of ", "--labels: expected ", 1)
    name = CALLED.get(str(found[1]), found[1])
    known = {param.name: param for param in command.params if isinstance(param, click.Option)}
    if name not in known:
        return text.partition(": ")[2]
    value = "" if found[2] is None else f" {found[2]}"
    return f"{known[name].opts[-1]}{value}{text[found.end() :]}"


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
