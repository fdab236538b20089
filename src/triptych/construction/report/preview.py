"""Requests and tasks of a stage, shown before anything is asked or paid."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from triptych.construction.asking.stage import Model, Roles, Sitting
from triptych.construction.build import MATERIAL_OF_A_PREVIEW, build, configure_build
from triptych.construction.engine.context import Context, Values
from triptych.construction.engine.engine import advance
from triptych.construction.engine.folder import MATERIAL, BuildFolder
from triptych.construction.engine.media import MediaStore
from triptych.construction.people import stage as people
from triptych.construction.recipe import Recipe
from triptych.construction.record import Record
from triptych.construction.stage import Stage
from triptych.errors import DataError, SpecError


class PreviewedRequest(msgspec.Struct, frozen=True, omit_defaults=True):
    """One Request of a stage, or one task for people.

    record  the id of the record; role, model: who would be asked (`people` for a stage that waits for them)
    texts   the texts that would be sent, in their order, with the role of the message; media: the files with them
    form    the fields that a person fills in
    decoding  the decoding settings of a Request
    """

    record: str
    role: str
    model: str
    texts: tuple[str, ...] = ()
    media: tuple[str, ...] = ()
    form: dict[str, Any] = {}
    decoding: dict[str, Any] = {}


def preview(
    recipe: str | Recipe, config: Path | Mapping[str, Any], to: Path, stage: str, *, n: int = 5
) -> list[PreviewedRequest]:
    """Return what the stage would send about the first `n` records that come into it. Nothing is asked or changed.

    If `to` has a build, the records are those that came into the stage there; otherwise the stages that ask nobody are
    run on the first rows of the raw material, in a temporary folder. Raises SpecError for an unknown stage or one that
    asks nobody, and DataError if no record reaches the stage.
    """
    stages, models, seed, base = configure_build(recipe, config)
    names = [each.name for each in stages]
    if stage not in names:
        raise SpecError(f"no stage {stage!r}", expected=", ".join(names))
    wanted, before = stages[names.index(stage)], stages[: names.index(stage)]
    if wanted.kind not in ("ask", "people"):
        asking = [each.name for each in stages if each.kind in ("ask", "people")]
        raise SpecError(f"the stage {stage!r} asks nobody", expected=", ".join(asking) or "a stage that asks")
    if BuildFolder(to).manifest() is not None:
        return list(_preview_requests(to, wanted, before, models, seed, base, n))
    with TemporaryDirectory(prefix="triptych-preview-") as scratch:
        folder = Path(scratch)
        limit = n * MATERIAL_OF_A_PREVIEW
        build(recipe, config, folder, limit=limit, only=[before[-1].name if before else stage], ask=False)
        return list(_preview_requests(folder, wanted, before, models, seed, base, n))


def records_before(folder: BuildFolder, before: Sequence[Stage]) -> list[Record]:
    """Return the records that came through these stages in the last build."""
    records = [
        Record(line.id, line.outcome.fields, line.outcome.sources)
        for line in folder.lines(MATERIAL)
        if line.outcome.decision in ("kept", "revised")
    ]
    for stage in before:
        lines = {line.id: line for line in folder.lines(stage.name)}
        arrived = [record for record in records if record.id in lines]
        records = list(advance(arrived, [lines[record.id] for record in arrived]))
    return records


def _preview_requests(
    to: Path, stage: Stage, before: Sequence[Stage], models: Roles, seed: int, base: Path, n: int
) -> Iterator[PreviewedRequest]:
    records = [record for record in records_before(BuildFolder(to), before) if stage.concerns(record.fields)]
    usable = [record for record in records if all(record.fields.get(name) is not None for name in stage.required)]
    if not usable:
        stage_names = [each.name for each in before if each.kind in ("ask", "people")]
        why = (
            f"stages before it wait for replies: {', '.join(stage_names)}"
            if stage_names
            else "earlier stages drop all records"
        )
        raise DataError(f"no record reaches {stage.name}", where=to, got=why, fix="build a pilot: --limit 20")
    context = Context(stage.parameters, MediaStore(to), seed, base)
    for record in usable[:n]:
        values = Values(stage, record.id, record.fields)
        if stage.asks is None:
            task = people.task_of(stage, values)
            shows = [f"{name}: {_text(value)}" for name, value in task.shows.items()]
            yield PreviewedRequest(record.id, "people", "people", (task.guide, *shows), form=dict(task.form))
            continue
        sitting = Sitting(stage, stage.asks, models, to, context)
        for role in stage.asks.roles:
            messages = sitting.messages(values)
            texts = [f"{m.role}: {part.text}" for m in messages for part in m.parts if not part.is_media]
            media = [str(part.path) for m in messages for part in m.parts if part.is_media]
            model = models.get(role)
            name = model.name if model is not None else "no model is named"
            yield PreviewedRequest(record.id, role, name, tuple(texts), tuple(media), {}, _decoding(model, stage))


def _decoding(model: object, stage: Stage) -> dict[str, Any]:
    settings = dict(model.settings) if isinstance(model, Model) else {}
    return {**(stage.asks.settings if stage.asks else {}), **settings}


def _text(value: object) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
