"""Fields of a task's form, and their values as a browser sends them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from triptych.construction.asking.questions import Result
from triptych.construction.people.reviews import EDITS, REASONS, REFUSALS, Distinct
from triptych.construction.people.spans import spans_in
from triptych.construction.people.stage import Task, faults_of_task, multiple_choices, scale_of
from triptych.errors import DataError
from triptych.portal.site.languages import words
from triptych.records.repeated_keys import decode_once
from triptych.records.unreadable import UNREADABLE

Kind = Literal["choice", "several", "score", "number", "text", "list", "spans", "boxes", "json"]
FREE = ("text", "list", "number", "spans", "boxes")  # kinds without labels, whose values differ by more or less
_SPAN = re.compile(r"\d+(?:\.\d+)?-\d+(?:\.\d+)?")
_LONG = 200  # characters of a text that needs more than two lines


class Unfit(DataError):
    """A value that doesn't fit its field. `name`: of the text that says why, in any language of the pages."""

    def __init__(self, name: str, field: str) -> None:
        super().__init__(words()[name]["en"].format(field=field))
        self.name: str = name
        self.field: str = field


@dataclass(frozen=True)
class Field:
    """A field of a form.

    choices    of `choice` and `several`; the points of a `score`
    required   the first field: a result without it is refused
    proposed   the value that the task proposes, for an edit of it; None if the field proposes nothing
    shown      of `choice`: the shown value of which another choice is an edit
    """

    name: str
    kind: Kind
    choices: tuple[Any, ...] = ()
    required: bool = False
    proposed: str | None = None
    shown: Any = None

    @property
    def is_rating(self) -> bool:
        """Whether agreement is computed for the field."""
        return self.kind in ("choice", "several", "score")

    @property
    def is_long(self) -> bool:
        """Whether the field needs many lines."""
        return self.kind in ("list", "boxes", "json") or len(self.proposed or "") > _LONG


def fields_of(form: Mapping[str, Any], shows: Mapping[str, Any]) -> list[Field]:
    """Return the fields of a form, in order. A text, a list or a choice with the name of a shown value is an edit of
    it; where the value of a text or list is None, there is nothing to edit, and the field is left out.

    >>> fields_of({"verdict": ["approve", "edit"], "answer": "text"}, {"answer": "at noon"})[1].proposed
    'at noon'
    """
    return [
        _field(name, kind, shows.get(name), not index)
        for index, (name, kind) in enumerate(form.items())
        if not index or kind not in ("text", "list") or shows.get(name, "") is not None
    ]


def _field(name: str, kind: Any, shown: Any, required: bool) -> Field:
    if (several := multiple_choices(kind)) is not None:
        return Field(name, "several", tuple(several), required)
    if (scale := scale_of(kind)) is not None and scale[1] - scale[0] <= 10:
        return Field(name, "score", tuple(range(scale[0], scale[1] + 1)), required)
    if _is_boxes(kind):
        return Field(name, "boxes", (), required)
    if isinstance(kind, Sequence) and not isinstance(kind, str):
        proposed = str(shown) if shown in kind and not required else None
        return Field(name, "choice", tuple(kind), required, proposed, None if required else shown)
    if kind in ("text", "list", "number", "spans"):
        proposes = kind in ("text", "list") and isinstance(shown, str | list)
        return Field(name, kind, (), required, as_text(shown) if proposes else None)
    return Field(name, "text" if kind == "media" else "json", (), required)


def _is_boxes(kind: Any) -> bool:
    """Whether a JSON schema is that of boxes: a list of lists of four numbers."""
    inner = kind.get("items") if isinstance(kind, Mapping) else None
    number = isinstance(inner, Mapping) and inner.get("items") in ({"type": "number"}, {"type": "integer"})
    return inner is not None and bool(number and (inner.get("minItems"), inner.get("maxItems")) == (4, 4))


def as_text(value: Any) -> str:
    """Return a value as a field shows it: a list has a line for each entry.

    >>> as_text(["one", "two"]), as_text(4)
    ('one\\ntwo', '4')
    """
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return "\n".join(value)
    return value if isinstance(value, str) else "" if value is None else msgspec.json.encode(value).decode()


