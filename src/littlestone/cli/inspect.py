"""littlestone inspect: what a model file says of itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

__all__ = ["inspect"]


@click.command(short_help="Say what is in a model file.")
@click.argument("model", type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="Print the header as one JSON object and nothing else.")
def inspect(model: str, *, as_json: bool) -> None:
    """Print the header of MODEL: learner, parameters, counts, how it was trained, size, format and digest.

    The header is checked against its digest; the arrays are checked when the model is loaded.

    \b
    littlestone inspect mail.npz
    littlestone inspect mail.npz --json | jq .params
    """  # noqa: D301 - \b is click's
    from littlestone.models.files import inspect_model
    from littlestone.models.training import described

    header = inspect_model(model)
    size = Path(model).stat().st_size
    record = described(header)
    trained = None if record is None else vars(record)
    if as_json:
        click.echo(json.dumps({**header, "bytes": size, "trained": trained}, allow_nan=False))
        return
    for name, value in _told(header, trained, size):
        click.echo(f"{name:<12} {value}")


def _told(header: dict[str, Any], trained: dict[str, Any] | None, size: int) -> list[tuple[str, Any]]:
    game, counts = header["game"], header["counts"]
    lines = [
        ("learner", header["learner"]),
        ("parameters", _named(header["params"])),
        ("attributes", f"{game['n'] or game['width']:,}{'' if game['n'] is None else ' (fixed)'}"),
        ("names", "none" if header["names"] is None else f"{header['names']:,}"),
        ("labels", "not known yet" if header["labels"] is None else _labels(header["labels"])),
        ("counts", ", ".join(f"{name}={count:,}" for name, count in counts.items())),
    ]
    if trained is None:
        lines += [("from", header["provenance"]["source"]), ("date", header["provenance"]["date"])]
    else:
        here = trained["here"]
        state = "finished" if trained["finished"] else f"in pass {here['passed'] + 1} after {here['row']:,} rows"
        plan = _named({name: trained[name] for name in ("passes", "holdout", "trials", "initial")})
        read_as = _named(trained["reading"])
        lines += [("from", trained["source"]), ("read as", read_as), ("training", f"{plan}; {state}")]
    lines += [
        ("file", f"{size:,} bytes, format {header['format']}, written by littlestone {header['littlestone']}"),
        ("sha256", header["sha256"]),
    ]
    return [(name, value) for name, value in lines if value is not None]


def _named(told: dict[str, Any]) -> str:
    return ", ".join(f"{name}={value}" for name, value in told.items() if value is not None)


def _labels(labels: Any) -> str:
    if not isinstance(labels, dict):
        return str(labels)
    return ", ".join(f"{name} {value!r}" for name, value in labels.items() if name != "settled")
