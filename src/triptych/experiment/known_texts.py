"""The questions of a preset whose media's texts are known, so that all of its arms ask the same ones.

An arm that adds the true text of a picture (`ocr:from=data`) can't ask about a picture without one. Such questions
leave every arm: settings are compared on the same questions, and the number of those left out is stated.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from triptych.conditions.given_text import GivenText
from triptych.errors import DataError
from triptych.experiment.plan import Plan
from triptych.media.hashes import with_hashes
from triptych.records import Item


@dataclass(frozen=True)
class Answerable:
    """`items`: label of an arm -> the Items that it asks; empty: all that it selects. `note`: how many are left out."""

    items: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    note: str = ""


def answerable(plans: Mapping[str, Plan]) -> Answerable:
    """Return what the arms of a preset ask, from their plans by label; without a limit, which counts what remains.

    Raises DataError if no question remains.
    """
    plain = {label: tuple(ready.items()) for label, ready in plans.items()} if any(map(_adds, plans.values())) else {}
    lacking = [item for label, items in plain.items() for item in items if _lacks(plans[label], item)]
    if not lacking:
        return Answerable()
    gone = {item.id for item in lacking}
    remaining = {label: tuple(item.id for item in items if item.id not in gone) for label, items in plain.items()}
    every = len({item.id for items in plain.values() for item in items})
    text = f"{len(gone):,} of {every:,} questions: no text is known about their media (the first: {lacking[0].id})"
    if not any(remaining.values()):
        raise DataError(
            "no arm of the preset can be asked",
            where=next(iter(plans.values())).data,
            got=text,
            fix="--texts FILE, a JSON object: media path or SHA-256 -> text",
        )
    return Answerable(remaining, f"every arm leaves out {text}; --texts FILE gives such texts")


def _adds(ready: Plan) -> bool:
    """Return whether a Condition adds texts that exist already."""
    return any(isinstance(condition, GivenText) and not condition.wants for condition in ready.conditions)


def _lacks(ready: Plan, item: Item) -> bool:
    if any(getattr(condition, "needs_hashes", False) for condition in ready.conditions):
        item = with_hashes(item, ready.data)
    return any(condition.lacks(item) for condition in ready.conditions if isinstance(condition, GivenText))
