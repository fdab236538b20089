"""Recordings that people returned and a later stage sends back: they have to be made again."""

from __future__ import annotations

from triptych.construction.engine.folder import BuildFolder
from triptych.construction.engine.media import VALUE
from triptych.construction.record import Outcome

AGAIN = "record-again"  # the reason with which a stage sends a recording back


def returned_media(folder: BuildFolder, stage: str) -> dict[str, str]:
    """Return the media that people returned for a stage and a later stage sends back: SHA-256 -> why.

    A stage sends a recording back by leaving its record `pending` with the reason `record-again`, as `double-asr` does.
    Empty if the stage has not run, or nothing was sent back. Raises DataError for damaged records.
    """
    names = folder.stages()
    if stage not in names:
        return {}
    waiting = {
        line.id: line.outcome.note
        for name in names[names.index(stage) + 1 :]
        for line in folder.lines(name)
        if (line.outcome.decision, line.outcome.reason) == ("pending", AGAIN)
    }
    if not waiting:
        return {}
    above = {parent: note for id, note in waiting.items() for parent in _ancestors(id)}  # a record may be split further
    return {
        sha: above[id]
        for line in folder.lines(stage)
        for id, fields in _child_records(line.id, line.outcome)
        if id in above
        for value in fields
        if (sha := _hash(value))
    }


def _ancestors(id: str) -> list[str]:
    """The id and the ids of the records that it may have been split from."""
    parts = id.split("/")
    return ["/".join(parts[:number]) for number in range(1, len(parts) + 1)]


def _child_records(id: str, outcome: Outcome) -> list[tuple[str, list[object]]]:
    """The records that a decision made, with the values that it wrote into each."""
    if not outcome.children:
        return [(id, list(outcome.fields.values()))]
    return [(f"{id}/{child.suffix}", list(child.fields.values())) for child in outcome.children]


def _hash(value: object) -> str:
    hash_match = VALUE.fullmatch(value) if isinstance(value, str) else None
    return hash_match[2] if hash_match else ""
