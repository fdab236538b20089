"""Merge finished builds of one recipe into one benchmark, when several people build its tasks."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from triptych.construction.engine.context import Context
from triptych.construction.engine.engine import Engine
from triptych.construction.engine.folder import MATERIAL, BuildFolder, BuildManifest, DecisionLine, StageCounts
from triptych.construction.engine.media import MediaStore, media_values
from triptych.construction.parameters import Parameters
from triptych.construction.recipe import Recipe, load_recipe
from triptych.construction.record import Outcome, Record
from triptych.construction.release.card import write_card
from triptych.construction.release.media import check_ids
from triptych.construction.release.verdict import Examiner, Verdict
from triptych.construction.release.versions import keep_release, release, write_changes
from triptych.construction.report.statistics import records_of
from triptych.construction.stages.guessing import guessable
from triptych.errors import DataError, RunFolderError, SpecError
from triptych.records.provenance import Provenance
from triptych.records.unreadable import UNREADABLE, reason
from triptych.store.files.lock import locked

MERGED = "merged.json"
_ENCODER = msgspec.json.Encoder(order="deterministic")


@dataclass(frozen=True)
class Merged:
    """A merged benchmark: records of each build, counts of the stages that looked for duplicates, records written.

    refused  why nothing was written: a constant answer is above chance in a task
    """

    folder: Path
    builds: dict[str, int]
    counts: tuple[StageCounts, ...]
    written: int
    refused: tuple[str, ...] = ()
    verdict: Verdict | None = None


@dataclass(frozen=True)
class _Part:
    """A build that is merged: its name, manifest, records and their provenance."""

    name: str
    folder: BuildFolder
    manifest: BuildManifest
    records: tuple[Record, ...]
    provenance: dict[str, Provenance]


def merge_builds(builds: Sequence[Path], to: Path, *, name: str = "", examine: Examiner | None = None) -> Merged:
    """Write the records of several finished builds as one benchmark into `to/out`; no model or person is asked.

    Records with the same id get the name of their build before it. Duplicates of other builds are dropped by the
    recipe's own stages, and the funnel has them. `name` is the benchmark's; by default that of the first build. The
    same builds give the same files; after a change in one of them, merge again. `examine`: the function that gives the
    verdict on the output (`api.build_verdict.verdict_on`).

    Raises SpecError for fewer than two builds, and for a recipe whose builds can't be merged. DataError for builds of
    different recipes, versions or licences, and for one that isn't complete. RunFolderError for `to` that has another
    build.
    """
    parts = _parts(builds)
    recipe = load_recipe(parts[0].manifest.recipe)
    if not recipe.merged:
        raise SpecError(f"builds of {recipe.name!r} can't be merged", expected="mcs_bench")
    _check(parts, recipe, to)
    folder = BuildFolder(to)
    to.mkdir(parents=True, exist_ok=True)
    with locked(to):
        records, provenance = _join_records(parts, MediaStore(to))
        manifest = _manifest(parts, name)
        folder.save(manifest)
        folder.write_json(MERGED, {part.name: len(part.records) for part in parts})
        folder.write_lines(folder.stage(MATERIAL, 0), [_line(record, provenance) for record in records])
        context = Context(Parameters(), MediaStore(to), manifest.seed, to)
        passed = Engine(folder, context, {}, ask=False).run(recipe.merged, records)
        refused = tuple(guessable(passed.records))
        if not refused:
            _write(folder, recipe, manifest, passed.records, provenance, passed.counts, context)
    written = 0 if refused else len(passed.records)
    return Merged(
        to,
        {part.name: len(part.records) for part in parts},
        passed.counts,
        written,
        refused,
        examine(recipe.format, to / "out") if examine and written else None,
    )


def refuse_merged(folder: Path) -> None:
    """Raise RunFolderError if a folder was merged from builds: it has no raw material to build from."""
    if (folder / MERGED).is_file():
        raise RunFolderError(
            "this benchmark was merged from builds",
            where=folder,
            fix="change the builds, or withdraw from them, and run `triptych build merge` again",
        )


def _parts(builds: Sequence[Path]) -> list[_Part]:
    if len({path.resolve() for path in builds}) < 2:
        raise SpecError("merging needs two different builds at least", got=", ".join(map(str, builds)))
    counted = Counter(path.resolve().name for path in builds)
    parts = []
    for path in builds:
        folder = BuildFolder.open(path)
        refuse_merged(path)
        manifest = folder.manifest()
        assert manifest is not None  # open() has found the file
        waiting = sum(c.decisions.get(kind, 0) for c in folder.funnel() for kind in ("pending", "failed"))
        if waiting or not (path / "out/provenance.jsonl").is_file():
            text = f"{waiting} records wait or failed" if waiting else "there is no output"
            raise DataError("a build isn't complete", where=path, got=text, fix="run `triptych build` until it is")
        name = (
            path.resolve().name if counted[path.resolve().name] == 1 else path.as_posix().strip("/").replace("/", "-")
        )
        parts.append(_Part(name, folder, manifest, tuple(records_of(folder)), _provenance(path)))
    return parts


def _provenance(path: Path) -> dict[str, Provenance]:
    file = path / "out/provenance.jsonl"
    try:
        lines = [msgspec.json.decode(line, type=Provenance) for line in file.read_bytes().splitlines() if line.strip()]
    except UNREADABLE as error:
        raise DataError("the provenance can't be read", where=file, got=reason(error)[:200]) from None
    return {line.id: line for line in lines}


def _check(parts: Sequence[_Part], recipe: Recipe, to: Path) -> None:
    first = parts[0]
    for part in parts:
        for what, value, wanted in (
            ("recipe", part.manifest.recipe, first.manifest.recipe),
            ("version of the recipe", part.manifest.version, first.manifest.version),
            ("licence", part.manifest.config.get("licence"), first.manifest.config.get("licence")),
        ):
            if value != wanted:
                raise DataError(
                    f"two builds differ in their {what}", where=part.folder.path, got=value, expected=wanted
                )
        if part.manifest.version != str(recipe.version):
            fix = "build it again"
            raise DataError("a build is of another version of the recipe", where=part.folder.path, fix=fix)
        if part.folder.path.resolve() == to.resolve():
            raise RunFolderError("the merged benchmark needs a folder of its own", where=to)
    if (to / "build.json").exists() and not (to / MERGED).is_file():
        raise RunFolderError("this folder contains a build", where=to, fix="choose another --to")
    if (to / "out").exists() and not (to / MERGED).is_file():
        raise RunFolderError("this folder has an `out` that is not from a merge", where=to, fix="choose another --to")


def _join_records(parts: Sequence[_Part], store: MediaStore) -> tuple[list[Record], dict[str, Provenance]]:
    """Return the records of all builds, each with its own id, and their provenance; put their media into the store."""
    counted = Counter(record.id for part in parts for record in part.records)
    records, provenance = list[Record](), dict[str, Provenance]()
    for part in parts:
        source = MediaStore(part.folder.path)
        for record in part.records:
            id = record.id if counted[record.id] == 1 else f"{part.name}.{record.id}"
            for value in media_values(record.fields):
                if not (store.root / value).is_file():
                    (store.root / value).parent.mkdir(parents=True, exist_ok=True)
                    source.release(value, store.root / value)
            records.append(msgspec.structs.replace(record, id=id))
            origin = part.provenance.get(record.id, Provenance(record.id, record.sources))
            provenance[id] = msgspec.structs.replace(origin, id=id)
    check_ids(record.id for record in records)
    return records, provenance


def _line(record: Record, provenance: dict[str, Provenance]) -> DecisionLine:
    makers = provenance[record.id].makers
    return DecisionLine(record.id, "", Outcome(fields=record.fields, makers=makers, sources=record.sources))


def _manifest(parts: Sequence[_Part], name: str) -> BuildManifest:
    models: dict[str, str] = {}
    for part in parts:
        for role, model in part.manifest.models.items():
            models[role if models.get(role, model) == model else f"{role} of {part.name}"] = model
    config: dict[str, Any] = dict(parts[0].manifest.config) | ({"name": name} if name else {})
    return msgspec.structs.replace(
        parts[0].manifest,
        config=config,
        stages=tuple(dict.fromkeys(stage for part in parts for stage in part.manifest.stages)),
        models=models,
        same_family=tuple(dict.fromkeys(role for part in parts for role in part.manifest.same_family)),
    )


def _write(
    folder: BuildFolder,
    recipe: Recipe,
    manifest: BuildManifest,
    records: Sequence[Record],
    provenance: dict[str, Provenance],
    counts: Sequence[StageCounts],
    context: Context,
) -> None:
    """Write the benchmark next to the old one, then exchange the folders."""
    new, old, out = (folder.path / name for name in (".out.new", ".out.old", "out"))
    for leftover in (new, old):
        shutil.rmtree(leftover, ignore_errors=True)
    new.mkdir()
    config = msgspec.convert(manifest.config, recipe.config)
    recipe.write(config, records, new, context)
    (new / "provenance.jsonl").write_bytes(b"".join(_ENCODER.encode(provenance[r.id]) + b"\n" for r in records))
    made = release(folder, records, complete=True)
    write_changes(new, made)
    if recipe.about_output is not None:
        write_card(new, recipe.about_output(config, new), manifest, counts, records, version=made.version)
    if os.path.lexists(out):
        out.rename(old)
    new.rename(out)
    keep_release(folder, made)
    shutil.rmtree(old, ignore_errors=True)
