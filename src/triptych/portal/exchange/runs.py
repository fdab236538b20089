"""Replies of a stored Run as tasks for people, and people's words back into the files that analyses read.

errors    replies that are not right, with the kind that rules or judges named: people confirm or correct it
verdicts  replies that judges have scored: people score them by the same rubric, without seeing the judges' scores
"""

from __future__ import annotations

import hashlib
import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from triptych.analysis.errors.judging import judge_kinds
from triptych.analysis.errors.kinds import OFFERED, diagnose, with_words
from triptych.analysis.errors.stored import last_judge_session
from triptych.analysis.observed import observe
from triptych.benchmarks import load_benchmark
from triptych.benchmarks.data_folders import data_folder
from triptych.construction.engine.identity import digest
from triptych.construction.people.stage import Task
from triptych.errors import DataError, MediaError
from triptych.judges.cases import Case
from triptych.judges.rubric import Rubric
from triptych.media.payload import MediaReader
from triptych.portal.exchange.ends import Batch, End, Pushed
from triptych.portal.exchange.push import review_settings
from triptych.protocols.protocol import Unit
from triptych.records import Item
from triptych.scoring.stored.units import group_units
from triptych.store.folder import RunFolder

WORK = ("errors", "verdicts")
ERRORS: dict[str, Any] = {"verdict": ["wrong", "right", "unsure"], "kind": [*OFFERED], "note": "text"}
_OF_ERRORS = (
    "The reply was not scored as right. Is it wrong? If so, name the kind of error; if the reply is right after all, "
    "choose right. A reference answer that is itself wrong, or a question that can't be answered, is a kind of its own."
)
_MAX_POINTS = 10
OF = "//"  # after the mark of a Run in the key of a task, if a queue has several Runs


def is_run(path: Path) -> bool:
    """Return True for the folder of a Run, False for that of a build."""
    return (path / "manifest.json").is_file() and not (path / "build.json").is_file()


@dataclass(frozen=True)
class Sheet:
    """How replies are put to people.

    others  more Runs over the same questions, mixed with the first; nobody sees which reply is whose
    share   of the questions of each Task, drawn with `seed`; the same ones for every Run
    scale   lowest and highest score of verdicts, in place of the judge's
    """

    others: tuple[Path, ...] = ()
    share: float = 1.0
    seed: int = 0
    scale: tuple[int, int] | None = None


def push_run(
    end: End, path: Path, work: str, *, queue: str = "", reviewers: int = 0, protocol: str = "", sheet: Sheet = Sheet()
) -> Pushed:
    """Put replies of a Run into a queue of reviews; doing so again changes only what has changed.

    `work`: `errors` or `verdicts`; `queue`: its name [RUN-WORK]. Several `reviewers` of errors give one result, with a
    decision on disagreements; of verdicts each gives a score of their own. Raises DataError if there is nothing to
    review, or for a sheet that can't be made, SpecError for a Run that can't be read, MediaError if its media are not
    on this computer.
    """
    if not 0 < sheet.share <= 1:
        raise DataError("not a share of the questions", got=sheet.share, expected="more than 0, at most 1")
    names = [each.resolve().name for each in (path, *sheet.others)]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise DataError("two Runs have the same name", got=twice[0], fix="rename the folder of one")
    files: dict[str, Path] = {}
    tasks_and_items: list[tuple[Task, Item]] = []
    for each in (path, *sheet.others):
        folder = RunFolder.open(each)
        mark, before = mark_of(each) if sheet.others else "", len(tasks_and_items)
        for task, item in tasks_of(folder, work, protocol, sheet.scale):
            shown = _with_media(task, item, _reader(folder), files)
            tasks_and_items.append((msgspec.structs.replace(shown, id=f"{mark}{shown.id}"), item))
        if work == "verdicts" and sheet.others and len(tasks_and_items) == before:  # people would rate the others alone
            raise DataError("no judge has scored anything of a Run of the sheet", where=each, fix=_NOTHING[work])
    bodies = [task for task, _ in _mixed(_drawn(tasks_and_items, sheet), sheet)]
    if not bodies:
        raise DataError(f"this Run has nothing to review ({work})", where=path, fix=_NOTHING[work])
    wanted = max(reviewers, 1)
    settings = review_settings(bodies, wanted if work == "errors" else 1, path.name)
    if work == "verdicts":
        settings["slots"] = [str(number) for number in range(1, wanted + 1)]
    used = {sha for task in bodies for sha in task.shows.get("media", {}).values()}
    for sha, file in sorted(files.items()):
        if sha in used:
            end.put_medium(file, sha, file.stat().st_size)
    tasks = [_task_for_people(task, wanted) for task in bodies]
    return end.put_tasks(queue or queue_name(path, work), Batch("review", settings, tasks))


