"""From a benchmark to a survey: the plan of a Run gives the Requests, and people get what they contain."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

import msgspec

from triptych.conditions.applying import prompt_under
from triptych.errors import DataError, SpecError, nearest
from triptych.experiment.plan import Plan
from triptych.media.payload import MediaReader
from triptych.portal.survey.checks import PRACTICE, check_tasks
from triptych.portal.survey.document import FORMS, Form, Medium, Question, Settings, Survey, Task
from triptych.portal.survey.rules import Validity
from triptych.portal.survey.selection import AvailableUnits, Chosen, choose
from triptych.records import Item, Part, Request
from triptych.web.media import media_type

TRANSCRIPTS = ("wer", "cer")  # metrics of Tasks that need a transcript
Keep = Callable[[bytes, str], None]


@dataclass(frozen=True)
class Wanted:
    """The settings of a survey that is to be made; see `document.Settings`.

    per_cell  Units of each cell
    practice  Units that everybody answers first, with feedback; they are in no cell
    forms     Task, or empty for all, -> form of the answer (`rating:1-5` for a scale)
    """

    per_cell: int = 10
    people: int = 10
    most_cells: int = 0
    checks: int = 2
    break_after: int = 20
    may_decline: bool = False
    patience_h: float = 48.0
    validity: Validity = field(default_factory=Validity)
    forms: Mapping[str, str] = field(default_factory=dict)
    practice: int = 0


@dataclass(frozen=True)
class NewSurvey:
    """A survey that was made. `notes`: what is not as it was wanted."""

    survey: Survey
    notes: tuple[str, ...]


def make_survey(ready: Plan, wanted: Wanted, keep: Keep) -> NewSurvey:
    """Return the survey of a plan. Each media file is given to `keep`, with its SHA-256, as a model would get it.

    Raises SpecError if nothing can be asked, for an unknown form, or for a Condition that needs a model first;
    MediaError if a file is missing; DataError if a browser can't show it.
    """
    _check(ready, wanted)
    available = AvailableUnits(tuple(variation.facet for variation in ready.benchmark.spec.variations))
    for request in ready.requests():
        if request.unaskable or request.item is None or not request.messages:
            available.unaskable += 1
        elif not request.repeat:
            available.add(request.item)
    chosen = choose(available, wanted.per_cell, ready.manifest.seed, wanted.practice)
    if not chosen.cell:
        raise SpecError(
            "no question can be asked", got=f"{available.unaskable} that can't be asked", fix="select more questions"
        )
    files = _Files(MediaReader(ready.data, extra=ready.extra_files), keep)
    tasks = [_task(request, chosen, ready, wanted, files) for request in _selected_requests(ready, chosen)]
    with_sound = any(part.kind in ("audio", "video") for task in tasks for part in task.question.media)
    checks = check_tasks(with_sound, keep) if wanted.checks else []
    return NewSurvey(_survey(ready, wanted, chosen, [*tasks, *checks]), tuple(_notes(ready, available, chosen, wanted)))


def _check(ready: Plan, wanted: Wanted) -> None:
    for name in ("per_cell", "people"):
        if getattr(wanted, name) < 1:
            raise SpecError(f"--{name.replace('_', '-')} must be at least 1", got=getattr(wanted, name))
    for name in ("practice", "checks", "most_cells", "break_after"):
        if getattr(wanted, name) < 0:
            raise SpecError(f"--{name.replace('_', '-')} must be at least 0", got=getattr(wanted, name))
    rules = wanted.validity
    for name in ("most_fast", "most_declined"):
        if not 0 <= getattr(rules, name) <= 1:
            raise SpecError(f"--{name.replace('_', '-')} is a share", got=getattr(rules, name), expected="0 to 1")
    if not 0 <= rules.most_failed <= wanted.checks:
        raise SpecError(
            "--most-failed can't be reached", got=rules.most_failed, expected=f"0 to {wanted.checks} (--checks)"
        )
    if rules.least_seconds < 0 or wanted.patience_h <= 0:
        raise SpecError(
            "--least-seconds and --patience are times", got=f"{rules.least_seconds:g} s, {wanted.patience_h:g} h"
        )
    if ready.unread:
        raise SpecError(
            "a survey can't use a Condition that asks a model first",
            got=", ".join(ready.unread),
            fix="use a Condition with a table of texts, or none",
        )
    task_ids = {ready.benchmark.spec.full_id(task) for task in ready.tasks} | {""}
    for task, form in wanted.forms.items():
        if task not in task_ids:
            raise SpecError(f"--form names an unknown task {task!r}", fix=nearest(task, task_ids - {""}))
        form_of(form)


def form_of(words: str) -> tuple[Form, tuple[int, int]]:
    """Return a form and its scale from `text` or `rating:1-5`. Raises SpecError.

    >>> form_of("rating:0-10")
    ('rating', (0, 10))
    """
    name, _, scale = words.partition(":")
    low, _, high = (scale or "1-5").partition("-")
    if name not in FORMS or (scale and name != "rating"):
        raise SpecError(f"unknown form of an answer {words!r}", expected=", ".join(FORMS))
    if not (low.isdecimal() and high.isdecimal() and len(low) < 3 and len(high) < 3 and int(low) < int(high)):
        raise SpecError("not a scale", got=words, expected="rating:LOW-HIGH, such as rating:1-5")
    if int(high) - int(low) > 10:
        raise SpecError("the scale has more than 11 steps", got=words)
    return name, (int(low), int(high))


def usual_form(item: Item, metrics: Sequence[str]) -> Form:
    """Return the form of an Item's answer: options to choose from, a transcript if its metric is an error rate."""
    if item.answer == "options" and item.options:
        return "choices"
    if item.answer in ("letter", "option") and (item.options or item.labels):
        return "choice"
    return "transcript" if any(metric.partition(".")[0] in TRANSCRIPTS for metric in metrics) else "text"


