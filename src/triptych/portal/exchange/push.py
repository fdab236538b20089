"""Push: the open tasks of a build's stage become the open tasks of a queue."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from triptych.construction.engine.folder import BuildFolder
from triptych.construction.engine.media import VALUE
from triptych.construction.people.sent_back import returned_media
from triptych.construction.people.sheets import open_tasks
from triptych.construction.people.stage import Task, scale_of
from triptych.errors import DataError
from triptych.portal.exchange.ends import Batch, End, Pushed
from triptych.portal.recording.rules import ANYBODY, Settings
from triptych.portal.review.rules import Settings as Reviewing

_NUMBER = re.compile(r"(\d+)$")


def push(
    end: End,
    build: Path,
    stage: str,
    *,
    queue: str = "",
    kind: str = "",
    reviewers: int = 0,
    verify: bool = False,
    native: bool = False,
    abstract_first: bool = False,
) -> Pushed:
    """Put the open tasks of a stage into a queue; doing so again changes only what has changed.

    `queue`: its name [the stage's]; `kind`: recording, review, annotation or survey [recording if the form asks for a
    medium, annotation if its first field is to be written, otherwise review]; `reviewers`: people who do each review or
    annotation independently, if more than the stage asks for: the build then gets the result that reviewers share, or
    the decision on their disagreement; of annotations, what a verifier made of them. `verify`: a verifier decides on
    each annotation, also of one person; `native`: one whose native language is that of the task. Recordings that a
    later stage of the recipe sent back (`double-asr`) are asked for again. `abstract_first`: who writes questions about
    a talk sees its abstract alone until those from the abstract are written.

    Raises DataError if the stage has neither open tasks nor anything to do again, or names a medium that isn't there.
    """
    folder = BuildFolder.open(build)
    again = returned_media(folder, stage)
    listed = [] if again and not (build / "tasks" / f"{stage}.jsonl").is_file() else open_tasks(folder, stage)
    tasks = [task for task in listed if not task.again]  # those are opened again by the SHA-256 of what is sent back
    chosen = kind or ("recording" if not tasks else _kind(tasks))
    media = {name: _hashed(build, name) for task in tasks for name in _named(task).values()}
    bodies = [_with_hashes(task, media) for task in tasks]
    if reviewers and chosen not in ("review", "annotation"):
        raise DataError("only reviews and annotations can have a number of people for each task", got=chosen)
    if (verify or native) and chosen != "annotation":
        raise DataError("only annotations have verifiers", got=chosen, fix="--reviewers 2, for reviews")
    bodies = [msgspec.structs.replace(task, people=max(task.people, reviewers)) for task in bodies]
    if abstract_first and not all("questions" in task.form for task in bodies):
        raise DataError("only questions about talks can begin with the abstract", got=stage)
    if abstract_first:
        bodies = [msgspec.structs.replace(task, helps={**task.helps, "abstract_first": True}) for task in bodies]
    settings = _settings_of(chosen, tasks, reviewers, verify, native)
    for name, (sha, size) in sorted(media.items()):
        end.put_medium(build / name, sha, size)
    return end.put_tasks(queue or stage, Batch(chosen, settings, bodies, again))


def work_of(key: str) -> tuple[str, int]:
    """Return the work of a clip and the clip's number: construction names clips WORK/NUMBER.

    >>> work_of("guanju/003"), work_of("alone")
    (('guanju', 3), ('', 0))
    """
    work, slash, last = key.rpartition("/")
    number = _NUMBER.search(last)
    return (work, int(number[1])) if slash and number and len(number[1]) < 9 else ("", 0)


def _kind(tasks: Sequence[Task]) -> str:
    if any("media" in task.form.values() for task in tasks):
        return "recording"
    written = [next(iter(task.form.values()), None) for task in tasks]
    text = (kind in ("text", "list") or (isinstance(kind, dict) and scale_of(kind) is None) for kind in written)
    return "annotation" if all(text) else "review"


def _settings(tasks: Sequence[Task]) -> dict[str, Any]:
    """Slots from the form: two people of whom each has another gender, or one whoever it is."""
    genders = [g for g in tasks[0].form.get("gender", ()) if g in ("man", "woman")]
    people = max(task.people for task in tasks)
    slots = tuple(genders) if people == 2 and len(genders) == 2 else tuple(str(n) for n in range(1, people + 1))
    if people > 1 and slots[0] == ANYBODY:
        raise DataError(
            "a recording needs one person, or one for each gender of its form",
            got=f"{people} people",
            expected='1, or 2 with the field "gender": ["man", "woman"]',
        )
    return dict(msgspec.to_builtins(Settings(slots=slots)))


def _settings_of(kind: str, tasks: Sequence[Task], reviewers: int, verify: bool, native: bool) -> dict[str, Any] | None:
    """None: those of the queue stay."""
    if not tasks:
        return None
    if kind == "review":
        return review_settings(tasks, reviewers)
    if kind == "annotation":
        verified = verify or native or reviewers > max(task.people for task in tasks)
        made = review_settings(tasks, reviewers)
        return {**made, "decided": False, "verified": True, "native": native} if verified else {}
    return _settings(tasks) if kind == "recording" else {}


def review_settings(tasks: Sequence[Task], reviewers: int, run: str = "") -> dict[str, Any]:
    """Return the settings of a queue of reviews: a slot for each reviewer."""
    wanted = max(task.people for task in tasks)
    slots = tuple(str(number) for number in range(1, max(wanted, reviewers) + 1))
    return dict(msgspec.to_builtins(Reviewing(slots, reviewers > wanted, run)))


def _named(task: Task) -> dict[str, str]:
    """The files of the build that a task shows: field -> file. Media in lists have paths: `candidates.0.audio`."""
    return dict(_media_in({**task.helps, **task.shows}))


def _media_in(value: Any, field: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, str) and field and VALUE.fullmatch(value):
        yield field, value
    inside = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
    for name, each in inside:
        yield from _media_in(each, f"{field}.{name}" if field else str(name))


def _hashed(build: Path, name: str) -> tuple[str, int]:
    source = build / name
    try:
        with source.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest(), source.stat().st_size
    except OSError as error:
        raise DataError("a medium of the build can't be read", where=source, got=error.strerror) from None


def _with_hashes(task: Task, media: Mapping[str, tuple[str, int]]) -> Task:
    """A task whose field `media` names the SHA-256 of each file that it shows."""
    hashes = {field: media[name][0] for field, name in _named(task).items()}
    return msgspec.structs.replace(task, shows={**task.shows, "media": hashes}) if hashes else task
