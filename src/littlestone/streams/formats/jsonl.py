"""JSON lines as streams: an object for each example."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from math import isfinite
from typing import Any, NoReturn

from littlestone.core.errors import InvalidParameter
from littlestone.core.messages import Blank, Message, Remedy, repeated, shown
from littlestone.core.words import Tokeniser
from littlestone.streams.formats.lines import Example, LineStream, Wrong
from littlestone.streams.formats.outcomes import CLASSIFICATION
from littlestone.streams.formats.reading_rules import LABEL_NAMES, sound

__all__ = ["JsonlStream", "has_sentence", "is_flat", "parsed"]

_zero = re.compile(r"(?<!\\)(?:\\\\)*\\u0000").search  # a backslash before it may be one that stands for itself


class JsonlStream(LineStream):
    r"""Examples as JSON objects, one on each line.

    Two forms, which may be mixed:

    - ``{"label": 1, "features": ["sun", "rain"]}``: the attributes that are on, or ``{"features": {"sun": 1,
      "rain": 0.5}}`` with their values; ``"weight"`` and ``"id"`` (or ``"tag"``) may say how much the example counts
      and how it is called; other keys are ignored;
    - ``{"label": "spam", "length": 12, "sender": "mum"}``, flat: a number is the value of its attribute, a text the
      attribute ``sender=mum``, true is 1, false and null are absent.

    A list ``["sun", "rain"]`` is an example without a label. Numbers in a list of attributes are names, too: 3 is "3".

    Parameters
    ----------
    source : path, "-" for stdin, or a binary file
    label : str or None
        The key of the label; None: label, class, target or y, the first of them that is there.
    text : str or a list of them
        Keys (of flat objects) that are bags of words.
    ngrams, tokens, lower, characters
        How texts become words, as `core.words.Tokeniser` says.
    ignore : str or a list of them
        Keys (of flat objects) to leave out.
    weight, tag : str or None
        Keys (of flat objects) of the weight and the name of an example.
    labels, unlabelled, on_error, task
        As for every table: all labels, the negative one first; True: labels are not read; "skip": leave bad lines out
        and count them; "regression": labels are numbers to be predicted, "auto": the first 1,000 lines tell.

    Example
    -------
    >>> import io
    >>> lines = b'{"label": "yes", "features": ["a", "b"]}\n{"label": "no", "size": 1.5}\n'
    >>> stream = JsonlStream(io.BytesIO(lines))
    >>> stream.names, stream.labels
    (('a', 'b', 'size'), ('no', 'yes'))
    """

    def __init__(
        self, source: Any, *, label: str | None = None, text: str | Sequence[str] = (), ngrams: int = 1,
        tokens: str = "words", lower: bool = True, characters: int | None = None, ignore: str | Sequence[str] = (),
        weight: str | None = None, tag: str | None = None, labels: tuple[Any, ...] | None = None,
        unlabelled: bool = False, on_error: str = "raise", task: str = CLASSIFICATION,
    ) -> None:  # fmt: skip
        super().__init__(source, labels=labels, unlabelled=unlabelled, on_error=on_error, task=task)
        self._label = LABEL_NAMES if label is None else (label,)
        self._text = frozenset([text] if isinstance(text, str) else text)
        self._words = Tokeniser.checked("JsonlStream", tokens, lower, ngrams, characters)
        if not self._text and not self._words.only_words:
            remedy = Remedy("say {text}", text=Blank("KEY"))
            raise InvalidParameter("JsonlStream: ngrams and characters need a text, got none", remedy)
        self._weight, self._tag = weight, tag
        ignored = [ignore] if isinstance(ignore, str) else ignore
        self._ignored = frozenset([*ignored, *([weight] if weight else []), *([tag] if tag else [])])
        if self._text & self._ignored:
            raise InvalidParameter(f"JsonlStream: expected one role a key, got two for {self._text & self._ignored}")

    def read_as(self) -> dict[str, Any]:
        """Return the roles of the keys."""
        ignored = self._ignored - {self._weight, self._tag}
        roles = {
            "label": self._label[0] if len(self._label) == 1 else None,
            "weight": self._weight,
            "tag": self._tag,
            "text": sorted(self._text),
            "ignore": sorted(ignored),
        }
        words = self._words.options if self._text else {}
        return {
            "format": "jsonl",
            **{name: value for name, value in roles.items() if value},
            **words,
            **self._as_task(),
        }

    def _example(self, line: str) -> Example:
        found = parsed(line)
        if isinstance(found, list):
            if self.labelled:
                raise Wrong('expected an object with a label ({"label": 1, "features": [...]}), got a list')
            return Example(_listed(found))
        if not isinstance(found, dict):
            raise Wrong(f"expected a JSON object, got {shown(line)}")
        key = next((key for key in self._label if key in found), None)
        label = None if key is None else found[key]
        if self.labelled and (key is None or not _is_label(label)):
            got = f"none of {', '.join(self._label)}" if key is None else f"{shown(label)} under {key!r}"
            remedies = Remedy("say {label}", label=Blank("KEY")), Remedy("{unlabelled}", unlabelled=True)
            raise Wrong(Message(f"expected a label, a text or a number, got {got}", *remedies))
        if "features" in found and isinstance(found["features"], list | dict):
            features = found["features"]
            names, values = (_listed(features), None) if isinstance(features, list) else _valued(features.items())
            tag = found.get("id", found.get("tag", ""))
            return Example(names, values, label, _weight(found.get("weight", 1.0)), str(tag))
        return self._flat(found, key, label)

    def _flat(self, found: dict[str, Any], key: str | None, label: Any) -> Example:
        pairs: list[tuple[str, Any]] = []
        for name, value in found.items():
            if name == key or name in self._ignored:
                continue
            if name in self._text and isinstance(value, str):
                pairs += [(f"{name}={word}", 1.0) for word in self._words(value)]
            else:
                pairs.append((name, value))
        names, values = _valued(pairs)
        weight = 1.0 if self._weight is None else _weight(found.get(self._weight, 1.0))
        return Example(names, values, label, weight, "" if self._tag is None else str(found.get(self._tag, "")))


def parsed(line: str) -> Any:
    """Return what a line of JSON says, or raise `Wrong`.

    >>> parsed('{"sun": 1, "rain": null}')
    {'sun': 1, 'rain': None}
    """
    try:
        found = _loads(line)
        if "\\u" in line and (_zero(line) or not json.dumps(found, ensure_ascii=False).encode()):
            raise ValueError("a zero byte")  # noqa: TRY301 -- and half a surrogate pair does not encode
    except RecursionError:
        raise Wrong("expected a flat object, got one nested too deep") from None
    except ValueError as error:
        raise Wrong(f"expected a JSON object, got {shown(line)} ({error})") from None
    return found


def is_flat(line: bytes) -> bool:
    """Tell whether a line, or its beginning, is an object of values, and not one with features.

    >>> is_flat(b'{"label": 1, "size": 2}'), is_flat(b'{"label": 1, "features": ["sun"]}')
    (True, False)
    """
    found = _object(line)
    if found is None:  # too long, or wrong
        return line.lstrip().startswith(b"{") and b'"features"' not in line
    return not isinstance(found.get("features"), list | dict)


def has_sentence(line: bytes) -> bool:
    """Tell whether some value of an object has three words or more.

    >>> has_sentence(b'{"label": "spam", "text": "call me now"}'), has_sentence(b'{"label": "spam", "text": "call"}')
    (True, False)
    """
    return any(isinstance(value, str) and len(value.split()) >= 3 for value in (_object(line) or {}).values())


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _listed(features: list[Any]) -> list[str]:
    """Return names that are on; refuse what is no name, or comes twice."""
    if set(map(type, features)) <= {str}:
        return _once(features)
    names = []
    for name in features:
        if isinstance(name, bool) or not isinstance(name, str | int):
            raise Wrong(f"expected names of attributes in the list, got {shown(name)}")
        names.append(name if isinstance(name, str) else str(name))
    return _once(names)


def _valued(pairs: Iterable[tuple[str, Any]]) -> tuple[list[str], list[float] | None]:
    """Return names with their values; a text is the attribute name=text, null and false are absent."""
    names: list[str] = []
    values: list[float] = []
    for name, value in pairs:
        if isinstance(value, str):
            names.append(f"{name}={value.strip()}")
            values.append(1.0)
        elif isinstance(value, int | float):
            try:
                as_float = float(value)
            except OverflowError:
                as_float = float("inf")
            if not sound(as_float):
                raise Wrong(f"attribute {shown(name)}: expected a finite number of at most 1e100, got {shown(value)}")
            names.append(name)
            values.append(as_float)
        elif value is not None:
            raise Wrong(f"attribute {shown(name)}: expected a number, a text, true, false or null, got {shown(value)}")
    return _once(names), values


def _once(names: list[str]) -> list[str]:
    if len(set(names)) < len(names):
        raise Wrong(f"expected each attribute once, got {repeated(names)} twice")
    return names


def _is_label(label: Any) -> bool:
    if isinstance(label, str):
        return bool(label.strip())
    return isinstance(label, int) or (isinstance(label, float) and isfinite(label))


def _weight(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1e100:
        raise Wrong(f"expected a weight from 0 to 1e100, got {shown(value)}")
    return float(value)


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError(f"the key {repeated(key for key, _ in pairs)} comes twice")
    return found


def _constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is no JSON number")


_loads = json.JSONDecoder(object_pairs_hook=_pairs, parse_constant=_constant).decode
