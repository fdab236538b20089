"""Merging Runs of one model (shards of several machines, several tasks or sessions) into one Run."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from triptych.errors import RunFolderError
from triptych.records import RunManifest
from triptych.store.files.atomic import atomic_file, write_atomically
from triptych.store.files.run_files import check_place, open_to_read, read_own
from triptych.store.folder import Entry, RunFolder
from triptych.store.journals.entries import shared_entries
from triptych.store.journals.lines import line_blocks
from triptych.store.journals.merged_lines import item_lines, response_lines
from triptych.store.shards import are_shards, first_answered

# Fields that select Items but don't change how they are asked, and the name of the Run
SELECTION = frozenset({"tasks", "limit", "sample", "filters", "items_file", "name"})
# Additional journals, whose lines are independent; and files that must be equal in all Runs that have them
JOURNALS = ("verdicts/*.jsonl", "readings/*.jsonl", "annotations.jsonl", "ambiguous.jsonl")
_MAX_SHOWN = 80  # characters of a value in a message
SHARED = ("verdicts/panel.json", "verdicts/endpoints.json", "readings/endpoints.json")


def merge(folders: Sequence[RunFolder], path: Path, *, name: str = "", same_model: bool = False) -> RunFolder:
    """Create one Run at `path` from Runs that are equal except for the selection of Items.

    The sources are not changed. The merged Run is built in a temporary folder and moved to `path` when it is complete,
    so a killed process leaves nothing behind. Verdicts, readings and annotations are copied; scores are derived and are
    computed again.

    `name`: name of the merged Run; by default the name shared by all sources. `same_model`: confirms that the model is
    the same although the sources have different endpoints. The selection in the merged manifest is the union of the
    tasks, and its note lists the sources.

    Shards (`run --shard k/n`) must agree in their selection, too, and the merged Run has it: it is the Run that asks
    all Items, and can be resumed as such. Shards may overlap: of several Responses to the same entry (Item, Condition,
    repeat), the first that has not failed counts (`store.shards.first_answered`); the others stay in the journal.

    Raises RunFolderError if the Runs differ in other fields, if two that are not shards contain the same entry, if
    their endpoints differ without `same_model`, or if `path` exists.
    """
    if not folders:
        raise RunFolderError("nothing to merge", expected="at least one Run folder")
    _agree(folders)
    _one_model(folders, same_model)
    shards = are_shards(folders)
    winners = first_answered(folders) if shards else {}
    if not shards:
        _disjoint(folders)
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        taken = "a Run already exists here" if (path / "manifest.json").exists() else "the folder is not empty"
        raise RunFolderError(taken, where=path, fix="choose another folder to merge into")
    beside = path.parent / f".{path.name}.merging"
    try:
        shutil.rmtree(beside, ignore_errors=True)  # left by a merge that was killed
        _write(folders, beside, name, winners)
        beside.replace(path)
    except OSError as error:
        raise RunFolderError("the merged Run can't be written", where=path, got=error.strerror) from None
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    return RunFolder.open(path)


def _write(folders: Sequence[RunFolder], path: Path, name: str, winners: Mapping[Entry, int]) -> None:
    RunFolder.create(path, _manifest(folders, name))
    for file_name, lines in (("items", item_lines(folders)), ("responses", response_lines(folders, winners))):
        with atomic_file(path / f"{file_name}.jsonl") as file:
            file.writelines(lines)
    for pattern in JOURNALS:
        for file_name in sorted({str(p.relative_to(f.path)) for f in folders for p in f.path.glob(pattern)}):
            with atomic_file(path / file_name) as file:
                for folder in folders:
                    file.writelines(_lines(folder.path / file_name))
    for file_name in SHARED:
        _copy_shared(folders, path, file_name)


def _lines(path: Path) -> Iterator[bytes]:
    """Yield the complete lines of a journal, many at a time; an incomplete last line, left by a killed writer, is
    ignored. Raises OSError for a link, since its target is not part of the Run.
    """
    _check_own(path)
    try:
        with open_to_read(path) as file:
            yield from (block for block in line_blocks(file) if block.endswith(b"\n"))
    except FileNotFoundError:
        return


def _copy_shared(folders: Sequence[RunFolder], path: Path, name: str) -> None:
    """Copy the files that are equal in all Runs that have them. If the judge panels differ, the merged Run has none."""
    contents = {_content(folder.path / name) for folder in folders} - {b""}
    if len(contents) == 1:
        write_atomically(path / name, contents.pop())


def _content(path: Path) -> bytes:
    """Return a file's bytes; empty if there is none. Raises OSError for a link, since its target is not part of the
    Run.
    """
    _check_own(path)
    try:
        return read_own(path)
    except FileNotFoundError:
        return b""


def _check_own(path: Path) -> None:
    check_place(path.parent)
    if path.is_symlink():
        raise OSError(0, f"{path} is a symbolic link, and its target is not part of the Run")


def _agree(folders: Sequence[RunFolder]) -> None:
    free = frozenset({"shard"}) if are_shards(folders) else SELECTION
    first = _fixed_identity(folders[0].manifest, free)
    for other in folders[1:]:
        how = _fixed_identity(other.manifest, free)
        keys = [k for k in sorted(first.keys() | how.keys()) if first.get(k) != how.get(k)]
        if keys:
            raise RunFolderError(
                f"the Runs can't be merged: they differ in {', '.join(keys)}",
                where=f"{folders[0].path} and {other.path}",
                got="; ".join(f"{k}: {_shorten(first.get(k))} and {_shorten(how.get(k))}" for k in keys),
                fix="give the shards of one selection of Items (--limit, --filter …) alone"
                if set(keys) <= SELECTION
                else "merge Runs of one model on one benchmark under one Condition",
            )


def _shorten(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}…"


def _one_model(folders: Sequence[RunFolder], same_model: bool) -> None:
    """Check that the endpoints are the same, since another endpoint can serve other weights under the same name.

    The endpoints of one Run serve the same model, as its user said; so do those of another Run that has one of them.
    """
    models: list[tuple[set[str], RunFolder]] = []  # addresses of a model, and the first Run that asked it there
    for folder in folders:
        addresses = {one.address for one in folder.manifest.endpoints}
        if not addresses:
            continue
        alike = [one for one in models if one[0] & addresses]
        models = [one for one in models if one not in alike]
        models.append((addresses.union(*(there for there, _ in alike)), alike[0][1] if alike else folder))
    if len(models) > 1 and not same_model and not folders[0].manifest.revision:
        raise RunFolderError(
            "the Runs used different endpoints, which can serve different weights under the same name",
            where=" and ".join(str(folder.path) for _, folder in models),
            got=" and ".join(", ".join(sorted(there)) for there, _ in models),
            fix="if the model behind them is the same, add --same-model",
        )


def _disjoint(folders: Sequence[RunFolder]) -> None:
    for item, condition, repeat in shared_entries(folders):
        matching_folders = [folder for folder in folders if (item, condition, repeat) in folder.done(frozenset())]
        raise RunFolderError(
            f"two Runs contain Item {item!r}",
            where=f"{matching_folders[0].path} and {matching_folders[1].path}",
            fix="merge Runs over disjoint Items",
        )


def _fixed_identity(manifest: RunManifest, free: frozenset[str]) -> dict[str, Any]:
    """Return the identity without the fields in which the Runs may differ."""
    return {k: v for k, v in manifest.identity().items() if k not in free}


def _manifest(folders: Sequence[RunFolder], name: str) -> RunManifest:
    manifests = [folder.manifest for folder in folders]
    endpoints = tuple({one.address: one for m in manifests for one in m.endpoints}.values())
    if are_shards(folders):
        return msgspec.structs.replace(
            manifests[0],
            shard="",
            planned=max(m.planned_whole or m.planned or 0 for m in manifests) or None,
            planned_whole=None,
            note="; ".join(_notes(folders)),
            name=name or manifests[0].name,
            endpoints=endpoints,
        )
    planned = [m.planned for m in manifests if m.planned is not None]
    names = {m.name for m in manifests}
    return msgspec.structs.replace(
        manifests[0],
        tasks=tuple(sorted({task for m in manifests for task in m.tasks})),
        limit=None,
        sample="",
        filters={},
        items_file="",
        planned=sum(planned) if len(planned) == len(manifests) else None,
        note="; ".join(_notes(folders)),
        name=name or (names.pop() if len(names) == 1 else ""),
        endpoints=endpoints,
    )


def _notes(folders: Sequence[RunFolder]) -> Iterator[str]:
    yield "merged from " + ", ".join(folder.path.name for folder in folders)
    panels = {_content(folder.path / SHARED[0]) for folder in folders} - {b""}
    if len(panels) > 1:
        yield "their judges differ: choose the ones to use with --judge"
    yield from _versions([folder.manifest for folder in folders])
    yield from (folder.manifest.note for folder in folders if folder.manifest.note)


def _versions(manifests: Sequence[RunManifest]) -> Iterator[str]:
    """Yield what was not of the same version in all Runs: other versions may prompt, decode or round differently."""
    parts = [{"triptych": m.code_version, **m.packages} for m in manifests]
    for name in sorted(set[str]().union(*parts)):
        versions = sorted({part[name] for part in parts if part.get(name)})
        if len(versions) > 1:
            yield f"made with several versions of {name}: {', '.join(versions)}"
