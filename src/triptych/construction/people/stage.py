"""Stages that wait for people: tasks are written to files, results are read from files, and nothing polls.

`tasks/STAGE.jsonl` has a Task for each record that waits. Whoever works on them (the portal, a spreadsheet, a script)
appends Results to `results/STAGE.jsonl`. A Result names the digest of what was shown, so that a Result about an older
text is never used for the current one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from triptych.construction.asking.questions import People, Result
from triptych.construction.engine.context import Context, Values
from triptych.construction.engine.identity import digest
from triptych.construction.parameters import Parameters, as_parameters
from triptych.construction.people import reviews, spans
from triptych.construction.record import Maker, Outcome, pending
from triptych.construction.stage import Stage
from triptych.errors import DataError
from triptych.store.files.atomic import atomic_file
from triptych.store.files.run_files import remove_own
from triptych.store.journals.journal import Journal

TASKS = "tasks.jsonl"  # in the folder of a stage: all of its Tasks, open and done
REFUSED = "result-refused"  # the reason of a record of which a result can't be used
DISAGREEMENT = "disagreement"  # the reason of a record about which people disagree
REMARKS = ("timestamps", "criterion", "fault", "faults", "why", "score", "also_right")  # besides answers
_ENCODER = msgspec.json.Encoder()


class Task(msgspec.Struct, frozen=True, omit_defaults=True):
    """A Task for people about one record.

    id      the record's id
    shown   digest of `shows`: a Result must repeat it
    stage   the stage that asks
    form    the fields to fill in: field -> `text`, `number`, `list` (of texts), `media`, `spans` (of time, as text:
            `3.20-5.10; 8.00-9.50` in seconds), the list of choices, or a JSON schema (see `multiple_choices` and
            `scale_of`)
    shows   the values that people see
    guide   the instructions
    people  the required number of different people
    helps   more values that people see, which the answer doesn't depend on; not part of `shown`
    rules   parameters of the stage that an answer must follow
    guides  the instructions in other languages: language -> text
    checks  what an answer is checked by, besides the form; all of it may be missing:
            languages     field -> language of its text
            sources       field -> the shown field of which it is a translation
            words         field -> words that its text must not contain
            length_ratio  greatest ratio of the length of a correct option to that of the wrong ones
            right         the least and the most correct options
            seconds       length of the recording, within which times must be
            distinct      field -> the scope within which no other record may have its text
            not_by        people who made or reviewed this before, and so can't do it
            check         a check of the recipe by its name (`people.named`), with values of its own
    again   why a later stage sends back what people returned; empty for a task that is done for the first time
    """

    id: str
    shown: str
    stage: str
    form: dict[str, Any]
    shows: dict[str, Any]
    guide: str = ""
    people: int = 1
    helps: dict[str, Any] = {}
    rules: dict[str, Any] = {}
    guides: dict[str, str] = {}
    checks: dict[str, Any] = {}
    again: str = ""


def ask_people(
    name: str,
    asks: People,
    *,
    version: int,
    reads: Sequence[str],
    writes: Sequence[str] = (),
    about: str = "",
    parameters: Parameters | type[Parameters] | Mapping[str, Any] | None = None,
) -> Stage:
    """Return a stage that waits for people; `parameters`: rules that tasks show and results are checked by."""
    values = as_parameters(name, parameters, {})
    return Stage(
        name, version, tuple(reads), tuple(writes), asks.decide or _decide, "people", values, about=about, tasks=asks
    )


def task_of(stage: Stage, values: Values) -> Task:
    """Return the Task of one record."""
    assert stage.tasks is not None
    asks = stage.tasks
    seen = asks.shows or tuple(name for name in values if name not in asks.helps)
    shows = {name: values[name] for name in seen}
    helps = {name: values[name] for name in asks.helps if values[name] is not None}
    about = str(values[asks.per]) if asks.per else values.id
    return Task(
        about,
        digest(stage.name, shows)[:16],
        stage.name,
        dict(asks.form),
        shows,
        asks.guide,
        asks.people,
        helps,
        dict(stage.parameters),
        dict(asks.guides),
        dict(asks.checks(values)) if asks.checks else {},
    )


def write_tasks(path: Path, tasks: Sequence[Task]) -> None:
    """Write the open Tasks atomically; if there are none, no file is kept."""
    if not tasks:
        remove_own(path)
        return
    with atomic_file(path) as file:
        for task in tasks:
            file.write(_ENCODER.encode(task) + b"\n")


def results_of(path: Path) -> dict[tuple[str, str], list[Result]]:
    """Return people's results: (record, digest of what was shown) -> one Result per person, by their first Result.

    A Result that settles a disagreement doesn't replace what the same person said before.

    Raises DataError for a line that can't be read.
    """
    results_by_record: dict[tuple[str, str], dict[tuple[str, bool], Result]] = {}
    for result in Journal(path, Result):
        results_by_record.setdefault((result.id, result.shown), {})[result.person, result.settles] = result
    return {key: list(by_person.values()) for key, by_person in results_by_record.items()}


def distinct_texts(tasks: Iterable[Task]) -> reviews.Distinct:
    """Return the texts of the Tasks of a stage that must differ from each other."""
    return reviews.Distinct((task.id, task.shows, task.checks) for task in tasks if task.checks.get("distinct"))


def usable_results(
    task: Task, results: Sequence[Result], distinct: reviews.Distinct | None = None
) -> tuple[list[Result], str]:
    """Return the results that a build can use; if one can't be used, none, and why.

    The result of somebody who made the record, or reviewed it before, doesn't count if others have returned one. Once a
    disagreement is settled, results that can't be used don't matter.
    """
    faults = [list(faults_of_task(task, result, distinct, alone=True)) for result in results]
    sound = [result for result, task_faults in zip(results, faults, strict=True) if not task_faults]
    if any(result.settles for result in sound) or len(sound) == len(results):
        return sound, ""
    wrong = [(result, task_faults) for result, task_faults in zip(results, faults, strict=True) if task_faults]
    if sound and all(_is_own_work(result, task.checks) and not result.settles for result, _ in wrong):
        return sound, ""
    result, fault = next((each for each in wrong if not _is_own_work(each[0], task.checks)), wrong[0])
    return [], str(_refused(result, fault)).replace("\n", " ")


def check_result(result: Result, form: Mapping[str, Any], shows: Mapping[str, Any] | None = None) -> None:
    """Raise DataError if a result doesn't fit the form, so that a misspelled verdict isn't taken for another one.

    `shows`: the values that the person saw; if they are given, a result that contradicts itself, or whose edit can't be
    used, is refused too. All faults are named at once.
    """
    if faults := list(faults_of_result(result, form, shows)):
        raise _refused(result, faults)


def _refused(result: Result, faults: Sequence[tuple[str, str, str]]) -> DataError:
    name, got, expected = faults[0]
    what = f"{result.person} returned a wrong value for {name!r}" if name else f"{result.person}: {got}"
    more = "".join(f"; {each or 'also'}: {value}, expected {wanted}" for each, value, wanted in faults[1:])
    fix = "append a corrected result"
    return DataError(
        what, where=result.id, got=((got if name else "") + more).lstrip("; ") or None, expected=expected, fix=fix
    )


def faults_of_task(
    task: Task, result: Result, distinct: reviews.Distinct | None = None, *, alone: bool = False
) -> Iterator[tuple[str, str, str]]:
    """Yield each fault of a result about a Task: what the form, the portal, a sheet and a build all refuse.

    `distinct`: the texts of all Tasks of the stage. `alone`: the stage itself decides about texts without a verdict
    (transcripts, translations), with a reason for each fault.
    """
    checks = task.checks
    if alone and not reviews.has_verdict(task.form):
        checks = {name: value for name, value in checks.items() if name != "check"}
    # two checks may find the same
    yield from dict.fromkeys(faults_of_result(result, task.form, task.shows, checks, task.rules))
    if _is_own_work(result, checks):
        yield "", f"{result.person} made or reviewed this before", "another person"
    if distinct is not None and str(result.values.get(next(iter(task.form), ""))) in reviews.EDITS:
        new = reviews.changed(result.values, task.form, task.shows)
        for fault in distinct.faults(task.id, new, checks):
            yield "", fault, "a text of its own"


def _is_own_work(result: Result, checks: Mapping[str, Any]) -> bool:
    return any(reviews.same_person(result.person, str(name)) for name in checks.get("not_by") or ())


def faults_of_result(
    result: Result,
    form: Mapping[str, Any],
    shows: Mapping[str, Any] | None = None,
    checks: Mapping[str, Any] | None = None,
    rules: Mapping[str, Any] | None = None,
) -> Iterator[tuple[str, str, str]]:
    """Yield each fault of a result as field, value and what is expected; the field is empty if it is about several."""
    first = next(iter(form), None)
    for name in sorted(result.values.keys() - form.keys()):
        yield name, repr(result.values.get(name))[:80], f"one of the form's fields: {', '.join(form)}"
    sound = True
    for name, kind in form.items():
        value = result.values.get(name)
        if value is None or value == "":
            if name == first:
                yield name, repr(value), "a value, since this field must be filled in"
                sound = False
        elif not _fits(value, kind):
            yield name, repr(value)[:80], _expected_text(kind)
            sound = False
    if sound and shows is not None:
        for fault in reviews.faults_of(result.values, form, shows, checks or {}, rules or {}):
            yield "", fault, "an answer that the build can use"


def tidied(values: Mapping[str, Any], form: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values as the form writes them: `APPROVE` as its choice, `5.0` as the whole number of a scale, and a
    list of texts for a text as its lines."""
    return {name: _normalise_value(value, form.get(name)) for name, value in values.items()}


