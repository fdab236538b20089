"""Provenance: the maker and source of each field of a record, and the history of a record, stage by stage."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import msgspec

from triptych.benchmarks.origins import record_of
from triptych.construction.engine.engine import child_id
from triptych.construction.engine.folder import MATERIAL, PASSED_BY, BuildFolder, DecisionLine
from triptych.construction.record import Maker, Record
from triptych.errors import DataError, nearest
from triptych.records.provenance import Provenance
from triptych.store.files.atomic import atomic_file

_ENCODER = msgspec.json.Encoder(order="deterministic")


class Step(msgspec.Struct, frozen=True, omit_defaults=True):
    """One stage in the history of a record.

    Attributes:
        stage: Name of the stage.
        id: The record that came in: this one, or an ancestor of it.
        decision: What was decided.
        reason: Why, as a slug.
        note: Why, in words.
        wrote: Field -> who wrote it: a stage, a model or a person.
        values: Field -> the value that was written.
        became: Ids of the records that it was split into.
        by: The model or person that decided; None for the stage itself.
    """

    stage: str
    id: str
    decision: str
    reason: str = ""
    note: str = ""
    wrote: dict[str, Maker] = {}
    values: dict[str, object] = {}
    became: tuple[str, ...] = ()
    by: Maker | None = None


@dataclass(frozen=True)
class Life:
    """All steps of one record of a build.

    Attributes:
        id: Id of the record.
        sources: What it was made of, such as `work:w1`.
        steps: Its steps, in the order of the stages.
    """

    id: str
    sources: tuple[str, ...]
    steps: tuple[Step, ...]


def life_of(folder: BuildFolder, id: str) -> Life:
    """Return the history of a record, also of a dropped or split one; `id` may be that of an Item of the benchmark.

    Raises DataError for an id that is not in the build.
    """
    id = record_of(folder.path / "out", id) or id
    names = _ancestors(id)
    steps: list[Step] = []
    sources: dict[str, None] = {}
    current = ""
    for stage in folder.stages():
        if not current:
            line = next((stage_line for name in names if (stage_line := folder.find(stage, name))), None)
        else:
            line = folder.find(stage, current)
        if line is None or line.key == PASSED_BY:
            continue
        current = line.id
        steps.append(_step(stage, line))
        sources |= dict.fromkeys(line.outcome.sources)
        for child in line.outcome.children:
            name = child_id(line.id, child)
            if name == id or id.startswith(name + "/"):
                current = name
                sources |= dict.fromkeys(child.sources)
                steps[-1] = _step_of_child(steps[-1], stage, name, child.fields, child.makers)
    if not steps or current != id:
        raise DataError("the build has no record with this id", got=id, where=folder.path, fix=_hint(folder, id))
    return Life(id, tuple(sources), tuple(steps))


def write_provenance(folder: BuildFolder, records: Sequence[Record], path: Path) -> None:
    """Write a Provenance for each record of the output, in one pass over the stages' files."""
    made: Iterator[_Made] = (_Made(line.id, {}, {}) for line in folder.lines(MATERIAL))
    for stage in folder.stages():
        made = _follow_stage(stage, folder.lines(stage), made)
    with atomic_file(path) as file:
        for record, (id, makers, by) in zip(records, made, strict=True):
            if id != record.id:
                raise _changed_file(path, id)
            makers_of_fields = {field: makers[field] for field in record.fields if field in makers}
            file.write(_ENCODER.encode(Provenance(record.id, record.sources, makers_of_fields, by)) + b"\n")


class _Made(NamedTuple):
    """A record between two stages: its id, the makers of its fields, and who was asked about it, by stage."""

    id: str
    makers: dict[str, Maker]
    by: dict[str, Maker]


def _follow_stage(stage: str, lines: Iterable[DecisionLine], made: Iterable[_Made]) -> Iterator[_Made]:
    """Yield the records that go on after a stage. All stages are followed at once, so none is ever in memory whole."""
    code = Maker("code", stage)
    for record, line in zip(made, lines, strict=True):
        outcome = line.outcome
        if line.id != record.id:
            raise _changed_file(stage, line.id)
        if outcome.decision not in ("kept", "revised"):
            continue
        makers, by = record.makers, record.by
        if outcome.fields:
            makers = makers | {name: outcome.makers.get(name, code) for name in outcome.fields}
        if outcome.by:
            by = by | {stage: outcome.by}
        if not outcome.children:
            yield _Made(record.id, makers, by)
        for child in outcome.children:
            makers_of_child = {name: child.makers.get(name, code) for name in child.fields}
            yield _Made(child_id(record.id, child), makers | makers_of_child, by)


def _changed_file(where: object, id: str) -> DataError:
    fix = "run `triptych build` again, which writes the file again"
    return DataError(
        "the records of a stage differ from those that the stage before passed on", where=where, got=id, fix=fix
    )


def _makers(stage: str, line: DecisionLine) -> dict[str, Maker]:
    return _field_makers(stage, line.outcome.fields, line.outcome.makers)


def _field_makers(stage: str, fields: dict[str, object], makers: dict[str, Maker]) -> dict[str, Maker]:
    return {name: makers.get(name, Maker("code", stage)) for name in fields}


def _step(stage: str, line: DecisionLine) -> Step:
    outcome = line.outcome
    became = tuple(child_id(line.id, child) for child in outcome.children)
    return Step(
        stage,
        line.id,
        outcome.decision,
        outcome.reason,
        outcome.note,
        _makers(stage, line),
        dict(outcome.fields),
        became,
        outcome.by,
    )


def _step_of_child(step: Step, stage: str, name: str, fields: dict[str, object], makers: dict[str, Maker]) -> Step:
    """Return the step of a split as it applies to one child."""
    wrote, values = {**step.wrote, **_field_makers(stage, fields, makers)}, {**step.values, **fields}
    return msgspec.structs.replace(step, wrote=wrote, values=values, became=(name,))


def _ancestors(id: str) -> list[str]:
    """Return the id and all ids that it may have been split from, the longest first."""
    parts = id.split("/")
    return ["/".join(parts[:end]) for end in range(len(parts), 0, -1)]


def _hint(folder: BuildFolder, id: str) -> str:
    """Suggest the nearest ids among the first of the raw material."""
    from itertools import islice

    stages = folder.stages()
    ids = [line.id for line in islice(folder.lines(stages[0]), 1000)] if stages else []
    return nearest(id, ids) or "triptych build status DIR shows the stages"
