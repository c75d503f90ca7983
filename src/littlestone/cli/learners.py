"""littlestone learners: which there are, by what they are for, and what one of them takes and promises."""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING, Any

import click

from littlestone.cli._completion import complete_learner
from littlestone.cli._output import json_option, print_json, print_table

if TYPE_CHECKING:
    from littlestone.learners import Learner

__all__ = ["learners"]

NUMBERS = "regression"
FEW = 10  # attributes: enough for a guarantee to be worded


@click.command(short_help="List the learners by what they are for, or describe one.")
@click.argument("name", required=False, metavar="[LEARNER]", shell_complete=complete_learner)
@json_option
def learners(name: str | None, *, as_json: bool) -> None:
    """List all learners by what they are for, or describe LEARNER: its parameters, its bound, how to use it.

    A learner is named in any case, with hyphens, underscores or as its Python class is: balanced-winnow,
    Balanced_Winnow, BalancedWinnow. Parameters follow the name, as in winnow:alpha=1.5,theta=100, wherever a command
    takes a learner.

    \b
    littlestone learners
    littlestone learners winnow
    littlestone learners winnow:alpha=1.5
    littlestone learners winnow --json | jq .parameters
    """  # noqa: D301 - \b is click's
    from littlestone.learners import LEARNERS
    from littlestone.learners.named import learner_of
    from littlestone.learners.purposes import Purpose, by_purpose
    from littlestone.learners.regressors import REGRESSORS

    if name is not None:
        (print_json if as_json else _print)(_report(learner_of(name)))
        return
    purposes = [*by_purpose(LEARNERS), Purpose(NUMBERS, "Regressors: they predict numbers", tuple(REGRESSORS))]
    if as_json:
        print_json({"learners": [
            {"name": each, "purpose": purpose.key, "summary": _summary(each)}
            for purpose in purposes for each in purpose.names
        ]})  # fmt: skip
        return
    width = max(len(each) for purpose in purposes for each in purpose.names)
    for purpose in purposes:
        click.secho(purpose.title, bold=True)
        for each in purpose.names:
            click.echo(f"  {each:{width}}  {_unquoted(_summary(each))}")
        click.echo()
    click.echo("littlestone learners NAME says what a learner takes and promises.")


def _summary(name: str) -> str:
    """Return the first line on a learner; of one that cannot be imported, the reason."""
    from littlestone.core.errors import InvalidParameter
    from littlestone.learners import LEARNERS
    from littlestone.learners.regressors import REGRESSORS

    try:
        return _sections(REGRESSORS[name] if name in REGRESSORS else LEARNERS[name])[""].split("\n", 1)[0]
    except InvalidParameter as error:
        return str(error)


def _sections(learner: type[Learner]) -> dict[str, str]:
    """Return the parts of a learner's docstring by their headings; what comes before the first one by ""."""
    head, *parts = re.split(r"\n(?=\w+\n---+\n)", inspect.getdoc(learner) or learner.__name__)
    return {"": head, **{part.split("\n", 1)[0]: part.split("\n", 2)[2].strip() for part in parts}}


def _report(made: Learner) -> dict[str, Any]:
    """Return what is to be known of a learner; made with other parameters, it is used and guaranteed with these."""
    from littlestone.learners.register import command_name

    learner = type(made)
    name, sections = command_name(learner), _sections(learner)
    summary, _, more = sections[""].partition("\n")
    guarantee, usual = _guarantee(made), {one.name: one.default for one in learner.parameters().values()}
    given = {key: value for key, value in made.params().items() if repr(value) != repr(usual.get(key))}
    return {
        "name": name,
        "class": f"{learner.__module__}.{learner.__qualname__}",
        "purpose": _purpose(name),
        "summary": summary,
        "details": more.strip(),
        "values": made.domain,
        "parameters": [
            {"name": one.name, "default": _plain(one.default), "takes": one.takes, "says": one.says}
            for one in learner.parameters().values()
        ],
        "bound": sections.get("Bound"),
        "theorem": None if guarantee is None else guarantee.theorem,
        "assumes": None if guarantee is None else guarantee.assumes,
        "reference": sections.get("Reference"),
        "given": {key: _plain(value) for key, value in given.items()},
        "command": f"littlestone train FILE -l {_named(name, learner, given)} -m model.npz",
        "python": f"ls.play(ls.{made!r}, ls.open(FILE{_as_numbers(name)}))",
        "example": sections.get("Example"),
    }


def _purpose(name: str) -> str:
    from littlestone.learners.purposes import by_purpose
    from littlestone.learners.regressors import REGRESSORS

    return NUMBERS if name in REGRESSORS else by_purpose([name])[0].key


def _as_numbers(name: str) -> str:
    return ", task='regression'" if _purpose(name) == NUMBERS else ""


def _guarantee(made: Learner) -> Any:
    """Return the theorem that holds for a learner with its parameters; None: there is none."""
    from littlestone.core.errors import LittlestoneError

    try:
        return made.begin(FEW).guarantee
    except LittlestoneError:
        return None


def _named(name: str, learner: type[Learner], given: dict[str, Any]) -> str:
    """Return a learner as a command names it: with what is given, else with a parameter that is a number, if any is."""
    if given:
        return f"{name}:{','.join(f'{key}={_shown(value)}' for key, value in given.items())}"
    for one in learner.parameters().values():
        if isinstance(one.default, int | float) and not isinstance(one.default, bool):
            return f"{name}:{one.name}={_shown(one.default)}"
    return name


def _plain(value: Any) -> Any:
    return value if value is None or isinstance(value, bool | int | float | str) else repr(value)


def _print(report: dict[str, Any]) -> None:
    click.secho(f"{report['name']}: {_unquoted(report['summary'])}", bold=True)
    if report["details"]:
        click.echo(f"\n{_unquoted(report['details'])}\n")
    if report["parameters"]:
        whole = {"no_wrap": True}
        rows = (
            (one["name"], _shown(one["default"]), _unquoted(one["takes"]), _unquoted(one["says"]))
            for one in report["parameters"]
        )
        print_table([("parameter", whole), ("default", whole), ("range", {}), ("meaning", {"ratio": 1})], rows)
    else:
        click.echo("It takes no parameters.")
    if report["given"]:
        click.echo(f"Here: {', '.join(f'{name} = {_shown(value)}' for name, value in report['given'].items())}")
    click.echo(f"Values of attributes: {report['values']}")
    if report["theorem"]:
        click.echo(f"Guarantee: {report['theorem']}; it holds if {report['assumes']}")
    for title in ("bound", "reference"):
        if report[title]:
            click.echo(f"{title.capitalize()}: {' '.join(_unquoted(report[title]).split())}")
    click.echo(f"On the command line: {report['command']}")
    click.echo(f"In Python: {report['python']}")
    if report["example"]:
        click.echo("  " + report["example"].replace("\n", "\n  "))


def _shown(default: Any) -> str:
    """Return a default as it is written on a command line."""
    if default is None or isinstance(default, bool):
        return str(default).lower()
    return f"{default:.6g}" if isinstance(default, float) else _unquoted(str(default))


def _unquoted(text: str) -> str:
    return text.replace("``", "").replace("`", "")
