"""littlestone key: make, list and revoke the keys of a service."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from littlestone.cli._output import json_option, print_json, print_table

if TYPE_CHECKING:
    from littlestone.service.http.keys import Keys

__all__ = ["key"]

ROLES = ("predict", "learn", "admin")


@click.command(short_help="Make, list and revoke the keys of a service.")
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False))
@click.argument("act", type=click.Choice(["add", "list", "revoke"]))
@click.argument("ids", metavar="[ID]...", nargs=-1)
@click.option("--role", type=click.Choice(ROLES), help="What the key may do; each role may do what is before it.")
@click.option("--model", "models", multiple=True, metavar="NAME", help="A model that it is for.  [default: all]")
@click.option("--note", default="", help="Whose it is, or what for.")
@json_option
def key(folder: str, act: str, ids: tuple[str, ...], role: str | None, models: tuple[str, ...], note: str,
        as_json: bool) -> None:  # fmt: skip
    """Make, list or revoke keys in DIR, the data folder of `littlestone serve`.

    A new key is printed once: DIR/keys.json has its digest only. A running server takes notice of changes within a
    second or two. Who may do what: a key of the role predict predicts and explains; learn also learns; admin also
    makes, removes, corrects and forgets.

    \b
    littlestone key service add --role learn --model spam --note "the mail server"
    littlestone key service list
    littlestone key service revoke 1f2e3d4c
    """  # noqa: D301 - \b is click's
    from littlestone.service.http.keys import Keys
    from littlestone.service.http.logs import Audit

    _check(act, ids, role, models, note)
    if act != "add" and not Path(folder).is_dir():
        raise click.ClickException(f"{folder}: expected the data folder of a service, got none that is there")
    keys = Keys(folder)
    if act == "list":
        _list(keys, as_json)
    elif act == "add":
        assert role is not None
        said = keys.add(role, models=models, note=note)
        made = keys.of(said)
        assert made is not None
        Audit(folder).line("", act="add key", id=made.id, role=role, models=made.models, note=note)
        if as_json:
            print_json({"id": made.id, "key": said, "role": role, "models": list(made.models), "note": note})
        else:
            click.echo(said)
            click.echo("note: it is shown only now; a running server knows it in a second or two", err=True)
    else:
        for one in ids:
            keys.revoke(one)
            Audit(folder).line("", act="revoke key", id=one)
        if as_json:
            print_json({"revoked": list(ids), "left": len(keys)})
        left = "; no key is left: nobody is let in until there is one" if not len(keys) else ""
        click.echo(f"note: a running server takes it for a second or two more{left}", err=True)


def _check(act: str, ids: tuple[str, ...], role: str | None, models: tuple[str, ...], note: str) -> None:
    """Refuse what does not belong to what is to be done."""
    if act == "add" and role is None:
        raise click.UsageError(f"--role: expected one of {', '.join(ROLES)}, got none")
    if act != "add" and (role is not None or models or note):
        raise click.UsageError(f"{act}: --role, --model and --note belong to add")
    if (act == "revoke") != bool(ids):
        got = " ".join(ids) if ids else "none"
        raise click.UsageError(f"{act}: expected {'ids of keys' if act == 'revoke' else 'no ids'}, got {got}")


def _list(keys: Keys, as_json: bool) -> None:
    found = [
        {"id": one.id, "role": one.role, "models": list(one.models), "made": one.made, "note": one.note} for one in keys
    ]
    if as_json:
        print_json({"keys": found})
        return
    rows = [
        (one.id, one.role, ", ".join(one.models) or "all", one.made.partition("T")[0] or "-", one.note or "-")
        for one in keys
    ]
    if rows:
        print_table([(name, {}) for name in ("id", "role", "models", "made", "note")], rows)
    else:
        click.echo(f"no keys: a server {'serves this machine only' if keys.is_missing else 'lets nobody in'}")