def _normalise_value(value: Any, kind: Any) -> Any:
    if isinstance(value, list):
        if kind == "text" and value and all(isinstance(each, str) for each in value):
            return "\n".join(value)  # several correct options, as a sheet has them
        among = multiple_choices(kind)
        return [_choice_of(each, among) for each in value] if among is not None else value
    among = multiple_choices(kind) or (list(kind) if isinstance(kind, Sequence) and not isinstance(kind, str) else None)
    if among is not None:
        return _choice_of(value, among)
    number = scale_of(kind) is not None or kind == "number"
    if number and isinstance(value, str):
        try:
            value = float(value.replace(",", "."))
        except ValueError:
            return value
    is_integer = number and isinstance(value, float) and value.is_integer()
    return int(value) if is_integer else value


def _choice_of(value: Any, choices: Sequence[Any]) -> Any:
    """Return the choice that a value names, in any case and with any spaces around it; else the value itself.

    A letter and its number name the same: `2` is `B` if the choices are letters, and the other way round.
    """
    folded = str(value).strip().casefold()
    named = {str(choice).casefold(): choice for choice in reversed(choices)}
    return named.get(folded, named.get(_other_label(folded), value))


def _other_label(folded: str) -> str:
    """Return the letter of a number (`2`: `b`), or the number of a letter; an empty text for anything else."""
    if folded.isascii() and folded.isdigit() and 1 <= int(folded) <= 26:
        return chr(96 + int(folded))
    return str(ord(folded) - 96) if len(folded) == 1 and "a" <= folded <= "z" else ""


