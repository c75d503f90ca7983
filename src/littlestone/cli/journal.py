"""littlestone journal: check, replay, export, compact and copy the journal of a service."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from littlestone.cli._output import json_option, print_json
from littlestone.cli._settings import WrongCall

if TYPE_CHECKING:
    from littlestone.service.verifying import Verified

__all__ = ["journal"]

ALL = 1 << 62  # more events than there are
ACTS = ("verify", "replay", "export", "compact", "backup")
NEEDS = {"replay": ("model", "output"), "compact": ("model",), "backup": ("output",)}
TAKES = {"verify": ("deep",), "replay": ("model", "output", "at"), "export": ("model",), "compact": ("model", "before"),
         "backup": ("output",)}  # fmt: skip
WORDS = {"model": "--model NAME", "output": "-o PATH", "at": "--at N", "before": "--before N", "deep": "--replay"}


@click.command(short_help="Check, replay, export and copy the journal of a service.")
@click.argument("folder", metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("act", type=click.Choice(ACTS))
@click.option("--replay", "deep", is_flag=True, help="verify: make each model anew, and compare it byte for byte.")
@click.option("--model", metavar="NAME", help="The model; of export: only this one.")
@click.option("--at", type=click.IntRange(0), metavar="N", help="replay: as of event N.  [default: as it is now]")
@click.option("--before", type=click.IntRange(1), metavar="N", help="compact: drop what lies before event N.")
@click.option(
    "-o", "--output", metavar="PATH", type=click.Path(path_type=Path), help="replay: the file; backup: the folder."
)
@json_option
def journal(folder: Path, act: str, *, as_json: bool, **options: Any) -> None:
    """Look after DIR, the data folder of `littlestone serve`. All but compact may be done while it serves.

    \b
    verify   follow the chain of digests; compare snapshots, and with --replay models, with what the journal says
    replay   write a model as of an event to a file
    export   print all events as lines of JSON, with what was corrected since
    compact  drop the content of old events, back to a snapshot that stands for them; say what can still be proved
    backup   copy the folder as it is at one moment; the copy can be served

    \b
    littlestone journal service verify --replay
    littlestone journal service replay --model spam --at 1000 -o spam-1000.npz
    littlestone journal service backup -o copy
    """  # noqa: D301 - \b is click's
    given = {name for name, value in options.items() if value not in {None, False}}
    strange = sorted(given.difference(TAKES[act]))
    if strange:
        raise WrongCall(f"{WORDS[strange[0]]}: {act} does not take it; leave it out")
    missing = [WORDS[name] for name in NEEDS.get(act, ()) if name not in given]
    if missing:
        raise WrongCall(f"{act}: expected {' and '.join(missing)}")
    found = _acts()[act](folder, options)
    if found is not None:
        said, about, code = found
        if as_json:
            print_json(about)
        else:
            click.echo(said)
        click.get_current_context().exit(code)


def _acts() -> dict[str, Any]:
    return {"verify": _verify, "replay": _replay, "export": _export, "compact": _compact, "backup": _backup}


def _verify(folder: Path, options: dict[str, Any]) -> tuple[str, dict[str, Any], int]:
    from littlestone.service.verifying import verify

    found = verify(folder, replay=options["deep"])
    return _said(found), vars(found) | {"sound": found.is_sound}, 0 if found.is_sound else 1


def _said(found: Verified) -> str:
    """Say what was found."""
    lines = [
        f"entries  {found.entries:,} (from {found.begins:,} on)",
        f"events   {found.events:,}, of which {found.erased:,} are erased",
        f"chain    {found.chain}",
        *(f"{name}: {what}" for name, what in found.models.items()),
        *(f"note: {one}" for one in found.notes),
        *(f"wrong: {one}" for one in found.problems),
    ]
    return "\n".join([*lines, "sound" if found.is_sound else "NOT sound: restore a backup"])


def _replay(folder: Path, options: dict[str, Any]) -> tuple[str, dict[str, Any], int]:
    from littlestone.service.copying import id_of
    from littlestone.service.replaying import replayed
    from littlestone.service.verifying import opened

    connection = opened(folder)
    number = id_of(connection, options["model"])
    connection.close()
    served = replayed(folder, number, options["at"])
    if options["at"] is not None and served.number < options["at"]:
        raise WrongCall(f"--at: expected an event from 0 to {served.number:,}, got {options['at']:,}")
    path = options["output"]
    served.write(path)
    said = f"{options['model']} as of event {served.number:,}: {served.model!r}, saved in {path}"
    return said, {"model": options["model"], "number": served.number, "file": str(path)}, 0


def _export(folder: Path, options: dict[str, Any]) -> None:
    from littlestone.service.copying import export

    for line in export(folder, options["model"]):
        click.echo(json.dumps(line, ensure_ascii=False))


def _compact(folder: Path, options: dict[str, Any]) -> tuple[str, dict[str, Any], int]:
    from littlestone.service.compacting import compact
    from littlestone.service.desk import Desk
    from littlestone.service.problems import Refused

    with Desk(folder) as desk:
        try:
            found = compact(desk, options["model"], options["before"] or ALL)
        except Refused as error:
            raise click.ClickException(error.problem.detail) from error
    return str(found), vars(found), 0


def _backup(folder: Path, options: dict[str, Any]) -> tuple[str, dict[str, Any], int]:
    from littlestone.service.copying import backup

    made = backup(folder, options["output"])
    return f"saved in {made}; it holds the secret that signs snapshots: keep it safe", {"folder": str(made)}, 0
