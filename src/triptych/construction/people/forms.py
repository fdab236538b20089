"""Forms for people who fill the role of a model, and how these are read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from triptych.construction.asking.questions import Result
from triptych.construction.asking.reading import schema_of
from triptych.construction.people.stage import check_result
from triptych.errors import DataError

DECLINED = "declined"


def form_of(reply: type | None) -> dict[str, Any]:
    """Return the form for a reply: `text`, `list`, `number` or choices per field; a JSON schema for nested fields.

    Someone who can't answer gives the reason in `declined` instead.
    """
    made = schema_of(reply) if reply is not None else {"properties": {"reply": {"type": "string"}}}
    fields = {name: _kind(schema, made.get("$defs", {})) for name, schema in made["properties"].items()}
    return {**fields, DECLINED: "text"}


def _kind(schema: Mapping[str, Any], defs: Mapping[str, Any]) -> Any:
    if "enum" in schema:
        return list(schema["enum"])
    kinds = {"string": "text", "number": "number", "integer": "number", "boolean": [True, False]}
    if schema.get("type") == "array" and schema.get("items", {}).get("type") == "string":
        return "list"
    return kinds.get(str(schema.get("type"))) or {**schema, "$defs": dict(defs)}


def reply_of(result: Result, reply: type | None) -> Any:
    """Return a person's result in the form of a model's reply. Raises DataError if it doesn't fit."""
    check_result(result, form_of(reply))
    if reply is None:
        return str(result.values["reply"])
    values = {name: value for name, value in result.values.items() if value is not None}
    try:
        return msgspec.convert(values, reply)
    except msgspec.ValidationError as error:
        fix = "append a corrected result"
        raise DataError(
            f"{result.person} returned a value that doesn't fit the form", where=result.id, got=str(error), fix=fix
        ) from None
