"""The editor of a task: its kind, the values that it shows, and the answers to begin with, for the page's script."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from triptych.construction.recipes.mcif import clean_lines
from triptych.construction.stages.annotation import ORIGINS, TYPES
from triptych.portal.annotation.rules import editor_of, rules_of
from triptych.portal.work.opening import wanted_first


def state_of(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the editor, what it shows, and the answers to begin with."""
    editor = editor_of(body)
    return {"editor": editor, **{"questions": _questions, "form": _form}.get(editor, _lines)(body)}


def _questions(body: Mapping[str, Any]) -> dict[str, Any]:
    rules = rules_of(body)
    empty = {"answer": "", "type": "", "begin": "", "end": ""}
    begin = [{"question": wording, "origin": "General", **empty} for wording in rules.general_questions]
    questions = body.get("shows", {}).get("abstract_questions") or []
    begin += [{"question": wording, "origin": "Abstract", **empty} for wording in questions]
    return {
        "answers": {"questions": begin},
        "types": TYPES,
        "origins": ORIGINS,
        "general": rules.general_questions,
        "no_answer": rules.no_answer,
        "abstract_first": wanted_first(body),
        "video": bool(body.get("shows", {}).get("video")),
    }


def _lines(body: Mapping[str, Any]) -> dict[str, Any]:
    """Lines of a translation are as many as those of its source; those of a transcript can be divided and joined."""
    shows, helps = body.get("shows", {}), body.get("helps", {})
    source, draft = shows.get("source"), shows.get("draft")
    lines = draft if isinstance(draft, list) else clean_lines(draft) if isinstance(draft, str) else []
    times = helps.get("draft_times") or []
    if isinstance(source, list):
        lines = lines if len(lines) == len(source) else [""] * len(source)
        times = [helps["begin"]] * len(source) if helps.get("begin") is not None else []
    field, *more = body["form"]
    return {
        "answers": {field: "\n".join(lines)},
        "field": field,
        "more": more,
        "source": source if isinstance(source, list) else None,
        "times": times if len(times) == len(lines) else [None] * len(lines),
        "draft": lines,
    }


def _form(body: Mapping[str, Any]) -> dict[str, Any]:
    return {"answers": {}, "form": dict(body.get("form", {}))}
