"""littlestone learners: which there are, and what parameters one of them takes."""

from __future__ import annotations

import inspect
import json
import re
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from littlestone.learners import Learner

__all__ = ["learners"]


@click.command(short_help="List the learners, or the parameters of one.")
@click.argument("name", required=False, metavar="[LEARNER]")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def learners(name: str | None, *, as_json: bool) -> None:
    """List all learners with a line on each; of LEARNER its parameters: default, range and meaning; and its bound.

    A parameter is set by -s KEY=VALUE where a command takes one learner, and by NAME:KEY=VALUE where it takes several.

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
            click.echo(json.dumps({"learners": [{"name": each, "summary": line} for each, line in found.items()]}))
        else:
            _print_all(found)
        return
    check_name("LEARNER", name, LEARNERS)
    report = _report(name, LEARNERS[name])
    if as_json:
        click.echo(json.dumps(report, allow_nan=False))
    else:
        _print_one(report)


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
    told = _sections(learner)
    return {
        "name": name,
        "class": f"{learner.__module__}.{learner.__qualname__}",
        "summary": told[""].split("\n", 1)[0],
        "values": learner().domain,
        "parameters": [
            {"name": one.name, "default": _plain(one.default), "takes": one.takes, "says": one.says}
            for one in learner.parameters().values()
        ],
        "bound": told.get("Bound"),
        "reference": told.get("Reference"),
    }


def _plain(value: Any) -> Any:
    return value if value is None or isinstance(value, bool | int | float | str) else repr(value)


def _print_all(found: dict[str, str]) -> None:
    from littlestone.cli._table import console, plain_table

    table = plain_table()
    table.add_column("learner", no_wrap=True)
    table.add_column("what it does")
    for name, line in found.items():
        table.add_row(name, _escaped(line))
    console().print(table)


def _print_one(report: dict[str, Any]) -> None:
    from littlestone.cli._table import console, plain_table

    out = console()
    out.print(f"{report['name']}: {_escaped(report['summary'])}", highlight=False)
    if report["parameters"]:
        table = plain_table()
        for title in ("parameter", "default", "range"):
            table.add_column(title, no_wrap=title != "range")
        table.add_column("meaning", ratio=1)
        for one in report["parameters"]:
            table.add_row(one["name"], _shown(one["default"]), _escaped(one["takes"]), _escaped(one["says"]))
        out.print(table)
    else:
        click.echo("It takes no parameters.")
    click.echo(f"Values of attributes: {report['values']}")
    for title in ("bound", "reference"):
        if report[title]:
            click.echo(f"{title.capitalize()}: {' '.join(report[title].replace('``', '').split())}")


def _shown(default: Any) -> str:
    """Return a default as it is written on a command line."""
    if default is None or isinstance(default, bool):
        return str(default).lower()
    return f"{default:.6g}" if isinstance(default, float) else _escaped(str(default))


def _escaped(text: str) -> str:
    from rich.markup import escape

    return escape(text.replace("``", ""))