def _selected_requests(ready: Plan, chosen: Chosen) -> Iterator[Request]:
    wanted = {*chosen.cell, *chain.from_iterable(chosen.practice)}
    for request in ready.requests():
        if request.item is not None and request.item.id in wanted and not request.repeat:
            yield request


class _Files:
    """Media as a model gets them, each read once."""

    def __init__(self, reader: MediaReader, keep: Keep) -> None:
        self.reader, self._keep = reader, keep
        self._media: dict[str, Medium] = {}

    def medium(self, part: Part) -> Medium:
        """Return the file of a Part. Raises MediaError, or DataError if browsers can't show it."""
        if part.content_name not in self._media:
            payload = self.reader.load(part)
            type_ = media_type(payload.data[:64], payload.path.name, part.kind)
            if not type_:
                raise DataError(
                    f"browsers can't show this {part.kind} file",
                    where=payload.path,
                    got=payload.mime,
                    fix="convert it to WAV, MP3, Ogg, JPEG, PNG, MP4 or WebM",
                )
            self._keep(payload.data, payload.sha256)
            self._media[part.content_name] = Medium(part.content_name, payload.sha256, type_, part.kind)
        return self._media[part.content_name]


def _task(request: Request, chosen: Chosen, ready: Plan, wanted: Wanted, files: _Files) -> Task:
    from triptych.running.loop import with_hashes

    assert request.item is not None
    media = {part.content_name: files.medium(part) for part in request.media_parts}
    item = with_hashes(request.item, files.reader.known_hash)
    spec = next(task for task in ready.tasks if ready.benchmark.spec.full_id(task) == item.task)
    unit_form = wanted.forms.get(item.task, wanted.forms.get("", ""))
    form, scale = form_of(unit_form) if unit_form else (usual_form(item, spec.metrics), (1, 5))
    if form in ("choice", "choices") and not (item.options or item.labels):
        raise SpecError("a question without options has no choice", where=item.id, fix="another --form for its task")
    cell = chosen.cell.get(item.id, "")
    question = Question(item, ready.prompt_of[item.task], cell, form, scale, tuple(media.values()))
    return Task(item.id if cell else f"{PRACTICE}{item.id}", digest(question), question)


def digest(question: Question) -> str:
    """Return a digest of a question, 16 hexadecimal digits: another wording or file makes another task."""
    return hashlib.sha256(msgspec.json.encode(question, order="deterministic")).hexdigest()[:16]


def _survey(ready: Plan, wanted: Wanted, chosen: Chosen, tasks: list[Task]) -> Survey:
    used = {task.question.prompt for task in tasks} - {""}
    prompts = {name: prompt_under(ready.prompts[name], ready.conditions) for name in sorted(used)}
    data = Path(ready.manifest.data)
    manifest = msgspec.structs.replace(
        ready.manifest,
        model="human/",
        revision="",
        model_settings={},
        decoding={},
        endpoints=(),
        repeats=1,
        data=str(data.resolve()) if data.is_dir() else ready.manifest.data,
    )
    settings = Settings(
        manifest,
        prompts,
        dict(chosen.instances),
        ready.manifest.seed,
        wanted.people,
        wanted.most_cells,
        wanted.checks,
        wanted.break_after,
        wanted.may_decline,
        wanted.patience_h,
        wanted.validity,
        practice=sum(map(len, chosen.practice)),
    )
    seen = [[task.key, task.shown] for task in tasks]
    how = [settings.prompts, settings.cells, settings.seed, settings.checks, settings.may_decline]
    identity = hashlib.sha256(msgspec.json.encode([how, seen], order="deterministic")).hexdigest()[:16]
    return Survey(msgspec.structs.replace(settings, digest=identity), tasks)


def _notes(ready: Plan, available: AvailableUnits, chosen: Chosen, wanted: Wanted) -> Iterator[str]:
    if available.unaskable:
        yield f"{available.unaskable} questions can't be asked under this Condition"
    if chosen.short:
        cell, number = next(iter(chosen.short.items()))
        cells = "1 cell has" if len(chosen.short) == 1 else f"{len(chosen.short)} cells have"
        yield f"{cells} fewer than {wanted.per_cell} questions: {cell} has {number}"
    if len(chosen.practice) < wanted.practice:
        yield f"{len(chosen.practice)} of {wanted.practice} practice questions: others are in cells already"
    if ready.problems:
        yield f"{len(ready.problems)} problems with the data, the first: {next(iter(ready.problems))}"
