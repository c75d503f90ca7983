"""littlestone bound: what a theorem says for given numbers, and which number it needs."""

from __future__ import annotations

from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING, Any

import click

from littlestone.cli._completion import complete_theorem
from littlestone.cli._output import json_option, print_json, print_table
from littlestone.cli._remedies import typed
from littlestone.core.messages import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable

    from littlestone.bounds import Bound, Needed, Statement

__all__ = ["bound"]


@click.command(short_help="Compute the bound of a theorem, or the number that it needs.")
@click.argument("name", required=False, shell_complete=complete_theorem)
@click.argument("numbers", nargs=-1, metavar="[n=1000 k=5 ...]")
@click.option("--target", type=float, help="Find the value of the number written as =? that allows so many mistakes.")
@json_option
def bound(name: str | None, numbers: tuple[str, ...], target: float | None, *, as_json: bool) -> None:
    """Print the bound on mistakes of the theorem NAME for these numbers, and what it assumes.

    Without NAME, all theorems are listed. NAME may also be a learner with its parameters; then it is the theorem that
    holds for it, and n must be given.

    \b
    littlestone bound winnow-disjunction n=1000 k=5 alpha=3/2
    littlestone bound winnow:alpha=3/2 n=1000 k=5
    littlestone bound winnow-disjunction n=1000 k=? --target 100

    The last call asks the reverse: up to which k does the theorem promise at most 100 mistakes? If the =? stands for
    a parameter of the learner (alpha, eta, theta, ...), its best value is printed.
    """  # noqa: D301 - \b is click's
    from littlestone.bounds import STATEMENTS, THEOREMS, needed

    if name is None and target is not None:
        raise click.UsageError("--target needs the NAME of a theorem")
    if name is None:
        (_print_json_of_all if as_json else _print_all)(STATEMENTS.values())
        return
    given = dict(_number(text) for text in numbers)
    if len(given) < len(numbers):
        raise click.BadParameter(f"expected each number once, got {' '.join(numbers)}", param_hint="NUMBERS")
    name, given = _theorem(name, given)
    asked = [parameter for parameter, number in given.items() if number is None]
    if len(asked) > 1:
        raise click.BadParameter(f"expected one number asked for with =?, got {', '.join(asked)}", param_hint="NUMBERS")
    if bool(asked) != (target is not None):
        raise click.UsageError("--target and one number written as =? go together, as in k=? --target 100")
    if target is None:
        found = THEOREMS[name](**given)
        print_json(_as_json(found)) if as_json else _print(found)
        return
    del given[asked[0]]
    answer = needed(name, asked[0], target, **given)
    if as_json:
        print_json(_answer(asked[0], target, answer))
    elif answer is None:
        click.echo(f"no {asked[0]} will do: {name} never promises {target:g} with these numbers")
    else:
        click.echo(str(answer))
        _print(answer.bound)


def _theorem(name: str, given: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the theorem and its numbers; of a learner, those that its parameters give, and the others as given."""
    from littlestone.bounds import THEOREMS
    from littlestone.bounds.inverse import known_theorem
    from littlestone.core.errors import InvalidParameter

    try:
        return known_theorem(name), given
    except InvalidParameter as error:
        from littlestone.core.spelling import split_settings
        from littlestone.learners.register import LEARNERS, registered_name

        word = split_settings(name)[0]
        if registered_name(word) is None:
            close = did_you_mean(word.lower(), [*THEOREMS, *LEARNERS])
            told = f"expected the name of a theorem or of a learner, got {name!r}; {close}"
            raise click.BadParameter(told if close else typed(error), param_hint="NAME") from error
    from littlestone.learners.named import learner_of

    if not isinstance(given.get("n"), int):
        raise click.BadParameter(f"expected n=NUMBER, the number of attributes, for the learner {name}", param_hint="n")
    known = learner_of(name).begin(given["n"]).guarantee
    if known is None:
        raise click.BadParameter(f"no theorem is known for {name} with these parameters", param_hint="NAME")
    free = getattr(known, "free", None)
    numbers = {one: number for one, number in known.arguments.items() if number is not None and one != free}
    return known.name, numbers | {one: number for one, number in given.items() if one != "n"}


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
        "name": found.name,
        "value": found.value if finite else None,
        **{name: getattr(found, name) for name in ("kind", "of", "theorem", "assumptions", "source")},
        "arguments": {name: str(x) if isinstance(x, Fraction) else x for name, x in found.arguments.items()},
        "why": None if finite else "for these numbers the theorem promises nothing finite",
    }


def _answer(parameter: str, target: float, answer: Needed | None) -> dict[str, Any]:
    return {
        "parameter": parameter,
        "value": None if answer is None else answer.value,
        "side": None if answer is None else answer.side,
        "target": target,
        "bound": None if answer is None else _as_json(answer.bound),
        "why": f"no {parameter} meets the target" if answer is None else None,
    }


def _print(found: Bound) -> None:
    infinite = "" if found.value < inf else ": for these numbers it promises nothing finite"
    rows = {
        "bound": f"{found.claim}{infinite}",
        "kind": found.kind,
        "theorem": found.theorem,
        "numbers": ", ".join(f"{name}={number}" for name, number in found.arguments.items() if number is not None),
        "assumes": found.assumptions,
        "source": found.source,
    }
    print_table([("", {"style": "dim", "no_wrap": True}), ("", {})], rows.items(), box=None, show_header=False)


def _print_json_of_all(statements: Iterable[Statement]) -> None:
    listed = []
    for each in statements:
        listed.append({"name": each.name, "required": list(each.required), "optional": dict(each.optional)})
        listed[-1] |= {name: getattr(each, name) for name in ("theorem", "kind", "of", "assumptions", "source")}
    print_json({"theorems": listed})


def _print_all(statements: Iterable[Statement]) -> None:
    rows = []
    for each in statements:
        optional = f" ({' '.join(each.optional)})" if each.optional else ""
        rows.append((each.name, f"{' '.join(each.required)}{optional}", each.theorem, each.kind))
    headings = ("numbers (and optional ones)", "theorem", "kind")
    print_table([("name", {"no_wrap": True}), *((heading, {}) for heading in headings)], rows)
