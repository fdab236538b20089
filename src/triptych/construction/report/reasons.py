"""The records of a build that have a reason; and parts of a benchmark of which nothing is left, with the reasons."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

import msgspec

from triptych.construction.engine.folder import MATERIAL, PASSED_BY, BuildFolder
from triptych.construction.recipe import load_recipe
from triptych.construction.record import Record
from triptych.construction.report.statistics import records_of
from triptych.errors import DataError, SpecError, nearest


class Reason(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why a stage decided so about a record."""

    stage: str
    id: str
    decision: str
    reason: str
    note: str = ""


def records_with(folder: BuildFolder, reason: str) -> list[Reason]:
    """Return the records with a reason, in the order of stages and records.

    reason: the code (`too-long`), also with its decision (`dropped: too-long`), as `build status` shows it. Raises
    SpecError if no record has it.
    """
    records, ids = [], set()
    for stage in dict.fromkeys((MATERIAL, *folder.stages())):
        for line in folder.lines(stage):
            outcome = line.outcome
            if not outcome.reason or line.key == PASSED_BY:
                continue
            ids.add(outcome.reason)
            if reason in (outcome.reason, f"{outcome.decision}: {outcome.reason}"):
                records.append(Reason(stage, line.id, outcome.decision, outcome.reason, outcome.note))
    if not records:
        raise SpecError(
            f"no record has the reason {reason!r}",
            where=folder.path,
            fix=nearest(reason, ids) if ids else "no record of this build has a reason: every one was kept as it was",
            expected=", ".join(sorted(ids)) or "a reason that `build status` shows",
        )
    return records


class EmptiedPart(msgspec.Struct, frozen=True):
    """A part without records: its name, the number of its rows of raw material, and for how many records each stage
    has which reason, as (`STAGE: REASON`, number), the most frequent first."""

    name: str
    rows: int
    reasons: tuple[tuple[str, int], ...]


def emptied_parts(folder: BuildFolder, field: str, records: Iterable[Record]) -> tuple[EmptiedPart, ...]:
    """Return the parts of a build that have raw material, no record among `records`, and none that waits or failed.

    field: the field of raw material that names the part, such as `subtask`; empty: the recipe has no parts.
    """
    if not field:
        return ()
    part_of = {
        line.id: str(line.outcome.fields[field]) for line in folder.lines(MATERIAL) if line.outcome.fields.get(field)
    }
    left = {str(record.fields.get(field)) for record in records}
    suspects = set(part_of.values()) - left
    if not suspects:
        return ()
    reasons: dict[str, Counter[str]] = defaultdict(Counter)
    for stage in dict.fromkeys((MATERIAL, *folder.stages())):
        for line in folder.lines(stage):
            if line.key == PASSED_BY or line.outcome.decision not in ("dropped", "pending", "failed"):
                continue
            part = _part(line.id, part_of)
            if line.outcome.decision == "dropped":
                reasons[part][f"{stage}: {line.outcome.reason}"] += 1
            else:
                suspects.discard(part)
    rows = Counter(part_of.values())
    return tuple(EmptiedPart(name, rows[name], tuple(reasons[name].most_common())) for name in sorted(suspects))


def _part(id: str, part_of: dict[str, str]) -> str:
    """The part of a record: that of the row of raw material from which it was split."""
    while id and id not in part_of:
        id = id.rpartition("/")[0]
    return part_of.get(id, "")


def emptied_parts_of(folder: BuildFolder, records: Sequence[Record] | None = None) -> tuple[EmptiedPart, ...]:
    """Return `emptied_parts` of a folder with the field that its recipe names.

    records: those that came through, if they have been read. The result is empty if the recipe is not installed, or if
    the folder holds a build that was interrupted.
    """
    manifest = folder.manifest()
    try:
        field = load_recipe(manifest.recipe).parted_by if manifest else ""
        return emptied_parts(folder, field, records_of(folder) if records is None else records) if field else ()
    except (SpecError, DataError):
        return ()
