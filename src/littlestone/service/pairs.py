"""Pairs: a request that two models learn in one commit, the champion that it names and the challenger beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from littlestone.service.models.served import Served
from littlestone.service.problems import invalid
from littlestone.service.wire import Answered, Ask, Label, Learn, Problem

if TYPE_CHECKING:
    from littlestone.service.desk import Desk
    from littlestone.service.lot import Write

__all__ = ["challenger_of", "join", "spread"]


def challenger_of(desk: Desk, request: Learn | Ask | Label) -> Served | Problem:
    """Return the model that learns beside the one of a request; without it nothing is learned."""
    assert request.shadow is not None
    if request.shadow == request.model:
        found: Served | Problem = invalid(f"expected another model than {request.model}, got the same one")
    else:
        found = desk.served_by(request.shadow)
    if not isinstance(found, Problem):
        return found
    return msgspec.structs.replace(found, detail=f"shadow: {found.detail}", where="shadow")


def join(write: Write) -> None:
    """Give a request that two models have learned the reply of both, which each keeps under the request's key."""
    own, other = write.reply, None if write.beside is None else write.beside.reply
    if not (isinstance(own, Answered) and isinstance(other, Answered)):
        return
    one_row = len(own.predictions) == 1
    both = msgspec.structs.replace(own, shadow=other)
    write.reply = write.alone(own) if one_row and own.refused and other.refused else both
    for one in write.both:
        one.reply = write.reply


def spread(writes: Sequence[Write], failed: Mapping[int, str]) -> dict[int, str]:
    """Return the models that failed, and those that learned a request with one of them: these are made again too."""
    found = dict(failed)
    changed = bool(found)
    while changed:
        changed = False
        for write in writes:
            models = [one.served.id for one in write.both]
            reason = next((found[model] for model in models if model in found), None)
            for model in models if reason is not None else ():
                changed = changed or model not in found
                found.setdefault(model, str(reason))
    return found
