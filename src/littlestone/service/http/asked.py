"""What a request asks, apart from HTTP: rows with labels, weights and ids, as one, as lists, or as lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET

from littlestone.service.http.limits import Limits
from littlestone.service.http.problems import Refusal

__all__ = ["Fields", "Several", "check_rows", "from_form", "from_lines"]


class Fields(NamedTuple):
    """A thing that is given once or as a list, under these names, and whether it must be."""

    one: str
    several: str
    needed: bool


class Several(NamedTuple):
    """The lists, by the names of lists, and whether there was only one."""

    lists: dict[str, list[Any] | None]
    alone: bool

    def needed(self, name: str) -> list[Any]:
        """Return a list that must be there."""
        found = self.lists[name]
        assert found is not None
        return found


def from_form(form: msgspec.Struct, fields: Sequence[Fields]) -> Several:
    """Return the lists that a body gives, a list of one where it gives one; refuse both at once, and other lengths.

    >>> from littlestone.service.http.forms import LearnForm
    >>> fields = (Fields("row", "rows", True), Fields("label", "labels", True), Fields("weight", "weights", False))
    >>> from_form(LearnForm(row={"a": 1}, label="yes"), fields)
    Several(lists={'rows': [{'a': 1}], 'labels': ['yes'], 'weights': None}, alone=True)
    >>> from_form(LearnForm(rows=["a", "b"], labels=["yes"]), fields)
    Traceback (most recent call last):
    ...
    littlestone.service.http.problems.Refusal: The request says what it cannot: labels: expected 2, one for each of \
rows, got 1
    """
    ones = {one: [value] for one, _, _ in fields if (value := getattr(form, one)) is not UNSET}
    lists = {several: value for _, several, _ in fields if (value := getattr(form, several)) is not UNSET}
    if bool(ones) == bool(lists):
        expected = " and ".join(f"{one} or {several}" for one, several, needed in fields if needed)
        got = f"got both {next(iter(ones))} and {next(iter(lists))}" if ones else "got neither"
        raise Refusal("invalid", f"expected {expected}, {got}", where=next(iter(lists), fields[0].one))
    found: dict[str, list[Any] | None] = {}
    for one, several, needed in fields:
        found[several] = ones.get(one) if ones else lists.get(several)
        if needed and found[several] is None:
            name, other = one if ones else several, next(iter(ones or lists))
            raise Refusal("invalid", f"{name}: expected it beside {other}, got none", where=name)
    if lists:
        _check_lengths(found, fields[0].several)
    return Several(found, bool(ones))


def from_lines(lines: Sequence[msgspec.Struct], fields: Sequence[Fields], usual: Mapping[str, Any]) -> Several:
    """Return the lists that lines give; where some have what others do not, these have what is ``usual``."""
    found: dict[str, list[Any] | None] = {}
    for field in fields:
        values = [getattr(line, field.one) for line in lines]
        missing = [at for at, value in enumerate(values) if value is UNSET]
        if len(missing) == len(values):
            found[field.several] = None
        elif missing and field.one not in usual:
            raise Refusal("invalid", f"{field.one}: expected one in each line or in none; row {missing[0]} has none")
        else:
            found[field.several] = [usual[field.one] if value is UNSET else value for value in values]
    return Several(found, alone=False)


def check_rows(rows: Sequence[Any], limits: Limits) -> None:
    """Refuse more rows than a request may have, and more attributes than a row may have.

    >>> check_rows(["a text", {"a": 1, "b": 2}], Limits(attributes=1))
    Traceback (most recent call last):
    ...
    littlestone.service.http.problems.Refusal: A row with too many attributes: rows[1]: expected at most 1, got 2
    """
    if len(rows) > limits.rows:
        raise Refusal("too-many-rows", f"rows: expected at most {limits.rows:,}, got {len(rows):,}", where="rows")
    for at, row in enumerate(rows):
        if type(row) is not str and len(row) > limits.attributes:
            said = f"rows[{at}]: expected at most {limits.attributes:,}, got {len(row):,}"
            raise Refusal("too-many-attributes", said, where=f"rows[{at}]")


def _check_lengths(found: Mapping[str, list[Any] | None], first: str) -> None:
    count = len(found[first] or ())
    for name, values in found.items():
        if values is not None and len(values) != count:
            said = f"{name}: expected {count:,}, one for each of {first}, got {len(values):,}"
            raise Refusal("invalid", said, where=name)
