"""The process that makes a model as of an event, or anew: it reads the journal of a folder while another one writes."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from littlestone.core.errors import LittlestoneError
from littlestone.service.journal.schema import reader
from littlestone.service.models.replay import Replay, settings_of
from littlestone.service.models.served import Served
from littlestone.service.models.snapshots import Snapshots, secret_of

__all__ = ["main", "replayed"]


def replayed(folder: Path, model: int, upto: int | None = None, begun: tuple[Path, int] | None = None) -> Served:
    """Return a model of a folder as of an event, or as it is now; go on from a file as of an event, if there is one."""
    parent, connection = os.getppid(), reader(folder)

    def alive() -> None:
        if os.getppid() != parent:
            raise SystemExit("nobody waits for it any more")

    replay = Replay(connection, Snapshots(folder, connection, secret_of(folder)), alive)
    if begun is None:
        return replay.model(model, upto)
    name, settings = settings_of(connection, model)
    served = Served.read(model, name, begun[0], settings, begun[1])
    replay.forward(served)
    return served


def main(arguments: list[str]) -> int:
    """Make a model: of this folder, of this number, to this file; as of this event, going on from that one."""
    folder, model, path, upto, since = arguments
    begun = None if since == "-" else (Path(path), int(since))
    try:
        served = replayed(Path(folder), int(model), None if upto == "-" else int(upto), begun)
        served.write(Path(path))
    except LittlestoneError as error:
        sys.stdout.write(str(error))
        return 1
    sys.stdout.write(json.dumps({"number": served.number}))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
