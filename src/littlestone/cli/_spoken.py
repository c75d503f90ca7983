"""The call of a command as one could type it again."""

from __future__ import annotations

import shlex

import click
from click.core import ParameterSource

__all__ = ["spoken"]


def spoken(ctx: click.Context) -> str:
    """Return the command with what was given to it, the arguments first."""
    words = ["littlestone", str(ctx.info_name)]
    for param in sorted(ctx.command.params, key=lambda one: isinstance(one, click.Option)):
        name = str(param.name)
        if ctx.get_parameter_source(name) is not ParameterSource.COMMANDLINE:
            continue
        value = ctx.params[name]
        several = value if isinstance(value, tuple) else (value,)
        if isinstance(param, click.Option) and param.is_flag:
            words.append(param.opts[-1] if value else param.secondary_opts[-1])
        else:
            for one in several:
                words += [*param.opts[-1:], str(one)] if isinstance(param, click.Option) else [str(one)]
    return shlex.join(words)