def values_of(fields: Sequence[Field], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a browser sent as the values of a result: empty fields and unchanged proposals are left out.

    Raises Unfit for a value that doesn't fit, or values that contradict each other.
    """
    if unknown := values.keys() - {field.name for field in fields}:
        raise Unfit("review-unknown-field", min(unknown))
    field_values = {
        field.name: value for field in fields if (value := _value(field, values.get(field.name))) is not None
    }
    check(fields, field_values)
    return field_values


def _value(field: Field, value: Any) -> Any:
    if field.kind == "several":
        chosen = [value] if isinstance(value, str) else value or []
        if not isinstance(chosen, list) or set(map(str, chosen)) - set(map(str, field.choices)):
            raise Unfit("review-unknown-choice", field.name)
        return [choice for choice in field.choices if str(choice) in set(map(str, chosen))] or None
    if value is None or not str(value).strip():
        if value is not None and (field.proposed or "").strip():
            raise Unfit("review-emptied", field.name)
        return None
    text = str(value).replace("\r\n", "\n").strip()
    if field.kind in ("choice", "score"):
        by_text = {str(choice): choice for choice in field.choices}
        if text not in by_text:
            raise Unfit("review-unknown-choice", field.name)
        return None if text == field.proposed else by_text[text]
    if field.kind == "text":
        return None if text == (field.proposed or "").strip() else text
    return _PARSED[field.kind](field, text)


def _list(field: Field, text: str) -> list[str] | None:
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    before = [line.strip() for line in (field.proposed or "").split("\n") if line.strip()]
    if field.proposed is not None and len(lines) != len(before):
        raise Unfit("review-other-number", field.name)
    return None if lines == before else lines


def _number(field: Field, text: str) -> float | int:
    try:
        return int(text) if text.lstrip("-").isdecimal() and len(text) < 16 else float(text)
    except ValueError:
        raise Unfit("review-not-a-number", field.name) from None


def _spans(field: Field, text: str) -> str:
    spans = spans_in(text)
    if spans is None:
        raise Unfit("review-not-spans", field.name)
    return "; ".join(f"{start:.2f}-{end:.2f}" for start, end in sorted(spans))


def spans_of(text: str) -> list[tuple[float, float]]:
    """Return spans of time from their text.

    >>> spans_of("3.20-5.10; 8.00-9.50")
    [(3.2, 5.1), (8.0, 9.5)]
    """
    ends = [piece.strip().split("-") for piece in text.split(";") if _SPAN.fullmatch(piece.strip())]
    return [(float(start), float(end)) for start, end in ends]


def _boxes(field: Field, text: str) -> list[list[float]]:
    boxes = _json(field, text)
    numbers = isinstance(boxes, list) and all(
        isinstance(box, list) and len(box) == 4 and all(type(each) in (int, float) for each in box) for box in boxes
    )
    if not numbers or not all(box[2] > 0 and box[3] > 0 for box in boxes):
        raise Unfit("review-not-boxes", field.name)
    return list(boxes)


def _json(field: Field, text: str) -> Any:
    try:
        return decode_once(text, object)
    except UNREADABLE:
        raise Unfit("review-not-json", field.name) from None


_PARSED = {"list": _list, "number": _number, "spans": _spans, "boxes": _boxes, "json": _json}


def check(fields: Sequence[Field], values: Mapping[str, Any]) -> None:
    """Raise Unfit if values contradict each other, since a build would drop one of them in silence.

    A changed text needs the choice that takes it, or a refusal, of which it is a reason; that choice needs a changed
    text, and a refusal needs a reason.
    """
    first = fields[0]
    if first.name not in values:
        raise Unfit("review-missing", first.name)
    verdict = values[first.name]
    changed = [field.name for field in fields if field.name in values and _differs(field, values[field.name])]
    if set(EDITS) & set(first.choices):
        if changed and verdict not in (*EDITS, *REFUSALS):
            raise Unfit("review-changed-without-edit", changed[0])
        if verdict in EDITS and not changed:
            raise Unfit("review-edit-without-change", first.name)
    reasons = [field.name for field in fields if field.name in REASONS and field.proposed is None]
    if verdict in REFUSALS and reasons and not changed and not any(name in values for name in reasons):
        raise Unfit("review-refusal-without-reason", reasons[0])


def _differs(field: Field, value: Any) -> bool:
    return field.proposed is not None or (field.shown is not None and value != field.shown)


def check_answer(
    values: Mapping[str, Any], body: Mapping[str, Any], person: str, distinct: Distinct | None = None
) -> None:
    """Raise Unfit for a result that a sheet or a build would refuse, with all of its faults.

    `person`: the pseudonym that the build will know; `distinct`: the texts of the queue's other tasks.
    """
    form, shows, rules, checks = (body.get(name) or {} for name in ("form", "shows", "rules", "checks"))
    task = Task(str(body.get("id", "")), str(body.get("shown", "")), "", form, shows, rules=rules, checks=checks)
    faults = faults_of_task(task, Result(task.id, task.shown, person, dict(values)), distinct)
    listed = [f"{name} is {got}; expected {expected}" if name else got for name, got, expected in faults]
    if listed:
        raise Unfit("review-unusable-edit", "; ".join(listed))


def check_changes(fields: Sequence[Field], values: Mapping[str, Any], body: Mapping[str, Any]) -> None:
    """Raise Unfit if the texts that somebody has changed so far couldn't be used; what is missing is not looked at."""
    first = fields[0]
    edit = next((choice for choice in first.choices if choice in EDITS), None)
    changed = {
        field.name: value
        for field in fields
        if field.proposed is not None and (value := _value(field, values.get(field.name))) is not None
    }
    if edit is not None and changed:
        check_answer({first.name: edit, **changed}, body, "")
