"""Heads: what a request says outside of its body: the model, the number, parameters, key, types. All of it checked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

from littlestone.service.http import forms
from littlestone.service.http.bodies import JSON, LINES, content_type
from littlestone.service.http.keeper import Call
from littlestone.service.http.operations import Operation
from littlestone.service.http.problems import Refusal

__all__ = ["Head", "head_of"]

NAME = re.compile(forms.NAME)
ONCE = re.compile(r"[\x21-\x7e]{1,256}")


class Head(NamedTuple):
    """The model, the number of an example, the parameters, the key under which it is done once, the body's type."""

    model: str
    number: int
    query: Mapping[str, Any]
    once: str | None
    kind: str


def head_of(operation: Operation, call: Call, params: Mapping[str, str], query: bytes) -> Head:
    """Return what a request says outside of its body; ``params`` are those in its path. Refuse what is wrong."""
    head = Head(
        _model(operation, call, params),
        _number(params.get("number")),
        _query(operation, query),
        _once(call) if operation.once else None,
        content_type(call.headers, _types(operation)) if _has_body(operation, call) else JSON,
    )
    _check_accept(call, operation, head.kind)
    return head


def _model(operation: Operation, call: Call, params: Mapping[str, str]) -> str:
    """Return the name of the model; refuse one that there cannot be, and what the key may not do."""
    key, role = call.key, operation.role
    if role is not None and not key.may(role):
        raise Refusal("not-allowed", f"expected a key of the role {role}, got one of {key.role}")
    model: str | None = params.get("model")
    if model is None:
        return ""
    if not NAME.fullmatch(model):
        raise Refusal("unknown-model", "expected a name of letters, digits, dots, hyphens and underscores")
    if not key.reaches(model):
        raise Refusal("not-allowed", f"the key is not for the model {model!r}")
    call.more["model"] = model
    return model


def _number(said: str | None) -> int:
    if said is None:
        return 0
    if not (said.isascii() and said.isdigit() and len(said) < 19 and int(said) > 0):
        raise Refusal("invalid", f"number: expected the number of an example, 1 or more, got {said[:50]!r}")
    return int(said)


def _query(operation: Operation, raw: bytes) -> dict[str, Any]:
    """Return the parameters behind the question mark; refuse any that there are not."""
    if not raw:
        return {}
    found: dict[str, Any] = {}
    known = {one.name: one for one in operation.query}
    try:
        pairs = parse_qsl(raw.decode("latin-1"), keep_blank_values=True, max_num_fields=20)
    except ValueError:
        raise Refusal("invalid", "parameters: expected a few, got too many") from None
    for name, value in pairs:
        if name not in known or name in found:
            expected = f"expected {', '.join(known)} once" if known else "expected none"
            raise Refusal("invalid", f"parameters: {expected}, got {name[:50]!r}", where=name[:50])
        if not known[name].is_number:
            if value not in ("true", "false"):
                raise Refusal("invalid", f"{name}: expected true or false, got {value[:50]!r}", where=name)
            found[name] = value == "true"
        elif value.isascii() and value.isdigit() and len(value) < 19:
            found[name] = int(value)
        else:
            raise Refusal("invalid", f"{name}: expected the number of an event, got {value[:50]!r}", where=name)
    return found


def _once(call: Call) -> str | None:
    said = call.headers.get(b"idempotency-key")
    if said is None:
        return None
    text = said.decode("latin-1")
    if not ONCE.fullmatch(text):
        raise Refusal("invalid", "Idempotency-Key: expected 1 to 256 visible characters of ASCII", where="header")
    return text


def _types(operation: Operation) -> tuple[str, ...]:
    if operation.reads:
        return (operation.reads,)
    return (JSON, LINES) if operation.line is not None else (JSON,)


def _has_body(operation: Operation, call: Call) -> bool:
    if not operation.has_body:
        return False
    empty = call.headers.get(b"content-length", b"0") == b"0" and b"transfer-encoding" not in call.headers
    return not (operation.optional and empty)


def _check_accept(call: Call, operation: Operation, kind: str) -> None:
    """Refuse who cannot take the answer's type."""
    said = call.headers.get(b"accept")
    if said is None or said == b"*/*":
        return
    given = operation.gives or (kind if kind == LINES else JSON)
    ranges = [part.partition(";")[0].strip().lower() for part in said.decode("latin-1").split(",")]
    if not {"*/*", given, f"{given.partition('/')[0]}/*"} & set(ranges):
        raise Refusal("not-acceptable", f"Accept: expected {given} or */*, got {said.decode('latin-1')[:100]}")
