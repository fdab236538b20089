"""Rules of reviewing, without a database: whether reviewers agree, and how far all of them do."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import combinations
from typing import Any

import msgspec

from triptych.construction.people.reviews import REFUSALS
from triptych.metrics.agreement import krippendorff_alpha
from triptych.metrics.raters.annotated import (
    Difference,
    boxes_difference,
    difference_alpha,
    mean_difference,
    spans_difference,
    text_difference,
)
from triptych.metrics.raters.nominal import cohen_kappa, fleiss_kappa, gwet_ac1, nominal_alpha, observed_agreement
from triptych.portal.review.fields import Field, spans_of


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of a queue of reviews.

    slots    one reviewer for each
    decided  a build gets one result for each task: the common one, or the decision on a disagreement
    run      the name of the Run whose replies are reviewed; empty for the tasks of a build
    verified  a build gets what a verifier has decided, and nothing before (annotation)
    native    verifiers must have the language of the task as their native language
    """

    slots: tuple[str, ...] = ("1",)
    decided: bool = False
    run: str = ""
    verified: bool = False
    native: bool = False


class Figures(msgspec.Struct, frozen=True):
    """Agreement on a field. `shared`: tasks with at least two votes, of `tasks` with one. None: undefined.

    kappa     Cohen's, if exactly two people share tasks
    fleiss    Fleiss' kappa, for any number of people
    ac1       Gwet's AC1, over all choices of the field
    interval  Krippendorff's alpha for scores and numbers
    alike     texts, spans and boxes: 1 minus the mean difference of two people (`triptych.metrics.raters.annotated`)
    alpha     of these: Krippendorff's alpha of the differences
    """

    tasks: int
    shared: int
    raters: int
    observed: float | None
    kappa: float | None
    nominal: float | None
    interval: float | None
    fleiss: float | None = None
    ac1: float | None = None
    alike: float | None = None
    alpha: float | None = None


Votes = Mapping[str, Mapping[str, Mapping[str, Any]]]  # task -> person -> values


def is_unanimous(fields: Sequence[Field], votes: Sequence[Mapping[str, Any]]) -> bool:
    """Return True if all reviewers of a task made the same decision: the first field, and every edited text, are equal.

    Scores, reasons and times may differ: they are compared by their agreement, not settled.

    >>> verdict, answer = Field("verdict", "choice", ("edit", "reject")), Field("answer", "text", proposed="a")
    >>> settled([verdict, answer], [{"verdict": "edit", "answer": "b"}, {"verdict": "edit", "answer": "c"}])
    False
    """
    first = fields[0].name
    if all(vote.get(first) in REFUSALS for vote in votes):  # a correction is then a reason
        return all(vote.get(first) == votes[0].get(first) for vote in votes)
    names = [first, *(field.name for field in fields if field.proposed is not None)]
    return all(vote.get(name) == votes[0].get(name) for vote in votes[1:] for name in names)


def figures(field: Field, votes: Votes) -> Figures:
    """Return the agreement on a field. Somebody who left an optional field empty has not rated that task."""
    every = (
        {person: label(field, values.get(field.name)) for person, values in vote_group.items()}
        for vote_group in votes.values()
    )
    rated = [
        row for verdict in every if (row := {person: value for person, value in verdict.items() if value is not None})
    ]
    shared = [row for row in rated if len(row) > 1]
    raters = sorted({person for row in shared for person in row})
    kappa = cohen_kappa(*([row[person] for row in shared] for person in raters)) if len(raters) == 2 else None
    rows = [list(row.values()) for row in shared]
    points = krippendorff_alpha(rows, "interval") if field.kind == "score" else None  # type: ignore[arg-type]
    possible = len(field.choices) if field.kind in ("choice", "score") else None
    if possible is not None and len({value for row in rows for value in row} - set(field.choices)):
        possible = None  # an earlier form had other choices
    return Figures(
        len(rated),
        len(shared),
        len(raters),
        observed_agreement(rows),
        kappa,
        nominal_alpha(rows),
        points,
        fleiss_kappa(rows),
        gwet_ac1(rows, possible),
    )


def free_figures(field: Field, votes: Votes) -> Figures | None:
    """Return the agreement on a text, list, number, spans or boxes; None for a field that nobody has filled in.

    Somebody who left a proposed text unchanged has given none.
    """
    readings = [
        [read for values in vote_group.values() if (read := _read(field, values.get(field.name))) is not None]
        for vote_group in votes.values()
    ]
    rows = [row for row in readings if row]
    if not rows:
        return None
    shared = sum(len(row) > 1 for row in rows)
    raters = {
        person
        for each in votes.values()
        for person, two_readings in each.items()
        if two_readings.get(field.name) is not None
    }
    if field.kind == "number":
        return Figures(len(rows), shared, len(raters), None, None, None, krippendorff_alpha(rows, "interval"))
    difference = _DIFFERENCES.get(field.kind, text_difference)
    mean = mean_difference(rows, difference)
    alike = None if mean is None else 1 - mean
    alpha = difference_alpha(rows, difference)
    return Figures(len(rows), shared, len(raters), None, None, None, None, alike=alike, alpha=alpha)


_DIFFERENCES: Mapping[str, Difference] = {"spans": spans_difference, "boxes": boxes_difference}


def _read(field: Field, value: Any) -> Any:
    """A value as its difference takes it; None for a missing one, or one of an earlier form."""
    if field.kind == "spans":
        return spans_of(value) if isinstance(value, str) else None
    if field.kind == "boxes":
        return value if isinstance(value, list) else None
    if field.kind == "number":
        return value if isinstance(value, int | float) and not isinstance(value, bool) else None
    return "\n".join(map(str, value)) if isinstance(value, list) else str(value) if value is not None else None


def why_undefined(figures: Figures, measure: str) -> str:
    """Return the name of the text that says why a figure is undefined; empty if it is defined."""
    if getattr(figures, measure) is not None:
        return ""
    if not figures.shared:
        return "agreement-nothing-shared"
    if measure == "kappa" and figures.raters != 2:
        return "agreement-not-two"
    return "agreement-nothing-varies"


def pairs(field: Field, votes: Votes) -> list[tuple[str, str, Figures]]:
    """Return the agreement of every two people who share a task."""
    both: dict[tuple[str, str], dict[str, dict[str, Mapping[str, Any]]]] = {}
    for task, task_votes in votes.items():
        for one, other in combinations(sorted(task_votes), 2):
            both.setdefault((one, other), {})[task] = {one: task_votes[one], other: task_votes[other]}
    return [(one, other, figures(field, both[one, other])) for one, other in sorted(both)]


def label(field: Field, value: Any) -> Hashable | None:
    """Return a value as a label; several choices are one label, whatever their order.

    >>> label(Field("faults", "several", ("a", "b")), ["b", "a"])
    'a | b'
    """
    if field.kind == "several":
        return " | ".join(sorted(map(str, value))) if value else None
    return value if isinstance(value, Hashable) else str(value)
