"""The OpenAPI 3.1 document, made of the operations and of the forms with which bodies are checked."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from littlestone import __version__
from littlestone.service.http import forms
from littlestone.service.http.bodies import JSON, LINES
from littlestone.service.http.operations import OPERATIONS, Operation
from littlestone.service.http.problems import KINDS, MEDIA_TYPE, ProblemDetails

__all__ = ["document", "openapi"]

SCHEMA = "#/components/schemas/"
EVERYWHERE = (400, 401, 403, 404, 405, 406, 408, 409, 410, 413, 415, 422, 429, 431, 500, 503)
SAYS = {409: "Something stands in the way.", 410: "It is no longer there."}
PATHS: dict[str, dict[str, Any]] = {
    "model": {"type": "string", "pattern": forms.NAME},
    "number": {"type": "integer", "minimum": 1, "maximum": 10**18 - 1},
}


def document(*, keyed: bool = True) -> bytes:
    """Return the document as JSON.

    >>> document()[:18]
    b'{"openapi":"3.1.0"'
    """
    return msgspec.json.encode(openapi(keyed=keyed))


def openapi(*, keyed: bool = True) -> dict[str, Any]:
    """Return the document; ``keyed``: without a key nobody comes in.

    >>> sorted(openapi()["paths"]["/v1/models/{model}"])
    ['delete', 'get', 'parameters', 'put']
    """
    paths: dict[str, dict[str, Any]] = {}
    for operation in OPERATIONS:
        item = paths.setdefault(operation.path, {"parameters": _in_path(operation.path)})
        item[operation.method.lower()] = _operation(operation)
    schemas = _schemas()
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "littlestone", "version": __version__,
            "description": "On-line learners behind HTTP: durable, exactly once, explainable.",
        },
        "servers": [{"url": "/"}],
        "security": [{"key": []}] if keyed else [{}, {"key": []}],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "responses": {f"Problem{status}": _problem(status) for status in EVERYWHERE},
            "securitySchemes": {"key": {
                "type": "http", "scheme": "bearer",
                "description": "A key made by `littlestone key`. A server without keys serves its own machine only.",
            }},
        },
    }  # fmt: skip


def _schemas() -> dict[str, Any]:
    """Return the schema of each form; in those of one or several, either is needed."""
    known = [getattr(forms, name) for name in forms.__all__]
    _, found = msgspec.json.schema_components([*known, ProblemDetails], ref_template=SCHEMA + "{name}")
    for name, needed in {
        "PredictForm": ["row"], "LearnForm": ["row", "label"], "AskForm": ["row", "id"], "LabelForm": ["id", "label"],
    }.items():  # fmt: skip
        schema = found[name]
        ones = [one for one in ("row", "label", "weight", "id") if one in schema["properties"]]
        for one in ones:
            schema["properties"][f"{one}s"].setdefault("minItems", 1)
        # of one kind all that are needed, and none of the other
        schema["oneOf"] = [
            {"required": needed, "not": _any_of([f"{one}s" for one in ones])},
            {"required": [f"{one}s" for one in needed], "not": _any_of(ones)},
        ]
    found["ExplainForm"]["not"] = {"required": ["row", "rows"]}
    return found


def _any_of(names: list[str]) -> dict[str, Any]:
    return {"anyOf": [{"required": [name]} for name in names]}


def _in_path(path: str) -> list[dict[str, Any]]:
    return [
        {"name": name, "in": "path", "required": True, "schema": PATHS[name]} for name in re.findall(r"{(\w+)}", path)
    ]


def _operation(one: Operation) -> dict[str, Any]:
    found: dict[str, Any] = {
        "operationId": one.name, "summary": one.says, "parameters": _parameters(one), "responses": _responses(one),
    }  # fmt: skip
    if one.role is None:
        found["security"] = []
    else:
        found["description"] = f"Needs a key of the role {one.role}."
    if one.has_body:
        found["requestBody"] = {"required": not one.optional, "content": _content(one)}
    return found


def _content(one: Operation) -> dict[str, Any]:
    if one.reads:
        return {one.reads: {"schema": {"type": "string", "format": "binary"}}}
    content: dict[str, Any] = {JSON: {"schema": _ref(one.form)}}
    if one.line is not None:
        says = f"A line of JSON for each row: {one.line.__name__}."
        content[LINES] = {"schema": {"type": "string", "description": says}}
    return content


def _parameters(one: Operation) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for parameter in one.query:
        number = {"type": "integer", "minimum": 0, "maximum": 10**18 - 1}
        schema = number if parameter.is_number else {"type": "boolean"}
        found.append({"name": parameter.name, "in": "query", "description": parameter.says, "schema": schema})
    if one.once:
        says = "A key of the client's: sent again with the same one, a request is done once and answered the same."
        schema = {"type": "string", "pattern": "^[!-~]{1,256}$"}
        found.append({"name": "Idempotency-Key", "in": "header", "description": says, "schema": schema})
    return found


def _responses(one: Operation) -> dict[str, Any]:
    good: dict[str, Any] = {"description": "It is done."}
    if one.answers:
        refs = [_ref(answer) for answer in one.answers]
        good["content"] = {JSON: {"schema": refs[0] if len(refs) == 1 else {"anyOf": refs}}}
        if one.line is not None:
            says = f"A line of JSON for each row: {one.line_answer.__name__}."
            good["content"][LINES] = {"schema": {"type": "string", "description": says}}
    elif one.status != 204:
        octets = {"type": "string", **({"format": "binary"} if one.reads or one.gives.endswith("stream") else {})}
        good["content"] = {one.gives or JSON: {"schema": octets if one.gives else {"type": "object"}}}
    problems = {f"{status}": {"$ref": f"#/components/responses/Problem{status}"} for status in EVERYWHERE}
    return {f"{one.status}": good, **problems}


def _problem(status: int) -> dict[str, Any]:
    titles = [f"{title}." for known, title, _ in KINDS.values() if known == status] or [SAYS[status]]
    return {"description": " ".join(titles), "content": {MEDIA_TYPE: {"schema": _ref(ProblemDetails)}}}


def _ref(form: Any) -> dict[str, str]:
    return {"$ref": SCHEMA + form.__name__}
