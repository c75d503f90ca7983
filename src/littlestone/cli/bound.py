"""littlestone bound: what a theorem says for given numbers, and which number it needs."""

from __future__ import annotations

import json
from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING, Any

import click

from littlestone.cli._remedies import typed

if TYPE_CHECKING:
    from littlestone.bounds import Bound, Needed, Statement

__all__ = ["bound"]


@click.command(short_help="Say what a theorem promises, or which number it needs.")
@click.argument("name", required=False)
@click.argument("numbers", nargs=-1, metavar="[n=1000 k=5 ...]")
@click.option("--target", type=float, help="The number of mistakes to meet; one number is then asked for with =?.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON and nothing else.")
def bound(name: str | None, numbers: tuple[str, ...], target: float | None, *, as_json: bool) -> None:
    """Print what the theorem NAME says of the mistakes, with its assumptions; without NAME, list all theorems.

    \b
    littlestone bound winnow-disjunction n=1000 k=5 alpha=3/2
    littlestone bound winnow-disjunction n=1000 k=? --target 100

    The second asks the other way round: for which k does the theorem still promise at most 100 mistakes? Of a parameter
    of the learner (alpha, eta, theta, ...) the best value is given.
    """  # noqa: D301 - \b is click's
    from littlestone.bounds import STATEMENTS, THEOREMS, needed

    if name is None and target is not None:
        raise click.UsageError("--target asks a theorem; give its NAME")
    if name is None:
        _list(list(STATEMENTS.values()), as_json=as_json)
        return
    name = _theorem(name)
    given = dict(_number(text) for text in numbers)
    if len(given) < len(numbers):
        raise click.BadParameter(f"expected each number once, got {' '.join(numbers)}", param_hint="NUMBERS")
    asked = [parameter for parameter, number in given.items() if number is None]
    if len(asked) > 1:
        raise click.BadParameter(f"expected one number asked for with =?, got {', '.join(asked)}", param_hint="NUMBERS")
    if bool(asked) != (target is not None):
        raise click.UsageError("--target and one number written as =? go together, as in k=? --target 100")
    if target is None:
        found = THEOREMS[name](**given)
        click.echo(json.dumps(_as_json(found), allow_nan=False)) if as_json else _print(found)
        return
    del given[asked[0]]
    answer = needed(name, asked[0], target, **given)
    if as_json:
        click.echo(json.dumps(_answer(asked[0], target, answer), allow_nan=False))
    elif answer is None:
        click.echo(f"no {asked[0]} will do: {name} never meets {target:g} with these numbers")
    else:
        click.echo(str(answer))
        _print(answer.bound)


def _theorem(name: str) -> str:
    from littlestone.bounds.inverse import known_theorem
    from littlestone.core.errors import InvalidParameter

    try:
        return known_theorem(name)
    except InvalidParameter as error:
        raise click.BadParameter(typed(error), param_hint="NAME") from error


def _number(text: str) -> tuple[str, Any]:
    """Return what ``alpha=3/2`` says: a whole number, a fraction or a float; None for ``k=?``."""
    parameter, sign, number = text.partition("=")
    if not sign or not parameter:
        raise click.BadParameter(f"expected name=number, got {text!r}", param_hint="NUMBERS")
    if number == "?":
        return parameter, None
    for kind in (int, float) if "/" not in number else (Fraction,):
        try:
            return parameter, kind(number)
        except (ValueError, ZeroDivisionError):
            continue
    raise click.BadParameter(
        f"expected a number for {parameter}, as 5, 0.25 or 3/2, got {number!r}", param_hint="NUMBERS"
    )


def _as_json(found: Bound) -> dict[str, Any]:
    finite = found.value < inf
    return {
        "name": found.name, "value": found.value if finite else None, "kind": found.kind, "of": found.of,
        "theorem": found.theorem, "assumptions": found.assumptions, "source": found.source,
        "arguments": {name: str(x) if isinstance(x, Fraction) else x for name, x in found.arguments.items()},
        "why": None if finite else "for these numbers the theorem promises nothing finite",
    }  # fmt: skip


def _answer(parameter: str, target: float, answer: Needed | None) -> dict[str, Any]:
    if answer is None:
        return {"parameter": parameter, "value": None, "side": None, "target": target, "bound": None,
                "why": f"no {parameter} meets the target"}  # fmt: skip
    return {"parameter": parameter, "value": answer.value, "side": answer.side, "target": target,
            "bound": _as_json(answer.bound), "why": None}  # fmt: skip


def _print(found: Bound) -> None:
    from rich.table import Table

    from littlestone.cli._table import console

    numbers = ", ".join(f"{name}={number}" for name, number in found.arguments.items() if number is not None)
    table = Table(box=None, show_header=False, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column(style="dim", no_wrap=True)
    table.add_column()
    claim = found.claim if found.value < inf else f"{found.claim}: for these numbers it promises nothing finite"
    for what, words in (
        ("bound", claim),
        ("kind", found.kind),
        ("theorem", found.theorem),
        ("numbers", numbers),
        ("assumes", found.assumptions),
        ("source", found.source),
    ):
        table.add_row(what, _plain(words))
    console().print(table)


def _plain(words: str) -> str:
    """Return words in which rich sees no markup."""
    from rich.markup import escape

    return escape(words)


def _list(statements: list[Statement], *, as_json: bool) -> None:
    if as_json:
        every = [
            {"name": s.name, "required": list(s.required), "optional": dict(s.optional), "theorem": s.theorem,
             "kind": s.kind, "of": s.of, "assumptions": s.assumptions, "source": s.source}
            for s in statements
        ]  # fmt: skip
        click.echo(json.dumps({"theorems": every}, allow_nan=False))
        return
    from littlestone.cli._table import console, plain_table

    table = plain_table()
    table.add_column("name", no_wrap=True)
    for heading in ("numbers (and optional ones)", "theorem", "kind"):
        table.add_column(heading)
    for s in statements:
        optional = f" ({' '.join(s.optional)})" if s.optional else ""
        table.add_row(s.name, f"{' '.join(s.required)}{optional}", s.theorem, s.kind)
    console().print(table)