def _drawn(tasks_and_items: Sequence[tuple[Task, Item]], sheet: Sheet) -> list[tuple[Task, Item]]:
    """The tasks about a share of the questions of each Task, at least one of each; of all Runs the same questions."""
    if sheet.share == 1:
        return list(tasks_and_items)
    of_task: dict[str, set[str]] = {}
    for _, item in tasks_and_items:
        of_task.setdefault(item.task, set()).add(item.id)
    chosen = {
        id
        for task, ids in of_task.items()
        for id in random.Random(f"{sheet.seed}/{task}").sample(sorted(ids), math.ceil(sheet.share * len(ids)))
    }
    return [(task, item) for task, item in tasks_and_items if item.id in chosen]


def _mixed(tasks_and_items: list[tuple[Task, Item]], sheet: Sheet) -> list[tuple[Task, Item]]:
    """The replies of all Runs to one question after each other, in an order drawn for the question."""
    if not sheet.others:
        return tasks_and_items
    item_order = {id: n for n, id in enumerate(dict.fromkeys(item.id for _, item in tasks_and_items))}
    order = {task.id: random.Random(f"{sheet.seed}/{task.id}").random() for task, _ in tasks_and_items}
    return sorted(tasks_and_items, key=lambda each: (item_order[each[1].id], order[each[0].id]))


def mark_of(path: Path) -> str:
    """Return what precedes the keys of a Run in a queue of several. It doesn't say which Run it is, since reviewers see
    keys on the page of disagreements and in `ratings.csv`.

    >>> mark_of(Path("runs/a"))
    'ca978112ca1b//'
    """
    return hashlib.sha256(path.resolve().name.encode()).hexdigest()[:12] + OF


def of_run(path: Path, key: str) -> str | None:
    """Return the key of a task without the mark of its Run; None if it is another Run's.

    >>> a = Path("runs/a")
    >>> of_run(a, "ca978112ca1b//1:q"), of_run(a, "b//1:q"), of_run(a, "1:https://example.org/q")
    ('1:q', None, '1:https://example.org/q')
    """
    mark, separator, rest = key.partition(OF)
    if not separator or ":" in mark:  # without a mark; the id of the Item has slashes
        return key
    return rest if f"{mark}{OF}" == mark_of(path) or mark == path.resolve().name else None  # the name: queues before


_NOTHING = {
    "errors": "every reply was scored as right",
    "verdicts": "let a judge score the Run first: triptych score RUN --judge MODEL",
}


def queue_name(path: Path, work: str) -> str:
    """Return the name of a Run's queue."""
    return f"{path.resolve().name}-{work}"


def tasks_of(
    folder: RunFolder, work: str, protocol: str = "", scale: tuple[int, int] | None = None
) -> list[tuple[Task, Item]]:
    """Return the tasks of a Run, each with the Item that it is about. Raises DataError for unknown work."""
    if work not in WORK:
        raise DataError("unknown work on a Run", got=work, expected=", ".join(WORK))
    return list(_errors(folder, protocol) if work == "errors" else _verdicts(folder, scale))


def key_of(item: str, repeat: int) -> str:
    """Return the key of a task about a reply.

    >>> key_of("a:b", 2), subject_of("2:a:b")
    ('2:a:b', ('a:b', 2))
    """
    return f"{repeat}:{item}"


def subject_of(key: str) -> tuple[str, int]:
    """Return Item and repeat of a key."""
    repeat, _, item = key.partition(":")
    return item, int(repeat)


