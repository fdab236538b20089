"""The answers of a survey as Runs: `human/PSEUDONYM` for each person who counts, and `human/joined` of all of them."""

from __future__ import annotations

import csv
import io
import re
import shutil
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from triptych.errors import DataError, RunFolderError
from triptych.experiment.data import hash_lines
from triptych.portal.survey.document import Answered, Participant, Results, Task
from triptych.portal.survey.rendering import CHOICES, reply
from triptych.portal.survey.rules import original
from triptych.records import MAX_REPEATS, Item, Response, RunManifest
from triptych.store.files.atomic import write_atomically
from triptych.store.files.lock import locked
from triptych.store.folder import RunFolder

JOINED = "joined"
SURVEY = "survey"  # the entry of `about` that names the survey: only such folders are replaced or removed
_NAME = re.compile(r"[\w.-]{1,80}")
_LINE = msgspec.json.Encoder()


class Exported(msgspec.Struct, frozen=True):
    """The result of an export.

    folder   where the Runs are
    people   number of participants; `answers`: of their answers; `cells`: cell -> participants
    removed  folders of people who don't count any more
    left     why others don't count -> their number
    """

    folder: str
    people: int
    answers: int
    cells: dict[str, int]
    removed: tuple[str, ...]
    left: dict[str, int]


def export(
    results: Results, name: str, to: Path, confirm: Callable[[Collection[str], str], Collection[str]]
) -> Exported:
    """Write the Runs below `to/NAME`. Verdicts of judges in them are kept; everything else is written again.

    `confirm`: writes the export down, given the ids of its answers and the folder, and returns those that may be
    written; a person who has withdrawn meanwhile is left out. Raises DataError if nobody counts yet, RunFolderError if
    a folder is another Run's.
    """
    folder = to / _safe(name)
    ids = [answer.id for person in results.people for answer in person.answers]
    still = set(confirm(ids, str(folder.resolve())))
    people = [person for person in results.people if all(answer.id in still for answer in person.answers)]
    tasks_by_key = {task.key: task for task in results.tasks}
    removed = _remove(folder, name, {_folder_name(person.pseudonym) for person in people} | _joined_of(people))
    if not people:
        why = ", ".join(f"{number} {reason}" for reason, number in sorted(results.left.items())) or "nobody has begun"
        raise DataError(
            f"no participant counts in the survey {name!r} yet", got=why, fix="wait for participants to finish"
        )
    for person in people:
        _write_person(folder, results.settings.manifest, name, person, tasks_by_key)
    _write_joined(folder, results.settings.manifest, name, people, tasks_by_key)
    cells = {cell: sum(cell in person.cells for person in people) for cell in results.settings.cells}
    return Exported(str(folder), len(people), sum(len(p.answers) for p in people), cells, removed, results.left)


def _write_person(
    folder: Path, manifest: RunManifest, name: str, person: Participant, tasks: Mapping[str, Task]
) -> None:
    items = _items(tasks, {answer.key for answer in person.answers})
    responses = [_response(tasks, answer, manifest.condition, 0) for answer in person.answers]
    mine = _manifest(manifest, person.pseudonym, items, len(responses), {SURVEY: name})
    _write(folder / _folder_name(person.pseudonym), mine, items, responses)


def _write_joined(
    folder: Path, manifest: RunManifest, name: str, people: Sequence[Participant], tasks: Mapping[str, Task]
) -> None:
    """Everybody's answers: those of the n-th person who answered an Item are its repeat n."""
    order: dict[str, list[str]] = defaultdict(list)
    responses: list[Response] = []
    people = sorted(people, key=lambda each: (each.ended, each.pseudonym))
    for person in people:
        for answer in person.answers:
            responses.append(_response(tasks, answer, manifest.condition, len(order[answer.key])))
            order[answer.key].append(person.pseudonym)
    numbers = {len(names) for names in order.values()}
    if max(numbers) > MAX_REPEATS:
        raise DataError("a Run can't hold so many people", got=max(numbers), expected=f"at most {MAX_REPEATS}")
    items = _items(tasks, order.keys())
    about = {SURVEY: name, "participants": str(len(people))}
    joined = msgspec.structs.replace(
        _manifest(manifest, JOINED, items, len(responses), about), repeats=max(numbers), uneven=len(numbers) > 1
    )
    _write(folder / _folder_name(JOINED), joined, items, responses)
    write_atomically(folder / _folder_name(JOINED) / "ratings.csv", _ratings(people, tasks))


def _manifest(
    manifest: RunManifest, who: str, items: Sequence[Item], number: int, about: dict[str, str]
) -> RunManifest:
    ids = [item.id for item in items]
    return msgspec.structs.replace(
        manifest,
        model=f"human/{who}",
        tasks=tuple(_tasks_of(manifest, items)),
        planned=number,
        about=about,
        items_file=hash_lines(ids),
        limit=None,
        sample="",
        name="",
    )


