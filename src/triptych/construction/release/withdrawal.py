"""Withdrawal: a source (a text, film or speaker) is removed from the build and from everything made of it.

Afterwards only `withdrawn.json` names the source: without it, the next build would take the source in again.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from triptych.construction.engine.engine import child_id
from triptych.construction.engine.folder import MATERIAL, BuildFolder
from triptych.construction.people.reviews import person_key
from triptych.construction.release.versions import withdrawn_id
from triptych.errors import DataError, nearest
from triptych.records.unreadable import UNREADABLE, reason
from triptych.store.files.atomic import atomic_file, write_atomically
from triptych.store.files.run_files import check_place, read_own, remove_own

FILE = "withdrawn.json"


def withdrawn(build: Path) -> frozenset[str]:
    """Return the ids of withdrawn sources. Raises DataError if the file is damaged: none may come back by mistake."""
    path = build / FILE
    try:
        return frozenset(msgspec.json.decode(read_own(path), type=list[str]))
    except FileNotFoundError:
        return frozenset()
    except (OSError, *UNREADABLE) as error:
        raise DataError("the list of withdrawn sources can't be read", where=path, got=reason(error)) from None


def add_withdrawn(build: Path, sources: Iterable[str]) -> frozenset[str]:
    """Record that these sources are withdrawn; return all withdrawn ones."""
    all_ = withdrawn(build) | set(sources)
    write_atomically(build / FILE, msgspec.json.format(msgspec.json.encode(sorted(all_)), indent=1) + b"\n")
    return all_


def records_of_sources(folder: BuildFolder, sources: Iterable[str]) -> dict[str, str]:
    """Return the ids of the records that these sources were made into, each with the stage from which on it is theirs:
    that of the raw material, or the one that added the source (what a speaker recorded)."""
    gone, stages = set(sources), dict[str, str]()
    for stage in dict.fromkeys([MATERIAL, *folder.stages()]):
        for line in folder.lines(stage):
            ids = set[str]()
            if gone.intersection(line.outcome.sources):
                ids = {line.id} if stage == MATERIAL else {line.id, _recording(line.outcome.fields, line.id)}
            for child in line.outcome.children:
                if gone.intersection(child.sources):
                    ids |= {child_id(line.id, child), _recording(child.fields, line.id)} - {line.id}
            for id in ids:
                stages.setdefault(id, stage)
    return stages


def _recording(fields: Mapping[str, Any], default: str) -> str:
    """Return the id under which a record's recording is inspected."""
    return str(fields.get("recording", default))


# Fields that name other records: the pair of a clip, the rows of the wrong candidates
REFERENCES = ("pair", "clip_other", "distractors")


def records_about(folder: BuildFolder, gone: Container[str]) -> frozenset[str]:
    """Return the ids of records that are about a withdrawn record too, such as the question about two recordings."""
    ids = set[str]()
    for stage in folder.stages():
        for line in folder.lines(stage):
            for id, fields in (
                (line.id, line.outcome.fields),
                *((child_id(line.id, child), child.fields) for child in line.outcome.children),
            ):
                named = [each for name in REFERENCES for each in _listed(fields.get(name))]
                if any(withdrawn_id(each, gone) for each in named):
                    ids.add(id)
    return frozenset(ids)


