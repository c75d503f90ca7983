"""What --example of `explain` stands for: a row of a file, a raw text, cells of columns, or attributes with values."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import click

from littlestone.cli._remedies import typed
from littlestone.cli._settings import WrongCall
from littlestone.core.messages import shown

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from littlestone.core.block import Block
    from littlestone.models.explanation import Reasons
    from littlestone.models.model import Model
    from littlestone.streams import Stream

__all__ = ["attributes_of", "of_attributes", "of_raw", "of_row"]

SHOWN = 3  # columns in the example of an example
SPACED = ("svmlight", "vw")  # formats in which spaces part attributes


def of_row(model: Model, text: str, stream: Stream, top: int, names: Sequence[Any] | None) -> Reasons:
    """Explain the prediction for a row of a file, by its number."""
    from littlestone.models.explanation.models import reasons_of

    return reasons_of(model, _row(text, stream), top=top, names=names)


def of_raw(model: Model, text: str, top: int) -> Reasons:
    """Explain the prediction for a raw text, for cells of a table's columns, or for attributes by name."""
    from littlestone.core.errors import LittlestoneError
    from littlestone.models.explanation import Reasons
    from littlestone.models.recipe import is_table

    row = _cells(model, text) if is_table(model.reading) else _named(model, text)
    try:
        found = model.explain(row, top=top)
    except LittlestoneError as error:  # rows in memory have names of their own
        raise click.ClickException(re.sub(r"^(list|explain)(: row 0)?: ", "--example: ", typed(error))) from error
    assert isinstance(found, Reasons)
    return found


def of_attributes(model: Model, row: dict[Any, float], names: Sequence[Any] | None, top: int) -> Reasons:
    """Explain the number that is predicted for attributes by their positions, as ``names`` calls these."""
    import numpy as np

    from littlestone.core.block import Block
    from littlestone.models.explanation.models import reasons_of

    known = list(names or ())
    there = enumerate(row.items())
    places = sorted((known.index(name) if name in known else len(known) + at, value) for at, (name, value) in there)
    columns, values = (np.array([pair[at] for pair in places]) for at in (0, 1))
    block = Block.from_csr(np.array([0, len(places)]), columns.astype(np.int64), values.astype(np.float64))
    return reasons_of(model, block, top=top, names=names)


# Rows of tables


def _cells(model: Model, text: str) -> Any:
    """Return a text where that is the only column, else a dict of the columns."""
    from littlestone.models.recipe import attribute_columns

    columns = attribute_columns(model.reading | ({"order": model.columns} if model.columns else {}))
    if columns == list(model.reading.get("text", ())) and len(columns) == 1 and not _is_object(text):
        return text
    found = _object(text) if text.lstrip().startswith("{") else _pairs(text, columns)
    missing = [name for name in columns if name not in found]
    if missing:
        got = ", ".join(map(repr, found)) or "none"
        raise WrongCall(
            f"--example: expected the column{'s' if len(missing) > 1 else ''} {', '.join(map(repr, missing))}, got "
            f"{got}; {_empty(text, missing[0])}"
        )
    return found


def _empty(text: str, column: str) -> str:
    empty = f'"{column}": null' if text.lstrip().startswith("{") else f"{column}="
    return f"where nothing is known say {empty}"


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _object(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        problem = f"expected an object of columns, as JSON has it, got {shown(text)} ({error})"
        raise WrongCall(f"--example: {problem}") from None
    assert isinstance(found, dict)  # it begins with a brace
    return found


def _pairs(text: str, columns: list[str]) -> dict[str, str]:
    """Return the cells of ``age=30,city=Rome``; a comma before no column belongs to a cell."""
    one = "|".join(map(re.escape, sorted(columns, key=len, reverse=True)))
    parts = re.split(rf",\s*(?=(?:{one})\s*=)", text.strip()) if columns else []
    cells = [part.partition("=") for part in parts]
    if not cells or not all(mark for _, mark, _ in cells):
        raise WrongCall(f"--example: expected {_forms(columns)}, got {text!r}")
    return {name.strip(): cell.strip() for name, _, cell in cells}


def _forms(columns: list[str]) -> str:
    """Say what is accepted of a row of these columns."""
    some, more = columns[:SHOWN], ", ..." if len(columns) > SHOWN else ""
    as_json = "{" + ", ".join(f'"{name}": ...' for name in some) + more + "}"
    pairs = ",".join(f"{name}=..." for name in some) + more.replace(" ", "")
    return f"a value for each of the columns {', '.join(columns)}, as in '{as_json}' or {pairs}"


# Attributes


def _named(model: Model, text: str) -> dict[Any, Any]:
    """Return names with their values: as an object, or as words."""
    if text.lstrip().startswith("{"):
        found = _object(text)
        inner = found.get("features") if model.reading.get("format") == "jsonl" else None  # as a line of the file is
        if isinstance(inner, list):
            for name in inner:
                if isinstance(name, bool) or not isinstance(name, str | int):
                    raise WrongCall(
                        '--example: expected names of attributes, as in {"features": ["sun", "rain"]}, got '
                        f'{json.dumps(name)}; with values say {{"features": {{"sun": 2}}}}'
                    )
            return dict.fromkeys(map(str, inner), 1.0)
        return inner if isinstance(inner, dict) else found
    return attributes_of(model, text, model.learner.vocabulary)


def attributes_of(model: Model, text: str, known: Collection[Any] | None, first: int | None = None) -> dict[Any, float]:
    """Return attributes with their values: ``rain,wind:2.5``, or as a line of the model's file has them.

    ``known`` are the names; ``first`` is given where these are numbers, from ``first`` on.
    """
    if model.reading.get("format") in SPACED or first is not None:
        words = text.partition("#")[0].rpartition("|")[2].split()
        if first is not None and len(words) > 1 and ":" not in words[0] and all(":" in word for word in words[1:]):
            words = words[1:]  # the label of the line
        words = ",".join(words).replace(",", " ").split()
    else:
        words = [word for word in text.split(",") if word.strip()]
    found = dict(_valued(word, known) for word in words)
    strange = [name for name in found if known is not None and name not in known]
    if first is not None and known is not None and (strange or not found):
        raise click.ClickException(
            "--example: expected attributes with their values as in the model's file, such as "
            f"{first}:1 {first + len(known) - 1}:0.5, numbered from {first} to {first + len(known) - 1}, got "
            f"{strange[0] if strange else text!r}"
        )
    return found


def _valued(word: str, known: Collection[Any] | None) -> tuple[Any, float]:
    """Return an attribute and its value: ``rain``, or ``rain:2.5`` where that is no name itself."""
    word = word.strip()
    head, colon, value = word.rpartition(":")
    if not colon or (known is not None and word in known):
        return _kind(word, known), 1.0
    try:
        return _kind(head, known), float(value)
    except ValueError:
        return _kind(word, known), 1.0


def _kind(name: str, known: Collection[Any] | None) -> Any:
    """Return a name as the model has it: some names are numbers."""
    if known is not None and name not in known and name.lstrip("-").isdecimal() and int(name) in known:
        return int(name)
    return name


def _row(text: str, stream: Stream) -> Block:
    from littlestone.streams.base import complete_blocks

    if not text.isdecimal() or text == "0":
        raise WrongCall(f"--example: expected the number of a row of --data, from 1, got {text!r}")
    left = int(text) - 1
    for block in complete_blocks(stream):
        if left < len(block):
            return block[left : left + 1]
        left -= len(block)
    raise WrongCall(f"--example: expected a row from 1 to {int(text) - 1 - left}, got {text}")
