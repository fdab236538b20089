"""The audit trail as sentences in the language of the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, select

from triptych.portal.site.languages import say, words
from triptych.portal.site.titles import title_of, titles_of_tasks, titles_of_works
from triptych.portal.store.tables import queues, submissions, tasks

ABOUT_TASKS = ("talk opened", "skipped", "commented")  # entries whose subject is the number of a task


def sentence_of(language: str, entry: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """Return what happened, as a sentence. `names`: id of a person -> pseudonym. An unknown action is shown as it is.

    >>> sentence_of("en", {"person_id": "a", "action": "role given", "subject": "b", "detail": {"role": "admin"}},
    ...             {"a": "p-2", "b": "p-3"})
    'p-2 gave p-3 the role of administrator.'
    """
    who = names.get(entry["person_id"], entry["person_id"]) or say(language, "command-line")
    about, detail = names.get(entry["subject"], entry["subject"]), dict(entry["detail"] or {})
    name = f"audit-{entry['action'].replace(' ', '-')}"
    if entry["action"] == "entered" and entry["subject"] == "sign-in":
        name = "audit-entered-sign-in"
    if detail.get("by_check") and f"audit-checked-{entry['action'].rpartition(' ')[2]}" in words():
        name = f"audit-checked-{entry['action'].rpartition(' ')[2]}"
    if entry["action"] == "submitted" and detail.get("decision"):
        name = "audit-decided"
    if entry["action"] == "work moved" and detail.get("to"):
        name = "audit-work-moved-to"
    if name not in words():
        return f"{who}: {entry['action']} {about}".strip()
    values = {each: _named(language, each, value, names) for each, value in detail.items()}
    defaults = {
        "role": "",
        "person": "",
        "reasons": "",
        "results": 0,
        "number": 0,
        "queue": "",
        "to": "",
        "task": "",
        "most": 1,
        "submissions": 0,
        "kind": "",
        "target": "",
        "language": "",
        "work": "",
    }
    return say(language, name, who=who, about=about or "–", **{**defaults, **values})


def tasks_among(connection: Connection, entries: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return entries of the audit trail with the titles of the tasks, works and queues that they name by numbers and
    ids."""
    about = [each for each in entries if each["action"] in ABOUT_TASKS and each["subject"].isdecimal()]
    numbers = {int(each["subject"]) for each in about}
    numbers |= {each["detail"]["task"] for each in entries if isinstance(each["detail"].get("task"), int)}
    titles = titles_of_tasks(connection, numbers)
    moved = {
        (each["detail"].get("queue", ""), each["detail"]["work"]) for each in entries if each["detail"].get("work")
    }
    works = titles_of_works(connection, moved)
    names: dict[str, str] = {str(id): name for id, name in connection.execute(select(queues.c.id, queues.c.name))}

    def named(entry: Mapping[str, Any]) -> dict[str, Any]:
        detail, subject = dict(entry["detail"]), entry["subject"]
        if isinstance(detail.get("task"), int):
            detail["task"] = titles.get(detail["task"], detail["task"])
        if detail.get("work"):
            detail["work"] = works[detail.get("queue", ""), detail["work"]]
        if entry in about:
            subject = titles.get(int(subject), subject)
        if entry["action"] == "gold set":
            subject = names.get(subject, subject)
        return {**entry, "subject": subject, "detail": detail}

    return [named(each) for each in entries]


def results_among(connection: Connection, ids: Sequence[str]) -> dict[str, str]:
    """Return what the submissions among ids are about: id -> the task's title and its queue; not of erased ones."""
    sent = submissions.c
    query = select(sent.id, tasks.c.key, tasks.c.body, queues.c.name).select_from(
        submissions.join(tasks, tasks.c.id == sent.task_id).join(queues, queues.c.id == tasks.c.queue_id)
    )
    rows = connection.execute(query.where(sent.id.in_([each for each in ids if each]), sent.state != "erased"))
    return {row.id: f"{title_of(row.body, row.key)} ({row.name})" for row in rows}


def _named(language: str, name: str, value: Any, names: Mapping[str, str]) -> Any:
    key = f"{name if name != 'kind' else 'job'}-{value}"
    if isinstance(value, str) and key in words():
        return say(language, key)
    if isinstance(value, list):
        return ", ".join(str(_named(language, "reason", each, names)) for each in value)
    return names.get(value, value) if isinstance(value, str) else value