def _listed(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else [each for each in value or () if isinstance(each, str)]


def purge_texts_about(folder: BuildFolder, about: frozenset[str]) -> None:
    """Remove the results and replies about records that were about a withdrawn one, unless the build still asks for
    them: what people and models wrote about such a record may be about the withdrawn material."""
    current = set[tuple[str, str]]()
    for path in (*folder.path.glob("tasks/*.jsonl"), *folder.path.glob("stages/*/tasks.jsonl")):
        for line in _lines(path):
            current.add((str(line.get("id")), str(line.get("shown"))))
    present = {line.id for stage in folder.stages() for line in folder.lines(stage)}

    def is_left(read: Mapping[str, Any]) -> bool:
        id = str(read.get("id") or read.get("item") or "")
        if id not in about:
            return False
        return (id, str(read["shown"])) not in current if "shown" in read else id not in present

    for pattern in ("results/*.jsonl", "stages/*/replies/*.jsonl"):
        for path in sorted(folder.path.glob(pattern)):
            if any(map(is_left, _lines(path))):
                _keep_lines(path, [raw for raw, read in _decoded(path) if read is None or not is_left(read)])


def _decoded(path: Path) -> Iterator[tuple[bytes, dict[str, Any] | None]]:
    """Yield the lines of a file, each with what it holds; None for a damaged one."""
    for raw in read_own(path).splitlines(keepends=True):
        try:
            yield raw, msgspec.json.decode(raw, type=dict[str, Any])
        except UNREADABLE:
            yield raw, None


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    yield from (read for _, read in _decoded(path) if read is not None)


def _keep_lines(path: Path, lines: Sequence[bytes]) -> None:
    if lines:
        with atomic_file(path) as file:
            file.writelines(lines)
    else:
        remove_own(path)


def forget_people(build: Path, names: frozenset[str]) -> None:
    """Remove everything that these people returned from the results of a build, also under names that differ in case
    or width alone (`li`, `ＬＩ`). Raises DataError for a name that nobody has returned anything under."""
    paths = sorted((build / "results").glob("*.jsonl"))
    returned: set[str] = set()
    for path in paths:
        returned |= {str(line.get("person")) for line in _lines(path)}
    keys = {person_key(name) for name in names}
    known_keys = {person_key(person) for person in returned}
    if missing := sorted(name for name in names if person_key(name) not in known_keys):
        raise DataError(
            "nobody has returned anything under this name",
            got=missing[0],
            where=build,
            fix=nearest(missing[0], returned),
        )
    for path in paths:
        _keep_lines(path, [raw for raw, line in _decoded(path) if line is None or _person(line) not in keys])


def _person(line: Mapping[str, Any]) -> str:
    return person_key(str(line.get("person") or ""))


def purge(build: Path, records: Mapping[str, str], sources: frozenset[str]) -> None:
    """Remove what journals, tasks, results and temporary files of a build hold about withdrawn records.

    records  the id of each, and the stage from which on it is withdrawn: what people and models returned before is
             about the material, not about the recording of a speaker that a later stage added
    """
    for left in sorted(build.glob("**/.*.tmp")):
        remove_own(left)
    order = {name: number for number, name in enumerate(dict.fromkeys([MATERIAL, *BuildFolder(build).stages()]))}
    speakers = frozenset(person_key(source.partition(":")[2]) for source in sources if source.startswith("speaker:"))
    dropped, remaining = set[str](), set[str]()
    places = ("results/*.jsonl", "tasks/*.jsonl", "stages/*/*.jsonl", "stages/*/replies/*.jsonl")
    for path in sorted(each for pattern in places for each in build.glob(pattern)):
        of_stage = path.relative_to(build).parts
        name = of_stage[1].partition("-")[2] if of_stage[0] == "stages" else path.stem
        number = order.get(name, len(order))
        gone = {id for id, stage in records.items() if stage == MATERIAL or number > order.get(stage, 0)}
        _rewrite_lines(path, gone, sources, speakers, remaining, dropped)
    for name in sorted(dropped - remaining):  # originals of recordings that people returned
        check_place(build / "results")
        remove_own(build / "results" / name)


def _rewrite_lines(
    path: Path,
    records: Container[str],
    sources: frozenset[str],
    speakers: frozenset[str],
    remaining: set[str],
    dropped: set[str],
) -> None:
    """Write a file of JSON lines without those about withdrawn records; files that results name are added to `dropped`
    or `remaining`."""
    lines, gone = [], False
    try:
        content = list(_decoded(path))
    except OSError as error:
        raise DataError("a file of the build can't be read", where=path, got=error.strerror or str(error)) from None
    for line, read in content:
        if read is None:
            lines.append(line)
            continue
        out = (
            withdrawn_id(str(read.get("id") or read.get("item") or ""), records)
            or bool(sources.intersection(_sources(read)))
            or ("values" in read and _person(read) in speakers)
        )
        if path.parent.name == "results" and isinstance(values := read.get("values"), Mapping):
            (dropped if out else remaining).update(name for name in values.values() if _is_file(path.parent, name))
        gone = gone or out
        lines += [] if out else [line]
    if gone:
        _keep_lines(path, lines)


def _sources(line: Mapping[str, Any]) -> Iterator[str]:
    outcome = line.get("outcome") or {}
    for each in (line, outcome, *outcome.get("children", ())):
        yield from each.get("sources", ())


def _is_file(path: Path, name: object) -> bool:
    inside = isinstance(name, str) and 0 < len(name) < 256 and not {"..", ""} & set(name.split("/"))
    return inside and (path / str(name)).is_file()
