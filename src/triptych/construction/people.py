"""Stages that wait for people: tasks are written to files, results are read from files, and nothing polls.

`tasks/STAGE.jsonl` has a Task for each record that waits. Whoever works on them (the portal, a spreadsheet, a script)
appends Results to `results/STAGE.jsonl`. A Result names the digest of what was shown, so that a Result about an older
text is never used for the current one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from triptych.construction.context import Context, Values
from triptych.construction.identity import digest
from triptych.construction.questions import People, Result
from triptych.construction.record import Maker, Outcome, pending
from triptych.construction.stage import Stage
from triptych.errors import DataError
from triptych.store.atomic import atomic_file
from triptych.store.journal import Journal
from triptych.store.own_files import remove_own

_ENCODER = msgspec.json.Encoder()


class Task(msgspec.Struct, frozen=True, omit_defaults=True):
    """A Task for people about one record.

    id      the record's id
    shown   digest of `shows`: a Result must repeat it
    stage   the stage that asks
    form    the fields to fill in: field -> `text`, `number`, `list` (of texts), `media`, `spans` (of time, as text:
            `3.20-5.10; 8.00-9.50` in seconds), the list of choices, or a JSON schema (see `several_of`, `scale_of`)
    shows   the values that people see
    guide   the instructions
    people  the required number of different people
    helps   more values that people see, which the answer doesn't depend on; not part of `shown`
    rules   parameters of the stage that an answer must follow
    guides  the instructions in other languages: language -> text
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


def ask_people(
    name: str, asks: People, *, version: int, reads: Sequence[str], writes: Sequence[str] = (), about: str = "",
    parameters: Mapping[str, Any] | None = None,
) -> Stage:  # fmt: skip
    """Return a stage that waits for people; `parameters`: rules that tasks show and results are checked by."""
    own = dict(parameters or {})
    return Stage(name, version, tuple(reads), tuple(writes), asks.decide or _taken, "people", own, about=about,
                 tasks=asks)  # fmt: skip


def task_of(stage: Stage, values: Values) -> Task:
    """Return the Task of one record."""
    assert stage.tasks is not None
    asks = stage.tasks
    seen = asks.shows or tuple(name for name in values if name not in asks.helps)
    shows = {name: values[name] for name in seen}
    helps = {name: values[name] for name in asks.helps if values[name] is not None}
    about = str(values[asks.per]) if asks.per else values.id
    return Task(
        about, digest(stage.name, shows)[:16], stage.name, dict(asks.form), shows, asks.guide, asks.people, helps,
        dict(stage.parameters), dict(asks.guides),
    )  # fmt: skip


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

    Raises DataError for a line that can't be read.
    """
    found: dict[tuple[str, str], dict[str, Result]] = {}
    for result in Journal(path, Result):
        found.setdefault((result.id, result.shown), {})[result.person] = result
    return {key: list(by_person.values()) for key, by_person in found.items()}


def check_result(result: Result, form: Mapping[str, Any]) -> None:
    """Raise DataError if a result doesn't fit the form, so that a misspelled verdict isn't taken for another one."""
    first = next(iter(form), None)
    if unknown := sorted(result.values.keys() - form.keys()):
        raise _unfit(result, unknown[0], f"one of the form's fields: {', '.join(form)}")
    for name, kind in form.items():
        value = result.values.get(name)
        if value is None or value == "":
            if name == first:
                raise _unfit(result, name, "a value, since this field must be filled in")
        elif not _fits(value, kind):
            raise _unfit(result, name, _expected(kind))


def several_of(kind: object) -> list[Any] | None:
    """Return the choices of a field that takes several of them, None for another field.

    >>> several_of({"type": "array", "items": {"enum": ["noise", "pronunciation"]}})
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
    if (several := several_of(kind)) is not None:
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
    return isinstance(value, str)


def _expected(kind: Any) -> str:
    if (several := several_of(kind)) is not None:
        return f"a list of: {', '.join(map(str, several))}"
    if (scale := scale_of(kind)) is not None:
        return f"a whole number from {scale[0]} to {scale[1]}"
    return kind if isinstance(kind, str) else f"one of: {', '.join(map(str, kind))}"


def _unfit(result: Result, name: str, expected: str) -> DataError:
    got = repr(result.values.get(name))[:80]
    what = f"{result.person} returned a wrong value for {name!r}"
    return DataError(what, where=result.id, got=got, expected=expected, fix="append a corrected result")


def decide(stage: Stage, values: Values, results: Sequence[Result], context: Context) -> Outcome:
    """Return the outcome of people's results; `pending` until there are enough."""
    assert stage.tasks is not None
    if len(results) < stage.tasks.people:
        return pending("waits-for-people", f"{len(results)} of {stage.tasks.people}")
    outcome = (stage.tasks.decide or _taken)(results, values, context)
    people = Maker("person", " + ".join(result.person for result in results))
    sources = tuple(dict.fromkeys((*outcome.sources, *(source for r in results for source in r.sources))))
    makers = dict.fromkeys(outcome.fields, people) | outcome.makers
    return msgspec.structs.replace(outcome, makers=makers, sources=sources, by=people)


def _taken(results: Sequence[Result], values: Values, context: Context) -> Outcome:
    return Outcome(fields=dict(results[0].values))
