"""Record and Outcome: the unit of a build, and a stage's decision about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

from triptych.records.provenance import Maker as Maker  # what stages are written with

Decision = Literal["kept", "revised", "dropped", "pending", "failed"]
DECISIONS: tuple[Decision, ...] = ("kept", "revised", "dropped", "pending", "failed")


class Record(msgspec.Struct, frozen=True):
    """A future Item during the build: a work, a clip, a question.

    id       unique and stable: the id in the raw material, with a suffix for each split
    fields   all values so far, JSON types only; media are strings as `MediaStore` returns them
    sources  ids of the raw material (texts, films, speakers) that it was made from, including those of its parent
    """

    id: str
    fields: dict[str, Any]
    sources: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        id = self.id
        if not id or "\n" in id or "\r" in id or "\t" in id or id != id.strip():  # a million Records are made of many
            raise ValueError(f"a record's id must be one line of text, not {self.id!r}")


class Child(msgspec.Struct, frozen=True, omit_defaults=True):
    """One of the records into which a record is split; it has its parent's fields, and these override them."""

    suffix: str
    fields: dict[str, Any] = {}
    makers: dict[str, Maker] = {}
    sources: tuple[str, ...] = ()


class Outcome(msgspec.Struct, frozen=True, omit_defaults=True):
    """The decision of a stage about one record.

    decision  `kept`, `revised` (kept, with a correction), `dropped`, `pending` (waits), `failed` (tried again)
    reason    a short code (`too-long`, `duplicate`), shared by all records with this reason; required unless kept
    note      details for people: the figure, the other record
    fields    the fields that the stage wrote; `makers` of fields that were not made by code
    by        the model or person that was asked; None if code decided
    children  the records into which this one is split; if there are none, it goes on itself
    sources   raw material added here (the speaker of a recording)
    """

    decision: Decision = "kept"
    reason: str = ""
    note: str = ""
    fields: dict[str, Any] = {}
    makers: dict[str, Maker] = {}
    children: tuple[Child, ...] = ()
    sources: tuple[str, ...] = ()
    by: Maker | None = None


_NOT_JSON = (bytes, bytearray, memoryview, set, frozenset)


def no_json(fields: Mapping[str, Any]) -> str:
    """Return which of the fields holds bytes or a set, for a message; empty if none does.

    They could be written, but as base64 and as a list in any order, and would be read again as something else.

    Example:
        >>> no_json({"text": "Paris", "letters": {"P"}})
        "a value of type set in the field 'letters'"
    """
    for name, value in fields.items():
        if (wrong := _no_json(value)) is not None:
            return f"a value of type {type(wrong).__name__} in the field {name!r}"
    return ""


def _no_json(value: Any) -> Any:
    if isinstance(value, _NOT_JSON):
        return value
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, list | tuple):
        return None
    return next((wrong for each in value if (wrong := _no_json(each)) is not None), None)


def kept(fields: Mapping[str, Any] | None = None, /, **more: Any) -> Outcome:
    """The record goes on, with these fields."""
    return Outcome(fields={**(fields or {}), **more})


def revised(reason: str, fields: Mapping[str, Any], note: str = "") -> Outcome:
    """The record goes on, changed for a reason."""
    return Outcome("revised", reason, note, dict(fields))


def dropped(reason: str, note: str = "") -> Outcome:
    """The record ends here."""
    return Outcome("dropped", reason, note)


def pending(reason: str, note: str = "") -> Outcome:
    """The record waits for people, or for a reply that hasn't been requested yet."""
    return Outcome("pending", reason, note)


def failed(reason: str, note: str = "") -> Outcome:
    """An error outside the record; the next build tries again."""
    return Outcome("failed", reason, note)


def split(children: Sequence[Child], fields: Mapping[str, Any] | None = None) -> Outcome:
    """The record is split into several, which share `fields`. Without children it is dropped as `empty`."""
    if not children:
        return dropped("empty", "nothing came of it")
    return Outcome(fields=dict(fields or {}), children=tuple(children))
