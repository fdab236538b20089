"""The records of a build that have a reason: dropped, waiting, failed or revised because of it."""

from __future__ import annotations

import msgspec

from triptych.construction.engine.folder import MATERIAL, PASSED_BY, BuildFolder
from triptych.errors import SpecError, nearest


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
    records, known = [], set()
    for stage in dict.fromkeys((MATERIAL, *folder.stages())):
        for line in folder.lines(stage):
            outcome = line.outcome
            if not outcome.reason or line.key == PASSED_BY:
                continue
            known.add(outcome.reason)
            if reason in (outcome.reason, f"{outcome.decision}: {outcome.reason}"):
                records.append(Reason(stage, line.id, outcome.decision, outcome.reason, outcome.note))
    if not records:
        raise SpecError(
            f"no record has the reason {reason!r}",
            where=folder.path,
            fix=nearest(reason, known),
            expected=", ".join(sorted(known)) or "a reason; no record of this build has one",
        )
    return records
