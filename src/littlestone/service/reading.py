"""What is asked of models without changing them: predictions, explanations, and how they are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from littlestone.core.errors import LittlestoneError
from littlestone.models.asked import asked
from littlestone.models.following.examples import Bad, Example
from littlestone.service.measures import at_once, rows_for
from littlestone.service.models.served import NOBODY, Served
from littlestone.service.options import Limits
from littlestone.service.problems import invalid, told, too_much, unexpected
from littlestone.service.wire import Explain, Explained, Predicted, Problem, Refusal

__all__ = ["explained", "predicted"]


def predicted(
    served: Served, requests: Sequence[Sequence[Any]], limits: Limits, alive: Callable[[], None] = lambda: None
) -> list[Predicted | Problem]:
    """Return what a model predicts of the rows of several requests, which are read together."""
    found: list[Predicted | Problem] = []
    several: list[Sequence[Any]] = []
    for rows in requests:
        if len(rows) > limits.rows:
            found.append(too_much(f"rows: expected at most {limits.rows:,} in a request, got {len(rows):,}"))
        elif len(rows) > (most := rows_for(served, limits)):
            of = f"of a model with {len(served.model.labels):,} labels"
            problem = f"rows: expected at most {most:,} in a request {of}, got {len(rows):,}; ask for fewer at a time"
            found.append(invalid(problem, "rows"))
        else:
            found.append(Predicted(served.name, served.number, [None] * len(rows), [None] * len(rows), []))
            several.append(rows)
    places = [(one, at) for one in found if isinstance(one, Predicted) for at in range(len(one.predictions))]
    try:
        rows, step = [row for rows in several for row in rows], at_once(served, limits)
        for start in range(0, len(rows), step):
            _predict(served, rows[start : start + step], places[start : start + step])
            alive()
    except Exception as error:  # noqa: BLE001 - one request is not to hurt the others
        if len(requests) == 1:
            return [invalid(told(error.message), "rows") if isinstance(error, LittlestoneError) else unexpected(error)]
        return [predicted(served, [rows], limits, alive)[0] for rows in requests]
    return found


def _predict(served: Served, rows: list[Any], places: list[tuple[Predicted, int]]) -> None:
    """Write the predictions of rows to their places."""
    model, labels = served.model, {label: code for code, label in enumerate(served.model.labels)}
    examples = [Example(line, line, row) for line, row in enumerate(rows)]
    for part in served.follower.reader.read(examples):
        if isinstance(part, Bad):
            reply, at = places[part.line]
            reply.refused.append(Refusal(at, "row", str(part.problem)))
            continue
        predictions, shares = asked(model, part[1])
        for row, (example, prediction) in enumerate(zip(part[0], predictions, strict=True)):
            reply, at = places[example.line]
            reply.predictions[at] = prediction
            code = labels.get(prediction)
            reply.probabilities[at] = None if shares is None or code is None else float(shares[row][code])


def explained(
    served: Served, request: Explain, limits: Limits, alive: Callable[[], None] = lambda: None
) -> Explained | Problem:
    """Return why a model decides as it does on a row, or on several, or what it has learned."""
    try:
        if not served.model.labels:
            return invalid(f"{served.name}: expected a model that knows labels, got one that has learned nothing yet")
        rows = [] if request.row is None else [request.row]
        if (problem := _too_much(served, rows if request.rows is None else request.rows, limits)) is not None:
            return invalid(problem, "row" if request.rows is None else "rows")
        top = max(1, min(int(request.top), 1000))
        if request.rows is not None:
            return _explained(served, request.rows, top, alive)
        return Explained(served.name, served.number, served.model.explain(request.row, top=top).as_dict())
    except LittlestoneError as error:
        return invalid(f"{served.name}: {error}", "row")
    except Exception as error:  # noqa: BLE001 - one row is not to hurt the others
        return unexpected(error)


def _explained(served: Served, rows: Sequence[Any], top: int, alive: Callable[[], None]) -> Explained:
    """Return why a model decides as it does on each of several rows."""
    data, refused = list[Any](), list[Refusal]()
    for at, row in enumerate(rows):
        try:
            data.append(served.model.explain(row, top=top).as_dict())
        except LittlestoneError as error:
            data.append(None)
            refused.append(Refusal(at, "row", told(error.message)))
        alive()
    return Explained(served.name, served.number, data, refused)


def _too_much(served: Served, rows: Sequence[Any], limits: Limits) -> str | None:
    """Return why rows are too many or too wide: a model is asked about each without each attribute, for every label."""
    if len(rows) > limits.explanations:
        return f"rows: expected at most {limits.explanations:,} to explain, got {len(rows):,}; send several requests"
    most = min(limits.explained, max(1, limits.cells // max(1, len(served.model.labels))))
    parts = served.follower.reader.read([Example(at, NOBODY, row) for at, row in enumerate(rows)])
    count = sum(int(part[1].indptr[-1] - part[1].indptr[0]) for part in parts if not isinstance(part, Bad))
    if count <= most:
        return None
    remedy = "leave some out" if len(rows) == 1 else "send several requests"
    return f"{served.name}: expected at most {most:,} attributes to explain, got {count:,}; {remedy}"