def multiple_choices(kind: object) -> list[Any] | None:
    """Return the choices of a field that takes several of them, None for another field.

    >>> multiple_choices({"type": "array", "items": {"enum": ["noise", "pronunciation"]}})
    ['noise', 'pronunciation']
    """
    items = kind.get("items") if isinstance(kind, Mapping) and kind.get("type") == "array" else None
    return list(items["enum"]) if isinstance(items, Mapping) and "enum" in items else None


def scale_of(kind: object) -> tuple[int, int] | None:
    """Return the lowest and the highest score of a field that takes a whole number between them, None for another one.

    >>> scale_of({"type": "integer", "minimum": 1, "maximum": 5})
    (1, 5)
    """
    if isinstance(kind, Mapping) and kind.get("type") == "integer" and {"minimum", "maximum"} <= kind.keys():
        return int(kind["minimum"]), int(kind["maximum"])
    return None


def _fits(value: object, kind: object) -> bool:
    if (several := multiple_choices(kind)) is not None:
        return all(each in several for each in (value if isinstance(value, list) else [value]))
    if (scale := scale_of(kind)) is not None:
        return isinstance(value, int) and not isinstance(value, bool) and scale[0] <= value <= scale[1]
    if isinstance(kind, Mapping):
        return True  # another JSON schema: the stage reads the value as it reads a model's reply
    if not isinstance(kind, str):
        return isinstance(kind, Sequence) and value in kind
    if kind == "number":
        return isinstance(value, int | float) and not isinstance(value, bool)
    if kind == "list":
        return isinstance(value, list) and all(isinstance(each, str) for each in value)
    if kind == "spans":
        return isinstance(value, str) and spans.spans_in(value) is not None
    return isinstance(value, str)


