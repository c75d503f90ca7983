"""Rows of a request, checked at the edge and written down: what is learned is what is in the journal."""

from __future__ import annotations

import math
import re
from typing import Any

import msgspec

from littlestone.core.messages import shown
from littlestone.service.journal.entries import encode
from littlestone.service.options import Limits
from littlestone.service.problems import invalid, too_much
from littlestone.service.wire import Ask, Label, Learn, Problem, Refusal

__all__ = ["Rows", "bad_name", "rows_of_request", "wrong_label"]

KINDS = frozenset((dict, str, list))  # of rows; what else there is comes back from the journal as one of these
LABELS = frozenset((str, int, float, bool))
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")

Rows = list[tuple[tuple[Any, ...], bytes] | Refusal]


def bad_name(name: str) -> Problem | None:
    """Return what is wrong with the name of a model.

    >>> bad_name("spam-2") is None, bad_name("../spam").detail
    (True, "name: expected letters, digits, '.', '_' and '-', at most 100 of them, got '../spam'")
    """
    if NAME.fullmatch(name):
        return None
    expected = "letters, digits, '.', '_' and '-', at most 100 of them"
    return invalid(f"name: expected {expected}, got {shown(name)}", "name")


def rows_of_request(request: Learn | Ask | Label, limits: Limits) -> Rows | Problem:
    """Return for each row what is written down (row, label, id, weight), also encoded, or why it is refused."""
    count = len(request.ids if isinstance(request, Label) else request.rows)
    rows = [None] * count if isinstance(request, Label) else request.rows
    weights = None if isinstance(request, Label) else request.weights
    columns = {"ids": request.ids, "weights": weights, "labels": None if isinstance(request, Ask) else request.labels}
    if not count:
        return invalid("rows: expected at least one, got none", "rows")
    if count > limits.rows:
        return too_much(f"rows: expected at most {limits.rows:,} in a request, got {count:,}; send several requests")
    for name, column in columns.items():
        if column is not None and len(column) != count:
            return invalid(f"{name}: expected as many as rows, {count:,}, got {len(column):,}", "rows")
    if request.once is not None and not 0 < len(request.once) <= limits.text:
        return invalid(f"key: expected one of 1 to {limits.text} characters, got {len(request.once)}", "key")
    blank = [None] * count
    labels, ids, weights = (columns[name] or blank for name in ("labels", "ids", "weights"))
    labelled, named = not isinstance(request, Ask), not isinstance(request, Learn)
    found: Rows = []
    for at, (x, label, id, weight) in enumerate(zip(rows, labels, ids, weights, strict=True)):  # noqa: A001
        wrong = None if x is None and isinstance(request, Label) else _wrong_row(x)
        wrong = wrong or (wrong_label(label, limits) if labelled else None)
        wrong = wrong or (_wrong_id(id, limits) if named or id is not None else None)
        wrong = wrong or (_wrong_weight(weight, limits) if weight is not None else None)
        found.append(Refusal(at, *wrong) if wrong else _encoded(at, (x, label, id, weight), limits))
    return found


def _encoded(at: int, row: tuple[Any, ...], limits: Limits) -> tuple[tuple[Any, ...], bytes] | Refusal:
    try:
        data = encode(row)
    except (TypeError, ValueError, OverflowError, RecursionError, msgspec.MsgspecError) as error:
        return Refusal(at, "row", f"expected values as JSON has them, got others ({error})")
    if len(data) > limits.row_bytes:
        return Refusal(at, "row", f"expected a row of at most {limits.row_bytes:,} bytes, got {len(data):,}")
    return row, data


def _wrong_row(x: Any) -> tuple[str, str] | None:
    return None if type(x) in KINDS else ("row", f"expected a dict, a text or a list, got {shown(x)}")


def wrong_label(label: Any, limits: Limits) -> tuple[str, str] | None:
    """Return what is wrong with a label, and with which words."""
    kind = type(label)
    if kind not in LABELS or (kind is float and not math.isfinite(label)):
        return "label", f"expected a label, a text or a number, got {shown(label)}"
    if kind is str and not 0 < len(label) <= limits.text:
        return "label", f"expected a label of 1 to {limits.text} characters, got {len(label):,}"
    return None


def _wrong_id(id: Any, limits: Limits) -> tuple[str, str] | None:  # noqa: A002
    if type(id) is int:
        return None
    if type(id) is not str or not 0 < len(id) <= limits.text or "\0" in id:
        return "id", f"expected an id, a number or a text of 1 to {limits.text} characters, got {shown(id)}"
    return None


def _wrong_weight(weight: Any, limits: Limits) -> tuple[str, str] | None:
    if type(weight) not in {int, float} or not 0 <= weight <= limits.weight:
        return "row", f"expected a weight from 0 to {limits.weight:g}, got {shown(weight)}"
    return None
