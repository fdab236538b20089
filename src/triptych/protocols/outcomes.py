"""Make the Scores of a Unit, answered or not; shared by the protocols of all benchmarks.

A protocol's `score` follows this pattern, so that it always returns every Score:

    if lost := lost_status(unit):
        return [unscored(unit, "accuracy", lost)]
    letter = read_letter(unit.response.text)
    if letter is None:
        return [unscored(unit, "accuracy", "unparsed")]
    return [scored(unit, "accuracy", letter == unit.item.target, extraction=letter)]
"""

from __future__ import annotations

from collections.abc import Collection

from triptych.protocols.protocol import Unit
from triptych.records import Extraction, Response, ResponseStatus, Score, ScoreStatus

REPLIES: tuple[ResponseStatus, ...] = ("answered",)
# The engine of the Intermediate with a person's decision on an ambiguous reply; and the note of an undecided Score.
PERSON = "person"
AMBIGUOUS = "ambiguous: for a person to decide"
# A scorer that ignores why a model stopped reads every text, including truncated replies and refusals.
ANY_TEXT: tuple[ResponseStatus, ...] = ("answered", "refused", "truncated")


def response_status(response: Response | None, reads: Collection[ResponseStatus] = REPLIES) -> ScoreStatus | None:
    """Return None if the Response has a text to score, otherwise the status of its Scores (`missing` for no Response).

    `reads`: the statuses whose text is scored; `ANY_TEXT` for scorers that also score refused and truncated text.
    """
    if response is None:
        return "missing"
    if response.status in reads:
        return None
    # If `reads` lacks "answered", it must not become the status of a Score, for which it is not valid.
    return "unparsed" if response.status == "answered" else response.status


def lost_status(unit: Unit, reads: Collection[ResponseStatus] = REPLIES) -> ScoreStatus | None:
    """Return None if every Response of the Unit has a text to score, otherwise the status of the first without one."""
    for response in unit.responses:
        if response is None or response.status not in reads:
            return response_status(response, reads)
    return None


def person_reading(response: Response) -> str | None:
    """Return a person's reading of the reply: an option's label, or empty for none; None if nobody has decided."""
    return next((step.text for step in response.intermediates if step.engine == PERSON), None)


def scored(
    unit: Unit,
    metric: str,
    numerator: float,
    denominator: float = 1.0,
    *,
    extraction: Extraction = None,
    note: str = "",
) -> Score:
    """Return the Score of a Unit that was scored: additive statistics, and the answer extracted from the reply."""
    item = unit.items[0]
    return Score(
        item.unit or item.id,
        item.task,
        metric,
        "scored",
        float(numerator),
        float(denominator),
        extraction,
        item.instance or item.unit or item.id,
        unit.repeat,
        item.facets,
        note,
    )


def unscored(
    unit: Unit,
    metric: str,
    status: ScoreStatus,
    worst: float = 0.0,
    denominator: float = 1.0,
    *,
    extraction: Extraction = None,
    note: str = "",
) -> Score:
    """Return the Score of a Unit without a value.

    `worst` / `denominator` is the worst case (0 of 1 for an accuracy, the whole reference for an error rate), which
    the figure over all Units uses. Status `unavailable` says nothing about the model, so it does not count; if all
    Units are unavailable, the figure has no value.
    """
    if status == "unavailable":
        worst = denominator = 0.0
    item = unit.items[0]
    return Score(
        unit.unit_id,
        item.task,
        metric,
        status,
        float(worst),
        float(denominator),
        extraction,
        item.instance_id,
        unit.repeat,
        item.facets,
        note,
    )
