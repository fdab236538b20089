"""Reviews of questions by people: nothing contradicts itself, and every edit can be used.

The same checks are made where a review is filled in (the portal's form), where a sheet is read, and where a build uses
the result.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from triptych.construction.choices import Choice, Limits, NoChoice, choice_fault, edited, places_of
from triptych.construction.wording import wording_fault

EDITS = ("edit", "revise")  # verdicts that take the changed texts
REFUSALS = ("reject", "remove")  # verdicts by which a record is dropped


def proposals(form: Mapping[str, Any], shows: Mapping[str, Any]) -> list[str]:
    """Return the fields of a form that edit a shown value: texts, lists and choices with the name of one."""
    editable = [name for name, kind in form.items() if kind in ("text", "list") or _is_choices(kind)]
    return [name for name in editable if name in shows]


def changed(values: Mapping[str, Any], form: Mapping[str, Any], shows: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields by which a person changed a shown value."""
    return {
        name: values[name]
        for name in proposals(form, shows)
        if values.get(name) not in (None, "", []) and _plain(values[name]) != _plain(shows[name])
    }


def faults_of(values: Mapping[str, Any], form: Mapping[str, Any], shows: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong with a review: an edit that changes nothing, a change that isn't an edit or can't be used.

    Forms whose first field has no verdict that takes edits have no such faults. A changed `category` must be one of
    the shown `category_choices`, and so on for any field. `fixed` names fields that can't be edited, each with the
    reason.
    """
    first = next(iter(form), "")
    kinds = form.get(first)
    if not (_is_choices(kinds) and set(EDITS) & set(map(str, kinds or ()))):
        return
    verdict, new = values.get(first), changed(values, form, shows)
    if verdict in REFUSALS:
        return
    if verdict in EDITS and not new:
        yield f"the verdict is {verdict}, but nothing was changed"
    if verdict not in EDITS and new:
        named = ", ".join(new)
        yield f"the verdict is {verdict}, but {named} was changed: choose {_edit_of(kinds)}, or undo the change"
    yield from _unusable(new, shows)


def edited_fields(new: Mapping[str, Any], shows: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a record after an edit: options, correct positions and answer are written together.

    `new`: as `changed` returns it. Raises NoChoice for an edit that can't be used.
    """
    texts = {name: value.strip() if isinstance(value, str) else value for name, value in new.items()}
    if shows.get("options") is None or not {"options", "answer"} & new.keys():
        return texts
    choice = _choice(new, shows)
    return texts | {"options": list(choice.options), "answers": list(choice.answers), "answer": choice.text}


def _unusable(new: Mapping[str, Any], shows: Mapping[str, Any]) -> Iterator[str]:
    if not new:
        return
    fixed = shows.get("fixed") or {}
    for name, value in new.items():
        if name in fixed:
            yield f"{name} can't be edited: {fixed[name]}"
        if (among := shows.get(f"{name}_choices")) and value not in among:
            yield f"{name}: {value!r} is none of {', '.join(map(str, among))}"
    others = [value for name, value in new.items() if name not in ("question", "options", "answer")]
    texts = [str(each) for value in others for each in (value if isinstance(value, list) else [value])]
    question = str(new.get("question") or shows.get("question") or "")
    try:
        choice = None if shows.get("options") is None else _choice(new, shows)
    except NoChoice as error:
        yield str(error)
        return
    options = () if choice is None else choice.options
    unusable = [str(new["answer"])] if choice is None and "answer" in new else []
    if fault := wording_fault(question, options, *unusable, *texts):
        yield f"{fault[0]}: {fault[1]}"
    elif choice is not None:
        limits = Limits(len(options), len(options), most_right=max(1, len(options) - 1))
        if fault := choice_fault(question, options, choice.answers, limits):
            yield f"{fault[0]}: {fault[1]}"


def _choice(new: Mapping[str, Any], shows: Mapping[str, Any]) -> Choice:
    answers = shows.get("answers")
    if answers is None:
        answers = places_of(shows.get("answer"), shows["options"])
    return edited(shows["options"], answers, new.get("options"), new.get("answer"))


def _edit_of(kinds: Any) -> str:
    return next(str(kind) for kind in kinds if kind in EDITS)


def _is_choices(kind: Any) -> bool:
    return isinstance(kind, Sequence) and not isinstance(kind, str)


def _plain(value: Any) -> Any:
    return [str(each).strip() for each in value] if isinstance(value, list | tuple) else str(value).strip()
