"""littlestone learners: which there are, and what parameters one of them takes."""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING, Any

import click

from littlestone.cli._output import json_option, print_json, print_table

if TYPE_CHECKING:
    from littlestone.learners import Learner

__all__ = ["learners"]


@click.command(short_help="List the learners, or the parameters of one.")
@click.argument("name", required=False, metavar="[LEARNER]")
@json_option
def learners(name: str | None, *, as_json: bool) -> None:
    """List all learners, or describe LEARNER: its parameters with their defaults and ranges, and its bound.

    Commands that take one learner set its parameters by -s KEY=VALUE; compare, which takes several, by
    NAME:KEY=VALUE.

    \b
    littlestone learners
    littlestone learners winnow
    littlestone learners winnow --json | jq .parameters
    """  # noqa: D301 - \b is click's
    from littlestone.cli._settings import check_name
    from littlestone.learners import LEARNERS

    if name is None:
        found = {each: _summary(each) for each in LEARNERS}
        if as_json:
            print_json({"learners": [{"name": each, "summary": line} for each, line in found.items()]})
        else:
            rows = ((each, _unquoted(line)) for each, line in found.items())
            print_table([("learner", {"no_wrap": True}), ("what it does", {})], rows)
        return
    check_name("LEARNER", name, LEARNERS)
    report = _report(name, LEARNERS[name])
    if as_json:
        print_json(report)
    else:
        _print(report)


def _summary(name: str) -> str:
    """Return the first line on a learner; of one that cannot be imported, the reason."""
    from littlestone.core.errors import InvalidParameter
    from littlestone.learners import LEARNERS

    try:
        return _sections(LEARNERS[name])[""].split("\n", 1)[0]
    except InvalidParameter as error:
        return str(error)


def _sections(learner: type[Learner]) -> dict[str, str]:
    """Return the parts of a learner's docstring by their headings; what comes before the first one by ""."""
    head, *parts = re.split(r"\n(?=\w+\n---+\n)", inspect.getdoc(learner) or learner.__name__)
    return {"": head, **{part.split("\n", 1)[0]: part.split("\n", 2)[2].strip() for part in parts}}


def _report(name: str, learner: type[Learner]) -> dict[str, Any]:
    sections = _sections(learner)
    return {
        "name": name,
        "class": f"{learner.__module__}.{learner.__qualname__}",
        "summary": sections[""].split("\n", 1)[0],
        "values": learner().domain,
        "parameters": [
            {"name": one.name, "default": _plain(one.default), "takes": one.takes, "says": one.says}
            for one in learner.parameters().values()
        ],
        "bound": sections.get("Bound"),
        "reference": sections.get("Reference"),
    }


def _plain(value: Any) -> Any:
    return value if value is None or isinstance(value, bool | int | float | str) else repr(value)


def _print(report: dict[str, Any]) -> None:
    click.echo(f"{report['name']}: {_unquoted(report['summary'])}")
    if report["parameters"]:
        whole = {"no_wrap": True}
        rows = (
            (one["name"], _shown(one["default"]), _unquoted(one["takes"]), _unquoted(one["says"]))
            for one in report["parameters"]
        )
        print_table([("parameter", whole), ("default", whole), ("range", {}), ("meaning", {"ratio": 1})], rows)
    else:
        click.echo("It takes no parameters.")
    click.echo(f"Values of attributes: {report['values']}")
    for title in ("bound", "reference"):
        if report[title]:
            click.echo(f"{title.capitalize()}: {' '.join(_unquoted(report[title]).split())}")


def _shown(default: Any) -> str:
    """Return a default as it is written on a command line."""
    if default is None or isinstance(default, bool):
        return str(default).lower()
    return f"{default:.6g}" if isinstance(default, float) else _unquoted(str(default))


def _unquoted(text: str) -> str:
    return text.replace("``", "")
