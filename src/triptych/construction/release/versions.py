"""Versions of a build's output: each has a list of changes, and records keep the split that they had.

membership.json   record -> split, from the first build that wrote records, or in which every record before the stage
                  `split` was decided
release.json      the last complete output: its version, a digest of each record, and the changes of all versions
out/changes.json  the changes, by version; records of withdrawn sources are counted and not named
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from pathlib import Path
from typing import Any

import msgspec

from triptych.construction.engine.folder import BuildFolder, StageCounts
from triptych.construction.engine.identity import digest
from triptych.construction.record import Record
from triptych.construction.stage import Stage
from triptych.errors import DataError
from triptych.records.unreadable import UNREADABLE, reason
from triptych.store.files.run_files import read_own

MEMBERSHIP, RELEASE, CHANGES = "membership.json", "release.json", "changes.json"
SPLIT = "split"


class Changes(msgspec.Struct, frozen=True, omit_defaults=True):
    """The changes of a version: ids of records that were added, removed and changed; `moved`: id -> [old, new split].
    `withdrawn`: number of records of withdrawn sources."""

    version: int
    records: int
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    moved: dict[str, tuple[str, str]] = {}
    withdrawn: int = 0


class Release(msgspec.Struct, frozen=True):
    """The last complete output. `items`: record -> digest of its fields; `splits`: record -> split.
    `withdrawn`: number of records that were withdrawn since, and are in none of the others."""

    version: int = 0
    items: dict[str, str] = {}
    splits: dict[str, str] = {}
    changes: tuple[Changes, ...] = ()
    withdrawn: int = 0


def remembering(stages: Sequence[Stage], folder: Path) -> list[Stage]:
    """Return the stages, of which `split` keeps the earlier membership of each record."""
    earlier = _read(folder / MEMBERSHIP, dict[str, str]) or {}
    return [stage.with_(earlier=earlier) if earlier and "earlier" in stage.parameters else stage for stage in stages]


def remember(folder: BuildFolder, counts: Sequence[StageCounts], *, written: bool) -> None:
    """Keep the split of every record: once records were `written` to the output, or once none before the stage `split`
    waits or failed. Until then, splits are dealt again with each record that comes in."""
    names = [each.stage for each in counts]
    if SPLIT not in names:
        return
    before = counts[: names.index(SPLIT)]
    earlier = _read(folder.path / MEMBERSHIP, dict[str, str])
    waits = any(each.decisions.get("pending") or each.decisions.get("failed") for each in before)
    if earlier is None and waits and not written:
        return
    held = {line.id: str(line.outcome.fields.get("split", "")) for line in folder.lines(SPLIT)}
    # A record that waits again, such as for another recording, comes back into its split.
    members = (earlier or {}) | {id: name for id, name in held.items() if name}
    folder.write_json(MEMBERSHIP, dict(sorted(members.items())))


def release(folder: BuildFolder, records: Sequence[Record], *, complete: bool) -> Release:
    """Return the version that these records make: the last one if nothing changed, or if some records still wait."""
    last: Release = _read(folder.path / RELEASE, Release) or Release()
    items = {record.id: digest(record.fields) for record in records}
    splits = {record.id: str(record.fields[SPLIT]) for record in records if record.fields.get(SPLIT)}
    if not complete or (last.version and items == last.items and not last.withdrawn):
        return last
    new = Changes(
        last.version + 1,
        len(items),
        tuple(sorted(items.keys() - last.items.keys())) if last.version else (),
        tuple(sorted(last.items.keys() - items.keys())),
        tuple(sorted(id for id in items if id in last.items and items[id] != last.items[id])),
        {id: (last.splits[id], name) for id, name in splits.items() if last.splits.get(id, name) != name},
        last.withdrawn,
    )
    return Release(new.version, items, splits, (*last.changes, new))


def forget_records(folder: BuildFolder, gone: Container[str]) -> None:
    """Remove withdrawn records from the last release, its changes and the splits; the next version counts them."""
    last: Release | None = _read(folder.path / RELEASE, Release)
    if last is not None:
        here = [id for id in last.items if withdrawn_id(id, gone)]
        keep_release(
            folder,
            Release(
                last.version,
                {id: value for id, value in last.items.items() if not withdrawn_id(id, gone)},
                {id: name for id, name in last.splits.items() if not withdrawn_id(id, gone)},
                tuple(_remove_withdrawn(each, gone) for each in last.changes),
                last.withdrawn + len(here),
            ),
        )
    members = _read(folder.path / MEMBERSHIP, dict[str, str])
    if members and any(withdrawn_id(id, gone) for id in members):
        folder.write_json(MEMBERSHIP, {id: name for id, name in members.items() if not withdrawn_id(id, gone)})


def version_of(folder: BuildFolder) -> int:
    """Return the version of the last complete output; 0 if there is none."""
    made: Release | None = _read(folder.path / RELEASE, Release)
    return made.version if made else 0


def keep_release(folder: BuildFolder, made: Release) -> None:
    """Write `release.json`, if there is a release."""
    if made.version:
        folder.write_json(RELEASE, made)


def write_changes(out: Path, made: Release) -> None:
    """Write `changes.json` into the output of every version after the first."""
    if made.version > 1:
        document = {"version": made.version, "changes": made.changes[::-1]}
        (out / CHANGES).write_bytes(msgspec.json.format(msgspec.json.encode(document), indent=1) + b"\n")


def withdrawn_id(id: str, gone: Container[str]) -> bool:
    """Return whether a record is one of those withdrawn, or was split from one."""
    parts = id.split("/")
    return any("/".join(parts[:number]) in gone for number in range(1, len(parts) + 1))


def _remove_withdrawn(changes: Changes, gone: Container[str]) -> Changes:
    """Return the changes of an earlier version without the names of withdrawn records."""
    return msgspec.structs.replace(
        changes,
        **{
            name: tuple(id for id in getattr(changes, name) if not withdrawn_id(id, gone))
            for name in ("added", "removed", "changed")
        },
        moved={id: both for id, both in changes.moved.items() if not withdrawn_id(id, gone)},
    )


def _read(path: Path, kind: Any) -> Any:
    try:
        return msgspec.json.decode(read_own(path), type=kind)
    except FileNotFoundError:
        return None
    except (OSError, *UNREADABLE) as error:
        fix = "remove it: the next build then has no earlier release to keep to"
        raise DataError("the earlier release can't be read", where=path, got=reason(error), fix=fix) from None