def _expected_text(kind: Any) -> str:
    if (several := multiple_choices(kind)) is not None:
        return f"a list of: {', '.join(map(str, several))}"
    if (scale := scale_of(kind)) is not None:
        return f"a whole number from {scale[0]} to {scale[1]}"
    if kind == "spans":
        return spans.EXPECTED
    return kind if isinstance(kind, str) else f"one of: {', '.join(map(str, kind))}"


def decide(stage: Stage, values: Values, results: Sequence[Result], context: Context) -> Outcome:
    """Return the outcome of people's results; `pending` until there are enough, and while people disagree.

    Of results beyond the needed number, all must come to the same outcome: otherwise the record waits (`disagreement`)
    until one person's result settles it.
    """
    assert stage.tasks is not None
    if settled := [result for result in results if result.settles]:
        if any(each.person == settled[-1].person and not each.settles for each in results):
            return pending(
                DISAGREEMENT, f"{settled[-1].person} can't settle what they reviewed: another person is needed"
            )
        results = settled[-1:]
    elif len(results) < stage.tasks.people:
        return pending("waits-for-people", f"{len(results)} of {stage.tasks.people}")
    elif disagreement := _disagreement(stage, stage.tasks, values, results, context):
        return pending(DISAGREEMENT, disagreement)
    outcome = (stage.tasks.decide or _decide)(results, values, context)
    people = Maker("person", " + ".join(result.person for result in results))
    sources = tuple(dict.fromkeys((*outcome.sources, *(source for r in results for source in r.sources))))
    makers = dict.fromkeys(outcome.fields, people) | outcome.makers
    note = "; ".join(filter(None, [outcome.note, *_unsaid(results, outcome, stage.tasks.aside)]))
    return msgspec.structs.replace(outcome, makers=makers, sources=sources, by=people, note=note)


def _unsaid(results: Sequence[Result], outcome: Outcome, aside: Sequence[str]) -> Iterator[str]:
    """Yield the remarks of people that are in no field and not in the note of an outcome."""
    for result in results:
        for name in dict.fromkeys((*REMARKS, *aside)):
            value = result.values.get(name)
            words = "; ".join(map(str, value)) if isinstance(value, list) else str(value)
            if value in (None, "", []) or name in outcome.fields:
                continue
            numeric = isinstance(value, int | float)  # digits in a note may belong to anything
            if numeric or not re.search(rf"(?<!\w){re.escape(words)}(?!\w)", outcome.note):
                yield f"{name}: {words}"


def _disagreement(stage: Stage, asks: People, values: Values, results: Sequence[Result], context: Context) -> str:
    """Return who says what, if people come to different outcomes; empty if they agree. A result that can't be used
    doesn't count."""
    if not asks.agree or asks.people > 1 or len(results) < 2:
        return ""
    alone = [(result, (asks.decide or _decide)([result], values, context)) for result in results]
    usable = [(result, outcome) for result, outcome in alone if outcome.decision != "pending"]
    outcomes = {digest(outcome.decision, _comparable_fields(outcome, asks)) for _, outcome in usable}
    if len(outcomes) < 2:
        return ""
    return "; ".join(f"{result.person}: {_remark_text(result, stage)}" for result, _ in usable)


def _comparable_fields(outcome: Outcome, asks: People) -> dict[str, Any]:
    """Return the fields in which outcomes must agree: not who decided, nor remarks."""
    return {n: v for n, v in outcome.fields.items() if not n.endswith("_by") and n not in asks.aside}


def _remark_text(result: Result, stage: Stage) -> str:
    assert stage.tasks is not None
    remarks = [str(result.values[name]) for name in stage.tasks.form if result.values.get(name) not in (None, "", [])]
    return ", ".join(remarks)[:120]


def _decide(results: Sequence[Result], values: Values, context: Context) -> Outcome:
    return Outcome(fields=dict(results[0].values))