def _tasks_of(manifest: RunManifest, items: Iterable[Item]) -> list[str]:
    """The ids of Tasks in a manifest are without the benchmark's name."""
    used = {item.task.removeprefix(f"{manifest.benchmark}/") for item in items}
    return [task for task in manifest.tasks if task in used]


def _response(tasks: Mapping[str, Task], answered: Answered, condition: str, repeat: int) -> Response:
    """The Response of a person: what they chose, as the Item's own options, or what they wrote."""
    answer_ = answered.answer
    at = datetime.fromtimestamp(answered.at / 1000, UTC).isoformat(timespec="seconds")
    if answer_.declined:
        return Response(answered.key, condition, repeat, "refused", seconds=answer_.ms / 1000, time=at)
    words = reply(tasks[answered.key].question, answer_)
    return Response(answered.key, condition, repeat, "answered", words, seconds=answer_.ms / 1000, time=at)


def _items(tasks: Mapping[str, Task], keys: Collection[str]) -> list[Item]:
    items = [tasks[key].question.item for key in sorted(keys)]
    return [item for item in items if item is not None]


def _ratings(people: Sequence[Participant], tasks: Mapping[str, Task]) -> bytes:
    """A table for `analyse --ratings`: each person's rating, or for options whether all and only the correct ones were
    chosen (1 or 0), and which repeat of the joined Run is their answer. What was written has no number."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(("item", "value", "rater", "repeat"))
    before = Counter[str]()
    for person in people:
        for answer in person.answers:
            if (value := _value(tasks[answer.key], answer)) is not None:
                table.writerow((answer.key, value, person.pseudonym, before[answer.key]))
            before[answer.key] += 1
    return text.getvalue().encode()


def _value(task: Task, answered: Answered) -> str | None:
    question, answer = task.question, answered.answer
    if answer.declined or question.item is None:
        return None
    if question.form == "rating":
        return answer.text
    if question.form not in CHOICES or not question.item.target_positions:
        return None
    return str(int(original(answer.picked, answer.order) == sorted(question.item.target_positions)))


def _write(path: Path, manifest: RunManifest, items: Sequence[Item], responses: Sequence[Response]) -> None:
    """Write a Run; if it changes, what was derived from it goes. Raises RunFolderError if another Run is there."""
    files = {
        "items.jsonl": b"".join(_LINE.encode(item) + b"\n" for item in items),
        "responses.jsonl": b"".join(_LINE.encode(response) + b"\n" for response in responses),
    }
    folder = _opened(path, manifest)
    with locked(path):
        if all((path / name).is_file() and (path / name).read_bytes() == data for name, data in files.items()):
            return
        for derived in ("scores", "tables"):
            shutil.rmtree(path / derived, ignore_errors=True)
        folder.summary_path.unlink(missing_ok=True)
        for name, data in files.items():
            write_atomically(path / name, data)
    folder.rewrite(manifest)


def _opened(path: Path, manifest: RunManifest) -> RunFolder:
    if not (path / "manifest.json").exists():
        return RunFolder.create(path, manifest)
    folder = RunFolder.open(path)
    if _owner(folder.manifest) != _owner(manifest):
        raise RunFolderError("the folder holds another Run", where=path, got=folder.manifest.model, fix="another --to")
    if folder.is_packed:
        raise RunFolderError("a packed Run can't be written to", where=path, fix=f"triptych unpack {path}")
    return folder


def _owner(manifest: RunManifest) -> tuple[str, str, str]:
    return manifest.benchmark, manifest.model, manifest.about.get(SURVEY, "")


def _remove(folder: Path, name: str, names: Collection[str]) -> tuple[str, ...]:
    """Remove the Runs of this survey's people who don't count any more, or have withdrawn."""
    gone = []
    for path in sorted(folder.glob("human-*")):
        if path.name in names or not (path / "manifest.json").is_file() or path.is_symlink():
            continue
        manifest = RunFolder.open(path).manifest
        if manifest.about.get(SURVEY) == name and manifest.model == f"human/{path.name.removeprefix('human-')}":
            shutil.rmtree(path)
            gone.append(path.name)
    return tuple(gone)


def _joined_of(people: Collection[Participant]) -> set[str]:
    return {_folder_name(JOINED)} if people else set()


def _folder_name(who: str) -> str:
    return f"human-{_safe(who)}"


def _safe(name: str) -> str:
    if not _NAME.fullmatch(name) or name.startswith("."):
        raise DataError("the name is not valid for a folder", got=name[:80], expected="letters, digits, . _ or -")
    return name