def _errors(folder: RunFolder, protocol: str) -> Iterator[tuple[Task, Item]]:
    (run,) = observe([folder], protocol or None)
    items = {item.id: item for item in run.item_list}
    plain = diagnose(run, folder.all_responses(), others=list(run.under_others()))
    session = last_judge_session(folder)
    error_kinds = judge_kinds(plain, items, session)[0] if session is not None else {}
    for one in with_words(plain, error_kinds, ()):
        if one.kind:
            item = items[one.item]
            shows = {**_question(item), "reference": "；".join(item.targets), "reply": one.reply, "by_rules": one.kind}
            yield _task(key_of(one.item, one.repeat), "errors", ERRORS, shows, _OF_ERRORS), item


def _verdicts(folder: RunFolder, scale: tuple[int, int] | None) -> Iterator[tuple[Task, Item]]:
    for unit, case in cases_of(folder):
        shows = {name: case.slots[name] for name in sorted(case.rubric.slots) if case.slots.get(name)}
        key = f"{case.metric}:{key_of(unit.item.id, unit.repeat)}"
        scale_schema = {"type": "integer", "minimum": scale[0], "maximum": scale[1]} if scale else _scale(case.rubric)
        yield _task(key, "verdicts", {"human": scale_schema, "note": "text"}, shows, _guide(case, scale)), unit.item


def cases_of(folder: RunFolder) -> Iterator[tuple[Unit, Case]]:
    """Yield everything that the judges of a Run were asked about, with its Unit; nothing without judges."""
    session = last_judge_session(folder)
    if session is None:
        return
    benchmark = load_benchmark(folder.manifest.benchmark)
    units = group_units(list(folder.items()), folder.responses(), folder.manifest.repeats)
    for unit in units:
        cases = benchmark.cases(unit, benchmark.protocols, session.panel.descriptions, session.panel.rubrics)
        yield from ((unit, case) for case in {case.metric: case for case in cases}.values())


def _scale(rubric: Rubric) -> Any:
    low, high = rubric.scale
    if rubric.labels:
        return list(rubric.labels)
    is_integer = low == int(low) and high == int(high) and high - low <= _MAX_POINTS
    return {"type": "integer", "minimum": int(low), "maximum": int(high)} if is_integer else "number"


def _guide(case: Case, rating_scale: tuple[int, int] | None) -> str:
    low, high = rating_scale or case.rubric.scale
    scale = ("" if rating_scale else ", ".join(case.rubric.labels)) or f"from {low:g} to {high:g}"
    what = "the reply (not the reference)" if case.rubric.positions else "the reply"
    return f"{case.rubric.title}: score {what}, {scale}. The judge's instructions:\n\n{case.rubric.prompt}"


def _question(item: Item) -> dict[str, Any]:
    texts = [part.text for part in item.parts if part.text]
    options = item.option_texts()
    labels = [*item.labels, *[""] * len(options)]
    return {
        "question": "\n".join(texts),
        **(
            {"options": [f"{label}. {text}" if label else text for label, text in zip(labels, options, strict=False)]}
            if options
            else {}
        ),
    }


def _task(key: str, work: str, form: Mapping[str, Any], shows: dict[str, Any], guide: str) -> Task:
    return Task(key, digest(work, shows)[:16], work, dict(form), shows, guide)


def _task_for_people(task: Task, people: int) -> Task:
    return Task(task.id, task.shown, task.stage, task.form, task.shows, task.guide, people)


def _reader(folder: RunFolder) -> MediaReader | None:
    data = data_folder(folder.manifest, load_benchmark(folder.manifest.benchmark).mini, {})
    return data.reader() if data else None


def _with_media(task: Task, item: Item, reader: MediaReader | None, files: dict[str, Path]) -> Task:
    """A task that shows the media of its Item; `files` gets them by their SHA-256."""
    shows, hashes = dict(task.shows), {}
    for number, part in enumerate(part for part in item.all_parts if part.is_media):
        if reader is None:
            raise MediaError("the media of the Run are not on this computer", where=part.path, fix="triptych fetch")
        path = reader.resolve(part)
        field = part.kind if part.kind not in hashes else f"{part.kind}_{number + 1}"
        sha = _sha256(path)
        shows[field], hashes[field], files[sha] = f"{sha}{path.suffix.lower()}", sha, path
    return _showing(task, {**shows, "media": hashes}) if hashes else task


def _showing(task: Task, shows: dict[str, Any]) -> Task:
    return Task(task.id, task.shown, task.stage, task.form, shows, task.guide, task.people)


@cache
def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
