"""The audit trail as sentences in the language of the page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from triptych.portal.site.languages import say, words


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


def _named(language: str, name: str, value: Any, names: Mapping[str, str]) -> Any:
    known = f"{name if name != 'kind' else 'job'}-{value}"
    if isinstance(value, str) and known in words():
        return say(language, known)
    if isinstance(value, list):
        return ", ".join(str(_named(language, "reason", each, names)) for each in value)
    return names.get(value, value) if isinstance(value, str) else value
