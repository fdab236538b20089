"""Replies in results files of the authors' formats."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from triptych.records import ErrorInfo, Intermediate, Response


def stored_reply(item: str, stored: Any, field: str, intermediates: tuple[Intermediate, ...] = ()) -> Response:
    """Return the Response for a file's reply to an Item: a text unchanged, a number as its digits.

    The Response is `failed`, with the reason, if the reply is null, a truth value, a list or an object. It then counts
    as unanswered and is not scored as if the model had written brackets.
    """
    if isinstance(stored, str):
        return Response(item, "", 0, "answered", stored, intermediates=intermediates)
    if isinstance(stored, int | float) and not isinstance(stored, bool):
        return Response(item, "", 0, "answered", str(stored), intermediates=intermediates)
    kind, problem = "missing", f"the file contains no {field} for this Item"
    if stored is not None:
        kind, problem = "malformed", f"{field} is not a text but of type {type(stored).__name__}"
    return Response(item, "", 0, "failed", error=ErrorInfo(kind, problem))


def unanswered_note(responses: Collection[Response], field: str) -> list[str]:
    """Return a note about rows without a reply; none if every row has one."""
    failed = sum(response.status == "failed" for response in responses)
    return [f"{failed:,} of {len(responses):,} rows have no {field}: they count as unanswered"] if failed else []
