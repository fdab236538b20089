"""Reviews by people: a verdict on each question, with edits of everything that is shown of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from triptych.construction.asking.questions import People, Result
from triptych.construction.engine.context import Context, Values
from triptych.construction.people.reviews import EDITS, REFUSALS, changed, edited_fields
from triptych.construction.people.stage import REMARKS, ask_people
from triptych.construction.record import Outcome, dropped, kept, revised
from triptych.construction.stage import Stage
from triptych.errors import SpecError

Checks = Callable[[Values], Mapping[str, Any]]
VERDICTS = ("approve", "edit", "reject")
_REASONS = {
    "edit": "edited-in-review",
    "revise": "revised-in-review",
    "reject": "rejected-in-review",
    "remove": "removed-in-review",
}


def review_stage(
    name: str,
    edits: Mapping[str, Any],
    remarks: Mapping[str, Any],
    guide: str,
    *,
    reads: Sequence[str],
    verdicts: Sequence[str] = VERDICTS,
    guides: Mapping[str, str] | None = None,
    per: str = "",
    helps: Sequence[str] = (),
    shows: Sequence[str] = (),
    keeps: Sequence[str] = (),
    about: str = "",
    checks: Checks | None = None,
) -> Stage:
    """Return a stage in which people approve, edit or reject a question.

    `edits`: fields that may be changed, each with its kind of form; they are read and written. Options, the positions
    of the correct ones and the answer change together (`construction.people.reviews`). `remarks`: further fields of the
    form, for the record's note; those in `keeps` are written into the record. `shows`: the fields that people see; by
    default all fields of `reads`, except the positions of correct options and `helps`. `checks` returns what an edit is
    checked by (`people.stage.Task`); the author of one that can't be used is asked again.
    """
    form = {"verdict": list(verdicts), **edits, **remarks}
    decide = _decision(form, tuple(keeps))
    seen = shows or [field for field in (each.rstrip("?") for each in reads) if field not in ("answers", *helps)]
    asks = People(
        form,
        guide,
        decide=decide,
        shows=tuple(seen),
        per=per,
        helps=tuple(helps),
        guides=dict(guides or {}),
        aside=(*REMARKS, *keeps),
        checks=checks,
    )
    also = ["answers"] if {"answer", "options"} & set(edits) else []
    writes = list(dict.fromkeys([*edits, *also, *keeps, "reviewed_by"]))
    return ask_people(name, asks, version=5, reads=reads, writes=writes, about=about)


def people_of(stage: Stage) -> People:
    """Return what a stage asks people. Raises SpecError if it asks nobody."""
    if stage.tasks is None:
        raise SpecError(f"the stage {stage.name!r} asks no people")
    return stage.tasks


def _decision(form: Mapping[str, Any], keeps: Sequence[str]) -> Any:
    def decide(results: Sequence[Result], values: Values, context: Context) -> Outcome:
        """Return the outcome of the review; what the person wrote is in the record or in the note of its end."""
        values_, person = results[0].values, results[0].person
        shown = dict(values)
        new = changed(values_, form, shown)
        remarks = _remarks(values_, form, new)
        if values_["verdict"] in REFUSALS:
            return dropped(_REASONS[values_["verdict"]], remarks)
        kept_values = {name: values_[name] for name in keeps if values_.get(name) not in (None, "")}
        if values_["verdict"] in EDITS:
            fields = {**edited_fields(new, shown), **kept_values, "reviewed_by": person}
            return revised(_REASONS[values_["verdict"]], fields, remarks)
        return kept(**kept_values, reviewed_by=person)

    return decide


def _remarks(values: Mapping[str, Any], form: Mapping[str, Any], new: Mapping[str, Any]) -> str:
    """Return what a person gave as reasons, and the corrections that a refusal carries."""
    reasons = [values[name] for name in form if name not in new and name != "verdict" and values.get(name)]
    flat = [str(each) for value in reasons for each in (value if isinstance(value, list) else [value])]
    refused = values["verdict"] in REFUSALS
    return "; ".join([*flat, *(f"{name}: {value}" for name, value in new.items() if refused)])
