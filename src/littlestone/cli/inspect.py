"""littlestone inspect: what a model file says of itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from littlestone.cli._output import json_option, print_json

__all__ = ["inspect"]


@click.command(short_help="Print what is in a model file.")
@click.argument("model", type=click.Path())
@json_option
def inspect(model: str, *, as_json: bool) -> None:
    """Print the header of MODEL: learner, parameters, counts, how it was trained, size, format and checksum.

    The header is checked against its checksum; the weights are checked when the model is loaded.

    \b
    littlestone inspect mail.npz
    littlestone inspect mail.npz --json | jq .params
    """  # noqa: D301 - \b is click's
    from littlestone.models.files import inspect_model
    from littlestone.models.record import described

    header = inspect_model(model)
    size = Path(model).stat().st_size
    record = described(header)
    trained = None if record is None else vars(record)
    if as_json:
        print_json({**header, "bytes": size, "trained": trained})
        return
    for name, value in _lines(header, trained, size).items():
        if value is not None:
            click.echo(f"{name:<12} {value}")


def _lines(header: dict[str, Any], trained: dict[str, Any] | None, size: int) -> dict[str, Any]:
    from littlestone.learners.regressors import REGRESSORS

    game, made = header["game"], f"format {header['format']}, written by littlestone {header['littlestone']}"
    numbers = header["learner"] in REGRESSORS
    none_yet, absent = ("none: it predicts numbers", {"mistakes"}) if numbers else ("not known yet", set())
    lines = {
        "learner": header["learner"],
        "parameters": _pairs(header["params"]),
        "attributes": f"{game['n'] or game['width']:,}{'' if game['n'] is None else ' (fixed)'}",
        "names": "none" if header["names"] is None else f"{header['names']:,}",
        "labels": none_yet if header["labels"] is None else _labels(header["labels"]),
        "counts": ", ".join(f"{name}={count:,}" for name, count in header["counts"].items() if name not in absent),
    }
    if trained is None:
        lines |= {"from": header["provenance"]["source"], "date": header["provenance"]["date"]}
    else:
        here = trained["here"]
        state = "finished" if trained["finished"] else f"in pass {here['passed'] + 1} after {here['row']:,} rows"
        plan = _pairs({name: trained[name] for name in ("passes", "holdout", "trials", "initial")})
        lines |= {"from": trained["source"], "read as": _pairs(trained["reading"]), "training": f"{plan}; {state}"}
    if header["format"] == 3:
        about = header["model"]
        scaled = ", ".join(about["scaled"]) or "none"
        lines |= {"scaled": scaled}
        if numbers:
            lines["outcomes"] = "scaled" if about["outcomes"]["scaled"] else "as they are"
        else:
            lines |= {"calibrated": "yes" if about["calibrated"] else "no", "decision": _decided(about)}
    return lines | {"file": f"{size:,} bytes, {made}", "sha256": header["sha256"]}


def _pairs(settings: dict[str, Any]) -> str:
    return ", ".join(f"{name}={value}" for name, value in settings.items() if value is not None)


def _decided(about: dict[str, Any]) -> str:
    from littlestone.models.decision import Decision

    return str(Decision.from_dict(about["decision"]))


def _labels(labels: Any) -> str:
    if not isinstance(labels, dict):
        return str(labels)
    return ", ".join(f"{name} {value!r}" for name, value in labels.items() if name != "settled")
